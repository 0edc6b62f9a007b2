//! The kinds of damage. Each is a small pure function with a name: a recording, the frame that it aims at and a seed in,
//! the damaged recording out, or nothing where the kind does not apply there.
//!
//! Every kind leaves a trace: a fragment, an unknown word, a frame that stands where the protocol has none, a summary
//! that contradicts. A frame that is removed whole while nothing else speaks of it leaves none; no reader could see
//! that, so it is no kind. For the same reason these are none: a run of which nothing is left but words of standard
//! error and a failing exit code (it reads like a start that failed), a protocol that ends before its prompt, updates
//! lost after the answer, an empty line, and an unknown kind replaced by a known harmless one.

mod bounds;
mod encoding;
mod fields;
mod line;
mod order;
mod place;
mod told;

use faultbook_adapters::{Frame, Recording};
use serde_json::Value;

/// Which frames of a recording a kind is tried at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// At each frame.
    Each,
    /// At the frames that carry an effect, because each try is dear.
    Effects,
    /// Once: it concerns the whole recording.
    Whole,
}

/// A way to damage a recording.
pub(super) struct Kind {
    /// Its name.
    pub(super) name: &'static str,
    /// Where it is tried.
    pub(super) aim: Aim,
    /// The damage itself.
    pub(super) apply: fn(&Recording, usize, u64) -> Option<Recording>,
}

impl Kind {
    const fn each(name: &'static str, apply: fn(&Recording, usize, u64) -> Option<Recording>) -> Self {
        Self { name, aim: Aim::Each, apply }
    }

    const fn effects(name: &'static str, apply: fn(&Recording, usize, u64) -> Option<Recording>) -> Self {
        Self { name, aim: Aim::Effects, apply }
    }

    const fn whole(name: &'static str, apply: fn(&Recording, usize, u64) -> Option<Recording>) -> Self {
        Self { name, aim: Aim::Whole, apply }
    }
}

/// Every kind, by family.
pub(super) fn all() -> impl Iterator<Item = &'static Kind> {
    let families: [&'static [Kind]; 7] =
        [line::KINDS, encoding::KINDS, order::KINDS, place::KINDS, fields::KINDS, told::KINDS, bounds::KINDS];
    families.into_iter().flatten()
}

/// The recording with another line at a frame.
fn with_line(recording: &Recording, at: usize, line: String) -> Option<Recording> {
    with_frames(recording, at, |frame| vec![Frame { line, ..frame.clone() }])
}

/// The recording with other frames in place of one.
fn with_frames(
    recording: &Recording,
    at: usize,
    frames: impl FnOnce(&Frame) -> Vec<Frame>,
) -> Option<Recording> {
    let instead = frames(recording.frames.get(at)?);
    let mut damaged = recording.clone();
    damaged.frames.splice(at..=at, instead);
    Some(damaged)
}

/// The recording with the JSON of a frame changed; nothing where the frame is no JSON object.
fn with_json(recording: &Recording, at: usize, change: impl FnOnce(&mut Value)) -> Option<Recording> {
    let mut value = json(recording.frames.get(at)?)?;
    change(&mut value);
    with_line(recording, at, value.to_string())
}

/// A frame's JSON object.
fn json(frame: &Frame) -> Option<Value> {
    serde_json::from_str(&frame.line).ok().filter(Value::is_object)
}

/// Visits every object of a value, the outer before the inner.
fn each_object(value: &mut Value, visit: &mut impl FnMut(&mut serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values_mut().for_each(|inner| each_object(inner, visit));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| each_object(inner, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The last frame that is JSON and not the host's: the answer, the result, the error.
fn last_said(recording: &Recording) -> Option<usize> {
    use faultbook_adapters::Source;
    recording.frames.iter().rposition(|frame| {
        matches!(frame.source, Source::Stdout | Source::FromAgent) && json(frame).is_some()
    })
}

/// The frame by which the last turn begins: its prompt, or the first frame of a stream that shows no prompt.
pub(super) fn beginning(recording: &Recording) -> usize {
    let is_prompt = |frame: &Frame| json(frame).is_some_and(|value| value["method"] == "session/prompt");
    recording.frames.iter().rposition(is_prompt).unwrap_or(0)
}

#[cfg(test)]
mod tests;
