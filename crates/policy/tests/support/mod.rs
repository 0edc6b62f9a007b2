//! Contexts to test with: everything known and safe, so that a test changes only what it is about.
#![allow(dead_code)]

use faultbook_policy::simulate::Scenario;
use faultbook_policy::{
    BuiltIn, CandidatePolicy, DecisionContext, ExecutionContext, RemainingCandidate, Route,
};
use faultbook_taxonomy::{Code, Effects, Hints, Phase};
use jiff::{SignedDuration, Timestamp};

pub(crate) const START: &str = "2026-11-30T12:00:00Z";

pub(crate) fn start() -> Timestamp {
    START.parse().unwrap()
}

pub(crate) fn after(seconds: i64) -> Timestamp {
    start() + SignedDuration::from_secs(seconds)
}

/// An offset in whole milliseconds, counted from the start.
pub(crate) fn since_start_ms(at: Timestamp) -> i128 {
    (at.as_nanosecond() - start().as_nanosecond()) / 1_000_000
}

pub(crate) fn hint_s(seconds: f64) -> Hints {
    Hints { retry_after_s: Some(seconds), ..Hints::default() }
}

pub(crate) fn route(name: &str) -> Route {
    Route {
        workspace: Some("w".to_owned()),
        profile: Some(format!("profile-{name}")),
        provider: Some(format!("provider-{name}")),
        model: Some(format!("model-{name}")),
        credential_binding: Some(format!("binding-{name}")),
    }
}

pub(crate) fn interactive(code: Code) -> DecisionContext {
    let mut context =
        Scenario::of_code(ExecutionContext::Interactive, start(), code, Hints::default()).failure;
    context.route = route("a");
    context
}

/// Candidate `a` fails under `standard`; candidate `b` is left.
pub(crate) fn unattended(code: Code) -> DecisionContext {
    let mut context = interactive(code);
    context.context = ExecutionContext::Unattended;
    context.policy = Some(CandidatePolicy::BuiltIn(BuiltIn::Standard));
    context.cycle.candidate = Some("a".to_owned());
    context.cycle.remaining = vec![RemainingCandidate { candidate: "b".to_owned(), route: route("b") }];
    context
}

pub(crate) fn alone(code: Code) -> DecisionContext {
    let mut context = unattended(code);
    context.cycle.remaining.clear();
    context
}

pub(crate) fn pre_start(mut context: DecisionContext) -> DecisionContext {
    context.phase = Some(Phase::Launch);
    context.delivery = Some(faultbook_taxonomy::Delivery::Refused);
    context.classification.effects = Effects::NONE;
    context
}

pub(crate) fn with_hint(mut context: DecisionContext, seconds: f64) -> DecisionContext {
    context.classification.hints = hint_s(seconds);
    context
}

pub(crate) fn spent(mut context: DecisionContext) -> DecisionContext {
    context.cycle.transient.retries = Some(u32::MAX);
    context.cycle.hard.retries = Some(u32::MAX);
    context
}
