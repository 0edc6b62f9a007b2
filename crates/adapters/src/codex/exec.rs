//! `codex exec --json`, one event a line.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Sight, Terminal};
use serde_json::Value;

use super::item::{self, Stage};
use crate::builder::TurnBuilder;
use crate::json::{object, pick, string, unknown_event};
use crate::line::Lines;
use crate::one_shot::{Parser, Start, event_of};
use crate::sight::Lost;

/// Reads the events.
#[derive(Debug, Default)]
pub(crate) struct CodexExec {
    lines: Lines,
    has_thread: bool,
    begun: bool,
    has_turn: bool,
    lost: bool,
}

impl Parser for CodexExec {
    const SIGHT: Sight = Sight::Full;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        let Some(event) = event_of(&mut self.lines, line, turn) else {
            self.lost |= !line.trim().is_empty();
            return;
        };
        match string(&event, "type").unwrap_or_default() {
            "thread.started" => {
                self.has_thread = true;
                turn.session = string(&event, "thread_id").map(|id| id.chars().take(128).collect());
            }
            "turn.started" => {
                self.begun = true;
                self.has_turn = true;
                turn.phase = Some(Phase::PromptSend);
            }
            "turn.completed" => {
                self.begun = true;
                turn.end(
                    Signal::data(Channel::Event, Value::Object(pick(&event, &["type"]))),
                    Terminal::Completed,
                );
            }
            "turn.failed" => {
                self.begun = true;
                let data = pick(&event, &["type", "error"]);
                turn.end(Signal::data(Channel::Event, Value::Object(data)), Terminal::Failed);
            }
            "error" => turn.event(pick(&event, &["type", "message", "error", "status"])),
            kind @ ("item.started" | "item.updated" | "item.completed") => {
                let stage = if kind == "item.completed" { Stage::Completed } else { Stage::Under };
                match object(&event, "item") {
                    Some(item) => item::read(item, stage, turn),
                    None => turn.lost_sight(Lost::BrokenFrame),
                }
            }
            _ => {
                turn.lost_sight(Lost::UnknownKind);
                turn.event(unknown_event(&event));
            }
        }
    }

    fn end(&mut self, turn: &mut TurnBuilder) {
        // Something of the turn was seen, its beginning was not.
        if (self.begun || self.has_thread) && !self.has_turn {
            turn.lost_sight(Lost::NoPrompt);
        }
    }

    fn start(&self) -> Start {
        match (self.begun, self.lost, self.has_thread) {
            (true, _, _) => Start::Begun,
            (false, true, _) => Start::Unknown,
            // Nothing shows that the turn did not begin.
            (false, false, true) => Start::Unknown,
            (false, false, false) => Start::NotBegun(Phase::Launch),
        }
    }

    fn success(&self) -> Option<Terminal> {
        None
    }
}
