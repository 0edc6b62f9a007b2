//! Every sentence of the semantics, as a case: `semantics.yaml` holds the cases, `pack/` the rules.

use std::path::Path;
use std::sync::LazyLock;

use faultbook_engine::pack::load_folder;
use faultbook_engine::{Catalogue, PackTrust};
use faultbook_evidence::{Channel, Envelope, Signal};
use faultbook_taxonomy::{Classification, State};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| catalogue(PackTrust::Trusted));

fn catalogue(trust: PackTrust) -> Catalogue {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pack");
    let pack = load_folder(&folder).expect("the pack of the semantics loads").pack;
    Catalogue::compile(vec![(pack, trust)], None).expect("the pack of the semantics compiles")
}

#[derive(Deserialize)]
struct Case {
    says: String,
    expect: String,
    hint: Option<f64>,
    reset: Option<String>,
    effects: Option<bool>,
    #[serde(flatten)]
    evidence: Map<String, Value>,
}

fn summary(answer: &Classification) -> String {
    let word = |word: Option<&str>| word.map(|word| format!(" {word}")).unwrap_or_default();
    [
        answer.state.as_str().to_owned(),
        word(answer.reason.map(|reason| reason.as_str())),
        word(answer.code.map(|code| code.as_str())),
        word(answer.confidence.map(|confidence| confidence.as_str())),
    ]
    .concat()
}

#[test]
fn every_sentence_holds() {
    let cases: Vec<Case> = serde_yaml::from_str(include_str!("semantics.yaml")).unwrap();
    let mut wrong = Vec::new();
    for case in cases {
        let mut evidence = case.evidence;
        evidence.entry("occurred_at").or_insert(json!("2026-11-30T12:00:00Z"));
        let envelope = Envelope::from_object(evidence).unwrap();
        let answer = CATALOGUE.classify(&envelope);
        let hints = (answer.hints.retry_after_s, answer.hints.reset_at.map(|at| at.to_string()));
        let reset = case.reset.or_else(|| hints.1.clone().filter(|_| case.hint.is_some()));
        let effects = case.effects.or(answer.effects.assistant_output);
        if summary(&answer) != case.expect
            || hints != (case.hint, reset)
            || answer.effects.assistant_output != effects
        {
            wrong.push(format!("{}: {} {hints:?} {:?}", case.says, summary(&answer), answer.effects));
        }
        assert_eq!(answer, CATALOGUE.explain(&envelope).classification, "{}", case.says);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pack_that_is_not_trusted_informs_at_most() {
    let envelope = Envelope::of(vec![Signal::text(Channel::Stderr, "the service is overloaded")]);
    let answer = catalogue(PackTrust::Informing).classify(&envelope);
    assert_eq!(summary(&answer), "classified provider_overloaded medium");
}

/// Text made of the rules' own words, so that rules match, and of everything else.
fn words() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("service is overloaded".to_owned()),
        Just("ALLOWANCE is used up".to_owned()),
        Just("connection was\nrefused".to_owned()),
        Just("trying once more".to_owned()),
        Just("limit of 5 tokens per minute".to_owned()),
        Just("[API Error:".to_owned()),
        Just("ninety percent of it".to_owned()),
        Just("{\"error\":{\"code\":\"allowance_spent\"}}".to_owned()),
        Just("level words here and there\n".to_owned()),
        Just("Execution error".to_owned()),
        Just("some words that fill the line until it is wide enough to run on ".to_owned()),
        "(?s).{0,12}",
    ];
    prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.join(" "))
}

fn signals() -> impl Strategy<Value = Vec<Signal>> {
    let channel = prop::sample::select(Channel::ALL);
    let signal = (channel, words(), any::<bool>(), prop::option::of(500u16..505)).prop_map(
        |(channel, words, is_notice, http_status)| {
            let signal = Signal { http_status, ..Signal::text(channel, words) };
            if is_notice { signal.notice() } else { signal }
        },
    );
    prop::collection::vec(signal, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_prefilter_never_changes_an_answer(signals in signals()) {
        let envelope = Envelope::of(signals);
        prop_assert_eq!(CATALOGUE.classify(&envelope), CATALOGUE.classify_exhaustively(&envelope));
    }

    #[test]
    fn any_json_gets_an_answer(text in "(?s).{0,300}", depth in 0usize..100) {
        let nested = "[".repeat(depth) + &"]".repeat(depth);
        let data: Value = serde_json::from_str(&nested).unwrap_or(Value::Null);
        let line = json!({"schema": "faultbook.evidence/1", "signals": [
            {"channel": "event", "data": {"nested": data, text.clone(): text}, "text": text},
            text, {"channel": 7, "http_status": "x"}]});
        let envelope = Envelope::read(&line.to_string()).unwrap();
        prop_assert_eq!(CATALOGUE.classify(&envelope).state, State::Unclassified);
    }
}
