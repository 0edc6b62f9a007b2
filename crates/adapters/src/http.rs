//! A provider's HTTP answer, as a host or proxy saw it.
//!
//! Status line, headers and body may also be given as text, the way `curl -i` prints them. An error in a stream of
//! server-sent events becomes a signal of its own; everything else in a successful body is the model's and left out.

use std::collections::BTreeMap;

use faultbook_evidence::{Channel, Signal, is_timing_header};
use faultbook_taxonomy::{Sight, Terminal};
use serde_json::Value;

use crate::bounded::{BoundedText, bounded};
use crate::builder::TurnBuilder;
use crate::json::pick;
use crate::one_shot::{Parser, Start};

/// The longest body that is read as JSON, in bytes.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// The answer as a signal: status, timing headers (names in any case), body. A body of a success is kept only where
/// it is an `error` object; of a failure it is kept as it is, within the bounds of an envelope.
#[must_use]
pub fn signal<'h>(status: u16, headers: impl IntoIterator<Item = (&'h str, &'h str)>, body: &str) -> Signal {
    let mut signal = Signal::new(Channel::Http);
    signal.http_status = (100..600).contains(&status).then_some(status);
    for (name, value) in headers {
        let name = name.trim().to_ascii_lowercase();
        if is_timing_header(&name) && value.len() <= 256 && signal.headers.len() < 64 {
            signal.headers.insert(name, value.trim().to_owned());
        }
    }
    let json: Option<Value> =
        if body.len() <= MAX_BODY_BYTES { serde_json::from_str(body.trim()).ok() } else { None };
    match json {
        Some(Value::Object(object)) if status < 400 => {
            let error = pick(&object, &["type", "error"]);
            signal.data = error.contains_key("error").then_some(Value::Object(error));
        }
        Some(value @ (Value::Object(_) | Value::Array(_))) if status >= 400 => {
            signal.data = Some(bounded(&value))
        }
        Some(_) | None if status >= 400 && !body.trim().is_empty() => {
            let mut text = BoundedText::default();
            text.push(body);
            signal.text = Some(text.into_string());
        }
        Some(_) | None => {}
    }
    signal
}

/// Which part of the answer the text is in.
#[derive(Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Start,
    Headers,
    Body,
}

/// Reads an answer as text.
#[derive(Debug, Default)]
pub(crate) struct HttpAnswer {
    part: Part,
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
    is_stream: bool,
}

impl Parser for HttpAnswer {
    const SIGHT: Sight = Sight::Partial;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        let line = line.trim_end_matches('\r');
        if let Some(status) = status_line(line)
            && self.body.is_empty()
        {
            // An interim answer (100, a redirect, a proxy's) is followed by the next one.
            *self = Self { status, part: Part::Headers, ..Self::default() };
            return;
        }
        match self.part {
            Part::Headers if line.is_empty() => self.part = Part::Body,
            Part::Headers => self.header(line),
            Part::Start | Part::Body => {
                self.part = Part::Body;
                self.body_line(line, turn);
            }
        }
    }

    fn end(&mut self, turn: &mut TurnBuilder) {
        let headers = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let body = if self.is_stream { "" } else { self.body.as_str() };
        let signal = signal(self.status, headers, body);
        let failed = self.status >= 400 || signal.data.is_some();
        let terminal = match (failed, self.is_stream) {
            (true, _) => Some(Terminal::Failed),
            (false, false) if (200..300).contains(&self.status) => Some(Terminal::Completed),
            (false, _) => None,
        };
        match terminal {
            Some(terminal) => turn.end(signal, terminal),
            None => turn.signal(signal),
        }
    }

    fn start(&self) -> Start {
        Start::Unknown
    }

    fn success(&self) -> Option<Terminal> {
        None
    }

    fn exit_answers(&self) -> bool {
        false
    }
}

impl HttpAnswer {
    fn header(&mut self, line: &str) {
        if let Some((name, value)) = line.split_once(':') {
            let name = name.trim().to_ascii_lowercase();
            if name == "content-type" && value.contains("event-stream") {
                self.is_stream = true;
            }
            if self.headers.len() < 256 && is_timing_header(&name) {
                self.headers.insert(name, value.trim().chars().take(256).collect());
            }
        }
    }

    fn body_line(&mut self, line: &str, turn: &mut TurnBuilder) {
        if !self.is_stream {
            if self.body.len() + line.len() <= MAX_BODY_BYTES {
                self.body.push_str(line);
                self.body.push('\n');
            }
            return;
        }
        let Some(Ok(Value::Object(event))) =
            line.strip_prefix("data:").map(|data| serde_json::from_str(data.trim()))
        else {
            return;
        };
        let failed = event
            .get("response")
            .and_then(Value::as_object)
            .filter(|response| response.get("error").is_some_and(Value::is_object));
        let mut data = pick(&event, &["type", "error", "code", "message"]);
        if let Some(response) = failed {
            data.insert("response".to_owned(), Value::Object(pick(response, &["status", "error"])));
        } else if !data.contains_key("error") && data.get("type").is_none_or(|kind| kind != "error") {
            turn.words_seen();
            return;
        }
        turn.signal(Signal::data(Channel::Http, Value::Object(data)));
    }
}

fn status_line(line: &str) -> Option<u16> {
    let (version, rest) = line.split_once(' ')?;
    if !version.starts_with("HTTP/") {
        return None;
    }
    rest.split(' ').next()?.parse().ok().filter(|status| (100..600).contains(status))
}

#[cfg(test)]
mod tests {
    use crate::testing::last;
    use crate::{Exit, Wire};

    fn of(script: &str) -> Vec<String> {
        last(Wire::Http, "generic", script, &Exit::unknown())
    }

    #[test]
    fn a_failure_keeps_status_headers_and_body() {
        assert_eq!(
            of(
                "< HTTP/1.1 429 Too Many Requests\n< Retry-After: 7\n< Set-Cookie: x\n<\n< {\"error\":{\"type\":\"t\"}}"
            ),
            [r#"http <failed> http=429 retry-after:7 {"error":{"type":"t"}}"#]
        );
        assert_eq!(
            of("< HTTP/2 502\n< server: x\n<\n< <html>\n< Bad Gateway"),
            ["http <failed> http=502 \"<html>\\nBad Gateway\\n\""]
        );
    }

    #[test]
    fn an_error_in_a_stream_is_a_signal_of_its_own() {
        let script = "< HTTP/1.1 200 OK\n< content-type: text/event-stream\n<\n< event: error\n< data: {\"type\":\"error\",\"error\":{\"type\":\"t\"}}\n< data: [DONE]";
        assert_eq!(of(script), [r#"http {"type":"error","error":{"type":"t"}}"#, "http http=200"]);
    }

    #[test]
    fn an_interim_answer_gives_way() {
        assert_eq!(
            of("< HTTP/1.1 100 Continue\n<\n< HTTP/1.1 503 Unavailable\n<\n"),
            ["http <failed> http=503"]
        );
    }

    #[test]
    fn an_error_inside_a_success_fails_it() {
        let script = "< HTTP/1.1 200 OK\n<\n< {\"id\":1,\"error\":{\"code\":429},\"choices\":[]}";
        assert_eq!(of(script), [r#"http <failed> http=200 {"error":{"code":429}}"#]);
    }
}
