//! A catalogue with one rule replaced answers like one that was compiled with that rule.

use faultbook_engine::rule::{Manifest, Pack, Rule};
use faultbook_engine::{Catalogue, CompileFault, PackTrust};
use faultbook_evidence::{Channel, Envelope, Signal};
use serde_json::{Map, Value, json};

fn rule(id: &str, code: &str, matches: Value) -> Rule {
    serde_json::from_value(json!({
        "schema": "faultbook.rule/1", "id": id, "revision": 1, "title": "A rule for a test",
        "status": "stable", "since": "1.0.0", "code": code, "confidence": "medium", "band": "message",
        "match": matches,
    }))
    .expect("a rule")
}

fn catalogue(rules: Vec<Rule>) -> Catalogue {
    let manifest = Manifest {
        schema: "faultbook.pack/1".into(),
        id: "test".into(),
        version: "1.0.0".into(),
        title: "A pack for a test".into(),
        licence: "MIT".into(),
        engine: "*".into(),
        taxonomy: "*".into(),
        metadata: Map::new(),
    };
    let pack = Pack { manifest, rules, ambiguous: Vec::new(), retired: Vec::new() };
    Catalogue::compile(vec![(pack, PackTrust::Trusted)], None).expect("the rules compile")
}

#[test]
fn a_variant_answers_like_a_fresh_catalogue() {
    let words = |text: &str| json!({ "all": [{ "text": { "phrases": [text] } }] });
    let field = json!({ "all": [{ "field": { "at": "/code", "equals": "busy" } }] });
    let status = json!({ "all": [{ "http_status": [429] }] });
    let other = rule("b.other", "quota_limited", words("quota is used up"));
    let matches = [words("usage limit"), words("overloaded now"), field, status, json!({ "all": [] })];
    let evidence: Vec<Envelope> = [
        Signal::text(Channel::Stderr, "usage limit\noverloaded now"),
        Signal::text(Channel::Stderr, "the quota is used up: usage limit"),
        Signal::data(Channel::Http, json!({ "code": "busy" })),
        Signal { http_status: Some(429), ..Signal::new(Channel::Http) },
    ]
    .into_iter()
    .map(|signal| Envelope::of(vec![signal]))
    .collect();
    for before in &matches {
        let original = catalogue(vec![rule("a.one", "rate_limited", before.clone()), other.clone()]);
        for after in &matches {
            let changed = rule("a.one", "rate_limited", after.clone());
            let variant = original.with_rule(changed.clone()).unwrap();
            let fresh = catalogue(vec![changed, other.clone()]);
            for envelope in &evidence {
                let (mut found, wanted) = (variant.classify(envelope), fresh.classify(envelope));
                found.catalogue.clone_from(&wanted.catalogue);
                assert_eq!(found, wanted, "{before} became {after} on {envelope:?}");
            }
        }
    }
}

#[test]
fn only_a_rule_that_is_there_can_be_replaced() {
    let original = catalogue(vec![rule("a.one", "rate_limited", json!({ "all": [{ "exit_code": [1] }] }))]);
    let stranger = rule("a.two", "rate_limited", json!({ "all": [{ "exit_code": [1] }] }));
    assert!(matches!(original.with_rule(stranger), Err(CompileFault::Shape(_))));
    let broken = rule("a.one", "rate_limited", json!({ "all": [{ "text": {} }] }));
    assert!(matches!(original.with_rule(broken), Err(CompileFault::Shape(_))));
}

#[test]
fn a_healthy_rule_about_facts_alone_is_tried() {
    let healthy: Rule = serde_json::from_value(json!({
        "schema": "faultbook.rule/1", "id": "b.healthy", "kind": "healthy", "revision": 1,
        "title": "A rule for a test", "status": "stable", "since": "1.0.0",
        "match": { "all": [{ "http_status": [200] }] },
    }))
    .unwrap();
    let words = json!({ "all": [{ "text": { "phrases": ["usage limit"] } }] });
    let catalogue = catalogue(vec![rule("a.one", "rate_limited", words), healthy]);
    for (status, code) in [(200, None), (429, Some(faultbook_taxonomy::Code::RateLimited))] {
        let signal = Signal { http_status: Some(status), ..Signal::text(Channel::Http, "usage limit") };
        let envelope = Envelope::of(vec![signal]);
        assert_eq!(catalogue.classify(&envelope).code, code, "{status}");
        assert_eq!(catalogue.classify_exhaustively(&envelope).code, code, "{status}");
    }
}
