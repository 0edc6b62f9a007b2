//! Questions: what one dimension of a statement is asked, and whether an answer satisfies it.
//!
//! A dimension is a place (the HTTP status, a JSON pointer, a header …). An answer is a JSON value; null stands for
//! absence, as it does in the engine.

use std::sync::Arc;

use faultbook_engine::pattern::{Pattern, Use};
use faultbook_engine::rule::{FieldAtom, FieldTest, Numbers, field_test};
use serde_json::Value;

use super::language::Machine;

/// One dimension of a statement and its turn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Agent,
    Provider,
    Channel,
    Phase,
    Terminal,
    HttpStatus,
    ExitCode,
    RpcCode,
    /// A header, by lower-case name.
    Header(String),
    /// A value of the statement's JSON, by pointer.
    Field(String),
}

impl Place {
    /// Whether every signal of the turn gives the same answer.
    pub(crate) const fn is_of_turn(&self) -> bool {
        match self {
            Self::Agent | Self::Provider | Self::Phase | Self::Terminal | Self::ExitCode => true,
            Self::Channel | Self::HttpStatus | Self::RpcCode | Self::Header(_) | Self::Field(_) => false,
        }
    }
}

/// A whole-field pattern: as the engine matches it, and as an automaton.
#[derive(Debug)]
pub(crate) struct Language {
    pattern: Pattern,
    pub(crate) machine: Machine,
}

/// What is asked about one place.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    /// One of these scalars or words.
    OneOf(Vec<Value>),
    Numbers(Numbers),
    Prefix(String),
    Pattern(Arc<Language>),
    /// Anything at all.
    There,
    Between(Option<f64>, Option<f64>),
}

impl Test {
    /// One of these words.
    pub(crate) fn words(words: impl IntoIterator<Item = &'static str>) -> Self {
        Self::OneOf(words.into_iter().map(Value::from).collect())
    }

    /// The test of a field atom, and whether it is wanted: `exists: false` asks for nothing to be there. `None` for
    /// atoms that loading refuses.
    pub(crate) fn of_field(atom: &FieldAtom) -> Option<(Self, bool)> {
        Some(match field_test(atom)? {
            FieldTest::Within(values) => (Self::OneOf(values.to_vec()), true),
            FieldTest::Prefix(prefix) => (Self::Prefix(prefix.to_owned()), true),
            FieldTest::Regex(source) => {
                let pattern = Pattern::new(source, Use::Field).ok()?;
                (Self::Pattern(Arc::new(Language { pattern, machine: Machine::of_field(source) })), true)
            }
            FieldTest::Exists(exists) => (Self::There, exists),
            FieldTest::Between(min, max) => (Self::Between(min, max), true),
        })
    }

    /// Whether the answer satisfies the test, by the engine's rules.
    pub(crate) fn holds(&self, answer: &Value) -> bool {
        match self {
            Self::There => !answer.is_null(),
            Self::OneOf(values) => values.contains(answer),
            Self::Numbers(numbers) => answer.as_i64().is_some_and(|number| numbers.contains(number)),
            Self::Prefix(prefix) => answer.as_str().is_some_and(|text| text.starts_with(prefix)),
            Self::Pattern(language) => answer
                .as_str()
                .is_some_and(|text| language.pattern.find(text.as_bytes(), text.len().max(1)).is_some()),
            Self::Between(min, max) => answer.as_f64().is_some_and(|number| {
                min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
            }),
        }
    }

    /// The only answers that satisfy the test, where they can be listed.
    pub(crate) fn listed(&self) -> Option<Vec<Value>> {
        match self {
            Self::OneOf(values) => Some(values.clone()),
            Self::Numbers(Numbers::Values(values)) => Some(values.iter().copied().map(Value::from).collect()),
            Self::Numbers(Numbers::Range(_))
            | Self::Prefix(_)
            | Self::Pattern(_)
            | Self::There
            | Self::Between(..) => None,
        }
    }
}

/// A test that must hold, or must not.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) test: Test,
    pub(crate) wanted: bool,
}

impl Question {
    pub(crate) const fn new(test: Test, wanted: bool) -> Self {
        Self { test, wanted }
    }

    pub(crate) fn is_satisfied(&self, answer: &Value) -> bool {
        self.test.holds(answer) == self.wanted
    }

    /// The same test, with the opposite wish.
    pub(crate) fn opposite(&self) -> Self {
        Self { test: self.test.clone(), wanted: !self.wanted }
    }
}
