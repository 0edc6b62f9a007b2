//! Sight: whether everything from the prompt to the end was read and understood, and where that was lost first.
//!
//! A reader claims that something did not happen only with full sight. What each adapter knows to be without effects
//! stands in its own closed list; everything else loses sight, here with its reason.

use faultbook_taxonomy::SightLost;
use serde_json::Value;

/// Why sight was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The format shows neither every word nor every tool call.
    Format,
    /// A line of the protocol's stream is no frame, or a part of one.
    Unreadable,
    /// A frame of the protocol came on a stream that is not its own.
    OtherStream,
    /// An update of a session that nobody opened.
    OtherSession,
    /// The prompt itself was not seen.
    NoPrompt,
    /// A prompt while another was under way in its session, or one that was sent twice.
    PromptAgain,
    /// An update before its prompt or after the answer to it.
    OutOfOrder,
    /// An answer to a request that nobody sent.
    UnknownAnswer,
    /// A frame, item, block or part of a kind that is not known to be without effects.
    UnknownKind,
    /// A known frame whose parts are missing or of another type.
    BrokenFrame,
    /// Work was asked for, announced or begun: permissions, files, terminals, hooks, tasks, plans.
    WorkUnderWay,
    /// A step of the agent was opened and not closed.
    OpenStep,
    /// The turn's own summary counts work that was not seen.
    Summary,
    /// The host did something that is not known.
    UnknownHost,
}

impl Lost {
    /// The reason in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Format => "this output format does not show everything that the agent does",
            Self::Unreadable => "a line of the agent's stream could not be read",
            Self::OtherStream => "a frame came on a stream that is not its own",
            Self::OtherSession => "an update belongs to a session that nobody opened",
            Self::NoPrompt => "the prompt was not seen",
            Self::PromptAgain => "a prompt came while its session was at work, or came twice",
            Self::OutOfOrder => "an update came before its prompt or after its end",
            Self::UnknownAnswer => "an answer belongs to a request that was not seen",
            Self::UnknownKind => "a frame is of a kind that is not known to be without effects",
            Self::BrokenFrame => "a part of a frame is missing or of another type",
            Self::WorkUnderWay => "work was asked for or begun",
            Self::OpenStep => "a step was opened and not closed",
            Self::Summary => "the turn's own summary counts work that was not seen",
            Self::UnknownHost => "the host did something that is not known",
        }
    }

    /// Whether frames are missing or were repaired, so that the end, a cancellation and the delivery are unknown too.
    pub(crate) const fn is_damage(self) -> bool {
        match self {
            Self::Unreadable
            | Self::OtherStream
            | Self::OtherSession
            | Self::NoPrompt
            | Self::PromptAgain
            | Self::OutOfOrder
            | Self::UnknownAnswer
            | Self::BrokenFrame
            | Self::UnknownHost => true,
            Self::Format | Self::UnknownKind | Self::WorkUnderWay | Self::OpenStep | Self::Summary => false,
        }
    }

    /// The reason with its frame, as an envelope carries it.
    pub(crate) fn at(self, frame: Option<u64>) -> SightLost {
        SightLost { reason: self.words().to_owned(), frame }
    }
}

/// Counters by which agents sum up what a turn did, in the spellings of all of them.
const COUNTERS: &[&str] = &[
    "candidates",
    "outputTokens",
    "output_tokens",
    "reasoning",
    "reasoningOutputTokens",
    "reasoning_output_tokens",
    "spawned",
    "thinking_tokens",
    "thoughtTokens",
    "thoughts",
    "toolCalls",
    "tool_calls",
    "totalCalls",
    "web_fetch_requests",
    "web_search_requests",
];
/// The deepest nesting of a summary that is looked at.
const SUMMARY_DEPTH: usize = 8;

/// Whether a summary counts words of the model or calls of tools.
pub(crate) fn counts_work(summary: &Value) -> bool {
    counts_work_at(summary, SUMMARY_DEPTH)
}

fn counts_work_at(summary: &Value, room: usize) -> bool {
    match summary {
        // What is too deep to be looked at counts as work.
        Value::Array(_) | Value::Object(_) if room == 0 => true,
        Value::Array(items) => items.iter().any(|item| counts_work_at(item, room - 1)),
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            let is_counter = COUNTERS.contains(&key.as_str());
            (is_counter && value.as_f64().is_some_and(|count| count > 0.0)) || counts_work_at(value, room - 1)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether a line of standard error is a frame that belongs to the protocol's own stream.
pub(crate) fn is_stray_frame(line: &str) -> bool {
    let line = line.trim();
    let is_json = line.starts_with('{') || line.ends_with('}');
    is_json
        && ["\"jsonrpc\"", "\"type\"", "\"method\"", "\"sessionUpdate\""].iter().any(|key| line.contains(key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn summaries_count_work_in_every_agents_spelling() {
        let table = [
            (json!({ "output_tokens": 0, "tool_calls": 0 }), false),
            (json!({ "input_tokens": 120 }), false),
            (json!({ "usage": { "output_tokens": 8 } }), true),
            (
                json!({ "_meta": { "quota": { "model_usage": [{ "token_count": { "outputTokens": 1 } }] } } }),
                true,
            ),
            (json!({ "stats": { "tools": { "totalCalls": 3 } } }), true),
            (json!({ "server_tool_use": { "web_search_requests": 1 } }), true),
        ];
        for (summary, expected) in table {
            assert_eq!(counts_work(&summary), expected, "{summary}");
        }
    }

    #[test]
    fn frames_on_standard_error_are_told_from_words() {
        let table = [
            (r#"{"type":"tool_use"}"#, true),
            (r#"tool_use","part":{"type":"tool"}}"#, true),
            (r#"{"jsonrpc":"2.0","id":1}"#, true),
            ("  jsonrpc: '2.0',", false),
            (r#"{ "error": { "code": 500 } }"#, false),
            ("Warning: no", false),
        ];
        for (line, expected) in table {
            assert_eq!(is_stray_frame(line), expected, "{line}");
        }
    }
}
