//! The protocol's closed vocabularies, from `agent-client-protocol-schema`.
//!
//! Messages are read field by field, not into the schema's structs: those refuse a whole message for one required
//! field that is missing or of another type, and evidence of a failure is read as far as it goes, also from agents of
//! a later protocol and from recordings that leave out what is long. What is closed is read with the schema's types:
//! stop reasons, error codes, states of tools, kinds of permission options, outcomes of permission requests, names of
//! methods. A word that they do not know is unknown, never an error.
//!
//! The schema has no type for the kinds of updates alone. Tests hold the table of this module against its
//! `SessionUpdate`, and the recordings of real agents against its structs.

use agent_client_protocol_schema::v1::{AGENT_METHOD_NAMES, CLIENT_METHOD_NAMES};
use serde::Deserialize;

use crate::json::{Object, string};

/// The notification about the turn under way.
pub(super) const SESSION_UPDATE: &str = CLIENT_METHOD_NAMES.session_update;
/// The agent asks whether it may use a tool.
pub(super) const REQUEST_PERMISSION: &str = CLIENT_METHOD_NAMES.session_request_permission;
/// The first request of a connection.
pub(super) const INITIALIZE: &str = AGENT_METHOD_NAMES.initialize;
/// The request that begins a turn.
pub(super) const PROMPT: &str = AGENT_METHOD_NAMES.session_prompt;
/// The request that loads a stored session; its history is told again before the answer.
pub(super) const LOAD: &str = AGENT_METHOD_NAMES.session_load;
/// What a host asks of an agent beside prompts.
pub(super) const HOST_REQUESTS: &[&str] = &[
    AGENT_METHOD_NAMES.authenticate,
    INITIALIZE,
    LOAD,
    AGENT_METHOD_NAMES.session_new,
    AGENT_METHOD_NAMES.session_set_mode,
    "session/list",
    "session/resume",
    "session/set_config_option",
    "session/set_model",
];
/// The host cancels the turn.
pub(super) const CANCEL: &str = AGENT_METHOD_NAMES.session_cancel;

/// The value at a key as one of the schema's types; `None` where it is missing or not of the vocabulary.
pub(super) fn word<'v, T: Deserialize<'v>>(from: &'v Object, key: &str) -> Option<T> {
    T::deserialize(from.get(key)?).ok()
}

/// What an update is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A piece of the model's answer.
    Message,
    /// A piece of its reasoning.
    Thought,
    /// A tool was called.
    ToolCall,
    /// What became of a call.
    ToolCallUpdate,
    /// Words for the user that belong to no message.
    Notice,
    /// What is shown beside the conversation or belongs to the user: no evidence, and without effects.
    Aside,
    /// A plan, a subagent, a summary, another session: it comes with work.
    Work,
    /// What the agent says about itself.
    Itself,
    /// A kind that this build does not know.
    Unknown,
}

/// The kinds of updates by name. `Aside` and `Itself` are the closed list of kinds without effects: each was seen in
/// turns that did nothing, of claude-agent-acp 0.49 and 0.101, codex-acp 2.6, gemini-cli 0.61, opencode 1.18 or
/// qwen-code 0.24. The last two are no part of the schema's stable release.
const KINDS: &[(&str, Kind)] = &[
    ("agent_message_chunk", Kind::Message),
    ("agent_thought_chunk", Kind::Thought),
    ("tool_call", Kind::ToolCall),
    ("tool_call_update", Kind::ToolCallUpdate),
    ("notice", Kind::Notice),
    ("session_info_update", Kind::Itself),
    ("compaction_update", Kind::Work),
    ("user_message_chunk", Kind::Aside),
    ("plan", Kind::Work),
    ("plan_update", Kind::Work),
    ("plan_removed", Kind::Work),
    ("available_commands_update", Kind::Aside),
    ("current_mode_update", Kind::Work),
    ("config_option_update", Kind::Work),
    ("usage_update", Kind::Aside),
    ("compaction_summary_chunk", Kind::Work),
    ("subagent_update", Kind::Work),
    ("session_message", Kind::Work),
    ("session_message_chunk", Kind::Work),
    ("current_model_update", Kind::Work),
    ("prompt_suggestions_update", Kind::Work),
];

