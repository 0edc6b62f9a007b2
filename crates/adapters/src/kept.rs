//! The signals of a turn that are kept while it goes on: the first ones, the last ones, and the one that ended it.

use std::collections::VecDeque;

use faultbook_evidence::{KEPT_FIRST, MAX_SIGNALS, Signal};

/// Signals in bounded memory, each with its place in the turn.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    first: Vec<(u64, Signal)>,
    last: VecDeque<(u64, Signal)>,
}

impl Kept {
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(crate) fn keep(&mut self, order: u64, signal: Signal) {
        if self.first.len() < KEPT_FIRST {
            self.first.push((order, signal));
            return;
        }
        self.last.push_back((order, signal));
        // One more than an envelope holds, so that cutting there leaves its note.
        if self.last.len() > MAX_SIGNALS - KEPT_FIRST + 1 {
            let victim = self.last.iter().position(|(_, signal)| signal.terminal.is_none()).unwrap_or(0);
            self.last.remove(victim);
        }
    }

    /// Whether the signal says what the one before it said: an unknown event must not push others out.
    pub(crate) fn repeats(&self, signal: &Signal) -> bool {
        self.newest_first().next().is_some_and(|before| {
            signal.data.is_some()
                && signal.terminal.is_none()
                && before.terminal.is_none()
                && (before.channel, before.role, &before.data) == (signal.channel, signal.role, &signal.data)
        })
    }

    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Signal> {
        self.last.iter().rev().chain(self.first.iter().rev()).map(|(_, signal)| signal)
    }

    pub(crate) fn newest_first_mut(&mut self) -> impl Iterator<Item = &mut Signal> {
        self.last.iter_mut().rev().chain(self.first.iter_mut().rev()).map(|(_, signal)| signal)
    }

    /// The signals in the order of the turn.
    pub(crate) fn into_signals(self) -> Vec<Signal> {
        let mut signals: Vec<(u64, Signal)> = self.first.into_iter().chain(self.last).collect();
        signals.sort_by_key(|(order, _)| *order);
        signals.into_iter().map(|(_, signal)| signal).collect()
    }
}
