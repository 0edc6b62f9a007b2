//! Both tables of the policy, row by row through the binary: classifications in, decisions out.
//!
//! A row is written as `kind` or `kind@seconds`: what is to be done, and after how long.

use serde_json::{Value, json};

use crate::world::World;

const SHORT_LIVED: [&str; 4] =
    ["network_unavailable", "provider_unavailable", "provider_overloaded", "model_capacity"];
const USER_ACTION: [(&str, &str); 6] = [
    ("auth_required", "log_in"),
    ("missing_credentials", "set_credentials"),
    ("subscription_required", "fix_billing"),
    ("access_denied", "request_access"),
    ("model_unavailable", "choose_model"),
    ("provider_not_configured", "fix_configuration"),
];
const OUTSIDE: [(&str, Option<&str>, &str); 9] = [
    ("context_overflow", Some("shorten_context"), "session"),
    ("content_blocked", Some("change_request"), "user"),
    ("request_invalid", Some("change_request"), "user"),
    ("resume_corrupted", Some("start_fresh_session"), "session"),
    ("permission_denied_by_user", None, "user"),
    ("cancelled", None, "user"),
    ("task_error", Some("fix_task"), "task"),
    ("repo_error", Some("resolve_repository"), "repository"),
    ("local_runtime_error", Some("repair_runtime"), "machine"),
];
const CAUSELESS: [&str; 2] = ["agent_runtime_error", "unknown_provider_error"];

/// What holds for every row: the evidence is current, delivered, without effects.
const SAFE: &str = "--now 2026-11-30T12:00:00Z --assume-current --delivery acknowledged --phase prompt_send \
                    --assistant-output false --tool-activity false";
const ROUTE: &str =
    "--candidate first --provider acme --model warp --profile desk --credential-binding key-1";

const SKIPPING: &str = "version: 1
prestart_unknown: skip
transient:
  retry: { enabled: true, max_retries: 2, initial_interval_seconds: 7 }
  wait_for_reset: { enabled: false, max_wait_seconds: 0 }
  on_exhausted: stop
hard:
  retry: { enabled: false, max_retries: 0, initial_interval_seconds: 0 }
  wait_for_reset: { enabled: true, max_wait_seconds: 7200 }
  on_exhausted: stop
";

fn answer(code: &str, hints: &Value) -> Value {
    json!({
        "schema": "faultbook.classification/1", "state": "classified", "code": code, "confidence": "high",
        "hints": hints, "catalogue": "sha256:0",
    })
}

fn plain(code: &str) -> Value {
    answer(code, &json!({}))
}

fn wait(code: &str, seconds: u32) -> Value {
    answer(code, &json!({ "retry_after_s": seconds }))
}

/// The decisions for some answers under one set of options.
fn decide(options: &str, answers: &[Value]) -> Vec<Value> {
    let world = World::new();
    world.write("skipping.yaml", SKIPPING.as_bytes());
    let lines: Vec<String> = answers.iter().map(ToString::to_string).collect();
    let mut arguments = vec!["--format", "jsonl"];
    arguments.extend(options.split_whitespace());
    let run = world.acme("decide", &arguments, &lines.join("\n"));
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{options}");
    let decisions = run.values();
    assert_eq!(decisions.len(), answers.len(), "{options}");
    decisions
}

fn short(decision: &Value) -> String {
    let action = &decision["action"];
    let wait = if action["wait"].is_null() { &action["wake"] } else { &action["wait"] };
    let kind = action["kind"].as_str().unwrap();
    wait["delay_ms"].as_u64().map_or(kind.to_owned(), |ms| format!("{kind}@{}", ms / 1000))
}

fn expect(options: &str, rows: &[(Value, &str)]) -> Vec<Value> {
    let answers: Vec<Value> = rows.iter().map(|(answer, _)| answer.clone()).collect();
    let decisions = decide(options, &answers);
    for ((answer, want), decision) in rows.iter().zip(&decisions) {
        assert_eq!(short(decision), *want, "{options}\n{answer}\n{decision}");
    }
    decisions
}

fn interactive(more: &str) -> String {
    format!("--context interactive {SAFE} {ROUTE} {more}")
}

fn unattended(policy: &str, more: &str) -> String {
    format!("--context unattended --policy {policy} {SAFE} {ROUTE} {more}")
}

