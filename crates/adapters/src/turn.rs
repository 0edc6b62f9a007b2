//! Turns: the envelopes of a run, and what is known of the run from outside its stream.

use faultbook_evidence::Envelope;
use jiff::{Timestamp, ToSpan};

/// What is known of the run from outside its stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The agent that was run.
    pub agent: Option<String>,
    /// When it was started; signals get their time from it.
    pub started_at: Option<Timestamp>,
    /// The machine's IANA time zone.
    pub time_zone: Option<String>,
}

impl Context {
    /// A run of this agent of which nothing else is known.
    #[must_use]
    pub fn of_agent(agent: &str) -> Self {
        Self { agent: Some(agent.to_owned()), ..Self::default() }
    }

    /// The instant at so many milliseconds after the start.
    pub(crate) fn instant(&self, t_ms: u64) -> Option<Timestamp> {
        let span = i64::try_from(t_ms).ok()?;
        self.started_at?.checked_add(span.milliseconds()).ok()
    }
}

/// Which part of a run an envelope is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnKind {
    /// Launch and session set-up, before any prompt.
    PreStart,
    /// A prompt, counted from 1.
    Prompt(u32),
}

/// One envelope of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What it is about.
    pub kind: TurnKind,
    /// The evidence, within its bounds.
    pub envelope: Envelope,
}
