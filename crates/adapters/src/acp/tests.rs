//! Tests of the `acp` module: small frames in, envelopes out.

use crate::testing::{head, last, rows, turns};
use crate::{Exit, TurnKind, Wire};

const START: &str = r#"
    > {"id":1,"method":"initialize"}
    < {"id":1,"result":{}}
    > {"id":2,"method":"session/new","params":{}}
    < {"id":2,"result":{"sessionId":"s"}}
    > {"id":3,"method":"session/prompt","params":{"sessionId":"s"}}
"#;

fn update(update: &str) -> String {
    format!(r#"< {{"method":"session/update","params":{{"sessionId":"s","update":{update}}}}}"#)
}

fn chunk(message: Option<&str>, text: &str) -> String {
    let message = message.map(|id| format!(r#""messageId":"{id}","#)).unwrap_or_default();
    update(&format!(
        r#"{{"sessionUpdate":"agent_message_chunk",{message}"content":{{"type":"text","text":"{text}"}}}}"#
    ))
}

fn status(kind: &str) -> String {
    update(&format!(
        r#"{{"sessionUpdate":"session_info_update","_meta":{{"codex":{{"threadStatus":{{"type":"{kind}"}}}}}}}}"#
    ))
}

fn script(lines: &[String]) -> String {
    format!("{START}{}", lines.join("\n"))
}

#[test]
fn chunks_of_one_message_are_one_signal_and_the_stop_reason_ends_the_turn() {
    let table = [
        ("end_turn", "acp_result <completed> {\"stopReason\":\"end_turn\"}"),
        ("cancelled", "acp_result <cancelled> {\"stopReason\":\"cancelled\"}"),
        ("refusal", "acp_result <failed> {\"stopReason\":\"refusal\"}"),
        ("max_tokens", "acp_result <failed> {\"stopReason\":\"max_tokens\"}"),
        ("from_the_future", "acp_result {\"stopReason\":\"from_the_future\"}"),
    ];
    for (reason, end) in table {
        let script = script(&[
            chunk(Some("a"), "All "),
            chunk(Some("a"), "good."),
            chunk(Some("b"), "Bye."),
            format!(r#"< {{"id":3,"result":{{"stopReason":"{reason}"}}}}"#),
        ]);
        let found = last(Wire::Acp, "opencode", &script, &Exit::unknown());
        assert_eq!(found, ["assistant \"All good.\"", "assistant \"Bye.\"", end]);
    }
}

#[test]
fn words_that_the_error_repeats_are_the_agents() {
    let error =
        r#"< {"id":3,"error":{"code":-32603,"message":"Internal error: No luck","data":{"errorKind":"x"}}}"#;
    let data = r#"{"code":-32603,"message":"Internal error: No luck","data":{"errorKind":"x"}}"#;
    let end = format!("acp_error <failed> rpc=-32603 {data}");
    let table = [
        (vec![chunk(None, "No luck")], vec!["agent_text \"No luck\""], "words=no"),
        (vec![chunk(None, "No "), chunk(None, "luck")], vec!["agent_text \"No luck\""], "words=no"),
        (
            vec![chunk(None, "I look. "), chunk(None, "No luck")],
            vec!["assistant \"I look. \"", "agent_text \"No luck\""],
            "words=yes",
        ),
        (vec![chunk(None, "luck")], vec!["assistant \"luck\""], "words=yes"),
    ];
    for (mut lines, mut expected, words) in table {
        lines.push(error.to_owned());
        expected.push(&end);
        let turns = turns(Wire::Acp, "claude-agent-acp", &script(&lines), &Exit::unknown());
        assert_eq!(rows(turns.last().unwrap()), expected);
        assert!(head(turns.last().unwrap()).contains(words), "{lines:?}");
    }
}

#[test]
fn words_in_no_message_after_a_system_error_are_the_agents() {
    let end = r#"< {"id":3,"result":{"stopReason":"end_turn"}}"#.to_owned();
    let broken =
        script(&[chunk(Some("a"), "Hm."), status("systemError"), chunk(None, "No luck\\n\\n"), end.clone()]);
    let status_row = r#"acp_update {"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"systemError"}}}}"#;
    assert_eq!(
        last(Wire::Acp, "codex-acp", &broken, &Exit::unknown()),
        [
            "assistant \"Hm.\"",
            status_row,
            "agent_text \"No luck\\n\\n\"",
            r#"acp_result <failed> {"stopReason":"end_turn"}"#
        ]
    );
    let recovered = script(&[status("systemError"), status("active"), chunk(None, "Fine."), end]);
    let found = last(Wire::Acp, "codex-acp", &recovered, &Exit::unknown());
    assert_eq!(found[2..], ["assistant \"Fine.\"", r#"acp_result <completed> {"stopReason":"end_turn"}"#]);
}

#[test]
fn retries_are_notices_and_session_failures_end_the_turn() {
    let retry = update(
        r#"{"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"Again","codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":429}},"turnId":"t","willRetry":true}}}}"#,
    );
    let end = r#"< {"id":3,"result":{"stopReason":"end_turn","_meta":{"jetbrains":{"air":{"sessionFailure":{"id":"x","category":"limit","severity":"error","title":"No luck","actions":[{"title":"go"}]}}}}}}"#;
    assert_eq!(
        last(Wire::Acp, "codex-acp", &script(&[retry, end.to_owned()]), &Exit::unknown()),
        [
            r#"event notice http=429 {"error":{"message":"Again","codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":429}},"willRetry":true}}"#,
            r#"event {"sessionFailure":{"category":"limit","severity":"error","title":"No luck"}}"#,
            r#"acp_result <failed> {"stopReason":"end_turn"}"#,
        ]
    );
}

#[test]
fn codes_become_statuses_where_the_agent_means_them_so() {
    let table = [
        ("gemini-cli", r#"{"code":429,"message":"m"}"#, "acp_error <failed> http=429 rpc=429"),
        ("opencode", r#"{"code":429,"message":"m"}"#, "acp_error <failed> rpc=429"),
        ("gemini-cli", r#"{"code":-32603,"message":"m"}"#, "acp_error <failed> rpc=-32603"),
        (
            "codex-acp-zed",
            r#"{"code":-32603,"message":"m","data":{"codex_error_info":{"x":{"http_status_code":503}}}}"#,
            "acp_error <failed> http=503 rpc=-32603",
        ),
    ];
    for (agent, error, expected) in table {
        let script = script(&[format!(r#"< {{"id":3,"error":{error}}}"#)]);
        let found = last(Wire::Acp, agent, &script, &Exit::unknown());
        assert!(found[0].starts_with(&format!("{expected} {{")), "{found:?}");
    }
}

#[test]
fn what_fails_before_the_prompt_is_the_pre_start_turn() {
    let refused = "pre-start phase=session_init delivery=refused words=no tools=no";
    let table = [
        (
            "> {\"id\":1,\"method\":\"initialize\"}\n! No such config",
            Exit::code(1),
            "pre-start phase=launch delivery=refused words=no tools=no",
            vec!["stderr \"No such config\"", "exit <failed> exit=1"],
        ),
        (
            "> {\"id\":1,\"method\":\"initialize\"}\n< {\"id\":1,\"result\":{}}\n> {\"id\":2,\"method\":\"session/load\"}\n< {\"id\":2,\"error\":{\"code\":-32002,\"message\":\"gone\"}}",
            Exit::code(0),
            refused,
            vec![r#"acp_error <failed> rpc=-32002 {"code":-32002,"message":"gone"}"#, "exit exit=0"],
        ),
        (
            "> {\"id\":1,\"method\":\"initialize\"}\n< {\"id\":1,\"result\":{}}\n> {\"id\":2,\"method\":\"session/new\"}",
            Exit::code(0),
            refused,
            vec!["exit <failed> exit=0"],
        ),
    ];
    for (script, exit, expected_head, expected) in table {
        let turns = turns(Wire::Acp, "x", script, &exit);
        assert_eq!(turns.len(), 1);
        assert_eq!(head(&turns[0]), expected_head);
        assert_eq!(rows(&turns[0]), expected);
    }
}

#[test]
fn a_beginning_that_nobody_saw_is_no_start_that_failed() {
    let words = "! starting";
    let opened = format!("> {}\n{words}", r#"{"id":1,"method":"initialize"}"#);
    let none = "pre-start phase=launch delivery=refused words=no tools=no";
    let unknown = "pre-start phase=? delivery=unknown words=? tools=?";
    let table = [
        (words, Exit::unknown(), unknown),
        (words, Exit::code(0), unknown),
        (words, Exit::code(137), unknown),
        (words, Exit::code(1), none),
        (&opened, Exit::code(0), none),
    ];
    for (script, exit, expected) in table {
        assert_eq!(head(&turns(Wire::Acp, "codex-acp", script, &exit)[0]), expected, "{script} {exit:?}");
    }
}

#[test]
fn a_pipe_that_dies_under_a_prompt_fails_it_unless_the_host_cancelled() {
    let cancel = r#"> {"method":"session/cancel","params":{"sessionId":"s"}}"#.to_owned();
    let table = [(vec![], "exit <failed> exit=0"), (vec![cancel.clone()], "exit <cancelled> exit=0")];
    for (lines, expected) in table {
        let found = last(Wire::Acp, "x", &script(&lines), &Exit::code(0));
        assert_eq!(found.last().unwrap(), expected);
    }
    let stopped = script(&["= stop".to_owned(), r#"< {"id":3,"error":{"code":1,"message":"m"}}"#.to_owned()]);
    assert!(last(Wire::Acp, "x", &stopped, &Exit::code(0)).is_empty());
}

#[test]
fn every_prompt_has_its_turn_and_its_session() {
    let script = r#"
        > {"id":1,"method":"session/prompt","params":{"sessionId":"a"}}
        > {"id":2,"method":"session/prompt","params":{"sessionId":"b"}}
        < {"method":"session/update","params":{"sessionId":"b","update":{"sessionUpdate":"agent_message_chunk","content":{"text":"to b"}}}}
        < {"method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"agent_message_chunk","content":{"text":"to a"}}}}
        < {"method":"session/update","params":{"sessionId":"c","update":{"sessionUpdate":"agent_message_chunk","content":{"text":"to nobody"}}}}
        < {"id":2,"result":{"stopReason":"end_turn"}}
        < {"id":1,"error":{"code":5,"message":"m"}}
        ! late words
        > {"id":3,"method":"session/prompt","params":{"sessionId":"a"}}
    "#;
    let turns = turns(Wire::Acp, "x", script, &Exit::unknown());
    let kinds: Vec<TurnKind> = turns.iter().map(|turn| turn.kind).collect();
    assert_eq!(kinds, [TurnKind::Prompt(1), TurnKind::Prompt(2), TurnKind::Prompt(3)]);
    assert_eq!(rows(&turns[0])[0], "assistant \"to a\"");
    assert_eq!(
        rows(&turns[1]),
        [
            "assistant \"to b\"",
            r#"acp_result <completed> {"stopReason":"end_turn"}"#,
            "shared \"late words\""
        ]
    );
    assert!(rows(&turns[2]).is_empty());
    assert_eq!(turns[0].envelope.session.as_deref(), Some("a"));
}

#[test]
fn a_declined_permission_is_the_hosts_deed() {
    let ask = r#"< {"id":0,"method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]}}"#;
    for (option, declined) in [("no", true), ("yes", false)] {
        let answer =
            format!(r#"> {{"id":0,"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}}}"#);
        let found = last(Wire::Acp, "x", &script(&[ask.to_owned(), answer]), &Exit::unknown());
        assert_eq!(found == [r#"host {"host":"permission_declined"}"#], declined);
    }
}

#[test]
fn the_agents_side_alone_still_makes_a_turn() {
    let script =
        [chunk(None, "Hm."), r#"< {"id":3,"error":{"code":-1,"message":"No luck"}}"#.to_owned()].join("\n");
    let found = last(Wire::Acp, "x", &script, &Exit::unknown());
    assert_eq!(found, ["assistant \"Hm.\"", r#"acp_error <failed> rpc=-1 {"code":-1,"message":"No luck"}"#]);
}

#[test]
fn a_cut_line_makes_absence_unknown() {
    let script = script(&[r#"< {"method":"session/update","params":{"upd"#.to_owned()]);
    let turns = turns(Wire::Acp, "x", &script, &Exit::unknown());
    assert_eq!(head(turns.last().unwrap()), "prompt 1 phase=prompt_send delivery=unknown words=? tools=?");
}

#[test]
fn an_end_that_counts_no_tokens_claims_nothing() {
    let table = [
        ("gemini-cli", 0, "acp_result {"),
        ("gemini-cli", 8, "acp_result <completed>"),
        ("opencode", 0, "acp_result <completed>"),
    ];
    for (agent, tokens, expected) in table {
        let end = format!(
            r#"< {{"id":3,"result":{{"stopReason":"end_turn","_meta":{{"quota":{{"token_count":{{"input_tokens":0,"output_tokens":{tokens}}}}}}}}}}}"#
        );
        let found = last(Wire::Acp, agent, &script(&[chunk(None, "Hm."), end]), &Exit::unknown());
        assert!(found[1].starts_with(expected), "{found:?}");
    }
}

#[test]
fn of_the_notices_only_errors_are_evidence() {
    let table: [(&str, &[&str]); 3] = [
        ("info", &["acp_result <completed>"]),
        ("from_the_future", &["acp_result <completed>"]),
        ("error", &["shared \"No luck\"", "acp_result <completed>"]),
    ];
    for (severity, expected) in table {
        let notice = update(&format!(
            r#"{{"sessionUpdate":"notice","severity":"{severity}","title":"No luck","_meta":{{"x":1}}}}"#
        ));
        let end = r#"< {"id":3,"result":{"stopReason":"end_turn"}}"#.to_owned();
        let found = last(Wire::Acp, "x", &script(&[notice, end]), &Exit::unknown());
        assert!(found.len() == expected.len(), "{severity}: {found:?}");
        assert!(found.iter().zip(expected).all(|(row, start)| row.starts_with(start)), "{found:?}");
    }
}

#[test]
fn a_message_that_the_schema_refuses_is_read_as_far_as_it_goes() {
    let end = r#"< {"id":3,"error":{"message":"No luck"}}"#.to_owned();
    let lines = [
        update(r#"{"sessionUpdate":"agent_message_chunk","content":"bare"}"#),
        update(r#"{"sessionUpdate":"tool_call","status":7}"#),
        update(r#"{"sessionUpdate":"tool_call_update","status":"failed","rawOutput":"out"}"#),
        update("{}"),
        end,
    ];
    let found = last(Wire::Acp, "x", &script(&lines), &Exit::unknown());
    let expected = [
        "assistant \"bare\"",
        "tool \"out\"",
        r#"acp_update {"sessionUpdate":""}"#,
        r#"acp_error <failed> {"message":"No luck"}"#,
    ];
    assert_eq!(found, expected);
}
