//! Timelines against ones that were computed by hand.
#![allow(clippy::unwrap_used)]

mod support;

use faultbook_policy::simulate::{
    MAX_STEPS, Scenario, ScenarioCandidate, TimelineEnd, Trigger, render, simulate,
};
use faultbook_policy::{
    BuiltIn, CandidatePolicy, ClassPolicy, ClassRules, ExecutionContext, Jitter, OnExhausted,
    PrestartUnknown, ResetWait, RetryRule,
};
use faultbook_taxonomy::{Code, Hints};

use support::{after, hint_s, route, since_start_ms, start};

fn scenario(context: ExecutionContext, code: Code, names: &[&str]) -> Scenario {
    let mut scenario = Scenario::of_code(context, start(), code, Hints::default());
    scenario.failure.policy = Some(CandidatePolicy::BuiltIn(BuiltIn::Standard));
    scenario.candidates = names
        .iter()
        .map(|name| ScenarioCandidate {
            name: (*name).to_owned(),
            route: route(name),
            policy: Some(CandidatePolicy::BuiltIn(BuiltIn::Standard)),
            fails: true,
        })
        .collect();
    scenario
}

fn unattended(code: Code, names: &[&str]) -> Scenario {
    scenario(ExecutionContext::Unattended, code, names)
}

/// Each step as (second, candidate, trigger), and the end.
fn walk(scenario: &Scenario) -> (Vec<(i128, String, Trigger)>, TimelineEnd) {
    let timeline = simulate(scenario);
    let steps = timeline
        .steps
        .iter()
        .map(|step| (since_start_ms(step.at) / 1000, step.candidate.clone(), step.trigger))
        .collect();
    (steps, timeline.end)
}

fn steps(expected: &[(i128, &str, Trigger)]) -> Vec<(i128, String, Trigger)> {
    expected.iter().map(|(at, name, trigger)| (*at, (*name).to_owned(), *trigger)).collect()
}

#[test]
fn an_interactive_failure_is_tried_five_times_more() {
    let expected = steps(&[
        (0, "a", Trigger::First),
        (5, "a", Trigger::Retry),
        (15, "a", Trigger::Retry),
        (35, "a", Trigger::Retry),
        (75, "a", Trigger::Retry),
        (135, "a", Trigger::Retry),
    ]);
    let scenario = scenario(ExecutionContext::Interactive, Code::ProviderOverloaded, &["a"]);
    assert_eq!(walk(&scenario), (expected, TimelineEnd::Manual));
    assert_eq!(simulate(&scenario).ends_at, after(135));
}

#[test]
fn recovery_ends_the_timeline() {
    let mut scenario = scenario(ExecutionContext::Interactive, Code::ProviderOverloaded, &["a"]);
    scenario.recovers_at = Some(after(15));
    let expected = steps(&[(0, "a", Trigger::First), (5, "a", Trigger::Retry), (15, "a", Trigger::Retry)]);
    assert_eq!(walk(&scenario), (expected, TimelineEnd::Recovered));
    scenario.recovers_at = Some(after(-5));
    assert_eq!(walk(&scenario).0.len(), 2, "the first failure has happened");
}

#[test]
fn an_unattended_run_retries_switches_and_recovers_on_the_next() {
    let mut scenario = unattended(Code::ProviderUnavailable, &["a", "b"]);
    scenario.candidates[1].fails = false;
    let expected = steps(&[
        (0, "a", Trigger::First),
        (5, "a", Trigger::Retry),
        (15, "a", Trigger::Retry),
        (35, "a", Trigger::Retry),
        (35, "b", Trigger::Switch),
    ]);
    assert_eq!(walk(&scenario), (expected, TimelineEnd::Recovered));
}

