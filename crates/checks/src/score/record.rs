//! One record of a labelled corpus, and the envelope that a host would have made of it.

use faultbook_evidence::{EVIDENCE_SCHEMA, Envelope, ReadError};
use faultbook_taxonomy::{Class, Code};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// When the evidence of a record was seen that does not say so.
pub const DEFAULT_NOW: &str = "2026-11-30T12:00:00Z";

/// The label of evidence that shows no failure.
const NO_FAILURE: &str = "none";
/// The label of a failure of which nothing better can be said.
const UNKNOWN: &str = "unknown_provider_error";

/// A labelled piece of evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The record's id, or its line.
    pub id: String,
    /// What the machine printed.
    pub text: String,
    /// The label: a code, or `none`.
    pub code: String,
    /// Labels that an expert would equally accept.
    pub also_ok: Vec<String>,
    /// The evidence, without the label.
    pub envelope: Envelope,
    /// The wait that the text states, in seconds.
    pub retry_after_s: Option<f64>,
    /// The instant of the reset that the text states.
    pub reset_at: Option<Timestamp>,
    /// Whether a wait in the answer is no mistake, though none is required.
    pub admits_wait: bool,
    /// Whether the evidence shows a turn of which nothing need be said.
    pub is_silent: bool,
}

/// Why a line is no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordError {
    /// The line is not JSON; the parser's words.
    NotJson(String),
    /// The line is no object.
    NotAnObject,
    /// A key that every record has is missing or is no text.
    NoText(&'static str),
    /// `reset_at` is no instant.
    BadReset,
    /// The record makes no envelope.
    Envelope(ReadError),
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "not JSON: {why}"),
            Self::NotAnObject => f.write_str("a record is a JSON object"),
            Self::NoText(key) => write!(f, "the record has no text `{key}`"),
            Self::BadReset => f.write_str("`reset_at` is no RFC 3339 time"),
            Self::Envelope(error) => write!(f, "the record makes no envelope: {error}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// Reads a record; `line` stands for an id that is missing.
    ///
    /// # Errors
    /// See [`RecordError`].
    pub fn of(value: Value, line: usize) -> Result<Self, RecordError> {
        let Value::Object(record) = value else { return Err(RecordError::NotAnObject) };
        let text = |key: &'static str| {
            record.get(key).and_then(Value::as_str).map(str::to_owned).ok_or(RecordError::NoText(key))
        };
        let also_ok = record.get("also_ok").and_then(Value::as_array).into_iter().flatten();
        let reset_at = match record.get("reset_at").and_then(Value::as_str).filter(|text| !text.is_empty()) {
            Some(text) => Some(text.parse().map_err(|_| RecordError::BadReset)?),
            None => None,
        };
        Ok(Self {
            id: text("id").unwrap_or_else(|_| line.to_string()),
            text: text("text")?,
            code: text("code")?,
            also_ok: also_ok.filter_map(Value::as_str).map(str::to_owned).collect(),
            envelope: envelope(&record, line)?,
            retry_after_s: record.get("retry_after_s").and_then(Value::as_f64),
            reset_at,
            admits_wait: is_set(&record, "reset_text") || is_set(&record, "hint_any"),
            is_silent: is_set(&record, "silent"),
        })
    }

    /// The label and every other that an expert would accept.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.code.as_str()).chain(self.also_ok.iter().map(String::as_str))
    }

    /// Whether a code, or the word for an answer without one, is right for the record.
    #[must_use]
    pub fn is_right(&self, code: &str) -> bool {
        let accepts = |label: &str| self.labels().any(|one| one == label);
        accepts(code)
            || (code == "(unclassified)" && (accepts(UNKNOWN) || accepts(NO_FAILURE)))
            || (code == NO_FAILURE && self.is_silent)
    }

    /// Whether every label says that nothing is known to have failed.
    #[must_use]
    pub fn is_no_known_failure(&self) -> bool {
        self.labels().all(|label| label == NO_FAILURE || label == UNKNOWN)
    }

    /// Whether some label says that nothing failed.
    #[must_use]
    pub fn admits_no_failure(&self) -> bool {
        self.labels().any(|label| label == NO_FAILURE)
    }
}

/// The policy class of a label or of an answer's word.
pub(super) fn class_of(label: &str) -> Class {
    match label.parse::<Code>() {
        Ok(code) => code.class(),
        Err(_) if label == NO_FAILURE => Class::Unclassified,
        Err(_) => Class::Outside,
    }
}

/// A value that a record states: neither missing nor null, false, zero or empty.
fn is_set(record: &Map<String, Value>, key: &str) -> bool {
    match record.get(key) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Bool(true)) => true,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
    }
}

/// The text goes into its channel as a host would see it, parsed where the channel carries JSON.
fn envelope(record: &Map<String, Value>, line: usize) -> Result<Envelope, RecordError> {
    let stated = |key: &str| record.get(key).filter(|_| is_set(record, key));
    let signals = stated("signals").cloned().unwrap_or_else(|| json!([signal(record)]));
    let mut envelope = Map::new();
    envelope.insert("schema".to_owned(), json!(EVIDENCE_SCHEMA));
    envelope.insert("id".to_owned(), json!(line.to_string()));
    envelope.insert("foreground".to_owned(), json!(true));
    let now = stated("occurred_at").cloned().unwrap_or_else(|| json!(DEFAULT_NOW));
    envelope.insert("occurred_at".to_owned(), now);
    envelope.insert("signals".to_owned(), signals);
    for key in ["agent", "provider", "model", "phase"] {
        if let Some(value) = stated(key) {
            envelope.insert(key.to_owned(), value.clone());
        }
    }
    Envelope::from_value(Value::Object(envelope)).map_err(RecordError::Envelope)
}

fn signal(record: &Map<String, Value>) -> Value {
    let channel = match record.get("channel").and_then(Value::as_str).unwrap_or_default() {
        "json_event" => "event",
        "http_body" => "http",
        "sdk_exception" => "stderr",
        "tool_output" => "tool",
        "model_text" => "assistant",
        other => other,
    };
    let mut signal = Map::new();
    signal.insert("channel".to_owned(), json!(channel));
    let text = record.get("text").and_then(Value::as_str).unwrap_or_default();
    let data = matches!(channel, "acp_error" | "acp_update" | "event")
        .then(|| serde_json::from_str::<Value>(text).ok())
        .flatten()
        .filter(|data| data.is_object() || data.is_array());
    match data {
        Some(data) => signal.insert("data".to_owned(), data),
        None => signal.insert("text".to_owned(), json!(text)),
    };
    for key in ["http_status", "exit_code", "headers"] {
        if let Some(value) = record.get(key).filter(|value| !value.is_null()) {
            signal.insert(key.to_owned(), value.clone());
        }
    }
    Value::Object(signal)
}
