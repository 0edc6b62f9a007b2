//! From a piece of input to an evidence envelope.

use std::borrow::Cow;

use faultbook::{Channel, Envelope, Signal, Terminal};
use faultbook_evidence::{EVIDENCE_SCHEMA, MAX_TEXT_BYTES, ReadError, head_and_tail};
use serde_json::{Map, Value, json};

use super::options::{Kind, TextFacts};

/// Why a piece is no evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputError {
    /// It is meant as an envelope and is none.
    Envelope(ReadError),
    /// It is an envelope of which only the ends were kept.
    TooLong(u64),
    /// It is another document of this project.
    OtherDocument(String),
    /// It is meant as a classification and is none.
    Answer(String),
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Envelope(error) => error.fmt(f),
            Self::TooLong(bytes) => write!(f, "the envelope is {bytes} bytes too long; 4 MiB are read"),
            Self::OtherDocument(schema) => write!(f, "schema `{schema}` is not `{EVIDENCE_SCHEMA}`"),
            Self::Answer(why) => write!(f, "no classification: {why}"),
        }
    }
}

impl InputError {
    /// What to do about it.
    pub(crate) fn help(&self) -> Option<&'static str> {
        match self {
            Self::Envelope(ReadError::NotJson(_) | ReadError::NotAnObject) => {
                Some("evidence is one JSON object a line; for what an agent printed, use --input text")
            }
            Self::Envelope(ReadError::Schema(_)) => Some("`faultbook schema evidence` prints the format"),
            Self::Envelope(ReadError::NoSignals) => Some(
                "an envelope lists what was seen: \"signals\": [{\"channel\": \"stderr\", \"text\": \"…\"}]",
            ),
            Self::TooLong(_) => Some("an envelope keeps at most 256 KiB in any case; cut it before"),
            Self::OtherDocument(schema) if schema.starts_with("faultbook.recording/") => {
                Some("recordings are read by `faultbook replay`")
            }
            Self::OtherDocument(schema) if schema.starts_with("faultbook.classification/") => {
                Some("`faultbook decide` reads classifications of version 1")
            }
            Self::Answer(_) => Some("`faultbook schema classification` prints the format"),
            Self::OtherDocument(_) => None,
        }
    }
}

/// Makes envelopes, with what the arguments say about text.
#[derive(Debug, Clone)]
pub(crate) struct EvidenceReader {
    kind: Kind,
    facts: TextFacts,
    /// The envelope of a text without its signals.
    blank: Envelope,
}

impl EvidenceReader {
    /// A reader for one kind of input.
    pub(crate) fn new(kind: Kind, facts: TextFacts) -> Self {
        let mut object = Map::new();
        object.insert("signals".to_owned(), json!([]));
        let known = [
            ("agent", facts.agent.clone()),
            ("provider", facts.provider.clone()),
            ("phase", facts.phase.map(|phase| phase.to_string())),
            ("time_zone", facts.time_zone.clone()),
            ("occurred_at", facts.occurred_at.map(|instant| instant.to_string())),
        ];
        for (key, value) in known {
            if let Some(value) = value {
                object.insert(key.to_owned(), Value::String(value));
            }
        }
        // Only a missing list of signals can fail, and it is there.
        let blank = Envelope::from_object(object).unwrap_or_default();
        Self { kind, facts, blank }
    }

    /// The envelope of one piece. `id` names it where it is text; `forgotten` bytes of its middle are missing.
    pub(crate) fn read(&self, bytes: &[u8], forgotten: u64, id: &str) -> Result<Envelope, InputError> {
        let text = String::from_utf8_lossy(bytes);
        let mut envelope = match self.kind {
            Kind::Text => self.text(&text, forgotten, id),
            Kind::Evidence if forgotten > 0 => return Err(InputError::TooLong(forgotten)),
            Kind::Evidence => Envelope::read(&text).map_err(InputError::Envelope)?,
            Kind::Auto => match recognise(&text, forgotten) {
                Some(read) => read?,
                None => self.text(&text, forgotten, id),
            },
        };
        if let Cow::Owned(_) = text {
            envelope.notes.push("bytes that are no UTF-8 were replaced".to_owned());
        }
        Ok(envelope)
    }

    /// A text as evidence: one signal, and the process's exit where it is known.
    fn text(&self, text: &str, forgotten: u64, id: &str) -> Envelope {
        let channel = self.facts.channel.unwrap_or(Channel::Mixed);
        let mut envelope = match parsed(channel, text) {
            Some(signal) => self.structured(signal),
            None => {
                let mut envelope = self.blank.clone();
                envelope.signals.push(Signal::text(channel, head_and_tail(text, MAX_TEXT_BYTES)));
                let missing = text.len().saturating_sub(MAX_TEXT_BYTES) as u64 + forgotten;
                if missing > 0 {
                    envelope.notes.push(format!("{missing} bytes were cut from the middle of the text"));
                }
                envelope
            }
        };
        envelope.id = Some(id.to_owned());
        if let Some(signal) = envelope.signals.first_mut() {
            signal.http_status = self.facts.http_status.or(signal.http_status);
            signal.terminal = self.facts.terminal.or(signal.terminal);
        }
        if let Some(code) = self.facts.exit_code {
            let terminal = if code == 0 { Terminal::Completed } else { Terminal::Failed };
            let mut exit = Signal::new(Channel::Exit);
            exit.exit_code = Some(code);
            exit.terminal = self.facts.terminal.is_none().then_some(terminal);
            envelope.signals.push(exit);
        }
        envelope
    }

