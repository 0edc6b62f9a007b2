//! The commands of those who write rules.

use insta::assert_snapshot;
use serde_json::json;

use crate::world::World;

const FOLDERS: [&str; 3] = ["--no-core", "--rules", "rules/acme"];

fn run(world: &World, arguments: &[&str]) -> crate::world::Run {
    world.run(&[arguments, &FOLDERS].concat(), b"")
}

#[test]
fn every_problem_of_a_broken_pack_is_shown_with_its_place() {
    let world = World::new();
    world.write("rules/acme/acme/acme.broken.yaml", b"schema: faultbook.rule/1\nid: acme.broken\nrevison: 1\ntitle: A rule with many faults\nstatus: stabel\nsince: 1.0.0\ncode: rate_limitd\nconfidence: high\nband: cause\nmatch:\n  all:\n    - text: { regex: \"over(flow\" }\n");
    world.write("rules/acme/acme/acme.syntax.yaml", b"schema: faultbook.rule/1\nid: [\n");
    world.write(
        "rules/acme/acme/acme.twice.yaml",
        b"schema: faultbook.rule/1\nid: acme.plasma\nid: acme.twice\n",
    );
    let check = run(&world, &["check"]);
    assert_eq!(check.status, 1);
    let places: Vec<&str> =
        check.stdout.lines().map(str::trim_start).filter(|line| line.starts_with("--> ")).collect();
    assert_snapshot!(places.join("\n"));
    let classify = world.acme("classify", &[], "text");
    assert_eq!(classify.status, 2);
    for place in places {
        assert!(classify.stderr.contains(place), "classify says the same: {place}");
    }
}

#[test]
fn suites_run_and_a_failure_is_one_clear_diff() {
    let world = World::new();
    let sound = run(&world, &["test"]);
    assert_eq!(sound.status, 0, "{sound:?}");
    let suite =
        world.read("fixtures/acme/acme.plasma.yaml").replace("code: model_capacity", "code: rate_limited");
    world.write("fixtures/acme/acme.plasma.yaml", suite.as_bytes());
    let failed = run(&world, &["test", "acme.plasma"]);
    assert_snapshot!(failed.shown());
    for format in ["json", "github", "sarif", "junit"] {
        let report = run(&world, &["test", "--format", format]);
        assert!(report.status == 1 && report.stdout.contains("acme.plasma"), "{format}: {report:?}");
    }
}

#[test]
fn the_matrix_is_blessed_on_purpose_only() {
    let world = World::new();
    let drift = run(&world, &["check"]);
    assert!(drift.status == 1 && drift.stdout.contains("--bless"), "{drift:?}");
    let blessed = run(&world, &["check", "--bless"]);
    assert!(blessed.stdout.contains("rewritten: fixtures/acme/acme.plasma.matrix"), "{blessed:?}");
    assert!(!run(&world, &["check"]).stdout.contains("matrix"), "a blessed matrix is no finding");
    assert_snapshot!(run(&world, &["matrix", "acme.trying-again"]).shown());
}

#[test]
fn a_new_rule_comes_from_real_evidence_and_loads() {
    let world = World::new();
    let text = b"fatal: the condenser is clogged with dust (request 8f3e77)\n";
    let arguments = [
        "new",
        "--code",
        "agent_runtime_error",
        "--pack",
        "rules/acme",
        "--channel",
        "stderr",
        "--agent",
        "codex",
    ];
    let made = world.run(&arguments, text);
    assert_eq!(made.status, 0, "{made:?}");
    let rule = "rules/acme/codex/codex.the-condenser-is-clogged-with.yaml";
    assert_snapshot!(format!(
        "{}\n{}",
        world.read(rule),
        world.read("fixtures/acme/codex.the-condenser-is-clogged-with.yaml")
    ));
    let test = run(&world, &["test", "codex."]);
    assert_eq!(test.status, 0, "its own suite holds: {test:?}");
    let before = world.read(rule);
    assert_eq!(
        world.run(&[&arguments[..], &["--id", "codex.the-condenser-is-clogged-with"]].concat(), text).status,
        2
    );
    assert_eq!(world.read(rule), before, "nothing is overwritten");
    let other = world.run(&arguments, text);
    assert!(other.status == 0 && other.stdout.contains("clogged-with-2.yaml"), "{other:?}");
}

#[test]
fn a_structured_value_is_preferred_to_words() {
    let world = World::new();
    let envelope = json!({
        "schema": "faultbook.evidence/1", "provider": "openai",
        "signals": [{ "channel": "http", "http_status": 400, "data": { "error": { "code": "warp_not_allowed", "message": "You must not warp" } } }],
    });
    let arguments = [
        "new",
        "--code",
        "request_invalid",
        "--pack",
        "rules/acme",
        "--reference",
        "https://example.org/warp",
        "--dry-run",
    ];
    let made = world.run(&arguments, envelope.to_string().as_bytes());
    assert!(made.stdout.contains("- /error/code") && made.stdout.contains("- warp_not_allowed"), "{made:?}");
    assert!(made.stdout.contains("band: cause"), "{made:?}");
    assert!(!world.path().join("rules/acme/openai").exists(), "a dry run writes nothing");
}

#[test]
fn the_model_s_words_make_no_rule() {
    let world = World::new();
    let made = world.run(
        &["new", "--code", "rate_limited", "--pack", "rules/acme", "--channel", "assistant"],
        b"the server is overloaded today",
    );
    assert_snapshot!(made.shown());
}

#[test]
fn a_corpus_is_scored() {
    let world = World::new();
    let records = [
        json!({"id": "1", "channel": "stderr", "text": "the core is out of plasma", "code": "model_capacity"}),
        json!({"id": "2", "channel": "stderr", "text": "something else", "code": "rate_limited"}),
    ];
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    world.write("corpus.jsonl", lines.join("\n").as_bytes());
    let score = world.acme("score", &["corpus.jsonl", "--errors"], "");
    assert_snapshot!(score.shown());
    assert_eq!(world.acme("score", &["corpus.jsonl", "--fail-under", "0.6"], "").status, 1);
    let figures = world.acme("score", &["corpus.jsonl", "--format", "jsonl"], "");
    assert_eq!(figures.values()[0]["exact"], json!(0.5));
}

#[test]
fn a_difference_names_the_bump_that_it_needs() {
    let world = World::new();
    let rule = world.read("rules/acme/acme/acme.plasma.yaml");
    for (path, text) in [
        ("pack.yaml", world.read("rules/acme/pack.yaml")),
        ("acme/acme.plasma.yaml", rule.replace("model_capacity", "provider_overloaded")),
        ("acme/acme.flux-limit.yaml", world.read("rules/acme/acme/acme.flux-limit.yaml")),
        ("acme/acme.trying-again.yaml", world.read("rules/acme/acme/acme.trying-again.yaml")),
    ] {
        world.write(&format!("next/acme/{path}"), text.as_bytes());
    }
    let diff = world.run(&["diff", "rules/acme", "next/acme", "--fixtures", "fixtures"], b"");
    assert_snapshot!(diff.shown());
}
