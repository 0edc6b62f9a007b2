//! What a stable rule must show, and what a near miss is.

use faultbook_document::{Colours, render};
use serde_json::{Value, json};

use super::*;
use crate::examine::examine;
use crate::mutant::run_mutants;
use crate::testing::{catalogue, rule, suite};

fn envelope(signal: Value) -> faultbook_evidence::Envelope {
    let json = json!({ "signals": [signal] });
    faultbook_evidence::Envelope::from_object(json.as_object().unwrap().clone()).unwrap()
}

#[test]
fn a_near_miss_holds_something_that_the_rule_looks_for() {
    let stderr = |text: &str| json!({ "channel": "stderr", "text": text });
    let words =
        json!({ "all": [{ "http_status": [429] }, { "text": { "phrases": ["usage limit", "slow down"] } }] });
    let starts = json!({ "all": [{ "text": { "starts": "API Error:" } }] });
    let field = json!({ "all": [{ "field": { "at": ["/error/code", "/code"], "equals": "x" } }] });
    let status =
        json!({ "all": [{ "http_status": [429] }], "none": [{ "text": { "phrases": ["usage limit"] } }] });
    let either = json!({ "any": [{ "text": { "phrases": ["usage limit"] } }, { "field": { "at": "/code", "equals": "x" } }] });
    let exit = json!({ "all": [{ "exit_code": [137] }] });
    for (matches, signal, expected) in [
        (&words, stderr("please Slow Down"), true),
        (&words, stderr("please wait"), false),
        (&words, json!({ "channel": "http", "http_status": 429 }), false),
        (&starts, stderr("it said api error: overloaded"), true),
        (&starts, stderr("error"), false),
        (&field, json!({ "channel": "http", "data": { "code": "y" } }), true),
        (&field, json!({ "channel": "http", "data": { "type": "x" } }), false),
        (&status, json!({ "channel": "http", "http_status": 500 }), true),
        (&status, stderr("usage limit"), false),
        (&exit, json!({ "channel": "exit", "exit_code": 1 }), true),
        (&exit, stderr("137"), false),
        (&either, json!({ "channel": "http", "data": { "code": "y" } }), true),
        (&either, stderr("a usage limit"), true),
        (&either, json!({ "channel": "http", "http_status": 429 }), false),
    ] {
        let rule = rule("a.one", "rate_limited", ("generic", 40), matches.clone());
        assert_eq!(is_near_miss(&rule, &envelope(signal.clone())), expected, "{matches} in {signal}");
    }
}

fn limited() -> Rule {
    rule(
        "a.one",
        "rate_limited",
        ("message", 50),
        json!({ "all": [{ "text": { "phrases": ["usage limit"] } }], "none": [{ "text": { "phrases": ["per day"] } }] }),
    )
}

fn case(name: &str, origin: &str, text: &str, expect: Value) -> Value {
    let mut case = json!({ "name": name, "origin": origin, "evidence": { "signals": [{ "channel": "stderr", "text": text }] }, "expect": expect });
    if origin != "synthetic" {
        case["source"] = json!("https://example.org/issue/1");
    }
    case
}

fn found(rule: &Rule, suites: &[Suite]) -> Vec<Unmet> {
    let catalogue = catalogue(vec![rule.clone()]);
    let trials = run_mutants(&catalogue, [rule], &examine(&catalogue, suites));
    unmet(rule, suites.first(), &trials)
}

#[test]
fn stable_is_earned() {
    let nothing = json!({ "state": "unclassified" });
    let mut rule = limited();
    rule.references =
        vec![serde_json::from_value(json!({ "url": "https://example.org", "seen": "2026-11-30" })).unwrap()];
    let full = suite(
        "a.one",
        json!({
            "positive": [case("seen", "reported", "usage limit", json!({ "code": "rate_limited" }))],
            "negative": [
                case("a quota", "synthetic", "usage limit per day", nothing.clone()),
                case("a daily one", "synthetic", "your usage limit per day is near", nothing.clone()),
                case("other words", "synthetic", "overloaded", nothing.clone()),
            ],
        }),
    );
    assert_eq!(found(&rule, &[full]), []);
    let thin = suite(
        "a.one",
        json!({
            "positive": [case("made up", "synthetic", "usage limit", json!({ "code": "rate_limited" }))],
            "negative": [case("other words", "synthetic", "overloaded", nothing)],
        }),
    );
    let unmet = found(&limited(), &[thin]);
    let survivor = Unmet::Mutants(vec!["remove:match.none[0]".into()]);
    assert_eq!(unmet, [survivor, Unmet::RealPositive, Unmet::NearMisses(0), Unmet::Reference]);
}

#[test]
fn what_people_see() {
    let mut experimental = limited();
    experimental.id = "a.two".into();
    experimental.status = Status::Experimental;
    let problems = check_status(&[limited(), experimental], &[], &[], &BTreeMap::new());
    let shown: Vec<String> = problems.iter().map(|one| render(one, Colours::Plain)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}
