//! Overlays: what a host may change about loaded packs without editing them.

use faultbook_taxonomy::Confidence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A host's changes. It cannot touch a rule's match or code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// `faultbook.overlay/1`.
    pub schema: String,
    /// The changes, one a rule.
    pub rules: Vec<OverlayEntry>,
}

/// A change to one rule: at least one of `disable`, `confidence` and `rank` is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverlayEntry {
    /// The rule's id.
    pub id: String,
    /// Switches the rule off.
    #[serde(default)]
    pub disable: bool,
    /// Lowers the confidence; it cannot be raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Replaces the rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 99))]
    pub rank: Option<u8>,
    /// Why.
    pub reason: String,
    /// The last day on which the entry applies, as YYYY-MM-DD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}
