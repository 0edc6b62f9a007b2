//! A match as a tree of conditions that know where they stand.
//!
//! Each atom is read on its own, so that one broken atom does not hide the problems of the others.

use serde::Deserialize;
use serde_json::Value;

use crate::rule::Atom;

/// One condition of a match.
pub(super) enum Condition {
    /// A leaf.
    Atom {
        /// The pointer of the atom's mapping.
        pointer: String,
        /// The atom; never `all`, `any` or `none`.
        atom: Box<Atom>,
    },
    /// All of these.
    All(Vec<Self>),
    /// One of these.
    Any(Vec<Self>),
    /// None of these.
    None(Vec<Self>),
    /// Something that the schema refused.
    Unreadable,
}

/// A leaf with its surroundings.
pub(super) struct Leaf<'c> {
    /// The pointer of the atom's mapping.
    pub(super) pointer: &'c str,
    /// The atom.
    pub(super) atom: &'c Atom,
    /// True below a `none`.
    pub(super) refused: bool,
    /// True when a structured atom must hold together with this one.
    pub(super) beside_structure: bool,
}

impl Condition {
    /// Reads a `match` mapping.
    pub(super) fn of_match(value: &Value, pointer: &str) -> Self {
        let group = |key: &str| value.get(key).map(|items| Self::items(items, &format!("{pointer}/{key}")));
        let mut parts = group("all").unwrap_or_default();
        parts.extend(group("any").filter(|items| !items.is_empty()).map(Self::Any));
        parts.extend(group("none").filter(|items| !items.is_empty()).map(Self::None));
        Self::All(parts)
    }

    fn items(value: &Value, pointer: &str) -> Vec<Self> {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        let items = items.iter().enumerate();
        items.map(|(index, item)| Self::read(item, format!("{pointer}/{index}"))).collect()
    }

    fn read(value: &Value, pointer: String) -> Self {
        let only = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
        let Some((key, inner)) = only else { return Self::Unreadable };
        let below = format!("{pointer}/{key}");
        match key.as_str() {
            "all" => Self::All(Self::items(inner, &below)),
            "any" => Self::Any(Self::items(inner, &below)),
            "none" => Self::None(Self::items(inner, &below)),
            _ => Atom::deserialize(value)
                .map_or(Self::Unreadable, |atom| Self::Atom { pointer, atom: Box::new(atom) }),
        }
    }

    /// True when every part could be read.
    pub(super) fn is_complete(&self) -> bool {
        match self {
            Self::Atom { .. } => true,
            Self::All(parts) | Self::Any(parts) | Self::None(parts) => parts.iter().all(Self::is_complete),
            Self::Unreadable => false,
        }
    }

    /// True when nothing that fits can do without an atom for which `holds` is true.
    pub(super) fn requires(&self, holds: &dyn Fn(&Atom) -> bool) -> bool {
        match self {
            Self::Atom { atom, .. } => holds(atom),
            Self::All(parts) => parts.iter().any(|part| part.requires(holds)),
            Self::Any(parts) => !parts.is_empty() && parts.iter().all(|part| part.requires(holds)),
            Self::None(_) | Self::Unreadable => false,
        }
    }

    /// True when it has a condition that is not below a `none`.
    pub(super) fn asks_something(&self) -> bool {
        match self {
            Self::Atom { .. } | Self::Unreadable => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::asks_something),
            Self::None(_) => false,
        }
    }

    /// The leaves in the order of the file.
    pub(super) fn leaves(&self) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        self.collect(false, false, &mut leaves);
        leaves
    }

    fn collect<'c>(&'c self, refused: bool, beside_structure: bool, leaves: &mut Vec<Leaf<'c>>) {
        match self {
            Self::Atom { pointer, atom } => leaves.push(Leaf { pointer, atom, refused, beside_structure }),
            Self::All(parts) => {
                let beside = beside_structure || parts.iter().any(|part| part.requires(&is_structured));
                parts.iter().for_each(|part| part.collect(refused, beside, leaves));
            }
            Self::Any(parts) => parts.iter().for_each(|part| part.collect(refused, beside_structure, leaves)),
            Self::None(parts) => parts.iter().for_each(|part| part.collect(true, beside_structure, leaves)),
            Self::Unreadable => {}
        }
    }
}

/// Atoms that look at a structured value rather than at words.
fn is_structured(atom: &Atom) -> bool {
    match atom {
        Atom::HttpStatus(_)
        | Atom::ExitCode(_)
        | Atom::RpcCode(_)
        | Atom::Terminal(_)
        | Atom::Header(_)
        | Atom::Field(_) => true,
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Text(_)
        | Atom::Whole(_)
        | Atom::All(_)
        | Atom::Any(_)
        | Atom::None(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_broken_atom_does_not_hide_the_others() {
        let value =
            json!({ "all": [{ "http_status": [429] }, { "texts": {} }, { "any": [{ "whole": true }] }] });
        let condition = Condition::of_match(&value, "/match");
        let pointers: Vec<&str> = condition.leaves().iter().map(|leaf| leaf.pointer).collect();
        assert_eq!(pointers, ["/match/all/0", "/match/all/2/any/0"]);
        assert!(!condition.is_complete());
    }

    #[test]
    fn what_a_match_requires() {
        let status = json!({ "http_status": [429] });
        let whole = json!({ "whole": true });
        let table = [
            (json!({ "all": [status, whole] }), true),
            (json!({ "any": [status, whole] }), false),
            (json!({ "any": [status, { "all": [whole, status] }] }), true),
            (json!({ "none": [status] }), false),
            (json!({ "all": [], "any": [] }), false),
        ];
        for (value, want) in table {
            assert_eq!(Condition::of_match(&value, "").requires(&is_structured), want, "{value}");
        }
    }
}
