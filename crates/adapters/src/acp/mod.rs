//! The Agent Client Protocol: JSON-RPC 2.0 lines, of any agent.
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | JSON-RPC `error` of the prompt | channel `acp_error`; `rpc_code`; `terminal`: failed |
//! | `error.code`, where it is an HTTP status (Gemini CLI, Qwen Code) | `http_status` |
//! | `codexErrorInfo.*.httpStatusCode`, `codex_error_info.*.http_status_code` | `http_status` |
//! | `stopReason` `end_turn` | `terminal`: completed; failed after `threadStatus: systemError` (codex-acp) |
//! | `end_turn` with a `token_count` of zero (Gemini CLI) | no `terminal`: nothing was completed |
//! | `stopReason` `cancelled` | `terminal`: cancelled |
//! | `stopReason` `refusal`, `max_tokens`, `max_turn_requests` | `terminal`: failed |
//! | a chunk that the JSON-RPC error repeats (claude-agent-acp) | channel `agent_text` |
//! | a chunk without `messageId` after `systemError` (codex-acp) | channel `agent_text` |
//! | `_meta.codex.error` (codex-acp) | an `event`; `role`: notice with `willRetry: true` |
//! | `sessionFailure` (codex-acp) | an `event`; `role`: notice with severity `warning` |
//! | `session/cancel`, a permission that the host declined | channel `host` |
//! | an error of any other request | the pre-start envelope |
//! | a `notice` of severity `error` | an `event` |
//!
//! A session's history that is replayed before a prompt is no evidence. The closed vocabularies are read with the
//! types of `agent-client-protocol-schema`, everything else as the JSON that it is: `protocol` says why.

mod answer;
mod protocol;
mod update;

use agent_client_protocol_schema::v1::{PermissionOptionKind, RequestPermissionOutcome};
use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Terminal};
use serde_json::{Value, json};

use crate::conversation::{Conversation, Pending};
use crate::frame::{Exit, Frame, Source};
use crate::json::{Object, object, object_of, string};
use crate::line::{Line, Lines};
use crate::one_shot::failed_by_itself;
use crate::sight::{Lost, is_stray_frame};
use crate::turn::{Context, Turn};
use crate::wire::Adapter;

/// Reads a connection.
pub(crate) struct Acp {
    conversation: Conversation,
    agent: Option<String>,
    from_agent: Lines,
    to_agent: Lines,
    requests: Pending<String>,
    permissions: Pending<Vec<String>>,
    sees_host: bool,
}

