//! Confidence: what a rule claims, and what caps it.

use faultbook_evidence::{Channel, Shape, Signal, Statement};
use faultbook_taxonomy::{Band, Confidence, Terminal};
use schemars::JsonSchema;
use serde::Serialize;

use super::attempt::Pool;
use super::judgement::{Judgement, Matched};
use crate::rule::Status;

/// Why an answer is at most `medium`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// The rule itself claims no more.
    Rule,
    /// The rule's band is `generic`.
    Generic,
    /// The rule is experimental.
    Experimental,
    /// The rule's pack is not marked as trusted.
    UntrustedPack,
    /// The words share their pipe with the model's answer.
    Mixed,
    /// The words come from a stream that MCP servers, hooks and tools share with the agent.
    Shared,
    /// Only an announced attempt names the cause.
    NoticeOnly,
    /// A later line of the same text says something that nothing matched.
    UnreadLastWord,
    /// A speaker rule without a companion promoted the words.
    SpeakerAlone,
}

impl Cap {
    /// The cap in words.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Rule => "the rule itself claims no more than medium",
            Self::Generic => "the rule's band is generic",
            Self::Experimental => "the rule is experimental",
            Self::UntrustedPack => "the rule's pack is not marked as trusted",
            Self::Mixed => "the words share their pipe with the model's answer",
            Self::Shared => "the words come from a stream that others share with the agent",
            Self::NoticeOnly => "only an announced attempt names the cause",
            Self::UnreadLastWord => "a later line says something that no rule matches",
            Self::SpeakerAlone => "only the assistant's own answer says so, with nothing beside it",
        }
    }
}

/// The caps that apply to one counting match.
pub(crate) fn caps(judgement: &Judgement<'_, '_, '_>, pool: &Pool, matched: &Matched) -> Vec<Cap> {
    let mut caps = Vec::new();
    let mut cap = |applies: bool, cap: Cap| {
        if applies {
            caps.push(cap);
        }
    };
    let (Some(rule), Some(statement)) =
        (judgement.catalogue.rules.get(matched.rule), judgement.turn.statements.get(matched.statement))
    else {
        return vec![Cap::Rule];
    };
    let signal = judgement.turn.envelope.signals.get(statement.signal);
    let mark = judgement.marks.get(matched.statement).copied().unwrap_or_default();
    let is_failed = judgement.evaluator.terminal == Some(Terminal::Failed);
    cap(matched.meaning.confidence == Confidence::Medium, Cap::Rule);
    cap(
        matched.meaning.band == Band::Generic
            && !signal.is_some_and(|signal| is_plain_outage(judgement, signal, statement)),
        Cap::Generic,
    );
    cap(rule.rule.status == Status::Experimental, Cap::Experimental);
    cap(!rule.is_trusted, Cap::UntrustedPack);
    cap(statement.channel == Channel::Mixed && !is_failed && !rule.covers_whole(), Cap::Mixed);
    cap(statement.channel == Channel::Shared, Cap::Shared);
    let is_last_word = is_failed && !words_follow(judgement, matched.statement);
    cap(pool.is_notice_only && !is_last_word, Cap::NoticeOnly);
    cap(
        Judgement::is_transient(matched) && has_unread_last_word(judgement, matched.statement),
        Cap::UnreadLastWord,
    );
    let is_alone =
        |speaker: usize| judgement.catalogue.rules.get(speaker).is_some_and(|rule| rule.with.is_empty());
    cap(mark.speaker.is_some_and(is_alone), Cap::SpeakerAlone);
    caps
}

/// A gateway status that says all there is to say: no body, an HTML page, or a body that is generic for it.
fn is_plain_outage(judgement: &Judgement<'_, '_, '_>, signal: &Signal, statement: &Statement) -> bool {
    let Some(status) = signal.http_status.filter(|status| matches!(status, 502..=504 | 520..=529)) else {
        return false;
    };
    if signal.channel != Channel::Http {
        return false;
    }
    let text = signal.text.as_deref().unwrap_or_default().trim();
    let is_empty = text.is_empty() && signal.data.is_none();
    let is_generic = statement.roots.iter().any(|root| {
        judgement.catalogue.ambiguous.iter().any(|value| {
            value.generic_for.contains(&status)
                && super::evaluate::first_value(root, value.at.as_slice()) == Some(&value.value)
        })
    });
    is_empty || is_html(text) || is_generic
}

