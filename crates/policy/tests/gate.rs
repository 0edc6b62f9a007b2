//! The safety gate: each refusal by name, and what must hold for every input whatsoever.
#![allow(clippy::unwrap_used)]

mod support;

use faultbook_policy::{
    Action, ActionKind, BuiltIn, CandidatePolicy, ClassPolicy, Condition, DecisionContext, DegradedUntil,
    DispatchMode, ExecutionContext, GateResult, Grounds, Jitter, PrestartUnknown, Refusal,
    RemainingCandidate, Used, WaitingRoute, decide,
};
use faultbook_taxonomy::{Class, Code, Confidence, Delivery, Effects, Phase, Reason, Scope, State, Window};
use proptest::prelude::*;

use support::{alone, interactive, pre_start, route, unattended, with_hint};

type Change = fn(&mut DecisionContext);

fn refusal(context: &DecisionContext) -> Option<Refusal> {
    match decide(context).gate {
        GateResult::Refused { condition, refusal } => {
            assert_eq!(condition, refusal.condition());
            Some(refusal)
        }
        GateResult::Open | GateResult::NotNeeded => None,
    }
}

const REFUSALS: &[(Refusal, Condition, Change)] = &[
    (Refusal::NotForeground, Condition::Current, |c| c.evidence.foreground = None),
    (Refusal::NotForeground, Condition::Current, |c| c.evidence.foreground = Some(false)),
    (Refusal::NotForeground, Condition::Current, |c| {
        c.classification.reason = Some(Reason::Uncorrelated);
    }),
    (Refusal::OtherSession, Condition::Current, |c| c.evidence.session = Some("other".to_owned())),
    (Refusal::OtherSession, Condition::Current, |c| c.evidence.session = None),
    (Refusal::OtherSession, Condition::Current, |c| {
        c.evidence.session = None;
        c.current.session = None;
    }),
    (Refusal::StaleGeneration, Condition::Current, |c| c.current.generation = Some(2)),
    (Refusal::StaleGeneration, Condition::Current, |c| c.evidence.generation = None),
    (Refusal::StaleGeneration, Condition::Current, |c| c.classification.reason = Some(Reason::Stale)),
    (Refusal::OtherExecution, Condition::Current, |c| c.evidence.execution = None),
    (Refusal::OtherExecution, Condition::Current, |c| {
        c.current.execution = Some("other".to_owned());
        c.current.restarted = Some(false);
    }),
    (Refusal::LowConfidence, Condition::Classified, |c| {
        c.classification.confidence = Some(Confidence::Medium);
    }),
    (Refusal::LowConfidence, Condition::Classified, |c| c.classification.confidence = None),
    (Refusal::AmbiguousDelivery, Condition::DeliveryKnown, |c| c.delivery = None),
    (Refusal::AmbiguousDelivery, Condition::DeliveryKnown, |c| c.delivery = Some(Delivery::Unknown)),
    (Refusal::EffectsHappened, Condition::EffectSafe, |c| c.classification.effects = Effects::default()),
    (Refusal::EffectsHappened, Condition::EffectSafe, |c| {
        c.classification.effects.assistant_output = Some(true);
    }),
    (Refusal::EffectsHappened, Condition::EffectSafe, |c| {
        c.classification.effects.tool_activity = None;
    }),
    (Refusal::EffectsHappened, Condition::EffectSafe, |c| {
        c.phase = None;
        c.classification.effects.assistant_output = None;
    }),
];

#[test]
fn each_refusal_is_named_in_both_contexts() {
    for (expected, condition, change) in REFUSALS {
        let mut session = interactive(Code::ProviderOverloaded);
        let mut run = unattended(Code::ProviderOverloaded);
        change(&mut session);
        change(&mut run);
        assert_eq!(expected.condition(), *condition);
        assert_eq!(refusal(&session), Some(*expected), "{expected}");
        assert_eq!(refusal(&run), Some(*expected), "{expected}");
        assert_eq!(decide(&session).action, Action::Manual);
        assert_eq!(decide(&run).action, Action::Stop);
        assert_eq!(decide(&run).grounds, Grounds::GateRefused);
    }
}

