//! So much beside the effects, or inside them, that they fall out of what is kept.

use faultbook_adapters::{Frame, Recording, Source};
use serde_json::{Value, json};

use super::{Kind, json as object_of, with_frames, with_json};

/// More lines than an envelope has signals.
const MANY: usize = 80;
/// More text than a signal keeps.
const LONG: usize = 20 * 1024;
/// More than an envelope keeps in all.
const HUGE: usize = 300 * 1024;
/// Deeper than data is kept.
const DEPTH: usize = 60;

pub(super) const KINDS: &[Kind] = &[
    Kind::effects("noise-after", |recording, at, _| noise(recording, at, MANY, "worker: still here", false)),
    Kind::effects("noise-around", |recording, at, _| noise(recording, at, MANY, "worker: still here", true)),
    Kind::effects("noise-of-notices", |recording, at, _| {
        noise(recording, at, MANY, "Connection lost, retrying in 4 s", true)
    }),
    Kind::effects("noise-of-kilobytes", |recording, at, _| {
        noise(recording, at, HUGE / LONG, &"still here ".repeat(LONG / 11), true)
    }),
    Kind::effects("noise-in-one-line", |recording, at, _| {
        noise(recording, at, 1, &"still here ".repeat(HUGE / 11), true)
    }),
    Kind::effects("itself-many-times", |recording, at, _| {
        with_frames(recording, at, |frame| vec![frame.clone(); MANY])
    }),
    Kind::effects("end-many-times", |recording, at, _| {
        let end = recording.frames.last()?.clone();
        with_frames(recording, at, |frame| {
            let mut frames = vec![frame.clone()];
            frames.extend(std::iter::repeat_n(end, MANY));
            frames
        })
    }),
    Kind::effects("field-very-long", |recording, at, _| {
        object_of(recording.frames.get(at)?)?;
        with_json(recording, at, |value| value["padding"] = "x".repeat(HUGE).into())
    }),
    Kind::effects("field-very-deep", |recording, at, _| {
        object_of(recording.frames.get(at)?)?;
        with_json(recording, at, |value| {
            value["padding"] = (0..DEPTH).fold(Value::Null, |inner, _| json!([inner]));
        })
    }),
    Kind::effects("itself-very-deep", |recording, at, _| {
        object_of(recording.frames.get(at)?)?;
        with_json(recording, at, |value| {
            let whole = value.take();
            *value = (0..DEPTH).fold(whole, |inner, _| json!({ "frame": inner }));
        })
    }),
];

/// Lines of standard error behind a frame, or before and behind it.
fn noise(recording: &Recording, at: usize, count: usize, line: &str, is_around: bool) -> Option<Recording> {
    with_frames(recording, at, |frame| {
        let line = |number| Frame::new(frame.t_ms, Source::Stderr, format!("{line} {number}"));
        let before = if is_around { count } else { 0 };
        let mut frames: Vec<Frame> = (0..before).map(line).collect();
        frames.push(frame.clone());
        frames.extend((0..count).map(line));
        frames
    })
}