/// Whether the body is a page; some agents put the status before it (`502 <html>`).
fn is_html(text: &str) -> bool {
    let page = text.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    let head: String = page.chars().take(64).collect::<String>().to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<center", "<body"].iter().any(|mark| head.starts_with(mark))
}

/// Whether any words stand certainly after the notice that names the cause.
fn words_follow(judgement: &Judgement<'_, '_, '_>, statement: usize) -> bool {
    judgement.turn.statements.iter().enumerate().any(|(at, other)| {
        let mark = judgement.marks.get(at).copied().unwrap_or_default();
        mark.healthy.is_none()
            && other.channel != Channel::Shared
            && mark.notice.is_none()
            && judgement.order.is_after(at, statement)
            && has_words(judgement.turn.statement_words(other))
    })
}

/// Whether a later line of the same text holds words that nothing matched.
fn has_unread_last_word(judgement: &Judgement<'_, '_, '_>, at: usize) -> bool {
    let statements = &judgement.turn.statements;
    let Some(own) = statements.get(at).filter(|own| own.shape != Shape::Data) else { return false };
    let is_read = |later: usize| {
        judgement.matches.iter().any(|matched| matched.statement == later)
            || judgement.marks.get(later).is_some_and(|mark| mark.healthy.is_some() || mark.notice.is_some())
    };
    statements.iter().enumerate().skip(at + 1).take_while(|(_, later)| later.signal == own.signal).any(
        |(index, later)| {
            let words = judgement.turn.statement_words(later);
            !later.continues && has_words(words) && !is_stack_frame(words) && !is_read(index)
        },
    )
}

/// At least one word of two letters, or any letter outside ASCII.
pub(crate) fn has_words(text: &str) -> bool {
    let pair = text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic));
    pair || text.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// A line of a stack trace or of a panic report, in the forms of the common runtimes.
pub(crate) fn is_stack_frame(line: &str) -> bool {
    let starts = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    let numbered = line.split_once(": ").is_some_and(|(number, rest)| {
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && rest.contains("::")
    });
    (line.starts_with("at ") && line.contains(['(', ':', '/']))
        || (line.starts_with("file \"") && line.contains("line "))
        || starts(&["traceback (most recent call last)", "node:internal", "goroutine ", "stack backtrace"])
        || starts(&["backtrace omitted", "run with rust_backtrace", "note: run with `rust_backtrace"])
        || matches!(line, "location:" | "caused by:" | "stack trace:" | "stack:" | "backtrace:")
        || numbered
        || is_source_place(line)
}

/// A line that is nothing but a place in a source file: a path with a line number, perhaps a column.
fn is_source_place(line: &str) -> bool {
    let Some((path, number)) = line.rsplit_once(':') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let path = path.rsplit_once(':').filter(|(_, line)| is_number(line)).map_or(path, |(path, _)| path);
    is_number(number) && !path.contains(' ') && path.contains(['/', '\\']) && path.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stack_frames_of_the_common_runtimes_are_told_from_words() {
        for line in [
            "at process (node:internal/x:95:5)",
            "file \"/app/main.py\", line 3, in run",
            "0: core::panicking::panic_fmt",
            "goroutine 1 [running]:",
            "crates/cli/src/chat/mod.rs:1426",
            "/app/dist/index.js:775:43922",
            "location:",
            "run with rust_backtrace=full to include source snippets.",
        ] {
            assert!(is_stack_frame(line), "{line}");
        }
        for line in [
            "at least one key is needed",
            "the file is gone",
            "2: try again",
            "see https://example.com:443",
            "caused by: a limit",
        ] {
            assert!(!is_stack_frame(line), "{line}");
        }
    }
}