#[test]
fn the_first_condition_that_fails_is_named() {
    let mut context = interactive(Code::ProviderOverloaded);
    context.classification.effects = Effects::default();
    assert_eq!(refusal(&context), Some(Refusal::EffectsHappened));
    context.delivery = None;
    assert_eq!(refusal(&context), Some(Refusal::AmbiguousDelivery));
    context.classification.confidence = Some(Confidence::Medium);
    assert_eq!(refusal(&context), Some(Refusal::LowConfidence));
    context.current.execution = None;
    assert_eq!(refusal(&context), Some(Refusal::OtherExecution));
    context.evidence.generation = Some(0);
    assert_eq!(refusal(&context), Some(Refusal::StaleGeneration));
    context.current.session = None;
    assert_eq!(refusal(&context), Some(Refusal::OtherSession));
    context.evidence.foreground = None;
    assert_eq!(refusal(&context), Some(Refusal::NotForeground));
}

#[test]
fn after_a_restart_executions_are_not_compared() {
    let mut context = interactive(Code::ProviderOverloaded);
    context.current.execution = Some("after the restart".to_owned());
    context.current.restarted = Some(true);
    assert_eq!(decide(&context).action.kind(), ActionKind::Retry);
    context.current.restarted = None;
    assert_eq!(refusal(&context), Some(Refusal::OtherExecution));
}

#[test]
fn delivery_is_known_when_acknowledged_refused_or_before_the_start() {
    let mut context = interactive(Code::ProviderOverloaded);
    for delivery in [Delivery::Acknowledged, Delivery::Refused] {
        context.delivery = Some(delivery);
        assert_eq!(decide(&context).gate, GateResult::Open);
    }
    for delivery in [None, Some(Delivery::Unknown)] {
        context = pre_start(context);
        context.delivery = delivery;
        assert_eq!(decide(&context).gate, GateResult::Open);
    }
}

#[test]
fn before_the_start_unknown_effects_are_none_but_stated_ones_count() {
    let mut context = pre_start(interactive(Code::ProviderOverloaded));
    context.classification.effects = Effects::default();
    assert_eq!(decide(&context).action.dispatch(), Some(DispatchMode::OriginalPrompt));
    context.classification.effects.tool_activity = Some(true);
    assert_eq!(refusal(&context), Some(Refusal::EffectsHappened));
}

#[test]
fn a_resume_guarantee_serves_the_same_route_only() {
    let mut context = unattended(Code::ProviderOverloaded);
    context.classification.effects =
        Effects { tool_activity: Some(true), resume_guarantee: Some(true), ..Effects::NONE };
    assert_eq!(decide(&context).action.dispatch(), Some(DispatchMode::ResumeSession));
    context.policy = Some(CandidatePolicy::BuiltIn(BuiltIn::Immediate));
    assert_eq!(refusal(&context), Some(Refusal::NoContinuationPackage));
    context.continuation_package = Some(true);
    let decision = decide(&context);
    assert_eq!(decision.action.kind(), ActionKind::NextCandidate);
    assert_eq!(decision.action.dispatch(), Some(DispatchMode::FreshSessionWithContinuation));
}

#[test]
fn a_continuation_package_counts_in_unattended_runs_only() {
    let mut session = interactive(Code::ProviderOverloaded);
    let mut run = unattended(Code::ProviderOverloaded);
    for context in [&mut session, &mut run] {
        context.classification.effects.tool_activity = Some(true);
        context.continuation_package = Some(true);
    }
    assert_eq!(refusal(&session), Some(Refusal::EffectsHappened));
    assert_eq!(decide(&run).action.dispatch(), Some(DispatchMode::FreshSessionWithContinuation));
    run.continuation_package = None;
    assert_eq!(refusal(&run), Some(Refusal::EffectsHappened));
}

