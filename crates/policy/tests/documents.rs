//! Policy documents and legacy action maps: bounds, places of problems, normal forms.
#![allow(clippy::unwrap_used)]

use faultbook_document::{Colours, Source, render};
use faultbook_policy::{
    BuiltIn, CandidatePolicy, ClassPolicy, ClassRules, OnExhausted, PolicyDocument, PolicyForm,
    PrestartUnknown, ResetWait, RetryRule, read_policy, schemas,
};
use faultbook_taxonomy::Class;

const STANDARD: &str = "\
version: 1
prestart_unknown: stop
transient:
  retry: { enabled: true, max_retries: 3, initial_interval_seconds: 5 }
  wait_for_reset: { enabled: false, max_wait_seconds: 0 }
  on_exhausted: skip        # skip | stop
hard:
  retry: { enabled: false, max_retries: 0, initial_interval_seconds: 0 }
  wait_for_reset: { enabled: false, max_wait_seconds: 0 }
  on_exhausted: skip
";

fn read(text: &str) -> Result<(ClassPolicy, PolicyForm), String> {
    read_policy(Source::new("policy.yaml", text)).map(|file| (file.policy, file.form)).map_err(|problems| {
        problems.iter().map(|problem| render(problem, Colours::Plain)).collect::<Vec<_>>().join("\n\n")
    })
}

fn places(text: &str) -> Vec<(u32, u32, String)> {
    let problems = read_policy(Source::new("policy.yaml", text)).unwrap_err();
    problems.into_iter().map(|one| (one.line, one.column, one.pointer.unwrap_or_default())).collect()
}

#[test]
fn the_document_of_the_contract_is_standard() {
    assert_eq!(read(STANDARD), Ok((ClassPolicy::standard(), PolicyForm::Document)));
    assert_eq!(read(&STANDARD.replace("prestart_unknown: stop\n", "")).unwrap().0, ClassPolicy::standard());
}

#[test]
fn json_and_yaml_are_the_same_document() {
    for policy in [ClassPolicy::standard(), ClassPolicy::immediate()] {
        let json = serde_json::to_string_pretty(&policy).unwrap();
        assert_eq!(read(&json), Ok((policy, PolicyForm::Document)));
        assert_eq!(serde_json::from_str::<ClassPolicy>(&json).unwrap(), policy);
    }
}

#[test]
fn immediate_neither_retries_nor_waits() {
    let rules = ClassRules { retry: None, wait_for_reset: None, on_exhausted: OnExhausted::Skip };
    let expected = ClassPolicy { prestart_unknown: PrestartUnknown::Stop, transient: rules, hard: rules };
    assert_eq!(BuiltIn::Immediate.policy(), expected);
    assert_eq!(BuiltIn::Standard.policy(), ClassPolicy::standard());
}

#[test]
fn only_configurable_classes_have_rules() {
    let policy = ClassPolicy::standard();
    assert_eq!(policy.rules(Class::Transient), Some(&policy.transient));
    assert_eq!(policy.rules(Class::Hard), Some(&policy.hard));
    assert_eq!((policy.rules(Class::Outside), policy.rules(Class::Unclassified)), (None, None));
}

