//! Tests of the `opencode` module: small frames in, envelopes out.

use crate::testing::{head, last, rows, turns};
use crate::{Exit, Wire};

const ERROR: &str = r#"< {"type":"error","timestamp":1,"sessionID":"s","error":{"name":"APIError","data":{"message":"No luck","statusCode":429,"isRetryable":true,"responseHeaders":{"Retry-After":"2","x-request-id":"r"},"responseBody":"{}"}}}"#;

#[test]
fn an_error_carries_status_and_timing_headers() {
    assert_eq!(
        last(Wire::OpenCodeRun, "opencode", ERROR, &Exit::code(1)),
        [
            r#"event <failed> http=429 retry-after:2 {"type":"error","error":{"name":"APIError","data":{"message":"No luck","statusCode":429,"isRetryable":true,"responseBody":"{}"}}}"#,
            "exit exit=1",
        ]
    );
}

#[test]
fn only_an_error_without_work_after_it_ends_the_turn() {
    let text = r#"< {"type":"text","sessionID":"s","part":{"id":"1","text":"Good."}}"#;
    let recovered = last(Wire::OpenCodeRun, "opencode", &format!("{ERROR}\n{text}"), &Exit::code(0));
    assert!(recovered[0].starts_with("event http=429"));
    assert_eq!(recovered[1..], ["assistant \"Good.\"", "exit <completed> exit=0"]);
    let twice = last(Wire::OpenCodeRun, "opencode", &format!("{ERROR}\n{ERROR}"), &Exit::code(0));
    assert_eq!(twice.iter().filter(|row| row.contains("<failed>")).count(), 1);
    assert_eq!(twice.last().unwrap(), "exit exit=0");
}

#[test]
fn a_retry_is_a_notice() {
    let script = r#"< {"type":"session.status","properties":{"sessionID":"s","status":{"type":"retry","attempt":2,"message":"Again","next":5}}}"#;
    let found = last(Wire::OpenCodeRun, "opencode", script, &Exit::unknown());
    assert_eq!(
        found,
        [
            r#"event notice {"type":"session.status","status":{"type":"retry","attempt":2,"message":"Again","next":5}}"#
        ]
    );
}

#[test]
fn in_an_open_step_a_tool_may_have_run() {
    let start = r#"< {"type":"step_start","sessionID":"s","part":{}}"#;
    let finish = r#"< {"type":"step_finish","sessionID":"s","part":{"reason":"stop"}}"#;
    let table = [
        ("", Exit::unknown(), "words=? tools=?"),
        (start, Exit::unknown(), "words=? tools=?"),
        (&format!("{start}\n{finish}"), Exit::unknown(), "words=no tools=no"),
        (
            &format!("{start}\n{}", finish.replace(r#""reason":"stop""#, "")),
            Exit::unknown(),
            "words=? tools=?",
        ),
        (&format!("{start}\n{ERROR}"), Exit::code(1), "words=? tools=?"),
        (ERROR, Exit::code(1), "words=no tools=no"),
    ];
    for (script, exit, expected) in table {
        let turns = turns(Wire::OpenCodeRun, "opencode", script, &exit);
        assert!(head(&turns[0]).ends_with(expected), "{script}: {}", head(&turns[0]));
    }
}

#[test]
fn an_unusual_end_of_a_step_is_the_providers_word() {
    let script =
        r#"< {"type":"step_finish","sessionID":"s","part":{"type":"step-finish","reason":"content-filter"}}"#;
    let found = last(Wire::OpenCodeRun, "opencode", script, &Exit::unknown());
    assert_eq!(
        found,
        [r#"event {"type":"step_finish","part":{"type":"step-finish","reason":"content-filter"}}"#]
    );
}

#[test]
fn plain_tool_calls_are_no_diagnostics() {
    let script = "! \u{1b}[91m|\u{1b}[0m Bash  echo 429\n! \u{1b}[91mError:\u{1b}[0m No luck\n< Good.";
    let turns = turns(Wire::OpenCodePlain, "opencode", script, &Exit::code(1));
    assert_eq!(
        rows(&turns[0]),
        [
            "tool \"\\u{1b}[91m|\\u{1b}[0m Bash  echo 429\"",
            "stderr \"\\u{1b}[91mError:\\u{1b}[0m No luck\"",
            "mixed \"Good.\"",
            "exit <failed> exit=1",
        ]
    );
}
