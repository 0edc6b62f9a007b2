//! Everything that a decision may depend on. What is absent is unknown, and unknown never authorises work.

use faultbook_taxonomy::{Classification, Delivery, Phase};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::candidate_policy::CandidatePolicy;
use crate::code_traits::Remedy;
use crate::waits::Jitter;
use faultbook_taxonomy::words;

words! {
    /// Who is served, and so who owns recovery.
    pub enum ExecutionContext {
        /// One concrete profile, chosen and watched by a person.
        Interactive = "interactive",
        /// An ordered list of candidates that the user configured beforehand.
        Unattended = "unattended",
    }
}

/// The names of the route that failed, as the host spells them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Route {
    /// The workspace.
    pub workspace: Option<String>,
    /// The agent profile.
    pub profile: Option<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The opaque credential binding, see [`crate::binding`].
    pub credential_binding: Option<String>,
}

/// Where the evidence comes from, as its envelope says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Correlation {
    /// The session.
    pub session: Option<String>,
    /// The execution: one run of the agent's process.
    pub execution: Option<String>,
    /// The prompt generation.
    pub generation: Option<u64>,
    /// Whether it is of the turn in the foreground.
    pub foreground: Option<bool>,
}

/// What is active now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Current {
    /// The active session.
    pub session: Option<String>,
    /// The active execution.
    pub execution: Option<String>,
    /// The active prompt generation.
    pub generation: Option<u64>,
    /// Whether the host was restarted since the evidence was made: then executions are not compared.
    pub restarted: Option<bool>,
}

/// What one class has used up for this candidate in this route cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Used {
    /// Retries made, not counting the one attempt after a reset wait. Unknown counts as all of them.
    pub retries: Option<u32>,
    /// Whether the reset wait was used. Unknown counts as used.
    pub reset_wait: Option<bool>,
}

impl Used {
    /// Nothing used yet.
    pub const NOTHING: Self = Self { retries: Some(0), reset_wait: Some(false) };
}

/// A candidate that may take over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemainingCandidate {
    /// The candidate's name.
    pub candidate: String,
    /// Its route. One that shares the resource which the failure degrades is passed over.
    #[serde(default)]
    pub route: Route,
}

/// Another route of the run that waits for capacity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitingRoute {
    /// The candidate's name.
    pub candidate: String,
    /// When its resource may be tried again, in UTC.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub wake_at: Option<Timestamp>,
}

/// A route of the run that needs a person.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionRoute {
    /// The candidate's name.
    pub candidate: String,
    /// What the person can do.
    #[serde(default)]
    pub remedy: Option<Remedy>,
}

/// Where the run stands in its walk over the candidates. An interactive session uses `transient` alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RouteCycle {
    /// The candidate that failed.
    pub candidate: Option<String>,
    /// What class `transient` has used; transport losses and interactive retries count here.
    pub transient: Used,
    /// What class `hard` has used.
    pub hard: Used,
    /// The candidates that this cycle has excluded already.
    pub excluded: Vec<String>,
    /// The eligible candidates that are left, in the user's order.
    pub remaining: Vec<RemainingCandidate>,
    /// The run's other routes that wait for capacity.
    pub waiting: Vec<WaitingRoute>,
    /// The run's other routes that need a person.
    pub action_required: Vec<ActionRoute>,
}

impl RouteCycle {
    /// A cycle that has used nothing and knows no other candidate.
    #[must_use]
    pub fn fresh() -> Self {
        Self { transient: Used::NOTHING, hard: Used::NOTHING, ..Self::default() }
    }

    /// The candidates that may take over: not the one that failed, and none that is excluded.
    pub(crate) fn others(&self) -> impl Iterator<Item = &RemainingCandidate> {
        self.remaining.iter().filter(|other| {
            Some(&other.candidate) != self.candidate.as_ref() && !self.excluded.contains(&other.candidate)
        })
    }
}

/// The whole input of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionContext {
    /// Who is served.
    pub context: ExecutionContext,
    /// The present, in UTC.
    #[schemars(with = "String")]
    pub now: Timestamp,
    /// The drawn jitter.
    #[serde(default)]
    pub jitter: Jitter,
    /// When the evidence was made; relative hints count from here.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub observed_at: Option<Timestamp>,
    /// The route that failed.
    #[serde(default)]
    pub route: Route,
    /// The candidate's policy. Unattended work without one is never automatic. Interactive sessions ignore it.
    #[serde(default)]
    pub policy: Option<CandidatePolicy>,
    /// The walk over the candidates.
    #[serde(default)]
    pub cycle: RouteCycle,
    /// How often the resource was degraded in a row before: its step on the health ladder.
    #[serde(default)]
    pub health_step: u32,
    /// Where the evidence comes from.
    #[serde(default)]
    pub evidence: Correlation,
    /// What is active now.
    #[serde(default)]
    pub current: Current,
    /// Whether a continuation package is built and stored. It counts in unattended runs only.
    #[serde(default)]
    pub continuation_package: Option<bool>,
    /// Where in its life the agent was. Unknown counts as after the start.
    #[serde(default)]
    pub phase: Option<Phase>,
    /// Whether the prompt arrived. Unknown counts as ambiguous.
    #[serde(default)]
    pub delivery: Option<Delivery>,
    /// What went wrong, with the effects that remain and the hints.
    pub classification: Classification,
}

impl DecisionContext {
    /// A context in which everything but these three is unknown, and which so authorises nothing.
    #[must_use]
    pub fn new(context: ExecutionContext, now: Timestamp, classification: Classification) -> Self {
        Self {
            context,
            now,
            jitter: Jitter::NONE,
            observed_at: None,
            route: Route::default(),
            policy: None,
            cycle: RouteCycle::default(),
            health_step: 0,
            evidence: Correlation::default(),
            current: Current::default(),
            continuation_package: None,
            phase: None,
            delivery: None,
            classification,
        }
    }

    /// Whether it is known that no prompt could have been worked on yet.
    #[must_use]
    pub fn is_pre_start(&self) -> bool {
        self.phase.is_some_and(Phase::is_pre_start)
    }
}
