//! Scoring: the figures of a small corpus, counted by hand.

use faultbook_checks::score::{Confusion, Figures, Record, ScoreError, WrongAnswer, score};
use serde_json::{Value, json};

mod sample;

use sample::Sample;

#[expect(clippy::unwrap_used, reason = "a panic is how a test fails")]
fn figures(records: &[Value]) -> Figures {
    let sample = Sample::new();
    let catalogue = sample.catalogue();
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    score(lines.as_bytes(), &catalogue).unwrap()
}

#[test]
fn figures_are_what_the_labels_cost() {
    let quota = r#"{"error":{"code":"quota_gone","resets_at":1796047200}}"#;
    let found = figures(&[
        // Right: by label, by an accepted one, by silence where nothing better can be said.
        json!({"id": "1", "channel": "stderr", "text": "sample provider is busy", "code": "provider_overloaded"}),
        json!({"id": "2", "channel": "stderr", "text": "sample provider is busy", "code": "none", "also_ok": ["provider_overloaded"]}),
        json!({"id": "3", "channel": "stderr", "text": "hm", "code": "unknown_provider_error"}),
        json!({"id": "4", "channel": "json_event", "text": quota, "code": "quota_limited", "reset_at": "2026-11-30T14:00:30Z"}),
        // Wrong: retried though it must not be, missed, another code of the same class.
        json!({"id": "5", "channel": "stderr", "text": "sample provider is busy", "code": "auth_required"}),
        json!({"id": "6", "channel": "model_text", "text": "sample provider is busy", "code": "provider_overloaded", "retry_after_s": 5}),
        json!({"id": "7", "channel": "http_body", "text": "", "http_status": 429, "code": "network_unavailable"}),
        // A failure where there is none; a success where there is a failure.
        json!({"id": "8", "channel": "stderr", "text": "sample provider is busy", "code": "none"}),
        json!({"id": "9", "signals": [{"channel": "exit", "terminal": "completed"}], "text": "", "channel": "exit", "code": "task_error"}),
    ]);
    assert_eq!(found.records, 9);
    let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
    assert!(close(found.exact, 4.0 / 9.0), "{}", found.exact);
    assert!(close(found.class, 5.0 / 9.0), "{}", found.class);
    // Must not be retried: 3, 4, 5, 8, 9; retried: 5 and 8. Transient: 1, 6, 7 (2 may be either); missed: 6, 7.
    assert_eq!(found.false_retries, 2);
    assert!(close(found.false_retry, 2.0 / 5.0) && close(found.missed_retry, 2.0 / 3.0));
    assert_eq!((found.false_failure, found.false_success), (1, 1));
    assert_eq!((found.hint_records, found.reset_records, found.false_hints), (1, 1, 0));
    assert!(close(found.hints, 0.0) && close(found.resets, 1.0));
    assert_eq!(found.per_code["provider_overloaded"].all, 2);
    assert_eq!(found.confusion.iter().map(|one| one.count).sum::<usize>(), 5);
    assert!(found.confusion.contains(&Confusion {
        label: "auth_required".to_owned(),
        answer: "provider_overloaded".to_owned(),
        count: 1
    }));
    let wrong: Vec<&str> = found.wrong.iter().map(|one: &WrongAnswer| one.id.as_str()).collect();
    assert_eq!(wrong, ["5", "6", "7", "8", "9"]);
    assert_eq!(found.wrong[0].rule.as_deref(), Some("sample.busy"));
}

#[test]
fn a_record_becomes_what_a_host_would_have_seen() {
    let table = [
        (
            json!({"channel": "json_event", "text": "{\"a\":1}"}),
            json!({"channel": "event", "data": {"a": 1}}),
        ),
        (json!({"channel": "json_event", "text": "{\"a\":"}), json!({"channel": "event", "text": "{\"a\":"})),
        (json!({"channel": "acp_error", "text": "3"}), json!({"channel": "acp_error", "text": "3"})),
        (
            json!({"channel": "http_body", "text": "{\"a\":1}", "http_status": 429}),
            json!({"channel": "http", "text": "{\"a\":1}", "http_status": 429}),
        ),
        (
            json!({"channel": "sdk_exception", "text": "x", "exit_code": 0}),
            json!({"channel": "stderr", "text": "x", "exit_code": 0}),
        ),
        (json!({"channel": "tool_output", "text": "x"}), json!({"channel": "tool", "text": "x"})),
        (json!({"channel": "model_text", "text": "x"}), json!({"channel": "assistant", "text": "x"})),
    ];
    for (mut record, signal) in table {
        record["code"] = json!("none");
        let read = Record::of(record.clone(), 7).unwrap();
        let want = json!({
            "schema": "faultbook.evidence/1", "id": "7", "foreground": true,
            "occurred_at": "2026-11-30T12:00:00Z", "signals": [signal]
        });
        assert_eq!(read.envelope, faultbook_evidence::Envelope::from_value(want).unwrap(), "{record}");
    }
}

#[test]
fn a_line_that_is_no_record_is_named() {
    let sample = Sample::new();
    let catalogue = sample.catalogue();
    for text in
        ["\n{", "\n[]", "\n{\"text\":\"x\"}", "\n{\"text\":\"x\",\"code\":\"none\",\"reset_at\":\"soon\"}"]
    {
        assert!(matches!(score(text.as_bytes(), &catalogue), Err(ScoreError::Record(2, _))), "{text}");
    }
    let long = "x".repeat(2 * 1024 * 1024);
    assert!(matches!(score(long.as_bytes(), &catalogue), Err(ScoreError::LineTooLong(1))));
}
