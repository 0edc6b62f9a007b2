//! What a run does when no candidate is left: it parks, for capacity or for a person.

use jiff::Timestamp;

use crate::code_traits::remedy;
use crate::context::{ActionRoute, WaitingRoute};
use crate::decision::{Park, ParkStatus};
use crate::evaluate::Failure;
use crate::gate::DispatchMode;
use crate::rows::ParkNeed;
use crate::waits::Wait;

/// The parked run; none where nothing is known to wait for. Capacity goes before action: a run wakes if any of
/// its routes can come back by itself, and the routes that need a person are listed all the same.
pub(crate) fn park(failure: &Failure<'_>, need: ParkNeed, dispatch: DispatchMode) -> Option<Park> {
    let cycle = &failure.context.cycle;
    let own = own_wake(failure, need);
    let wake = own.into_iter().chain(other_wake(failure)).min_by_key(|wait| wait.until);
    let action_required = action_routes(failure, need);
    let status = match wake {
        Some(_) => ParkStatus::WaitingForProviderCapacity,
        None if need == ParkNeed::Action || !action_required.is_empty() => {
            ParkStatus::BlockedProviderActionRequired
        }
        None => return None,
    };
    let mut waiting = cycle.waiting.clone();
    if let Some(wait) = own {
        let wake_at = Some(wait.until);
        waiting.extend(stuck(failure).map(|candidate| WaitingRoute { candidate, wake_at }));
    }
    Some(Park { status, wake, dispatch, waiting, action_required })
}

/// The candidates that this failure takes out: the one that failed, and those that share its resource.
fn stuck(failure: &Failure<'_>) -> impl Iterator<Item = String> {
    let cycle = &failure.context.cycle;
    cycle.candidate.clone().into_iter().chain(cycle.others().map(|other| other.candidate.clone()))
}

fn own_wake(failure: &Failure<'_>, need: ParkNeed) -> Option<Wait> {
    let reset = match need {
        ParkNeed::Ladder => None,
        ParkNeed::ResetOrLadder => failure.hint,
        ParkNeed::Action | ParkNeed::OtherRoutes => return None,
    };
    let context = failure.context;
    Some(Wait::wake(context.now, context.health_step, reset, context.jitter))
}

/// The earliest wake of the run's other routes; the ladder where they wait and none says for how long.
fn other_wake(failure: &Failure<'_>) -> Option<Wait> {
    let (context, waiting) = (failure.context, &failure.context.cycle.waiting);
    let earliest: Option<Timestamp> = waiting.iter().filter_map(|route| route.wake_at).min();
    match earliest {
        Some(at) => Some(Wait::other_route(context.now, at)),
        None if waiting.is_empty() => None,
        None => Some(Wait::wake(context.now, context.health_step, None, context.jitter)),
    }
}

fn action_routes(failure: &Failure<'_>, need: ParkNeed) -> Vec<ActionRoute> {
    let mut routes = failure.context.cycle.action_required.clone();
    if need == ParkNeed::Action {
        let remedy = failure.code.and_then(remedy);
        routes.extend(stuck(failure).map(|candidate| ActionRoute { candidate, remedy }));
    }
    routes
}
