//! Hints in a rule: where its evidence may say when to try again.

use faultbook_evidence::hint::Format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Pointers;

/// What the source states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HintKind {
    /// A wait from the moment the evidence was seen.
    RetryAfter,
    /// The instant of the reset.
    ResetAt,
}

/// One source of a timing hint. Exactly one of `field`, `header` and `text` is given. The first hint that parses
/// and lies within its bounds counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HintRule {
    /// What the source states.
    pub kind: HintKind,
    /// JSON pointers from a root of a trusted statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Pointers>,
    /// A retry or rate-limit header's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// A pattern with one named group `v`, which captures the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The formats to try, in order.
    pub formats: Vec<Format>,
    /// The IANA zone of times that name none, where the provider is known to mean one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Shorter waits are no hints, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_seconds: Option<f64>,
    /// Longer waits are no hints, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_seconds: Option<f64>,
}

/// The one source of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintSource<'r> {
    /// A value in a JSON root.
    Field(&'r [String]),
    /// A header.
    Header(&'r str),
    /// The group `v` of a pattern.
    Text(&'r str),
}

impl HintRule {
    /// The hint's source; `None` where it has none or more than one.
    #[must_use]
    pub fn source(&self) -> Option<HintSource<'_>> {
        match (&self.field, &self.header, &self.text) {
            (Some(field), None, None) => Some(HintSource::Field(field.as_slice())),
            (None, Some(header), None) => Some(HintSource::Header(header)),
            (None, None, Some(text)) => Some(HintSource::Text(text)),
            _ => None,
        }
    }
}
