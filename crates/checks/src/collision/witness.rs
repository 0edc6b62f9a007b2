//! Witnesses: a solution completed to an envelope, and replayed through the real engine.

use faultbook_engine::rule::{AmbiguousValue, Manifest, Pack, Rule};
use faultbook_engine::{Catalogue, PackTrust};
use faultbook_evidence::{Channel, Envelope, Signal};
use faultbook_taxonomy::Reason;
use serde_json::{Map, Value};

use super::question::Place;
use super::solve::Assignment;

/// Builds the envelope of a solution; `None` where its pointers contradict each other.
pub(crate) fn envelope(found: &Assignment) -> Option<Envelope> {
    let word = |place: &Place| found.answers.get(place).and_then(Value::as_str);
    let main = signal(found)?;
    let mut signals = Vec::new();
    for companion in &found.companions {
        signals.push(signal(companion)?);
    }
    if found.is_part {
        signals.push(Signal::text(main.channel, "some other words"));
    }
    signals.push(main);
    let mut envelope = Envelope::of(signals);
    envelope.agent = word(&Place::Agent).map(str::to_owned);
    envelope.provider = word(&Place::Provider).map(str::to_owned);
    envelope.phase = word(&Place::Phase).and_then(|phase| phase.parse().ok());
    Some(envelope)
}

fn signal(found: &Assignment) -> Option<Signal> {
    let word = |place: &Place| found.answers.get(place).and_then(Value::as_str);
    let number = |place: &Place| found.answers.get(place).and_then(Value::as_i64);
    let mut signal = Signal::new(word(&Place::Channel).and_then(Channel::named)?);
    signal.http_status = number(&Place::HttpStatus).and_then(|status| u16::try_from(status).ok());
    signal.exit_code = number(&Place::ExitCode).and_then(|code| i32::try_from(code).ok());
    signal.rpc_code = number(&Place::RpcCode);
    signal.terminal = word(&Place::Terminal).and_then(|terminal| terminal.parse().ok());
    for (place, value) in &found.answers {
        if let (Place::Header(name), Some(value)) = (place, value.as_str()) {
            signal.headers.insert(name.clone(), value.to_owned());
        }
    }
    speak(found, &mut signal)?;
    Some(signal)
}

/// Puts the fields into JSON and the texts beside them, each alone in a string; a single text needs no JSON.
fn speak(found: &Assignment, signal: &mut Signal) -> Option<()> {
    let mut texts = found.texts.clone();
    let mut data: Option<Value> = None;
    for (place, value) in &found.answers {
        if let Place::Field(pointer) = place {
            place_at(data.get_or_insert(Value::Null), pointer, value)?;
        }
    }
    let has_fields = data.is_some() || found.needs_root;
    if found.is_whole && texts.is_empty() && !has_fields {
        texts.push("some words".to_owned());
    }
    if !has_fields && texts.len() <= 1 {
        signal.text = texts.pop();
        return Some(());
    }
    let mut data = data.unwrap_or_else(|| Value::Object(Map::new()));
    for (index, text) in texts.into_iter().enumerate() {
        let object = data.as_object_mut()?;
        let key = format!("words-{}", index + 1);
        if object.insert(key, Value::from(text)).is_some() {
            return None;
        }
    }
    // The data of a result is never read for words, its text is.
    if signal.channel == Channel::AcpResult {
        signal.text = Some(data.to_string());
    } else {
        signal.data = Some(data);
    }
    Some(())
}

/// Writes a value at a JSON pointer, making the objects on the way.
fn place_at(root: &mut Value, pointer: &str, value: &Value) -> Option<()> {
    let mut place = root;
    for step in pointer.split('/').skip(1) {
        if place.is_null() {
            *place = Value::Object(Map::new());
        }
        let key = step.replace("~1", "/").replace("~0", "~");
        place = place.as_object_mut()?.entry(key).or_insert(Value::Null);
    }
    let is_made = place.is_object() && value.as_object().is_some_and(Map::is_empty);
    if !is_made {
        *place = value.clone();
    }
    Some(())
}

/// Whether the engine, with these two rules alone, matches both in the envelope and answers with a conflict.
pub(crate) fn reproduces(
    one: &Rule,
    other: &Rule,
    ambiguous: &[AmbiguousValue],
    envelope: &Envelope,
) -> bool {
    let pack = Pack {
        manifest: Manifest {
            schema: "faultbook.pack/1".to_owned(),
            id: "witness".to_owned(),
            version: "0.0.0".to_owned(),
            title: "Two rules that meet".to_owned(),
            licence: "MIT".to_owned(),
            engine: "*".to_owned(),
            taxonomy: "*".to_owned(),
            metadata: Map::new(),
        },
        rules: vec![one.clone(), other.clone()],
        ambiguous: ambiguous.to_vec(),
        retired: Vec::new(),
    };
    let Ok(catalogue) = Catalogue::compile(vec![(pack, PackTrust::Trusted)], None) else { return false };
    let explanation = catalogue.explain(envelope);
    let is_matched = |rule: &Rule| explanation.matches.iter().any(|found| found.rule == rule.id);
    is_matched(one) && is_matched(other) && explanation.classification.reason == Some(Reason::Conflict)
}