/// Each bound: the last value within, the first beyond, and the field that is named.
const BOUNDS: &[(&str, &str, &str, &str)] = &[
    ("max_retries: 3", "max_retries: 1", "max_retries: 0", "/transient/retry/max_retries"),
    ("max_retries: 3", "max_retries: 10", "max_retries: 11", "/transient/retry/max_retries"),
    ("max_retries: 3", "max_retries: 2", "max_retries: -1", "/transient/retry/max_retries"),
    (
        "initial_interval_seconds: 5",
        "initial_interval_seconds: 1",
        "initial_interval_seconds: 0",
        "/transient/retry/initial_interval_seconds",
    ),
    (
        "initial_interval_seconds: 5",
        "initial_interval_seconds: 3600",
        "initial_interval_seconds: 3601",
        "/transient/retry/initial_interval_seconds",
    ),
    ("max_retries: 0", "max_retries: 0", "max_retries: 1", "/hard/retry/max_retries"),
    (
        "initial_interval_seconds: 0",
        "initial_interval_seconds: 0",
        "initial_interval_seconds: 1",
        "/hard/retry/initial_interval_seconds",
    ),
    (
        "max_wait_seconds: 0",
        "max_wait_seconds: 0",
        "max_wait_seconds: 1",
        "/transient/wait_for_reset/max_wait_seconds",
    ),
    (
        "{ enabled: false, max_wait_seconds: 0 }",
        "{ enabled: true, max_wait_seconds: 1 }",
        "{ enabled: true, max_wait_seconds: 0 }",
        "/transient/wait_for_reset/max_wait_seconds",
    ),
    (
        "{ enabled: false, max_wait_seconds: 0 }",
        "{ enabled: true, max_wait_seconds: 604800 }",
        "{ enabled: true, max_wait_seconds: 604801 }",
        "/transient/wait_for_reset/max_wait_seconds",
    ),
    ("version: 1", "version: 1", "version: 2", "/version"),
    ("max_retries: 3", "max_retries: 3", "max_retries: 18446744073709551615", "/transient/retry/max_retries"),
];

#[test]
fn each_bound_holds_and_names_its_field() {
    for (from, within, beyond, field) in BOUNDS {
        let good = STANDARD.replacen(from, within, 1);
        assert!(read(&good).is_ok(), "{within}: {}", read(&good).unwrap_err());
        let bad = STANDARD.replacen(from, beyond, 1);
        let places = places(&bad);
        assert_eq!(places.len(), 1, "{beyond}: {places:?}");
        let (line, column, pointer) = &places[0];
        assert_eq!(pointer, field, "{beyond}");
        let shown = bad.lines().nth(*line as usize - 1).unwrap();
        let value = beyond.trim_end_matches(" }").rsplit(' ').next().unwrap();
        assert!(shown[*column as usize - 1..].starts_with(value), "{beyond} at {line}:{column}");
    }
}

#[test]
fn values_within_the_bounds_are_kept() {
    let text = STANDARD
        .replace("prestart_unknown: stop", "prestart_unknown: skip")
        .replacen(
            "max_retries: 3, initial_interval_seconds: 5",
            "max_retries: 7, initial_interval_seconds: 90",
            1,
        )
        .replacen("{ enabled: false, max_wait_seconds: 0 }", "{ enabled: true, max_wait_seconds: 5400 }", 1)
        .replacen("skip        #", "stop        #", 1);
    let policy = read(&text).unwrap().0;
    assert_eq!(policy.prestart_unknown, PrestartUnknown::Skip);
    let retry = policy.transient.retry.unwrap();
    assert_eq!((retry.max_retries(), retry.initial_interval_s()), (7, 90));
    assert_eq!(policy.transient.wait_for_reset.unwrap().max_wait_s(), 5400);
    assert_eq!(policy.transient.on_exhausted, OnExhausted::Stop);
    assert_eq!(policy.hard, ClassPolicy::standard().hard);
}

#[test]
fn rules_outside_their_bounds_cannot_be_made() {
    assert!(RetryRule::new(1, 1).is_some() && RetryRule::new(10, 3600).is_some());
    for (retries, interval) in [(0, 1), (11, 1), (1, 0), (1, 3601)] {
        assert_eq!(RetryRule::new(retries, interval), None);
    }
    assert!(ResetWait::new(1).is_some() && ResetWait::new(604_800).is_some());
    assert_eq!((ResetWait::new(0), ResetWait::new(604_801)), (None, None));
}

#[test]
fn problems_are_shown_with_their_places() {
    let several = STANDARD
        .replace("version: 1", "version: 3")
        .replacen("max_retries: 3", "max_retries: 30", 1)
        .replacen("enabled: false, max_wait_seconds: 0", "enabled: false, max_wait_seconds: 9", 1);
    insta::assert_snapshot!("several_bounds", read(&several).unwrap_err());
    let shape = "version: 1\ntransient:\n  retries: 3\nhard: skip\n";
    insta::assert_snapshot!("wrong_shape", read(shape).unwrap_err());
    insta::assert_snapshot!("no_document", read("- standard\n").unwrap_err());
}

