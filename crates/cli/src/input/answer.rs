//! Classifications as input: answers that another run, or another program, has given already.

use faultbook::{Classification, Code, sanitise};
use faultbook_taxonomy::CLASSIFICATION_SCHEMA;
use memchr::memmem;
use serde_json::{Map, Value, json};

use super::evidence::InputError;
use super::options::Kind;

/// The classification that a piece holds; none where the piece is something else.
pub(crate) fn classification(
    kind: Kind,
    bytes: &[u8],
    forgotten: u64,
) -> Option<Result<Classification, InputError>> {
    let may_be = match kind {
        Kind::Text => false,
        Kind::Auto | Kind::Evidence => {
            bytes.trim_ascii_start().starts_with(b"{")
                && memmem::find(bytes, b"\"faultbook.classification/").is_some()
        }
    };
    if !may_be || forgotten > 0 {
        return None;
    }
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let schema = value.get("schema")?.as_str()?.to_owned();
    if schema == CLASSIFICATION_SCHEMA {
        return Some(read(value).map_err(InputError::Answer));
    }
    schema
        .starts_with("faultbook.classification/")
        .then(|| Err(InputError::OtherDocument(schema.chars().take(80).collect())))
}

/// Reads a classification. What it leaves out is empty; its class may be left out where it has a code.
pub(crate) fn read(mut value: Value) -> Result<Classification, String> {
    let object = value.as_object_mut().ok_or("a classification is a JSON object")?;
    complete(object);
    let mut answer: Classification = serde_json::from_value(value).map_err(|error| error.to_string())?;
    // It may come from a program that does not sanitise, and it is shown again.
    for text in [&mut answer.id, &mut answer.excerpt, &mut answer.hints.source].into_iter().flatten() {
        *text = sanitise::sanitise(text);
    }
    for note in &mut answer.notes {
        *note = sanitise::sanitise(note);
    }
    Ok(answer)
}

fn complete(object: &mut Map<String, Value>) {
    let code = object.get("code").and_then(Value::as_str).and_then(|name| name.parse::<Code>().ok());
    let class = code.map_or(json!("unclassified"), |code| json!(code.class()));
    let empty = [
        ("class", class),
        ("catalogue", json!("")),
        ("hints", json!({})),
        ("effects", json!({})),
        ("candidates", json!([])),
        ("signals", json!([])),
        ("notes", json!([])),
    ];
    for (key, value) in empty {
        object.entry(key).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use faultbook::{Class, State};

    use super::*;

    fn of(text: &str) -> Option<Result<Classification, InputError>> {
        classification(Kind::Auto, text.as_bytes(), 0)
    }

    #[test]
    fn only_classifications_are_taken() {
        let short = r#"{"schema":"faultbook.classification/1","state":"classified","code":"rate_limited"}"#;
        let answer = of(short).unwrap().unwrap();
        assert_eq!((answer.state, answer.class), (State::Classified, Class::Transient));
        assert_eq!(answer.effects.tool_activity, None, "what is left out is unknown");
        for other in ["", "{", "[]", "words", r#"{"schema":"faultbook.evidence/1","signals":[]}"#] {
            assert!(of(other).is_none(), "{other}");
        }
        for broken in [
            r#"{"schema":"faultbook.classification/2"}"#,
            r#"{"schema":"faultbook.classification/1"}"#,
            r#"{"schema":"faultbook.classification/1","state":"classified","code":"rate_limitd"}"#,
        ] {
            assert!(of(broken).unwrap().is_err(), "{broken}");
        }
        assert!(classification(Kind::Text, short.as_bytes(), 0).is_none(), "text stays text when told so");
    }
}
