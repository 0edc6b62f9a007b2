//! The order of the evaluation, budgets, waits and hints under documents of every kind.
#![allow(clippy::unwrap_used)]

mod support;

use faultbook_policy::{
    Action, ActionKind, CandidatePolicy, ClassPolicy, ClassRules, DecisionContext, DegradedUntil, Grounds,
    Jitter, OnExhausted, PrestartUnknown, ResetWait, RetryRule, SetBy, ValidHint, decide,
};
use faultbook_taxonomy::{Class, Code, Hints};
use jiff::Timestamp;

use support::{after, alone, start, unattended, with_hint};

fn document(hard: ClassRules) -> Option<CandidatePolicy> {
    let transient = ClassPolicy::standard().transient;
    Some(CandidatePolicy::Document(ClassPolicy { prestart_unknown: PrestartUnknown::Stop, transient, hard }))
}

fn rules(retry: Option<(u32, u32)>, max_wait_s: Option<u32>, on_exhausted: OnExhausted) -> ClassRules {
    ClassRules {
        retry: retry.map(|(max, initial)| RetryRule::new(max, initial).unwrap()),
        wait_for_reset: max_wait_s.map(|seconds| ResetWait::new(seconds).unwrap()),
        on_exhausted,
    }
}

fn quota(hard: ClassRules, hint_s: f64) -> DecisionContext {
    let mut context = with_hint(unattended(Code::QuotaLimited), hint_s);
    context.policy = document(hard);
    context
}

#[test]
fn a_reset_wait_comes_first_and_uses_no_retry() {
    let mut context = quota(rules(Some((2, 5)), Some(7200), OnExhausted::Skip), 7200.0);
    let decision = decide(&context);
    assert_eq!(
        (decision.action.kind(), decision.grounds),
        (ActionKind::WaitForReset, Grounds::ResetWithinWait)
    );
    assert_eq!(decision.deadline, Some(after(7200)));
    assert_eq!(decision.pending, Some(ActionKind::Retry));
    let DegradedUntil::Deadline { wait } = decision.degraded.unwrap().until else { panic!("a deadline") };
    assert_eq!((wait.until, wait.set_by), (after(7200), SetBy::Hint));

    context.cycle.hard.reset_wait = Some(true);
    let retry = decide(&context);
    assert!(matches!(retry.action, Action::Retry { attempt: 1, max_attempts: 2, .. }));
    assert_eq!(retry.deadline, Some(after(7200)), "nobody fires before the hint");
    assert_eq!(retry.degraded, None);
    context.cycle.hard.retries = Some(2);
    assert_eq!(decide(&context).grounds, Grounds::BudgetSpent);
}

#[test]
fn a_reset_wait_needs_a_hint_between_a_minute_and_its_maximum() {
    let kind = |hint_s| decide(&quota(rules(None, Some(600), OnExhausted::Skip), hint_s)).action.kind();
    assert_eq!(kind(60.0), ActionKind::NextCandidate);
    assert_eq!(kind(60.001), ActionKind::WaitForReset);
    assert_eq!(kind(600.0), ActionKind::WaitForReset);
    assert_eq!(kind(600.001), ActionKind::NextCandidate, "a wait beyond the maximum is not shortened");
    assert_eq!(kind(0.0), ActionKind::NextCandidate);
}

#[test]
fn an_unknown_use_counts_as_used() {
    let mut context = quota(rules(Some((2, 5)), Some(600), OnExhausted::Skip), 300.0);
    context.cycle.hard.reset_wait = None;
    assert_eq!(decide(&context).action.kind(), ActionKind::Retry);
    context.cycle.hard.retries = None;
    assert_eq!(decide(&context).grounds, Grounds::BudgetSpent);
}

#[test]
fn the_classes_have_budgets_of_their_own() {
    let mut context = quota(rules(Some((2, 5)), Some(600), OnExhausted::Skip), 30.0);
    context.cycle.transient.retries = Some(9);
    context.cycle.transient.reset_wait = Some(true);
    assert_eq!(decide(&context).action.kind(), ActionKind::Retry);
    let mut context = unattended(Code::ProviderUnavailable);
    context.cycle.hard.retries = Some(9);
    assert_eq!(decide(&context).action.kind(), ActionKind::Retry);
}

