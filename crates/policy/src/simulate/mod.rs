//! The whole timeline that a failure would take under a policy: attempts, waits, deadlines, degraded resources
//! and the outcome. Pure: time passes only in the result.

mod render;
mod run;

use faultbook_taxonomy::{
    CLASSIFICATION_SCHEMA, Classification, Code, Confidence, Delivery, Effects, Hints, Phase, Reason, State,
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::candidate_policy::CandidatePolicy;
use crate::code_traits::default_scope;
use crate::context::{DecisionContext, ExecutionContext, Route, RouteCycle};
use crate::decision::Decision;
use faultbook_taxonomy::words;

pub use render::render;
pub use run::simulate;

/// The schema name that every timeline carries.
pub const TIMELINE_SCHEMA: &str = "faultbook.timeline/1";
/// The most steps that a timeline holds; one that needs more is cut.
pub const MAX_STEPS: usize = 2000;
/// After this time a parked run is given up to a person, unless the scenario says otherwise: 7 days in seconds.
pub const DEFAULT_HORIZON_S: u64 = 7 * 24 * 3600;

/// One candidate of a simulated run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioCandidate {
    /// Its name.
    pub name: String,
    /// Its route.
    #[serde(default)]
    pub route: Route,
    /// Its policy.
    #[serde(default)]
    pub policy: Option<CandidatePolicy>,
    /// Whether it meets the failure too; one that does not succeeds at once.
    #[serde(default = "meets_it")]
    pub fails: bool,
}

const fn meets_it() -> bool {
    true
}

const fn default_horizon() -> u64 {
    DEFAULT_HORIZON_S
}

/// What is simulated: a failure that every attempt meets, until it recovers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The failure as it is first seen. Its `now` is the start and its `jitter` holds for every wait.
    pub failure: DecisionContext,
    /// The candidates in the user's order; the failure begins at the first. Empty: the failure's own route alone.
    #[serde(default)]
    pub candidates: Vec<ScenarioCandidate>,
    /// From when on attempts succeed; never where it is absent.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub recovers_at: Option<Timestamp>,
    /// How long a run may be parked, in seconds, counted from its first park.
    #[serde(default = "default_horizon")]
    pub horizon_s: u64,
}

impl Scenario {
    /// A failure of a code at its plainest: certain, of the current prompt, acknowledged, without effects. Add
    /// candidates, hints or effects to see what they change.
    #[must_use]
    pub fn of_code(context: ExecutionContext, now: Timestamp, code: Code, hints: Hints) -> Self {
        let mut classification = Classification::unclassified(None, Reason::None, String::new());
        classification.schema = CLASSIFICATION_SCHEMA.to_owned();
        classification.state = State::Classified;
        classification.reason = None;
        classification.code = Some(code);
        classification.class = code.class();
        classification.confidence = Some(Confidence::High);
        classification.scope = Some(default_scope(code));
        classification.hints = hints;
        Self::plain(context, now, classification)
    }

    /// A classification at its plainest: of the current prompt, acknowledged, without effects.
    #[must_use]
    pub fn plain(context: ExecutionContext, now: Timestamp, mut classification: Classification) -> Self {
        classification.effects = Effects::NONE;
        let mut failure = DecisionContext::new(context, now, classification);
        failure.evidence.session = Some("session".to_owned());
        failure.evidence.execution = Some("execution".to_owned());
        failure.evidence.generation = Some(1);
        failure.evidence.foreground = Some(true);
        failure.current.session.clone_from(&failure.evidence.session);
        failure.current.execution.clone_from(&failure.evidence.execution);
        failure.current.generation = failure.evidence.generation;
        failure.phase = Some(Phase::PromptSend);
        failure.delivery = Some(Delivery::Acknowledged);
        failure.cycle = RouteCycle::fresh();
        Self { failure, candidates: Vec::new(), recovers_at: None, horizon_s: DEFAULT_HORIZON_S }
    }
}

words! {
    /// What led to an attempt.
    pub enum Trigger {
        /// The attempt that failed first.
        First = "first",
        /// A retry on the same route.
        Retry = "retry",
        /// The one attempt after a reset wait.
        AfterReset = "after_reset",
        /// Another candidate took over.
        Switch = "switch",
        /// A parked run woke; a new route cycle began.
        Wake = "wake",
    }
}

/// One attempt, and what was decided when it failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// When, in UTC.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The route cycle, from 1.
    pub cycle: u32,
    /// The candidate.
    pub candidate: String,
    /// What led to it.
    pub trigger: Trigger,
    /// The decision; null where the attempt succeeded.
    pub decision: Option<Decision>,
}

words! {
    /// How a timeline ends.
    pub enum TimelineEnd {
        /// An attempt succeeded.
        Recovered = "recovered",
        /// The run ends in `stopped{manual}`.
        Stopped = "stopped",
        /// A person decides.
        Manual = "manual",
        /// A person has to act.
        UserAction = "user_action",
        /// The run is parked until a person acts.
        Blocked = "blocked",
        /// The candidate is given up for this run.
        CandidateGivenUp = "candidate_given_up",
        /// Left to the failure's own owner or the host.
        Declined = "declined",
        /// The run was parked for too long and is given up to a person.
        HorizonPassed = "horizon_passed",
        /// The timeline has more steps than are simulated.
        Cut = "cut",
    }
}

/// A simulated timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timeline {
    /// `faultbook.timeline/1`.
    pub schema: String,
    /// When the failure was first seen, in UTC.
    #[schemars(with = "String")]
    pub start: Timestamp,
    /// The attempts in order, at most [`MAX_STEPS`].
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: TimelineEnd,
    /// When it ends, in UTC.
    #[schemars(with = "String")]
    pub ends_at: Timestamp,
}
