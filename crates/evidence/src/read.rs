//! Reading an envelope from JSON: tolerant in what it accepts, strict in what it believes.
//!
//! Malformed parts are dropped with a note; only an envelope that is no object, has no signals, or speaks
//! another schema version is an error.

use std::collections::BTreeMap;

use faultbook_taxonomy::{Agent, Delivery, Effects, Phase, Provider, Sight, SightLost, Terminal};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::envelope::{EVIDENCE_SCHEMA, Envelope, Role, Signal};
use crate::sanitise::sanitise_bounded;
use crate::{Channel, frame};

/// Why a line is no evidence envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The line is not JSON; the parser's words.
    NotJson(String),
    /// The JSON is not an object.
    NotAnObject,
    /// The object names no schema, or one that this build does not read.
    Schema(Option<String>),
    /// The object has no list of signals.
    NoSignals,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "not JSON: {why}"),
            Self::NotAnObject => f.write_str("an evidence envelope is a JSON object"),
            Self::Schema(None) => write!(f, "no `schema`; expected `{EVIDENCE_SCHEMA}`"),
            Self::Schema(Some(found)) => {
                let found = sanitise_bounded(found, 80);
                write!(f, "schema `{}` is not `{EVIDENCE_SCHEMA}`", found.escape_debug())
            }
            Self::NoSignals => f.write_str("no list of `signals`"),
        }
    }
}

impl std::error::Error for ReadError {}

const ENVELOPE_KEYS: &[&str] = &[
    "schema",
    "id",
    "agent",
    "provider",
    "model",
    "session",
    "execution",
    "generation",
    "foreground",
    "phase",
    "delivery",
    "occurred_at",
    "time_zone",
    "effects",
    "sight",
    "sight_lost",
    "signals",
];

const SIGNAL_KEYS: &[&str] = &[
    "channel",
    "text",
    "data",
    "http_status",
    "headers",
    "exit_code",
    "signal",
    "rpc_code",
    "at",
    "generation",
    "role",
    "terminal",
];

/// The most notes that one envelope keeps; hostile input cannot fill an answer with them.
const MAX_NOTES: usize = 32;

/// The most bytes of a short field (`id`, `agent`, `session` and the like).
const MAX_FIELD_BYTES: usize = 512;

impl Envelope {
    /// Reads one line of JSON and enforces every bound.
    ///
    /// # Errors
    /// See [`ReadError`]. Everything else that is wrong is dropped with a note.
    pub fn read(line: &str) -> Result<Self, ReadError> {
        let value = serde_json::from_str(line).map_err(|error| ReadError::NotJson(error.to_string()))?;
        Self::from_value(value)
    }

    /// Reads an envelope from parsed JSON and enforces every bound.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn from_value(value: Value) -> Result<Self, ReadError> {
        let Value::Object(object) = value else { return Err(ReadError::NotAnObject) };
        match object.get("schema") {
            Some(Value::String(schema)) if schema == EVIDENCE_SCHEMA => {}
            Some(other) => {
                let found = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                return Err(ReadError::Schema(Some(found)));
            }
            None => return Err(ReadError::Schema(None)),
        }
        Self::from_object(object)
    }

    /// Reads an envelope whose schema the context already names, as fixtures do.
    ///
    /// # Errors
    /// [`ReadError::NoSignals`] where there is no list of signals.
    pub fn from_object(mut object: Map<String, Value>) -> Result<Self, ReadError> {
        let Some(Value::Array(signals)) = object.remove("signals") else { return Err(ReadError::NoSignals) };
        let mut fields = Fields { object, place: String::new(), notes: Vec::new() };
        fields.note_unknown(ENVELOPE_KEYS);
        let mut envelope = Self {
            id: fields.string("id"),
            agent: fields.string("agent"),
            provider: fields.string("provider"),
            model: fields.string("model"),
            session: fields.string("session"),
            execution: fields.string("execution"),
            generation: fields.take("generation", "a whole number", Value::as_u64),
            foreground: fields.take("foreground", "true or false", Value::as_bool),
            phase: fields.word::<Phase>("phase"),
            delivery: fields.word::<Delivery>("delivery"),
            occurred_at: fields.instant("occurred_at"),
            time_zone: fields.string("time_zone"),
            effects: fields.effects(),
            sight: fields.word::<Sight>("sight"),
            sight_lost: fields.take("sight_lost", "a reason and a frame", read_lost),
            signals: Vec::new(),
            notes: fields.notes,
        };
        envelope.note_unlisted_names();
        for (index, value) in signals.into_iter().enumerate() {
            match value {
                Value::Object(signal) => {
                    let mut fields =
                        Fields { object: signal, place: format!("signals[{index}]."), notes: Vec::new() };
                    let signal = fields.signal();
                    envelope.notes.append(&mut fields.notes);
                    envelope.signals.push(signal);
                }
                _ => {
                    envelope.notes.push(format!("signals[{index}] is no object and was dropped"));
                    envelope.signals.push(Signal::new(Channel::Unknown));
                }
            }
        }
        envelope.enforce_bounds();
        if envelope.sight == Some(Sight::Partial) || envelope.sight_lost.is_some() {
            let unsaid = SightLost { reason: "the host does not say why".to_owned(), frame: None };
            let lost = envelope.sight_lost.clone().unwrap_or(unsaid);
            envelope.lose_sight(lost);
        }
        if envelope.notes.len() > MAX_NOTES {
            let dropped = envelope.notes.len() - MAX_NOTES;
            envelope.notes.truncate(MAX_NOTES);
            envelope.notes.push(format!("{dropped} more notes were left out"));
        }
        Ok(envelope)
    }

    fn note_unlisted_names(&mut self) {
        if let Some(agent) = &self.agent
            && agent.parse::<Agent>().is_err()
        {
            self.notes
                .push("agent is not in the list of agents: rules that name agents do not apply".to_owned());
        }
        if let Some(provider) = &self.provider
            && provider.parse::<Provider>().is_err()
        {
            self.notes.push(
                "provider is not in the list of providers: rules that name providers do not apply".to_owned(),
            );
        }
    }
}

