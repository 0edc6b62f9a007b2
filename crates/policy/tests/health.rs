//! Which resource a failure degrades, and who shares it.

#![allow(clippy::unwrap_used)]

mod support;

use faultbook_policy::{
    Action, ActionKind, BuiltIn, CandidatePolicy, CooldownKey, DecisionContext, Grounds, RemainingCandidate,
    Resource, decide,
};
use faultbook_taxonomy::{Code, Scope};

use support::{route, spent, unattended};

#[test]
fn each_code_degrades_its_resource() {
    let provider = || "provider-a".to_owned();
    let expected = |code| match code {
        Code::NetworkUnavailable => Resource::ProviderFromHost { provider: provider() },
        Code::ProviderUnavailable | Code::ProviderOverloaded => Resource::Provider { provider: provider() },
        Code::ModelCapacity | Code::ModelUnavailable => {
            Resource::ProviderModel { provider: provider(), model: "model-a".to_owned() }
        }
        Code::ProviderNotConfigured => Resource::Profile { profile: "profile-a".to_owned() },
        _ => Resource::ProviderCredential { provider: provider(), binding: "binding-a".to_owned() },
    };
    for code in Code::ALL.iter().copied().filter(|code| code.class().is_configurable()) {
        let degraded = decide(&spent(unattended(code))).degraded;
        if code == Code::AgentTransportLost {
            assert_eq!(degraded, None);
        } else {
            assert_eq!(degraded.unwrap().resource, expected(code), "{code}");
        }
    }
}

#[test]
fn an_unreachable_network_is_degraded_only_when_promoted() {
    let mut context = unattended(Code::NetworkUnavailable);
    context.delivery = None;
    assert_eq!(decide(&context).degraded, None);
    context.classification.hints = support::hint_s(3600.0);
    assert!(decide(&context).degraded.is_some());
    context.delivery = unattended(Code::NetworkUnavailable).delivery;
    context.policy = Some(CandidatePolicy::BuiltIn(BuiltIn::Immediate));
    context.classification.hints = support::hint_s(0.0);
    assert!(decide(&context).degraded.is_some());
    let mut resumable = unattended(Code::NetworkUnavailable);
    resumable.classification.effects.tool_activity = Some(true);
    resumable.classification.effects.resume_guarantee = Some(true);
    assert_eq!(decide(&resumable).degraded, None);
    let exhausted = decide(&spent(resumable));
    assert_eq!((exhausted.action, exhausted.grounds), (Action::Stop, Grounds::GateRefused));
    assert!(exhausted.degraded.is_some(), "exhausted before the gate refused the switch");
}

#[test]
fn a_rule_narrows_a_scope_and_never_widens_it() {
    let scope = |code, rule| {
        let mut context = spent(unattended(code));
        context.classification.scope = Some(rule);
        decide(&context).degraded.map(|degraded| degraded.resource.to_string())
    };
    let provider = Code::ProviderUnavailable;
    let named = |text: &str| Some(text.to_owned());
    assert_eq!(scope(provider, Scope::Provider), named("provider provider-a"));
    assert_eq!(scope(provider, Scope::Account), named("this credential at provider provider-a"));
    assert_eq!(scope(provider, Scope::Model), named("model model-a of provider provider-a"));
    assert_eq!(scope(provider, Scope::Profile), named("profile profile-a"));
    assert_eq!(scope(provider, Scope::Request), None);
    for wider in [Scope::Provider, Scope::Model, Scope::Account] {
        assert_eq!(scope(Code::QuotaLimited, wider), named("this credential at provider provider-a"));
    }
    assert_eq!(scope(Code::ModelCapacity, Scope::Account), named("model model-a of provider provider-a"));
    assert_eq!(scope(Code::ModelCapacity, Scope::Profile), named("profile profile-a"));
    assert_eq!(scope(Code::ProviderNotConfigured, Scope::Provider), named("profile profile-a"));
    assert_eq!(scope(Code::NetworkUnavailable, Scope::Provider), named("provider provider-a from this host"));
}

#[test]
fn what_cannot_be_proved_equal_is_the_profile_alone() {
    let resource = |change: fn(&mut DecisionContext), code| {
        let mut context = spent(unattended(code));
        change(&mut context);
        decide(&context).degraded.map(|degraded| degraded.resource)
    };
    let profile = Some(Resource::Profile { profile: "profile-a".to_owned() });
    assert_eq!(resource(|c| c.route.credential_binding = None, Code::QuotaLimited), profile);
    assert_eq!(resource(|c| c.route.provider = None, Code::ProviderUnavailable), profile);
    assert_eq!(resource(|c| c.route.model = None, Code::ModelCapacity), profile);
    assert_eq!(resource(|c| c.route = faultbook_policy::Route::default(), Code::ModelCapacity), None);
}

#[test]
fn a_retry_runs_under_a_cooldown_of_the_workspace() {
    let decision = decide(&unattended(Code::ProviderOverloaded));
    let resource = Resource::Provider { provider: "provider-a".to_owned() };
    assert_eq!(decision.cooldown, Some(CooldownKey { workspace: Some("w".to_owned()), resource }));
    assert_eq!(decide(&unattended(Code::QuotaLimited)).cooldown, None);
}

#[test]
fn candidates_that_share_the_degraded_resource_are_passed_over() {
    let mut context = spent(unattended(Code::ProviderUnavailable));
    let mut same_provider = route("c");
    same_provider.provider = Some("provider-a".to_owned());
    let shares = RemainingCandidate { candidate: "c".to_owned(), route: same_provider };
    context.cycle.remaining.insert(0, shares.clone());
    assert!(matches!(decide(&context).action, Action::NextCandidate { candidate, .. } if candidate == "b"));
    context.cycle.remaining = vec![shares.clone()];
    let Action::Park(park) = decide(&context).action else { panic!("parked") };
    assert_eq!(park.waiting.iter().map(|route| route.candidate.as_str()).collect::<Vec<_>>(), ["a", "c"]);
    let mut context = unattended(Code::QuotaLimited);
    context.cycle.remaining = vec![shares];
    assert_eq!(
        decide(&context).action.kind(),
        ActionKind::NextCandidate,
        "another credential at the same provider"
    );
}

#[test]
fn a_resource_concerns_a_route_only_when_every_key_is_equal() {
    let provider = || "provider-a".to_owned();
    let resources = [
        (Resource::ProviderFromHost { provider: provider() }, [true, false, false, false]),
        (Resource::Provider { provider: provider() }, [true, false, false, false]),
        (
            Resource::ProviderModel { provider: provider(), model: "model-a".to_owned() },
            [true, true, false, false],
        ),
        (
            Resource::ProviderCredential { provider: provider(), binding: "binding-a".to_owned() },
            [true, false, true, false],
        ),
        (Resource::Profile { profile: "profile-a".to_owned() }, [false, false, false, true]),
    ];
    for (resource, keys) in resources {
        let a = || route("a");
        let mut others = [a(), a(), a(), a()];
        others[0].provider = Some("provider-b".to_owned());
        others[1].model = None;
        others[2].credential_binding = Some("binding-b".to_owned());
        others[3].profile = Some("profile-b".to_owned());
        assert!(resource.concerns(&a()));
        assert_eq!(others.each_ref().map(|other| !resource.concerns(other)), keys, "{resource}");
        assert!(!resource.concerns(&faultbook_policy::Route::default()));
    }
}
