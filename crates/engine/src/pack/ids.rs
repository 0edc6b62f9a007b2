//! Ids across the files of a pack: each used once, none of them retired.

use std::collections::{BTreeSet, HashMap};

use faultbook_document::{Diagnostic, Document, Span, did_you_mean, quoted};
use serde_json::Value;

use super::codes;
use super::companions::entries;

/// How many problems with ids are reported.
const MAX_PROBLEMS: usize = 200;

/// Where an id is used.
struct Use<'d> {
    document: &'d Document,
    span: Span,
}

/// Checks the ids of all rule files, valid or not, against each other and against the tombstones.
pub(super) fn check(
    rules: &[&Document],
    retired: Option<&Document>,
    stems: &BTreeSet<&str>,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let tombstones = tombstones(retired, &mut problems);
    let mut used: HashMap<&str, Use<'_>> = HashMap::new();
    for document in rules {
        let Some(id) = document.json().get("id").and_then(Value::as_str) else { continue };
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let span = document.locate("/id").span;
        if let Some(first) = used.get(id) {
            problems.push(twice(document, span, id, first));
        } else {
            used.insert(id, Use { document, span });
        }
        if let Some(tombstone) = tombstones.get(id) {
            let message = format!("the id {} belongs to a retired rule", quoted(id));
            let problem = Diagnostic::error(codes::RETIRED_ID, document.source(), span, message);
            problems.push(
                problem
                    .with_rule(id)
                    .with_pointer("/id")
                    .with_related(tombstone.document.source(), tombstone.span, "retired here")
                    .with_help("choose another id; ids are never used again"),
            );
        }
    }
    if let Some(document) = retired {
        let mut known: BTreeSet<&str> = used.keys().copied().collect();
        known.extend(stems);
        successors(document, &known, &tombstones, &mut problems);
    }
    problems
}

fn twice(document: &Document, span: Span, id: &str, first: &Use<'_>) -> Diagnostic {
    let message = format!("the id {} is used twice", quoted(id));
    Diagnostic::error(codes::DUPLICATE_ID, document.source(), span, message)
        .with_pointer("/id")
        .with_related(first.document.source(), first.span, "first used here")
        .with_help("give one of them another id")
        .with_rule(id)
}

fn tombstones<'d>(
    retired: Option<&'d Document>,
    problems: &mut Vec<Diagnostic>,
) -> HashMap<&'d str, Use<'d>> {
    let mut tombstones: HashMap<&str, Use<'_>> = HashMap::new();
    let Some(document) = retired else { return tombstones };
    for (index, entry) in entries(document, "retired") {
        let Some(id) = entry.get("id").and_then(Value::as_str) else { continue };
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let span = document.locate(&format!("/retired/{index}/id")).span;
        if let Some(first) = tombstones.get(id) {
            problems.push(twice(document, span, id, first));
        } else {
            tombstones.insert(id, Use { document, span });
        }
    }
    tombstones
}

/// A successor is a rule of the pack, or one that was retired later.
fn successors(
    document: &Document,
    known: &BTreeSet<&str>,
    tombstones: &HashMap<&str, Use<'_>>,
    problems: &mut Vec<Diagnostic>,
) {
    for (index, entry) in entries(document, "retired") {
        let Some(successor) = entry.get("successor").and_then(Value::as_str) else { continue };
        let own = entry.get("id").and_then(Value::as_str);
        if (known.contains(successor) || tombstones.contains_key(successor)) && own != Some(successor) {
            continue;
        }
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let pointer = format!("/retired/{index}/successor");
        let message = format!("the successor {} is not a rule of this pack", quoted(successor));
        let at = document.locate(&pointer);
        let mut problem = document.error(codes::UNKNOWN_SUCCESSOR, &at, message).with_pointer(pointer);
        problem.help = did_you_mean(successor, known.iter().copied());
        problems.push(problem);
    }
}
