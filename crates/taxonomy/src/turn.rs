//! Words about one prompt turn: phase, delivery, how it ended, what it already did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words;

words! {
    /// Where in its life the agent was when the failure appeared.
    pub enum Phase {
        /// The agent's process is being started.
        Launch = "launch",
        /// The session is being created or resumed.
        SessionInit = "session_init",
        /// The prompt was sent, nothing came back yet.
        PromptSend = "prompt_send",
        /// The answer is arriving.
        Streaming = "streaming",
        /// A tool runs for the agent.
        ToolExecution = "tool_execution",
        /// The agent is ending.
        Shutdown = "shutdown",
    }
}

impl Phase {
    /// Before any prompt could have been worked on: there are no effects and nothing was delivered.
    #[must_use]
    pub const fn is_pre_start(self) -> bool {
        match self {
            Self::Launch | Self::SessionInit => true,
            Self::PromptSend | Self::Streaming | Self::ToolExecution | Self::Shutdown => false,
        }
    }
}

words! {
    /// Whether the prompt reached the agent's provider. Unknown counts as ambiguous.
    pub enum Delivery {
        /// A correlated answer to this prompt proves that it arrived.
        Acknowledged = "acknowledged",
        /// The launch or the send failed: it cannot have arrived.
        Refused = "refused",
        /// Nobody can say.
        Unknown = "unknown",
    }
}

words! {
    /// How a turn ended, said by the signal that ended it.
    pub enum Terminal {
        /// The agent says the turn is done.
        Completed = "completed",
        /// The agent says the turn failed.
        Failed = "failed",
        /// The user or host cancelled it.
        Cancelled = "cancelled",
    }
}

words! {
    /// How much of the turn was seen. Only what was seen whole shows that something did not happen.
    pub enum Sight {
        /// Every frame from the prompt to the end was read and understood.
        Full = "full",
        /// Something was not seen or not understood: what was not seen may have happened.
        Partial = "partial",
    }
}

/// Where sight was lost first, and why.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SightLost {
    /// Why, in words of this project; never words of the evidence.
    pub reason: String,
    /// The frame at which it was lost, counted from 1; null where no single frame did it.
    #[serde(default)]
    pub frame: Option<u64>,
}

/// What the turn already did. `None` is unknown, and unknown counts as happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Effects {
    /// The model's words reached the user.
    pub assistant_output: Option<bool>,
    /// A tool was called.
    pub tool_activity: Option<bool>,
    /// The agent guarantees that resuming this session does not replay completed effects.
    /// Unknown is no guarantee.
    pub resume_guarantee: Option<bool>,
}

impl Effects {
    /// No effects at all: what holds before a prompt could start.
    pub const NONE: Self =
        Self { assistant_output: Some(false), tool_activity: Some(false), resume_guarantee: Some(false) };

    /// What may be claimed where something was not seen: what is known to have happened did, the rest is unknown.
    #[must_use]
    pub const fn without_claims_of_absence(self) -> Self {
        const fn positive(happened: Option<bool>) -> Option<bool> {
            match happened {
                Some(true) => Some(true),
                Some(false) | None => None,
            }
        }
        Self {
            assistant_output: positive(self.assistant_output),
            tool_activity: positive(self.tool_activity),
            resume_guarantee: self.resume_guarantee,
        }
    }

    /// Whether it is known that neither output nor tool activity happened.
    #[must_use]
    pub const fn are_known_absent(self) -> bool {
        matches!((self.assistant_output, self.tool_activity), (Some(false), Some(false)))
    }
}
