//! Words about errors, planted into every field that belongs to the model, a tool or the user: no trusted channel
//! may carry them.

use faultbook_evidence::TextTrust;

use crate::testing::turns;
use crate::{Exit, Turn, Wire};

const POISON: &[&str] = &["overloaded_error", "You've hit your usage limit", "HTTP 429 Too Many Requests"];

fn is_trusted(trust: TextTrust) -> bool {
    match trust {
        TextTrust::Limited | TextTrust::Full => true,
        TextTrust::Never | TextTrust::SpeakerOnly | TextTrust::OutsideOnly | TextTrust::Explains => false,
    }
}

fn trusted_words(turn: &Turn) -> Vec<String> {
    let mut words = Vec::new();
    for signal in &turn.envelope.signals {
        if is_trusted(signal.channel.text_trust()) {
            words.extend(signal.text.clone());
        }
        if is_trusted(signal.channel.leaf_trust()) || is_trusted(signal.channel.field_trust()) {
            words.extend(signal.data.as_ref().map(ToString::to_string));
        }
        words.extend(signal.headers.values().cloned());
    }
    words
}

fn stays_silent(wire: Wire, agent: &str, script: &str) {
    for poison in POISON {
        let planted = script.replace('@', poison);
        for exit in [Exit::code(0), Exit::code(1)] {
            let turns = turns(wire, agent, &planted, &exit);
            assert!(!turns.is_empty());
            let seen: String =
                turns.iter().flat_map(|turn| &turn.envelope.signals).map(|s| format!("{s:?}")).collect();
            assert!(
                seen.contains(poison),
                "{agent} {wire:?}: the model's and the tools' words are evidence too"
            );
            for words in turns.iter().flat_map(trusted_words) {
                assert!(!words.contains(poison), "{agent} {wire:?}: {words}");
            }
        }
    }
}

#[test]
fn acp() {
    let script = r#"
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"@"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"agentInfo":{"name":"x"}}}
        > {"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s","cwd":"@"}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"history @"}}}}
        < {"jsonrpc":"2.0","id":2,"result":{"modes":{"availableModes":[{"name":"@"}]}}}
        > {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"@"}]}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"@","description":"@"}]}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"@"}}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"@"}}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"@"}}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"@","rawInput":{"command":"@"},"locations":[{"path":"@"}],"content":[{"type":"diff","path":"@","newText":"@"}]}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"failed","title":"@","rawOutput":{"error":"@","stderr":"@"},"content":[{"type":"content","content":{"type":"text","text":"@"}}],"_meta":{"terminal_output_delta":{"data":"@"},"claudeCode":{"toolName":"@","toolResponse":"@"}}}}}
        < {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"title":"@","rawInput":{"command":"@"}},"options":[{"optionId":"no","kind":"reject_once","name":"@"}]}}
        > {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}
        < {"jsonrpc":"2.0","id":10,"method":"fs/read_text_file","params":{"path":"@"}}
        > {"jsonrpc":"2.0","id":10,"result":{"content":"@"}}
        < {"jsonrpc":"2.0","method":"_extension/x","params":{"text":"@"}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"@"}]}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"session_info_update","title":"@"}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"from_the_future","content":{"text":"@"},"title":"@","_meta":{"summary":"@"}}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"cut @
        < {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","_meta":{"summary":"@"}}}
        < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"late @"}}}}
    "#;
    for agent in
        ["claude-agent-acp", "codex-acp", "codex-acp-zed", "gemini-cli", "qwen-code", "opencode", "x"]
    {
        stays_silent(Wire::Acp, agent, script);
    }
}