#[test]
fn interactive_retries_follow_the_list_and_end_after_five() {
    let retried: Vec<&str> = SHORT_LIVED.into_iter().chain(["agent_transport_lost"]).collect();
    for (attempt, want) in
        [(1, "retry@5"), (2, "retry@10"), (3, "retry@20"), (4, "retry@40"), (5, "retry@60"), (6, "manual")]
    {
        let mut rows: Vec<(Value, &str)> = retried.iter().map(|code| (plain(code), want)).collect();
        rows.push((answer("rate_limited", &json!({ "window": "short" })), want));
        expect(&interactive(&format!("--attempt {attempt}")), &rows);
    }
    let rows: Vec<(Value, &str)> = retried
        .iter()
        .flat_map(|code| {
            [(wait(code, 30), "retry@30"), (wait(code, 60), "retry@60"), (wait(code, 61), "manual")]
        })
        .collect();
    for decision in expect(&interactive("--attempt 1"), &rows) {
        let seconds = decision["hint"]["remaining_ms"].as_u64().unwrap() / 1000;
        let grounds = if seconds > 60 { "hint_over_a_minute" } else { "budget_left" };
        assert_eq!(decision["grounds"], grounds, "{decision}");
    }
    expect(&interactive(""), &[(plain("model_capacity"), "manual")]);
}

#[test]
fn interactive_throttles_are_retried_only_when_confirmed_short() {
    let rows = [
        (wait("rate_limited", 30), "retry@30"),
        (answer("rate_limited", &json!({ "window": "short" })), "retry@5"),
        (plain("rate_limited"), "manual"),
        (answer("rate_limited", &json!({ "window": "long" })), "manual"),
        (wait("rate_limited", 61), "manual"),
        (answer("quota_limited", &json!({ "reset_at": "2026-11-30T14:00:00Z" })), "manual"),
        (wait("quota_limited", 20), "manual"),
        (plain("quota_limited"), "manual"),
    ];
    let decisions = expect(&interactive("--attempt 1"), &rows);
    assert_eq!(decisions[5]["hint"]["at"], "2026-11-30T14:00:00Z", "the reset is shown");
    assert_eq!(decisions[5]["deadline"], Value::Null, "and nothing is done by it");
}

#[test]
fn interactive_failures_of_others_have_their_remedy_and_owner() {
    for (code, remedy) in USER_ACTION {
        let mut unsure = plain(code);
        unsure["confidence"] = json!("medium");
        for decision in expect(&interactive(""), &[(plain(code), "user_action"), (unsure, "user_action")]) {
            assert_eq!(decision["remedy"], remedy, "{code}");
        }
    }
    for (code, remedy, owner) in OUTSIDE {
        let decision = &expect(&interactive("--attempt 1"), &[(plain(code), "decline")])[0];
        assert_eq!((&decision["remedy"], &decision["owner"]), (&json!(remedy), &json!(owner)), "{code}");
    }
    let stateless = |state: &str| json!({ "schema": "faultbook.classification/1", "state": state });
    let rows: Vec<(Value, &str)> = CAUSELESS
        .iter()
        .map(|code| plain(code))
        .chain(["unclassified", "no_failure"].map(stateless))
        .map(|answer| (answer, "manual"))
        .collect();
    expect(&interactive("--attempt 1"), &rows);
}

#[test]
fn unattended_short_lived_failures_retry_then_move_on_then_park() {
    let answers = || SHORT_LIVED.iter().map(|code| plain(code)).chain([short_throttle()]);
    for (attempt, want) in [(1, "retry@5"), (2, "retry@10"), (3, "retry@20"), (4, "next_candidate")] {
        let rows: Vec<(Value, &str)> = answers().map(|answer| (answer, want)).collect();
        let options = unattended("standard", &format!("--attempt {attempt} --remaining second=other"));
        for decision in expect(&options, &rows) {
            assert_eq!(decision["evaluated_under"], "transient");
            assert_eq!(decision["degraded"].is_null(), attempt < 4, "{decision}");
        }
    }
    for (step, want) in [
        (0, "park@120"),
        (1, "park@300"),
        (2, "park@600"),
        (3, "park@1200"),
        (4, "park@3600"),
        (9, "park@3600"),
    ] {
        let rows: Vec<(Value, &str)> = answers().map(|answer| (answer, want)).collect();
        for decision in expect(&unattended("standard", &format!("--attempt 4 --health-step {step}")), &rows) {
            assert_eq!(decision["action"]["status"], "waiting_for_provider_capacity");
            assert_eq!(decision["excludes"], "first");
        }
    }
}

