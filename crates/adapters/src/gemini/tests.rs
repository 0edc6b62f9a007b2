//! Tests of the `gemini` module: small frames in, envelopes out.

use crate::testing::{head, last, rows, turns};
use crate::{Exit, Wire};

#[test]
fn the_result_ends_the_turn_whatever_the_exit_code_says() {
    let script = r#"
        < {"type":"init","timestamp":"t","session_id":"s","model":"gemini-x"}
        < {"type":"message","timestamp":"t","role":"user","content":"ask"}
        < {"type":"message","timestamp":"t","role":"assistant","content":"I ","delta":true}
        < {"type":"message","timestamp":"t","role":"assistant","content":"look.","delta":true}
        < {"type":"error","timestamp":"t","severity":"warning","message":"Loop"}
        < {"type":"error","timestamp":"t","severity":"error","message":"No luck"}
        < {"type":"result","timestamp":"t","status":"error","error":{"type":"unknown","message":"[API Error: no]","code":429}}
    "#;
    let turns = turns(Wire::GeminiStream, "gemini-cli", script, &Exit::code(0));
    assert_eq!(head(&turns[0]), "prompt 1 phase=streaming delivery=acknowledged words=yes tools=no");
    assert_eq!(
        rows(&turns[0]),
        [
            "assistant \"I look.\"",
            r#"event notice {"type":"error","severity":"warning","message":"Loop"}"#,
            r#"event {"type":"error","severity":"error","message":"No luck"}"#,
            r#"event <failed> http=429 {"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: no]","code":429}}"#,
            "exit exit=0",
        ]
    );
}

#[test]
fn a_document_on_standard_error_is_the_end_and_the_rest_is_text() {
    let script = "! Attempt 1 failed {\n!   status: 500\n! }\n! {\n!   \"session_id\": \"s\",\n!   \"error\": {\n!     \"type\": \"Error\",\n!     \"message\": \"No luck\",\n!     \"code\": 500\n!   }\n! }";
    assert_eq!(
        last(Wire::JsonDocument, "gemini-cli", script, &Exit::code(244)),
        [
            "stderr \"Attempt 1 failed {\\n  status: 500\\n}\"",
            r#"event <failed> http=500 {"error":{"type":"Error","message":"No luck","code":500}}"#,
            "exit exit=244",
        ]
    );
}

#[test]
fn a_document_of_success_is_the_models() {
    let script = "< {\n<   \"response\": \"Good.\",\n<   \"stats\": {}\n< }";
    let turns = turns(Wire::JsonDocument, "gemini-cli", script, &Exit::code(0));
    assert_eq!(rows(&turns[0]), ["assistant \"Good.\"", "event <completed>", "exit exit=0"]);
    assert_eq!(head(&turns[0]), "prompt 1 phase=streaming delivery=acknowledged words=yes tools=?");
}

#[test]
fn a_list_of_events_is_read_in_order() {
    let script = r#"< [{"type":"system","subtype":"init","session_id":"s"},{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"[API Error: no]"}]}},{"type":"result","subtype":"success","is_error":false,"result":"[API Error: no]"}]"#;
    assert_eq!(
        last(Wire::JsonDocument, "qwen-code", script, &Exit::code(0)),
        [
            "assistant \"[API Error: no]\"",
            r#"event <completed> {"type":"result","subtype":"success","is_error":false}"#,
            "exit exit=0",
        ]
    );
}
