//! Small packs and suites for tests, built in code.

use std::collections::BTreeMap;

use faultbook_engine::pack::LoadedPack;
use faultbook_engine::rule::{Manifest, Pack, Rule};
use faultbook_engine::{Catalogue, PackTrust};
use serde_json::{Map, Value, json};

use crate::fixture::{Suite, read_suite};

/// A stable rule that applies to everyone, with this band and rank.
pub(crate) fn rule(id: &str, code: &str, strength: (&str, u8), matches: Value) -> Rule {
    let (band, rank) = strength;
    serde_json::from_value(json!({
        "schema": "faultbook.rule/1", "id": id, "revision": 1, "title": "A rule for a test",
        "status": "stable", "since": "1.0.0", "code": code, "confidence": "medium",
        "band": band, "rank": rank, "match": matches,
    }))
    .unwrap()
}

/// A pack of these rules.
pub(crate) fn pack(version: &str, rules: Vec<Rule>) -> LoadedPack {
    let manifest = Manifest {
        schema: "faultbook.pack/1".into(),
        id: "test".into(),
        version: version.into(),
        title: "A pack for a test".into(),
        licence: "MIT".into(),
        engine: ">=1.0.0, <2.0.0".into(),
        taxonomy: "1.0.0".into(),
        metadata: Map::new(),
    };
    let pack = Pack { manifest, rules, ambiguous: Vec::new(), retired: Vec::new() };
    LoadedPack { pack, warnings: Vec::new(), documents: BTreeMap::new() }
}

/// These rules compiled.
pub(crate) fn catalogue(rules: Vec<Rule>) -> Catalogue {
    Catalogue::compile(vec![(pack("1.0.0", rules).pack, PackTrust::Trusted)], None).unwrap()
}

/// The suite of a rule, from its cases as in the file.
pub(crate) fn suite(rule: &str, cases: Value) -> Suite {
    let file = json!({ "schema": "faultbook.fixture/1", "rule": rule, "cases": cases });
    let (suite, problems) = read_suite("test", &format!("{rule}.yaml"), file.to_string().as_bytes());
    assert_eq!(problems, []);
    suite.unwrap()
}