fn short_throttle() -> Value {
    answer("rate_limited", &json!({ "window": "short" }))
}

#[test]
fn what_is_degraded_follows_the_code() {
    let kinds = [
        ("network_unavailable", "provider_from_host"),
        ("provider_unavailable", "provider"),
        ("provider_overloaded", "provider"),
        ("model_capacity", "provider_model"),
        ("model_unavailable", "provider_model"),
        ("rate_limited", "provider_credential"),
        ("quota_limited", "provider_credential"),
        ("subscription_required", "provider_credential"),
        ("auth_required", "provider_credential"),
        ("missing_credentials", "provider_credential"),
        ("access_denied", "provider_credential"),
        ("provider_not_configured", "profile"),
    ];
    let answers: Vec<Value> = kinds.iter().map(|(code, _)| plain(code)).collect();
    let decisions = decide(&unattended("standard", "--attempt 4"), &answers);
    for ((code, kind), decision) in kinds.iter().zip(&decisions) {
        assert_eq!(decision["degraded"]["resource"]["kind"], *kind, "{code}: {decision}");
    }
    let shared = "--attempt 4 --remaining second=acme/other,third=other";
    for decision in decide(&unattended("standard", shared), &[plain("provider_overloaded")]) {
        assert_eq!(decision["action"]["candidate"], "third", "the second shares what is degraded");
    }
    let excluded = "--attempt 4 --remaining second=other,third=other --excluded second";
    for decision in decide(&unattended("standard", excluded), &[plain("provider_overloaded")]) {
        assert_eq!(decision["action"]["candidate"], "third");
    }
}

#[test]
fn unattended_longer_waits_are_hard() {
    let mut rows: Vec<(Value, &str)> = SHORT_LIVED.iter().map(|code| (wait(code, 61), "park@61")).collect();
    rows.extend([
        (wait("rate_limited", 90), "park@90"),
        (plain("rate_limited"), "park@120"),
        (answer("quota_limited", &json!({ "reset_at": "2026-11-30T14:00:00Z" })), "park@7200"),
        (plain("quota_limited"), "park@120"),
    ]);
    for decision in expect(&unattended("standard", "--attempt 1"), &rows) {
        assert_eq!(decision["evaluated_under"], "hard", "{decision}");
        assert_eq!(decision["action"]["status"], "waiting_for_provider_capacity");
    }
    let moved: Vec<(Value, &str)> =
        rows.iter().map(|(answer, _)| (answer.clone(), "next_candidate")).collect();
    expect(&unattended("standard", "--attempt 1 --remaining second=other"), &moved);
}

#[test]
fn a_reset_is_waited_for_once_and_within_its_bound() {
    let rows = [
        (wait("quota_limited", 7200), "wait_for_reset@7200"),
        (wait("quota_limited", 7201), "stop"),
        (wait("quota_limited", 60), "stop"),
        (plain("quota_limited"), "stop"),
        (wait("model_capacity", 61), "wait_for_reset@61"),
        (wait("rate_limited", 61), "wait_for_reset@61"),
    ];
    expect(&unattended("skipping.yaml", "--attempt 1"), &rows);
    expect(
        &unattended("skipping.yaml", "--attempt 1 --reset-wait-used"),
        &[(wait("quota_limited", 7200), "stop")],
    );
    let late = "--attempt 1 --observed-at 2026-11-30T11:00:00Z";
    expect(&unattended("skipping.yaml", late), &[(wait("quota_limited", 7200), "wait_for_reset@3600")]);
    for (attempt, want) in [(1, "retry@7"), (2, "retry@14"), (3, "stop")] {
        let options = unattended("skipping.yaml", &format!("--attempt {attempt}"));
        expect(&options, &[(plain("provider_overloaded"), want)]);
    }
}

