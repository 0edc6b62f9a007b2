//! Reading recordings: tolerant in what they hold, strict in how much.

use serde_json::{Map, Value};

use super::{MAX_FRAMES, MAX_RECORDING_BYTES, RECORDING_SCHEMA, Recording};
use crate::frame::{EndedBy, Frame, MAX_LINE_BYTES, Source};

/// The most bytes of a short field.
const MAX_FIELD_BYTES: usize = 512;
/// The most words of the command that are kept.
const MAX_ARGUMENTS: usize = 256;

/// Why a text is no recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordingError {
    /// It is larger than [`MAX_RECORDING_BYTES`].
    TooLarge(usize),
    /// It is no JSON; the parser's words.
    NotJson(String),
    /// The JSON is no object.
    NotAnObject,
    /// It names no schema, or one that this build does not read.
    Schema(Option<String>),
    /// It has no list of frames.
    NoFrames,
}

impl std::fmt::Display for RecordingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge(bytes) => {
                write!(f, "the recording has {bytes} bytes; at most {MAX_RECORDING_BYTES} are read")
            }
            Self::NotJson(why) => write!(f, "not JSON: {why}"),
            Self::NotAnObject => f.write_str("a recording is a JSON object"),
            Self::Schema(None) => write!(f, "no `schema`; expected `{RECORDING_SCHEMA}`"),
            Self::Schema(Some(found)) => {
                write!(f, "schema `{}` is not `{RECORDING_SCHEMA}`", found.escape_debug())
            }
            Self::NoFrames => f.write_str("no list of `frames`"),
        }
    }
}

impl std::error::Error for RecordingError {}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// See [`RecordingError`]. Everything else that is wrong is dropped with a note.
    pub fn read(text: &str) -> Result<Self, RecordingError> {
        if text.len() > MAX_RECORDING_BYTES {
            return Err(RecordingError::TooLarge(text.len()));
        }
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => Self::from_object(object),
            Ok(_) => Err(RecordingError::NotAnObject),
            Err(error) => Err(RecordingError::NotJson(error.to_string())),
        }
    }

    fn from_object(mut object: Map<String, Value>) -> Result<Self, RecordingError> {
        match object.get("schema").and_then(Value::as_str) {
            Some(RECORDING_SCHEMA) => {}
            other => return Err(RecordingError::Schema(other.map(|found| found.chars().take(80).collect()))),
        }
        let Some(Value::Array(frames)) = object.remove("frames") else {
            return Err(RecordingError::NoFrames);
        };
        let mut notes = Vec::new();
        let exit_code =
            object.get("exit_code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
        if exit_code.is_none() && object.get("exit_code").is_some_and(|code| !code.is_null()) {
            notes.push("exit_code is no exit code and was dropped".to_owned());
        }
        let ended_by = match object.get("ended_by").and_then(Value::as_str) {
            Some("recorder") => EndedBy::Recorder,
            _ => EndedBy::Agent,
        };
        let started_at = field(&object, "started_at");
        let recording = Self {
            id: field(&object, "id").unwrap_or_default(),
            agent: field(&object, "agent"),
            agent_version: field(&object, "agent_version"),
            format: field(&object, "format").unwrap_or_else(|| "plain".to_owned()),
            argv: arguments(&object),
            started_at: started_at.as_deref().and_then(|instant| instant.parse().ok()),
            time_zone: field(&object, "time_zone"),
            exit_code,
            ended_by,
            frames: read_frames(frames, &mut notes),
            notes,
        };
        Ok(recording)
    }
}

fn field(object: &Map<String, Value>, key: &str) -> Option<String> {
    let text = object.get(key)?.as_str()?;
    Some(text.get(..text.floor_char_boundary(MAX_FIELD_BYTES))?.to_owned())
}

fn arguments(object: &Map<String, Value>) -> Vec<String> {
    let words = object.get("argv").and_then(Value::as_array).into_iter().flatten();
    words.filter_map(Value::as_str).take(MAX_ARGUMENTS).map(str::to_owned).collect()
}

fn read_frames(values: Vec<Value>, notes: &mut Vec<String>) -> Vec<Frame> {
    let total = values.len();
    let mut unreadable = 0_usize;
    let mut frames = Vec::with_capacity(total.min(MAX_FRAMES));
    for value in values.into_iter().take(MAX_FRAMES) {
        match read_frame(value) {
            Some(frame) => frames.push(frame),
            None => unreadable += 1,
        }
    }
    if total > MAX_FRAMES {
        notes.push(format!("{} frames beyond {MAX_FRAMES} were left out", total - MAX_FRAMES));
    }
    if unreadable > 0 {
        notes.push(format!("{unreadable} frames have no known stream or no line and were left out"));
    }
    frames
}

fn read_frame(value: Value) -> Option<Frame> {
    let Value::Object(mut object) = value else { return None };
    let source = Source::named(object.get("stream")?.as_str()?)?;
    let Some(Value::String(mut line)) = object.remove("line") else { return None };
    // A cut line is no JSON any more: adapters then treat what it held as unknown.
    line.truncate(line.floor_char_boundary(MAX_LINE_BYTES));
    let t_ms = object.get("t_ms").and_then(Value::as_f64).unwrap_or(0.0).clamp(0.0, 1e15);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
    Some(Frame { t_ms: t_ms as u64, source, line })
}
