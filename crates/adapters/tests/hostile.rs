//! Whatever an agent prints: adapters do not panic, stay within an envelope's bounds, and give at least one turn of
//! what they saw.

use faultbook_adapters::{Context, Exit, Frame, Source, Wire, detect};
use faultbook_evidence::{MAX_SIGNALS, MAX_TEXT_BYTES};
use proptest::prelude::*;

const WIRES: &[Wire] = &[
    Wire::Acp,
    Wire::ClaudeStream,
    Wire::JsonDocument,
    Wire::ClaudePlain,
    Wire::CodexExec,
    Wire::CodexAppServer,
    Wire::CodexPlain,
    Wire::OpenCodeRun,
    Wire::OpenCodePlain,
    Wire::GeminiStream,
    Wire::GeminiPlain,
    Wire::Process,
    Wire::Http,
];

const LINES: &[&str] = &[
    r#"{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}"#,
    r#"{"id":1,"error":{"code":99999999999999999999,"message":null,"data":[]}}"#,
    r#"{"id":1,"result":{"stopReason":"end_turn"}}"#,
    r#"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"text":"ü"}}}}"#,
    r#"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","status":"failed","rawOutput":{"error":"x"}}}}"#,
    r#"{"method":"turn/started","params":{"threadId":"s"}}"#,
    r#"{"method":"turn/completed","params":{"threadId":"s","turn":{"status":"failed"}}}"#,
    r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"x"}]},"error":3}"#,
    r#"{"type":"result","is_error":true,"result":[1],"api_error_status":-1}"#,
    r#"{"type":"turn.failed"}"#,
    r#"{"type":"item.completed","item":{"type":"mcp_tool_call","error":{"message":"x"}}}"#,
    r#"{"type":"error","error":{"data":{"statusCode":429,"responseHeaders":{"retry-after":2}}}}"#,
    r#"{"type":"text","part":{"text":"x","id":7}}"#,
    "HTTP/1.1 429 x",
    "OpenAI Codex",
    "--------",
    "{",
    "}",
    "[{",
    "",
];

fn line() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(LINES);
    prop_oneof![
        4 => known.clone().prop_map(str::to_owned),
        2 => (known, any::<prop::sample::Index>()).prop_map(|(line, at)| {
            let at = line.floor_char_boundary(at.index(line.len() + 1));
            line[..at].to_owned()
        }),
        1 => "\\PC{0,40}",
        1 => (1_usize..4).prop_map(|times| "long words ".repeat(times * 4096)),
    ]
}

const SOURCES: &[Source] =
    &[Source::Stdout, Source::FromAgent, Source::Stderr, Source::ToAgent, Source::Stdout, Source::FromAgent];

fn frame() -> impl Strategy<Value = Frame> {
    (any::<u64>(), proptest::sample::select(SOURCES), line())
        .prop_map(|(t_ms, source, line)| Frame::new(t_ms, source, line))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_breaks_an_adapter(frames in prop::collection::vec(frame(), 0..120), code in -1_i32..300) {
        for wire in WIRES {
            let mut adapter = wire.adapter(Context::of_agent("codex-acp"));
            frames.iter().for_each(|frame| adapter.feed(frame));
            for turn in adapter.finish(&Exit::code(code)) {
                let signals = &turn.envelope.signals;
                prop_assert!(signals.len() <= MAX_SIGNALS);
                prop_assert!(signals.iter().all(|s| s.text.as_ref().is_none_or(|t| t.len() <= MAX_TEXT_BYTES)));
                prop_assert!(signals.iter().filter(|s| s.terminal.is_some()).count() <= 1, "{wire:?} {signals:?}");
            }
        }
        let _ = detect(frames.iter().map(|frame| frame.line.as_str()));
    }
}
