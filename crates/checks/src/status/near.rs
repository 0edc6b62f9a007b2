//! Near misses: evidence that has what the rule looks for, in part.

use faultbook_engine::rule::{Atom, FieldAtom, Rule};
use faultbook_evidence::{Envelope, Turn};
use serde_json::Value;

use crate::collision::words::Words;

/// Whether the evidence contains one of the rule's own phrases, or has a value at one of its fields or headers; for
/// a rule without any of these, whether it has a value where the rule looks for one.
#[must_use]
pub fn is_near_miss(rule: &Rule, envelope: &Envelope) -> bool {
    let mut atoms = Vec::new();
    let wanted = rule.matches.all.iter().chain(&rule.matches.any);
    wanted.for_each(|atom| collect(atom, &mut atoms));
    let is_content = |atom: &&Atom| matches!(atom, Atom::Text(_) | Atom::Field(_) | Atom::Header(_));
    if atoms.iter().any(is_content) {
        atoms.retain(is_content);
    }
    let turn = Turn::cut(envelope);
    atoms.iter().any(|atom| is_answered(atom, &turn))
}

/// The atoms that the rule asks for, however deep.
fn collect<'r>(atom: &'r Atom, found: &mut Vec<&'r Atom>) {
    match atom {
        Atom::All(inner) | Atom::Any(inner) => inner.iter().for_each(|atom| collect(atom, found)),
        Atom::None(_) => {}
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Terminal(_)
        | Atom::HttpStatus(_)
        | Atom::ExitCode(_)
        | Atom::RpcCode(_)
        | Atom::Header(_)
        | Atom::Field(_)
        | Atom::Text(_)
        | Atom::Whole(_) => found.push(atom),
    }
}

/// Whether the words occur anywhere; a text that should stand at the start or alone is near wherever it stands.
fn occurs(words: &Words, text: &str) -> bool {
    match words {
        Words::Equals(wanted) | Words::Starts(wanted) => text.contains(wanted.as_str()),
        Words::Phrases(_) | Words::Regex(_) => words.matches(text),
    }
}

/// Whether the turn has the atom's words, or a value where the atom looks for one.
fn is_answered(atom: &Atom, turn: &Turn<'_>) -> bool {
    let envelope = turn.envelope;
    let mut signals = envelope.signals.iter();
    match atom {
        Atom::Text(text) => {
            let views = turn.statements.iter().flat_map(|statement| &statement.views);
            let mut texts = views.map(|view| turn.words(view));
            Words::of(text).is_some_and(|words| texts.any(|text| occurs(&words, text)))
        }
        Atom::Field(field) => has_field(field, turn),
        Atom::Header(header) => {
            let name = header.name.to_ascii_lowercase();
            signals.any(|signal| signal.headers.contains_key(&name))
        }
        Atom::HttpStatus(_) => signals.any(|signal| signal.http_status.is_some()),
        Atom::RpcCode(_) => signals.any(|signal| signal.rpc_code.is_some()),
        Atom::ExitCode(_) => signals.any(|signal| signal.exit_code.is_some()),
        Atom::Terminal(_) => envelope.terminal().is_some(),
        Atom::Phase(_) => envelope.phase.is_some(),
        Atom::Channel(channels) => signals.any(|signal| channels.contains(&signal.channel)),
        Atom::Whole(_) | Atom::All(_) | Atom::Any(_) | Atom::None(_) => false,
    }
}

fn has_field(field: &FieldAtom, turn: &Turn<'_>) -> bool {
    let mut roots = turn.statements.iter().flat_map(|statement| &statement.roots);
    let there = |root: &Value, pointer: &String| root.pointer(pointer).is_some_and(|value| !value.is_null());
    roots.any(|root| field.at.as_slice().iter().any(|pointer| there(root, pointer)))
}
