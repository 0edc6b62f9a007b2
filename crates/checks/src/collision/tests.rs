//! What the analysis says about small packs.

use faultbook_document::{Colours, render};
use faultbook_engine::rule::Rule;
use serde_json::{Value, json};

use super::*;

fn rule(id: &str, code: &str, strength: (&str, u8), matches: Value) -> Rule {
    let (band, rank) = strength;
    serde_json::from_value(json!({
        "schema": "faultbook.rule/1", "id": id, "revision": 1, "title": "A rule for a test",
        "status": "experimental", "since": "1.0.0", "code": code, "confidence": "medium",
        "band": band, "rank": rank, "match": matches,
    }))
    .unwrap()
}

fn with(mut rule: Rule, key: &str, value: Value) -> Rule {
    let mut json = serde_json::to_value(&rule).unwrap();
    json[key] = value;
    rule = serde_json::from_value(json).unwrap();
    rule
}

fn analysis(rules: &[Rule]) -> Analysis {
    analyse(rules.iter().map(|rule| Subject { rule, document: None }), &[])
}

/// The overlap of two matches at the same strength. Every witness has been through the engine.
fn overlap(one: Value, other: Value) -> Option<Overlap> {
    let rules = [
        rule("a.one", "rate_limited", ("message", 50), one),
        rule("a.two", "quota_limited", ("message", 50), other),
    ];
    let analysis = analysis(&rules);
    let bug = analysis.findings.iter().find(|one| one.code == codes::WITNESS_NOT_REPRODUCED);
    assert_eq!(bug, None);
    analysis.collisions.first().map(|collision| collision.overlap)
}

fn phrase(words: &str) -> Value {
    json!({ "text": { "phrases": [words] } })
}

fn field(at: Value, key: &str, test: Value) -> Value {
    json!({ "field": { "at": at, key: test } })
}

#[test]
fn words_collide_where_a_phrase_contains_a_phrase() {
    let (nested, apart) = (Some(Overlap::Nested), Some(Overlap::Apart));
    for (one, other, expected) in [
        (json!([phrase("usage limit")]), json!([phrase("Usage limit reached")]), nested),
        (json!([phrase("usage limit")]), json!([phrase("usage limits reached")]), None),
        (json!([phrase("usage limit")]), json!([phrase("quota is used up")]), None),
        (json!([phrase("usage limit"), phrase("try again")]), json!([phrase("usage limit")]), nested),
        (
            json!([phrase("usage limit"), phrase("try again")]),
            json!([phrase("usage limit"), phrase("upgrade to")]),
            apart,
        ),
        (
            json!([{ "http_status": [429] }, phrase("usage limit")]),
            json!([phrase("your usage limit")]),
            nested,
        ),
        (
            json!([{ "http_status": [429] }, phrase("usage limit")]),
            json!([{ "http_status": [503] }, phrase("usage limit")]),
            None,
        ),
        (json!([{ "text": { "starts": "API error:" } }]), json!([phrase("api error: overloaded")]), nested),
        (json!([{ "text": { "equals": "limit reached" } }]), json!([phrase("limit reached")]), nested),
        (
            json!([{ "text": { "equals": "limit reached" } }]),
            json!([{ "text": { "equals": "limit" } }]),
            None,
        ),
        (json!([{ "text": { "regex": "usage .{0,10}limit" } }]), json!([phrase("usage limit hit")]), nested),
        (json!([{ "whole": true }, phrase("usage limit")]), json!([phrase("usage limit")]), nested),
        (json!([phrase("usage limit")]), json!([{ "channel": ["acp_update"] }, phrase("usage limit")]), None),
    ] {
        let shown = format!("{one} {other}");
        assert_eq!(overlap(json!({ "all": one }), json!({ "all": other })), expected, "{shown}");
    }
}

