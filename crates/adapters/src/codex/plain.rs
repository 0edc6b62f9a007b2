//! `codex exec`: the conversation on standard error, the answer once more on standard output.
//!
//! After the banner, lines that hold nothing but a speaker's name say whose words follow. Lines that begin with
//! `ERROR:` are the agent's, as far as a plain stream can prove it: they are `mixed`.

use faultbook_evidence::Channel;
use faultbook_taxonomy::{Sight, Terminal};

use crate::builder::TurnBuilder;
use crate::one_shot::{Parser, Start};

/// Whose section the stream is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Speaker {
    /// Before the banner: the process's own diagnostics.
    #[default]
    Process,
    /// The banner: version, directories, model.
    Banner,
    /// The prompt.
    User,
    /// The model.
    Model,
    /// A tool's call and output.
    Tool,
    /// The agent's own lines.
    Agent,
}

/// Reads the conversation.
#[derive(Debug, Default)]
pub(crate) struct CodexPlain {
    speaker: Speaker,
    rules_seen: u8,
}

impl Parser for CodexPlain {
    const SIGHT: Sight = Sight::Partial;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        // Standard output repeats the last answer of the model and holds nothing else.
        turn.assistant(Some("answer"), line);
        turn.assistant(Some("answer"), "\n");
    }

    fn diagnostics(&mut self, line: &str, turn: &mut TurnBuilder) {
        let is_name = self.listen(line);
        match self.speaker {
            _ if is_name => {}
            Speaker::Process => turn.stderr(line),
            Speaker::Banner => {
                if let Some(model) = line.strip_prefix("model: ") {
                    turn.model = Some(model.trim().chars().take(128).collect());
                }
            }
            Speaker::User => {}
            Speaker::Model => {
                turn.assistant(Some("codex"), line);
                turn.assistant(Some("codex"), "\n");
            }
            Speaker::Tool => {
                turn.tool_called();
                turn.line(Channel::Tool, line);
            }
            Speaker::Agent => turn.line(Channel::Mixed, line),
        }
    }

    fn start(&self) -> Start {
        if self.rules_seen >= 2 { Start::Begun } else { Start::Unknown }
    }

    fn success(&self) -> Option<Terminal> {
        Some(Terminal::Completed)
    }
}

impl CodexPlain {
    /// Follows who speaks; whether the line holds nothing but a speaker's name.
    fn listen(&mut self, line: &str) -> bool {
        if self.speaker == Speaker::Process {
            if line.starts_with("OpenAI Codex") {
                self.speaker = Speaker::Banner;
            }
            return false;
        }
        if self.rules_seen < 2 {
            self.rules_seen += u8::from(line == "--------");
            return false;
        }
        let line = line.trim_end();
        self.speaker = match line {
            "user" => Speaker::User,
            "codex" | "thinking" => Speaker::Model,
            "exec" => Speaker::Tool,
            "tokens used" | "turn interrupted" => Speaker::Agent,
            _ if line.starts_with("ERROR:") || line.starts_with("warning:") => Speaker::Agent,
            _ if line.starts_with("tool ") || line.starts_with("mcp: ") => Speaker::Tool,
            _ => self.speaker,
        };
        matches!(line, "user" | "codex" | "thinking" | "exec")
    }
}
