//! Gemini CLI's `-o stream-json`, one event a line.
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | `result`: `status` | `terminal`: completed for `success`, else failed |
//! | `error`: `severity` of `warning` | `role`: notice |
//! | `result`: `error.code`, where it is an HTTP status | `http_status` |

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Terminal};
use serde_json::Value;

use crate::builder::{Sight, TurnBuilder};
use crate::json::{content_text, http_status, object, pick, string, unknown_event};
use crate::line::Lines;
use crate::one_shot::{Parser, Start, event_of};

/// Reads the events.
#[derive(Debug, Default)]
pub(crate) struct GeminiStream {
    lines: Lines,
    begun: bool,
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
                turn.session = string(&event, "session_id").map(|id| id.chars().take(128).collect());
                turn.model = string(&event, "model").map(|model| model.chars().take(128).collect());
            }
            "message" => {
                if string(&event, "role") == Some("assistant") {
                    turn.assistant(Some("answer"), string(&event, "content").unwrap_or_default());
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
                let succeeded = string(&event, "status") == Some("success");
                turn.end(signal, if succeeded { Terminal::Completed } else { Terminal::Failed });
            }
            _ => turn.event(unknown_event(&event)),
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