    /// A signal in JSON, read as any envelope's: frames are unwrapped, bounds enforced.
    fn structured(&self, signal: Value) -> Envelope {
        let mut object = Map::new();
        object.insert("signals".to_owned(), Value::Array(vec![signal]));
        let read = Envelope::from_object(object).unwrap_or_default();
        let notes = [self.blank.notes.clone(), read.notes].concat();
        Envelope { signals: read.signals, notes, ..self.blank.clone() }
    }
}

/// The text as a signal with data, where the channel carries JSON and the text is JSON; a plain text on `acp_error`
/// stands for the error's message.
fn parsed(channel: Channel, text: &str) -> Option<Value> {
    match channel {
        Channel::AcpError | Channel::AcpUpdate | Channel::AcpResult | Channel::Event | Channel::Http => {
            let is_json = text.trim_start().starts_with(['{', '[']);
            match is_json.then(|| serde_json::from_str::<Value>(text)) {
                Some(Ok(data)) => Some(json!({ "channel": channel.as_str(), "data": data })),
                Some(Err(_)) | None => (channel == Channel::AcpError)
                    .then(|| json!({ "channel": channel.as_str(), "text": text })),
            }
        }
        Channel::AgentText
        | Channel::Stderr
        | Channel::Stdout
        | Channel::Log
        | Channel::Mixed
        | Channel::Shared
        | Channel::Exit
        | Channel::Host
        | Channel::Assistant
        | Channel::Tool
        | Channel::Unknown => None,
    }
}

/// The envelope in a piece, where the piece is one or means to be one; nothing where it is text.
fn recognise(text: &str, forgotten: u64) -> Option<Result<Envelope, InputError>> {
    let trimmed = text.trim_start();
    if !trimmed.starts_with('{') {
        return None;
    }
    let means_evidence = || {
        let squeezed: String = trimmed.chars().filter(|c| !c.is_whitespace()).take(32).collect();
        squeezed.starts_with("{\"schema\":\"faultbook.evidence")
    };
    if forgotten > 0 {
        return means_evidence().then_some(Err(InputError::TooLong(forgotten)));
    }
    match serde_json::from_str::<Value>(trimmed) {
        Ok(value) => {
            let schema = value.get("schema").and_then(Value::as_str)?.to_owned();
            if schema.starts_with("faultbook.evidence/") {
                Some(Envelope::from_value(value).map_err(InputError::Envelope))
            } else if schema.starts_with("faultbook.") {
                Some(Err(InputError::OtherDocument(schema.chars().take(80).collect())))
            } else {
                None
            }
        }
        Err(error) => {
            means_evidence().then(|| Err(InputError::Envelope(ReadError::NotJson(error.to_string()))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(text: &str) -> Result<Envelope, InputError> {
        EvidenceReader::new(Kind::Auto, TextFacts::default()).read(text.as_bytes(), 0, "x:1")
    }

    #[test]
    fn auto_tells_evidence_from_text() {
        let envelope = auto(r#"{"schema":"faultbook.evidence/1","id":"a","signals":[]}"#).unwrap();
        assert_eq!(envelope.id.as_deref(), Some("a"));
        let pretty = "{\n  \"schema\": \"faultbook.evidence/1\",\n  \"signals\": []\n}\n";
        assert_eq!(auto(pretty).unwrap().signals.len(), 0);
        for text in ["{", "{\"error\":1}", "plain", r#"{"m":"{\"schema\":\"faultbook.evidence/1\"}"}"#] {
            let envelope = auto(text).unwrap();
            assert_eq!((envelope.id.as_deref(), envelope.signals.len()), (Some("x:1"), 1), "{text}");
            assert_eq!(envelope.signals[0].channel, Channel::Mixed);
        }
        for text in [
            r#"{"schema":"faultbook.evidence/2","signals":[]}"#,
            r#"{"schema":"faultbook.evidence/1"}"#,
            r#"{ "schema": "faultbook.evidence/1", "signals": ["#,
            r#"{"schema":"faultbook.recording/1"}"#,
        ] {
            assert!(auto(text).is_err(), "{text}");
        }
    }

    #[test]
    fn facts_of_the_turn_stand_in_the_envelope() {
        let facts = TextFacts {
            exit_code: Some(1),
            http_status: Some(529),
            agent: Some("claude-code".to_owned()),
            channel: Some(Channel::Http),
            ..TextFacts::default()
        };
        let reader = EvidenceReader::new(Kind::Text, facts);
        let envelope = reader.read(br#"{"type":"error"}"#, 0, "x:1").unwrap();
        assert_eq!(envelope.agent.as_deref(), Some("claude-code"));
        assert_eq!(envelope.signals[0].data, Some(json!({"type": "error"})));
        assert_eq!(envelope.signals[0].http_status, Some(529));
        assert_eq!(envelope.terminal(), Some(Terminal::Failed));
        let cut = reader.read(&vec![b'a'; 100_000], 5, "x:1").unwrap();
        assert_eq!(cut.notes, ["83621 bytes were cut from the middle of the text"]);
        assert_eq!(reader.read(b"\xff\xfe", 0, "x").unwrap().notes.len(), 1);
    }
}
