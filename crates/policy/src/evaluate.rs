//! The evaluator, one for both contexts. Its order is fixed: the code's row, the gate, the wait for a reset,
//! the retry, and what follows when both are used up.

use crate::code_traits::{owner, remedy};
use crate::context::{ActionRoute, DecisionContext, ExecutionContext, RouteCycle, Used, WaitingRoute};
use crate::decision::{
    Action, ActionKind, DECISION_SCHEMA, Decision, Degradation, DegradedUntil, Grounds, Park, ParkStatus,
};
use crate::gate::{self, DispatchMode, GateResult, Refusal, Work};
use crate::resource::{CooldownKey, Resource};
use crate::rows::{self, Counter, Exhausted, HealthRule, ParkNeed, Plan, RowAnswer, Settled, Verdict};
use crate::waits::{ValidHint, Wait};

/// Decides what is to be done. Total: it answers every input, and what is unknown authorises nothing.
#[must_use]
pub fn decide(context: &DecisionContext) -> Decision {
    let hint = valid_hint(context);
    let answer = rows::answer(context, hint.as_ref());
    let outcome = resolve(context, &answer, hint.as_ref());
    let code = gate::settled_code(&context.classification);
    let unattended = context.context == ExecutionContext::Unattended;
    let resource = code
        .filter(|_| unattended)
        .and_then(|code| Resource::of(code, context.classification.scope, &context.route));
    let degraded = resource
        .clone()
        .zip(degraded_until(context, &answer, &outcome, hint.as_ref()))
        .map(|(resource, until)| Degradation { resource, until });
    let kind = outcome.action.kind();
    Decision {
        schema: DECISION_SCHEMA.to_owned(),
        context: context.context,
        state: context.classification.state,
        code,
        class: context.classification.class,
        confidence: context.classification.confidence,
        rule: context.classification.rule.clone(),
        catalogue: context.classification.catalogue.clone(),
        policy: context.policy.filter(|_| unattended).map(|policy| policy.to_string()),
        evaluated_under: answer.under,
        gate: outcome.gate,
        deadline: outcome.action.wait().map(|wait| wait.until),
        excludes: excludes(kind).then(|| context.cycle.candidate.clone()).flatten(),
        degraded,
        cooldown: resource
            .filter(|_| kind == ActionKind::Retry)
            .map(|resource| CooldownKey { workspace: context.route.workspace.clone(), resource }),
        pending: pending(context, &answer, &outcome.action),
        remedy: code.and_then(remedy),
        owner: code.and_then(owner),
        grounds: outcome.grounds,
        action: outcome.action,
        hint,
    }
}

fn valid_hint(context: &DecisionContext) -> Option<ValidHint> {
    ValidHint::read(&context.classification.hints, context.observed_at, context.now)
}

/// What steps 1 to 5 come to.
struct Outcome {
    action: Action,
    grounds: Grounds,
    gate: GateResult,
}

impl Outcome {
    const fn open(action: Action, grounds: Grounds) -> Self {
        Self { action, grounds, gate: GateResult::Open }
    }

    /// A closed gate: a person decides, and a run never falls into a host's generic retries.
    fn refused(context: &DecisionContext, refusal: Refusal) -> Self {
        let action = match context.context {
            ExecutionContext::Interactive => Action::Manual,
            ExecutionContext::Unattended => Action::Stop,
        };
        Self { action, grounds: Grounds::GateRefused, gate: refusal.into() }
    }
}

fn resolve(context: &DecisionContext, answer: &RowAnswer, hint: Option<&ValidHint>) -> Outcome {
    let plan = match answer.verdict {
        Verdict::Settled(settled, grounds) => {
            let action = match settled {
                Settled::Stop => Action::Stop,
                Settled::Manual => Action::Manual,
                Settled::UserAction => Action::UserAction,
                Settled::Decline => Action::Decline,
            };
            return Outcome { action, grounds, gate: GateResult::NotNeeded };
        }
        Verdict::Work(plan) => plan,
    };
    let dispatch = match gate::ask(context, Work::SameRoute, plan.excused) {
        Ok(dispatch) => dispatch,
        Err(refusal) => return Outcome::refused(context, refusal),
    };
    let used = used(&context.cycle, plan.counter);
    if let Some(wait) = reset_wait(context, &plan, used, hint) {
        return Outcome::open(Action::WaitForReset { wait, dispatch }, Grounds::ResetWithinWait);
    }
    match retry(context, &plan, used, hint, dispatch) {
        Ok(action) => Outcome::open(action, Grounds::BudgetLeft),
        Err(grounds) => exhausted(context, &plan, grounds, hint, dispatch),
    }
}

fn used(cycle: &RouteCycle, counter: Counter) -> Used {
    match counter {
        Counter::Transient => cycle.transient,
        Counter::Hard => cycle.hard,
    }
}

/// Step 3. Hints of at most a minute are lower bounds of a retry instead.
fn reset_wait(context: &DecisionContext, plan: &Plan, used: Used, hint: Option<&ValidHint>) -> Option<Wait> {
    let max_ms = plan.reset_max_ms.filter(|_| used.reset_wait == Some(false))?;
    let hint = hint.filter(|hint| hint.is_long())?;
    Wait::reset(context.now, hint, max_ms, context.jitter)
}

