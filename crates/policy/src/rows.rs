//! Both tables: from a code, its context and its hint to what may be done about it. Step 1 of the evaluation;
//! what a row says holds under every policy document.

use faultbook_taxonomy::{Class, Code, Confidence, State, Window};

use crate::class_policy::{ClassPolicy, ClassRules, OnExhausted, PrestartUnknown};
use crate::code_traits::{InteractiveRow, UnattendedRow, interactive_row, unattended_row};
use crate::context::{DecisionContext, ExecutionContext};
use crate::decision::Grounds;
use crate::gate::settled_code;
use crate::waits::ValidHint;

/// The delays of the interactive schedule, in seconds; as many as there are automatic attempts.
pub const INTERACTIVE_SCHEDULE_S: [u64; 5] = [5, 10, 20, 40, 60];
/// How often a lost transport is retried before the start.
pub const TRANSPORT_RETRIES: u32 = 3;
/// The first delay after a lost transport, in seconds; each following one is twice as long.
pub const TRANSPORT_INITIAL_S: u64 = 5;

/// How the delays of a budget grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// The interactive list.
    Listed,
    /// Twice as long each time.
    Doubling { initial_s: u64 },
}

/// Retries on the same route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) max: u32,
    schedule: Schedule,
}

impl Budget {
    const INTERACTIVE: Self = Self { max: 5, schedule: Schedule::Listed };
    const TRANSPORT: Self =
        Self { max: TRANSPORT_RETRIES, schedule: Schedule::Doubling { initial_s: TRANSPORT_INITIAL_S } };

    /// The nominal delay of the retry number `ordinal`, counted from 0; none when the budget is spent.
    pub(crate) fn nominal_ms(&self, ordinal: u32) -> Option<u64> {
        let seconds = match self.schedule {
            Schedule::Listed => *INTERACTIVE_SCHEDULE_S.get(usize::try_from(ordinal).ok()?)?,
            Schedule::Doubling { initial_s } => initial_s.saturating_mul(2_u64.saturating_pow(ordinal)),
        };
        (ordinal < self.max).then(|| seconds.saturating_mul(1000))
    }
}

/// Whose counters a plan reads and spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counter {
    Transient,
    Hard,
}

/// What a run without another candidate waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParkNeed {
    /// Capacity; the wake follows the ladder.
    Ladder,
    /// Capacity; the wake is the validated reset, else the ladder.
    ResetOrLadder,
    /// A person.
    Action,
    /// Nothing of its own: it joins what its other routes wait for, else it stops.
    OtherRoutes,
}

/// What follows when retries and waits are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exhausted {
    Manual,
    GiveUp,
    Stop,
    Skip(ParkNeed),
}

/// Automatic work that a row allows, if the gate agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) counter: Counter,
    pub(crate) budget: Option<Budget>,
    pub(crate) reset_max_ms: Option<u64>,
    pub(crate) exhausted: Exhausted,
    /// Gate condition 2 is left out: `prestart_unknown`.
    pub(crate) excused: bool,
    /// Why it moves on without a retry.
    pub(crate) at_once: Grounds,
}

/// An answer that needs no work and so no gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    Stop,
    Manual,
    UserAction,
    Decline,
}

/// What a row says is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Settled(Settled, Grounds),
    Work(Plan),
}

/// What the row says about health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HealthRule {
    /// Nothing is degraded.
    Untouched,
    /// Degraded when there is no short phase or it ends without success, by the ladder.
    AfterShortPhase,
    /// The same, but a closed gate alone is no promotion.
    WhenPromoted,
    /// Degraded until the reset, else by the ladder.
    UntilReset,
    /// Degraded until a person acts.
    UntilAction,
}

/// A row's whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowAnswer {
    pub(crate) verdict: Verdict,
    pub(crate) health: HealthRule,
    /// The class whose section of the policy counts; none where no section does.
    pub(crate) under: Option<Class>,
}

