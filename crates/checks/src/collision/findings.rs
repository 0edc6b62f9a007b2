//! The analysis in diagnostics that point into the rules' files.

use faultbook_document::{Diagnostic, Location, Position, Related, Span, quoted};
use faultbook_evidence::Envelope;

use super::{Overlap, Prepared, Subject, codes};

fn at(subject: &Subject<'_>, pointer: &str, code: &'static str, message: String) -> Diagnostic {
    let problem = match subject.document {
        Some(document) => document.error(code, &document.locate(pointer), message),
        None => Diagnostic::of_file(code, &format!("{}.yaml", subject.rule.id), message),
    };
    problem.with_rule(&subject.rule.id).with_pointer(pointer)
}

fn subject<'p>(rule: &Prepared<'p>) -> Subject<'p> {
    Subject { rule: rule.rule, document: rule.document }
}

fn related(problem: Diagnostic, other: &Prepared<'_>, message: &str) -> Diagnostic {
    match other.document {
        Some(document) => {
            let location = document.locate("/match");
            problem.with_related(document.source(), location.span, message)
        }
        None => {
            let mut problem = problem;
            let span = Span { start: Position::START, end: Position::START };
            let location = Location { file: format!("{}.yaml", other.rule.id), span };
            let message = message.to_owned();
            problem.related.push(Related { location, message, excerpt: String::new(), excerpt_column: 1 });
            problem
        }
    }
}

/// `` `id` (code) ``.
fn named(rule: &Prepared<'_>) -> String {
    let code = rule.rule.code.map_or("no code", |code| code.as_str());
    format!("{} ({code})", quoted(&rule.rule.id))
}

/// `band rank`.
fn strength(rule: &Prepared<'_>) -> String {
    let band = rule.rule.band.map_or("no band", |band| band.as_str());
    format!("{band} {}", rule.rule.rank())
}

fn json(envelope: &Envelope) -> String {
    envelope.to_json().map(|json| json.to_string()).unwrap_or_default()
}

/// Two rules that nothing separates.
pub(super) fn collision(
    first: &Prepared<'_>,
    second: &Prepared<'_>,
    overlap: Overlap,
    witness: Option<&Envelope>,
) -> Diagnostic {
    let (one, other) = (named(first), named(second));
    let strength = strength(first);
    let shown = witness.map(json).unwrap_or_default();
    let (code, message, help) = match overlap {
        Overlap::Nested => (
            codes::COLLISION,
            format!("{one} and {other} match the same statement, and both are {strength}"),
            format!(
                "give one another rank or band, or exclude what the other asks with `none`; both match in {shown}"
            ),
        ),
        Overlap::Beside => (
            codes::COLLISION,
            format!(
                "{one} and {other} ask about different facts, one statement has both, and both are {strength}"
            ),
            format!(
                "give one another rank or band, or exclude what the other asks with `none`; both match in {shown}"
            ),
        ),
        Overlap::Apart => (
            codes::COLLISION_APART,
            format!(
                "{one} and {other} share a question, each asks more, and one statement can hold both at {strength}"
            ),
            format!(
                "if that can happen, decide by rank; if it cannot, say so with `applies`, `channel` or `none`; both match in {shown}"
            ),
        ),
        Overlap::OverBudget => (
            codes::COLLISION_OVER_BUDGET,
            format!("{one} and {other} could not be told apart within the budget, and both are {strength}"),
            "write simpler patterns, list the values with `in`, or give one rule another rank".to_owned(),
        ),
    };
    let problem = at(&subject(first), "/match", code, message).with_help(help);
    let problem = related(problem, second, &format!("the match of {}", quoted(&second.rule.id)));
    if overlap == Overlap::Apart { problem.as_warning() } else { problem }
}

/// A rule that another always beats.
pub(super) fn shadowed(rule: &Prepared<'_>, stronger: &Prepared<'_>) -> Diagnostic {
    let message = format!(
        "{} never wins: {} matches every statement that it matches, and is {} against {}",
        named(rule),
        named(stronger),
        strength(stronger),
        strength(rule)
    );
    let help = "raise its rank or band above the other's, narrow the other with `none`, or remove the rule";
    let problem = at(&subject(rule), "/match", codes::SHADOWED, message).with_help(help);
    related(problem, stronger, &format!("the match of {}", quoted(&stronger.rule.id)))
}

/// A rule that nothing satisfies.
pub(super) fn unsatisfiable(rule: &Prepared<'_>) -> Diagnostic {
    let message = format!("no statement satisfies {}", quoted(&rule.rule.id));
    let help =
        "two of its conditions exclude each other; look for values that one asks for and another refuses";
    at(&subject(rule), "/match", codes::UNSATISFIABLE, message).with_help(help)
}

/// A rule with too many ways to match.
pub(super) fn too_many(rule: &Subject<'_>) -> Diagnostic {
    let message = format!(
        "{} has more than {} ways to match, and is not checked for collisions",
        quoted(&rule.rule.id),
        super::dnf::MAX_TERMS
    );
    let help = "use `in` lists instead of `any`, fewer pointers in one `at`, or split the rule";
    at(rule, "/match", codes::TOO_MANY_WAYS, message).with_help(help)
}

/// A witness that the engine does not confirm.
pub(super) fn not_reproduced(first: &Prepared<'_>, second: &Prepared<'_>, witness: &Envelope) -> Diagnostic {
    let message = format!(
        "the witness of {} and {} does not reproduce: the analyser has a bug",
        named(first),
        named(second)
    );
    let help = format!("please report it with both rules; the witness is {}", json(witness));
    at(&subject(first), "/match", codes::WITNESS_NOT_REPRODUCED, message).with_help(help)
}
