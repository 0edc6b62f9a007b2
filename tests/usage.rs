//! Exit codes, help, and the commands that print what is built in.

use insta::assert_snapshot;

use crate::world::{ACME, World};

#[test]
fn exit_codes_are_those_of_the_contract() {
    let world = World::new();
    world.write("broken/pack.yaml", b"schema: faultbook.pack/1\n");
    for (arguments, want) in [
        (&["--help"][..], 0),
        (&["--version"], 0),
        (&[], 2),
        (&["classfy"], 2),
        (&["classify", "--format", "xml"], 2),
        (&["classify", "--channel", "telepathy"], 2),
        (&["classify", "--http-status", "99"], 2),
        (&["classify", "--now", "yesterday"], 2),
        (&["classify", "--no-core"], 2),
        (&["classify", "--trust", "acme"], 2),
        (&["classify", "--rules", "broken"], 2),
        (&["classify", "missing.txt"], 2),
        (&["check", "--rules", "broken"], 1),
        (&["check", "--rules", "missing"], 2),
        (&["replay", "missing"], 2),
        (&["decide", "--attempt", "0"], 2),
        (&["decide", "--remaining", "=x"], 2),
        (&["simulate"], 2),
        (&["test", "--rules", "rules/acme"], 0),
        (&["test", "no.such-rule", "--rules", "rules/acme"], 2),
        (&["show", "no.such-rule"], 2),
        (&["schema", "no-such"], 2),
        (&["policy", "show", "--policy", "missing"], 2),
        (&["diff", "rules/acme"], 2),
        (&["diff", "rules/acme", "rules/acme"], 0),
        (&["diff", "--base", "no-such-ref", "rules/acme"], 2),
    ] {
        let run = world.run(arguments, b"");
        assert_eq!(run.status, want, "{arguments:?}: {run:?}");
    }
}

#[test]
fn every_command_has_a_help_text_with_an_example() {
    let world = World::new();
    let commands = world.run(&["--help"], b"").stdout;
    let listed =
        commands.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 15, "{commands}");
    for name in names.into_iter().filter(|name| !["help", "policy"].contains(name)) {
        let help = world.run(&[name, "--help"], b"").stdout;
        assert!(help.contains("Example") || help.contains("faultbook "), "{name}: {help}");
    }
}

#[test]
fn help_is_what_people_see_first() {
    assert_snapshot!(World::new().run(&["--help"], b"").stdout);
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let world = World::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = world.run(&["completions", shell], b"");
        assert!(run.status == 0 && run.stdout.contains("classify"), "{shell}");
    }
    assert!(world.run(&["man"], b"").stdout.contains(".TH faultbook"));
    assert_eq!(world.run(&["man", "--out", "man1"], b"").status, 0);
    assert!(world.path().join("man1/faultbook-classify.1").is_file());
}

#[test]
fn schemas_are_json_and_named() {
    let world = World::new();
    for name in [
        "rule",
        "pack",
        "ambiguous",
        "retired",
        "overlay",
        "fixture",
        "evidence",
        "classification",
        "explanation",
        "recording",
        "policy",
        "legacy-action-map",
        "decision-context",
        "decision",
        "scenario",
        "timeline",
        "config",
    ] {
        let run = world.run(&["schema", name], b"");
        let schema: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(schema["properties"].is_object() && schema["title"].is_string(), "{name}");
    }
}

#[test]
fn rules_codes_and_coverage_are_listed() {
    let world = World::new();
    let mut shown = String::new();
    for arguments in [
        &["list"][..],
        &["list", "--kind", "notice"],
        &["list", "packs"],
        &["list", "--code", "rate_limited", "--format", "jsonl"],
        &["show", "acme.flux-limit"],
        &["show", "rate_limited"],
        &["show", "acme.plasm"],
    ] {
        let run = world.run(&[arguments, &ACME].concat(), b"");
        shown.push_str(&format!("$ faultbook {}\n{}\n", arguments.join(" "), run.shown()));
    }
    assert_snapshot!(shown);
    let coverage = world.run(&[&["list", "coverage", "--format", "jsonl"][..], &ACME].concat(), b"");
    let row = coverage.values().into_iter().find(|row| row["code"] == "rate_limited").unwrap();
    assert_eq!(row["rules"]["any"], 1);
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_ends_the_run_quietly() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let world = World::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultbook"))
        .args(["classify", "--by", "line", "--all"].iter().chain(&ACME))
        .current_dir(world.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(b"one\n").unwrap();
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    assert!(first.starts_with("stdin:1: unclassified"), "an answer comes at once, not at the end: {first}");
    drop(output);
    for _ in 0..2000 {
        if stdin.write_all("another line\n".repeat(1000).as_bytes()).is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
