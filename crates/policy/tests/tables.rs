//! Every row of the interactive and the unattended table, with the values written by hand.
#![allow(clippy::unwrap_used)]

mod support;

use faultbook_policy::{
    Action, ActionKind, ActionRoute, BuiltIn, CandidatePolicy, ClassPolicy, ClassRules, DecisionContext,
    DegradedUntil, Grounds, Jitter, OnExhausted, ParkStatus, PrestartUnknown, Remedy, RetryRule, SetBy,
    WaitingRoute, decide,
};
use faultbook_taxonomy::{Class, Code, Confidence, Reason, State, Window};

use support::{after, alone, interactive, pre_start, spent, unattended, with_hint};

const SHORT_LIVED: [Code; 4] =
    [Code::NetworkUnavailable, Code::ProviderUnavailable, Code::ProviderOverloaded, Code::ModelCapacity];
const USER_ACTION: [(Code, Remedy); 6] = [
    (Code::AuthRequired, Remedy::LogIn),
    (Code::MissingCredentials, Remedy::SetCredentials),
    (Code::SubscriptionRequired, Remedy::FixBilling),
    (Code::AccessDenied, Remedy::RequestAccess),
    (Code::ModelUnavailable, Remedy::ChooseModel),
    (Code::ProviderNotConfigured, Remedy::FixConfiguration),
];
const OUTSIDE: [Code; 9] = [
    Code::ContextOverflow,
    Code::ContentBlocked,
    Code::RequestInvalid,
    Code::ResumeCorrupted,
    Code::PermissionDeniedByUser,
    Code::Cancelled,
    Code::TaskError,
    Code::RepoError,
    Code::LocalRuntimeError,
];

fn kind(context: &DecisionContext) -> ActionKind {
    decide(context).action.kind()
}

fn delay_ms(context: &DecisionContext) -> u64 {
    decide(context).action.wait().unwrap().delay_ms
}

fn retried(context: &DecisionContext, retries: u32) -> DecisionContext {
    let mut context = context.clone();
    context.cycle.transient.retries = Some(retries);
    context.cycle.hard.retries = Some(retries);
    context
}

fn delays(context: &DecisionContext) -> Vec<u64> {
    (0..20)
        .map(|retries| decide(&retried(context, retries)))
        .take_while(|decision| decision.action.kind() == ActionKind::Retry)
        .map(|decision| decision.action.wait().unwrap().delay_ms)
        .collect()
}

fn unclassified(mut context: DecisionContext, state: State) -> DecisionContext {
    context.classification.state = state;
    context.classification.code = None;
    context.classification.class = Class::Unclassified;
    context.classification.confidence = None;
    context.classification.reason = (state == State::Unclassified).then_some(Reason::Conflict);
    context
}

#[test]
fn interactive_short_lived_failures_retry_five_times_by_the_list() {
    for code in SHORT_LIVED.into_iter().chain([Code::AgentTransportLost]) {
        let context = interactive(code);
        assert_eq!(delays(&context), [5000, 10_000, 20_000, 40_000, 60_000], "{code}");
        let last = decide(&retried(&context, 5));
        assert_eq!((last.action, last.grounds), (Action::Manual, Grounds::BudgetSpent));
        let first = decide(&context);
        assert!(matches!(first.action, Action::Retry { attempt: 1, max_attempts: 5, .. }));
        assert_eq!(first.deadline, Some(after(5)));
        assert_eq!(first.degraded, None);
        assert_eq!(first.cooldown, None);
        assert_eq!(first.pending, Some(ActionKind::Retry));
        assert_eq!(decide(&retried(&context, 4)).pending, Some(ActionKind::Manual));
    }
}

#[test]
fn an_interactive_hint_over_a_minute_ends_automatic_retry_and_is_shown() {
    for code in SHORT_LIVED.into_iter().chain([Code::RateLimited]) {
        let long = decide(&with_hint(interactive(code), 60.001));
        assert_eq!((long.action, long.grounds), (Action::Manual, Grounds::HintOverAMinute));
        assert_eq!(long.hint.unwrap().remaining_ms, 60_001);
        assert_eq!(delay_ms(&with_hint(interactive(code), 60.0)), 60_000);
    }
}

