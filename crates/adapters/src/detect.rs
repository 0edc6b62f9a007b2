//! Which format lines are written in, where nobody says.

use serde_json::Value;

use crate::json::{Object, object, string};
use crate::wire::Wire;

/// How many lines are looked at.
const MAX_LINES: usize = 64;
/// The longest line that is looked at, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// A format that lines show by their structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// The format.
    pub wire: Wire,
    /// The agent, by its name in the list of agents, where the format belongs to one.
    pub agent: Option<&'static str>,
}

/// The format of raw agent output, by the structure of its first lines. `None` where it is no agent's format: plain
/// text, evidence envelopes, anything else.
pub fn detect<'l>(lines: impl IntoIterator<Item = &'l str>) -> Option<Detected> {
    let mut names_agent = None;
    let mut found: Option<Detected> = None;
    let lines: Vec<&str> = lines.into_iter().take(MAX_LINES).map(str::trim).collect();
    if let Some(document) = of_document(&lines) {
        return Some(document);
    }
    for line in lines {
        if line.len() > MAX_BYTES {
            continue;
        }
        if line.starts_with("HTTP/") && line.split(' ').nth(1).is_some_and(|code| code.len() == 3) {
            return Some(Detected { wire: Wire::Http, agent: None });
        }
        let Ok(Value::Object(event)) = serde_json::from_str(line) else { continue };
        names_agent = names_agent.or_else(|| agent_of_initialize(&event));
        found = found.or_else(|| of_event(&event));
        // In ACP the agent says its name in the first answers.
        if found.is_some_and(|found| found.wire != Wire::Acp || names_agent.is_some()) {
            break;
        }
    }
    found.map(|found| Detected { agent: found.agent.or(names_agent), ..found })
}

/// One document over several lines, or a list of events in one line.
fn of_document(lines: &[&str]) -> Option<Detected> {
    let first = lines.iter().find(|line| !line.is_empty())?;
    let opens = matches!(*first, "{" | "[") || first.starts_with("[{") || first.contains("\"response\"");
    if !opens || lines.iter().map(|line| line.len()).sum::<usize>() > MAX_BYTES {
        return None;
    }
    let text = lines.join("\n");
    let agent = match serde_json::Deserializer::from_str(&text).into_iter::<Value>().next() {
        Some(Ok(Value::Object(document))) => gemini_document(document.contains_key("response"), &document)?,
        Some(Ok(Value::Array(events))) => {
            events.first().and_then(Value::as_object).and_then(of_event).map(|_| "qwen-code")?
        }
        // A long document is known by its first keys.
        _ if *first == "{" && text.contains("\"session_id\"") && text.contains("\"response\"") => {
            "gemini-cli"
        }
        _ => return None,
    };
    Some(Detected { wire: Wire::JsonDocument, agent: Some(agent) })
}

fn gemini_document(has_answer: bool, document: &Object) -> Option<&'static str> {
    let is_one = document.contains_key("session_id") || document.contains_key("stats");
    (is_one && (has_answer || document.contains_key("error"))).then_some("gemini-cli")
}

fn of_event(event: &Object) -> Option<Detected> {
    let of = |wire, agent| Some(Detected { wire, agent });
    if event.contains_key("schema") {
        return None;
    }
    if string(event, "jsonrpc").is_some() {
        return of(Wire::Acp, None);
    }
    if let Some(method) = string(event, "method") {
        let is_codex = event.contains_key("params")
            && ["turn/", "thread/", "item/", "account/", "error"]
                .iter()
                .any(|start| method.starts_with(start));
        return if is_codex { of(Wire::CodexAppServer, Some("codex")) } else { None };
    }
    let has = |key: &str| event.contains_key(key);
    match string(event, "type")? {
        "system" | "assistant" | "user" | "rate_limit_event" | "stream_event"
            if has("session_id") || has("message") || has("subtype") || has("rate_limit_info") =>
        {
            of(Wire::ClaudeStream, Some("claude-code"))
        }
        "result" if has("subtype") || has("is_error") => of(Wire::ClaudeStream, Some("claude-code")),
        "init" if has("session_id") && has("timestamp") => of(Wire::GeminiStream, Some("gemini-cli")),
        "result" | "message" | "tool_use" | "tool_result" if has("timestamp") && !has("part") => {
            of(Wire::GeminiStream, Some("gemini-cli"))
        }
        _ if has("sessionID") || has("part") => of(Wire::OpenCodeRun, Some("opencode")),
        "thread.started" | "turn.started" | "turn.failed" | "turn.completed" | "item.started"
        | "item.completed" | "item.updated" => of(Wire::CodexExec, Some("codex")),
        "error" if has("severity") => of(Wire::GeminiStream, Some("gemini-cli")),
        "error" if object(event, "error").is_some_and(|error| error.contains_key("name")) => {
            of(Wire::OpenCodeRun, Some("opencode"))
        }
        "error" if event.get("message").is_some_and(Value::is_string) && event.len() == 2 => {
            of(Wire::CodexExec, Some("codex"))
        }
        _ => None,
    }
}

