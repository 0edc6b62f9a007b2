//! Which bump a change needs, and what is refused.

use faultbook_document::{Colours, render};
use serde_json::{Value, json};

use super::*;
use crate::testing::{catalogue, pack, rule, suite};

fn words(text: &str) -> Value {
    json!({ "all": [{ "text": { "phrases": [text] } }] })
}

fn limited(text: &str) -> Rule {
    rule("a.one", "rate_limited", ("message", 50), words(text))
}

fn case(name: &str, text: &str, expect: Value) -> Value {
    json!({ "name": name, "origin": "synthetic", "evidence": { "signals": [{ "channel": "stderr", "text": text }] }, "expect": expect })
}

/// The difference from one rule to these, under a version, with one old case and one that only the new pack has.
fn changed(version: &str, rules: Vec<Rule>) -> Diff {
    changed_from(vec![limited("usage limit")], version, rules)
}

fn changed_from(before: Vec<Rule>, version: &str, rules: Vec<Rule>) -> Diff {
    let old_case = case("limit", "usage limit", json!({ "code": "rate_limited" }));
    let new_case = case("quota", "quota is used up", json!({ "state": "unclassified" }));
    let old_suites = [suite("a.one", json!({ "positive": [old_case.clone()] }))];
    let new_suites = [suite("a.one", json!({ "positive": [old_case], "negative": [new_case] }))];
    let (old_pack, new_pack) = (pack("1.2.3", before.clone()), pack(version, rules.clone()));
    let (old, new) = (catalogue(before), catalogue(rules));
    diff(
        Edition { pack: &old_pack, catalogue: &old, suites: &old_suites, manifest: "old/pack.yaml" },
        Edition { pack: &new_pack, catalogue: &new, suites: &new_suites, manifest: "new/pack.yaml" },
    )
}

#[test]
fn the_needed_bump_follows_from_what_changed() {
    let base = || limited("usage limit");
    let revised = |mut rule: Rule| {
        rule.revision = 2;
        rule
    };
    let quota = |text: &str, rank: u8| rule("b.two", "quota_limited", ("message", rank), words(text));
    let medium_to_high = || {
        let mut rule = revised(base());
        rule.confidence = Some(Confidence::High);
        rule
    };
    let title = || Rule { title: "Another title".into(), ..base() };
    for (name, rules, expected) in [
        ("nothing", vec![base()], Bump::None),
        ("wording", vec![title()], Bump::Patch),
        ("a new rule that matches nothing known", vec![base(), quota("other words", 50)], Bump::Minor),
        ("a newly recognised case", vec![base(), quota("quota is used up", 50)], Bump::Minor),
        ("another confidence", vec![medium_to_high()], Bump::Minor),
        ("another code for an old case", vec![base(), quota("usage limit", 60)], Bump::Major),
        ("a conflict where there was a code", vec![base(), quota("usage limit", 50)], Bump::Major),
        ("a code that is no longer given", vec![revised(limited("usage limits"))], Bump::Major),
    ] {
        let diff = changed("9.0.0", rules);
        assert_eq!(diff.needed, expected, "{name}");
        assert_eq!(diff.findings, [], "{name}");
    }
}

#[test]
fn versions_rise_by_the_needed_bump() {
    let from = Version::new(1, 2, 3);
    let applied: Vec<String> = [Bump::None, Bump::Patch, Bump::Minor, Bump::Major]
        .map(|bump| bump.applied(&from).to_string())
        .to_vec();
    assert_eq!(applied, ["1.2.3", "1.2.4", "1.3.0", "2.0.0"]);
}

#[test]
fn a_corpus_counts_like_old_cases() {
    let before = vec![
        limited("usage limit"),
        rule("b.two", "quota_limited", ("message", 50), words("quota is used up")),
    ];
    let after = vec![
        limited("usage limit"),
        rule("b.two", "subscription_required", ("message", 50), words("quota is used up")),
    ];
    let (old_pack, new_pack) = (pack("1.0.0", before.clone()), pack("2.0.0", after.clone()));
    let (old, new) = (catalogue(before), catalogue(after));
    let mut comparison = Comparison::of(
        Edition { pack: &old_pack, catalogue: &old, suites: &[], manifest: "old/pack.yaml" },
        Edition { pack: &new_pack, catalogue: &new, suites: &[], manifest: "new/pack.yaml" },
    );
    let signal =
        faultbook_evidence::Signal::text(faultbook_evidence::Channel::Stderr, "the quota is used up");
    let envelope = Envelope::of(vec![signal]);
    comparison.add_records([("r1", &envelope)]);
    let diff = comparison.finish();
    assert_eq!(diff.needed, Bump::Major);
    assert_eq!(diff.changes[0].evidence, Evidence::Record("r1".into()));
}

#[test]
fn what_people_see() {
    let quota = rule("b.two", "quota_limited", ("message", 60), words("usage limit"));
    let gone = rule("c.gone", "quota_limited", ("generic", 1), words("something else"));
    let moved = limited("usage limit").clone();
    let moved = Rule { rank: Some(51), ..moved };
    let reports = [
        changed("1.3.0", vec![limited("usage limit"), quota]),
        changed(
            "1.2.4",
            vec![
                limited("usage limit"),
                rule("c.new", "quota_limited", ("generic", 1), words("something else")),
            ],
        ),
        changed("1.2.3", vec![moved]),
        changed_from(vec![limited("usage limit"), gone], "1.3.0", vec![limited("usage limit")]),
    ];
    let shown: Vec<String> =
        reports.iter().flat_map(|diff| &diff.findings).map(|one| render(one, Colours::Plain)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}
