//! Tests of the kinds: named once, pure, and really damaging.

use std::collections::BTreeSet;

use faultbook_adapters::Source;
use serde_json::json;

use super::*;

fn sample() -> Recording {
    let update = |update: Value| json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s", "update": update } });
    let lines = [
        (
            Source::ToAgent,
            json!({ "jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": { "sessionId": "s" } }),
        ),
        (Source::FromAgent, update(json!({ "sessionUpdate": "usage_update", "used": 1 }))),
        (
            Source::FromAgent,
            update(
                json!({ "sessionUpdate": "tool_call", "content": [{ "type": "content", "content": { "type": "text", "text": "é" } }] }),
            ),
        ),
        (
            Source::FromAgent,
            update(
                json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "Done" } }),
            ),
        ),
        (
            Source::FromAgent,
            json!({ "jsonrpc": "2.0", "id": 3, "error": { "message": "no" }, "num_turns": 1, "output_tokens": 0,
                    "tool_calls": 0, "permission_denials": [], "subtype": "error", "item": {}, "type": "result" }),
        ),
    ];
    let frames =
        lines.into_iter().zip(0..).map(|((source, line), at)| Frame::new(at, source, line.to_string()));
    Recording {
        id: "r".to_owned(),
        format: "acp".to_owned(),
        exit_code: Some(1),
        frames: frames.collect(),
        ..Recording::default()
    }
}

#[test]
fn each_kind_has_a_name_of_its_own() {
    let names: Vec<_> = all().map(|kind| kind.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

#[test]
fn each_kind_damages_and_does_the_same_every_time() {
    let recording = sample();
    for kind in all() {
        let mut is_damaging = false;
        for at in 0..recording.frames.len() {
            for seed in 0..8 {
                let damaged = (kind.apply)(&recording, at, seed);
                assert_eq!(damaged, (kind.apply)(&recording, at, seed), "{}", kind.name);
                is_damaging |= damaged.is_some_and(|damaged| damaged != recording);
            }
        }
        assert!(is_damaging, "{} changes nothing", kind.name);
    }
}

#[test]
fn no_kind_fails_on_odd_recordings() {
    let odd = |lines: &[&str]| Recording {
        frames: lines.iter().map(|line| Frame::new(0, Source::Stdout, *line)).collect(),
        ..Recording::default()
    };
    for recording in
        [odd(&[]), odd(&[""]), odd(&["é"]), odd(&["{}", "[]"]), odd(&["{\"type\":null}", "ééééé"])]
    {
        for kind in all() {
            for at in 0..3 {
                let _ = (kind.apply)(&recording, at, u64::MAX);
            }
        }
    }
}
