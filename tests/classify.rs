//! `faultbook classify` and `faultbook replay`.

use insta::assert_snapshot;
use serde_json::json;

use crate::world::World;

const PLASMA: &str = r#"{"schema":"faultbook.evidence/1","id":"a","signals":[{"channel":"stderr","text":"the core is out of plasma"}]}"#;
const FLUX: &str = r#"{"schema":"faultbook.evidence/1","id":"b","occurred_at":"2026-11-30T12:00:00Z","signals":[{"channel":"http","data":{"error":{"code":"flux_limit_reached","retry_after":30}}}]}"#;

#[test]
fn evidence_is_answered_one_a_line_and_in_order() {
    let world = World::new();
    let run = world.acme("classify", &["--format", "jsonl"], &format!("{PLASMA}\n{FLUX}\n"));
    assert_eq!(run.status, 0, "{run:?}");
    let answers = run.values();
    let told: Vec<_> =
        answers.iter().map(|answer| (&answer["id"], &answer["code"], &answer["confidence"])).collect();
    assert_eq!(
        told,
        [
            (&json!("a"), &json!("model_capacity"), &json!("high")),
            (&json!("b"), &json!("rate_limited"), &json!("high"))
        ]
    );
    assert_eq!(answers[1]["hints"]["retry_after_s"], json!(30.0));
    assert_eq!(
        answers[1]["rule"],
        json!({"id": "acme.flux-limit", "revision": 3, "pack": "acme", "pack_version": "1.0.0"})
    );
}

#[test]
fn a_line_that_is_no_evidence_costs_that_line_only() {
    let world = World::new();
    let bad = [
        r#"{"schema":"faultbook.evidence/9","signals":[]}"#,
        r#"{"schema":"faultbook.evidence/1"}"#,
        r#"{"schema":"faultbook.evidence/1","signals":["#,
        r#"{"schema":"faultbook.recording/1","frames":[]}"#,
    ];
    let input = format!("{PLASMA}\n{}\n{FLUX}\n", bad.join("\n"));
    let run = world.acme("classify", &["--format", "jsonl"], &input);
    assert_eq!((run.status, run.values().len()), (2, 2), "{run:?}");
    assert_snapshot!(run.stderr);
}

#[test]
fn text_is_one_turn_unless_it_is_cut() {
    let world = World::new();
    let log = "starting\nthe core is out of plasma\n\nall is well\nthe core is out of plasma\n";
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["model_capacity medium stdin:1"]),
        (&["--channel", "stderr"], &["model_capacity high stdin:1"]),
        (&["--exit-code", "1"], &["model_capacity high stdin:1"]),
        (&["--exit-code", "0"], &["null null stdin:1"]),
        (&["--by", "block"], &["model_capacity medium stdin:1", "model_capacity medium stdin:4"]),
        (
            &["--by", "line"],
            &[
                "null null stdin:1",
                "model_capacity medium stdin:2",
                "null null stdin:4",
                "model_capacity medium stdin:5",
            ],
        ),
    ];
    for (arguments, want) in cases {
        let run = world.acme("classify", &[&["--format", "jsonl"], *arguments].concat(), log);
        let told: Vec<String> = run
            .values()
            .iter()
            .map(|answer| {
                format!("{} {} {}", answer["code"], answer["confidence"], answer["id"]).replace('"', "")
            })
            .collect();
        assert_eq!(
            (run.status, told),
            (0, want.iter().map(|text| (*text).to_owned()).collect()),
            "{arguments:?}"
        );
    }
}

#[test]
fn people_see_what_went_wrong_and_a_tally() {
    let world = World::new();
    world.write("app.log", b"starting\nthe core is out of plasma\nbye\n");
    let arguments = ["--by", "line", "--channel", "log", "app.log", "missing.log"];
    let run = world.acme("classify", &arguments, "");
    assert_snapshot!(run.shown());
}

#[test]
fn json_is_one_list() {
    let world = World::new();
    for (input, count) in [(String::new(), 0), (PLASMA.to_owned(), 1), (format!("{PLASMA}\n{FLUX}"), 2)] {
        let run = world.acme("classify", &["--format", "json"], &input);
        let list: Vec<serde_json::Value> = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((run.status, list.len()), (0, count));
    }
}

#[test]
fn a_pack_that_is_not_trusted_informs() {
    let world = World::new();
    let run = world
        .run(&["classify", "--no-core", "--rules", "rules/acme", "--format", "jsonl"], PLASMA.as_bytes());
    assert_eq!(run.values()[0]["confidence"], json!("medium"));
}

