//! Walks a scenario through the evaluator, as an owner would: one decision per failed attempt.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{MAX_STEPS, Scenario, ScenarioCandidate, Step, TIMELINE_SCHEMA, Timeline, TimelineEnd, Trigger};
use crate::context::{ActionRoute, DecisionContext, RemainingCandidate, RouteCycle, Used, WaitingRoute};
use crate::decision::{Action, Decision, DegradedUntil, Park};
use crate::evaluate::decide;
use crate::gate::settled_code;
use crate::resource::Resource;
use crate::waits::later;

/// The whole timeline of a scenario. It always ends, after at most [`MAX_STEPS`] steps.
#[must_use]
pub fn simulate(scenario: &Scenario) -> Timeline {
    let own = [own_candidate(scenario)];
    let candidates = if scenario.candidates.is_empty() { &own[..] } else { &scenario.candidates[..] };
    let mut walk = Walk {
        scenario,
        candidates,
        now: scenario.failure.now,
        active: 0,
        cycle: 1,
        trigger: Trigger::First,
        used: first_use(&scenario.failure.cycle),
        excluded: vec![false; candidates.len()],
        circuits: BTreeMap::new(),
        parked_since: None,
    };
    let mut steps = Vec::new();
    let mut end = None;
    while end.is_none() && steps.len() < MAX_STEPS {
        end = walk.step(&mut steps);
    }
    Timeline {
        schema: TIMELINE_SCHEMA.to_owned(),
        start: scenario.failure.now,
        steps,
        end: end.unwrap_or(TimelineEnd::Cut),
        ends_at: walk.now,
    }
}

fn own_candidate(scenario: &Scenario) -> ScenarioCandidate {
    let failure = &scenario.failure;
    let name = failure.cycle.candidate.clone().or_else(|| failure.route.profile.clone());
    ScenarioCandidate {
        name: name.unwrap_or_else(|| "candidate 1".to_owned()),
        route: failure.route.clone(),
        policy: failure.policy,
        fails: true,
    }
}

/// What was used before the start; in a simulation the unknown is nothing.
fn first_use(cycle: &RouteCycle) -> (Used, Used) {
    let known =
        |used: Used| Used { retries: used.retries.or(Some(0)), reset_wait: used.reset_wait.or(Some(false)) };
    (known(cycle.transient), known(cycle.hard))
}

/// A degraded resource: until when (none: until a person acts), and how often in a row.
struct Circuit {
    until: Option<Timestamp>,
    failures: u32,
}

struct Walk<'a> {
    scenario: &'a Scenario,
    candidates: &'a [ScenarioCandidate],
    now: Timestamp,
    active: usize,
    cycle: u32,
    trigger: Trigger,
    /// What `transient` and `hard` have used for the active candidate.
    used: (Used, Used),
    excluded: Vec<bool>,
    circuits: BTreeMap<Resource, Circuit>,
    parked_since: Option<Timestamp>,
}

impl<'a> Walk<'a> {
    /// Makes one attempt and goes on to the next; says how the timeline ends where it does.
    fn step(&mut self, steps: &mut Vec<Step>) -> Option<TimelineEnd> {
        let candidate = self.candidates.get(self.active)?;
        let decision = (!self.succeeds(candidate)).then(|| decide(&self.context(candidate)));
        steps.push(Step {
            at: self.now,
            cycle: self.cycle,
            candidate: candidate.name.clone(),
            trigger: self.trigger,
            decision: decision.clone(),
        });
        let Some(decision) = decision else { return Some(TimelineEnd::Recovered) };
        self.record_health(&decision);
        self.follow(&decision)
    }

    fn succeeds(&self, candidate: &ScenarioCandidate) -> bool {
        let recovered = self.scenario.recovers_at.is_some_and(|at| at <= self.now);
        self.trigger != Trigger::First && (recovered || !candidate.fails)
    }

    fn context(&self, candidate: &ScenarioCandidate) -> DecisionContext {
        let mut context = self.scenario.failure.clone();
        context.observed_at =
            if self.trigger == Trigger::First { context.observed_at } else { Some(self.now) };
        context.now = self.now;
        context.route = candidate.route.clone();
        context.policy = candidate.policy;
        context.health_step = self.health_step(&context);
        context.cycle = RouteCycle {
            candidate: Some(candidate.name.clone()),
            transient: self.used.0,
            hard: self.used.1,
            excluded: Vec::new(),
            remaining: self.remaining(),
            waiting: self.waiting(),
            action_required: self.action_required(),
        };
        context
    }

    fn health_step(&self, context: &DecisionContext) -> u32 {
        let code = settled_code(&context.classification);
        code.and_then(|code| Resource::of(code, context.classification.scope, &context.route))
            .and_then(|resource| self.circuits.get(&resource))
            .map_or(self.scenario.failure.health_step, |circuit| circuit.failures)
    }