/// Step 4. Where it gives no retry, it says why.
fn retry(
    context: &DecisionContext,
    plan: &Plan,
    used: Used,
    hint: Option<&ValidHint>,
    dispatch: DispatchMode,
) -> Result<Action, Grounds> {
    let budget = plan.budget.ok_or(plan.at_once)?;
    let ordinal = used.retries.unwrap_or(u32::MAX);
    let nominal_ms = budget.nominal_ms(ordinal).ok_or(Grounds::BudgetSpent)?;
    let wait = Wait::retry(context.now, nominal_ms, hint, context.jitter).ok_or(Grounds::HintBeyondRetry)?;
    Ok(Action::Retry { attempt: ordinal.saturating_add(1), max_attempts: budget.max, wait, dispatch })
}

/// Step 5. Moving on and parking ask the gate for themselves, because a resume guarantee ends with the route.
fn exhausted(
    context: &DecisionContext,
    plan: &Plan,
    grounds: Grounds,
    hint: Option<&ValidHint>,
    dispatch: DispatchMode,
) -> Outcome {
    let need = match plan.exhausted {
        Exhausted::Manual => return Outcome::open(Action::Manual, grounds),
        Exhausted::GiveUp => return Outcome::open(Action::GiveUpCandidate, grounds),
        Exhausted::Stop => return Outcome::open(Action::Stop, grounds),
        Exhausted::Skip(need) => need,
    };
    if let Some(next) = context.cycle.next() {
        return match gate::ask(context, Work::OtherRoute, plan.excused) {
            Ok(dispatch) => {
                Outcome::open(Action::NextCandidate { candidate: next.clone(), dispatch }, grounds)
            }
            Err(refusal) => Outcome::refused(context, refusal),
        };
    }
    park(context, need, hint, dispatch).map_or_else(
        || Outcome::open(Action::Stop, grounds),
        |park| Outcome::open(Action::Park(park), grounds),
    )
}

/// No candidate is left. Capacity goes before action: a run wakes if any of its routes can come back by itself.
fn park(
    context: &DecisionContext,
    need: ParkNeed,
    hint: Option<&ValidHint>,
    dispatch: DispatchMode,
) -> Option<Park> {
    let (now, step, jitter) = (context.now, context.health_step, context.jitter);
    let mut waiting = context.cycle.waiting.clone();
    let mut action_required = context.cycle.action_required.clone();
    let candidate = context.cycle.candidate.clone();
    let own = match need {
        ParkNeed::Ladder => Some(Wait::wake(now, step, None, jitter)),
        ParkNeed::ResetOrLadder => Some(Wait::wake(now, step, hint, jitter)),
        ParkNeed::Action | ParkNeed::OtherRoutes => None,
    };
    if let Some(wait) = own {
        waiting.extend(candidate.map(|candidate| WaitingRoute { candidate, wake_at: Some(wait.until) }));
    } else if need == ParkNeed::Action {
        let remedy = gate::settled_code(&context.classification).and_then(remedy);
        action_required.extend(candidate.map(|candidate| ActionRoute { candidate, remedy }));
    }
    let others = context.cycle.waiting.iter().filter_map(|route| route.wake_at).min();
    let other = others.map(|at| Wait::other_route(now, at));
    let unknown_wake = || (!context.cycle.waiting.is_empty()).then(|| Wait::wake(now, step, None, jitter));
    let wake = own.into_iter().chain(other).min_by_key(|wait| wait.until).or_else(unknown_wake);
    let blocked = need == ParkNeed::Action || !action_required.is_empty();
    let status = match wake {
        Some(_) => ParkStatus::WaitingForProviderCapacity,
        None if blocked => ParkStatus::BlockedProviderActionRequired,
        None => return None,
    };
    Some(Park { status, wake, dispatch, waiting, action_required })
}

const fn excludes(kind: ActionKind) -> bool {
    match kind {
        ActionKind::NextCandidate | ActionKind::Park | ActionKind::GiveUpCandidate => true,
        ActionKind::Retry
        | ActionKind::WaitForReset
        | ActionKind::Stop
        | ActionKind::Manual
        | ActionKind::UserAction
        | ActionKind::Decline => false,
    }
}

/// Health is recorded when conditions 1 and 2 of the gate hold, whatever 3 and 4 say. During a short phase
/// nothing is degraded.
fn degraded_until(
    context: &DecisionContext,
    answer: &RowAnswer,
    outcome: &Outcome,
    hint: Option<&ValidHint>,
) -> Option<DegradedUntil> {
    let kind = outcome.action.kind();
    if !gate::admits_health(context) || kind == ActionKind::Retry {
        return None;
    }
    let refused = outcome.grounds == Grounds::GateRefused;
    let reset = match answer.health {
        HealthRule::Untouched => return None,
        HealthRule::UntilAction => return Some(DegradedUntil::ActionRequired),
        HealthRule::WhenPromoted if refused => return None,
        HealthRule::WhenPromoted | HealthRule::AfterShortPhase => None,
        HealthRule::UntilReset => hint,
    };
    let wait = if let Action::WaitForReset { wait, .. } = &outcome.action {
        *wait
    } else {
        Wait::wake(context.now, context.health_step, reset, context.jitter)
    };
    Some(DegradedUntil::Deadline { wait })
}

/// What follows if the dispatch on this route fails the same way.
fn pending(context: &DecisionContext, answer: &RowAnswer, action: &Action) -> Option<ActionKind> {
    let Verdict::Work(plan) = answer.verdict else { return None };
    let mut next = context.clone();
    let used = match plan.counter {
        Counter::Transient => &mut next.cycle.transient,
        Counter::Hard => &mut next.cycle.hard,
    };
    if let Action::Retry { attempt, .. } = action {
        used.retries = Some(*attempt);
    } else if let Action::WaitForReset { .. } = action {
        used.reset_wait = Some(true);
    } else {
        return None;
    }
    let hint = valid_hint(&next);
    Some(resolve(&next, answer, hint.as_ref()).action.kind())
}
