//! Checks on hints.

use faultbook_document::quoted;
use serde::Deserialize;
use serde_json::Value;

use super::atoms;
use super::codes;
use super::findings::{At, Findings};
use super::patterns;
use crate::pattern::Use;
use crate::rule::HintRule;

/// Checks every hint that could be read.
pub(super) fn check(hints: &Value, findings: &mut Findings<'_>) {
    for (index, value) in hints.as_array().into_iter().flatten().enumerate() {
        if let Ok(hint) = HintRule::deserialize(value) {
            check_one(&hint, &format!("/hints/{index}"), findings);
        }
    }
}

fn check_one(hint: &HintRule, pointer: &str, findings: &mut Findings<'_>) {
    if hint.source().is_none() {
        let message = "a hint names exactly one of `field`, `header` and `text`";
        findings.error(codes::HINT_SOURCE, At::Value(pointer), message, "make each source a hint of its own");
    }
    if let Some(field) = &hint.field {
        atoms::pointers(field, &format!("{pointer}/field"), findings);
    }
    if let Some(text) = &hint.text {
        patterns::check(text, Use::Hint, &format!("{pointer}/text"), findings);
    }
    if hint.formats.is_empty() {
        let message = "a hint without a format can never be read";
        findings.error(
            codes::EMPTY_LIST,
            At::Value(&format!("{pointer}/formats")),
            message,
            "name at least one format",
        );
    }
    if let Some(zone) = &hint.zone
        && jiff::tz::TimeZone::get(zone).is_err()
    {
        let message = format!("{} is not a time zone", quoted(zone));
        let help = "use an IANA name such as `America/Los_Angeles`";
        findings.error(codes::UNKNOWN_ZONE, At::Value(&format!("{pointer}/zone")), message, help);
    }
    bounds(hint, pointer, findings);
}

fn bounds(hint: &HintRule, pointer: &str, findings: &mut Findings<'_>) {
    let (min, max) = (hint.min_seconds.unwrap_or(0.0), hint.max_seconds.unwrap_or(f64::INFINITY));
    if min < 0.0 || max < min {
        let key = if hint.max_seconds.is_some() { "max_seconds" } else { "min_seconds" };
        let message = "no wait lies within these bounds";
        let help = "bounds are seconds of at least 0, the smaller one first";
        findings.error(codes::HINT_BOUNDS, At::Value(&format!("{pointer}/{key}")), message, help);
    }
}
