//! What tells a failure from others: a structured value where there is one, else a run of plain words.

use crate::commands::telling;
use faultbook::Envelope;
use faultbook_engine::rule::AmbiguousValue;
use faultbook_evidence::{TextTrust, Turn};
use serde_json::Value;

/// The keys under which providers and agents name a cause, the most telling first.
const CAUSE_KEYS: [&str; 9] =
    ["code", "reason", "error_code", "errorCode", "codexErrorInfo", "type", "error_type", "status", "name"];
/// Values that name no cause.
const EMPTY_VALUES: [&str; 9] =
    ["error", "object", "message", "result", "text", "failed", "failure", "unknown", "null"];
/// The shortest phrase that a rule may rest on, in bytes.
const MIN_PHRASE_BYTES: usize = 8;
/// The most words of a proposed phrase.
const MAX_WORDS: usize = 9;
/// The deepest nesting in which a value is looked for.
const MAX_DEPTH: usize = 6;

/// What a rule could rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Evidence {
    /// A value in a JSON document.
    Value {
        /// Its JSON pointer.
        pointer: String,
        /// The value.
        value: String,
        /// Whether it is known to cover several causes.
        is_ambiguous: bool,
    },
    /// Words.
    Phrase(String),
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value { pointer, value, .. } => write!(f, "the value `{value}` at {pointer}"),
            Self::Phrase(phrase) => write!(f, "the words \"{phrase}\""),
        }
    }
}

/// The evidence of a new rule, and the signal in which it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Proposal {
    /// What the rule rests on.
    pub(super) evidence: Evidence,
    /// The signal, by index.
    pub(super) signal: usize,
}

impl Proposal {
    /// The best that the evidence offers; nothing where no trusted statement holds a telling value or phrase.
    pub(super) fn of(envelope: &Envelope, ambiguous: &[AmbiguousValue]) -> Option<Self> {
        let turn = Turn::cut(envelope);
        let value = value(&turn, ambiguous);
        let is_clear =
            |proposal: &Self| !matches!(proposal.evidence, Evidence::Value { is_ambiguous: true, .. });
        match value {
            Some(value) if is_clear(&value) => Some(value),
            other => phrase(&turn).or(other),
        }
    }

    /// An id that is free: the family is who said it, the name is what was said.
    pub(super) fn id(&self, envelope: &Envelope, is_taken: impl Fn(&str) -> bool) -> String {
        let said = match &self.evidence {
            Evidence::Value { value, .. } => value,
            Evidence::Phrase(phrase) => phrase,
        };
        let who = envelope.provider.as_deref().or(envelope.agent.as_deref()).unwrap_or("generic");
        let base = format!("{}.{}", slug(who, 3), slug(said, 5));
        let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
        std::iter::once(base.clone()).chain(numbered).find(|id| !is_taken(id)).unwrap_or(base)
    }
}

/// Lower-case words joined by hyphens, the first few.
fn slug(text: &str, max_words: usize) -> String {
    let mut spaced = String::new();
    let mut was_lower = false;
    for character in text.chars() {
        if character.is_ascii_uppercase() && was_lower {
            spaced.push(' ');
        }
        was_lower = character.is_ascii_lowercase();
        spaced.push(if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { ' ' });
    }
    let words: Vec<&str> = spaced.split_whitespace().take(max_words).collect();
    let slug: String = words.join("-").chars().take(40).collect();
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "unnamed".to_owned() } else { slug.to_owned() }
}

/// The most telling structured value: by key, clear ones before ambiguous ones, later ones before earlier ones.
fn value(turn: &Turn<'_>, ambiguous: &[AmbiguousValue]) -> Option<Proposal> {
    let mut best: Option<((bool, usize), Proposal)> = None;
    for statement in &turn.statements {
        if !matches!(statement.field_trust(), TextTrust::Full | TextTrust::Limited) {
            continue;
        }
        for root in &statement.roots {
            let mut found = Vec::new();
            collect(root, &mut String::new(), MAX_DEPTH, &mut found);
            for (key_rank, pointer, value) in found {
                let is_ambiguous = ambiguous
                    .iter()
                    .any(|one| one.value.as_str() == Some(&value) && one.at.as_slice().contains(&pointer));
                let rank = (is_ambiguous, key_rank);
                if best.as_ref().is_none_or(|(other, _)| rank <= *other) {
                    let evidence = Evidence::Value { pointer, value, is_ambiguous };
                    best = Some((rank, Proposal { evidence, signal: statement.signal }));
                }
            }
        }
    }
    best.map(|(_, proposal)| proposal)
}

