//! Items of a Codex turn (`agent_message` in `exec --json`, `agentMessage` in the app-server): who speaks in them.

use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::json::{Object, content_text, http_status, string};
use crate::sight::Lost;

/// Where in an item's life its event stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It began or goes on.
    Under,
    /// It is over.
    Completed,
}

/// Reads an item.
pub(super) fn read(item: &Object, stage: Stage, turn: &mut TurnBuilder) {
    let id = string(item, "id");
    match string(item, "type").unwrap_or_default() {
        "agent_message" | "agentMessage" | "plan" => match string(item, "text") {
            _ if stage == Stage::Under => turn.lost_sight(Lost::WorkUnderWay),
            Some(text) if !text.trim().is_empty() => turn.assistant(id, text),
            Some(_) | None => turn.lost_sight(Lost::BrokenFrame),
        },
        "reasoning" => {
            turn.lost_sight(Lost::WorkUnderWay);
            if stage == Stage::Completed {
                let text = ["text", "summary", "content"].iter().filter_map(|key| item.get(*key));
                text.for_each(|text| turn.assistant(id, &content_text(text)));
            }
        }
        "userMessage" | "user_message" => {}
        // Plans, hooks and compactions come with work.
        "todo_list" | "hookPrompt" | "contextCompaction" => turn.lost_sight(Lost::WorkUnderWay),
        // A warning, of the agent or of somebody whose words it passes on: the turn goes on.
        "error" => turn.relayed(string(item, "message").unwrap_or_default()),
        _ => tool(item, stage, turn),
    }
}

/// Everything else is taken for a tool: what it says is never the agent's word.
fn tool(item: &Object, stage: Stage, turn: &mut TurnBuilder) {
    turn.tool_called();
    if stage == Stage::Under {
        return;
    }
    turn.tool_ended();
    let id = string(item, "id");
    for key in ["aggregated_output", "aggregatedOutput", "result", "output", "error", "contentItems"] {
        match item.get(key) {
            Some(Value::Object(fields)) if fields.contains_key("message") => {
                turn.tool_output(id, string(fields, "message").unwrap_or_default());
            }
            Some(value) => turn.tool_output(id, &content_text(value)),
            None => {}
        }
    }
}

/// The HTTP status inside `codexErrorInfo` (`{"responseStreamDisconnected":{"httpStatusCode":429}}`) or its snake
/// case sister.
pub(crate) fn status_of_info(info: &Value) -> Option<u16> {
    info.as_object()?.values().filter_map(Value::as_object).find_map(|fields| {
        ["httpStatusCode", "http_status_code"].iter().find_map(|key| http_status(fields.get(*key)?))
    })
}
