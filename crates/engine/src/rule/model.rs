//! The rule itself.

use faultbook_taxonomy::{Agent, Band, Code, Confidence, Provider, Scope, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{HintRule, Match};

/// The schema name that every rule file carries.
pub const RULE_SCHEMA: &str = "faultbook.rule/1";

/// What a rule does with a statement that it matches.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Names a code.
    #[default]
    Rule,
    /// Marks the announcement of an attempt that the agent goes on to retry.
    Notice,
    /// Removes matches inside its own statement: healthy telemetry, warnings before a limit.
    Healthy,
    /// Promotes the assistant's answer, or its last line, to the agent's own words.
    Speaker,
}

/// How far a rule has been proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not all conditions are met; such a rule never authorises work.
    Experimental,
    /// All mutants killed, a positive that is not synthetic, two near-miss negatives, a reference.
    Stable,
    /// Kept for old evidence; to be retired.
    Deprecated,
}

/// Whose evidence the rule applies to. Empty or absent means any; an absent value in the evidence satisfies it,
/// another value does not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Applies {
    /// Agents; the head of a family stands for its adapters too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Agent>,
    /// Providers; the head of a family stands for its members too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<Provider>,
}

impl Applies {
    /// Whether it names nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty() && self.providers.is_empty()
    }
}

/// Where a fact of the rule comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// A public address.
    pub url: String,
    /// The day it was read, as YYYY-MM-DD.
    pub seen: String,
    /// What it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A mutant of the rule that no case can tell from it, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// The mutant's name, as the check prints it.
    pub mutant: String,
    /// Why no case can kill it.
    pub reason: String,
}

/// One rule of a pack: evidence on one side, meaning on the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// `faultbook.rule/1`.
    pub schema: String,
    /// `family.name[.detail]` in lower case with dots and hyphens; the file's stem. Immutable, never reused.
    #[schemars(
        regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*){1,3}$"),
        length(max = 80)
    )]
    pub id: String,
    /// What the rule does with its statement.
    #[serde(default)]
    pub kind: Kind,
    /// Rises whenever match, code, band, rank or confidence change.
    #[schemars(range(min = 1))]
    pub revision: u32,
    /// One line that says what the rule recognises.
    #[schemars(length(min = 8, max = 160))]
    pub title: String,
    /// How far the rule has been proven.
    pub status: Status,
    /// The pack version that brought the rule.
    pub since: String,
    /// The code that the evidence means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// `high` may authorise automatic work, `medium` informs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The strength of the evidence; it must be deserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<Band>,
    /// 0 to 99, higher wins within the band; 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 99))]
    pub rank: Option<u8>,
    /// What the failure says about health; by default the code's own scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The length of the limit's window, where the evidence states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Whose evidence the rule applies to.
    #[serde(default, skip_serializing_if = "Applies::is_empty")]
    pub applies: Applies,
    /// What one statement must satisfy.
    #[serde(rename = "match")]
    pub matches: Match,
    /// Companions: each must be satisfied by another trusted signal of the same attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Match>,
    /// Where the evidence may say when to try again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<HintRule>,
    /// Where the facts come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// Mutants that no case can tell from the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equivalent: Vec<Equivalent>,
    /// Free notes; the engine does not read them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

impl Rule {
    /// The rank within the band: 50 unless the rule says otherwise.
    #[must_use]
    pub fn rank(&self) -> u8 {
        self.rank.unwrap_or(50)
    }
}