#[test]
fn settings_and_overlays_choose_the_rules() {
    let world = World::new();
    world.write(
        "faultbook.yaml",
        b"schema: faultbook.config/1\ncore: false\npacks:\n  - { folder: rules/acme, trusted: true }\noverlay: overlay.yaml\n",
    );
    world.write(
        "overlay.yaml",
        b"schema: faultbook.overlay/1\nrules:\n  - { id: acme.plasma, disable: true, reason: a trial }\n  - { id: acme.flux-limit, confidence: medium, reason: gone, until: 2020-01-01 }\n",
    );
    let run = world.run(&["classify", "--format", "jsonl"], format!("{PLASMA}\n{FLUX}\n").as_bytes());
    let codes: Vec<_> = run.values().iter().map(|answer| answer["code"].clone()).collect();
    assert_eq!(codes, [json!(null), json!("rate_limited")]);
    assert_eq!(run.stderr, "warning: the overlay of `acme.flux-limit` ran out on 2020-01-01\n");
}

#[test]
fn a_recording_is_answered_by_its_last_prompt() {
    let world = World::new();
    let recording = json!({
        "schema": "faultbook.recording/1", "id": "run-1", "agent": "generic", "format": "plain", "exit_code": 1,
        "frames": [{"t_ms": 5, "stream": "stderr", "line": "the core is out of plasma"}],
    });
    world.write("run.json", recording.to_string().as_bytes());
    let run = world.acme("replay", &["--format", "jsonl", "run.json", "missing.json"], "");
    assert_eq!((run.status, run.values().len()), (2, 1), "{run:?}");
    assert_eq!(
        (&run.values()[0]["id"], &run.values()[0]["code"]),
        (&json!("run-1"), &json!("model_capacity"))
    );
    let envelopes = world.acme("replay", &["--envelopes", "run.json"], "");
    let again = world.acme("classify", &["--format", "jsonl"], &envelopes.stdout);
    assert_eq!(again.values()[0]["code"], json!("model_capacity"));
}

#[test]
fn what_nobody_knows_is_clustered_and_becomes_a_rule() {
    let world = World::new();
    let log = "12:00 error: condenser 1 is full of dust\n12:01 the core is out of plasma\n12:02 error: condenser 77 is full of dust\nok\n";
    world.write("app.log", log.as_bytes());
    let triage = ["--channel", "log", "app.log"];
    assert_snapshot!(world.acme("triage", &triage, "").shown());
    let evidence = world.acme("triage", &[&triage[..], &["--evidence", "1"]].concat(), "");
    let made = world.run(
        &[
            "new",
            "--code",
            "local_runtime_error",
            "--pack",
            "rules/acme",
            "--id",
            "acme.condenser",
            "--dry-run",
        ],
        evidence.stdout.as_bytes(),
    );
    assert!(made.status == 0 && made.stdout.contains("- is full of dust"), "{made:?}");
}

#[test]
fn clusters_say_when_they_were_seen() {
    let world = World::new();
    let line = |minute: u8| {
        json!({"schema": "faultbook.evidence/1", "occurred_at": format!("2026-11-30T12:{minute:02}:00Z"),
               "signals": [{"channel": "stderr", "text": "error: condenser is full of dust"}]})
    };
    let late = json!({"schema": "faultbook.evidence/1", "signals": [
        {"channel": "stderr", "text": "error: condenser is full of dust", "at": "2026-11-30T13:00:00Z"}]});
    let input = format!("{}\n{}\n{late}\n", line(30), line(10));
    let clusters = world.acme("triage", &["--format", "jsonl"], &input).values();
    assert_eq!((clusters.len(), &clusters[0]["count"]), (1, &json!(3)));
    assert_eq!(clusters[0]["first_seen"], "2026-11-30T12:10:00Z");
    assert_eq!(clusters[0]["last_seen"], "2026-11-30T13:00:00Z");
    let shown = world.acme("triage", &[], &input).stdout;
    assert!(shown.contains("2026-11-30T12:10:00Z to 2026-11-30T13:00:00Z"), "{shown}");
    let timeless =
        world.acme("triage", &["--format", "jsonl"], "error: condenser is full of dust\n").values();
    assert_eq!(timeless[0]["first_seen"], json!(null));
}

#[cfg(unix)]
#[test]
fn a_run_can_be_recorded_and_replayed() {
    let world = World::new();
    let arguments = [
        "record",
        "--out",
        "live.json",
        "--agent",
        "generic",
        "--",
        "sh",
        "-c",
        "echo working; echo the core is out of plasma >&2; exit 3",
    ];
    let run = world.run(&arguments, b"");
    assert_eq!((run.status, run.stdout.as_str()), (0, "working\n"), "{run:?}");
    let replayed = world.acme("replay", &["--format", "jsonl", "live.json"], "");
    assert_eq!(replayed.values()[0]["code"], json!("model_capacity"), "{replayed:?}");
    assert_eq!(world.run(&arguments, b"").status, 2, "recordings are never overwritten");
}
