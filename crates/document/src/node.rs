//! The tree of a document: values that know where they stand.

use serde_json::{Map, Value};

use crate::place::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value stands. For block lists and mappings from the first item to the end of the last.
    pub span: Span,
    /// What it is.
    pub value: NodeValue,
}

/// What a node holds, by the YAML 1.2 core schema.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number or a fraction.
    Number(serde_json::Number),
    /// Text, with the style in which it is written.
    Text(String, TextStyle),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the file, without duplicate keys.
    Mapping(Vec<Entry>),
}

/// One key of a mapping and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// How a text is written in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Without quotes.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes, with escapes.
    DoubleQuoted,
    /// A `|` block.
    Literal,
    /// A `>` block.
    Folded,
}

impl Node {
    /// The same value as JSON. Recursion is bounded by the nesting limit of the reader.
    pub(crate) fn json(&self) -> Value {
        match &self.value {
            NodeValue::Null => Value::Null,
            NodeValue::Boolean(value) => Value::Bool(*value),
            NodeValue::Number(number) => Value::Number(number.clone()),
            NodeValue::Text(text, _) => Value::String(text.clone()),
            NodeValue::List(items) => Value::Array(items.iter().map(Self::json).collect()),
            NodeValue::Mapping(entries) => {
                let entries = entries.iter().map(|entry| (entry.key.clone(), entry.value.json()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        }
    }

    /// The entry of a mapping that one step of a JSON pointer names.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            NodeValue::Mapping(entries) => entries.iter().find(|entry| entry.key == key),
            NodeValue::Null
            | NodeValue::Boolean(_)
            | NodeValue::Number(_)
            | NodeValue::Text(..)
            | NodeValue::List(_) => None,
        }
    }

    /// The item of a list that one step of a JSON pointer names.
    pub(crate) fn item(&self, index: &str) -> Option<&Self> {
        match &self.value {
            NodeValue::List(items) => items.get(index.parse::<usize>().ok()?),
            NodeValue::Null
            | NodeValue::Boolean(_)
            | NodeValue::Number(_)
            | NodeValue::Text(..)
            | NodeValue::Mapping(_) => None,
        }
    }
}
