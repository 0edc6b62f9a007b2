//! `opencode run --format json`, one event a line.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Sight, Terminal};
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::json::{Object, http_status, object, object_at, pick, string, timing_headers, unknown_event};
use crate::line::Lines;
use crate::one_shot::{Parser, Start, event_of};
use crate::sight::{Lost, counts_work};

/// Reads the events.
#[derive(Debug, Default)]
pub(crate) struct OpenCodeRun {
    lines: Lines,
    begun: bool,
    is_in_step: bool,
}

impl Parser for OpenCodeRun {
    const SIGHT: Sight = Sight::Full;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        let Some(event) = event_of(&mut self.lines, line, turn) else { return };
        self.begun = true;
        if let Some(session) = string(&event, "sessionID") {
            turn.session = Some(session.chars().take(128).collect());
        }
        let kind = string(&event, "type").unwrap_or_default();
        if kind != "error" && turn.terminal() == Some(Terminal::Failed) {
            turn.reopen();
        }
        let empty = Object::new();
        let part = object(&event, "part");
        if part.is_none() && !matches!(kind, "error" | "session.error" | "session.status") {
            turn.lost_sight(Lost::BrokenFrame);
        }
        let part = part.unwrap_or(&empty);
        match kind {
            "step_start" => {
                self.is_in_step = true;
                turn.acknowledged();
            }
            "step_finish" => {
                self.is_in_step = false;
                step_finish(&event, part, turn);
            }
            "text" | "reasoning" => {
                // Synthetic parts are what the agent told the model, not what it told the user.
                if part.get("synthetic").and_then(Value::as_bool) != Some(true) {
                    match string(part, "text").filter(|text| !text.trim().is_empty()) {
                        Some(text) => turn.assistant(string(part, "id"), text),
                        None => turn.lost_sight(Lost::BrokenFrame),
                    }
                }
            }
            "tool_use" => tool(part, turn),
            "error" | "session.error" => error(&event, turn),
            "session.status" => status(&event, turn),
            _ => {
                turn.lost_sight(Lost::UnknownKind);
                turn.event(unknown_event(&event));
            }
        }
    }

    fn end(&mut self, turn: &mut TurnBuilder) {
        // A tool is shown when it is over: in an open step one may have run.
        if self.is_in_step {
            turn.lost_sight(Lost::OpenStep);
        } else if !self.begun {
            turn.lost_sight(Lost::NoPrompt);
        }
    }

    fn start(&self) -> Start {
        if self.begun { Start::Begun } else { Start::Unknown }
    }

    fn success(&self) -> Option<Terminal> {
        Some(Terminal::Completed)
    }
}

/// A step that ended as usual says nothing; any other reason is the provider's word.
fn step_finish(event: &Object, part: &Object, turn: &mut TurnBuilder) {
    turn.acknowledged();
    match string(part, "reason") {
        Some("tool-calls") => turn.tool_called(),
        Some(_) => {}
        None => turn.lost_sight(Lost::BrokenFrame),
    }
    if part
        .get("tokens")
        .is_some_and(|tokens| counts_work(tokens) || tokens.get("output").is_some_and(is_positive))
    {
        turn.lost_sight(Lost::Summary);
    }
    if !matches!(string(part, "reason"), Some("stop" | "tool-calls" | "end-turn") | None) {
        let mut data = pick(event, &["type"]);
        data.insert("part".to_owned(), Value::Object(pick(part, &["type", "reason"])));
        turn.event(data);
    }
}

fn is_positive(count: &Value) -> bool {
    count.as_f64().is_some_and(|count| count > 0.0)
}

fn tool(part: &Object, turn: &mut TurnBuilder) {
    turn.tool_called();
    if let Some(state) = object(part, "state") {
        turn.tool_ended();
        for key in ["output", "error"] {
            turn.tool_output(string(part, "callID"), string(state, key).unwrap_or_default());
        }
    }
}

fn error(event: &Object, turn: &mut TurnBuilder) {
    // On the event bus the error stands one level deeper.
    let holder = object(event, "properties").unwrap_or(event);
    let mut data = pick(event, &["type"]);
    data.append(&mut pick(holder, &["error"]));
    let details = object_at(holder, &["error", "data"]);
    let status = details.and_then(|details| http_status(details.get("statusCode")?));
    let headers = details.and_then(|details| object(details, "responseHeaders")).map(timing_headers);
    if let Some(Value::Object(kept)) = data.get_mut("error").and_then(|error| error.get_mut("data")) {
        kept.shift_remove("responseHeaders");
    }
    let mut signal = Signal::data(Channel::Event, Value::Object(data));
    signal.http_status = status;
    signal.headers = headers.unwrap_or_default();
    // Only the last error can have ended the turn: after an overflow the agent compacts and asks again.
    turn.end(signal, Terminal::Failed);
}

fn status(event: &Object, turn: &mut TurnBuilder) {
    let holder = object(event, "properties").unwrap_or(event);
    let Some(status) = object(holder, "status") else { return };
    if string(status, "type") == Some("retry") {
        let mut data = pick(event, &["type"]);
        data.insert(
            "status".to_owned(),
            Value::Object(pick(status, &["type", "attempt", "message", "next"])),
        );
        turn.signal(Signal::data(Channel::Event, Value::Object(data)).notice());
    }
}
