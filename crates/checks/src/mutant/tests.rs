//! Which mutants a rule has, and what becomes of them.

use faultbook_document::{Colours, render};
use faultbook_engine::Catalogue;
use faultbook_engine::rule::Equivalent;
use serde_json::{Value, json};

use super::*;
use crate::examine::examine;
use crate::fixture::Suite;
use crate::testing::{catalogue, rule, suite};

fn names(rule: &Rule) -> Vec<String> {
    mutants(rule).into_iter().map(|mutant| mutant.name).collect()
}

#[test]
fn every_part_of_a_rule_has_a_mutant() {
    let mut rule = rule(
        "a.one",
        "rate_limited",
        ("message", 50),
        json!({
            "all": [
                { "http_status": [429] },
                { "exit_code": { "min": 1, "max": 9 } },
                { "text": { "phrases": ["usage limit"] } },
                { "any": [{ "field": { "at": "/a", "equals": "x" } }, { "field": { "at": "/b", "min": 1, "max": 2 } }] },
                { "none": [{ "phase": ["launch"] }] },
            ],
            "any": [{ "header": { "name": "retry-after", "equals": "5" } }, { "text": { "starts": "error:" } }],
            "none": [{ "all": [{ "terminal": ["completed"] }, { "whole": true }] }],
        }),
    );
    rule.applies.agents.push(faultbook_taxonomy::Agent::Codex);
    rule.with = vec![serde_json::from_value(json!({ "all": [{ "terminal": ["failed"] }] })).unwrap()];
    insta::assert_snapshot!(names(&rule).join("\n"));
    let pointers: Vec<String> = mutants(&rule).into_iter().map(|mutant| mutant.pointer).collect();
    let json = serde_json::to_value(&rule).unwrap();
    let missing: Vec<&String> = pointers.iter().filter(|pointer| json.pointer(pointer).is_none()).collect();
    assert_eq!(missing, Vec::<&String>::new(), "pointers lead into the rule's file");
}

#[test]
fn names_are_unique_and_no_mutant_is_the_rule_itself() {
    let rule = rule(
        "a.one",
        "rate_limited",
        ("cause", 99),
        json!({
            "all": [{ "http_status": { "min": 400, "max": 599 } }, { "field": { "at": "/a", "exists": true } }],
        }),
    );
    let mut found = names(&rule);
    let before = found.len();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), before);
    assert!(mutants(&rule).iter().all(|mutant| mutant.rule != rule));
    assert!(!found.contains(&"widen:match.all[0].http_status.max".to_owned()), "599 is the last status");
}

fn subject() -> Rule {
    rule(
        "a.one",
        "rate_limited",
        ("message", 60),
        json!({
            "all": [{ "http_status": [429] }, { "text": { "phrases": ["usage limit"] } }],
            "none": [{ "text": { "phrases": ["per day"] } }],
        }),
    )
}

fn other() -> Rule {
    rule(
        "b.other",
        "quota_limited",
        ("message", 50),
        json!({ "all": [{ "text": { "phrases": ["usage limit"] } }] }),
    )
}

fn http(status: u16, text: &str) -> Value {
    json!({ "signals": [{ "channel": "http", "http_status": status, "text": text }] })
}

fn case(name: &str, evidence: Value, expect: Value) -> Value {
    json!({ "name": name, "origin": "synthetic", "evidence": evidence, "expect": expect })
}

/// A suite that notices every change to the subject.
fn good_suite() -> Suite {
    let limited = json!({ "code": "rate_limited" });
    let quota = json!({ "code": "quota_limited" });
    suite(
        "a.one",
        json!({
            "positive": [case("limit", http(429, "usage limit"), limited)],
            "negative": [
                case("another status", http(500, "usage limit"), quota.clone()),
                case("no status", json!({ "signals": [{ "channel": "stderr", "text": "usage limit" }] }), quota.clone()),
                case("other words", http(429, "slow down"), json!({ "state": "unclassified" })),
                case("a quota", http(429, "usage limit per day"), quota),
            ],
        }),
    )
}

fn fates(rules: &[Rule], suites: &[Suite]) -> Vec<(String, Fate)> {
    let catalogue: Catalogue = catalogue(rules.to_vec());
    let examined = examine(&catalogue, suites);
    let trials = run_mutants(&catalogue, rules.iter().take(1), &examined);
    trials.into_iter().map(|trial| (trial.mutant.name, trial.fate)).collect()
}

#[test]
fn a_good_suite_kills_every_mutant() {
    let fates = fates(&[subject(), other()], &[good_suite()]);
    let shown: Vec<String> = fates
        .iter()
        .map(|(name, fate)| match fate {
            Fate::Killed { case, .. } => format!("{name}: killed by `{case}`"),
            Fate::Equivalent(reason) => format!("{name}: equivalent, {reason}"),
            Fate::Idle => format!("{name}: idle"),
            Fate::Survived => format!("{name}: survived"),
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_case_that_already_fails_kills_nothing() {
    let wrong = suite(
        "a.one",
        json!({
            "positive": [case("limit", http(429, "usage limit"), json!({ "code": "quota_limited" }))],
        }),
    );
    let fates = fates(&[subject(), other()], &[wrong]);
    assert!(fates.iter().all(|(_, fate)| matches!(fate, Fate::Idle | Fate::Survived)), "{fates:?}");
}

#[test]
fn a_case_of_another_rule_may_kill() {
    let elsewhere = suite(
        "b.other",
        json!({
            "positive": [case("a server that fails", http(500, "usage limit"), json!({ "code": "quota_limited" }))],
        }),
    );
    let fates = fates(&[subject(), other()], &[elsewhere]);
    let killed = Fate::Killed { suite: "b.other".into(), case: "a server that fails".into() };
    assert!(fates.contains(&("drop:match.all[0]".to_owned(), killed)), "{fates:?}");
}

#[test]
fn a_variant_stands_for_a_fresh_catalogue() {
    let rules = [subject(), other()];
    let original = catalogue(rules.to_vec());
    for mutant in mutants(&rules[0]) {
        let variant = original.with_rule(mutant.rule.clone()).unwrap();
        let fresh = catalogue(vec![mutant.rule, other()]);
        for case in good_suite().cases {
            let (found, wanted) = (variant.explain(&case.envelope), fresh.explain(&case.envelope));
            assert_eq!((found.matches, found.contests), (wanted.matches, wanted.contests), "{}", mutant.name);
        }
    }
}

#[test]
fn what_people_see() {
    let mut rule = subject();
    let entry = |mutant: &str| Equivalent { mutant: mutant.into(), reason: "no agent prints it".into() };
    rule.equivalent =
        vec![entry("drop:match.all[0]"), entry("remove:match.none[0]"), entry("remove:match.non[0]")];
    let suites = [suite(
        "a.one",
        json!({
            "positive": [case("limit", http(429, "usage limit"), json!({ "code": "rate_limited" }))],
            "negative": [case("another status", http(500, "usage limit"), json!({ "code": "quota_limited" }))],
        }),
    )];
    let rules = [rule, other()];
    let catalogue = catalogue(rules.to_vec());
    let trials = run_mutants(&catalogue, rules.iter().take(1), &examine(&catalogue, &suites));
    let found = findings(rules.iter().take(1), &trials, &BTreeMap::new());
    let shown: Vec<String> = found.iter().map(|one| render(one, Colours::Plain)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}
