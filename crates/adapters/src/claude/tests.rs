//! Tests of the `claude` module: small frames in, envelopes out.

use crate::testing::{head, last, rows, turns};
use crate::{Exit, Wire};

const INIT: &str =
    r#"< {"type":"system","subtype":"init","session_id":"s","model":"claude-x","tools":["a"]}"#;

fn of(lines: &str) -> Vec<String> {
    last(Wire::ClaudeStream, "claude-code", &format!("{INIT}\n{lines}"), &Exit::code(1))
}

#[test]
fn a_synthetic_message_is_the_agents_and_is_error_ends_the_turn() {
    let found = of(r#"
        < {"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"No luck"}]},"error":"rate_limit"}
        < {"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"No luck","duration_ms":5}
    "#);
    assert_eq!(
        found,
        [
            r#"agent_text {"type":"assistant","error":"rate_limit","message":{"content":[{"type":"text","text":"No luck"}]}}"#,
            r#"event <failed> http=429 {"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"No luck"}"#,
            "exit exit=1",
        ]
    );
}

#[test]
fn retries_are_notices_with_their_status() {
    let found = of(
        r#"< {"type":"system","subtype":"api_retry","attempt":1,"error_status":529,"error":"overloaded"}"#,
    );
    assert_eq!(
        found[0],
        r#"event notice http=529 {"type":"system","subtype":"api_retry","attempt":1,"error_status":529,"error":"overloaded"}"#
    );
}

#[test]
fn how_a_result_ends_the_turn() {
    let table = [
        (r#""is_error":false,"subtype":"success""#, "<completed>"),
        (r#""is_error":true,"subtype":"success""#, "<failed>"),
        (r#""subtype":"error_max_turns""#, "<failed>"),
        (
            r#""is_error":true,"subtype":"error_during_execution","terminal_reason":"aborted_streaming""#,
            "<cancelled>",
        ),
    ];
    for (fields, end) in table {
        let found = of(&format!(r#"< {{"type":"result",{fields}}}"#));
        assert!(found[0].starts_with(&format!("event {end}")), "{found:?}");
    }
    let cancelled = of("= cancel\n< {\"type\":\"result\",\"is_error\":true}");
    assert!(cancelled[1].starts_with("event <cancelled>"), "{cancelled:?}");
}

#[test]
fn speakers_are_told_apart() {
    let found = of(r#"
        < {"type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"text","text":"I "}]}}
        < {"type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"text","text":"look."},{"type":"tool_use","name":"Bash"}]}}
        < {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"total 1"}]}}
        < {"type":"user","message":{"content":[{"type":"text","text":"and now?"}]}}
        < {"type":"result","is_error":false,"result":"Good.","permission_denials":[{"tool_name":"Bash"}]}
    "#);
    assert_eq!(
        found[..4],
        [
            "assistant \"I look.\"",
            "tool \"total 1\"",
            "assistant \"Good.\"",
            r#"event <completed> {"type":"result","is_error":false,"permission_denials":1}"#,
        ]
    );
}

#[test]
fn a_model_that_is_quoted_by_a_failed_result_stays_the_model() {
    let found = of(r#"
        < {"type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"text","text":"Rate limits are fun"}]}}
        < {"type":"result","is_error":true,"result":"Rate limits are fun"}
    "#);
    assert_eq!(found[1], r#"event <failed> {"type":"result","is_error":true}"#);
}

#[test]
fn what_fails_before_the_session_is_refused() {
    let script = "! No conversation found\n< {\"type\":\"result\",\"is_error\":true,\"num_turns\":0,\"errors\":[\"No conversation found\"]}";
    let turns = turns(Wire::ClaudeStream, "claude-code", script, &Exit::code(1));
    assert_eq!(head(&turns[0]), "pre-start phase=session_init delivery=refused words=no tools=no");
    assert_eq!(rows(&turns[0]).len(), 4);
}

#[test]
fn without_a_result_exit_0_claims_nothing() {
    let script = format!("{INIT}\n< {{\"type\":\"assistant\",\"message\":{{\"content\":\"Hm.\"}}}}");
    let found = last(Wire::ClaudeStream, "claude-code", &script, &Exit::code(0));
    assert_eq!(found, ["assistant \"Hm.\"", "exit exit=0"]);
}

#[test]
fn plain_output_is_mixed() {
    let script = "< API Error: no luck\n<\n< Request ID: 1\n! warning";
    let turns = turns(Wire::ClaudePlain, "claude-code", script, &Exit::code(1));
    assert_eq!(head(&turns[0]), "prompt 1 phase=? delivery=acknowledged words=? tools=?");
    assert_eq!(
        rows(&turns[0]),
        ["mixed \"API Error: no luck\\n\\nRequest ID: 1\"", "stderr \"warning\"", "exit <failed> exit=1"]
    );
}
