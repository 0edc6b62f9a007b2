//! The order of statements: within a stream as they came, across streams by time, the terminal last of all.

use std::cmp::Ordering;

use faultbook_evidence::{Statement, Stream, Turn};

/// Compares statements of one turn. Statements of different streams without two different times have no order.
pub(crate) struct Order<'t, 'e> {
    turn: &'t Turn<'e>,
    terminal: Option<usize>,
}

impl<'t, 'e> Order<'t, 'e> {
    pub(crate) fn new(turn: &'t Turn<'e>) -> Self {
        Self { turn, terminal: turn.envelope.terminal_index() }
    }

    /// The stream in which a statement keeps its place.
    pub(crate) fn stream(&self, statement: usize) -> Option<Stream> {
        self.turn.statements.get(statement).map(|statement| statement.channel.stream())
    }

    /// How `one` stands to `other`; `None` where nothing orders them.
    pub(crate) fn compare(&self, one: usize, other: usize) -> Option<Ordering> {
        let (first, second) = (self.turn.statements.get(one)?, self.turn.statements.get(other)?);
        if first.signal == second.signal {
            return Some(one.cmp(&other));
        }
        match (Some(first.signal) == self.terminal, Some(second.signal) == self.terminal) {
            (true, false) => return Some(Ordering::Greater),
            (false, true) => return Some(Ordering::Less),
            (true, true) | (false, false) => {}
        }
        if first.channel.stream() == second.channel.stream() {
            return Some(first.signal.cmp(&second.signal));
        }
        match (self.seen_at(first)?, self.seen_at(second)?) {
            (earlier, later) if earlier == later => None,
            (earlier, later) => Some(earlier.cmp(&later)),
        }
    }

    /// Whether `one` certainly comes after `other`.
    pub(crate) fn is_after(&self, one: usize, other: usize) -> bool {
        self.compare(one, other) == Some(Ordering::Greater)
    }

    fn seen_at(&self, statement: &Statement) -> Option<jiff::Timestamp> {
        self.turn.envelope.signals.get(statement.signal)?.at
    }
}
