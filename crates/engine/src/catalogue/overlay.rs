//! Applying an overlay: what a host changes about loaded rules.

use std::collections::BTreeMap;

use super::{CompileError, lower};
use crate::rule::{Overlay, OverlayEntry, Rule, Tombstone};

/// An overlay entry that did nothing, or less than it says. Each is a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverlayNote {
    /// The entry's last day has passed.
    RanOut {
        /// The rule's id.
        id: String,
        /// The last day.
        until: String,
    },
    /// The entry changes nothing about its rule.
    NeverApplied(String),
    /// The rule is retired; its successor, if it has one.
    Retired {
        /// The rule's id.
        id: String,
        /// The rule that took its place.
        successor: Option<String>,
    },
}

impl std::fmt::Display for OverlayNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::RanOut { id, until } => write!(f, "the overlay of `{id}` ran out on {until}"),
            Self::NeverApplied(id) => write!(f, "the overlay of `{id}` changes nothing"),
            Self::Retired { id, successor: Some(next) } => {
                write!(f, "the overlay names `{id}`, which is retired; its successor is `{next}`")
            }
            Self::Retired { id, successor: None } => {
                write!(f, "the overlay names `{id}`, which is retired without a successor")
            }
        }
    }
}

/// Applies the entries that are still in force.
pub(super) fn apply(
    overlay: &Overlay,
    today: &str,
    rules: &mut BTreeMap<String, (Rule, usize)>,
    retired: &[Tombstone],
    errors: &mut Vec<CompileError>,
) -> Vec<OverlayNote> {
    let mut notes = Vec::new();
    for entry in &overlay.rules {
        if let Some(until) = entry.until.as_deref().filter(|until| *until < today) {
            notes.push(OverlayNote::RanOut { id: entry.id.clone(), until: until.to_owned() });
            continue;
        }
        if let Some(tombstone) = retired.iter().find(|tombstone| tombstone.id == entry.id) {
            let successor = tombstone.successor.clone();
            notes.push(OverlayNote::Retired { id: entry.id.clone(), successor });
            continue;
        }
        if !rules.contains_key(&entry.id) {
            let suggestion = faultbook_document::suggest(&entry.id, rules.keys().map(String::as_str));
            errors.push(CompileError::UnknownOverlayRule {
                id: entry.id.clone(),
                suggestion: suggestion.map(str::to_owned),
            });
        } else if entry.disable {
            rules.remove(&entry.id);
        } else if let Some((rule, _)) = rules.get_mut(&entry.id)
            && !change(rule, entry)
        {
            notes.push(OverlayNote::NeverApplied(entry.id.clone()));
        }
    }
    notes
}

/// Lowers the confidence and replaces the rank; says whether anything changed.
fn change(rule: &mut Rule, entry: &OverlayEntry) -> bool {
    let before = (rule.confidence, rule.rank());
    if let (Some(now), Some(wanted)) = (rule.confidence, entry.confidence) {
        rule.confidence = Some(lower(now, wanted));
    }
    if entry.rank.is_some() && rule.code.is_some() {
        rule.rank = entry.rank;
    }
    before != (rule.confidence, rule.rank())
}