/// Where sight was lost. The reason passes the sanitiser: a host may quote what it read.
fn read_lost(value: &Value) -> Option<SightLost> {
    let reason = sanitise_bounded(value.get("reason")?.as_str()?, MAX_FIELD_BYTES);
    Some(SightLost { reason, frame: value.get("frame").and_then(Value::as_u64) })
}

/// The fields of one object, taken out one by one; what does not fit leaves a note.
struct Fields {
    object: Map<String, Value>,
    place: String,
    notes: Vec<String>,
}

impl Fields {
    fn note_unknown(&mut self, known: &[&str]) {
        for key in self.object.keys() {
            if !known.contains(&key.as_str()) {
                let key = sanitise_bounded(key, 64);
                self.notes.push(format!(
                    "{}{} is not a known key and was ignored",
                    self.place,
                    key.escape_debug()
                ));
            }
        }
    }

    fn take<T>(&mut self, key: &str, expected: &str, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let value = self.object.remove(key)?;
        if value.is_null() {
            return None;
        }
        let taken = read(&value);
        if taken.is_none() {
            self.notes.push(format!("{}{key} is not {expected} and was dropped", self.place));
        }
        taken
    }

    fn string(&mut self, key: &str) -> Option<String> {
        let mut text = self.take(key, "a text", |value| value.as_str().map(str::to_owned))?;
        if text.len() > MAX_FIELD_BYTES {
            text.truncate(text.floor_char_boundary(MAX_FIELD_BYTES));
            self.notes.push(format!("{}{key} was cut to {MAX_FIELD_BYTES} bytes", self.place));
        }
        Some(text)
    }

    fn word<T: std::str::FromStr>(&mut self, key: &str) -> Option<T> {
        self.take(key, "a known word", |value| value.as_str()?.parse().ok())
    }

    fn instant(&mut self, key: &str) -> Option<Timestamp> {
        self.take(key, "an RFC 3339 time", |value| value.as_str()?.parse().ok())
    }

    fn effects(&mut self) -> Effects {
        let Some(object) = self.take("effects", "an object", |value| value.as_object().cloned()) else {
            return Effects::default();
        };
        let mut fields = Fields { object, place: "effects.".to_owned(), notes: Vec::new() };
        fields.note_unknown(&["assistant_output", "tool_activity", "resume_guarantee"]);
        let effects = Effects {
            assistant_output: fields.take("assistant_output", "true or false", Value::as_bool),
            tool_activity: fields.take("tool_activity", "true or false", Value::as_bool),
            resume_guarantee: fields.take("resume_guarantee", "true or false", Value::as_bool),
        };
        self.notes.append(&mut fields.notes);
        effects
    }

    fn signal(&mut self) -> Signal {
        self.note_unknown(SIGNAL_KEYS);
        let channel = self
            .take("channel", "a known channel: nothing in the signal is trusted", |value| {
                Channel::named(value.as_str()?)
            })
            .unwrap_or(Channel::Unknown);
        let mut signal = Signal {
            channel,
            text: self.take("text", "a text", |value| value.as_str().map(str::to_owned)),
            data: self.object.remove("data").filter(|data| !data.is_null()),
            http_status: self.take("http_status", "an HTTP status", |value| {
                value
                    .as_u64()
                    .and_then(|status| u16::try_from(status).ok())
                    .filter(|s| (100..600).contains(s))
            }),
            headers: self.headers(),
            exit_code: self.take("exit_code", "an exit code", |value| i32::try_from(value.as_i64()?).ok()),
            signal: self.take("signal", "a Unix signal number", |value| i32::try_from(value.as_i64()?).ok()),
            rpc_code: self.take("rpc_code", "a JSON-RPC code", Value::as_i64),
            at: self.instant("at"),
            generation: self.take("generation", "a whole number", Value::as_u64),
            role: self
                .take("role", "`failure` or `notice`", |value| match value.as_str()? {
                    "failure" => Some(Role::Failure),
                    "notice" => Some(Role::Notice),
                    _ => None,
                })
                .unwrap_or_default(),
            terminal: self.word::<Terminal>("terminal"),
        };
        frame::unwrap(&mut signal);
        signal
    }

    fn headers(&mut self) -> BTreeMap<String, String> {
        let Some(object) = self.take("headers", "an object", |value| value.as_object().cloned()) else {
            return BTreeMap::new();
        };
        let mut kept = BTreeMap::new();
        for (name, value) in object {
            let name = name.to_ascii_lowercase();
            if !is_timing_header(&name) {
                continue;
            }
            let text = match value {
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                _ => continue,
            };
            if text.len() <= 256 && kept.len() < 64 {
                kept.insert(name, text);
            }
        }
        kept
    }
}

/// Whether a header (lower case) says something about retries or rate limits.
#[must_use]
pub fn is_timing_header(name: &str) -> bool {
    name.len() <= 128
        && (name.starts_with("retry-after")
            || name == "x-should-retry"
            || name.contains("ratelimit")
            || name.contains("rate-limit")
            || (name.starts_with("x-codex-") && (name.contains("reset") || name.contains("window"))))
}
