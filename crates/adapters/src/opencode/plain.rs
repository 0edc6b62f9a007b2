//! `opencode run`: the answer on standard output; tool calls and errors on standard error.

use faultbook_evidence::Channel;
use faultbook_taxonomy::{Sight, Terminal};

use crate::builder::TurnBuilder;
use crate::one_shot::{Parser, Start};

/// Reads the plain output.
#[derive(Debug)]
pub(crate) struct OpenCodePlain;

impl Parser for OpenCodePlain {
    const SIGHT: Sight = Sight::Partial;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        turn.line(Channel::Mixed, line);
    }

    fn diagnostics(&mut self, line: &str, turn: &mut TurnBuilder) {
        if is_tool_call(line) {
            turn.tool_called();
            turn.tool_output(None, line);
        } else {
            turn.stderr(line);
        }
    }

    fn start(&self) -> Start {
        Start::Unknown
    }

    fn success(&self) -> Option<Terminal> {
        Some(Terminal::Completed)
    }
}

/// A tool call is printed behind a bar, with colour codes around it.
fn is_tool_call(line: &str) -> bool {
    let mut rest = line.trim_start();
    while let Some(sequence) = rest.strip_prefix("\u{1b}[") {
        let end =
            sequence.find(|letter: char| letter.is_ascii_alphabetic()).map_or(sequence.len(), |at| at + 1);
        rest = sequence.get(end..).unwrap_or_default().trim_start();
    }
    rest.starts_with('|')
}
