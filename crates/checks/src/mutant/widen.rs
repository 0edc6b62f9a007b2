//! Widening: what an atom would be if its list or bound said less.

use faultbook_engine::rule::{Atom, FieldAtom, HeaderAtom, Numbers, Range, TextAtom};
use faultbook_taxonomy::{Phase, Terminal};

/// The wider forms of an atom, each with the part that it widens. A channel that is any channel, words that are any
/// words and `whole` are covered by dropping the atom; a phrase list is words.
pub(super) fn widened(atom: &Atom) -> Vec<(&'static str, Atom)> {
    match atom {
        Atom::Phase(list) if list.len() < Phase::ALL.len() => {
            vec![("phase", Atom::Phase(Phase::ALL.to_vec()))]
        }
        Atom::Terminal(list) if list.len() < Terminal::ALL.len() => {
            vec![("terminal", Atom::Terminal(Terminal::ALL.to_vec()))]
        }
        Atom::HttpStatus(numbers) => {
            let names = ["http_status", "http_status.min", "http_status.max"];
            wider(numbers, (100, 599), names, Atom::HttpStatus)
        }
        Atom::ExitCode(numbers) => {
            let bounds = (i64::from(i32::MIN), i64::from(i32::MAX));
            wider(numbers, bounds, ["exit_code", "exit_code.min", "exit_code.max"], Atom::ExitCode)
        }
        Atom::RpcCode(numbers) => {
            let names = ["rpc_code", "rpc_code.min", "rpc_code.max"];
            wider(numbers, (i64::MIN, i64::MAX), names, Atom::RpcCode)
        }
        Atom::Header(header) if header.equals.is_some() || header.within.is_some() => {
            let there = HeaderAtom { equals: None, within: None, exists: Some(true), ..header.clone() };
            vec![("header", Atom::Header(there))]
        }
        Atom::Field(field) => of_field(field),
        Atom::Text(TextAtom { starts: Some(words), .. }) => vec![("text.starts", anywhere(words))],
        Atom::Text(TextAtom { equals: Some(words), .. }) => vec![("text.equals", anywhere(words))],
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Terminal(_)
        | Atom::Header(_)
        | Atom::Text(_)
        | Atom::Whole(_)
        | Atom::All(_)
        | Atom::Any(_)
        | Atom::None(_) => Vec::new(),
    }
}

/// A list becomes any number; a range loses one end at a time.
fn wider(
    numbers: &Numbers,
    (low, high): (i64, i64),
    [list, lower, upper]: [&'static str; 3],
    atom: impl Fn(Numbers) -> Atom,
) -> Vec<(&'static str, Atom)> {
    let range = |min, max| atom(Numbers::Range(Range { min, max }));
    match numbers {
        Numbers::Values(_) => vec![(list, range(low, high))],
        Numbers::Range(Range { min, max }) => {
            let down = (*min > low).then(|| (lower, range(low, *max)));
            let up = (*max < high).then(|| (upper, range(*min, high)));
            down.into_iter().chain(up).collect()
        }
    }
}

fn of_field(field: &FieldAtom) -> Vec<(&'static str, Atom)> {
    let there = FieldAtom {
        at: field.at.clone(),
        equals: None,
        within: None,
        prefix: None,
        regex: None,
        exists: Some(true),
        min: None,
        max: None,
    };
    match (field.min, field.max, field.exists) {
        (Some(_), Some(_), _) => vec![
            ("field.min", Atom::Field(FieldAtom { min: None, ..field.clone() })),
            ("field.max", Atom::Field(FieldAtom { max: None, ..field.clone() })),
        ],
        (_, _, Some(_)) => Vec::new(),
        (_, _, None) => vec![("field", Atom::Field(there))],
    }
}

fn anywhere(words: &str) -> Atom {
    Atom::Text(TextAtom { phrases: Some(vec![words.to_owned()]), regex: None, equals: None, starts: None })
}
