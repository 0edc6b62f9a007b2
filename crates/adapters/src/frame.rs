//! Frames: single lines as a host sees them, with their stream and time.

use serde::{Deserialize, Serialize};

/// The longest line that is read, in bytes; a longer one is counted as unreadable.
pub const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// Which way a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The process's standard output.
    Stdout,
    /// The process's standard error.
    Stderr,
    /// A protocol line from the agent.
    FromAgent,
    /// A protocol line from the host to the agent.
    ToAgent,
    /// What the host itself did: `cancel`, or `stop` where the recorder ended the run.
    Host,
}

impl Source {
    /// The source of a word in a recording, if it is one.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "stdout" => Some(Self::Stdout),
            "stderr" => Some(Self::Stderr),
            "from_agent" => Some(Self::FromAgent),
            "to_agent" => Some(Self::ToAgent),
            "host" => Some(Self::Host),
            _ => None,
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// Milliseconds since the agent was started.
    pub t_ms: u64,
    /// Which way it went.
    #[serde(rename = "stream")]
    pub source: Source,
    /// The line without its end.
    pub line: String,
}

impl Frame {
    /// A line that went some way at some time.
    #[must_use]
    pub fn new(t_ms: u64, source: Source, line: impl Into<String>) -> Self {
        Self { t_ms, source, line: line.into() }
    }
}

/// Who ended the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// The agent ended by itself.
    #[default]
    Agent,
    /// The recorder stopped it: how it ended is no evidence.
    Recorder,
}

/// How the process ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exit {
    /// The exit code, if known.
    pub code: Option<i32>,
    /// The Unix signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Who ended it.
    pub ended_by: EndedBy,
    /// Milliseconds since the start, if known.
    pub t_ms: Option<u64>,
}

impl Exit {
    /// The agent ended with this code.
    #[must_use]
    pub fn code(code: i32) -> Self {
        Self { code: Some(code), ..Self::default() }
    }

    /// Nothing is known of the end.
    #[must_use]
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Whether the end says anything: the agent ended by itself, and it is known how.
    #[must_use]
    pub fn is_evidence(&self) -> bool {
        self.ended_by == EndedBy::Agent && (self.code.is_some() || self.signal.is_some())
    }
}
