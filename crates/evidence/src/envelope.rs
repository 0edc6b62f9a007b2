//! The evidence envelope: everything that a host saw of one prompt turn.

use std::collections::BTreeMap;

use faultbook_taxonomy::{Delivery, Effects, Phase, Sight, SightLost, Terminal};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Channel;

/// The schema name that every envelope carries.
pub const EVIDENCE_SCHEMA: &str = "faultbook.evidence/1";

/// Whether a signal is the failure or an announcement of an attempt that goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The failure itself.
    #[default]
    Failure,
    /// An attempt that the agent announced and goes on to retry.
    Notice,
}

/// One observation. It is built by adapters and hosts, and read with [`Envelope::read`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Signal {
    /// Where it was seen.
    pub channel: Channel,
    /// The words that were seen, at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The JSON that was seen, at most 64 KiB and 32 levels deep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The provider's HTTP status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100, max = 599))]
    pub http_status: Option<u16>,
    /// Retry and rate-limit headers, by lower-case name. Others are dropped.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The exit code of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The Unix signal that ended the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// The JSON-RPC error code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rpc_code: Option<i64>,
    /// When it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
    /// The prompt generation, when it differs from the envelope's: the signal is then stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// Whether it is the failure or an announced attempt.
    #[serde(default, skip_serializing_if = "is_failure")]
    pub role: Role,
    /// Set on the signal that ended the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<Terminal>,
}

fn is_failure(role: &Role) -> bool {
    *role == Role::Failure
}

impl Signal {
    /// A signal of the channel that says nothing yet.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        Self {
            channel,
            text: None,
            data: None,
            http_status: None,
            headers: BTreeMap::new(),
            exit_code: None,
            signal: None,
            rpc_code: None,
            at: None,
            generation: None,
            role: Role::Failure,
            terminal: None,
        }
    }

    /// A signal that carries words.
    #[must_use]
    pub fn text(channel: Channel, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::new(channel) }
    }

    /// A signal that carries JSON.
    #[must_use]
    pub fn data(channel: Channel, data: Value) -> Self {
        Self { data: Some(data), ..Self::new(channel) }
    }

    /// The same signal, seen at an instant.
    #[must_use]
    pub fn at(mut self, at: Option<Timestamp>) -> Self {
        self.at = at;
        self
    }

    /// The same signal, as an announced attempt.
    #[must_use]
    pub fn notice(mut self) -> Self {
        self.role = Role::Notice;
        self
    }

    /// The same signal, as the one that ended the turn.
    #[must_use]
    pub fn ending(mut self, terminal: Terminal) -> Self {
        self.terminal = Some(terminal);
        self
    }
}

/// Everything that a host saw of one prompt turn. What is absent is unknown, and unknown is never safe.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Envelope {
    /// Free text that the answer echoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The agent or adapter that was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The provider behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The agent's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The execution of the agent's process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<String>,
    /// The prompt generation that the evidence belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// Whether the turn is the one in the foreground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreground: Option<bool>,
    /// Where in its life the agent was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Whether the prompt reached the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<Delivery>,
    /// When the evidence was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub occurred_at: Option<Timestamp>,
    /// The IANA time zone of the machine on which it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// What the turn already did.
    #[serde(default)]
    pub effects: Effects,
    /// How much of the turn was seen; absent where the host does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight: Option<Sight>,
    /// Where sight was lost, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight_lost: Option<SightLost>,
    /// What was observed, in order.
    pub signals: Vec<Signal>,
    /// What was dropped, cut or ignored while reading.
    #[serde(skip)]
    pub notes: Vec<String>,
}

impl Envelope {
    /// An envelope of these signals with everything else unknown.
    #[must_use]
    pub fn of(signals: Vec<Signal>) -> Self {
        Self { signals, ..Self::default() }
    }

    /// How the turn ended, if a current signal says so. The last such signal counts.
    #[must_use]
    pub fn terminal(&self) -> Option<Terminal> {
        self.terminal_index().and_then(|index| self.signals.get(index)?.terminal)
    }

    /// The index of the signal that ended the turn.
    #[must_use]
    pub fn terminal_index(&self) -> Option<usize> {
        self.signals.iter().rposition(|signal| signal.terminal.is_some() && !self.is_stale(signal))
    }

    /// Whether the signal belongs to an earlier or later prompt.
    #[must_use]
    pub fn is_stale(&self, signal: &Signal) -> bool {
        signal.generation.is_some() && signal.generation != self.generation
    }

    /// Something was not seen: nothing may be concluded from its absence any more. The first reason stays.
    pub fn lose_sight(&mut self, lost: SightLost) {
        self.sight = Some(Sight::Partial);
        self.sight_lost.get_or_insert(lost);
        self.effects = self.effects.without_claims_of_absence();
        if self.phase.is_some_and(Phase::is_pre_start) {
            self.phase = None;
        }
        if self.delivery == Some(Delivery::Refused) {
            self.delivery = Some(Delivery::Unknown);
        }
    }

    /// The envelope as JSON with its schema name first: one line of a stream.
    ///
    /// # Errors
    /// Fails only where the data of a signal cannot be serialised.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut object = serde_json::Map::new();
        object.insert("schema".to_owned(), Value::from(EVIDENCE_SCHEMA));
        if let Value::Object(rest) = serde_json::to_value(self)? {
            object.extend(rest);
        }
        Ok(Value::Object(object))
    }
}
