//! What the sanitiser takes out, what it keeps, and what always holds.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::planted::{PlantedSecret, secrets};
use super::{MAX_BYTES, sanitise, sanitise_bounded, sanitise_json, sanitise_pointer};

/// Kind, text before, text after. Planted secrets cover the plain forms; here stand the edges.
const TAKEN: &[(&str, &str, &str)] = &[
    (
        "key masked by its sender",
        "Incorrect API key provided: sk-proj-****abcd.",
        "Incorrect API key provided: [api-key].",
    ),
    ("key behind a JSON escape", r"first\nsk-ant-api03-abc123\nlast", r"first\n[api-key]\nlast"),
    ("key behind a unicode escape", r"\u0022ghp_abcdefghijklmnop1234\u0022", r"\u0022[api-key]\u0022"),
    ("key behind a colour", "\u{1b}[31msk-abcdefgh12345678\u{1b}[0m", "\u{1b}[31m[api-key]\u{1b}[0m"),
    ("two keys", "gsk_abcdefghijkl12 hf_abcdefghijkl12", "[api-key] [api-key]"),
    ("bearer", "Authorization: Bearer abc.def-123", "Authorization: Bearer [token]"),
    ("authorization without a scheme", r#"{"authorization":"abcdefgh"}"#, r#"{"authorization":"[token]"}"#),
    ("basic", "authorization: basic dXNlcjpwYXNz", "authorization: basic [token]"),
    (
        "signed request",
        "Authorization: AWS4-HMAC-SHA256 Credential=A/b, Signature=c\nx",
        "Authorization: AWS4-HMAC-SHA256 [token]\nx",
    ),
    ("password in prose", "wrong password: hunter2, retry", "wrong password: [secret], retry"),
    ("password of words", "password: swordfish", "password: [secret]"),
    ("password with an escaped quote", r#"{"password":"a\"b c","x":1}"#, r#"{"password":"[secret]","x":1}"#),
    (
        "password nested in JSON",
        r#"{"m":"{\"password\":\"a b\",\"x\":1}"}"#,
        r#"{"m":"{\"password\":\"[secret]\",\"x\":1}"}"#,
    ),
    (
        "password in a connection string",
        "Server=db;Password=a#b!c;Database=x",
        "Server=db;Password=[secret];Database=x",
    ),
    (
        "password in another language",
        "Passwort: geheim7 und 密码：geheim8",
        "Passwort: [secret] und 密码：[secret]",
    ),
    (
        "password with a slash in a URL",
        "postgres://app:a/b@db.example.com/x",
        "postgres://db.example.com/[path]",
    ),
    ("unclosed quote", "api_key=\"abc\nnext", "api_key=\"[secret]\nnext"),
    ("environment", "OPENAI_API_KEY=abc MODEL=gpt-5", "OPENAI_API_KEY=[secret] MODEL=gpt-5"),
    ("YAML", "api_key: abcdefghij\nmodel: x", "api_key: [secret]\nmodel: x"),
    ("cookie in JSON", r#"{"cookie":"a=b; c=d","x":1}"#, r#"{"cookie":"[cookie]","x":1}"#),
    ("e-mail in a URL escape", "user=jane.doe%40example.com&x", "user=[email]&x"),
    ("e-mail behind a JSON escape", r"\njane@example.com", r"\n[email]"),
    ("e-mail beside CJK", "请联系jane@example.com获取", "请联系[email]获取"),
    ("request id", "(request id: 8acd16622e7fa928-YYZ)", "(request id: [id])"),
    ("request id on the next line", "cf-ray:\nb17c0d63e80fbb2e-ICN, ", "cf-ray:\n[id], "),
    ("number that stays JSON", r#"{"user_id": 1234567, "n": 1}"#, r#"{"user_id": "[id]", "n": 1}"#),
    ("envelope session", r#"{"session":"s-1"}"#, r#"{"session":"[id]"}"#),
    (
        "organisation",
        "for your organization (org-abc12345) of 30,000 tokens",
        "for your organization ([id]) of 30,000 tokens",
    ),
    ("resource", "projects/my-proj/locations/us-central1", "projects/[id]/locations/us-central1"),
    ("ARN", "arn:aws:iam::123456789012:role/x", "arn:aws:iam::[id]:role/x"),
    ("home with a blank", r"C:\Users\Jane Doe\app.rs", r"[home]\app.rs"),
    ("home in a sentence", "cannot open /home/jane.", "cannot open [home]."),
    ("encoded home", ".claude/projects/-home-jane-app/x", ".claude/projects/[home]-app/x"),
    (
        "URL in Markdown",
        "see [this](https://a.example.com/b?c=d).",
        "see [this](https://a.example.com/[path]).",
    ),
    ("URL before CJK", "请访问https://a.example.com/b，谢谢", "请访问https://a.example.com/[path]，谢谢"),
    ("URL without a path", "visit https://status.example.com.", "visit https://status.example.com."),
    ("relative query", "GET /v1/models?key=abc 404", "GET /v1/models?[query] 404"),
    ("public address", "connect ETIMEDOUT 203.0.113.9:443", "connect ETIMEDOUT [ip]:443"),
    ("public IPv6 address", "connect to 2001:db8:1:2:3:4:5:6 failed", "connect to [ip] failed"),
    (
        "cut private key",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nrate limit",
        "[private-key]\nrate limit",
    ),
    (
        "key that a terminal wrapped",
        "the provider of this model answered that it does not know sk-ant-api03-abcdEFGH\nijkl5678MNOP and stops",
        "the provider of this model answered that it does not know [api-key] and stops",
    ),
];

/// Lines that real agents and providers print: not a character may change.
const KEPT: &[&str] = &[
    "API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}} · Retrying in 35 seconds… (attempt 8/10)",
    "Selected model is at capacity. Please try a different model.",
    "{\"quotaId\": \"GenerateRequestsPerDayPerProjectPerModel-FreeTier\", \"quotaValue\": \"20\"}",
    "quotaMetric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count",
    "type.googleapis.com/google.rpc.RetryInfo retryDelay: 34.074824224s",
    "Rate limit reached for gpt-5.2-codex on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 6.5s.",
    "prompt is too long: 219898 tokens > 200000 maximum",
    "model 'claude-haiku-4-5-20251001' not found; us.anthropic.claude-3-7-sonnet-20250219-v1:0",
    "qwen3-coder-480b-a35b-instruct, accounts/fireworks/models/llama-v3p1-405b-instruct, DeepSeek-R1-Distill-Qwen-32B",
    "Invalid API key · Please run /login",
    "{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"API key not valid. Please pass a valid API key.\"}}",
    "Unexpected token: } in JSON at position 42; invalid token: expected string",
    "max_tokens=4096 input tokens: 12345 token_count: 7",
    "Error: password: required. Bearer token is invalid. Basic authentication failed.",
    "WWW-Authenticate: Bearer realm=\"api\", error=\"invalid_token\"",
    "set ANTHROPIC_API_KEY=$KEY or api_key: null or \"apiKey\": \"<your key>\"",
    "Missing environment variable: GEMINI_API_KEY",
    "git@github.com: Permission denied (publickey).",
    "npm error code ENOENT @anthropic-ai/claude-code@2.1.0 undici@6.1.0",
    "connect ECONNREFUSED 127.0.0.1:11434, ::1 and 10.0.0.5, version 1.2.3.4",
    "at codex_api::endpoint::responses_websocket src/client.rs:120:5 FatalAuthenticationError",
    "2026-05-08T06:22:10.745Z ERROR retry-after: 120 x-ratelimit-reset-requests: 1m30s status=429",
    "resets 3am (Asia/Dubai), try again at Jul 5th, 2026 8:19 PM, in 4hr 19min",
    "at processTicksAndRejections (node:internal/process/task_queues:105:5)",
    "/usr/lib/node_modules/@google/gemini-cli/bundle/chunk-4PMGV7J2.js:10:3",
    "catalogue sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit 783aee2 on x86_64-unknown-linux-gnu, exit code 137, signal SIGKILL, -32603",
    "user_global_rate_limited session_info_update org-level-limit request_path=/v1/responses",
    "{\"sessionUpdate\":\"agent_message_chunk\",\"rateLimitType\":\"seven_day\",\"resetsAt\":1790920800}",
    "You've hit your session limit · resets 2pm. Your account is suspended. Contact your organization admin.",
    "余额不足，请充值后重试（错误码 1113）。您的账户已达到速率限制",
    "HTTP 503 Service Unavailable from http://localhost:11434",
];

#[test]
fn a_pointers_steps_are_keys() {
    let table = [
        ("/error/message", "/error/message"),
        ("/~0jane~1.ssh/a~0b", "/[home]~1.ssh/a~0b"),
        ("/sk-ant-api03-abc123/0#/text", "/[api-key]/0#/text"),
    ];
    for (pointer, expected) in table {
        assert_eq!(sanitise_pointer(pointer, 240), expected);
    }
}

/// Where a secret may stand.
fn places(secret: &str) -> Vec<String> {
    let quoted = json!({ "message": format!("failed: {secret}"), "code": 7 }).to_string();
    let nested = json!({ "error": quoted }).to_string();
    vec![
        secret.to_owned(),
        format!("{secret} was refused"),
        format!("refused: {secret}"),
        format!("the value ({secret}) was refused."),
        format!("the value \"{secret}\", then"),
        format!("one line\n{secret}\nanother line"),
        format!("one line\r\n{secret}\r\nanother line"),
        format!(r"one line\n{secret}\nanother line"),
        format!("\t- `{secret}`: refused; <{secret}>"),
        format!("错误：{secret}，请重试"),
        quoted,
        nested,
    ]
}

fn assert_gone(secret: &PlantedSecret, place: &str) {
    let out = sanitise(place);
    assert!(
        !out.contains(&secret.needle),
        "{}: {} stays in {out} (from {place})",
        secret.kind,
        secret.needle
    );
    assert!(!out.contains("[withheld]"), "{}: did not settle: {place}", secret.kind);
}

#[test]
fn what_must_go_goes() {
    for (kind, before, after) in TAKEN {
        assert_eq!(sanitise(before), *after, "{kind}");
    }
}

#[test]
fn what_a_person_needs_stays() {
    for line in KEPT {
        assert_eq!(sanitise(line), *line);
    }
}

#[test]
fn planted_secrets_never_survive() {
    for secret in (0..8).flat_map(secrets) {
        for place in places(&secret.text) {
            assert_gone(&secret, &place);
        }
    }
}

#[test]
fn every_planted_needle_stands_in_its_text_and_the_seed_decides() {
    for secret in secrets(3) {
        assert!(secret.text.contains(&secret.needle) && secret.needle.len() >= 9, "{}", secret.kind);
    }
    assert_eq!(secrets(3), secrets(3));
    assert_ne!(secrets(3), secrets(4));
}

#[test]
fn a_secret_at_the_cut_of_a_long_text_is_no_half_secret() {
    for secret in secrets(5).iter().filter(|secret| secret.needle.len() >= 24) {
        for lead in (MAX_BYTES / 2 - 100..MAX_BYTES / 2 + 60).step_by(7) {
            let place = format!("{} {} {}", "word ".repeat(lead / 5), secret.text, "tail ".repeat(2000));
            let out = sanitise(&place);
            let part = secret.needle.get(..12).unwrap();
            assert!(!out.contains(part), "{}: {part} stays", secret.kind);
            assert!(out.len() <= MAX_BYTES);
        }
    }
}

#[test]
fn head_and_tail_of_a_long_text_stay() {
    let long = format!("first words {} last words", "middle ".repeat(5000));
    let out = sanitise(&long);
    assert!(out.len() <= MAX_BYTES && out.len() > MAX_BYTES - 200);
    assert!(out.starts_with("first words") && out.ends_with("last words") && out.contains(" [cut] "));
}

#[test]
fn json_keys_decide_about_their_values() {
    let before = json!({
        "password": "two words", "pin": 1, "api_key": ["abc", "def"], "Authorization": "Bearer abcdef",
        "session_id": "abc", "user_id": 1_234_567, "cookie": "a=b", "token": null, "max_tokens": 4096,
        "nested": [{ "clientSecret": "abc", "message": "mail jane@example.com" }],
        "jane@example.com": true, "john@example.com": false, "code": "invalid_api_key",
    });
    let after = json!({
        "password": "[secret]", "pin": 1, "api_key": ["[secret]", "[secret]"], "Authorization": "[token]",
        "session_id": "[id]", "user_id": "[id]", "cookie": "[cookie]", "token": null, "max_tokens": 4096,
        "nested": [{ "clientSecret": "[secret]", "message": "mail [email]" }],
        "[email]": true, "[email] (2)": false, "code": "invalid_api_key",
    });
    assert_eq!(sanitise_json(&before), after);
    assert_eq!(sanitise_json(&after), after);
}

#[test]
fn json_of_any_depth_is_bounded() {
    let deep = (0..400).fold(json!("jane@example.com"), |inner, _| json!([inner]));
    assert!(!sanitise_json(&deep).to_string().contains("jane"));
}

#[test]
fn json_text_stays_json() {
    for secret in secrets(11) {
        let text = json!({ "message": secret.text, "user_id": 1_234_567, "n": [1, 2] }).to_string();
        let out = sanitise(&text);
        assert!(serde_json::from_str::<Value>(&out).is_ok(), "{}: {out}", secret.kind);
    }
}

#[test]
fn hostile_repetition_is_linear() {
    let pieces = [
        "sk-",
        "a@",
        "password=",
        "-----BEGIN PRIVATE KEY-----\n",
        "https://",
        "eyJ",
        "a1",
        "req_1",
        "\\",
        "{\"token\":\"",
        "~a",
        "1:",
    ];
    for piece in pieces {
        let text = piece.repeat(200_000 / piece.len());
        let started = std::time::Instant::now();
        assert!(sanitise(&text).len() <= MAX_BYTES);
        assert!(started.elapsed().as_secs() < 20, "{piece} takes {:?}", started.elapsed());
    }
}

fn prose() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        "[ -~]{0,24}",
        "\\PC{0,12}",
        prop::sample::select(vec![
            " [secret]",
            "password=",
            "\"token\": \"",
            "https://",
            "\\\"",
            "[api-key]",
            "\n",
            "/home/",
            "request id: ",
            "sk-",
            "@",
            "Bearer ",
            "-----BEGIN PRIVATE KEY-----",
            "eyJ",
            " [cut] ",
            "cookie: a=",
            "?x=",
            "~a/",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(fragment, 0..12).prop_map(|fragments| fragments.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_idempotent_and_bounded(text in prose(), bound in 0_usize..200) {
        let once = sanitise(&text);
        prop_assert_eq!(sanitise(&once), once.clone());
        let short = sanitise_bounded(&text, bound);
        prop_assert!(short.len() <= bound);
        prop_assert_eq!(sanitise_bounded(&short, bound), short);
    }

    #[test]
    fn json_is_idempotent(key in prose(), text in prose()) {
        let once = sanitise_json(&json!({ key: [text, 7, null] }));
        prop_assert_eq!(sanitise_json(&once), once);
    }

    #[test]
    fn planted_secrets_never_survive_among_any_words(
        seed in any::<u64>(), pick in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(),
        before in "[a-zA-Z ,.:()\n]{0,40}[ \n]", after in "[ \n][a-zA-Z ,.:()\n]{0,40}",
    ) {
        let all = secrets(seed);
        let secret = pick.get(&all);
        let inner = places(&secret.text);
        assert_gone(secret, &format!("{before}{}{after}", place.get(&inner)));
    }
}