#[test]
fn an_interactive_throttle_is_retried_only_when_confirmed_short() {
    let window = |window| {
        let mut context = interactive(Code::RateLimited);
        context.classification.hints.window = Some(window);
        context
    };
    for context in [interactive(Code::RateLimited), window(Window::Long)] {
        let decision = decide(&context);
        assert_eq!((decision.action, decision.grounds), (Action::Manual, Grounds::ThrottleNotShort));
    }
    assert_eq!(kind(&window(Window::Short)), ActionKind::Retry);
    assert_eq!(kind(&with_hint(interactive(Code::RateLimited), 30.0)), ActionKind::Retry);
    let mut long = with_hint(interactive(Code::RateLimited), 61.0);
    long.classification.hints.window = Some(Window::Short);
    assert_eq!(kind(&long), ActionKind::Manual);
}

#[test]
fn an_interactive_quota_is_manual_and_shows_its_reset() {
    for seconds in [30.0, 7200.0] {
        let decision = decide(&with_hint(interactive(Code::QuotaLimited), seconds));
        assert_eq!((decision.action, decision.grounds), (Action::Manual, Grounds::AllowanceUsedUp));
        assert!(decision.hint.is_some());
    }
}

#[test]
fn interactive_user_action_holds_at_any_confidence() {
    for (code, remedy) in USER_ACTION {
        for confidence in [Confidence::High, Confidence::Medium] {
            let mut context = interactive(code);
            context.classification.confidence = Some(confidence);
            context.evidence.foreground = None;
            let decision = decide(&context);
            assert_eq!(decision.action, Action::UserAction);
            assert_eq!(decision.remedy, Some(remedy));
        }
    }
}

#[test]
fn outside_failures_are_declined_in_both_contexts() {
    for code in OUTSIDE {
        for context in [interactive(code), unattended(code), alone(code), pre_start(unattended(code))] {
            let decision = decide(&with_hint(context, 30.0));
            assert_eq!((decision.action, decision.grounds), (Action::Decline, Grounds::NotAProviderFailure));
            assert!(decision.owner.is_some());
            assert_eq!((decision.degraded, decision.excludes), (None, None));
        }
    }
}

#[test]
fn interactive_unknown_failures_are_manual() {
    for code in [Code::AgentRuntimeError, Code::UnknownProviderError] {
        assert_eq!(kind(&interactive(code)), ActionKind::Manual);
    }
    let unknown = decide(&unclassified(interactive(Code::RateLimited), State::Unclassified));
    assert_eq!((unknown.action, unknown.grounds), (Action::Manual, Grounds::CauseUnknown));
    let none = decide(&unclassified(interactive(Code::RateLimited), State::NoFailure));
    assert_eq!((none.action, none.grounds), (Action::Manual, Grounds::NothingFailed));
}

#[test]
fn unattended_short_lived_failures_retry_then_degrade_and_switch() {
    for code in SHORT_LIVED {
        let context = unattended(code);
        assert_eq!(delays(&context), [5000, 10_000, 20_000]);
        let first = decide(&context);
        assert_eq!((first.degraded, first.excludes), (None, None));
        assert_eq!(first.evaluated_under, Some(Class::Transient));
        assert_eq!(decide(&retried(&context, 2)).pending, Some(ActionKind::NextCandidate));
        let last = decide(&spent(context));
        assert_eq!(last.grounds, Grounds::BudgetSpent);
        assert!(matches!(&last.action, Action::NextCandidate { candidate, .. } if candidate == "b"));
        assert_eq!(last.excludes.as_deref(), Some("a"));
        let DegradedUntil::Deadline { wait } = last.degraded.unwrap().until else { panic!("a deadline") };
        assert_eq!((wait.delay_ms, wait.set_by), (120_000, SetBy::Ladder));
    }
}

#[test]
fn an_unattended_run_without_candidates_parks_by_the_ladder() {
    let minutes = |step| {
        let mut context = spent(alone(Code::ProviderUnavailable));
        context.health_step = step;
        let decision = decide(&context);
        let Action::Park(park) = decision.action else { panic!("parked") };
        assert_eq!(park.status, ParkStatus::WaitingForProviderCapacity);
        assert_eq!(decision.deadline, park.wake.map(|wake| wake.until));
        park.wake.unwrap().delay_ms / 60_000
    };
    assert_eq!([0, 1, 2, 3, 4, 5, u32::MAX].map(minutes), [2, 5, 10, 20, 60, 60, 60]);
}