#[test]
fn a_typed_reader_refuses_what_the_file_reader_refuses() {
    let document: PolicyDocument = ClassPolicy::standard().into();
    let bad = PolicyDocument { version: 2, ..document };
    let error = ClassPolicy::try_from(bad.clone()).unwrap_err();
    assert_eq!(error.to_string(), "/version: must be 1, not 2");
    let json = serde_json::to_string(&bad).unwrap();
    assert!(serde_json::from_str::<ClassPolicy>(&json).is_err());
    assert!(serde_json::from_str::<CandidatePolicy>(&json).is_err());
}

#[test]
fn a_candidate_names_its_policy() {
    let standard: CandidatePolicy = serde_json::from_str("\"standard\"").unwrap();
    assert_eq!(standard.policy(), ClassPolicy::standard());
    assert!(serde_json::from_str::<CandidatePolicy>("\"usual\"").is_err());
    let inline = serde_json::to_string(&ClassPolicy::immediate()).unwrap();
    let inline: CandidatePolicy = serde_json::from_str(&inline).unwrap();
    assert_eq!((inline.policy(), inline.to_string().as_str()), (ClassPolicy::immediate(), "document"));
}

fn rules(retries: u32, on_exhausted: OnExhausted) -> ClassRules {
    ClassRules { retry: RetryRule::new(retries, 5), wait_for_reset: None, on_exhausted }
}

#[test]
fn legacy_actions_normalise() {
    let one = |action: &str| read(&format!("default: {action}\n")).unwrap();
    assert_eq!(one("try_next"), (ClassPolicy::immediate(), PolicyForm::LegacyActionMap));
    let same = |rules| ClassPolicy { prestart_unknown: PrestartUnknown::Stop, transient: rules, hard: rules };
    assert_eq!(one("stop").0, same(rules(0, OnExhausted::Stop)));
    assert_eq!(one("retry_same").0, same(rules(1, OnExhausted::Stop)));
}

#[test]
fn legacy_codes_stand_for_their_class() {
    let policy =
        read("default: stop\ncodes:\n  rate_limited: retry_same\n  network_unavailable: retry_same\n");
    let policy = policy.unwrap().0;
    assert_eq!(policy.transient, rules(1, OnExhausted::Stop));
    assert_eq!(policy.hard, rules(0, OnExhausted::Stop));
    let policy = read("codes:\n  rate_limited: stop\n  quota_limited: try_next\n").unwrap().0;
    assert_eq!((policy.transient, policy.hard), (rules(0, OnExhausted::Stop), rules(0, OnExhausted::Skip)));
}

#[test]
fn legacy_problems_are_named() {
    let disagree = "codes:\n  quota_limited: try_next\n  rate_limited: stop\n  model_capacity: try_next\n";
    insta::assert_snapshot!("legacy_codes_disagree", read(disagree).unwrap_err());
    let outside = "default: stop\ncodes:\n  task_error: try_next\n";
    assert_eq!(places(outside), [(3, 15, "/codes/task_error".to_owned())]);
    insta::assert_snapshot!("legacy_nothing_is_implied", read("codes:\n  rate_limited: stop\n").unwrap_err());
    insta::assert_snapshot!(
        "legacy_unknown_words",
        read("default: again\ncodes: { rate_limit: stop }\n").unwrap_err()
    );
}

#[test]
fn the_schemas_are_well_formed_and_published() {
    let all = [
        ("policy", schemas::policy_document()),
        ("legacy", schemas::legacy_action_map()),
        ("context", schemas::decision_context()),
        ("decision", schemas::decision()),
        ("scenario", schemas::scenario()),
        ("timeline", schemas::timeline()),
    ];
    for (name, schema) in all {
        faultbook_document::Schema::compile(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(schema["title"].as_str().unwrap().starts_with("Faultbook "));
    }
}
