//! Any command: standard output, standard error and the exit. Gemini CLI and Qwen Code are read the same way in
//! their plain mode.
//!
//! The output may hold anybody's words, so it is `mixed`. Exit 0 is `completed`, any other exit `failed`, a signal
//! after a host's cancel `cancelled`. What the command did is unknown.

use faultbook_evidence::Channel;
use faultbook_taxonomy::Terminal;

use crate::one_shot::{Parser, Start};
use crate::turn::{Sight, TurnBuilder};

/// Reads a command.
#[derive(Debug)]
pub(crate) struct Process {
    /// Whether the command is an agent that was given one prompt.
    pub(crate) agent: bool,
}

impl Parser for Process {
    const SIGHT: Sight = Sight::Partial;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        turn.line(Channel::Mixed, line);
    }

    fn start(&self) -> Start {
        Start::Unknown
    }

    fn success(&self) -> Option<Terminal> {
        Some(Terminal::Completed)
    }

    fn exit_answers(&self) -> bool {
        self.agent
    }
}