impl Acp {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            agent: context.agent.clone(),
            conversation: Conversation::new(context),
            from_agent: Lines::default(),
            to_agent: Lines::default(),
            requests: Pending::default(),
            permissions: Pending::default(),
            sees_host: false,
        }
    }

    fn read_agent(&mut self, line: &str) {
        let message = match self.from_agent.read(line) {
            Line::Object(message) => message,
            Line::Text => {
                self.conversation.current().lost_sight(Lost::Unreadable);
                return self.conversation.current().line(Channel::Shared, line);
            }
            Line::Unreadable => return self.conversation.current().lost_sight(Lost::Unreadable),
            Line::Blank => return,
        };
        match (string(&message, "method"), message.get("id").filter(|id| !id.is_null())) {
            (Some(protocol::SESSION_UPDATE), _) => self.update(&message),
            (Some(protocol::REQUEST_PERMISSION), Some(id)) => {
                self.conversation.lost_sight(Lost::WorkUnderWay);
                self.permission(id, &message);
            }
            (Some(method), None) if protocol::EFFECT_FREE_NOTIFICATIONS.contains(&method) => {}
            // Files, terminals and extensions: what they carry is the model's or the host's.
            (Some(_), _) => self.conversation.lost_sight(Lost::WorkUnderWay),
            (None, id) => self.answer(id.unwrap_or(&Value::Null), &message),
        }
    }

    fn update(&mut self, message: &Object) {
        let params = object(message, "params");
        let Some((params, update)) = params.and_then(|params| Some((params, object(params, "update")?)))
        else {
            return self.conversation.lost_sight(Lost::BrokenFrame);
        };
        let session = string(params, "sessionId");
        if self.conversation.of_session(session).is_none() && !self.sees_host {
            let exchange = self.conversation.begin(session.map(str::to_owned), None);
            exchange.turn.lost_sight(Lost::NoPrompt);
        }
        if let Some(exchange) = self.conversation.of_session(session) {
            return update::read(update, exchange);
        }
        // A session's history is replayed while it is loaded, before any prompt.
        let is_replay = !self.conversation.is_at_work() && self.requests.holds(protocol::LOAD);
        if !protocol::Kind::of(update).is_without_effects() && !is_replay {
            let is_other = self.conversation.is_at_work();
            self.conversation.lost_sight(if is_other { Lost::OtherSession } else { Lost::OutOfOrder });
        }
    }

    /// Remembers which of the options decline.
    fn permission(&mut self, id: &Value, message: &Object) {
        let options = object(message, "params").and_then(|params| params.get("options")?.as_array());
        let declining = options
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .filter(|option| protocol::word(option, "kind").is_some_and(declines))
            .filter_map(|option| string(option, "optionId").map(str::to_owned))
            .take(16);
        self.permissions.add(id, declining.collect());
    }

    fn answer(&mut self, id: &Value, message: &Object) {
        let agent = self.agent.as_deref();
        let ends_turn = message.get("error").is_some_and(Value::is_object)
            || object(message, "result").is_some_and(|result| result.contains_key("stopReason"));
        if self.conversation.of_request(id).is_none() {
            if self.sees_host || !ends_turn {
                return self.set_up_answer(id, message);
            }
            // Only the agent's side was seen: the answer that ends a turn belongs to the one under way.
            match self.conversation.of_session(None) {
                Some(exchange) => exchange.request = Some(id.clone()),
                None => {
                    let exchange = self.conversation.begin(None, Some(id.clone()));
                    exchange.turn.lost_sight(Lost::NoPrompt);
                }
            }
        }
        if let Some(exchange) = self.conversation.of_request(id) {
            answer::read(message, exchange, agent);
        }
    }

    /// The answer to a request of set-up.
    fn set_up_answer(&mut self, id: &Value, message: &Object) {
        let method = self.requests.take(id);
        if method.is_none() && self.sees_host {
            self.conversation.lost_sight(Lost::UnknownAnswer);
        }
        if let Some(error) = object(message, "error") {
            let signal = answer::error_signal(error, self.agent.as_deref());
            self.conversation.before().end(signal, Terminal::Failed);
        } else if method.as_deref() == Some(protocol::INITIALIZE) {
            self.conversation.set_up = Phase::SessionInit;
        }
    }

    fn read_host(&mut self, line: &str) {
        self.sees_host = true;
        let message = match self.to_agent.read(line) {
            Line::Object(message) => message,
            Line::Blank => return,
            Line::Text | Line::Unreadable => return self.conversation.lost_sight(Lost::UnknownHost),
        };
        let params = object(&message, "params");
        let session = params.and_then(|params| string(params, "sessionId"));
        match (string(&message, "method"), message.get("id").filter(|id| !id.is_null())) {
            (Some(protocol::PROMPT), Some(id)) => {
                self.conversation.set_up = Phase::SessionInit;
                self.conversation.begin(session.map(str::to_owned), Some(id.clone()));
            }
            (Some(protocol::CANCEL), _) => {
                if let Some(exchange) = self.conversation.of_session(session) {
                    exchange.turn.host_cancel();
                }
            }
            (Some(method), Some(id)) => {
                if !protocol::HOST_REQUESTS.contains(&method) {
                    self.conversation.lost_sight(Lost::UnknownHost);
                }
                self.requests.add(id, method.chars().take(64).collect());
            }
            (Some(_), None) | (None, None) => self.conversation.lost_sight(Lost::UnknownHost),
            (None, Some(id)) => self.permission_answer(id, &message),
        }
    }

    fn permission_answer(&mut self, id: &Value, message: &Object) {
        let Some(declining) = self.permissions.take(id) else { return };
        let outcome = object(message, "result").and_then(|result| protocol::word(result, "outcome"));
        let Some(RequestPermissionOutcome::Selected(chosen)) = outcome else { return };
        if declining.iter().any(|option| **option == *chosen.option_id.0) {
            let data = object_of([("host", json!("permission_declined"))]);
            self.conversation.current().signal(Signal::data(Channel::Host, Value::Object(data)));
        }
    }
}

fn declines(kind: PermissionOptionKind) -> bool {
    matches!(kind, PermissionOptionKind::RejectOnce | PermissionOptionKind::RejectAlways)
}

impl Adapter for Acp {
    fn feed(&mut self, frame: &Frame) {
        self.conversation.tick(frame.t_ms);
        match frame.source {
            Source::FromAgent | Source::Stdout => self.read_agent(&frame.line),
            Source::ToAgent => self.read_host(&frame.line),
            Source::Stderr => {
                if is_stray_frame(&frame.line) {
                    self.conversation.lost_sight(Lost::OtherStream);
                }
                self.conversation.current().stderr(&frame.line);
            }
            Source::Host if frame.line.trim() == "cancel" => self.conversation.cancel_all(),
            Source::Host => self.conversation.lost_sight(Lost::UnknownHost),
        }
    }

    fn finish(&mut self, exit: &Exit) -> Vec<Turn> {
        // The host speaks first: where nothing of it was seen, only an agent that failed by itself shows that it got
        // no prompt. That the prompt is missing does not.
        if !self.sees_host && !failed_by_itself(exit) {
            self.conversation.lost_beginning();
        }
        self.conversation.finish(exit, !self.requests.is_empty())
    }
}

#[cfg(test)]
mod tests;
