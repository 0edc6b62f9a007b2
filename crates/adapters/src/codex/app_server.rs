//! `codex app-server`: JSON-RPC notifications and requests, without the `jsonrpc` member.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Terminal};
use serde_json::{Value, json};

use super::item::{self, Stage, status_of_info};
use crate::builder::TurnBuilder;
use crate::conversation::{Conversation, Exchange, Pending};
use crate::frame::{Exit, Frame, Source};
use crate::json::{Object, object, object_at, object_of, pick, string};
use crate::line::{Line, Lines};
use crate::sight::{Lost, is_stray_frame};
use crate::turn::{Context, Turn};
use crate::wire::Adapter;

/// Reads a connection.
pub(crate) struct AppServer {
    conversation: Conversation,
    from_agent: Lines,
    to_agent: Lines,
    requests: Pending<String>,
    approvals: Pending<()>,
}

impl AppServer {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            conversation: Conversation::new(context),
            from_agent: Lines::default(),
            to_agent: Lines::default(),
            requests: Pending::default(),
            approvals: Pending::default(),
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
        let id = message.get("id").filter(|id| !id.is_null());
        match (string(&message, "method"), id) {
            (Some(method), Some(id)) => {
                self.conversation.lost_sight(Lost::WorkUnderWay);
                if method.contains("pproval") {
                    self.approvals.add(id, ());
                }
            }
            (Some(method), None) => self.notification(method, &message),
            (None, Some(id)) => self.answer(id, &message),
            (None, None) => self.conversation.lost_sight(Lost::BrokenFrame),
        }
    }

    fn notification(&mut self, method: &str, message: &Object) {
        let empty = Object::new();
        let params = object(message, "params").unwrap_or(&empty);
        let thread = string(params, "threadId");
        if method == "turn/started" && self.conversation.of_session(thread).is_none() {
            let exchange = self.conversation.begin(thread.map(str::to_owned), None);
            exchange.turn.lost_sight(Lost::NoPrompt);
        }
        match self.conversation.of_session(thread) {
            Some(exchange) => in_turn(method, message, params, exchange),
            None if method == "error" => error(message, params, self.conversation.current()),
            None if is_without_effects(method) => {}
            None => self.conversation.lost_sight(Lost::OutOfOrder),
        }
    }

    fn answer(&mut self, id: &Value, message: &Object) {
        let method = self.requests.take(id);
        if let Some(error) = object(message, "error") {
            let mut signal =
                Signal::data(Channel::AcpError, json!(pick(error, &["code", "message", "data"])));
            signal.rpc_code = error.get("code").and_then(Value::as_i64);
            match self.conversation.of_request(id) {
                Some(exchange) => {
                    exchange.turn.end(signal, Terminal::Failed);
                    exchange.close();
                }
                None => {
                    if method.is_none() {
                        self.conversation.lost_sight(Lost::UnknownAnswer);
                    }
                    self.conversation.before().end(signal, Terminal::Failed);
                }
            }
        } else if method.as_deref() == Some("initialize") {
            self.conversation.set_up = Phase::SessionInit;
        }
    }

    fn read_host(&mut self, line: &str) {
        let message = match self.to_agent.read(line) {
            Line::Object(message) => message,
            Line::Blank => return,
            Line::Text | Line::Unreadable => return self.conversation.lost_sight(Lost::UnknownHost),
        };
        let thread = object(&message, "params").and_then(|params| string(params, "threadId"));
        match (string(&message, "method"), message.get("id").filter(|id| !id.is_null())) {
            (Some("turn/start"), Some(id)) => {
                self.conversation.set_up = Phase::SessionInit;
                self.conversation.begin(thread.map(str::to_owned), Some(id.clone()));
            }
            (Some(method), id) => {
                if method == "turn/interrupt"
                    && let Some(exchange) = self.conversation.of_session(thread)
                {
                    exchange.turn.host_cancel();
                } else if let Some(id) = id {
                    self.requests.add(id, method.chars().take(64).collect());
                }
            }
            (None, Some(id)) => self.approval(id, &message),
            (None, None) => {}
        }
    }

    fn approval(&mut self, id: &Value, message: &Object) {
        if self.approvals.take(id).is_none() {
            return;
        }
        let decision = object(message, "result").and_then(|result| string(result, "decision"));
        if matches!(decision, Some("decline" | "denied" | "cancel" | "abort")) {
            let data = object_of([("host", json!("permission_declined"))]);
            self.conversation.current().signal(Signal::data(Channel::Host, Value::Object(data)));
        }
    }
}

