//! Tests of the `recording` module: small frames in, envelopes out.

use faultbook_taxonomy::Terminal;
use serde_json::{Value, json};

use super::*;
use crate::frame::Source;

fn document(fields: &Value) -> String {
    let mut document = json!({ "schema": RECORDING_SCHEMA, "id": "r", "agent": "codex", "format": "exec-json", "frames": [] });
    for (key, value) in fields.as_object().unwrap() {
        document[key] = value.clone();
    }
    document.to_string()
}

#[test]
fn what_is_no_recording_is_an_error() {
    let table = [
        ("words", "not JSON: expected value at line 1 column 1"),
        ("[]", "a recording is a JSON object"),
        ("{}", "no `schema`; expected `faultbook.recording/1`"),
        (
            r#"{"schema":"faultbook.recording/2"}"#,
            "schema `faultbook.recording/2` is not `faultbook.recording/1`",
        ),
        (r#"{"schema":"faultbook.recording/1"}"#, "no list of `frames`"),
    ];
    for (text, expected) in table {
        assert_eq!(Recording::read(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn odd_frames_are_left_out_with_a_note() {
    let frames = json!([
        { "t_ms": 5.7, "stream": "stdout", "line": "a" },
        { "t_ms": -3, "stream": "stderr", "line": "b" },
        { "t_ms": 6, "stream": "smoke", "line": "c" },
        { "t_ms": 6, "stream": "stdout", "line": 7 },
        "words",
    ]);
    let recording = Recording::read(&document(&json!({ "frames": frames, "exit_code": "x" }))).unwrap();
    assert_eq!(recording.frames, [Frame::new(5, Source::Stdout, "a"), Frame::new(0, Source::Stderr, "b")]);
    assert_eq!(
        recording.notes,
        [
            "exit_code is no exit code and was dropped",
            "3 frames have no known stream or no line and were left out"
        ]
    );
}

#[test]
fn the_last_prompt_answers_else_the_pre_start_turn() {
    let prompt = |id: u8| json!({ "stream": "to_agent", "line": json!({ "id": id, "method": "session/prompt", "params": { "sessionId": "s" } }).to_string() });
    let answer = |id: u8| json!({ "stream": "from_agent", "line": json!({ "id": id, "result": { "stopReason": "end_turn" } }).to_string() });
    let odd = json!({ "stream": "stderr", "line": "starting" });
    let acp =
        |frames: Value| Recording::read(&document(&json!({ "format": "acp", "frames": frames }))).unwrap();

    let two = acp(json!([odd, prompt(1), answer(1), prompt(2)]));
    let ids: Vec<_> = two.turns().into_iter().map(|turn| turn.envelope.id.unwrap()).collect();
    assert_eq!(ids, ["r#0", "r#1", "r#2"]);
    let turn = two.answering_turn().unwrap();
    assert_eq!((turn.kind, turn.envelope.id.as_deref()), (TurnKind::Prompt(2), Some("r")));

    assert_eq!(acp(json!([odd])).answering_turn().unwrap().kind, TurnKind::PreStart);
    assert!(acp(json!([])).answering_turn().is_none());
}

#[test]
fn signals_have_the_time_of_their_frames() {
    let frames = json!([
        { "t_ms": 0, "stream": "stdout", "line": r#"{"type":"turn.started"}"# },
        { "t_ms": 1500, "stream": "stdout", "line": r#"{"type":"turn.failed","error":{"message":"no"}}"# },
    ]);
    let with_start =
        document(&json!({ "frames": frames, "started_at": "2026-11-30T12:00:00Z", "time_zone": "UTC" }));
    let envelope = Recording::read(&with_start).unwrap().answering_turn().unwrap().envelope;
    assert_eq!(envelope.signals[0].at.unwrap().to_string(), "2026-11-30T12:00:01.5Z");
    assert_eq!(envelope.time_zone.as_deref(), Some("UTC"));
    let without = document(&json!({ "frames": frames }));
    let envelope = Recording::read(&without).unwrap().answering_turn().unwrap().envelope;
    assert_eq!((envelope.signals[0].at, envelope.terminal()), (None, Some(Terminal::Failed)));
}

#[test]
fn a_recorder_keeps_what_joins_frames_and_nothing_that_identifies() {
    let key = format!("sk-ant-api03-{}", "aB3dE5fG7hJ9kL".repeat(4));
    let session = "ses_4f9c2a7b1d3e5f60";
    let head = Recording {
        id: "r".to_owned(),
        agent: Some("opencode".to_owned()),
        format: "acp".to_owned(),
        argv: vec!["agent".to_owned(), format!("--api-key={key}")],
        ..Recording::default()
    };
    let mut recorder = Recorder::new(head);
    let lines = [
        (
            Source::ToAgent,
            format!(r#"{{"id":3,"method":"session/prompt","params":{{"sessionId":"{session}"}}}}"#),
        ),
        (Source::Stderr, format!("using {key}")),
        (Source::FromAgent, format!(r#"{{"id":3,"error":{{"code":-32603,"message":"bad key {key}"}}}}"#)),
        (Source::Host, "cancel".to_owned()),
    ];
    for (source, line) in lines {
        recorder.feed(&Frame::new(1, source, line));
    }
    let recording = recorder.finish(&Exit::code(0));
    let text = recording.to_json().to_string();
    assert!(!text.contains(&key) && !text.contains("aB3dE5fG7hJ9kL"), "{text}");
    assert!(text.contains("bad key"), "the words that explain the error stay");
    let read = Recording::read(&text).unwrap();
    assert_eq!(read.frames, recording.frames);
    let turn = read.answering_turn().unwrap();
    assert_eq!((turn.kind, turn.envelope.terminal()), (TurnKind::Prompt(1), Some(Terminal::Failed)));
}