#[test]
fn health_remedy_and_hint_survive_a_closed_gate() {
    let mut context = with_hint(unattended(Code::QuotaLimited), 7200.0);
    context.delivery = None;
    let decision = decide(&context);
    assert_eq!(decision.action, Action::Stop);
    assert_eq!(decision.hint.unwrap().remaining_ms, 7_200_000);
    assert!(
        matches!(decision.degraded.unwrap().until, DegradedUntil::Deadline { wait } if wait.delay_ms == 7_200_000)
    );

    let mut context = unattended(Code::AuthRequired);
    context.classification.effects = Effects::default();
    let decision = decide(&context);
    assert_eq!(decision.action, Action::Stop);
    assert_eq!(decision.remedy.map(|remedy| remedy.as_str()), Some("log_in"));
    assert_eq!(decision.degraded.unwrap().until, DegradedUntil::ActionRequired);
}

#[test]
fn health_is_not_recorded_when_conditions_1_or_2_fail() {
    for change in [(|c| c.evidence.foreground = None) as Change, |c| {
        c.classification.confidence = Some(Confidence::Medium)
    }] {
        for code in [Code::QuotaLimited, Code::AuthRequired, Code::ProviderOverloaded] {
            let mut context = support::spent(unattended(code));
            change(&mut context);
            assert_eq!(decide(&context).degraded, None);
        }
    }
}

#[test]
fn an_inconsistent_classification_is_no_classification() {
    let mut context = interactive(Code::ProviderOverloaded);
    context.classification.class = Class::Hard;
    assert_eq!(decide(&context).code, None);
    assert_eq!(decide(&context).action, Action::Manual);
    let mut context = interactive(Code::ProviderOverloaded);
    context.classification.state = State::Unclassified;
    assert_eq!(decide(&context).code, None);
}

#[test]
fn prestart_unknown_excuses_condition_2_and_no_other() {
    let mut context = pre_start(unattended(Code::UnknownProviderError));
    context.policy = Some(CandidatePolicy::Document(ClassPolicy {
        prestart_unknown: PrestartUnknown::Skip,
        ..ClassPolicy::standard()
    }));
    assert_eq!(decide(&context).action.kind(), ActionKind::NextCandidate);
    let mut stale = context.clone();
    stale.current.generation = Some(9);
    assert_eq!(refusal(&stale), Some(Refusal::StaleGeneration));
    let mut effects = context.clone();
    effects.classification.effects.tool_activity = Some(true);
    assert_eq!(refusal(&effects), Some(Refusal::EffectsHappened));
    context.phase = Some(Phase::Streaming);
    assert_eq!(decide(&context).action, Action::Decline);
}

fn pick<T: Copy + std::fmt::Debug + 'static>(words: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(words)
}

fn maybe<T: Copy + std::fmt::Debug + 'static>(words: &'static [T]) -> impl Strategy<Value = Option<T>> {
    prop::option::of(pick(words))
}

fn any_hints(context: &mut DecisionContext, after_s: Option<f64>, at: Option<i64>, window: Option<Window>) {
    let hints = &mut context.classification.hints;
    hints.retry_after_s = after_s;
    hints.reset_at = at.and_then(|second| jiff::Timestamp::from_second(second).ok());
    hints.window = window;
}

fn any_policy() -> impl Strategy<Value = Option<CandidatePolicy>> {
    let document = |(retries, interval, wait, skip)| {
        let on_exhausted =
            if skip { faultbook_policy::OnExhausted::Skip } else { faultbook_policy::OnExhausted::Stop };
        let rules = faultbook_policy::ClassRules {
            retry: faultbook_policy::RetryRule::new(retries, interval),
            wait_for_reset: faultbook_policy::ResetWait::new(wait),
            on_exhausted,
        };
        Some(CandidatePolicy::Document(ClassPolicy {
            prestart_unknown: if skip { PrestartUnknown::Skip } else { PrestartUnknown::Stop },
            transient: rules,
            hard: rules,
        }))
    };
    prop_oneof![
        Just(None),
        Just(Some(CandidatePolicy::BuiltIn(BuiltIn::Standard))),
        (0..=10_u32, 0..=3600_u32, 0..=604_800_u32, any::<bool>()).prop_map(document),
    ]
}

