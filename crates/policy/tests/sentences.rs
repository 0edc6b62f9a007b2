//! What a person reads: one sentence for each kind of decision.
#![allow(clippy::unwrap_used)]

mod support;

use faultbook_policy::{BuiltIn, CandidatePolicy, DecisionContext, decide};
use faultbook_taxonomy::{Code, Effects};

use support::{alone, interactive, pre_start, spent, unattended, with_hint};

fn with_effects(mut context: DecisionContext) -> DecisionContext {
    context.classification.effects = Effects { tool_activity: Some(true), ..Effects::NONE };
    context
}

#[test]
fn each_kind_of_decision_in_one_sentence() {
    let mut resumed = with_effects(interactive(Code::ProviderOverloaded));
    resumed.classification.effects.resume_guarantee = Some(true);
    let mut continued = with_effects(unattended(Code::QuotaLimited));
    continued.continuation_package = Some(true);
    let mut waits = with_hint(unattended(Code::QuotaLimited), 3600.0);
    let mut policy = faultbook_policy::ClassPolicy::standard();
    policy.hard.wait_for_reset = faultbook_policy::ResetWait::new(7200);
    waits.policy = Some(CandidatePolicy::Document(policy));
    let mut nameless = unattended(Code::ProviderUnavailable);
    nameless.policy = None;
    let mut blip = unattended(Code::ProviderUnavailable);
    blip.policy = Some(CandidatePolicy::BuiltIn(BuiltIn::Immediate));
    let contexts = [
        interactive(Code::ProviderOverloaded),
        resumed,
        spent(interactive(Code::ProviderOverloaded)),
        with_effects(interactive(Code::ProviderOverloaded)),
        with_hint(interactive(Code::QuotaLimited), 18_000.0),
        interactive(Code::AuthRequired),
        interactive(Code::ResumeCorrupted),
        interactive(Code::Cancelled),
        interactive(Code::UnknownProviderError),
        unattended(Code::ModelCapacity),
        waits,
        blip,
        continued,
        spent(alone(Code::ProviderUnavailable)),
        with_effects(alone(Code::AuthRequired)),
        alone(Code::AuthRequired),
        spent(pre_start(unattended(Code::AgentTransportLost))),
        unattended(Code::AgentTransportLost),
        pre_start(unattended(Code::UnknownProviderError)),
        nameless,
    ];
    let sentences: Vec<String> = contexts.iter().map(|context| decide(context).sentence()).collect();
    insta::assert_snapshot!(sentences.join("\n"));
}

#[test]
fn a_decision_as_json() {
    let mut context = spent(unattended(Code::ProviderUnavailable));
    context.cycle.remaining.clear();
    insta::assert_json_snapshot!(decide(&context));
}
