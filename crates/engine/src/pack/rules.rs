//! One rule file: everything about it that the schema cannot say.

use faultbook_document::{Document, quoted};
use faultbook_taxonomy::{Band, Confidence};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::bands::{self, Claim};
use super::codes;
use super::condition::Condition;
use super::findings::{At, Findings};
use super::versions;
use super::{atoms, hints, kinds};
use crate::rule::{AmbiguousValue, Applies, Kind};

/// Checks a rule file, valid or not: each part is read on its own, so that all problems come out at once.
pub(super) fn check(
    document: &Document,
    stem: &str,
    ambiguous: &[AmbiguousValue],
    findings: &mut Findings<'_>,
) {
    let rule = document.json();
    file_name(rule, stem, findings);
    let condition = Condition::of_match(rule.get("match").unwrap_or(&Value::Null), "/match");
    if rule.get("match").is_some_and(Value::is_object) && !condition.asks_something() {
        let message = "the match asks for nothing that could be there";
        findings.error(
            codes::MATCH_ASKS_NOTHING,
            At::Key("/match"),
            message,
            "add a condition under `all` or `any`",
        );
    }
    atoms::check(&condition, findings);
    companions(rule, findings);
    let applies: Applies = part(rule, "applies").unwrap_or_default();
    // A kind that does not exist is the schema's business; nothing follows from it.
    if let Some(kind) = rule.get("kind").map_or(Some(Kind::Rule), |kind| Kind::deserialize(kind).ok()) {
        kinds::check(kind, rule, &applies, &condition, findings);
    }
    let claim = Claim {
        band: part::<Band>(rule, "band"),
        confidence: part::<Confidence>(rule, "confidence"),
        has_reference: rule.get("references").and_then(Value::as_array).is_some_and(|all| !all.is_empty()),
        applies: !applies.is_empty(),
    };
    bands::check(&claim, &condition, ambiguous, findings);
    hints::check(rule.get("hints").unwrap_or(&Value::Null), findings);
    for (index, reference) in
        rule.get("references").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        versions::date(reference.get("seen"), &format!("/references/{index}/seen"), findings);
    }
}

fn part<T: DeserializeOwned>(rule: &Value, key: &str) -> Option<T> {
    rule.get(key).and_then(|value| T::deserialize(value).ok())
}

fn file_name(rule: &Value, stem: &str, findings: &mut Findings<'_>) {
    let Some(id) = rule.get("id").and_then(Value::as_str) else { return };
    if id != stem {
        let message = format!("the id {} is not the file's name", quoted(id));
        let help = format!("name the file {}", quoted(&format!("{id}.yaml")));
        findings.error(codes::ID_NOT_FILE_STEM, At::Value("/id"), message, &help);
    }
}

fn companions(rule: &Value, findings: &mut Findings<'_>) {
    for (index, companion) in rule.get("with").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let pointer = format!("/with/{index}");
        let condition = Condition::of_match(companion, &pointer);
        if companion.is_object() && !condition.asks_something() {
            let message = "the companion asks for nothing that could be there";
            let help = "add a condition under `all` or `any`";
            findings.error(codes::MATCH_ASKS_NOTHING, At::Value(&pointer), message, help);
        }
        atoms::check(&condition, findings);
    }
}
