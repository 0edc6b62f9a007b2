//! What is to be done about a failure, with everything that explains it.

use faultbook_taxonomy::{Class, Code, Confidence, RuleReference, State};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_traits::{Owner, Remedy};
use crate::context::{ActionRoute, ExecutionContext, WaitingRoute};
use crate::gate::{DispatchMode, GateResult};
use crate::resource::{CooldownKey, Resource};
use crate::waits::{ValidHint, Wait};
use faultbook_taxonomy::words;

/// The schema name that every decision carries.
pub const DECISION_SCHEMA: &str = "faultbook.decision/1";

words! {
    /// What an action is, without its details.
    pub enum ActionKind {
        /// The same route again, after a short delay.
        Retry = "retry",
        /// The same route again, after the provider's stated reset.
        WaitForReset = "wait_for_reset",
        /// The next configured candidate.
        NextCandidate = "next_candidate",
        /// The run rests until capacity returns or a person acts.
        Park = "park",
        /// The candidate is given up for this run; no other takes over.
        GiveUpCandidate = "give_up_candidate",
        /// The run ends in `stopped{manual}`.
        Stop = "stop",
        /// A person decides.
        Manual = "manual",
        /// A person has to act; the remedy says how.
        UserAction = "user_action",
        /// Not for this evaluator: the failure's own owner, or the host's generic handling.
        Decline = "decline",
    }
}

words! {
    /// What a parked run waits for.
    pub enum ParkStatus {
        /// Capacity. The run wakes by time.
        WaitingForProviderCapacity = "waiting_for_provider_capacity",
        /// A person. The run has no timed wake.
        BlockedProviderActionRequired = "blocked_provider_action_required",
    }
}

words! {
    /// Why this action and no other.
    pub enum Grounds {
        /// The retry budget is not spent.
        BudgetLeft = "budget_left",
        /// The stated reset lies within the configured wait.
        ResetWithinWait = "reset_within_wait",
        /// All retries are used.
        BudgetSpent = "budget_spent",
        /// The policy configures no retry for this class.
        NoRetryConfigured = "no_retry_configured",
        /// The stated wait is longer than any retry may wait.
        HintBeyondRetry = "hint_beyond_retry",
        /// The stated wait is over a minute.
        HintOverAMinute = "hint_over_a_minute",
        /// Nothing confirms that the throttle is short.
        ThrottleNotShort = "throttle_not_short",
        /// A renewable allowance is used up.
        AllowanceUsedUp = "allowance_used_up",
        /// Only a person can put it right.
        ActionRequired = "action_required",
        /// The provider is not the cause.
        NotAProviderFailure = "not_a_provider_failure",
        /// The cause is not known.
        CauseUnknown = "cause_unknown",
        /// The pipe died after the start.
        TransportLostAfterStart = "transport_lost_after_start",
        /// The policy's `prestart_unknown` decides.
        PrestartUnknown = "prestart_unknown",
        /// The safety gate is closed.
        GateRefused = "gate_refused",
        /// The candidate names no policy.
        PolicyMissing = "policy_missing",
        /// The turn completed.
        NothingFailed = "nothing_failed",
    }
}

/// A parked run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Park {
    /// What it waits for.
    pub status: ParkStatus,
    /// When it wakes; none where a person has to act first.
    pub wake: Option<Wait>,
    /// How it has to be dispatched when it wakes.
    pub dispatch: DispatchMode,
    /// The routes that wait for capacity.
    pub waiting: Vec<WaitingRoute>,
    /// The routes that need a person.
    pub action_required: Vec<ActionRoute>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// The same route again, after a short delay.
    Retry {
        /// The number of this retry, from 1.
        attempt: u32,
        /// How many retries the budget holds.
        max_attempts: u32,
        /// The delay.
        wait: Wait,
        /// How it has to be dispatched.
        dispatch: DispatchMode,
    },
    /// The same route again, after the provider's stated reset. It uses no retry.
    WaitForReset {
        /// The delay.
        wait: Wait,
        /// How it has to be dispatched.
        dispatch: DispatchMode,
    },
    /// The next configured candidate, at once.
    NextCandidate {
        /// Its name.
        candidate: String,
        /// How it has to be dispatched.
        dispatch: DispatchMode,
    },
    /// The run rests.
    Park(Park),
    /// The candidate is given up for this run; no other takes over.
    GiveUpCandidate,
    /// The run ends in `stopped{manual}`.
    Stop,
    /// A person decides.
    Manual,
    /// A person has to act.
    UserAction,
    /// Not for this evaluator.
    Decline,
}

