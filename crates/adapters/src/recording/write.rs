//! Making a recording of a live run, sanitised line by line, so that it can be shown to others.

use faultbook_evidence::sanitise::{sanitise_bounded, sanitise_json};
use serde_json::{Value, json};

use super::{MAX_FRAMES, RECORDING_SCHEMA, Recording};
use crate::frame::{EndedBy, Exit, Frame, MAX_LINE_BYTES, Source};

/// The most bytes of all lines that a recorder keeps; later lines are counted only.
const MAX_KEPT_BYTES: usize = 32 * 1024 * 1024;

/// Builds a recording from live frames. A line goes in sanitised; what was said before is never held.
#[derive(Debug)]
pub struct Recorder {
    recording: Recording,
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
        Self { recording: head, bytes: 0, left_out: 0 }
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
            Source::Stdout | Source::Stderr | Source::FromAgent | Source::ToAgent => sanitised(&frame.line),
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
            self.recording.notes.push(format!("{} lines were left out: the recording is full", self.left_out));
        }
        self.recording
    }
}

fn sanitised(line: &str) -> String {
    match serde_json::from_str::<Value>(line) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => {
            let mut clean = sanitise_json(&value);
            // The counter that joins a request and its answer identifies nobody.
            if let Some(id @ Value::Number(_)) = value.get("id")
                && let Some(place) = clean.get_mut("id")
            {
                *place = id.clone();
            }
            clean.to_string()
        }
        Ok(_) | Err(_) => sanitise_bounded(line, MAX_LINE_BYTES),
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
