//! How a candidate names its policy: one that is built in, or a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::class_policy::ClassPolicy;
use faultbook_taxonomy::words;

words! {
    /// The policies that are built in.
    pub enum BuiltIn {
        /// Exactly the unattended table.
        Standard = "standard",
        /// No retry, no wait, the next candidate.
        Immediate = "immediate",
    }
}

impl BuiltIn {
    /// The policy of that name.
    #[must_use]
    pub const fn policy(self) -> ClassPolicy {
        match self {
            Self::Standard => ClassPolicy::standard(),
            Self::Immediate => ClassPolicy::immediate(),
        }
    }
}

/// A candidate's policy. There is no default: a candidate has to name one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CandidatePolicy {
    /// By name.
    BuiltIn(BuiltIn),
    /// By document.
    Document(ClassPolicy),
}

impl CandidatePolicy {
    /// The policy itself.
    #[must_use]
    pub const fn policy(&self) -> ClassPolicy {
        match self {
            Self::BuiltIn(name) => name.policy(),
            Self::Document(policy) => *policy,
        }
    }
}

impl std::fmt::Display for CandidatePolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BuiltIn(name) => name.fmt(f),
            Self::Document(_) => f.pad("document"),
        }
    }
}