#[test]
fn a_short_hint_is_a_lower_bound_of_the_retry() {
    let wait = |hint_s| {
        let decision = decide(&quota(rules(Some((2, 20)), None, OnExhausted::Skip), hint_s));
        let wait = *decision.action.wait().unwrap();
        (wait.delay_ms, wait.set_by)
    };
    assert_eq!(wait(10.0), (20_000, SetBy::Schedule));
    assert_eq!(wait(20.0), (20_000, SetBy::Schedule));
    assert_eq!(wait(45.5), (45_500, SetBy::Hint));
}

#[test]
fn retries_double_and_are_capped_at_a_day_after_jitter() {
    let delay = |retries, jitter| {
        let mut context = quota(rules(Some((10, 3600)), None, OnExhausted::Stop), 0.0);
        context.cycle.hard.retries = Some(retries);
        context.jitter = jitter;
        let wait = *decide(&context).action.wait().unwrap();
        (wait.nominal_ms / 1000, wait.delay_ms / 1000)
    };
    assert_eq!(delay(0, Jitter::NONE), (3600, 3600));
    assert_eq!(delay(1, Jitter::FULL), (7200, 8640));
    assert_eq!(delay(4, Jitter::FULL), (57_600, 69_120));
    assert_eq!(delay(5, Jitter::NONE), (86_400, 86_400));
    assert_eq!(delay(9, Jitter::FULL), (86_400, 86_400));
}

#[test]
fn a_hint_beyond_a_day_is_never_cut_down_to_a_retry() {
    let kind = |hint_s| {
        let decision = decide(&quota(rules(Some((2, 5)), None, OnExhausted::Stop), hint_s));
        (decision.action.kind(), decision.grounds)
    };
    assert_eq!(kind(86_400.0), (ActionKind::Retry, Grounds::BudgetLeft));
    assert_eq!(kind(86_400.001), (ActionKind::Stop, Grounds::HintBeyondRetry));
}

#[test]
fn a_reset_wait_ends_by_its_maximum_even_with_jitter() {
    let until = |hint_s, jitter| {
        let mut context = quota(rules(None, Some(1000), OnExhausted::Skip), hint_s);
        context.jitter = jitter;
        let wait = *decide(&context).action.wait().unwrap();
        (wait.jitter_ms, wait.delay_ms)
    };
    assert_eq!(until(500.0, Jitter::FULL), (100_000, 600_000));
    assert_eq!(until(900.0, Jitter::FULL), (180_000, 1_000_000));
    assert_eq!(until(1000.0, Jitter::FULL), (200_000, 1_000_000));
    let mut week = quota(rules(None, Some(604_800), OnExhausted::Skip), 86_400.0);
    week.jitter = Jitter::FULL;
    assert_eq!(decide(&week).action.wait().unwrap().jitter_ms, 300_000);
}

#[test]
fn stop_ends_the_run_and_degrades_all_the_same() {
    let decision = decide(&quota(rules(None, None, OnExhausted::Stop), 0.0));
    assert_eq!((decision.action, decision.grounds), (Action::Stop, Grounds::NoRetryConfigured));
    assert!(decision.degraded.is_some());
    assert_eq!(decision.excludes, None);
}

#[test]
fn the_wait_of_the_transient_section_never_takes_place() {
    let mut context = with_hint(alone(Code::RateLimited), 300.0);
    let transient = rules(None, Some(600), OnExhausted::Skip);
    let policy = ClassPolicy { transient, ..ClassPolicy::standard() };
    context.policy = Some(CandidatePolicy::Document(policy));
    let decision = decide(&context);
    assert_eq!((decision.action.kind(), decision.evaluated_under), (ActionKind::Park, Some(Class::Hard)));
}

