//! Where a signal was seen, and what that place may be trusted with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The place where a signal was seen. It decides what the signal may prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// A JSON-RPC error's `error` object.
    AcpError,
    /// A `session/update` notification's `params.update`.
    AcpUpdate,
    /// The `result` of the prompt request.
    AcpResult,
    /// The agent's own JSON event, without the model's and the tools' text.
    Event,
    /// The provider's HTTP answer.
    Http,
    /// Words that an adapter knows by structure to be the agent's own.
    AgentText,
    /// The process's standard error.
    Stderr,
    /// The process's standard output, known to hold diagnostics only.
    Stdout,
    /// A log file of the agent.
    Log,
    /// A stream in which diagnostics and the model's answer share the pipe.
    Mixed,
    /// Standard error and stray lines beside a protocol: MCP servers, hooks and tools write there too.
    Shared,
    /// The process's exit status.
    Exit,
    /// What the host itself did.
    Host,
    /// The model's words.
    Assistant,
    /// Output of a tool or of the user's program.
    Tool,
    /// A channel that this build does not know. It is never trusted.
    #[serde(skip)]
    #[schemars(skip)]
    Unknown,
}

/// What the texts of a channel may prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextTrust {
    /// Nothing at all.
    Never,
    /// Only what a `speaker` rule promotes.
    SpeakerOnly,
    /// Only codes of class `outside`, and only where nothing else matches.
    OutsideOnly,
    /// It explains and never decides: at most medium, only where nothing else names a cause, and never a hint.
    Explains,
    /// At most medium confidence, unless the whole output or a failed terminal vouches for it.
    Limited,
    /// Any rule.
    Full,
}

/// Signals of one stream arrive in order; between streams only time orders them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// The protocol or standard output: one pipe, whatever it carries.
    Output,
    /// Standard error.
    Error,
    /// A log file.
    Log,
    /// The provider's answers, seen apart from the agent.
    Http,
    /// The host and the process's exit.
    Host,
    /// A channel of which nothing is known.
    Unknown,
}

impl Channel {
    /// Every channel that evidence may name.
    pub const ALL: &'static [Self] = &[
        Self::AcpError,
        Self::AcpUpdate,
        Self::AcpResult,
        Self::Event,
        Self::Http,
        Self::AgentText,
        Self::Stderr,
        Self::Stdout,
        Self::Log,
        Self::Mixed,
        Self::Shared,
        Self::Exit,
        Self::Host,
        Self::Assistant,
        Self::Tool,
    ];

    /// The channel's one spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AcpError => "acp_error",
            Self::AcpUpdate => "acp_update",
            Self::AcpResult => "acp_result",
            Self::Event => "event",
            Self::Http => "http",
            Self::AgentText => "agent_text",
            Self::Stderr => "stderr",
            Self::Stdout => "stdout",
            Self::Log => "log",
            Self::Mixed => "mixed",
            Self::Shared => "shared",
            Self::Exit => "exit",
            Self::Host => "host",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::Unknown => "unknown",
        }
    }

    /// The channel of a word, if it is one.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|channel| channel.as_str() == word)
    }

    /// What the signal's own `text` may prove.
    #[must_use]
    pub const fn text_trust(self) -> TextTrust {
        match self {
            Self::AcpError
            | Self::AcpResult
            | Self::Event
            | Self::Http
            | Self::AgentText
            | Self::Stderr
            | Self::Stdout
            | Self::Log
            | Self::Exit
            | Self::Host => TextTrust::Full,
            Self::Mixed => TextTrust::Limited,
            Self::Shared => TextTrust::Explains,
            Self::Tool => TextTrust::OutsideOnly,
            Self::Assistant => TextTrust::SpeakerOnly,
            Self::AcpUpdate | Self::Unknown => TextTrust::Never,
        }
    }

    /// What the string leaves of the signal's `data` may prove. Updates and results carry titles, plans and
    /// prompts beside the agent's own words, so only their fields count.
    #[must_use]
    pub const fn leaf_trust(self) -> TextTrust {
        match self {
            Self::AcpUpdate | Self::AcpResult => TextTrust::Never,
            Self::AcpError
            | Self::Event
            | Self::Http
            | Self::AgentText
            | Self::Stderr
            | Self::Stdout
            | Self::Log
            | Self::Exit
            | Self::Host
            | Self::Mixed
            | Self::Shared
            | Self::Assistant
            | Self::Tool
            | Self::Unknown => self.text_trust(),
        }
    }

    /// What structured fields, statuses and codes of the signal may prove.
    #[must_use]
    pub const fn field_trust(self) -> TextTrust {
        match self {
            Self::AcpUpdate => TextTrust::Full,
            Self::AcpError
            | Self::AcpResult
            | Self::Event
            | Self::Http
            | Self::AgentText
            | Self::Stderr
            | Self::Stdout
            | Self::Log
            | Self::Exit
            | Self::Host
            | Self::Mixed
            | Self::Shared
            | Self::Assistant
            | Self::Tool
            | Self::Unknown => self.text_trust(),
        }
    }

    /// The stream within which the channel's signals keep their order.
    #[must_use]
    pub const fn stream(self) -> Stream {
        match self {
            Self::AcpError
            | Self::AcpUpdate
            | Self::AcpResult
            | Self::Event
            | Self::AgentText
            | Self::Stdout
            | Self::Mixed
            | Self::Assistant
            | Self::Tool => Stream::Output,
            Self::Stderr | Self::Shared => Stream::Error,
            Self::Log => Stream::Log,
            Self::Http => Stream::Http,
            Self::Exit | Self::Host => Stream::Host,
            Self::Unknown => Stream::Unknown,
        }
    }

    /// Whether the channel carries the words of the model or of a tool.
    #[must_use]
    pub const fn is_work(self) -> bool {
        matches!(self, Self::Assistant | Self::Tool)
    }
}

impl std::fmt::Display for Channel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}