#[test]
fn a_run_parks_wakes_by_the_ladder_and_starts_anew() {
    let mut scenario = unattended(Code::ProviderUnavailable, &["a"]);
    // Each cycle takes 35 s; the rests are 2, 5, 10, 20 and 60 minutes.
    scenario.recovers_at = Some(after(155 + 335 + 635 + 1235));
    let wakes: Vec<_> = walk(&scenario).0.into_iter().filter(|step| step.2 == Trigger::Wake).collect();
    let expected = steps(&[
        (155, "a", Trigger::Wake),
        (155 + 335, "a", Trigger::Wake),
        (155 + 335 + 635, "a", Trigger::Wake),
        (155 + 335 + 635 + 1235, "a", Trigger::Wake),
    ]);
    assert_eq!(wakes, expected);
    let timeline = simulate(&scenario);
    assert_eq!((timeline.end, timeline.steps.last().unwrap().cycle), (TimelineEnd::Recovered, 5));
}

#[test]
fn two_candidates_are_tried_before_the_run_parks_for_the_first_to_return() {
    let mut scenario = unattended(Code::ProviderUnavailable, &["a", "b"]);
    scenario.recovers_at = Some(after(155));
    let (walked, end) = walk(&scenario);
    assert_eq!(end, TimelineEnd::Recovered);
    // `a` is degraded at 35 s until 155 s, `b` at 70 s until 190 s.
    assert_eq!(walked.last(), steps(&[(155, "a", Trigger::Wake)]).first());
    assert_eq!(walked.len(), 9);
}

#[test]
fn candidates_at_the_same_provider_fall_together() {
    let mut scenario = unattended(Code::ProviderUnavailable, &["a", "b"]);
    scenario.candidates[1].route.provider = scenario.candidates[0].route.provider.clone();
    scenario.recovers_at = Some(after(100));
    let (walked, end) = walk(&scenario);
    assert_eq!((walked.len(), end), (5, TimelineEnd::Recovered));
    assert_eq!(walked.last(), steps(&[(155, "a", Trigger::Wake)]).first());
}

#[test]
fn a_reset_is_waited_for_once_and_then_the_retries_begin() {
    let mut scenario = unattended(Code::QuotaLimited, &["a"]);
    scenario.failure.classification.hints.reset_at = Some(after(7200));
    let hard = ClassRules {
        retry: RetryRule::new(2, 10),
        wait_for_reset: ResetWait::new(86_400),
        on_exhausted: OnExhausted::Stop,
    };
    let policy = ClassPolicy {
        prestart_unknown: PrestartUnknown::Stop,
        transient: ClassPolicy::standard().transient,
        hard,
    };
    scenario.candidates[0].policy = Some(CandidatePolicy::Document(policy));
    let expected = steps(&[
        (0, "a", Trigger::First),
        (7200, "a", Trigger::AfterReset),
        (7210, "a", Trigger::Retry),
        (7230, "a", Trigger::Retry),
    ]);
    assert_eq!(walk(&scenario), (expected, TimelineEnd::Stopped));
}

#[test]
fn a_parked_quota_wakes_at_its_reset() {
    let mut scenario = unattended(Code::QuotaLimited, &["a"]);
    scenario.failure.classification.hints = hint_s(18_000.0);
    scenario.failure.jitter = Jitter::FULL;
    scenario.recovers_at = Some(after(18_000));
    // The jitter is a fifth of the ladder's first step of two minutes.
    let expected = steps(&[(0, "a", Trigger::First), (18_024, "a", Trigger::Wake)]);
    assert_eq!(walk(&scenario), (expected, TimelineEnd::Recovered));
}

#[test]
fn a_user_action_blocks_when_every_candidate_needs_one() {
    let scenario = unattended(Code::AuthRequired, &["a", "b"]);
    let expected = steps(&[(0, "a", Trigger::First), (0, "b", Trigger::Switch)]);
    assert_eq!(walk(&scenario), (expected, TimelineEnd::Blocked));
    let timeline = simulate(&scenario);
    let last = timeline.steps.last().and_then(|step| step.decision.clone()).unwrap();
    let faultbook_policy::Action::Park(park) = last.action else { panic!("parked") };
    assert_eq!(park.action_required.len(), 2);
}

