//! Gemini CLI's `-o stream-json`, one event a line.
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | `result`: `status` | `terminal`: completed for `success`, else failed |
//! | `error`: `severity` of `warning` | `role`: notice |
//! | `result`: `error.code`, where it is an HTTP status | `http_status` |

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Sight, Terminal};
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::json::{content_text, http_status, object, pick, string, unknown_event};
use crate::line::Lines;
use crate::one_shot::{Parser, Start, event_of};
use crate::sight::{Lost, counts_work};

/// Reads the events.
#[derive(Debug, Default)]
pub(crate) struct GeminiStream {
    lines: Lines,
    begun: bool,
    has_init: bool,
    lost: bool,
}

impl Parser for GeminiStream {
    const SIGHT: Sight = Sight::Full;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        let Some(event) = event_of(&mut self.lines, line, turn) else {
            self.lost |= !line.trim().is_empty();
            return;
        };
        self.begun = true;
        match string(&event, "type").unwrap_or_default() {
            "init" => {
                self.has_init = true;
                turn.session = string(&event, "session_id").map(|id| id.chars().take(128).collect());
                turn.model = string(&event, "model").map(|model| model.chars().take(128).collect());
            }
            "message" => {
                let text = event.get("content").map(content_text).unwrap_or_default();
                match string(&event, "role") {
                    Some("user") => {}
                    Some("assistant") if !text.trim().is_empty() => turn.assistant(Some("answer"), &text),
                    Some(_) | None => turn.lost_sight(Lost::BrokenFrame),
                }
            }
            "thought" => turn.assistant(Some("thought"), &content_text(&Value::Object(event.clone()))),
            "tool_use" => turn.tool_called(),
            "tool_result" => {
                turn.tool_ended();
                let call = string(&event, "tool_id");
                turn.tool_output(call, string(&event, "output").unwrap_or_default());
                if let Some(error) = object(&event, "error") {
                    turn.tool_output(call, string(error, "message").unwrap_or_default());
                }
            }
            "error" => {
                let signal = Signal::data(
                    Channel::Event,
                    Value::Object(pick(&event, &["type", "severity", "message", "error"])),
                );
                let is_warning = string(&event, "severity") == Some("warning");
                turn.signal(if is_warning { signal.notice() } else { signal });
            }
            "result" => {
                let mut signal =
                    Signal::data(Channel::Event, Value::Object(pick(&event, &["type", "status", "error"])));
                signal.http_status =
                    object(&event, "error").and_then(|error| http_status(error.get("code")?));
                if event.get("stats").is_some_and(counts_work) {
                    turn.lost_sight(Lost::Summary);
                }
                let succeeded = string(&event, "status") == Some("success");
                turn.end(signal, if succeeded { Terminal::Completed } else { Terminal::Failed });
            }
            _ => {
                turn.lost_sight(Lost::UnknownKind);
                turn.event(unknown_event(&event));
            }
        }
    }

    fn end(&mut self, turn: &mut TurnBuilder) {
        if self.begun && !self.has_init {
            turn.lost_sight(Lost::NoPrompt);
        }
    }

    fn start(&self) -> Start {
        match (self.begun, self.lost) {
            (true, _) => Start::Begun,
            (false, true) => Start::Unknown,
            (false, false) => Start::NotBegun(Phase::SessionInit),
        }
    }

    fn success(&self) -> Option<Terminal> {
        None
    }
}

#[cfg(test)]
mod tests;