impl RowAnswer {
    const fn settled(settled: Settled, grounds: Grounds) -> Self {
        Self { verdict: Verdict::Settled(settled, grounds), health: HealthRule::Untouched, under: None }
    }

    const fn fixed(plan: Plan) -> Self {
        Self { verdict: Verdict::Work(plan), health: HealthRule::Untouched, under: None }
    }
}

/// The row's answer to this failure.
pub(crate) fn answer(context: &DecisionContext, hint: Option<&ValidHint>) -> RowAnswer {
    match context.context {
        ExecutionContext::Interactive => interactive(context, hint),
        ExecutionContext::Unattended => unattended(context, hint),
    }
}

/// Whether the throttle is confirmed short: by a hint of at most a minute, or else by its window.
fn confirmed_short(context: &DecisionContext, hint: Option<&ValidHint>) -> bool {
    match hint {
        Some(hint) => !hint.is_long(),
        None => context.classification.hints.window == Some(Window::Short),
    }
}

fn interactive(context: &DecisionContext, hint: Option<&ValidHint>) -> RowAnswer {
    let manual = |grounds| RowAnswer::settled(Settled::Manual, grounds);
    let Some(code) = settled_code(&context.classification) else { return manual(no_code(context)) };
    let long = hint.is_some_and(ValidHint::is_long);
    match interactive_row(code) {
        InteractiveRow::Retry | InteractiveRow::RetryWhenShort if long => manual(Grounds::HintOverAMinute),
        InteractiveRow::RetryWhenShort if !confirmed_short(context, hint) => {
            manual(Grounds::ThrottleNotShort)
        }
        InteractiveRow::Retry | InteractiveRow::RetryWhenShort => RowAnswer::fixed(Plan {
            counter: Counter::Transient,
            budget: Some(Budget::INTERACTIVE),
            reset_max_ms: None,
            exhausted: Exhausted::Manual,
            excused: false,
            at_once: Grounds::BudgetSpent,
        }),
        InteractiveRow::ShowReset => manual(Grounds::AllowanceUsedUp),
        InteractiveRow::UserAction => RowAnswer::settled(Settled::UserAction, Grounds::ActionRequired),
        InteractiveRow::OwnOwner => RowAnswer::settled(Settled::Decline, Grounds::NotAProviderFailure),
        InteractiveRow::Manual => manual(Grounds::CauseUnknown),
    }
}

fn unattended(context: &DecisionContext, hint: Option<&ValidHint>) -> RowAnswer {
    let Some(code) = settled_code(&context.classification) else { return unknown(context) };
    let long = hint.is_some_and(ValidHint::is_long);
    match unattended_row(code) {
        UnattendedRow::ShortLived
        | UnattendedRow::Throttle
        | UnattendedRow::Allowance
        | UnattendedRow::UserAction
            if context.is_pre_start() && !is_certain(context) =>
        {
            unknown(context)
        }
        UnattendedRow::ShortLived if !long => short_lived(context, code),
        UnattendedRow::Throttle if confirmed_short(context, hint) => short_lived(context, code),
        UnattendedRow::ShortLived | UnattendedRow::Throttle | UnattendedRow::Allowance => lasting(context),
        UnattendedRow::UserAction => user_action(context),
        UnattendedRow::Transport => transport(context),
        UnattendedRow::Decline => RowAnswer::settled(Settled::Decline, Grounds::NotAProviderFailure),
        UnattendedRow::Unknown => unknown(context),
    }
}

fn is_certain(context: &DecisionContext) -> bool {
    context.classification.confidence == Some(Confidence::High)
}

fn no_code(context: &DecisionContext) -> Grounds {
    match context.classification.state {
        State::NoFailure => Grounds::NothingFailed,
        State::Classified | State::Unclassified => Grounds::CauseUnknown,
    }
}

/// The candidate's policy, or the answer where it has none: nothing is implied.
fn policy(context: &DecisionContext) -> Result<ClassPolicy, RowAnswer> {
    context
        .policy
        .map(|policy| policy.policy())
        .ok_or(RowAnswer::settled(Settled::Stop, Grounds::PolicyMissing))
}

