//! What stands beside the rules of a pack: its manifest, its ambiguous values and its tombstones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Pointers, Rule};

/// `pack.yaml`: who the pack is and what it needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// `faultbook.pack/1`.
    pub schema: String,
    /// The pack's id, in lower case with hyphens.
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"), length(max = 64))]
    pub id: String,
    /// The pack's version, as semver.
    pub version: String,
    /// One line that says what the pack holds.
    pub title: String,
    /// The licence of the pack, as an SPDX expression.
    pub licence: String,
    /// The engine versions that can load it, as a semver requirement.
    pub engine: String,
    /// The taxonomy version that it was written for.
    pub taxonomy: String,
    /// Free notes; the engine does not read them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// `ambiguous.yaml`: structured values known to cover several causes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ambiguous {
    /// `faultbook.ambiguous/1`.
    pub schema: String,
    /// The values.
    pub values: Vec<AmbiguousValue>,
}

/// A structured value that covers several causes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AmbiguousValue {
    /// The JSON pointers at which it stands.
    pub at: Pointers,
    /// The value.
    pub value: Value,
    /// HTTP statuses for which the value says no more than the status does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generic_for: Vec<u16>,
    /// The causes that it is known to cover.
    pub note: String,
}

/// `retired.yaml`: rules that once were.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// `faultbook.retired/1`.
    pub schema: String,
    /// The tombstones.
    pub retired: Vec<Tombstone>,
}

/// A rule that once was. Its id is never used again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tombstone {
    /// The rule's id.
    pub id: String,
    /// The last pack version that held it.
    pub last: String,
    /// The rule that took its place, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successor: Option<String>,
    /// Why it went.
    pub reason: String,
}

/// A pack as loaded: every file read, checked and typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// Who it is.
    pub manifest: Manifest,
    /// Its rules, by id.
    pub rules: Vec<Rule>,
    /// Its ambiguous values.
    pub ambiguous: Vec<AmbiguousValue>,
    /// Its tombstones.
    pub retired: Vec<Tombstone>,
}
