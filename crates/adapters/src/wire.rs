//! The wire formats, and which adapter reads which.

use faultbook_taxonomy::Agent;

use crate::acp::Acp;
use crate::claude::{ClaudePlain, ClaudeStream};
use crate::codex::{AppServer, CodexExec, CodexPlain};
use crate::frame::{Exit, Frame};
use crate::gate::Gate;
use crate::gemini::GeminiStream;
use crate::http::HttpAnswer;
use crate::json_document::JsonDocument;
use crate::one_shot::OneShot;
use crate::opencode::{OpenCodePlain, OpenCodeRun};
use crate::process::Process;
use crate::turn::{Context, Turn};

/// A streaming reader of one run. It never fails: what it cannot read, it leaves out or marks as unknown.
pub trait Adapter {
    /// Reads one frame.
    fn feed(&mut self, frame: &Frame);

    /// Ends the run and gives its turns: the pre-start one first, then one a prompt, in order.
    fn finish(&mut self, exit: &Exit) -> Vec<Turn>;
}

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wire {
    /// JSON-RPC 2.0 lines of the Agent Client Protocol, of any agent.
    Acp,
    /// `claude -p --output-format stream-json`, and Qwen Code's descendant of it.
    ClaudeStream,
    /// `claude -p --output-format json`, `gemini -o json`, `qwen -o json`: one document at the end.
    JsonDocument,
    /// `claude -p`.
    ClaudePlain,
    /// `codex exec --json`.
    CodexExec,
    /// `codex app-server`.
    CodexAppServer,
    /// `codex exec`.
    CodexPlain,
    /// `opencode run --format json`.
    OpenCodeRun,
    /// `opencode run`.
    OpenCodePlain,
    /// `gemini -o stream-json`.
    GeminiStream,
    /// `gemini -p` and `qwen -p`.
    GeminiPlain,
    /// Any command: standard output, standard error, exit.
    Process,
    /// The text of an HTTP answer.
    Http,
}

impl Wire {
    /// The format of an agent under the name that recordings give it (`acp`, `stream-json`, `json`, `plain`,
    /// `exec-json`, `app-server`, `run-json`, `http`). What is unknown is read as any command.
    #[must_use]
    pub fn of(agent: Option<&str>, format: &str) -> Self {
        let family = agent.and_then(|agent| agent.parse::<Agent>().ok()).map(Agent::family);
        // A variant is named behind the format: `run-json-anthropic`.
        let long = ["stream-json", "exec-json", "run-json"].into_iter().find(|long| format.starts_with(long));
        match (long.unwrap_or(format), family) {
            ("acp", _) => Self::Acp,
            ("stream-json", Some(Agent::GeminiCli)) => Self::GeminiStream,
            ("stream-json", _) => Self::ClaudeStream,
            ("json", _) => Self::JsonDocument,
            ("exec-json", _) => Self::CodexExec,
            ("app-server", _) => Self::CodexAppServer,
            ("run-json", _) => Self::OpenCodeRun,
            ("http", _) => Self::Http,
            ("plain", Some(Agent::ClaudeCode)) => Self::ClaudePlain,
            ("plain", Some(Agent::Codex)) => Self::CodexPlain,
            ("plain", Some(Agent::OpenCode)) => Self::OpenCodePlain,
            ("plain", Some(Agent::GeminiCli | Agent::QwenCode)) => Self::GeminiPlain,
            _ => Self::Process,
        }
    }

    /// A fresh adapter for one run.
    #[must_use]
    pub fn adapter(self, context: Context) -> Box<dyn Adapter + Send> {
        let inner: Box<dyn Adapter + Send> = match self {
            Self::Acp => Box::new(Acp::new(context)),
            Self::ClaudeStream => Box::new(OneShot::new(ClaudeStream::default(), context)),
            Self::JsonDocument => Box::new(OneShot::new(JsonDocument::default(), context)),
            Self::ClaudePlain => Box::new(OneShot::new(ClaudePlain, context)),
            Self::CodexExec => Box::new(OneShot::new(CodexExec::default(), context)),
            Self::CodexAppServer => Box::new(AppServer::new(context)),
            Self::CodexPlain => Box::new(OneShot::new(CodexPlain::default(), context)),
            Self::OpenCodeRun => Box::new(OneShot::new(OpenCodeRun::default(), context)),
            Self::OpenCodePlain => Box::new(OneShot::new(OpenCodePlain, context)),
            Self::GeminiStream => Box::new(OneShot::new(GeminiStream::default(), context)),
            Self::GeminiPlain => Box::new(OneShot::new(Process { agent: true }, context)),
            Self::Process => Box::new(OneShot::new(Process { agent: false }, context)),
            Self::Http => Box::new(OneShot::new(HttpAnswer::default(), context)),
        };
        Box::new(Gate::new(inner))
    }
}