prop_compose! {
    fn any_classification()(
        code in maybe(Code::ALL), state in pick(State::ALL), class in maybe(Class::ALL),
        confidence in maybe(Confidence::ALL), reason in maybe(Reason::ALL), scope in maybe(Scope::ALL),
        output in any::<Option<bool>>(), tools in any::<Option<bool>>(), resume in any::<Option<bool>>(),
        after_s in prop::option::of(prop_oneof![any::<f64>(), -10.0..700_000.0_f64]), at in any::<Option<i64>>(), window in maybe(Window::ALL),
        certain in any::<bool>(), calm in any::<bool>(),
    ) -> DecisionContext {
        let mut context = interactive(code.unwrap_or(Code::ProviderUnavailable));
        let classification = &mut context.classification;
        if !certain {
            classification.code = code;
            classification.state = state;
            classification.class = class.or(code.map(Code::class)).unwrap_or(Class::Unclassified);
            classification.reason = reason;
            classification.confidence = confidence;
            classification.scope = scope;
        }
        let effects = Effects { assistant_output: output, tool_activity: tools, resume_guarantee: resume };
        classification.effects = if calm { Effects::NONE } else { effects };
        any_hints(&mut context, after_s, at, window);
        context
    }
}

prop_compose! {
    fn any_context()(
        mut context in any_classification(),
        kind in pick(ExecutionContext::ALL), phase in maybe(Phase::ALL), delivery in maybe(Delivery::ALL),
        policy in any_policy(), package in any::<Option<bool>>(), restarted in any::<Option<bool>>(),
        same in prop::collection::vec(prop::bool::weighted(0.97), 4), foreground in any::<Option<bool>>(),
        used in (prop::option::of(0..12_u32), any::<Option<bool>>()), jitter in 0.0..=1.0_f64,
        now in any::<i64>(), observed in any::<Option<i64>>(), others in 0..3_usize, step in any::<u32>(),
        waiting in prop::option::of(any::<Option<i64>>()),
    ) -> DecisionContext {
        context.context = kind;
        context.phase = phase;
        context.delivery = delivery;
        context.policy = policy;
        context.continuation_package = package;
        context.current.restarted = restarted;
        if !same[0] { context.evidence.session = None; }
        if !same[1] { context.current.generation = Some(2); }
        if !same[2] { context.current.execution = None; }
        if !same[3] { context.evidence.foreground = foreground; }
        context.cycle.transient = Used { retries: used.0, reset_wait: used.1 };
        context.cycle.hard = context.cycle.transient;
        context.jitter = Jitter::new(jitter).unwrap();
        context.now = jiff::Timestamp::from_second(now).unwrap_or(context.now);
        context.observed_at = observed.and_then(|second| jiff::Timestamp::from_second(second).ok());
        context.health_step = step;
        context.cycle.candidate = Some("a".to_owned());
        context.cycle.remaining = (0..others)
            .map(|index| RemainingCandidate { candidate: format!("c{index}"), route: route("z") })
            .collect();
        context.cycle.waiting = waiting
            .map(|at| WaitingRoute {
                candidate: "w".to_owned(),
                wake_at: at.and_then(|second| jiff::Timestamp::from_second(second).ok()),
            })
            .into_iter()
            .collect();
        context
    }
}

/// Whether the evidence is of the active turn, said anew, independently of the gate's own code.
fn is_current(c: &DecisionContext) -> bool {
    let session = c.evidence.session.is_some() && c.evidence.session == c.current.session;
    let generation = c.evidence.generation.is_some() && c.evidence.generation == c.current.generation;
    let execution = c.current.restarted == Some(true)
        || c.evidence.execution.is_some() && c.evidence.execution == c.current.execution;
    let told = matches!(c.classification.reason, Some(Reason::Stale | Reason::Uncorrelated));
    c.evidence.foreground == Some(true) && session && generation && execution && !told
}