fn collect(value: &Value, pointer: &mut String, depth: usize, found: &mut Vec<(usize, String, String)>) {
    let Value::Object(fields) = value else { return };
    if depth == 0 {
        return;
    }
    for (key, field) in fields {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
        match field {
            Value::String(text) if names_something(text) => {
                if let Some(rank) = CAUSE_KEYS.iter().position(|cause| cause == key) {
                    found.push((rank, pointer.clone(), text.clone()));
                }
            }
            Value::Object(_) => collect(field, pointer, depth - 1, found),
            _ => {}
        }
        pointer.truncate(length);
    }
}

/// Whether a value is an identifier that could name a cause.
fn names_something(text: &str) -> bool {
    let is_identifier = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let is_empty = EMPTY_VALUES.contains(&text.to_ascii_lowercase().as_str());
    is_identifier && letters >= 4 && text.len() <= 64 && letters * 2 > text.len() && !is_empty
}

/// The longest run of plain words in the most telling trusted statement.
fn phrase(turn: &Turn<'_>) -> Option<Proposal> {
    let mut best: Option<((bool, usize), Proposal)> = None;
    for statement in &turn.statements {
        if !matches!(statement.text_trust(), TextTrust::Full | TextTrust::Limited) {
            continue;
        }
        for view in &statement.views {
            let words = turn.own_words(view);
            let is_telling = telling::is_telling(words);
            let Some(run) = plain_run(words) else { continue };
            let rank = (is_telling, run.split(' ').count());
            // The last word of the turn is the cause, so among equals the later one wins.
            if best.as_ref().is_none_or(|(other, _)| rank >= *other) {
                best = Some((rank, Proposal { evidence: Evidence::Phrase(run), signal: statement.signal }));
            }
        }
    }
    best.map(|(_, proposal)| proposal)
}

/// The longest run of words without anything that changes from case to case.
fn plain_run(text: &str) -> Option<String> {
    let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
    for token in text.split_whitespace() {
        let word = token.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).trim_start_matches('(');
        let is_plain =
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '\'' | '-'));
        // A phrase is literal, so it ends where punctuation stands.
        if !is_plain || !token.starts_with(word) {
            runs.push(Vec::new());
        }
        if is_plain && let Some(run) = runs.last_mut() {
            run.push(word);
        }
        if is_plain && !token.ends_with(word) {
            runs.push(Vec::new());
        }
    }
    let phrases = runs.into_iter().map(|run| run.into_iter().take(MAX_WORDS).collect::<Vec<_>>().join(" "));
    phrases.filter(|phrase| phrase.len() >= MIN_PHRASE_BYTES && phrase.contains(' ')).max_by_key(String::len)
}

#[cfg(test)]
mod tests {
    use faultbook::{Channel, Signal};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_clear_value_comes_before_words() {
        let data = json!({"type": "error", "error": {"type": "insufficient_quota", "message": "You exceeded your current quota"}});
        let envelope = Envelope {
            provider: Some("openai".to_owned()),
            ..Envelope::of(vec![Signal::data(Channel::Http, data)])
        };
        let proposal = Proposal::of(&envelope, &[]).unwrap();
        let value = "insufficient_quota".to_owned();
        let pointer = "/error/type".to_owned();
        assert_eq!(proposal.evidence, Evidence::Value { pointer, value, is_ambiguous: false });
        assert_eq!(proposal.id(&envelope, |_| false), "openai.insufficient-quota");
        assert_eq!(
            proposal.id(&envelope, |id| id == "openai.insufficient-quota"),
            "openai.insufficient-quota-2"
        );
    }

    #[test]
    fn words_leave_out_what_changes_from_case_to_case() {
        for (text, want) in [
            ("Error: model gpt-5 is at capacity right now (request 7f3a)", Some("is at capacity right now")),
            ("2026-11-30 12:00:01 upstream connect failure", Some("upstream connect failure")),
            ("ok 12", None),
        ] {
            let envelope = Envelope::of(vec![Signal::text(Channel::Stderr, text)]);
            let found = Proposal::of(&envelope, &[]).map(|proposal| proposal.evidence);
            assert_eq!(found, want.map(|want| Evidence::Phrase(want.to_owned())), "{text}");
        }
        let spoken = Envelope::of(vec![Signal::text(Channel::Assistant, "the server is overloaded today")]);
        assert_eq!(Proposal::of(&spoken, &[]), None, "the model's words prove nothing");
    }
}
