//! Tests of the `codex` module: small frames in, envelopes out.

use crate::testing::{head, last, rows, turns};
use crate::{Exit, Wire};

#[test]
fn only_the_turns_own_end_is_terminal_in_exec() {
    let script = r#"
        ! Reading additional input from stdin...
        < {"type":"thread.started","thread_id":"s"}
        < {"type":"turn.started"}
        < {"type":"item.completed","item":{"id":"0","type":"error","message":"Falling back"}}
        < {"type":"error","message":"Reconnecting... 1/1"}
        < {"type":"error","message":"No luck"}
        < {"type":"turn.failed","error":{"message":"No luck"}}
    "#;
    let turns = turns(Wire::CodexExec, "codex", script, &Exit::code(0));
    assert_eq!(head(&turns[0]), "prompt 1 phase=prompt_send delivery=acknowledged words=no tools=no");
    assert_eq!(
        rows(&turns[0]),
        [
            "shared \"Reading additional input from stdin...\"",
            "shared \"Falling back\"",
            r#"event {"type":"error","message":"Reconnecting... 1/1"}"#,
            r#"event {"type":"error","message":"No luck"}"#,
            r#"event <failed> {"type":"turn.failed","error":{"message":"No luck"}}"#,
            "exit exit=0",
        ]
    );
}

#[test]
fn a_turn_that_recovered_is_completed() {
    let script = r#"
        < {"type":"turn.started"}
        < {"type":"error","message":"Reconnecting... 1/1"}
        < {"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Good."}}
        < {"type":"turn.completed"}
    "#;
    let found = last(Wire::CodexExec, "codex", script, &Exit::code(0));
    assert_eq!(found[1..3], ["assistant \"Good.\"", r#"event <completed> {"type":"turn.completed"}"#]);
}

#[test]
fn how_far_exec_came_says_the_phase() {
    let table = [
        ("! Error loading config", "pre-start phase=launch delivery=refused"),
        // That no turn is seen does not show that none began.
        ("< {\"type\":\"thread.started\"}", "prompt 1 phase=? delivery=unknown words=? tools=?"),
        ("< {\"type\":\"turn.started\"}", "prompt 1 phase=prompt_send delivery=acknowledged"),
        (
            "< {\"type\":\"item.started\",\"item\":{\"type\":\"command_execution\"}}\n< {\"type\":\"turn.started\"}\n< {\"type\":\"item.started\",\"item\":{\"type\":\"command_execution\"}}",
            "prompt 1 phase=tool_execution delivery=acknowledged words=no tools=yes",
        ),
    ];
    for (script, expected) in table {
        let turns = turns(Wire::CodexExec, "codex", script, &Exit::code(1));
        assert!(head(&turns[0]).starts_with(expected), "{}", head(&turns[0]));
    }
    let killed = turns(
        Wire::CodexExec,
        "codex",
        "< {\"type\":\"turn.started\"}",
        &Exit { signal: Some(9), ..Exit::default() },
    );
    assert_eq!(head(&killed[0]), "prompt 1 phase=prompt_send delivery=unknown words=no tools=no");
    assert_eq!(rows(&killed[0]), ["exit <failed> signal=9"]);
}

#[test]
fn the_plain_conversation_is_cut_at_its_speakers() {
    let script = "
        ! Reading prompt
        ! OpenAI Codex v1
        ! --------
        ! model: gpt-5
        ! --------
        ! user
        ! ask
        ! codex
        ! I look.
        ! ERROR: Reconnecting... 1/1
        ! ERROR: No luck";
    let turns = turns(Wire::CodexPlain, "codex", script, &Exit::code(1));
    assert_eq!(
        rows(&turns[0]),
        [
            "stderr \"Reading prompt\"",
            "assistant \"I look.\\n\"",
            "mixed \"ERROR: Reconnecting... 1/1\\nERROR: No luck\"",
            "exit <failed> exit=1",
        ]
    );
    assert_eq!(turns[0].envelope.model.as_deref(), Some("gpt-5"));
}

#[test]
fn the_app_server_announces_retries_and_ends_turns() {
    let script = r#"
        > {"id":1,"method":"initialize"}
        < {"id":1,"result":{}}
        > {"id":2,"method":"turn/start","params":{"threadId":"s"}}
        < {"id":2,"result":{"turn":{"id":"t"}}}
        < {"method":"turn/started","params":{"threadId":"s"}}
        < {"method":"error","params":{"threadId":"s","error":{"message":"Again","codexErrorInfo":{"httpConnectionFailed":{"httpStatusCode":503}}},"willRetry":true}}
        < {"method":"thread/status/changed","params":{"threadId":"s","status":{"type":"systemError"}}}
        < {"method":"error","params":{"threadId":"s","error":{"message":"No luck"},"willRetry":false}}
        < {"method":"turn/completed","params":{"threadId":"s","turn":{"id":"t","status":"failed","error":{"message":"No luck"}}}}
    "#;
    assert_eq!(
        last(Wire::CodexAppServer, "codex", script, &Exit::unknown()),
        [
            r#"event notice http=503 {"method":"error","params":{"error":{"message":"Again","codexErrorInfo":{"httpConnectionFailed":{"httpStatusCode":503}}},"willRetry":true}}"#,
            r#"event {"method":"thread/status/changed","params":{"status":{"type":"systemError"}}}"#,
            r#"event {"method":"error","params":{"error":{"message":"No luck"},"willRetry":false}}"#,
            r#"event <failed> {"method":"turn/completed","params":{"turn":{"status":"failed","error":{"message":"No luck"}}}}"#,
        ]
    );
}

#[test]
fn an_app_server_that_cannot_resume_fails_before_the_prompt() {
    let script = r#"
        > {"id":1,"method":"thread/resume"}
        < {"id":1,"error":{"code":-32600,"message":"no rollout found"}}
    "#;
    let turns = turns(Wire::CodexAppServer, "codex", script, &Exit::unknown());
    assert!(head(&turns[0]).starts_with("pre-start phase=launch delivery=refused"));
    assert_eq!(
        rows(&turns[0]),
        [r#"acp_error <failed> rpc=-32600 {"code":-32600,"message":"no rollout found"}"#]
    );
}

#[test]
fn an_interrupted_turn_is_cancelled_and_a_declined_approval_is_the_hosts() {
    let script = r#"
        > {"id":2,"method":"turn/start","params":{"threadId":"s"}}
        < {"id":9,"method":"item/fileChange/requestApproval","params":{"threadId":"s"}}
        > {"id":9,"result":{"decision":"decline"}}
        < {"method":"turn/completed","params":{"threadId":"s","turn":{"status":"interrupted"}}}
    "#;
    let found = last(Wire::CodexAppServer, "codex", script, &Exit::unknown());
    assert_eq!(found[0], r#"host {"host":"permission_declined"}"#);
    assert!(found[1].starts_with("event <cancelled>"), "{found:?}");
}