/// Notifications that say nothing about work, as the app-server's documentation describes them.
fn is_without_effects(method: &str) -> bool {
    const METHODS: &[&str] = &[
        "account/rateLimits/updated",
        "account/updated",
        "configWarning",
        "deprecationNotice",
        "model/rerouted",
        "thread/started",
        "thread/status/changed",
        "thread/tokenUsage/updated",
        "warning",
    ];
    METHODS.contains(&method)
}

fn in_turn(method: &str, message: &Object, params: &Object, exchange: &mut Exchange) {
    let turn = &mut exchange.turn;
    match method {
        "turn/started" => turn.acknowledged(),
        "error" => error(message, params, turn),
        "turn/completed" => completed(message, params, exchange),
        "item/started" | "item/completed" => {
            let stage = if method == "item/completed" { Stage::Completed } else { Stage::Under };
            match object(params, "item") {
                Some(item) => item::read(item, stage, turn),
                None => turn.lost_sight(Lost::BrokenFrame),
            }
        }
        "item/agentMessage/delta" => turn.words_seen(),
        "thread/status/changed" => {
            let status = object(params, "status").map(|status| pick(status, &["type"])).unwrap_or_default();
            exchange.system_error = status.get("type").is_some_and(|kind| kind == "systemError");
            let params = object_of([("status", Value::Object(status))]);
            turn.event(object_of([("method", method.into()), ("params", Value::Object(params))]));
        }
        _ if is_without_effects(method) => {}
        _ if method.starts_with("item/") => turn.tool_called(),
        _ => turn.lost_sight(Lost::UnknownKind),
    }
}

fn error(message: &Object, params: &Object, turn: &mut TurnBuilder) {
    let mut data = pick(message, &["method"]);
    data.insert("params".to_owned(), Value::Object(pick(params, &["error", "willRetry"])));
    let mut signal = Signal::data(Channel::Event, Value::Object(data));
    signal.http_status =
        object(params, "error").and_then(|error| status_of_info(error.get("codexErrorInfo")?));
    let goes_on = params.get("willRetry").and_then(Value::as_bool) == Some(true);
    turn.signal(if goes_on { signal.notice() } else { signal });
}

fn completed(message: &Object, params: &Object, exchange: &mut Exchange) {
    let empty = Object::new();
    let ended = object(params, "turn").unwrap_or(&empty);
    let mut data = pick(message, &["method"]);
    let fields = object_of([("turn", Value::Object(pick(ended, &["status", "error"])))]);
    data.insert("params".to_owned(), Value::Object(fields));
    let mut signal = Signal::data(Channel::Event, Value::Object(data));
    signal.http_status =
        object_at(ended, &["error"]).and_then(|error| status_of_info(error.get("codexErrorInfo")?));
    match string(ended, "status") {
        Some("completed") => exchange.turn.end(signal, Terminal::Completed),
        Some("interrupted") => exchange.turn.end(signal, Terminal::Cancelled),
        Some("failed") => exchange.turn.end(signal, Terminal::Failed),
        Some(_) | None => return exchange.turn.signal(signal),
    }
    exchange.close();
}

impl Adapter for AppServer {
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
        self.conversation.finish(exit, !self.requests.is_empty())
    }
}
