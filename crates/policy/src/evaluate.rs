//! The evaluator, one for both contexts. Its order is fixed: the code's row, the gate, the wait for a reset,
//! the retry, and what follows when both are used up.

use faultbook_taxonomy::Code;

use crate::code_traits::{owner, remedy};
use crate::context::{DecisionContext, ExecutionContext, RemainingCandidate, RouteCycle, Used};
use crate::decision::{Action, ActionKind, DECISION_SCHEMA, Decision, Degradation, DegradedUntil, Grounds};
use crate::gate::{self, DispatchMode, GateResult, Refusal, Work};
use crate::park::park;
use crate::resource::{CooldownKey, Resource};
use crate::rows::{self, Counter, Exhausted, HealthRule, Plan, RowAnswer, Settled, Verdict};
use crate::waits::{ValidHint, Wait};

/// Decides what is to be done. Total: it answers every input, and what is unknown authorises nothing.
#[must_use]
pub fn decide(context: &DecisionContext) -> Decision {
    let hint = ValidHint::read(&context.classification.hints, context.observed_at, context.now);
    let code = gate::settled_code(&context.classification);
    let answer = rows::answer(context, hint.as_ref());
    let failure = Failure { context, code, hint: hint.as_ref(), answer };
    let outcome = failure.resolve(&context.cycle);
    let degraded = failure.degradation(&outcome);
    let kind = outcome.action.kind();
    let unattended = context.context == ExecutionContext::Unattended;
    let classification = &context.classification;
    Decision {
        schema: DECISION_SCHEMA.to_owned(),
        context: context.context,
        state: classification.state,
        code,
        class: classification.class,
        confidence: classification.confidence,
        rule: classification.rule.clone(),
        catalogue: classification.catalogue.clone(),
        policy: context.policy.filter(|_| unattended).map(|policy| policy.to_string()),
        evaluated_under: answer.under,
        gate: outcome.gate,
        deadline: outcome.action.wait().map(|wait| wait.until),
        excludes: excludes(kind).then(|| context.cycle.candidate.clone()).flatten(),
        degraded,
        cooldown: failure.cooldown(kind),
        pending: failure.pending(&outcome.action),
        remedy: code.and_then(remedy),
        owner: code.and_then(owner),
        grounds: outcome.grounds,
        action: outcome.action,
        hint,
    }
}

/// Whether the candidate is excluded for this route cycle.
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

/// What steps 1 to 5 come to.
pub(crate) struct Outcome {
    pub(crate) action: Action,
    pub(crate) grounds: Grounds,
    pub(crate) gate: GateResult,
}

impl Outcome {
    const fn open(action: Action, grounds: Grounds) -> Self {
        Self { action, grounds, gate: GateResult::Open }
    }

    /// A closed gate: a person decides, and a run never falls into a host's generic retries.
    fn refused(context: ExecutionContext, refusal: Refusal) -> Self {
        let action = match context {
            ExecutionContext::Interactive => Action::Manual,
            ExecutionContext::Unattended => Action::Stop,
        };
        Self { action, grounds: Grounds::GateRefused, gate: refusal.into() }
    }
}

/// One failure with what its row says.
pub(crate) struct Failure<'a> {
    pub(crate) context: &'a DecisionContext,
    pub(crate) code: Option<Code>,
    pub(crate) hint: Option<&'a ValidHint>,
    pub(crate) answer: RowAnswer,
}