#[test]
fn a_parked_run_is_given_up_at_the_horizon() {
    let timeline = simulate(&unattended(Code::ProviderUnavailable, &["a"]));
    assert_eq!(timeline.end, TimelineEnd::HorizonPassed);
    assert_eq!(timeline.ends_at, after(35 + 7 * 86_400));
    let mut short = unattended(Code::QuotaLimited, &["a"]);
    short.horizon_s = 120;
    assert_eq!(walk(&short).0.len(), 2);
    short.horizon_s = 119;
    assert_eq!((walk(&short).0.len(), walk(&short).1), (1, TimelineEnd::HorizonPassed));
}

#[test]
fn a_timeline_without_end_is_cut() {
    let mut scenario = unattended(Code::ProviderUnavailable, &["a"]);
    scenario.horizon_s = u64::MAX;
    let timeline = simulate(&scenario);
    assert_eq!((timeline.steps.len(), timeline.end), (MAX_STEPS, TimelineEnd::Cut));
}

#[test]
fn every_kind_of_end_is_told() {
    let end = |context, code| walk(&scenario(context, code, &["a"])).1;
    assert_eq!(end(ExecutionContext::Interactive, Code::AuthRequired), TimelineEnd::UserAction);
    assert_eq!(end(ExecutionContext::Interactive, Code::TaskError), TimelineEnd::Declined);
    assert_eq!(end(ExecutionContext::Unattended, Code::AgentTransportLost), TimelineEnd::Declined);
    let mut early = unattended(Code::AgentTransportLost, &["a", "b"]);
    early.failure.phase = Some(faultbook_taxonomy::Phase::Launch);
    let expected = [(0, Trigger::First), (5, Trigger::Retry), (15, Trigger::Retry), (35, Trigger::Retry)]
        .map(|(at, trigger)| (at, "a".to_owned(), trigger));
    assert_eq!(walk(&early), (expected.to_vec(), TimelineEnd::CandidateGivenUp));
}

#[test]
fn used_budgets_of_the_first_failure_count() {
    let mut scenario = scenario(ExecutionContext::Interactive, Code::ProviderOverloaded, &[]);
    scenario.failure.cycle.transient.retries = Some(3);
    assert_eq!(walk(&scenario).0.len(), 3);
    scenario.failure.cycle.transient.retries = None;
    assert_eq!(walk(&scenario).0.len(), 6, "in a simulation the unknown is nothing");
    assert_eq!(walk(&scenario).0[0].1, "candidate 1");
    scenario.failure.route = route("a");
    assert_eq!(walk(&scenario).0[0].1, "profile-a");
    scenario.failure.cycle.candidate = Some("mine".to_owned());
    assert_eq!(walk(&scenario).0[0].1, "mine");
}

#[test]
fn timelines_are_drawn() {
    let mut switch = unattended(Code::ProviderUnavailable, &["main", "reserve"]);
    switch.candidates[1].fails = false;
    switch.failure.jitter = Jitter::new(0.25).unwrap();
    insta::assert_snapshot!("switch", render(&simulate(&switch)));
    insta::assert_snapshot!("horizon", render(&simulate(&unattended(Code::ProviderOverloaded, &["main"]))));
    insta::assert_snapshot!(
        "blocked",
        render(&simulate(&unattended(Code::AuthRequired, &["main", "reserve"])))
    );
    let session = scenario(ExecutionContext::Interactive, Code::QuotaLimited, &["main"]);
    insta::assert_snapshot!("session", render(&simulate(&session)));
}

#[test]
fn a_timeline_survives_json() {
    let timeline = simulate(&unattended(Code::ProviderUnavailable, &["a", "b"]));
    let json = serde_json::to_string(&timeline).unwrap();
    assert_eq!(serde_json::from_str::<faultbook_policy::simulate::Timeline>(&json).unwrap(), timeline);
    let scenario = unattended(Code::ProviderUnavailable, &["a"]);
    let json = serde_json::to_string(&scenario).unwrap();
    assert_eq!(serde_json::from_str::<Scenario>(&json).unwrap(), scenario);
}
