//! Making a recording of a live run, sanitised line by line, so that it can be shown to others.

use std::collections::BTreeMap;

use faultbook_evidence::sanitise::{sanitise_bounded, sanitise_json};
use serde_json::{Value, json};

use super::{MAX_FRAMES, RECORDING_SCHEMA, Recording};
use crate::frame::{EndedBy, Exit, Frame, MAX_LINE_BYTES, Source};

/// The most bytes of all lines that a recorder keeps; later lines are counted only.
const MAX_KEPT_BYTES: usize = 32 * 1024 * 1024;
/// The most different identifiers that are told apart.
const MAX_NAMES: usize = 4096;

/// The keys by which frames belong together. Their values are replaced by numbers, not by one mark for all.
const JOINING_KEYS: &[&str] = &[
    "id",
    "sessionId",
    "session_id",
    "sessionID",
    "threadId",
    "thread_id",
    "turnId",
    "messageId",
    "messageID",
    "toolCallId",
    "tool_use_id",
    "tool_id",
    "callID",
];

/// Builds a recording from live frames. A line goes in sanitised; what was said before is never held.
#[derive(Debug)]
pub struct Recorder {
    recording: Recording,
    names: BTreeMap<String, usize>,
    bytes: usize,
    left_out: usize,
}

impl Recorder {
    /// Begins a recording. `head` gives everything but the frames; its command is sanitised too.
    #[must_use]
    pub fn new(mut head: Recording) -> Self {
        for word in &mut head.argv {
            *word = sanitise_bounded(word, 4096);
        }
        head.frames = Vec::new();
        Self { recording: head, names: BTreeMap::new(), bytes: 0, left_out: 0 }
    }

    /// Adds a line. A JSON line stays valid JSON, with its strings sanitised.
    pub fn feed(&mut self, frame: &Frame) {
        let is_full = self.recording.frames.len() >= MAX_FRAMES || self.bytes >= MAX_KEPT_BYTES;
        if is_full || frame.line.len() > MAX_LINE_BYTES {
            self.left_out += 1;
            return;
        }
        let line = match frame.source {
            Source::Host => frame.line.clone(),
            Source::Stdout | Source::Stderr | Source::FromAgent | Source::ToAgent => {
                self.sanitised(&frame.line)
            }
        };
        self.bytes += line.len();
        self.recording.frames.push(Frame { line, ..*frame });
    }

    /// Ends the recording.
    #[must_use]
    pub fn finish(mut self, exit: &Exit) -> Recording {
        self.recording.exit_code = exit.code;
        self.recording.ended_by = exit.ended_by;
        if self.left_out > 0 {
            self.recording
                .notes
                .push(format!("{} lines were left out: the recording is full", self.left_out));
        }
        self.recording
    }

    fn sanitised(&mut self, line: &str) -> String {
        match serde_json::from_str::<Value>(line) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => {
                let mut clean = sanitise_json(&value);
                self.name(&value, &mut clean);
                clean.to_string()
            }
            Ok(_) | Err(_) => sanitise_bounded(line, MAX_LINE_BYTES),
        }
    }

    /// Gives every identifier that joins frames a number of its own.
    fn name(&mut self, original: &Value, clean: &mut Value) {
        match (original, clean) {
            (Value::Object(original), Value::Object(clean)) => {
                for (key, value) in original {
                    let Some(place) = clean.get_mut(key) else { continue };
                    match value {
                        Value::String(id) if JOINING_KEYS.contains(&key.as_str()) && place != value => {
                            *place = self.number(id).into();
                        }
                        // The counter that joins a request and its answer identifies nobody.
                        Value::Number(_) if key == "id" => *place = value.clone(),
                        _ => self.name(value, place),
                    }
                }
            }
            (Value::Array(original), Value::Array(clean)) => {
                original.iter().zip(clean).for_each(|(value, place)| self.name(value, place));
            }
            _ => {}
        }
    }

    fn number(&mut self, id: &str) -> String {
        let next = self.names.len() + 1;
        let number = match self.names.get(id) {
            Some(number) => *number,
            None if next <= MAX_NAMES => *self.names.entry(id.to_owned()).or_insert(next),
            None => 0,
        };
        format!("id-{number}")
    }
}

impl Recording {
    /// The recording as its JSON document.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let ended_by = match self.ended_by {
            EndedBy::Agent => "agent",
            EndedBy::Recorder => "recorder",
        };
        json!({
            "schema": RECORDING_SCHEMA,
            "id": self.id,
            "agent": self.agent,
            "agent_version": self.agent_version,
            "format": self.format,
            "argv": self.argv,
            "started_at": self.started_at.map(|instant| instant.to_string()),
            "time_zone": self.time_zone,
            "exit_code": self.exit_code,
            "ended_by": ended_by,
            "frames": self.frames,
        })
    }
}
