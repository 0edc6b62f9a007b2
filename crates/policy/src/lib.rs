//! From a classification to a decision: exhaustive tables, safety gate, class-policy documents, evaluator.
//!
//! The crate knows codes and classes, never a provider's name or words. It does no I/O, reads no clock (the
//! present and the drawn jitter are values in [`DecisionContext`]) and keeps no state.
//!
//! ```
//! use faultbook_policy::{ActionKind, DecisionContext, ExecutionContext, decide};
//! use faultbook_taxonomy::{Classification, Reason};
//!
//! let answer = Classification::unclassified(None, Reason::None, "sha256:…".to_owned());
//! let now = "2026-11-30T12:00:00Z".parse()?;
//! let decision = decide(&DecisionContext::new(ExecutionContext::Interactive, now, answer));
//! assert_eq!(decision.action.kind(), ActionKind::Manual);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod binding;
mod candidate_policy;
mod class_policy;
mod code_traits;
mod context;
mod decision;
pub mod diagnostics;
mod document;
mod evaluate;
mod gate;
mod legacy;
mod park;
mod read;
mod resource;
mod rows;
pub mod schemas;
mod sentence;
pub mod simulate;
mod waits;

pub use candidate_policy::{BuiltIn, CandidatePolicy};
pub use class_policy::{
    ClassPolicy, ClassRules, MAX_INITIAL_INTERVAL_S, MAX_RESET_WAIT_S, MAX_RETRIES, OnExhausted,
    POLICY_VERSION, PrestartUnknown, ResetWait, RetryRule,
};
pub use code_traits::{
    Fallback, InteractiveRow, Owner, Remedy, UnattendedRow, default_scope, fallback, interactive_row, owner,
    remedy, unattended_row,
};
pub use context::{
    ActionRoute, Correlation, Current, DecisionContext, ExecutionContext, RemainingCandidate, Route,
    RouteCycle, Used, WaitingRoute,
};
pub use decision::{
    Action, ActionKind, DECISION_SCHEMA, Decision, Degradation, DegradedUntil, Grounds, Park, ParkStatus,
};
pub use document::{ClassSection, FieldProblem, InvalidPolicy, PolicyDocument, ResetSection, RetrySection};
pub use evaluate::decide;
pub use gate::{Condition, DispatchMode, GateResult, Refusal};
pub use legacy::{LegacyAction, LegacyActionMap};
pub use read::{PolicyFile, PolicyForm, read_policy};
pub use resource::{CooldownKey, Resource, health_scope};
pub use rows::{INTERACTIVE_SCHEDULE_S, TRANSPORT_INITIAL_S, TRANSPORT_RETRIES};
pub use waits::{
    HEALTH_LADDER_MINUTES, Jitter, MAX_RETRY_DELAY_MS, SHORT_HINT_MS, SetBy, ValidHint, Wait, ladder_step_ms,
};