impl Action {
    /// The action without its details.
    #[must_use]
    pub const fn kind(&self) -> ActionKind {
        match self {
            Self::Retry { .. } => ActionKind::Retry,
            Self::WaitForReset { .. } => ActionKind::WaitForReset,
            Self::NextCandidate { .. } => ActionKind::NextCandidate,
            Self::Park(_) => ActionKind::Park,
            Self::GiveUpCandidate => ActionKind::GiveUpCandidate,
            Self::Stop => ActionKind::Stop,
            Self::Manual => ActionKind::Manual,
            Self::UserAction => ActionKind::UserAction,
            Self::Decline => ActionKind::Decline,
        }
    }

    /// The delay, where there is one.
    #[must_use]
    pub const fn wait(&self) -> Option<&Wait> {
        match self {
            Self::Retry { wait, .. } | Self::WaitForReset { wait, .. } => Some(wait),
            Self::Park(park) => park.wake.as_ref(),
            Self::NextCandidate { .. }
            | Self::GiveUpCandidate
            | Self::Stop
            | Self::Manual
            | Self::UserAction
            | Self::Decline => None,
        }
    }

    /// How the next dispatch has to be made, where one may follow.
    #[must_use]
    pub const fn dispatch(&self) -> Option<DispatchMode> {
        match self {
            Self::Retry { dispatch, .. }
            | Self::WaitForReset { dispatch, .. }
            | Self::NextCandidate { dispatch, .. } => Some(*dispatch),
            Self::Park(park) => Some(park.dispatch),
            Self::GiveUpCandidate | Self::Stop | Self::Manual | Self::UserAction | Self::Decline => None,
        }
    }
}

/// How long a resource stays degraded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "until", rename_all = "snake_case")]
pub enum DegradedUntil {
    /// Until an instant.
    Deadline {
        /// The wait.
        wait: Wait,
    },
    /// Until a person acts.
    ActionRequired,
}

/// A resource that the failure makes unusable for a while.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Degradation {
    /// What is degraded.
    pub resource: Resource,
    /// For how long.
    #[serde(flatten)]
    pub until: DegradedUntil,
}

/// A decision. It serialises to JSON, and [`std::fmt::Display`] says it in one sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// `faultbook.decision/1`.
    pub schema: String,
    /// Who is served.
    pub context: ExecutionContext,
    /// The classification's state.
    pub state: State,
    /// What went wrong, where it is known.
    pub code: Option<Code>,
    /// The code's class.
    pub class: Class,
    /// How sure the classification is.
    pub confidence: Option<Confidence>,
    /// The rule that it came from.
    pub rule: Option<RuleReference>,
    /// The catalogue's version: its digest.
    pub catalogue: String,
    /// The candidate's policy: `standard`, `immediate` or `document`; null in an interactive session.
    pub policy: Option<String>,
    /// The class whose section of the policy counted; it may differ from the code's.
    pub evaluated_under: Option<Class>,
    /// What the gate said.
    pub gate: GateResult,
    /// What is to be done.
    pub action: Action,
    /// Why.
    pub grounds: Grounds,
    /// The exact instant at which the action is due, in UTC; null where none is.
    #[schemars(with = "Option<String>")]
    pub deadline: Option<Timestamp>,
    /// The hint that was valid at `now`; shown even where nothing is done by it.
    pub hint: Option<ValidHint>,
    /// The candidate that is excluded for this route cycle.
    pub excludes: Option<String>,
    /// The resource that is degraded.
    pub degraded: Option<Degradation>,
    /// The shared cooldown that an unattended retry runs under.
    pub cooldown: Option<CooldownKey>,
    /// What follows if the dispatch on this route fails the same way; null where there is none.
    pub pending: Option<ActionKind>,
    /// What a person can do.
    pub remedy: Option<Remedy>,
    /// Who deals with a failure that is not the provider's.
    pub owner: Option<Owner>,
}