#[test]
fn claude_stream() {
    let script = r#"
        < {"type":"system","subtype":"init","session_id":"s","cwd":"@","tools":["@"],"mcp_servers":[{"name":"@"}],"slash_commands":["@"],"agents":["@"]}
        < {"type":"system","subtype":"hook_response","hook_name":"@","stdout":"@","stderr":"@"}
        < {"type":"system","subtype":"task_notification","summary":"@"}
        < {"type":"system","subtype":"from_the_future","content":"@","message":"@"}
        < {"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"@"}}}
        < {"type":"assistant","message":{"id":"m","model":"claude-sonnet-5","content":[{"type":"thinking","thinking":"@"},{"type":"text","text":"@"},{"type":"tool_use","id":"t","name":"@","input":{"command":"@"}},{"type":"from_the_future","text":"@"}]}}
        < {"type":"user","message":{"role":"user","content":[{"type":"text","text":"@"},{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"@"}],"is_error":true}]},"tool_use_result":{"stdout":"@","stderr":"@"}}
        < {"type":"assistant","parent_tool_use_id":"t","message":{"model":"<synthetic>","content":[{"type":"text","text":"@"}]}}
        < {"type":"from_the_future","text":"@","message":{"content":"@"},"error":"@"}
        < {"type":"assistant","message":{"content":[{"type":"text","text":"cut @
        < {"type":"assistant","message":{"id":"n","model":"claude-sonnet-5","content":[{"type":"text","text":"last @"}]}}
        < {"type":"result","subtype":"success","is_error":#,"result":"last @","permission_denials":[{"tool_name":"@","tool_input":{"command":"@"}}],"modelUsage":{"@":1},"structured_output":"@"}
    "#;
    for is_error in ["true", "false"] {
        let script = script.replace('#', is_error);
        stays_silent(Wire::ClaudeStream, "claude-code", &script);
        stays_silent(Wire::ClaudeStream, "qwen-code", &script);
    }
}

#[test]
fn documents() {
    let claude = r#"< {"type":"result","subtype":"success","is_error":false,"result":"@","permission_denials":[{"tool_name":"@"}]}"#;
    let qwen = r#"< [{"type":"system","subtype":"init","tools":["@"]},{"type":"assistant","message":{"content":[{"type":"text","text":"@"}]}},{"type":"result","is_error":false,"result":"@"}]"#;
    let gemini = "< {\n<   \"session_id\": \"s\",\n<   \"response\": \"@\",\n<   \"stats\": { \"tools\": { \"totalCalls\": 1, \"byName\": { \"@\": {} } } }\n< }";
    stays_silent(Wire::JsonDocument, "claude-code", claude);
    stays_silent(Wire::JsonDocument, "qwen-code", qwen);
    stays_silent(Wire::JsonDocument, "gemini-cli", gemini);
}

#[test]
fn codex_exec() {
    let script = r#"
        < {"type":"thread.started","thread_id":"s"}
        < {"type":"turn.started"}
        < {"type":"item.completed","item":{"id":"1","type":"reasoning","text":"@"}}
        < {"type":"item.completed","item":{"id":"2","type":"agent_message","text":"@"}}
        < {"type":"item.started","item":{"id":"3","type":"command_execution","command":"@","aggregated_output":""}}
        < {"type":"item.completed","item":{"id":"3","type":"command_execution","command":"@","aggregated_output":"@","exit_code":1,"status":"failed"}}
        < {"type":"item.completed","item":{"id":"4","type":"mcp_tool_call","server":"@","tool":"@","arguments":{"q":"@"},"error":{"message":"@"},"result":{"content":[{"type":"text","text":"@"}]}}}
        < {"type":"item.completed","item":{"id":"5","type":"web_search","query":"@"}}
        < {"type":"item.completed","item":{"id":"6","type":"todo_list","items":[{"text":"@"}]}}
        < {"type":"item.completed","item":{"id":"7","type":"file_change","changes":[{"path":"@"}]}}
        < {"type":"item.completed","item":{"id":"8","type":"from_the_future","error":"@","text":"@"}}
        < {"type":"from.the.future","text":"@","item":{"text":"@"}}
        < {"type":"item.completed","item":{"id":"9","type":"agent_message","text":"cut @
        < {"type":"turn.completed","usage":{"@":1}}
    "#;
    stays_silent(Wire::CodexExec, "codex", script);
}

#[test]
fn codex_app_server() {
    let script = r#"
        > {"id":1,"method":"initialize","params":{"clientInfo":{"name":"@"}}}
        < {"id":1,"result":{"userAgent":"@"}}
        > {"id":2,"method":"turn/start","params":{"threadId":"s","input":[{"type":"text","text":"@"}]}}
        < {"method":"turn/started","params":{"threadId":"s","turn":{"id":"t","items":[{"text":"@"}]}}}
        < {"method":"item/completed","params":{"threadId":"s","item":{"id":"1","type":"userMessage","content":[{"type":"text","text":"@"}]}}}
        < {"method":"item/agentMessage/delta","params":{"threadId":"s","delta":"@"}}
        < {"method":"item/completed","params":{"threadId":"s","item":{"id":"2","type":"agentMessage","text":"@"}}}
        < {"method":"item/started","params":{"threadId":"s","item":{"id":"3","type":"commandExecution","command":"@"}}}
        < {"method":"item/commandExecution/outputDelta","params":{"threadId":"s","delta":"@"}}
        < {"id":7,"method":"item/commandExecution/requestApproval","params":{"threadId":"s","command":"@","reason":"@"}}
        > {"id":7,"result":{"decision":"decline"}}
        < {"method":"item/completed","params":{"threadId":"s","item":{"id":"3","type":"commandExecution","command":"@","aggregatedOutput":"@","status":"failed"}}}
        < {"method":"turn/plan/updated","params":{"threadId":"s","plan":[{"step":"@"}]}}
        < {"method":"from/the/future","params":{"threadId":"s","text":"@"}}
        < {"method":"turn/completed","params":{"threadId":"s","turn":{"id":"t","status":"completed","items":[{"text":"@"}]}}}
    "#;
    stays_silent(Wire::CodexAppServer, "codex", script);
}

#[test]
fn codex_plain() {
    let script = "
        ! OpenAI Codex v1
        ! --------
        ! workdir: /home/@
        ! --------
        ! user
        ! @
        ! thinking
        ! @
        ! exec
        ! bash -lc '@' in /home
        ! @
        ! codex
        ! @
        < @
        ! tokens used
        ! 12";
    stays_silent(Wire::CodexPlain, "codex", script);
}

#[test]
fn opencode_run() {
    let script = r#"
        < {"type":"step_start","sessionID":"s","part":{"type":"step-start"}}
        < {"type":"reasoning","sessionID":"s","part":{"id":"0","type":"reasoning","text":"@"}}
        < {"type":"text","sessionID":"s","part":{"id":"1","type":"text","text":"@"}}
        < {"type":"text","sessionID":"s","part":{"id":"2","type":"text","synthetic":true,"text":"@"}}
        < {"type":"tool_use","sessionID":"s","part":{"type":"tool","tool":"@","callID":"c","state":{"status":"error","input":{"command":"@"},"title":"@","output":"@","error":"@","metadata":{"output":"@"}}}}
        < {"type":"step_finish","sessionID":"s","part":{"type":"step-finish","reason":"stop"}}
        < {"type":"from_the_future","sessionID":"s","part":{"text":"@"},"text":"@"}
        < {"type":"text","sessionID":"s","part":{"id":"3","type":"text","text":"cut @
    "#;
    stays_silent(Wire::OpenCodeRun, "opencode", script);
}

#[test]
fn gemini_stream() {
    let script = r#"
        < {"type":"init","timestamp":"t","session_id":"s","model":"m"}
        < {"type":"message","timestamp":"t","role":"user","content":"@"}
        < {"type":"thought","timestamp":"t","text":"@"}
        < {"type":"message","timestamp":"t","role":"assistant","content":"@","delta":true}
        < {"type":"tool_use","timestamp":"t","tool_name":"@","tool_id":"1","parameters":{"command":"@"}}
        < {"type":"tool_result","timestamp":"t","tool_id":"1","status":"error","output":"@","error":{"type":"@","message":"@"}}
        < {"type":"from_the_future","timestamp":"t","content":"@","text":"@"}
        < {"type":"result","timestamp":"t","status":"success","stats":{"models":{"@":{}}}}
    "#;
    stays_silent(Wire::GeminiStream, "gemini-cli", script);
}

#[test]
fn http_successes() {
    let body = r#"{"choices":[{"message":{"content":"overloaded_error"}}]}"#;
    let signal = crate::http::signal(200, [("retry-after", "2")], body);
    assert!(signal.text.is_none() && signal.data.is_none());
    let script = "< HTTP/1.1 200 OK\n< content-type: text/event-stream\n<\n< data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"overloaded_error\"}}";
    for turn in turns(Wire::Http, "generic", script, &Exit::unknown()) {
        assert!(trusted_words(&turn).iter().all(|words| !words.contains("overloaded_error")));
    }
}