/// Notifications beside `session/update` that say nothing about work: claude-agent-acp 0.101, codex-acp 2.6, qwen-code
/// 0.24.
pub(super) const EFFECT_FREE_NOTIFICATIONS: &[&str] =
    &["_auth/status_update", "qwen/notify/session/prompt-suggestion"];

impl Kind {
    /// Whether an update of this kind, outside any prompt, says nothing about work.
    pub(super) const fn is_without_effects(self) -> bool {
        match self {
            Self::Aside | Self::Itself | Self::Notice => true,
            Self::Message
            | Self::Thought
            | Self::ToolCall
            | Self::ToolCallUpdate
            | Self::Work
            | Self::Unknown => false,
        }
    }

    /// The kind of an update.
    pub(super) fn of(update: &Object) -> Self {
        let name = string(update, "sessionUpdate");
        KINDS.iter().find(|(known, _)| Some(*known) == name).map_or(Self::Unknown, |(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use agent_client_protocol_schema::v1::{Error, PromptResponse, SessionNotification, SessionUpdate};
    use serde_json::{Value, json};

    use super::*;

    /// The schema names its kinds where it refuses one.
    fn kinds_of_the_schema() -> BTreeSet<String> {
        let refusal = SessionUpdate::deserialize(&json!({ "sessionUpdate": "?" })).unwrap_err().to_string();
        let listed = refusal.split_once("expected one of").unwrap().1;
        listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_kind_of_the_schema_has_its_place() {
        let schema = kinds_of_the_schema();
        assert!(schema.contains("agent_message_chunk"), "{schema:?}");
        let ours: BTreeSet<String> = KINDS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(ours.len(), KINDS.len(), "a name stands once");
        assert_eq!(schema.difference(&ours).collect::<Vec<_>>(), Vec::<&String>::new());
        let more: Vec<&String> = ours.difference(&schema).collect();
        assert_eq!(more, ["current_model_update", "prompt_suggestions_update"]);
    }

    /// Recordings leave out the lists of commands, which are long and say nothing; all else is as the schema has it.
    #[test]
    fn recorded_agents_speak_the_schemas_types() {
        let mut read = [0_usize; 3];
        let mut refused = Vec::new();
        for (name, line) in agent_lines() {
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            let result = if message["method"] == SESSION_UPDATE {
                read[0] += 1;
                SessionNotification::deserialize(&message["params"]).err()
            } else if message["result"].get("stopReason").is_some() {
                read[1] += 1;
                PromptResponse::deserialize(&message["result"]).err()
            } else if message.get("error").is_some() {
                read[2] += 1;
                Error::deserialize(&message["error"]).err()
            } else {
                None
            };
            let refusal = result.map(|error| error.to_string());
            let refusal = refusal.filter(|why| !why.contains("missing field `availableCommands`"));
            refused.extend(refusal.map(|why| format!("{name}: {why}")));
        }
        assert!(read.iter().all(|count| *count > 0), "{read:?}");
        assert_eq!(refused, Vec::<String>::new());
    }

    fn agent_lines() -> Vec<(String, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recordings");
        let index = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
        let mut lines = Vec::new();
        for entry in index.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let text = std::fs::read_to_string(folder.join(entry["file"].as_str().unwrap())).unwrap();
            let recording = crate::Recording::read(&text).unwrap();
            if recording.format == "acp" {
                let said = recording.frames.iter().filter(|frame| frame.source == crate::Source::FromAgent);
                lines.extend(said.map(|frame| (recording.id.clone(), frame.line.clone())));
            }
        }
        lines
    }
}
