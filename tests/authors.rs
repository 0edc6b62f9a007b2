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

#[test]
fn new_files_name_the_schema_that_lies_above_them() {
    let world = World::new();
    let scaffold = |world: &World, id: &str| {
        let arguments =
            ["new", "--code", "agent_runtime_error", "--pack", "rules/acme", "--channel", "stderr"];
        let made = world.run(&[&arguments[..], &["--id", id]].concat(), b"fatal: the condenser is clogged\n");
        assert_eq!(made.status, 0, "{made:?}");
        let rule = world.read(&format!("rules/acme/codex/{id}.yaml"));
        let suite = world.read(&format!("fixtures/acme/{id}.yaml"));
        assert!(rule.contains("\ntitle: T") || rule.contains("\ntitle: 'T"), "a title is a sentence: {rule}");
        [rule, suite].map(|text| text.lines().next().unwrap_or_default().to_owned())
    };
    for first in scaffold(&world, "codex.clogged") {
        assert!(first.starts_with("# Scaffolded."), "without schemas there is nothing to name: {first}");
    }
    world.write("schemas/rule.schema.json", b"{}");
    world.write("schemas/fixture.schema.json", b"{}");
    let [rule, suite] = scaffold(&world, "codex.clogged-again");
    assert_eq!(rule, "# yaml-language-server: $schema=../../../schemas/rule.schema.json");
    assert_eq!(suite, "# yaml-language-server: $schema=../../schemas/fixture.schema.json");
}

#[test]
fn a_difference_to_a_commit_names_the_bump() {
    let world = World::new();
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
        let mut command = std::process::Command::new("git");
        let run = command.args(who).args(arguments).current_dir(world.path()).output();
        assert!(run.as_ref().is_ok_and(|run| run.status.success()), "{arguments:?}: {run:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    git(&["tag", "v1"]);
    let same = world.run(&["diff", "--base", "v1", "rules/acme"], b"");
    assert_eq!(same.status, 0, "{same:?}");
    let path = "rules/acme/acme/acme.plasma.yaml";
    let changed = world.read(path).replace("model_capacity", "provider_overloaded");
    world.write(path, changed.as_bytes());
    git(&["commit", "--quiet", "--all", "-m", "second"]);
    for base in ["v1", "HEAD~1"] {
        let diff = world.run(&["diff", "--base", base, "rules/acme", "--fixtures", "fixtures"], b"");
        assert_eq!(diff.status, 1, "{diff:?}");
        assert!(diff.stdout.contains("model_capacity") && diff.stdout.contains("needs major"), "{diff:?}");
    }
    let here = world.run(&["diff", "--base", "HEAD", "rules/acme", "--fixtures", "fixtures"], b"");
    assert_eq!(here.status, 0, "{here:?}");
    let option = world.run(&["diff", "--base=--help", "rules/acme"], b"");
    assert_eq!(option.status, 2, "a ref is no option of git: {option:?}");
}

#[test]
fn check_looks_at_rules_and_fixtures_of_the_current_folder() {
    let world = World::new();
    world.run(&["check", "--bless", "--no-core"], b"");
    let here = world.run(&["check", "--no-core", "--format", "json"], b"");
    assert!(here.stdout.contains("acme"), "{here:?}");
    world.write("elsewhere/faultbook.txt", b"");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_faultbook"));
    let run = command.arg("check").current_dir(world.path().join("elsewhere")).output();
    assert!(run.as_ref().is_ok_and(|run| run.status.success()), "the embedded pack: {run:?}");
}