fn check_safe(context: &DecisionContext) {
    let decision = decide(context);
    let works = decision.action.dispatch().is_some();
    if !works {
        assert!(decision.deadline.is_none());
        return;
    }
    let pre_start = matches!(context.phase, Some(Phase::Launch | Phase::SessionInit));
    let c = &context.classification;
    assert!(is_current(context));
    let certain = c.state == State::Classified
        && c.confidence == Some(Confidence::High)
        && c.code.is_some_and(|code| matches!(code.class(), Class::Transient | Class::Hard));
    let excused = pre_start && context.context == ExecutionContext::Unattended;
    assert!(
        certain || excused && !matches!(decision.action.kind(), ActionKind::Retry | ActionKind::WaitForReset)
    );
    assert!(
        matches!(context.delivery, Some(Delivery::Acknowledged | Delivery::Refused)) || pre_start,
        "an ambiguous dispatch is never resent"
    );
    let known_absent = |effect: Option<bool>| effect == Some(false) || pre_start && effect.is_none();
    let absent = known_absent(c.effects.assistant_output) && known_absent(c.effects.tool_activity);
    let switches = decision.action.kind() == ActionKind::NextCandidate;
    match decision.action.dispatch().unwrap() {
        DispatchMode::OriginalPrompt => assert!(absent),
        DispatchMode::ResumeSession => assert!(c.effects.resume_guarantee == Some(true) && !switches),
        DispatchMode::FreshSessionWithContinuation => assert!(
            context.continuation_package == Some(true) && context.context == ExecutionContext::Unattended
        ),
    }
    if context.context == ExecutionContext::Interactive {
        assert_eq!(decision.action.kind(), ActionKind::Retry);
    } else {
        assert!(context.policy.is_some());
    }
    if let Action::Retry { wait, .. } | Action::WaitForReset { wait, .. } = decision.action {
        assert!(wait.until >= context.now);
        assert!(decision.hint.is_none_or(|hint| wait.until >= hint.at), "nobody fires before the hint");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn no_input_lets_an_unsafe_action_through(context in any_context()) {
        check_safe(&context);
    }

    #[test]
    fn unknown_effects_equal_effects(mut context in any_context()) {
        let pre_start = matches!(context.phase, Some(Phase::Launch | Phase::SessionInit));
        prop_assume!(!pre_start);
        context.classification.effects.assistant_output = None;
        let unknown = decide(&context);
        context.classification.effects.assistant_output = Some(true);
        prop_assert_eq!(unknown, decide(&context));
    }

    #[test]
    fn unknown_delivery_equals_ambiguous(mut context in any_context()) {
        context.delivery = None;
        let unknown = decide(&context);
        context.delivery = Some(Delivery::Unknown);
        prop_assert_eq!(unknown, decide(&context));
    }

    #[test]
    fn a_decision_survives_json(context in any_context()) {
        let decision = decide(&context);
        let json = serde_json::to_string(&decision).unwrap();
        prop_assert_eq!(serde_json::from_str::<faultbook_policy::Decision>(&json).unwrap(), decision);
        let text = decide(&context).sentence();
        prop_assert!(text.ends_with('.') && !text.contains('\n'));
    }
}

#[test]
fn the_generator_reaches_every_action() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20_000 {
        seen.insert(decide(&any_context().new_tree(&mut runner).unwrap().current()).action.kind());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ActionKind::ALL);
}

#[test]
fn a_parked_run_passes_the_gate_too() {
    let mut context = alone(Code::QuotaLimited);
    assert_eq!(decide(&context).action.kind(), ActionKind::Park);
    context.classification.effects = Effects::default();
    assert_eq!(refusal(&context), Some(Refusal::EffectsHappened));
}
