//! Recordings of real agents against a failing provider: who speaks and how the turn ended is right in each.

#![expect(clippy::unwrap_used, reason = "a test says what must hold by panicking")]

use std::path::{Path, PathBuf};

use faultbook_adapters::{Exit, Recorder, Recording, Turn};
use faultbook_evidence::{Channel, Role, Signal, TextTrust};
use faultbook_taxonomy::{Code, Delivery, Effects, Phase, Terminal};
use serde_json::Value;

/// The agent claims success and says nothing that would contradict it, on any trusted channel of its protocol.
const HIDDEN: &[&str] =
    &["gemini-cli/stream-json/content_refusal_stream", "gemini-cli/acp/permission_rejected"];

struct Expected {
    id: String,
    code: String,
    silent: bool,
    recording: Recording,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recordings")
}

fn expected() -> Vec<Expected> {
    let index = std::fs::read_to_string(folder().join("expected.jsonl")).unwrap();
    let read = |line: &str| {
        let entry: Value = serde_json::from_str(line).unwrap();
        let text = std::fs::read_to_string(folder().join(entry["file"].as_str().unwrap())).unwrap();
        let recording = Recording::read(&text).unwrap();
        assert_eq!(entry["id"], recording.id.as_str());
        assert!(recording.notes.is_empty(), "{}: {:?}", recording.id, recording.notes);
        Expected {
            id: recording.id.clone(),
            code: entry["code"].as_str().unwrap().to_owned(),
            silent: entry["silent"].as_bool().unwrap(),
            recording,
        }
    };
    index.lines().map(read).collect()
}

fn terminal(turn: Option<&Turn>) -> Option<Terminal> {
    turn.and_then(|turn| turn.envelope.terminal())
}

/// Whether a trusted signal says that something failed, in words or data of its own.
fn speaks_of_failure(signal: &Signal) -> bool {
    let trusts = |trust: TextTrust| trust >= TextTrust::Explains;
    let words = signal.text.is_some() && trusts(signal.channel.text_trust());
    let data = signal.data.is_some() && trusts(signal.channel.leaf_trust());
    let is_claim = matches!(signal.channel, Channel::Host | Channel::Exit)
        || signal.terminal.is_some_and(|t| t != Terminal::Failed);
    (words || data) && !is_claim && signal.role == Role::Failure
}

#[test]
fn the_index_lists_every_recording_and_every_code_is_known() {
    let entries = expected();
    let listed: std::collections::BTreeSet<String> = entries.iter().map(|entry| entry.id.clone()).collect();
    let mut found = std::collections::BTreeSet::new();
    for agent in
        std::fs::read_dir(folder()).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir())
    {
        for mode in std::fs::read_dir(agent.path()).unwrap().map(Result::unwrap) {
            for file in std::fs::read_dir(mode.path()).unwrap().map(Result::unwrap) {
                let path = file.path();
                let id = path.strip_prefix(folder()).unwrap().with_extension("");
                found.insert(id.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    assert_eq!(listed, found);
    for entry in entries {
        assert!(entry.code == "none" || entry.code.parse::<Code>().is_ok(), "{}", entry.code);
    }
}

#[test]
fn turns_end_as_they_ended() {
    for entry in expected() {
        let turn = entry.recording.answering_turn();
        let ended = terminal(turn.as_ref());
        let id = &entry.id;
        match entry.code.as_str() {
            "none" => assert_eq!(ended, Some(Terminal::Completed), "{id}"),
            "cancelled" => assert_eq!(ended, Some(Terminal::Cancelled), "{id}"),
            // A declined permission is no failure of the turn: agents go on, or call it a cancellation.
            "permission_denied_by_user" => {
                assert!(matches!(ended, Some(Terminal::Completed | Terminal::Cancelled)), "{id}");
            }
            _ if HIDDEN.contains(&id.as_str()) => assert_eq!(ended, Some(Terminal::Completed), "{id}"),
            _ if entry.silent => assert_eq!(ended, None, "{id}"),
            _ => assert!(matches!(ended, Some(Terminal::Failed) | None), "{id}: {ended:?}"),
        }
    }
}

#[test]
fn failures_are_told_by_trusted_channels_and_health_is_not() {
    for entry in expected() {
        let Some(turn) = entry.recording.answering_turn() else { continue };
        let signals = &turn.envelope.signals;
        let speaks = signals.iter().any(speaks_of_failure);
        let announces = signals.iter().any(|signal| signal.role == Role::Notice);
        let outside_stderr = signals
            .iter()
            .filter(|signal| !matches!(signal.channel, Channel::Stderr | Channel::Mixed | Channel::Shared))
            .any(speaks_of_failure);
        let id = &entry.id;
        let is_plain = entry.recording.format == "plain";
        match entry.code.as_str() {
            // Codex repeats its retries as plain errors: only their words are notices.
            "none" if id.starts_with("codex/exec-json-builtin") => {}
            "none" => assert!(!outside_stderr, "{id}: {signals:?}"),
            _ if entry.silent => assert!(!outside_stderr && !announces, "{id}: {signals:?}"),
            // Facts of the turn tell these, not words.
            "cancelled" | "permission_denied_by_user" => {}
            _ if HIDDEN.contains(&id.as_str()) => {}
            // The turn ends without a word and without a count of tokens.
            _ if id == "gemini-cli/acp/sse_cut" => {}
            // A refusal of the protocol has no words, only its stop reason.
            "content_blocked" if entry.recording.format == "acp" => {
                assert_eq!(terminal(Some(&turn)), Some(Terminal::Failed))
            }
            _ if is_plain => assert!(speaks, "{id}: {signals:?}"),
            _ => assert!(speaks || announces, "{id}: {signals:?}"),
        }
    }
}

#[test]
fn what_failed_before_the_prompt_did_nothing() {
    for entry in expected() {
        let Some(turn) = entry.recording.answering_turn() else { continue };
        let envelope = turn.envelope;
        if envelope.phase.is_some_and(Phase::is_pre_start) {
            assert_eq!(
                (envelope.delivery, envelope.effects),
                (Some(Delivery::Refused), Effects::NONE),
                "{}",
                entry.id
            );
        }
        let has_tools = entry.id.contains("/tool_");
        if has_tools {
            assert_eq!(envelope.effects.tool_activity, Some(true), "{}", entry.id);
        }
    }
}

#[test]
fn a_sanitised_recording_says_the_same() {
    type Shape = Vec<(Channel, Role, Option<Terminal>, Option<u16>, Option<i64>, Option<i32>)>;
    let shape = |recording: &Recording| -> Vec<Shape> {
        let of = |signal: &Signal| {
            (
                signal.channel,
                signal.role,
                signal.terminal,
                signal.http_status,
                signal.rpc_code,
                signal.exit_code,
            )
        };
        recording.turns().iter().map(|turn| turn.envelope.signals.iter().map(of).collect()).collect()
    };
    for entry in expected() {
        let mut recorder = Recorder::new(entry.recording.clone());
        entry.recording.frames.iter().for_each(|frame| recorder.feed(frame));
        let exit =
            Exit { code: entry.recording.exit_code, ended_by: entry.recording.ended_by, ..Exit::default() };
        let sanitised = recorder.finish(&exit);
        let read = Recording::read(&sanitised.to_json().to_string()).unwrap();
        assert_eq!(shape(&entry.recording), shape(&read), "{}", entry.id);
    }
}
