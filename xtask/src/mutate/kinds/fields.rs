//! Kinds from the future, fields under other names, and values of other types.

use faultbook_adapters::Recording;
use serde_json::{Map, Value, json};

use super::{Kind, each_object, json as object_of, with_json};

/// The keys whose values say what a frame, an item, a block or a part is.
const KIND_KEYS: &[&str] = &["type", "sessionUpdate", "subtype", "method", "role", "kind"];
/// The keys that hold what a frame is about.
const PAYLOAD_KEYS: &[&str] = &["message", "content", "item", "part", "params", "update", "event", "delta"];

pub(super) const KINDS: &[Kind] = &[
    Kind::each("kind-from-the-future", |recording, at, _| outer(recording, at, |_| json!("quantum_step"))),
    Kind::each("kind-with-suffix", |recording, at, _| outer(recording, at, suffixed)),
    Kind::each("kind-in-capitals", |recording, at, _| {
        outer(recording, at, |kind| kind.as_str().map_or(Value::Null, |kind| kind.to_uppercase().into()))
    }),
    Kind::each("kind-null", |recording, at, _| outer(recording, at, |_| Value::Null)),
    Kind::each("kind-number", |recording, at, _| outer(recording, at, |_| json!(7))),
    Kind::each("kind-object", |recording, at, _| outer(recording, at, |kind| json!({ "name": kind }))),
    Kind::each("inner-kind-from-the-future", |recording, at, _| {
        inner(recording, at, |_| json!("quantum_block"))
    }),
    Kind::each("inner-kind-with-suffix", |recording, at, _| inner(recording, at, suffixed)),
    Kind::each("inner-kind-null", |recording, at, _| inner(recording, at, |_| Value::Null)),
    Kind::each("kind-keys-renamed", |recording, at, _| renamed(recording, at, KIND_KEYS)),
    Kind::each("type-renamed", |recording, at, _| renamed(recording, at, &["type"])),
    Kind::each("update-kind-renamed", |recording, at, _| renamed(recording, at, &["sessionUpdate"])),
    Kind::each("message-renamed", |recording, at, _| renamed(recording, at, &["message"])),
    Kind::each("content-renamed", |recording, at, _| renamed(recording, at, &["content"])),
    Kind::each("item-renamed", |recording, at, _| renamed(recording, at, &["item", "part"])),
    Kind::each("params-renamed", |recording, at, _| renamed(recording, at, &["params"])),
    Kind::each("update-renamed", |recording, at, _| renamed(recording, at, &["update"])),
    Kind::each("wrapped", |recording, at, _| {
        with_json(recording, at, |value| *value = json!({ "frame": value }))
    }),
    Kind::each("payload-null", |recording, at, _| payload(recording, at, |_| Value::Null)),
    Kind::each("payload-empty", |recording, at, _| payload(recording, at, |_| json!({}))),
    Kind::each("payload-number", |recording, at, _| payload(recording, at, |_| json!(1))),
    Kind::each("payload-in-array", |recording, at, _| payload(recording, at, |value| json!([value]))),
    Kind::each("payload-as-text", |recording, at, _| {
        payload(recording, at, |value| value.to_string().into())
    }),
    Kind::each("inner-payload-null", |recording, at, _| inner_payload(recording, at, |_| Value::Null)),
    Kind::each("inner-payload-in-object", |recording, at, _| {
        inner_payload(recording, at, |value| json!({ "value": value }))
    }),
    Kind::each("inner-payload-as-text", |recording, at, _| {
        inner_payload(recording, at, |value| value.to_string().into())
    }),
];

fn suffixed(kind: &Value) -> Value {
    kind.as_str().map_or(Value::Null, |kind| format!("{kind}_v2").into())
}

/// Changes the kind of the frame itself: `sessionUpdate` where there is one, else `method`, else `type`.
fn outer(recording: &Recording, at: usize, change: fn(&Value) -> Value) -> Option<Recording> {
    let mut value = object_of(recording.frames.get(at)?)?;
    let places = ["/params/update/sessionUpdate", "/method", "/type"];
    let place = places.into_iter().find(|place| value.pointer(place).is_some())?;
    let kind = value.pointer_mut(place)?;
    *kind = change(kind);
    with_json(recording, at, |frame| *frame = value)
}

/// Changes the kinds of everything inside the frame.
fn inner(recording: &Recording, at: usize, change: fn(&Value) -> Value) -> Option<Recording> {
    inside(recording, at, |object| {
        for key in ["type", "sessionUpdate"] {
            if let Some(kind) = object.get_mut(key) {
                *kind = change(kind);
            }
        }
    })
}

fn inner_payload(recording: &Recording, at: usize, change: fn(&Value) -> Value) -> Option<Recording> {
    inside(recording, at, |object| change_payload(object, change))
}

/// Changes every object inside the frame, the frame itself aside. What does not change is no damage.
fn inside(
    recording: &Recording,
    at: usize,
    mut change: impl FnMut(&mut Map<String, Value>),
) -> Option<Recording> {
    let original = object_of(recording.frames.get(at)?)?;
    let mut value = original.clone();
    for field in value.as_object_mut()?.values_mut() {
        each_object(field, &mut change);
    }
    (value != original).then(|| with_json(recording, at, |frame| *frame = value)).flatten()
}

fn payload(recording: &Recording, at: usize, change: fn(&Value) -> Value) -> Option<Recording> {
    let original = object_of(recording.frames.get(at)?)?;
    let mut value = original.clone();
    change_payload(value.as_object_mut()?, change);
    (value != original).then(|| with_json(recording, at, |frame| *frame = value)).flatten()
}

fn change_payload(object: &mut Map<String, Value>, change: fn(&Value) -> Value) {
    for key in PAYLOAD_KEYS {
        if let Some(value) = object.get_mut(*key) {
            *value = change(value);
        }
    }
}

/// Gives fields other names, wherever they stand in the frame.
fn renamed(recording: &Recording, at: usize, keys: &[&str]) -> Option<Recording> {
    let original = object_of(recording.frames.get(at)?)?;
    let mut value = original.clone();
    each_object(&mut value, &mut |object| {
        *object = std::mem::take(object)
            .into_iter()
            .map(
                |(key, value)| {
                    if keys.contains(&key.as_str()) { (format!("{key}Of"), value) } else { (key, value) }
                },
            )
            .collect();
    });
    (value != original).then(|| with_json(recording, at, |frame| *frame = value)).flatten()
}