#[test]
fn a_short_hint_never_replaces_the_ladder() {
    let context = with_hint(spent(alone(Code::ProviderUnavailable)), 30.0);
    assert_eq!(delay_ms(&context), 120_000);
}

#[test]
fn a_hint_over_a_minute_moves_a_transient_failure_to_hard() {
    for code in SHORT_LIVED.into_iter().chain([Code::RateLimited]) {
        let decision = decide(&with_hint(unattended(code), 61.0));
        assert_eq!(decision.evaluated_under, Some(Class::Hard));
        assert_eq!(decision.action.kind(), ActionKind::NextCandidate);
        let parked = decide(&with_hint(alone(code), 61.0));
        let wake = *parked.action.wait().unwrap();
        assert_eq!((wake.delay_ms, wake.set_by), (61_000, SetBy::Hint));
        assert_eq!(decide(&with_hint(unattended(code), 60.0)).evaluated_under, Some(Class::Transient));
    }
}

#[test]
fn an_unattended_throttle_of_unknown_length_is_hard() {
    let mut context = unattended(Code::RateLimited);
    assert_eq!(decide(&context).evaluated_under, Some(Class::Hard));
    assert_eq!(kind(&context), ActionKind::NextCandidate);
    context.classification.hints.window = Some(Window::Long);
    assert_eq!(kind(&context), ActionKind::NextCandidate);
    context.classification.hints.window = Some(Window::Short);
    assert_eq!(kind(&context), ActionKind::Retry);
}

#[test]
fn an_unattended_quota_moves_on_then_parks_until_its_reset() {
    let next = decide(&with_hint(unattended(Code::QuotaLimited), 30.0));
    assert_eq!((next.action.kind(), next.grounds), (ActionKind::NextCandidate, Grounds::NoRetryConfigured));
    assert_eq!(delay_ms(&with_hint(alone(Code::QuotaLimited), 30.0)), 30_000);
    assert_eq!(delay_ms(&with_hint(alone(Code::QuotaLimited), 900_000.0)), 900_000_000);
    assert_eq!(delay_ms(&alone(Code::QuotaLimited)), 120_000);
}

/// Everything that `hard` can hold.
fn generous(on_exhausted: OnExhausted) -> Option<CandidatePolicy> {
    let rules = ClassRules {
        retry: RetryRule::new(3, 5),
        wait_for_reset: faultbook_policy::ResetWait::new(604_800),
        on_exhausted,
    };
    let policy = ClassPolicy { prestart_unknown: PrestartUnknown::Skip, transient: rules, hard: rules };
    Some(CandidatePolicy::Document(policy))
}

#[test]
fn an_unattended_user_action_never_waits_or_retries() {
    for (code, remedy) in USER_ACTION {
        for seconds in [0.0, 30.0, 7200.0] {
            let mut context = with_hint(unattended(code), seconds);
            context.policy = generous(OnExhausted::Skip);
            let next = decide(&context);
            assert_eq!(
                (next.action.kind(), next.grounds),
                (ActionKind::NextCandidate, Grounds::ActionRequired)
            );
            assert_eq!(next.degraded.unwrap().until, DegradedUntil::ActionRequired);
            assert_eq!(next.evaluated_under, Some(Class::Hard));
            context.policy = generous(OnExhausted::Stop);
            let stop = decide(&context);
            assert_eq!((stop.action, stop.grounds), (Action::Stop, Grounds::ActionRequired));
            assert_eq!(stop.degraded.unwrap().until, DegradedUntil::ActionRequired);
            context.policy = generous(OnExhausted::Skip);
            context.cycle.remaining.clear();
            let Action::Park(park) = decide(&context).action else { panic!("parked") };
            assert_eq!((park.status, park.wake), (ParkStatus::BlockedProviderActionRequired, None));
            let own = ActionRoute { candidate: "a".to_owned(), remedy: Some(remedy) };
            assert_eq!((park.action_required, park.waiting), (vec![own], vec![]));
        }
    }
}

