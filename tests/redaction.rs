//! No command prints or writes a secret that its input holds, in any format.

use faultbook_evidence::sanitise::planted::{PlantedSecret, secrets};
use serde_json::{Value, json};

use crate::world::{Run, World};

fn planted() -> Vec<PlantedSecret> {
    secrets(11)
}

/// The kinds of secrets of which a considerable piece stands in an output.
fn shown<'p>(planted: &'p [PlantedSecret], output: &str) -> Vec<&'p str> {
    let output = output.to_lowercase();
    let shows = |secret: &&PlantedSecret| {
        let needle = secret.needle.to_lowercase();
        let length = needle.len().min(12);
        needle.as_bytes().chunks_exact(length).any(|piece| output.contains(&*String::from_utf8_lossy(piece)))
    };
    planted.iter().filter(shows).map(|secret| secret.kind).collect()
}

fn both(run: &Run) -> String {
    format!("{}\n{}", run.stdout, run.stderr)
}

/// Evidence of a known failure with the secret in every field that anybody may fill.
fn envelope(secret: &str) -> Value {
    json!({
        "schema": "faultbook.evidence/1", "id": secret, "agent": secret, "provider": secret, "model": secret,
        "session": secret, "execution": secret, "time_zone": secret, secret: 1,
        "signals": [
            { "channel": "stderr", "text": format!("{secret} the core is out of plasma\n{secret}"), secret: 1 },
            { "channel": "http", "headers": { "retry-after": secret },
              "data": { secret: { "message": format!("the core is out of plasma {secret}") } } },
            { "channel": "stderr", "text": format!("the condenser {secret} is clogged") },
        ],
    })
}

#[test]
fn answers_explanations_and_decisions() {
    let (world, planted) = (World::new(), planted());
    let input: String = planted.iter().map(|secret| format!("{}\n", envelope(&secret.text))).collect();
    let commands: &[&[&str]] = &[
        &["classify", "--format", "human"],
        &["classify", "--format", "jsonl"],
        &["explain", "--format", "human"],
        &["explain", "--format", "jsonl"],
        &["decide", "--format", "jsonl"],
    ];
    for command in commands {
        let run = world.acme(command[0], &command[1..], &input);
        assert!(run.stdout.lines().count() > 1, "{command:?}: {run:?}");
        assert_eq!(shown(&planted, &both(&run)), Vec::<&str>::new(), "{command:?}");
    }
}

/// What no rule knows: its clusters, their templates and examples, and the evidence for a new rule.
#[test]
fn clusters() {
    let (world, planted) = (World::new(), planted());
    let unknown = |secret: &PlantedSecret| {
        let text = json!(format!("{0} the condenser {0} is clogged {0}", secret.text));
        let signal = json!({ "channel": "stderr", "text": text });
        json!({ "schema": "faultbook.evidence/1", "model": secret.text, "signals": [signal] })
    };
    let input: String = planted.iter().map(|secret| format!("{}\n", unknown(secret))).collect();
    for arguments in [
        &["--top", "1000", "--format", "human"][..],
        &["--top", "1000", "--format", "jsonl"],
        &["--evidence", "1"],
    ] {
        let run = world.acme("triage", arguments, &input);
        assert!(run.status == 0 && run.stdout.contains("condenser"), "{arguments:?}: {run:?}");
        assert_eq!(shown(&planted, &both(&run)), Vec::<&str>::new(), "{arguments:?}");
    }
}

#[test]
fn complaints_about_input() {
    let (world, planted) = (World::new(), planted());
    let lines = planted.iter().flat_map(|secret| {
        let text = &secret.text;
        let schema = json!({ "schema": text, "signals": [] }).to_string();
        let signals = json!({ "schema": "faultbook.evidence/1", "signals": text }).to_string();
        [schema, signals, format!("{{\"schema\":\"faultbook.evidence/1\",{}", json!(text))]
    });
    let input: String = lines.map(|line| line + "\n").collect();
    for command in ["classify", "explain", "triage"] {
        let run = world.acme(command, &[], &input);
        assert_eq!(shown(&planted, &both(&run)), Vec::<&str>::new(), "{command}");
    }
}

#[test]
fn scaffolded_rules_and_their_suites() {
    let (world, planted) = (World::new(), planted());
    let arguments = ["new", "--code", "agent_runtime_error", "--pack", "rules/acme", "--dry-run"];
    let mut leaks = Vec::new();
    for secret in planted.iter().step_by(9) {
        let words = format!("fatal: the condenser {} is clogged with dust\n{}", secret.text, secret.text);
        let text = world.run(&[&arguments[..], &["--channel", "stderr"]].concat(), words.as_bytes());
        assert_eq!(text.status, 0, "{}: {text:?}", secret.kind);
        let data = json!({ "error": { "code": "warp_not_allowed", "message": words, "user": secret.text } });
        let evidence =
            json!({ "schema": "faultbook.evidence/1", "signals": [{ "channel": "http", "data": data }] });
        let value = world.run(&arguments, evidence.to_string().as_bytes());
        assert_eq!(value.status, 0, "{}: {value:?}", secret.kind);
        for run in [&text, &value] {
            leaks.extend(shown(std::slice::from_ref(secret), &both(run)));
        }
    }
    assert_eq!(leaks, Vec::<&str>::new());
}

#[cfg(unix)]
#[test]
fn recordings_of_a_live_run() {
    let (world, planted) = (World::new(), planted());
    let said: String = planted.iter().map(|secret| format!("{}\n", secret.text)).collect();
    world.write("said.txt", said.as_bytes());
    let arguments = ["record", "--out", "run.json", "--", "cat", "said.txt"];
    let run = world.run(&arguments, b"");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(shown(&planted, &world.read("run.json")), Vec::<&str>::new());
}
