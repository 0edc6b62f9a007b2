//! Frames that stand on another stream, in another session, or answer another request.

use faultbook_adapters::{Frame, Recording, Source};
use serde_json::{Value, json};

use super::{Kind, beginning, each_object, json as object_of, with_frames, with_json};

/// The keys by which agents name a session.
const SESSION_KEYS: &[&str] = &["sessionId", "session_id", "sessionID", "thread_id", "threadId"];

pub(super) const KINDS: &[Kind] = &[
    Kind::each("on-stderr", |recording, at, _| stream(recording, at, |_| Source::Stderr)),
    Kind::each("on-host", |recording, at, _| stream(recording, at, |_| Source::Host)),
    Kind::each("on-the-way-in", |recording, at, _| stream(recording, at, |_| Source::ToAgent)),
    Kind::each("on-the-other-protocol", |recording, at, _| {
        stream(recording, at, |source| match source {
            Source::Stdout => Source::FromAgent,
            Source::FromAgent | Source::ToAgent => Source::Stdout,
            Source::Stderr | Source::Host => source,
        })
    }),
    Kind::each("other-session", |recording, at, _| session(recording, at, Some(json!("s-of-another")))),
    Kind::each("session-null", |recording, at, _| session(recording, at, Some(Value::Null))),
    Kind::each("session-unnamed", |recording, at, _| session(recording, at, None)),
    Kind::each("request-id-changed", |recording, at, _| id(recording, at, Some(json!(4711)))),
    Kind::each("request-id-lost", |recording, at, _| id(recording, at, None)),
    Kind::each("request-id-null", |recording, at, _| id(recording, at, Some(Value::Null))),
];

/// Moves a frame of the turn to another stream. What stood before the prompt belongs to no effect.
fn stream(recording: &Recording, at: usize, to: fn(Source) -> Source) -> Option<Recording> {
    let frame = recording.frames.get(at).filter(|_| at >= beginning(recording))?;
    object_of(frame)?;
    let source = to(frame.source);
    (source != frame.source)
        .then(|| with_frames(recording, at, |frame| vec![Frame { source, ..frame.clone() }]))
        .flatten()
}

fn session(recording: &Recording, at: usize, to: Option<Value>) -> Option<Recording> {
    with_json(recording, at, |value| {
        each_object(value, &mut |object| {
            for key in SESSION_KEYS {
                match (&to, object.contains_key(*key)) {
                    (Some(to), true) => drop(object.insert((*key).to_owned(), to.clone())),
                    (None, true) => drop(object.shift_remove(*key)),
                    (_, false) => {}
                }
            }
        });
    })
}

/// Only what is a request or an answer has an identifier that joins frames.
fn id(recording: &Recording, at: usize, to: Option<Value>) -> Option<Recording> {
    let value = object_of(recording.frames.get(at)?)?;
    value.get("jsonrpc").and(value.get("id"))?;
    with_json(recording, at, |value| {
        let Some(object) = value.as_object_mut() else { return };
        match to {
            Some(to) => drop(object.insert("id".to_owned(), to)),
            None => drop(object.shift_remove("id")),
        }
    })
}
