//! Near misses: evidence that has what the rule looks for, in part.

use faultbook_engine::rule::{Atom, FieldAtom, Numbers, Rule};
use faultbook_evidence::{Envelope, Turn};
use serde_json::Value;

use crate::collision::words::Words;

/// Whether the evidence contains one of the rule's own phrases; for a rule without words, whether it has a value
/// where the rule looks for one.
#[must_use]
pub fn is_near_miss(rule: &Rule, envelope: &Envelope) -> bool {
    let mut atoms = Vec::new();
    let wanted = rule.matches.all.iter().chain(&rule.matches.any);
    wanted.for_each(|atom| collect(atom, &mut atoms));
    let turn = Turn::cut(envelope);
    let words: Vec<Words> = atoms
        .iter()
        .filter_map(|atom| if let Atom::Text(text) = atom { Words::of(text) } else { None })
        .collect();
    if words.is_empty() {
        return atoms.iter().any(|atom| is_answered(atom, &turn));
    }
    let views = turn.statements.iter().flat_map(|statement| &statement.views);
    let texts: Vec<&str> = views.map(|view| turn.words(view)).collect();
    words.iter().any(|words| texts.iter().any(|text| occurs(words, text)))
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

/// Whether the turn has a value where the atom looks for one. Where every signal has one, only the right value is
/// near.
fn is_answered(atom: &Atom, turn: &Turn<'_>) -> bool {
    let envelope = turn.envelope;
    let mut signals = envelope.signals.iter();
    match atom {
        Atom::Field(field) => has_field(field, turn),
        Atom::Header(header) => {
            let name = header.name.to_ascii_lowercase();
            signals.any(|signal| signal.headers.contains_key(&name))
        }
        Atom::HttpStatus(_) => signals.any(|signal| signal.http_status.is_some()),
        Atom::RpcCode(_) => signals.any(|signal| signal.rpc_code.is_some()),
        Atom::ExitCode(codes) => signals.any(|signal| signal.exit_code.is_some_and(|code| near(codes, code))),
        Atom::Terminal(ends) => envelope.terminal().is_some_and(|end| ends.contains(&end)),
        Atom::Phase(phases) => envelope.phase.is_some_and(|phase| phases.contains(&phase)),
        Atom::Channel(channels) => signals.any(|signal| channels.contains(&signal.channel)),
        Atom::Whole(_) | Atom::Text(_) | Atom::All(_) | Atom::Any(_) | Atom::None(_) => false,
    }
}

/// A failing exit is near any other failing exit, a clean one is not.
fn near(codes: &Numbers, code: i32) -> bool {
    (code == 0) == codes.contains(0)
}

fn has_field(field: &FieldAtom, turn: &Turn<'_>) -> bool {
    let mut roots = turn.statements.iter().flat_map(|statement| &statement.roots);
    let there = |root: &Value, pointer: &String| root.pointer(pointer).is_some_and(|value| !value.is_null());
    roots.any(|root| field.at.as_slice().iter().any(|pointer| there(root, pointer)))
}