#[test]
fn fields_collide_where_their_values_meet() {
    let (nested, apart) = (Some(Overlap::Nested), Some(Overlap::Apart));
    let code = |key: &str, test: Value| json!({ "all": [field(json!("/error/code"), key, test)] });
    for (one, other, expected) in [
        (code("equals", json!("a_b")), code("in", json!(["x", "a_b"])), nested),
        (code("equals", json!("a_b")), code("equals", json!("a_c")), None),
        (code("prefix", json!("rate_")), code("regex", json!("[a-z]+_limit")), nested),
        (code("prefix", json!("rate_")), code("regex", json!("quota_[a-z]+")), None),
        (code("regex", json!("quota_(?:day|week)")), code("equals", json!("quota_week")), nested),
        (code("min", json!(400)), code("max", json!(499)), nested),
        (code("min", json!(500)), code("max", json!(499)), None),
        (code("exists", json!(true)), code("exists", json!(false)), None),
        (code("exists", json!(true)), code("equals", json!(true)), nested),
        (
            code("regex", json!("[ab]{1,200}a[ab]{24}c")),
            code("prefix", json!("ab")),
            Some(Overlap::OverBudget),
        ),
        (code("equals", json!("x")), json!({ "all": [{ "http_status": [429] }] }), Some(Overlap::Beside)),
        (
            json!({ "all": [phrase("usage limit")] }),
            json!({ "all": [{ "http_status": [429] }] }),
            Some(Overlap::Beside),
        ),
        (
            json!({ "all": [{ "exit_code": [1] }] }),
            json!({ "all": [{ "terminal": ["failed"] }] }),
            Some(Overlap::Beside),
        ),
        (
            code("equals", json!("x")),
            json!({ "all": [field(json!("/error/type"), "equals", json!("y"))] }),
            None,
        ),
        (
            json!({ "all": [{ "http_status": [429] }, field(json!("/error/code"), "equals", json!("x"))] }),
            json!({ "all": [{ "http_status": [429] }, field(json!("/error/type"), "equals", json!("y"))] }),
            apart,
        ),
        (
            code("equals", json!("x")),
            json!({ "all": [{ "http_status": { "min": 400, "max": 499 } }, field(json!("/error/code"), "in", json!(["x"]))] }),
            nested,
        ),
    ] {
        let shown = format!("{one} {other}");
        assert_eq!(overlap(one, other), expected, "{shown}");
    }
}

#[test]
fn the_first_pointer_that_exists_is_asked() {
    let nested = Some(Overlap::Nested);
    for (one, other, expected) in [
        (
            json!({ "all": [field(json!(["/a", "/b"]), "equals", json!("x"))] }),
            json!({ "all": [field(json!("/b"), "equals", json!("x"))] }),
            nested,
        ),
        (
            json!({ "all": [field(json!(["/a", "/b"]), "equals", json!("x"))] }),
            json!({ "all": [field(json!("/a"), "equals", json!("y"))] }),
            None,
        ),
        (
            json!({ "all": [field(json!("/a"), "equals", json!("x"))] }),
            json!({ "all": [field(json!("/a/b"), "equals", json!("y"))] }),
            None,
        ),
        (
            json!({ "all": [field(json!("/a"), "equals", json!("x"))], "none": [field(json!(["/c", "/d"]), "equals", json!("y"))] }),
            json!({ "all": [field(json!("/a"), "equals", json!("x")), field(json!("/d"), "equals", json!("y"))] }),
            nested,
        ),
        (
            json!({ "all": [field(json!("/a"), "equals", json!("x"))], "none": [field(json!(["/c", "/d"]), "equals", json!("y"))] }),
            json!({ "all": [field(json!("/a"), "equals", json!("x")), field(json!("/c"), "equals", json!("y"))] }),
            None,
        ),
    ] {
        let shown = format!("{one} {other}");
        assert_eq!(overlap(one, other), expected, "{shown}");
    }
}