fn agent_of_initialize(event: &Object) -> Option<&'static str> {
    let info = object(object(event, "result")?, "agentInfo")?;
    let name = string(info, "name")?.to_ascii_lowercase();
    let known = [
        ("claude-agent-acp", "claude-agent-acp"),
        ("claude-code-acp", "claude-code-acp"),
        ("agentclientprotocol/codex-acp", "codex-acp"),
        ("codex-acp", "codex-acp-zed"),
        ("opencode", "opencode"),
        ("gemini", "gemini-cli"),
        ("qwen", "qwen-code"),
    ];
    known.iter().find(|(mark, _)| name.contains(mark)).map(|(_, agent)| *agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_show_themselves() {
        type Found = Option<(Wire, Option<&'static str>)>;
        let table: &[(&str, Found)] = &[
            (
                r#"{"type":"system","subtype":"init","session_id":"s"}"#,
                Some((Wire::ClaudeStream, Some("claude-code"))),
            ),
            (
                r#"{"type":"result","subtype":"success","is_error":true}"#,
                Some((Wire::ClaudeStream, Some("claude-code"))),
            ),
            (r#"{"type":"thread.started","thread_id":"t"}"#, Some((Wire::CodexExec, Some("codex")))),
            (r#"{"type":"error","message":"no"}"#, Some((Wire::CodexExec, Some("codex")))),
            (
                r#"{"type":"error","sessionID":"s","error":{"name":"APIError"}}"#,
                Some((Wire::OpenCodeRun, Some("opencode"))),
            ),
            (
                r#"{"type":"init","timestamp":"t","session_id":"s","model":"m"}"#,
                Some((Wire::GeminiStream, Some("gemini-cli"))),
            ),
            (r#"{"method":"turn/started","params":{}}"#, Some((Wire::CodexAppServer, Some("codex")))),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, Some((Wire::Acp, None))),
            ("HTTP/1.1 429 Too Many Requests", Some((Wire::Http, None))),
            (r#"{"schema":"faultbook.evidence/1","signals":[]}"#, None),
            (r#"{"type":"error","error":{"type":"overloaded_error"}}"#, None),
            ("Error: no luck", None),
        ];
        for (line, expected) in table {
            let found = detect(["", "noise", line]).map(|found| (found.wire, found.agent));
            assert_eq!(found, *expected, "{line}");
        }
    }

    #[test]
    fn documents_show_themselves() {
        let table: &[(&[&str], Option<&str>)] = &[
            (
                &["{", "\"session_id\": \"s\",", "\"response\": \"Good.\",", "\"stats\": {", "\"more\": 1,"],
                Some("gemini-cli"),
            ),
            (&["{", "\"session_id\": \"s\", \"error\": { \"code\": 500 }", "}"], Some("gemini-cli")),
            (&[r#"[{"type":"system","subtype":"init","session_id":"s"}]"#], Some("qwen-code")),
            (&["{", "\"error\": {}", "}"], None),
            (&["[{\"a\":1}]"], None),
        ];
        for (lines, expected) in table {
            let found = detect(lines.iter().copied());
            assert_eq!(found.and_then(|found| found.agent), *expected, "{lines:?}");
            assert!(found.is_none_or(|found| found.wire == Wire::JsonDocument));
        }
    }

    #[test]
    fn an_acp_agent_says_its_name() {
        let lines = [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"agentInfo":{"name":"@agentclientprotocol/codex-acp"}}}"#,
        ];
        let found = detect(lines).unwrap();
        assert_eq!((found.wire, found.agent), (Wire::Acp, Some("codex-acp")));
    }
}