    /// The circuits that keep a candidate from being chosen now.
    fn open(&self, candidate: &ScenarioCandidate) -> impl Iterator<Item = &Circuit> {
        self.circuits.iter().filter_map(|(resource, circuit)| {
            let open = circuit.until.is_none_or(|until| until > self.now);
            (open && resource.concerns(&candidate.route)).then_some(circuit)
        })
    }

    fn others(&self) -> impl Iterator<Item = (usize, &'a ScenarioCandidate)> {
        let active = self.active;
        self.candidates.iter().enumerate().filter(move |(index, _)| *index != active)
    }

    fn is_excluded(&self, index: usize) -> bool {
        self.excluded.get(index).copied().unwrap_or(true)
    }

    fn remaining(&self) -> Vec<RemainingCandidate> {
        self.others()
            .filter(|(index, other)| !self.is_excluded(*index) && self.open(other).next().is_none())
            .map(|(_, other)| RemainingCandidate {
                candidate: other.name.clone(),
                route: other.route.clone(),
            })
            .collect()
    }

    fn waiting(&self) -> Vec<WaitingRoute> {
        self.others()
            .filter_map(|(_, other)| {
                let deadlines: Option<Vec<Timestamp>> = self.open(other).map(|one| one.until).collect();
                let wake_at = deadlines?.into_iter().max()?;
                Some(WaitingRoute { candidate: other.name.clone(), wake_at: Some(wake_at) })
            })
            .collect()
    }

    fn action_required(&self) -> Vec<ActionRoute> {
        let remedy = settled_code(&self.scenario.failure.classification).and_then(crate::code_traits::remedy);
        self.others()
            .filter(|(_, other)| self.open(other).any(|circuit| circuit.until.is_none()))
            .map(|(_, other)| ActionRoute { candidate: other.name.clone(), remedy })
            .collect()
    }

    fn record_health(&mut self, decision: &Decision) {
        let Some(degraded) = &decision.degraded else { return };
        let until = match degraded.until {
            DegradedUntil::Deadline { wait } => Some(wait.until),
            DegradedUntil::ActionRequired => None,
        };
        let first = Circuit { until, failures: self.scenario.failure.health_step };
        let circuit = self.circuits.entry(degraded.resource.clone()).or_insert(first);
        circuit.until = until;
        circuit.failures = circuit.failures.saturating_add(1);
    }

    /// Carries the decision out.
    fn follow(&mut self, decision: &Decision) -> Option<TimelineEnd> {
        let hard = decision.evaluated_under == Some(faultbook_taxonomy::Class::Hard);
        let used = if hard { &mut self.used.1 } else { &mut self.used.0 };
        match &decision.action {
            Action::Retry { attempt, wait, .. } => {
                used.retries = Some(*attempt);
                self.go_on(wait.until, Trigger::Retry)
            }
            Action::WaitForReset { wait, .. } => {
                used.reset_wait = Some(true);
                self.go_on(wait.until, Trigger::AfterReset)
            }
            Action::NextCandidate { candidate, .. } => self.switch(candidate),
            Action::Park(park) => self.park(park),
            Action::GiveUpCandidate => Some(TimelineEnd::CandidateGivenUp),
            Action::Stop => Some(TimelineEnd::Stopped),
            Action::Manual => Some(TimelineEnd::Manual),
            Action::UserAction => Some(TimelineEnd::UserAction),
            Action::Decline => Some(TimelineEnd::Declined),
        }
    }

    fn go_on(&mut self, at: Timestamp, trigger: Trigger) -> Option<TimelineEnd> {
        self.now = at;
        self.trigger = trigger;
        None
    }

    fn exclude_active(&mut self) {
        if let Some(excluded) = self.excluded.get_mut(self.active) {
            *excluded = true;
        }
    }

    fn switch(&mut self, name: &str) -> Option<TimelineEnd> {
        self.exclude_active();
        let found = self.others().find(|(index, other)| other.name == name && !self.is_excluded(*index));
        let Some((index, _)) = found else { return Some(TimelineEnd::Stopped) };
        self.active = index;
        self.used = (Used::NOTHING, Used::NOTHING);
        self.go_on(self.now, Trigger::Switch)
    }

    /// Rests until the wake, then begins a new cycle with fresh budgets at the first eligible candidate.
    fn park(&mut self, park: &Park) -> Option<TimelineEnd> {
        let Some(wake) = park.wake else { return Some(TimelineEnd::Blocked) };
        let since = *self.parked_since.get_or_insert(self.now);
        let given_up = later(since, self.scenario.horizon_s.saturating_mul(1000));
        if wake.until > given_up || wake.until <= self.now {
            self.now = given_up;
            return Some(TimelineEnd::HorizonPassed);
        }
        self.now = wake.until;
        self.cycle = self.cycle.saturating_add(1);
        self.excluded.fill(false);
        self.used = (Used::NOTHING, Used::NOTHING);
        let eligible = self.candidates.iter().position(|candidate| self.open(candidate).next().is_none());
        self.active = eligible.unwrap_or(self.active);
        self.go_on(self.now, Trigger::Wake)
    }
}