#[test]
fn facts_collide_where_their_ranges_meet() {
    let nested = Some(Overlap::Nested);
    for (one, other, expected) in [
        (
            json!({ "all": [{ "http_status": { "min": 400, "max": 499 } }] }),
            json!({ "all": [{ "http_status": [429, 529] }] }),
            nested,
        ),
        (
            json!({ "all": [{ "http_status": { "min": 400, "max": 499 } }], "none": [{ "http_status": [429] }] }),
            json!({ "all": [{ "http_status": [429, 529] }] }),
            None,
        ),
        (
            json!({ "all": [{ "header": { "name": "Retry-After" } }] }),
            json!({ "all": [{ "header": { "name": "retry-after", "equals": "60" } }] }),
            nested,
        ),
        (
            json!({ "any": [{ "exit_code": [1] }, { "terminal": ["failed"] }] }),
            json!({ "all": [{ "exit_code": { "min": 1, "max": 2 } }] }),
            nested,
        ),
        (json!({ "all": [{ "terminal": ["completed"] }] }), json!({ "all": [{ "exit_code": [0] }] }), None),
        (json!({ "all": [{ "rpc_code": [-32000] }] }), json!({ "all": [{ "rpc_code": [-32000] }] }), nested),
    ] {
        let shown = format!("{one} {other}");
        assert_eq!(overlap(one, other), expected, "{shown}");
    }
}

#[test]
fn band_rank_code_and_named_agents_separate() {
    let usage = || json!({ "all": [phrase("usage limit")] });
    let base = rule("a.one", "rate_limited", ("message", 50), usage());
    let applies = |agent: &str| json!({ "agents": [agent] });
    let claude = with(base.clone(), "applies", applies("claude-code"));
    for (one, other, expected) in [
        (base.clone(), rule("a.two", "quota_limited", ("message", 50), usage()), 1),
        (
            base.clone(),
            rule(
                "a.two",
                "quota_limited",
                ("message", 51),
                json!({ "all": [phrase("usage limit reached")] }),
            ),
            0,
        ),
        (base.clone(), rule("a.two", "rate_limited", ("message", 50), usage()), 0),
        (
            claude.clone(),
            with(rule("a.two", "quota_limited", ("message", 50), usage()), "applies", applies("codex")),
            0,
        ),
        (
            claude,
            with(
                rule("a.two", "quota_limited", ("message", 50), usage()),
                "applies",
                applies("claude-agent-acp"),
            ),
            1,
        ),
    ] {
        assert_eq!(analysis(&[one.clone(), other.clone()]).collisions.len(), expected, "{one:?} {other:?}");
    }
}

#[test]
fn companions_are_part_of_the_witness() {
    let usage = || json!({ "all": [phrase("usage limit")] });
    let companion = json!([{ "all": [{ "http_status": [429] }, { "terminal": ["failed"] }] }]);
    let one = with(rule("a.one", "rate_limited", ("message", 50), usage()), "with", companion);
    let other = rule("a.two", "quota_limited", ("message", 50), usage());
    let analysis = analysis(&[one, other]);
    let witness = analysis.collisions[0].witness.clone().unwrap();
    assert_eq!(witness.signals.len(), 2);
    assert_eq!(witness.signals[0].http_status, Some(429));
}

