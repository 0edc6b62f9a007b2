//! Redaction: what a case says must never be emitted stands in no output.

use faultbook_document::Diagnostic;
use faultbook_engine::Explanation;
use faultbook_evidence::sanitise::sanitise_bounded;

use crate::fixture::Suite;
use crate::suite::Difference;

faultbook_document::diagnostic_codes! {
    REDACTION_LEAK = "redaction-leak": "A diagnostic shows a text that a case says must never be emitted.";
}

/// The bytes of a piece of a text: an excerpt begins or ends anywhere in its line, and the sanitiser may know a part of
/// the text only.
const PIECE_BYTES: usize = 8;

/// The most bytes of a source line that a diagnostic keeps after sanitising.
const EXCERPT_BYTES: usize = 960;

/// Which of the texts stand in the answer, in the explanation, or in the case's own diff. The texts themselves are
/// named by number only.
pub(crate) fn leaks(
    never: &[String],
    explanation: &Explanation,
    differences: &[Difference],
) -> Vec<Difference> {
    if never.is_empty() {
        return Vec::new();
    }
    // Escapes in JSON would hide a text, so strings are compared one by one.
    let answer = strings(serde_json::to_value(&explanation.classification));
    let whole = strings(serde_json::to_value(explanation));
    let diff: Vec<String> = differences.iter().map(|difference| difference.found.clone()).collect();
    let outputs = [("answer", &answer), ("explanation", &whole), ("diff", &diff)];
    let mut found = Vec::new();
    for (index, text) in never.iter().enumerate() {
        let emits = |strings: &Vec<String>| strings.iter().any(|string| string.contains(text.as_str()));
        if let Some((output, _)) = outputs.iter().find(|(_, strings)| emits(strings)) {
            found.push(Difference {
                part: format!("never_emits/{index}"),
                expected: "nowhere".to_owned(),
                found: format!("in the {output}"),
            });
        }
    }
    found
}

/// Every key and string of a value.
fn strings(value: Result<serde_json::Value, serde_json::Error>) -> Vec<String> {
    let mut open: Vec<serde_json::Value> = value.into_iter().collect();
    let mut found = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::String(text) => found.push(text),
            serde_json::Value::Array(items) => open.extend(items),
            serde_json::Value::Object(fields) => {
                for (key, value) in fields {
                    found.push(key);
                    open.push(value);
                }
            }
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
        }
    }
    found
}

/// Takes out of diagnostics what suites say must never be emitted: excerpts that show such a text are sanitised,
/// and a diagnostic that still shows one is replaced by a `redaction-leak`.
#[must_use]
pub fn guard(diagnostics: Vec<Diagnostic>, suites: &[Suite]) -> Vec<Diagnostic> {
    let never: Vec<&str> = suites
        .iter()
        .flat_map(|suite| &suite.cases)
        .flat_map(|case| case.case.expect.never_emits.iter().map(String::as_str))
        .collect();
    if never.is_empty() {
        return diagnostics;
    }
    diagnostics.into_iter().map(|diagnostic| guarded(diagnostic, &never)).collect()
}

/// Whether a text holds a considerable piece of another.
fn shows_piece(text: &str, never: &str) -> bool {
    let mut pieces = never.as_bytes().chunks_exact(PIECE_BYTES).peekable();
    if pieces.peek().is_none() {
        return text.contains(never);
    }
    pieces.any(|piece| text.as_bytes().windows(PIECE_BYTES).any(|window| window == piece))
}

fn guarded(mut diagnostic: Diagnostic, never: &[&str]) -> Diagnostic {
    let shows = |text: &str| never.iter().any(|never| shows_piece(text, never));
    let is_safe = |text: &str| !never.iter().any(|never| text.contains(never));
    for excerpt in std::iter::once(&mut diagnostic.excerpt)
        .chain(diagnostic.related.iter_mut().map(|one| &mut one.excerpt))
    {
        if shows(excerpt) {
            *excerpt = sanitise_bounded(excerpt, EXCERPT_BYTES);
        }
        // What the sanitiser does not know, such as the list `never_emits` itself, is not shown at all.
        if shows(excerpt) {
            excerpt.clear();
        }
    }
    let words = [Some(diagnostic.message.as_str()), diagnostic.help.as_deref()];
    let related = diagnostic.related.iter().map(|one| one.message.as_str());
    if words.into_iter().flatten().chain(related).all(is_safe) {
        return diagnostic;
    }
    let message = format!("a diagnostic `{}` would show a text that must never be emitted", diagnostic.code);
    let mut leak = Diagnostic::of_file(REDACTION_LEAK, &diagnostic.file, message)
        .with_help("keep secrets out of names, phrases and titles");
    (leak.line, leak.column, leak.end) = (diagnostic.line, diagnostic.column, diagnostic.end);
    leak.rule = diagnostic.rule;
    leak
}