#[test]
fn capacity_goes_before_action_and_lists_both() {
    let waits = WaitingRoute { candidate: "c".to_owned(), wake_at: Some(after(300)) };
    let mut context = alone(Code::AuthRequired);
    context.cycle.waiting = vec![waits.clone()];
    let Action::Park(park) = decide(&context).action else { panic!("parked") };
    assert_eq!(park.status, ParkStatus::WaitingForProviderCapacity);
    let wake = park.wake.unwrap();
    assert_eq!((wake.until, wake.delay_ms, wake.set_by), (after(300), 300_000, SetBy::OtherRoute));
    assert_eq!((wake.nominal_ms, wake.jitter_ms), (300_000, 0));
    assert_eq!(park.waiting, [waits]);
    assert_eq!(park.action_required.len(), 1);

    let needs = ActionRoute { candidate: "d".to_owned(), remedy: Some(Remedy::LogIn) };
    let mut context = spent(alone(Code::ProviderUnavailable));
    context.cycle.action_required = vec![needs.clone()];
    let Action::Park(park) = decide(&context).action else { panic!("parked") };
    assert_eq!(park.status, ParkStatus::WaitingForProviderCapacity);
    assert_eq!(park.waiting, [WaitingRoute { candidate: "a".to_owned(), wake_at: Some(after(120)) }]);
    assert_eq!(park.action_required, [needs]);
}

#[test]
fn the_earliest_of_all_routes_wakes_the_run() {
    let mut context = spent(alone(Code::ProviderUnavailable));
    let waits = |seconds| WaitingRoute { candidate: "c".to_owned(), wake_at: Some(after(seconds)) };
    context.cycle.waiting = vec![waits(400), waits(100), waits(200)];
    assert_eq!(decide(&context).deadline, Some(after(100)));
    context.cycle.waiting = vec![waits(400)];
    assert_eq!(decide(&context).deadline, Some(after(120)));
    context.cycle.waiting = vec![waits(-400)];
    assert_eq!(decide(&context).deadline, Some(after(0)));
    let mut context = alone(Code::AuthRequired);
    context.cycle.waiting = vec![WaitingRoute { candidate: "c".to_owned(), wake_at: None }];
    assert_eq!(decide(&context).deadline, Some(after(120)));
}

#[test]
fn a_lost_transport_before_the_start_is_retried_and_then_given_up() {
    for policy in [generous(OnExhausted::Skip), Some(CandidatePolicy::BuiltIn(BuiltIn::Immediate))] {
        let mut context = pre_start(unattended(Code::AgentTransportLost));
        context.policy = policy;
        assert_eq!(delays(&context), [5000, 10_000, 20_000]);
        let last = decide(&spent(context));
        assert_eq!((last.action, last.grounds), (Action::GiveUpCandidate, Grounds::BudgetSpent));
        assert_eq!((last.degraded, last.excludes.as_deref()), (None, Some("a")));
    }
}

#[test]
fn a_lost_transport_after_the_start_is_declined() {
    let mut context = unattended(Code::AgentTransportLost);
    for phase in [context.phase, None] {
        context.phase = phase;
        let decision = decide(&context);
        assert_eq!((decision.action, decision.grounds), (Action::Decline, Grounds::TransportLostAfterStart));
        assert_eq!((decision.degraded, decision.excludes), (None, None));
    }
}

#[test]
fn unattended_unknown_failures_follow_prestart_unknown() {
    let known = |code| unattended(code);
    let subjects = [
        known(Code::AgentRuntimeError),
        known(Code::UnknownProviderError),
        unclassified(unattended(Code::RateLimited), State::Unclassified),
    ];
    for context in subjects {
        assert_eq!(kind(&context), ActionKind::Decline);
        let mut early = pre_start(context);
        let stop = decide(&early);
        assert_eq!((stop.action, stop.grounds), (Action::Stop, Grounds::PrestartUnknown));
        early.policy = generous(OnExhausted::Stop);
        let next = decide(&early);
        assert_eq!((next.action.kind(), next.grounds), (ActionKind::NextCandidate, Grounds::PrestartUnknown));
        assert_eq!(next.degraded, None);
        early.cycle.remaining.clear();
        assert_eq!(kind(&early), ActionKind::Stop);
        early.cycle.action_required = vec![ActionRoute { candidate: "d".to_owned(), remedy: None }];
        let Action::Park(park) = decide(&early).action else { panic!("parked") };
        assert_eq!((park.status, park.action_required.len()), (ParkStatus::BlockedProviderActionRequired, 1));
        early.cycle.waiting = vec![WaitingRoute { candidate: "c".to_owned(), wake_at: Some(after(9)) }];
        let Action::Park(park) = decide(&early).action else { panic!("parked") };
        assert_eq!((park.status, park.waiting.len()), (ParkStatus::WaitingForProviderCapacity, 1));
    }
}