#[test]
fn what_people_see() {
    let status = |low: i64, high: i64| json!({ "all": [{ "http_status": { "min": low, "max": high } }] });
    let rules = [
        rule(
            "a.code",
            "rate_limited",
            ("cause", 50),
            json!({ "all": [field(json!("/error/code"), "regex", json!("rate_[a-z]+"))] }),
        ),
        rule(
            "a.code-two",
            "quota_limited",
            ("cause", 50),
            json!({ "all": [field(json!("/error/code"), "regex", json!("[a-z]+_limit"))] }),
        ),
        rule(
            "a.status",
            "provider_overloaded",
            ("cause", 50),
            json!({ "all": [{ "header": { "name": "x-reason", "equals": "overloaded" } }] }),
        ),
        rule(
            "a.words",
            "quota_limited",
            ("message", 50),
            json!({ "all": [phrase("usage limit"), phrase("upgrade to")] }),
        ),
        rule(
            "a.words-two",
            "rate_limited",
            ("message", 50),
            json!({ "all": [phrase("usage limit"), phrase("slow down")] }),
        ),
        rule("b.narrow", "rate_limited", ("generic", 40), status(429, 429)),
        rule("b.wide", "provider_unavailable", ("generic", 41), status(400, 599)),
        rule(
            "c.never",
            "provider_unavailable",
            ("message", 50),
            json!({ "all": [phrase("the usage limit is reached")], "none": [phrase("usage limit")] }),
        ),
        rule(
            "d.huge",
            "provider_unavailable",
            ("cause", 60),
            json!({ "all": [field(json!("/x"), "regex", json!("[ab]{1,200}a[ab]{24}c"))] }),
        ),
        rule(
            "d.prefix",
            "rate_limited",
            ("cause", 60),
            json!({ "all": [field(json!("/x"), "prefix", json!("ab"))] }),
        ),
        rule(
            "e.many",
            "rate_limited",
            ("generic", 10),
            json!({ "all": [
            field(json!(["/a", "/b", "/c", "/d"]), "exists", json!(true)),
            field(json!(["/e", "/f", "/g", "/h"]), "exists", json!(true)),
            field(json!(["/i", "/j", "/k", "/l", "/m"]), "exists", json!(true)),
        ] }),
        ),
    ];
    let shown: Vec<String> =
        analysis(&rules).findings.iter().map(|finding| render(finding, Colours::Plain)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_rule_is_hidden_only_where_inclusion_is_proven() {
    let hidden = |inner: Value, outer: Value| {
        let rules = [
            rule("a.inner", "rate_limited", ("message", 50), inner),
            rule("a.outer", "quota_limited", ("message", 60), outer),
        ];
        analysis(&rules).findings.iter().any(|finding| finding.code == codes::SHADOWED)
    };
    let all = |atoms: Value| json!({ "all": atoms });
    assert!(hidden(all(json!([phrase("usage limit reached")])), all(json!([phrase("usage limit")]))));
    assert!(!hidden(all(json!([phrase("usage limit")])), all(json!([phrase("usage limit reached")]))));
    let narrowed = json!({ "all": [phrase("usage limit")], "none": [phrase("reached today")] });
    assert!(!hidden(all(json!([phrase("usage limit reached")])), narrowed.clone()));
    let twice = json!({ "all": [phrase("usage limit reached")], "none": [phrase("today")] });
    assert!(hidden(twice, narrowed));
    let prefix = all(json!([field(json!("/c"), "prefix", json!("rate_"))]));
    assert!(hidden(all(json!([field(json!("/c"), "regex", json!("rate_[a-z]+"))])), prefix.clone()));
    assert!(!hidden(all(json!([field(json!("/c"), "regex", json!("rat[a-z]_[a-z]+"))])), prefix));
}

#[test]
fn thousands_of_rules_are_compared_in_few_pairs() {
    let mut rules = Vec::new();
    for index in 0..2_000 {
        let code = if index % 2 == 0 { "rate_limited" } else { "quota_limited" };
        let (id, value) = (format!("a.rule-{index}"), json!(format!("value_{index}")));
        let words = format!("the words number{index}x of a rule");
        rules.push(rule(
            &id,
            code,
            ("cause", 50),
            json!({ "all": [field(json!("/error/code"), "equals", value)] }),
        ));
        rules.push(rule(
            &format!("b.rule-{index}"),
            code,
            ("message", 50),
            json!({ "all": [phrase(&words)] }),
        ));
    }
    let analysis = analysis(&rules);
    assert_eq!((analysis.findings.len(), analysis.collisions.len()), (0, 0));
    assert!(analysis.compared < 10_000, "{}", analysis.compared);
}

#[test]
fn a_bug_of_the_analyser_is_reported_as_one() {
    let rules = [
        rule("a.one", "rate_limited", ("message", 50), json!({ "all": [phrase("usage limit")] })),
        rule("a.two", "quota_limited", ("message", 50), json!({ "all": [phrase("quota is used up")] })),
    ];
    let prepared = rules.each_ref().map(|rule| Prepared {
        rule,
        document: None,
        terms: Vec::new(),
        strength: (rule.band, rule.rank()),
    });
    let envelope = Envelope::of(vec![faultbook_evidence::Signal::new(faultbook_evidence::Channel::Log)]);
    assert!(!witness::reproduces(&rules[0], &rules[1], &[], &envelope));
    let finding = findings::not_reproduced(&prepared[0], &prepared[1], &envelope);
    insta::assert_snapshot!(render(&finding, Colours::Plain));
}