/// An unreachable network says nothing about the provider until it lasts.
fn short_lived(context: &DecisionContext, code: Code) -> RowAnswer {
    let reachable = code != Code::NetworkUnavailable;
    let health = if reachable { HealthRule::AfterShortPhase } else { HealthRule::WhenPromoted };
    under(context, Class::Transient, health)
}

fn lasting(context: &DecisionContext) -> RowAnswer {
    under(context, Class::Hard, HealthRule::UntilReset)
}

fn under(context: &DecisionContext, class: Class, health: HealthRule) -> RowAnswer {
    let answer = match policy(context) {
        Ok(policy) if class == Class::Transient => {
            RowAnswer::fixed(section_plan(&policy.transient, Counter::Transient, ParkNeed::Ladder))
        }
        Ok(policy) => RowAnswer::fixed(section_plan(&policy.hard, Counter::Hard, ParkNeed::ResetOrLadder)),
        Err(missing) => missing,
    };
    RowAnswer { health, under: Some(class), ..answer }
}

fn section_plan(rules: &ClassRules, counter: Counter, need: ParkNeed) -> Plan {
    Plan {
        counter,
        budget: rules.retry.map(|retry| Budget {
            max: retry.max_retries(),
            schedule: Schedule::Doubling { initial_s: retry.initial_interval_s().into() },
        }),
        reset_max_ms: rules.wait_for_reset.map(|wait| u64::from(wait.max_wait_s()) * 1000),
        exhausted: match rules.on_exhausted {
            OnExhausted::Skip => Exhausted::Skip(need),
            OnExhausted::Stop => Exhausted::Stop,
        },
        excused: false,
        at_once: Grounds::NoRetryConfigured,
    }
}

/// Neither a wait nor a retry, whatever the policy's `hard` section holds; only what follows is read from it.
fn user_action(context: &DecisionContext) -> RowAnswer {
    let answer = match policy(context).map(|policy| policy.hard.on_exhausted) {
        Ok(OnExhausted::Skip) => {
            RowAnswer::fixed(moving_on(ParkNeed::Action, false, Grounds::ActionRequired))
        }
        Ok(OnExhausted::Stop) => RowAnswer::settled(Settled::Stop, Grounds::ActionRequired),
        Err(missing) => missing,
    };
    RowAnswer { health: HealthRule::UntilAction, under: Some(Class::Hard), ..answer }
}

const fn moving_on(need: ParkNeed, excused: bool, at_once: Grounds) -> Plan {
    Plan {
        counter: Counter::Hard,
        budget: None,
        reset_max_ms: None,
        exhausted: Exhausted::Skip(need),
        excused,
        at_once,
    }
}

fn transport(context: &DecisionContext) -> RowAnswer {
    if !context.is_pre_start() {
        return RowAnswer::settled(Settled::Decline, Grounds::TransportLostAfterStart);
    }
    match policy(context) {
        Ok(_) => RowAnswer::fixed(Plan {
            counter: Counter::Transient,
            budget: Some(Budget::TRANSPORT),
            reset_max_ms: None,
            exhausted: Exhausted::GiveUp,
            excused: false,
            at_once: Grounds::BudgetSpent,
        }),
        Err(missing) => missing,
    }
}

fn unknown(context: &DecisionContext) -> RowAnswer {
    let grounds = no_code(context);
    if !context.is_pre_start() || grounds == Grounds::NothingFailed {
        return RowAnswer::settled(Settled::Decline, grounds);
    }
    match policy(context).map(|policy| policy.prestart_unknown) {
        Ok(PrestartUnknown::Stop) => RowAnswer::settled(Settled::Stop, Grounds::PrestartUnknown),
        Ok(PrestartUnknown::Skip) => {
            RowAnswer::fixed(moving_on(ParkNeed::OtherRoutes, true, Grounds::PrestartUnknown))
        }
        Err(missing) => missing,
    }
}
