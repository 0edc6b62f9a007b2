//! What happened is never read as nothing: turns in which something happened or may have happened, told in ways that
//! a reader does not expect, and turns in which nothing did.

#![expect(clippy::unwrap_used, reason = "a test says what must hold by panicking")]

use faultbook_adapters::{Context, Exit, Frame, Source, Turn, Wire};
use faultbook_evidence::Channel;
use faultbook_taxonomy::{Delivery, Sight};
use serde_json::Value;

/// A case: its name, the agent, the format, the frames, and what must be known of effects.
struct Case {
    name: String,
    agent: String,
    format: String,
    frames: Vec<Frame>,
    absent: bool,
    reason: Option<String>,
    damaged: bool,
}

fn cases() -> Vec<Case> {
    let table = include_str!("../../../fixtures/sight.jsonl");
    let read = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().map(str::to_owned);
        let frame = |(index, frame): (usize, &Value)| {
            let source = Source::named(frame[0].as_str().unwrap()).unwrap();
            let line = frame[1].as_str().map_or_else(|| frame[1].to_string(), str::to_owned);
            Frame::new(index as u64 * 100, source, line)
        };
        Case {
            name: text("name").unwrap(),
            agent: text("agent").unwrap(),
            format: text("format").unwrap(),
            frames: case["frames"].as_array().unwrap().iter().enumerate().map(frame).collect(),
            absent: case["absent"].as_bool().unwrap(),
            reason: text("reason"),
            damaged: case["damaged"].as_bool().unwrap_or(false),
        }
    };
    table.lines().map(read).collect()
}

fn turn(case: &Case) -> Turn {
    let wire = Wire::of(Some(&case.agent), &case.format);
    let mut adapter = wire.adapter(Context::of_agent(&case.agent));
    case.frames.iter().for_each(|frame| adapter.feed(frame));
    adapter.finish(&Exit::code(i32::from(case.format != "acp"))).pop().unwrap()
}

#[test]
fn only_full_sight_claims_absence() {
    let cases = cases();
    assert!(cases.iter().any(|case| case.absent) && cases.iter().any(|case| !case.absent));
    for case in cases {
        let envelope = turn(&case).envelope;
        let name = &case.name;
        assert_eq!(envelope.effects.are_known_absent(), case.absent, "{name}: {:?}", envelope.sight_lost);
        if case.absent {
            assert_eq!((envelope.sight, &envelope.sight_lost), (Some(Sight::Full), &None), "{name}");
        }
        assert_eq!(envelope.sight_lost.map(|lost| lost.reason), case.reason, "{name}");
        if case.damaged {
            assert_eq!(envelope.delivery, Some(Delivery::Unknown), "{name}");
        }
    }
}

#[test]
fn beside_a_protocol_nothing_on_standard_error_is_the_agents_own() {
    for mut case in cases() {
        if case.frames.len() < 2 {
            continue;
        }
        for at in 1..=case.frames.len() {
            let mut frames = case.frames.clone();
            frames.insert(at, Frame::new(1, Source::Stderr, "Error: 401 Unauthorized: invalid x-api-key"));
            let kept = std::mem::replace(&mut case.frames, frames);
            let own = turn(&case).envelope.signals.iter().any(|signal| signal.channel == Channel::Stderr);
            assert!(!own, "{} at {at}", case.name);
            case.frames = kept;
        }
    }
}
