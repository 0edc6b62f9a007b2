//! The files beside the rules: manifest, ambiguous values, tombstones.

use faultbook_document::Document;
use semver::Version;
use serde::Deserialize;
use serde_json::Value;

use super::findings::{At, Findings};
use super::{atoms, codes, versions};
use crate::rule::AmbiguousValue;

/// Checks `pack.yaml`; returns the pack's version if it is one.
pub(super) fn manifest(document: &Document, findings: &mut Findings<'_>) -> Option<Version> {
    let manifest = document.json();
    versions::engine(manifest.get("engine"), "/engine", findings);
    versions::taxonomy(manifest.get("taxonomy"), "/taxonomy", findings);
    versions::version(manifest.get("version"), "/version", findings)
}

/// Checks `ambiguous.yaml`.
pub(super) fn ambiguous(document: &Document, findings: &mut Findings<'_>) {
    for (index, entry) in entries(document, "values") {
        let Ok(entry) = AmbiguousValue::deserialize(entry) else { continue };
        atoms::pointers(&entry.at, &format!("/values/{index}/at"), findings);
        atoms::scalar(&entry.value, &format!("/values/{index}/value"), findings);
        for (number, status) in entry.generic_for.iter().enumerate() {
            if !(100..=599).contains(status) {
                let pointer = format!("/values/{index}/generic_for/{number}");
                let message = format!("{status} is no HTTP status");
                let help = "statuses go from 100 to 599";
                findings.error(codes::STATUS_OUT_OF_RANGE, At::Value(&pointer), message, help);
            }
        }
    }
}

/// The ambiguous values that can be read.
pub(super) fn ambiguous_values(document: &Document) -> Vec<AmbiguousValue> {
    entries(document, "values").filter_map(|(_, entry)| AmbiguousValue::deserialize(entry).ok()).collect()
}

/// Checks the versions of `retired.yaml`; its ids are checked against the whole pack.
pub(super) fn retired(document: &Document, own: Option<&Version>, findings: &mut Findings<'_>) {
    for (index, entry) in entries(document, "retired") {
        versions::no_later(entry.get("last"), &format!("/retired/{index}/last"), own, findings);
    }
}

/// The items of a list at the top of a document, with their indexes.
pub(super) fn entries<'d>(document: &'d Document, key: &str) -> impl Iterator<Item = (usize, &'d Value)> {
    document.json().get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
}
