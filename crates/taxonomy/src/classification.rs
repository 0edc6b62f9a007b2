//! The engine's answer: what went wrong, how sure, and on which rule's word.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words;
use crate::{Class, Code, Confidence, Effects, Scope, Sight, SightLost, Window};

/// The schema name that every classification carries.
pub const CLASSIFICATION_SCHEMA: &str = "faultbook.classification/1";

words! {
    /// What kind of answer it is.
    pub enum State {
        /// One code won.
        Classified = "classified",
        /// No code may be given; `reason` says why.
        Unclassified = "unclassified",
        /// The turn completed and nothing overrides that.
        NoFailure = "no_failure",
    }
}

words! {
    /// Why an answer is `unclassified`.
    pub enum Reason {
        /// Nothing matched.
        None = "none",
        /// Candidates of different codes that nothing separates.
        Conflict = "conflict",
        /// No signal belongs to the current generation.
        Stale = "stale",
        /// The evidence is not of the foreground turn.
        Uncorrelated = "uncorrelated",
    }
}

words! {
    /// The strength of the evidence that a rule matches on, from weak to strong.
    pub enum Band {
        /// Statuses, exit codes, generic words and ambiguous values.
        Generic = "generic",
        /// A phrase that an agent or provider is known to print.
        Message = "message",
        /// A structured value that names the cause.
        Cause = "cause",
    }
}

/// The rule that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RuleReference {
    /// The rule's immutable id.
    pub id: String,
    /// The rule's revision when it answered.
    pub revision: u32,
    /// The id of the pack that holds it.
    pub pack: String,
    /// The pack's version.
    pub pack_version: String,
}

/// When the provider says that it is worth trying again. All of it is optional.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Hints {
    /// The wait as the evidence states it, in seconds; null where it states an instant instead.
    pub retry_after_s: Option<f64>,
    /// The instant of the reset, in UTC.
    #[schemars(with = "Option<String>")]
    pub reset_at: Option<Timestamp>,
    /// The length of the limit's window, where the evidence states it.
    pub window: Option<Window>,
    /// Where the hint was read, such as `header:retry-after` or `field:/error/resets_at`.
    pub source: Option<String>,
}

/// A rule that matched, kept where no code may be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// The code that the rule stands for.
    pub code: Code,
    /// The rule's id.
    pub rule: String,
    /// The rule's band.
    pub band: Band,
    /// The rule's rank within its band, 0 to 99.
    pub rank: u8,
    /// The confidence that it would have had.
    pub confidence: Confidence,
}

/// One answer to one evidence envelope. Everything in it has passed the sanitiser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Classification {
    /// `faultbook.classification/1`.
    pub schema: String,
    /// The envelope's id, echoed.
    pub id: Option<String>,
    /// What kind of answer it is.
    pub state: State,
    /// Why it is unclassified; null otherwise.
    pub reason: Option<Reason>,
    /// The semantic code; null unless classified.
    pub code: Option<Code>,
    /// The code's policy class; `unclassified` unless classified.
    pub class: Class,
    /// How far it may be relied on; null unless classified.
    pub confidence: Option<Confidence>,
    /// What the failure says about health; null unless classified.
    pub scope: Option<Scope>,
    /// The rule that won; null unless classified.
    pub rule: Option<RuleReference>,
    /// The digest of the catalogue that answered.
    pub catalogue: String,
    /// When it is worth trying again.
    pub hints: Hints,
    /// The effects that remain after classification.
    pub effects: Effects,
    /// How much of the turn was seen; null where the evidence does not say.
    #[serde(default)]
    pub sight: Option<Sight>,
    /// Where sight was lost, and why; null unless it is partial.
    #[serde(default)]
    pub sight_lost: Option<SightLost>,
    /// What matched, where no code could be given.
    pub candidates: Vec<Candidate>,
    /// The envelope's signals that the answer rests on, by index.
    pub signals: Vec<usize>,
    /// The sanitised words that the winning rule matched in, at most 4 KiB.
    pub excerpt: Option<String>,
    /// What a reader should know: what was cut, dropped or ignored.
    pub notes: Vec<String>,
}

impl Classification {
    /// An answer that gives no code.
    #[must_use]
    pub fn unclassified(id: Option<String>, reason: Reason, catalogue: String) -> Self {
        Self {
            schema: CLASSIFICATION_SCHEMA.to_owned(),
            id,
            state: State::Unclassified,
            reason: Some(reason),
            code: None,
            class: Class::Unclassified,
            confidence: None,
            scope: None,
            rule: None,
            catalogue,
            hints: Hints::default(),
            effects: Effects::default(),
            sight: None,
            sight_lost: None,
            candidates: Vec::new(),
            signals: Vec::new(),
            excerpt: None,
            notes: Vec::new(),
        }
    }
}
