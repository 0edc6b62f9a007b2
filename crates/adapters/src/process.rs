//! Any command: standard output, standard error and the exit. Gemini CLI and Qwen Code are read the same way in
//! their plain mode.
//!
//! The output may hold anybody's words, so it is `mixed`. Exit 0 is `completed`, any other exit `failed`, a signal
//! after a host's cancel `cancelled`. What the command did is unknown.

use faultbook_evidence::Channel;
use faultbook_taxonomy::{Sight, Terminal};

use crate::builder::TurnBuilder;
use crate::one_shot::{Parser, Start};

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

#[cfg(test)]
mod tests {
    use crate::testing::{head, last, turns};
    use crate::{Exit, Wire};

    #[test]
    fn the_exit_claims_how_the_turn_ended() {
        let killed = Exit { signal: Some(15), ..Exit::default() };
        let table = [
            ("", Exit::code(0), "exit <completed> exit=0"),
            ("", Exit::code(3), "exit <failed> exit=3"),
            ("", killed, "exit <failed> signal=15"),
            ("= cancel", killed, "exit <cancelled> signal=15"),
            ("= cancel", Exit::code(0), "exit <cancelled> exit=0"),
        ];
        for (host, exit, expected) in table {
            let found = last(Wire::Process, "generic", &format!("< words\n{host}"), &exit);
            assert_eq!(found[0], "mixed \"words\"");
            assert_eq!(found.last().unwrap(), expected);
        }
        assert_eq!(last(Wire::Process, "generic", "< words\n= stop\n< more", &killed), ["mixed \"words\""]);
    }

    #[test]
    fn what_a_command_did_is_unknown() {
        let turns = turns(Wire::Process, "generic", "< words", &Exit::code(1));
        assert_eq!(head(&turns[0]), "prompt 1 phase=? delivery=unknown words=? tools=?");
    }
}
