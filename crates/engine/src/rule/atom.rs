//! Atoms: the smallest things that a rule can ask of the evidence.

use faultbook_evidence::Channel;
use faultbook_taxonomy::{Phase, Terminal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What one statement must satisfy: all of `all`, one of `any`, none of `none`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Every one of these must hold. The `field` atoms among them must hold in one JSON root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<Atom>,
    /// At least one of these must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<Atom>,
    /// None of these may hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub none: Vec<Atom>,
}

/// One question to the evidence, written as a map with a single key. A missing or ill-typed value makes it
/// false, never an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Atom {
    /// The statement's channel is one of these.
    Channel(Vec<Channel>),
    /// The turn's phase is one of these.
    Phase(Vec<Phase>),
    /// The turn ended in one of these ways.
    Terminal(Vec<Terminal>),
    /// The signal's HTTP status is one of these.
    HttpStatus(Numbers),
    /// The turn's exit code is one of these.
    ExitCode(Numbers),
    /// The signal's JSON-RPC code is one of these.
    RpcCode(Numbers),
    /// A retry or rate-limit header of the signal.
    Header(HeaderAtom),
    /// A value in a JSON root of the statement.
    Field(FieldAtom),
    /// The statement's text, or a string inside its JSON.
    Text(TextAtom),
    /// The statement is the whole output or answer. Only `true` makes sense.
    Whole(bool),
    /// All of these hold, their `field` atoms in one root.
    All(Vec<Atom>),
    /// At least one of these holds.
    Any(Vec<Atom>),
    /// None of these holds.
    None(Vec<Atom>),
}

/// Whole numbers: a list of values, or a range with both ends included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Numbers {
    /// One of these values.
    Values(Vec<i64>),
    /// A value from `min` to `max`.
    Range(Range),
}

/// A range of whole numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The smallest value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
}

impl Numbers {
    /// Whether the number is among them.
    #[must_use]
    pub fn contains(&self, number: i64) -> bool {
        match self {
            Self::Values(values) => values.contains(&number),
            Self::Range(range) => (range.min..=range.max).contains(&number),
        }
    }
}

/// One JSON pointer or several, of which the first that exists is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Pointers {
    /// A single pointer.
    One(String),
    /// Several pointers, in order.
    Many(Vec<String>),
}

impl Pointers {
    /// The pointers in order.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(pointer) => std::slice::from_ref(pointer),
            Self::Many(pointers) => pointers,
        }
    }
}

/// A header by name, with at most one test; without a test it only has to be there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeaderAtom {
    /// The header's name, in any case.
    pub name: String,
    /// The value is exactly this, in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<String>,
    /// The value is one of these, in any case.
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub within: Option<Vec<String>>,
    /// The header is there (`true`) or not (`false`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
}

/// A value in a JSON root, with exactly one test (`min` and `max` may stand together).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldAtom {
    /// JSON pointers from the root; the first that exists is tested.
    pub at: Pointers,
    /// The value is exactly this scalar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
    /// The value is one of these scalars.
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub within: Option<Vec<Value>>,
    /// The value is a string that begins with this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The value is a string that this pattern matches as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    /// The value is there (`true`) or not (`false`). A JSON null is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
    /// The value is a number of at least this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The value is a number of at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// A question to the words of the statement, with exactly one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextAtom {
    /// One of these phrases occurs, in any case. Where a phrase begins or ends with a letter or digit, that
    /// edge must be a word edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrases: Option<Vec<String>>,
    /// This pattern matches somewhere, in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    /// The text is exactly this, in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<String>,
    /// The text begins with this, in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<String>,
}

/// The one test of a field atom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldTest<'r> {
    /// One of these scalars.
    Within(&'r [Value]),
    /// A string that begins with this.
    Prefix(&'r str),
    /// A string that this pattern matches as a whole.
    Regex(&'r str),
    /// There, or not.
    Exists(bool),
    /// A number within these ends.
    Between(Option<f64>, Option<f64>),
}

/// The one test of a text atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextTest<'r> {
    /// One of these phrases occurs.
    Phrases(&'r [String]),
    /// The pattern matches somewhere.
    Regex(&'r str),
    /// The text is exactly this.
    Equals(&'r str),
    /// The text begins with this.
    Starts(&'r str),
}

/// The test of a field atom; `None` where it has none or more than one.
#[must_use]
pub fn field_test(atom: &FieldAtom) -> Option<FieldTest<'_>> {
    let between =
        (atom.min.is_some() || atom.max.is_some()).then_some(FieldTest::Between(atom.min, atom.max));
    only([
        atom.equals.as_ref().map(|value| FieldTest::Within(std::slice::from_ref(value))),
        atom.within.as_deref().map(FieldTest::Within),
        atom.prefix.as_deref().map(FieldTest::Prefix),
        atom.regex.as_deref().map(FieldTest::Regex),
        atom.exists.map(FieldTest::Exists),
        between,
    ])
}

/// The test of a text atom; `None` where it has none or more than one.
#[must_use]
pub fn text_test(atom: &TextAtom) -> Option<TextTest<'_>> {
    only([
        atom.phrases.as_deref().map(TextTest::Phrases),
        atom.regex.as_deref().map(TextTest::Regex),
        atom.equals.as_deref().map(TextTest::Equals),
        atom.starts.as_deref().map(TextTest::Starts),
    ])
}

/// Whether a header atom has at most one test.
#[must_use]
pub fn header_test(atom: &HeaderAtom) -> bool {
    let tests = [atom.equals.is_some(), atom.within.is_some(), atom.exists.is_some()];
    tests.iter().filter(|there| **there).count() <= 1
}

fn only<T: Copy, const N: usize>(tests: [Option<T>; N]) -> Option<T> {
    let mut there = tests.into_iter().flatten();
    there.next().filter(|_| there.next().is_none())
}
