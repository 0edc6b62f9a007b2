//! `codex exec`: the conversation on standard error, the answer once more on standard output.
//!
//! After the banner, lines that hold nothing but a speaker's name say whose words follow. Lines that begin with
//! `ERROR:` are the agent's, as far as a plain stream can prove it: they are `mixed`.

use faultbook_evidence::Channel;
use faultbook_taxonomy::Terminal;

use crate::one_shot::{Parser, Start};
use crate::turn::{Sight, TurnBuilder};

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
        self.listen(line);
        match self.speaker {
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
    fn listen(&mut self, line: &str) {
        if self.speaker == Speaker::Process {
            if line.starts_with("OpenAI Codex") {
                self.speaker = Speaker::Banner;
            }
            return;
        }
        if self.rules_seen < 2 {
            self.rules_seen += u8::from(line == "--------");
            return;
        }
        self.speaker = match line.trim_end() {
            "user" => Speaker::User,
            "codex" | "thinking" => Speaker::Model,
            "exec" => Speaker::Tool,
            "tokens used" | "turn interrupted" => Speaker::Agent,
            line if line.starts_with("ERROR:") || line.starts_with("warning:") => Speaker::Agent,
            line if line.starts_with("tool ") || line.starts_with("mcp: ") => Speaker::Tool,
            _ => self.speaker,
        };
    }
}
