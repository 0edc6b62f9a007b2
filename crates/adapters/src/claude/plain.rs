//! `claude -p`: the answer, or the error in its place, on standard output.

use faultbook_evidence::Channel;
use faultbook_taxonomy::{Sight, Terminal};

use crate::builder::TurnBuilder;
use crate::one_shot::{Parser, Start};

/// Reads the plain output: the model and the agent share standard output.
#[derive(Debug)]
pub(crate) struct ClaudePlain;

impl Parser for ClaudePlain {
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
}