#[test]
fn weak_classifications_before_the_start_follow_prestart_unknown() {
    for code in SHORT_LIVED.into_iter().chain([Code::RateLimited, Code::QuotaLimited, Code::AuthRequired]) {
        let mut context = unattended(code);
        context.classification.confidence = Some(Confidence::Medium);
        assert_eq!(decide(&context).grounds, Grounds::GateRefused);
        context = pre_start(context);
        assert_eq!(decide(&context).grounds, Grounds::PrestartUnknown);
        context.policy = generous(OnExhausted::Stop);
        assert_eq!(kind(&context), ActionKind::NextCandidate);
    }
    let mut transport = pre_start(unattended(Code::AgentTransportLost));
    transport.classification.confidence = Some(Confidence::Medium);
    transport.policy = generous(OnExhausted::Skip);
    assert_eq!(decide(&transport).grounds, Grounds::GateRefused);
}

#[test]
fn an_unattended_turn_without_failure_is_declined() {
    for context in [unattended(Code::RateLimited), pre_start(unattended(Code::RateLimited))] {
        let mut context = unclassified(context, State::NoFailure);
        context.policy = generous(OnExhausted::Skip);
        let decision = decide(&context);
        assert_eq!((decision.action, decision.grounds), (Action::Decline, Grounds::NothingFailed));
    }
}

#[test]
fn a_candidate_without_policy_gets_no_automatic_work() {
    for code in [Code::ProviderUnavailable, Code::QuotaLimited, Code::AuthRequired] {
        let mut context = unattended(code);
        context.policy = None;
        let decision = decide(&context);
        assert_eq!((decision.action, decision.grounds), (Action::Stop, Grounds::PolicyMissing));
        assert!(decision.degraded.is_some());
    }
    for code in [Code::AgentTransportLost, Code::UnknownProviderError] {
        let mut context = pre_start(unattended(code));
        context.policy = None;
        assert_eq!(decide(&context).grounds, Grounds::PolicyMissing);
    }
}

#[test]
fn excluded_candidates_and_the_failed_one_never_take_over() {
    let mut context = unattended(Code::QuotaLimited);
    context.cycle.excluded = vec!["b".to_owned()];
    assert_eq!(kind(&context), ActionKind::Park);
    context.cycle.excluded.clear();
    context.cycle.candidate = Some("b".to_owned());
    assert_eq!(kind(&context), ActionKind::Park);
}

#[test]
fn jitter_is_a_fifth_of_the_nominal_delay_at_most() {
    let full = |mut context: DecisionContext| {
        context.jitter = Jitter::FULL;
        let wait = *decide(&context).action.wait().unwrap();
        assert_eq!(
            wait.delay_ms,
            (wait.until.as_nanosecond() - context.now.as_nanosecond()) as u64 / 1_000_000
        );
        (wait.nominal_ms, wait.jitter_ms, wait.delay_ms)
    };
    assert_eq!(full(interactive(Code::ProviderOverloaded)), (5000, 1000, 6000));
    assert_eq!(full(with_hint(interactive(Code::ProviderOverloaded), 30.0)), (5000, 1000, 31_000));
    assert_eq!(full(spent(alone(Code::ProviderOverloaded))), (120_000, 24_000, 144_000));
    let mut last = spent(alone(Code::ProviderOverloaded));
    last.health_step = 9;
    assert_eq!(full(last.clone()), (3_600_000, 720_000, 4_320_000));
    let reset = with_hint(alone(Code::QuotaLimited), 7200.0);
    assert_eq!(full(reset.clone()), (7_200_000, 24_000, 7_224_000));
    let mut late = reset;
    late.health_step = 9;
    assert_eq!(full(late), (7_200_000, 300_000, 7_500_000));
    let mut half = interactive(Code::ProviderOverloaded);
    half.jitter = Jitter::new(0.5).unwrap();
    assert_eq!(delay_ms(&half), 5500);
}
