//! A lane: words of one speaker that arrive in pieces and are joined into one signal.

use faultbook_evidence::{Channel, Signal};

use crate::bounded::BoundedText;

/// Words that are still being joined.
#[derive(Debug)]
pub(crate) struct Lane {
    /// The place of the signal in the turn.
    pub(crate) order: u64,
    /// Whose words they are.
    pub(crate) channel: Channel,
    /// Which message they belong to, where the format says so.
    pub(crate) message: Option<String>,
    /// When the first piece came.
    pub(crate) first_ms: u64,
    /// When the last piece came.
    pub(crate) last_ms: u64,
    text: BoundedText,
    last_piece: usize,
}

impl Lane {
    pub(crate) fn new(order: u64, channel: Channel, message: Option<String>, now: u64) -> Self {
        Self {
            order,
            channel,
            message,
            first_ms: now,
            last_ms: now,
            text: BoundedText::default(),
            last_piece: 0,
        }
    }

    /// Appends a piece as it is.
    pub(crate) fn chunk(&mut self, piece: &str, now: u64) {
        self.last_piece = self.text.as_str().len();
        self.text.push(piece);
        self.last_ms = now;
    }

    /// Appends a line.
    pub(crate) fn line(&mut self, line: &str, now: u64) {
        if !self.text.as_str().is_empty() {
            self.text.push("\n");
        }
        self.chunk(line, now);
    }

    /// The words so far.
    pub(crate) fn words(&self) -> &str {
        self.text.as_str()
    }

    /// Cuts the last piece off, if more than it was said.
    pub(crate) fn split_last_piece(&mut self) -> Option<String> {
        let (head, piece) = self.text.as_str().split_at_checked(self.last_piece)?;
        if head.trim().is_empty() {
            return None;
        }
        let (head, piece) = (head.to_owned(), piece.to_owned());
        self.text = BoundedText::default();
        self.text.push(&head);
        Some(piece)
    }

    /// The signal, unless nothing was said.
    pub(crate) fn into_signal(self) -> Option<Signal> {
        if self.text.is_blank() {
            return None;
        }
        Some(Signal::text(self.channel, self.text.into_string()))
    }
}