impl Failure<'_> {
    /// Steps 2 to 5, with what the cycle has used.
    fn resolve(&self, cycle: &RouteCycle) -> Outcome {
        let plan = match self.answer.verdict {
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
        let dispatch = match gate::ask(self.context, Work::SameRoute, plan.excused) {
            Ok(dispatch) => dispatch,
            Err(refusal) => return Outcome::refused(self.context.context, refusal),
        };
        let used = used(cycle, plan.counter);
        if let Some(wait) = self.reset_wait(&plan, used) {
            return Outcome::open(Action::WaitForReset { wait, dispatch }, Grounds::ResetWithinWait);
        }
        match self.retry(&plan, used, dispatch) {
            Ok(action) => Outcome::open(action, Grounds::BudgetLeft),
            Err(grounds) => self.exhausted(&plan, grounds, dispatch),
        }
    }

    /// Step 3. Hints of at most a minute are lower bounds of a retry instead.
    fn reset_wait(&self, plan: &Plan, used: Used) -> Option<Wait> {
        let max_ms = plan.reset_max_ms.filter(|_| used.reset_wait == Some(false))?;
        let hint = self.hint.filter(|hint| hint.is_long())?;
        Wait::reset(self.context.now, hint, max_ms, self.context.jitter)
    }

    /// Step 4. Where it gives no retry, it says why.
    fn retry(&self, plan: &Plan, used: Used, dispatch: DispatchMode) -> Result<Action, Grounds> {
        let budget = plan.budget.ok_or(plan.at_once)?;
        let ordinal = used.retries.unwrap_or(u32::MAX);
        let nominal_ms = budget.nominal_ms(ordinal).ok_or(Grounds::BudgetSpent)?;
        let wait = Wait::retry(self.context.now, nominal_ms, self.hint, self.context.jitter)
            .ok_or(Grounds::HintBeyondRetry)?;
        Ok(Action::Retry { attempt: ordinal.saturating_add(1), max_attempts: budget.max, wait, dispatch })
    }

    /// Step 5. Another candidate asks the gate for itself, because a resume guarantee ends with the route.
    fn exhausted(&self, plan: &Plan, grounds: Grounds, dispatch: DispatchMode) -> Outcome {
        let need = match plan.exhausted {
            Exhausted::Manual => return Outcome::open(Action::Manual, grounds),
            Exhausted::GiveUp => return Outcome::open(Action::GiveUpCandidate, grounds),
            Exhausted::Stop => return Outcome::open(Action::Stop, grounds),
            Exhausted::Skip(need) => need,
        };
        let touched = self.touched();
        let shares = |other: &RemainingCandidate| {
            touched.as_ref().is_some_and(|resource| resource.concerns(&other.route))
        };
        if let Some(next) = self.context.cycle.others().find(|other| !shares(other)) {
            return match gate::ask(self.context, Work::OtherRoute, plan.excused) {
                Ok(dispatch) => {
                    let candidate = next.candidate.clone();
                    Outcome::open(Action::NextCandidate { candidate, dispatch }, grounds)
                }
                Err(refusal) => Outcome::refused(self.context.context, refusal),
            };
        }
        let action = park(self, need, dispatch).map_or(Action::Stop, Action::Park);
        Outcome::open(action, grounds)
    }

    /// The resource that the code names on this route. Interactive sessions keep no health.
    fn resource(&self) -> Option<Resource> {
        let code = self.code.filter(|_| self.context.context == ExecutionContext::Unattended)?;
        Resource::of(code, self.context.classification.scope, &self.context.route)
    }

    /// The resource, where health may be recorded and the row does so.
    fn touched(&self) -> Option<Resource> {
        let recorded = self.answer.health != HealthRule::Untouched && gate::admits_health(self.context);
        self.resource().filter(|_| recorded)
    }

    /// During a short phase nothing is degraded.
    fn degradation(&self, outcome: &Outcome) -> Option<Degradation> {
        let resource = self.touched().filter(|_| outcome.action.kind() != ActionKind::Retry)?;
        // A missing package is found after the short phase only, so it is a promotion.
        let refused = match outcome.gate {
            GateResult::Refused { refusal, .. } => refusal != Refusal::NoContinuationPackage,
            GateResult::Open | GateResult::NotNeeded => false,
        };
        let reset = match self.answer.health {
            HealthRule::Untouched => return None,
            HealthRule::UntilAction => {
                return Some(Degradation { resource, until: DegradedUntil::ActionRequired });
            }
            HealthRule::WhenPromoted if refused => return None,
            HealthRule::WhenPromoted | HealthRule::AfterShortPhase => None,
            HealthRule::UntilReset => self.hint,
        };
        let wait = if let Action::WaitForReset { wait, .. } = &outcome.action {
            *wait
        } else {
            Wait::wake(self.context.now, self.context.health_step, reset, self.context.jitter)
        };
        Some(Degradation { resource, until: DegradedUntil::Deadline { wait } })
    }

    fn cooldown(&self, kind: ActionKind) -> Option<CooldownKey> {
        let resource = self.resource().filter(|_| kind == ActionKind::Retry)?;
        Some(CooldownKey { workspace: self.context.route.workspace.clone(), resource })
    }

    /// What follows if the dispatch on this route fails the same way.
    fn pending(&self, action: &Action) -> Option<ActionKind> {
        let Verdict::Work(plan) = self.answer.verdict else { return None };
        let mut cycle = self.context.cycle.clone();
        let used = match plan.counter {
            Counter::Transient => &mut cycle.transient,
            Counter::Hard => &mut cycle.hard,
        };
        if let Action::Retry { attempt, .. } = action {
            used.retries = Some(*attempt);
        } else if let Action::WaitForReset { .. } = action {
            used.reset_wait = Some(true);
        } else {
            return None;
        }
        Some(self.resolve(&cycle).action.kind())
    }
}

const fn used(cycle: &RouteCycle, counter: Counter) -> Used {
    match counter {
        Counter::Transient => cycle.transient,
        Counter::Hard => cycle.hard,
    }
}