#[test]
fn past_and_broken_hints_are_ignored() {
    let read =
        |hints: &Hints, observed| ValidHint::read(hints, observed, start()).map(|hint| hint.remaining_ms);
    let relative = |seconds| Hints { retry_after_s: Some(seconds), ..Hints::default() };
    let absolute = |at| Hints { reset_at: Some(at), ..Hints::default() };
    for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0] {
        assert_eq!(read(&relative(broken), None), None);
    }
    assert_eq!(read(&relative(10.0), Some(after(-10))), None);
    assert_eq!(read(&relative(10.0), Some(after(-9))), Some(1000));
    assert_eq!(read(&relative(10.0), None), Some(10_000), "unknown evidence time counts from now");
    assert_eq!(read(&relative(0.0001), None), Some(1), "rounded up");
    assert_eq!(read(&absolute(after(-1)), None), None);
    assert_eq!(read(&absolute(start()), None), None);
    assert_eq!(read(&absolute(after(90)), None), Some(90_000));
    let both = Hints { reset_at: Some(after(90)), ..relative(30.0) };
    assert_eq!(read(&both, None), Some(90_000), "the later counts");
    let both = Hints { reset_at: Some(after(-90)), ..relative(30.0) };
    assert_eq!(read(&both, None), Some(30_000));
    let forever = ValidHint::read(&relative(f64::MAX), None, start()).unwrap();
    assert_eq!(forever.at, Timestamp::MAX);
}

#[test]
fn nothing_overflows_at_the_ends_of_time() {
    for now in [Timestamp::MIN, Timestamp::MAX] {
        for hint_s in [0.0, 61.0, f64::MAX] {
            let mut context = quota(rules(Some((10, 3600)), Some(604_800), OnExhausted::Skip), hint_s);
            context.cycle.remaining.clear();
            context.cycle.hard.retries = Some(u32::MAX);
            context.health_step = u32::MAX;
            context.jitter = Jitter::FULL;
            context.now = now;
            let decision = decide(&context);
            assert!(decision.deadline.is_none_or(|deadline| deadline >= now));
        }
    }
}

#[test]
fn jitter_lies_between_0_and_1() {
    assert_eq!(Jitter::new(0.0), Some(Jitter::NONE));
    assert_eq!(Jitter::new(1.0), Some(Jitter::FULL));
    for outside in [-0.1, 1.1, f64::NAN] {
        assert_eq!(Jitter::new(outside), None);
    }
    assert_eq!(serde_json::from_str::<Jitter>("0.25").unwrap(), Jitter::new(0.25).unwrap());
    assert_eq!(serde_json::to_string(&Jitter::new(0.25).unwrap()).unwrap(), "0.25");
    let error = serde_json::from_str::<Jitter>("2").unwrap_err().to_string();
    assert!(error.contains("between 0 and 1, not 2"), "{error}");
}

#[test]
fn a_decision_names_what_it_rests_on() {
    let mut context = unattended(Code::ProviderUnavailable);
    context.classification.catalogue = "sha256:abc".to_owned();
    let decision = decide(&context);
    assert_eq!(decision.schema, "faultbook.decision/1");
    assert_eq!(decision.catalogue, "sha256:abc");
    assert_eq!(decision.policy.as_deref(), Some("standard"));
    context.policy = document(rules(None, None, OnExhausted::Stop));
    assert_eq!(decide(&context).policy.as_deref(), Some("document"));
    context.context = faultbook_policy::ExecutionContext::Interactive;
    assert_eq!(decide(&context).policy, None);
}

#[test]
fn a_context_survives_json_and_what_is_absent_is_unknown() {
    let context = quota(rules(Some((2, 5)), Some(600), OnExhausted::Skip), 30.0);
    let json = serde_json::to_value(&context).unwrap();
    assert_eq!(serde_json::from_value::<DecisionContext>(json.clone()).unwrap(), context);
    let bare = serde_json::json!({
        "context": "unattended", "now": "2026-11-30T12:00:00Z", "classification": json["classification"],
    });
    let bare: DecisionContext = serde_json::from_value(bare).unwrap();
    assert_eq!(bare, DecisionContext::new(context.context, context.now, context.classification));
    assert_eq!(decide(&bare).action, Action::Stop);
}