#[test]
fn unattended_user_action_never_waits_nor_retries() {
    for (code, remedy) in USER_ACTION {
        let rows = [(plain(code), "park"), (wait(code, 30), "park"), (wait(code, 7200), "park")];
        for decision in expect(&unattended("standard", "--attempt 1"), &rows) {
            let action = &decision["action"];
            assert_eq!(action["status"], "blocked_provider_action_required", "{decision}");
            assert_eq!(action["action_required"], json!([{ "candidate": "first", "remedy": remedy }]));
            assert_eq!(
                (&decision["deadline"], &decision["degraded"]["until"]),
                (&Value::Null, &json!("action_required"))
            );
        }
        expect(
            &unattended("standard", "--attempt 1 --remaining second=other"),
            &[(plain(code), "next_candidate")],
        );
        expect(&unattended("skipping.yaml", "--attempt 1"), &[(wait(code, 90), "stop")]);
        let mixed = "--attempt 1 --waiting second=2026-11-30T12:10:00Z --action-required third=log_in";
        let decision = &expect(&unattended("standard", mixed), &[(plain(code), "park@600")])[0];
        assert_eq!(decision["action"]["status"], "waiting_for_provider_capacity");
        assert_eq!(decision["action"]["action_required"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn unattended_transport_loss_depends_on_the_start() {
    let lost = || plain("agent_transport_lost");
    for phase in ["launch", "session_init"] {
        for (attempt, want) in [(1, "retry@5"), (2, "retry@10"), (3, "retry@20"), (4, "give_up_candidate")] {
            let more = format!("--attempt {attempt} --remaining second=other");
            let options = unattended("standard", &more).replace("prompt_send", phase);
            let decision = &expect(&options, &[(lost(), want)])[0];
            assert_eq!(decision["degraded"], Value::Null);
        }
    }
    for phase in ["prompt_send", "streaming", "tool_execution", "shutdown"] {
        for policy in ["standard", "immediate", "skipping.yaml"] {
            let options =
                unattended(policy, "--attempt 1 --remaining second=other").replace("prompt_send", phase);
            expect(&options, &[(lost(), "decline")]);
        }
    }
}

#[test]
fn unattended_declines_what_is_no_provider_failure() {
    for policy in ["standard", "immediate", "skipping.yaml"] {
        for phase in ["prompt_send", "launch"] {
            let options =
                unattended(policy, "--attempt 1 --remaining second=other").replace("prompt_send", phase);
            let rows: Vec<(Value, &str)> =
                OUTSIDE.iter().map(|(code, ..)| (plain(code), "decline")).collect();
            expect(&options, &rows);
        }
    }
}

#[test]
fn unattended_unknown_causes_stop_or_skip_before_the_start_only() {
    let mut unsure = plain("provider_overloaded");
    unsure["confidence"] = json!("medium");
    let conflict =
        json!({ "schema": "faultbook.classification/1", "state": "unclassified", "reason": "conflict" });
    let unknown: Vec<Value> = CAUSELESS.iter().map(|code| plain(code)).chain([conflict]).collect();
    let rows =
        |answers: &[Value], want| answers.iter().map(|answer| (answer.clone(), want)).collect::<Vec<_>>();
    let before =
        |policy| unattended(policy, "--attempt 1 --remaining second=other").replace("prompt_send", "launch");
    let after = |policy| unattended(policy, "--attempt 1 --remaining second=other");
    let with_unsure = [unknown.clone(), vec![unsure.clone()]].concat();
    expect(&before("standard"), &rows(&with_unsure, "stop"));
    expect(&before("skipping.yaml"), &rows(&with_unsure, "next_candidate"));
    expect(&after("standard"), &rows(&unknown, "decline"));
    expect(&after("skipping.yaml"), &rows(&unknown, "decline"));
    expect(&after("skipping.yaml"), &rows(&[unsure], "stop"));
}

#[test]
fn immediate_moves_on_at_once_and_no_policy_does_nothing() {
    let answers = SHORT_LIVED.into_iter().chain(["rate_limited", "quota_limited"]);
    let rows: Vec<(Value, &str)> = answers.map(|code| (plain(code), "next_candidate")).collect();
    expect(&unattended("immediate", "--attempt 1 --remaining second=other"), &rows);
    let bare = format!("--context unattended {SAFE} {ROUTE} --attempt 1 --remaining second=other");
    let decision = &expect(&bare, &[(plain("model_capacity"), "stop")])[0];
    assert_eq!(decision["grounds"], "policy_missing");
}

#[test]
fn jitter_is_at_most_a_fifth_and_never_before_the_hint() {
    for (jitter, want) in [("0", "retry@20"), ("0.5", "retry@22"), ("1", "retry@24")] {
        let options = interactive(&format!("--attempt 3 --jitter {jitter}"));
        expect(&options, &[(plain("provider_overloaded"), want)]);
    }
    expect(&interactive("--attempt 3 --jitter 1"), &[(wait("provider_overloaded", 30), "retry@34")]);
}

/// Every fact that the gate reads, said by an option of its own.
const FACTS: [(&str, &str); 11] = [
    ("--foreground", "true"),
    ("--session", "s"),
    ("--current-session", "s"),
    ("--execution", "e"),
    ("--current-execution", "e"),
    ("--generation", "7"),
    ("--current-generation", "7"),
    ("--delivery", "acknowledged"),
    ("--phase", "prompt_send"),
    ("--assistant-output", "false"),
    ("--tool-activity", "false"),
];

fn with_facts(changed: &str, value: Option<&str>) -> String {
    let mut options =
        "--context unattended --policy standard --attempt 1 --now 2026-11-30T12:00:00Z".to_owned();
    for (name, usual) in FACTS {
        let value = if name == changed { value } else { Some(usual) };
        if let Some(value) = value {
            options.push_str(&format!(" {name} {value}"));
        }
    }
    options
}

#[test]
fn the_gate_names_the_first_fact_that_fails() {
    let refusal =
        |options: &str| decide(options, &[plain("provider_overloaded")])[0]["gate"]["refusal"].clone();
    assert_eq!(refusal(&with_facts("", None)), Value::Null, "all facts together open the gate");
    for (name, value, want) in [
        ("--foreground", "false", "not_foreground"),
        ("--current-session", "other", "other_session"),
        ("--session", "other", "other_session"),
        ("--current-generation", "8", "stale_generation"),
        ("--generation", "6", "stale_generation"),
        ("--current-execution", "other", "other_execution"),
        ("--execution", "other", "other_execution"),
        ("--delivery", "unknown", "ambiguous_delivery"),
        ("--assistant-output", "true", "effects_happened"),
        ("--tool-activity", "true", "effects_happened"),
    ] {
        assert_eq!(refusal(&with_facts(name, Some(value))), want, "{name} {value}");
        assert_eq!(refusal(&with_facts(name, None)), want, "{name} unknown is no safer");
    }
    let restarted = with_facts("--current-execution", Some("other")) + " --restarted";
    assert_eq!(refusal(&restarted), Value::Null);
    let mut unsure = plain("provider_overloaded");
    unsure["confidence"] = json!("medium");
    assert_eq!(decide(&with_facts("", None), &[unsure])[0]["gate"]["refusal"], "low_confidence");
}

#[test]
fn effects_choose_the_dispatch() {
    let happened = with_facts("--tool-activity", Some("true"));
    for (more, want) in [
        (" --resume-guarantee true", json!("resume_session")),
        (" --continuation-package", json!("fresh_session_with_continuation")),
        (" --resume-guarantee false", Value::Null),
    ] {
        let decision = &decide(&(happened.clone() + more), &[plain("provider_overloaded")])[0];
        assert_eq!(decision["action"]["dispatch"], want, "{more}");
    }
    let decision = &decide(&with_facts("", None), &[plain("provider_overloaded")])[0];
    assert_eq!(decision["action"]["dispatch"], "original_prompt");
}

#[test]
fn classifications_and_evidence_may_be_mixed() {
    let world = World::new();
    let classified =
        world.acme("classify", &["--channel", "stderr", "--format", "jsonl"], "the core is out of plasma\n");
    let evidence = json!({ "schema": "faultbook.evidence/1", "signals": [{ "channel": "stderr", "text": "the core is out of plasma" }] });
    let broken = r#"{"schema":"faultbook.classification/1","state":"classified","code":"no_such_code"}"#;
    let input = format!("{}{evidence}\n{broken}\n", classified.stdout);
    let run = world.acme("decide", &["--format", "jsonl", "--input", "evidence"], &input);
    assert_eq!(run.status, 2, "the broken line is said: {run:?}");
    let codes: Vec<Value> = run.values().iter().map(|decision| decision["code"].clone()).collect();
    assert_eq!(codes, ["model_capacity", "model_capacity"]);
    assert!(run.stderr.contains("stdin:3: no classification"), "{run:?}");
}
