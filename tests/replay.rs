//! `faultbook replay`: folders of recordings, how a conclusion came about, and the format of recordings.

use std::path::{Path, PathBuf};

use faultbook_document::{Document, Limits, Schema, Source};
use serde_json::{Value, json};

use crate::world::World;

fn recording(id: &str, exit_code: i32, lines: &[(&str, &str)]) -> Vec<u8> {
    let frames: Vec<Value> = lines
        .iter()
        .zip(1..)
        .map(|((stream, line), number)| json!({ "t_ms": number * 100, "stream": stream, "line": line }))
        .collect();
    json!({
        "schema": "faultbook.recording/1", "id": id, "agent": "generic", "format": "plain", "argv": ["acme"],
        "started_at": "2026-11-30T12:00:00Z", "exit_code": exit_code, "ended_by": "agent", "frames": frames,
    })
    .to_string()
    .into_bytes()
}

fn world() -> World {
    let world = World::new();
    let lines = [("stdout", "working"), ("stderr", "the core is out of plasma"), ("stdout", "still here")];
    world.write("runs/b/plasma.json", &recording("plasma", 1, &lines));
    world.write("runs/a.json", &recording("quiet", 0, &[("stdout", "working")]));
    world.write("runs/notes.txt", b"no recording");
    world.write("runs/package.json", b"{\"name\": \"acme\"}");
    world
}

#[test]
fn a_folder_is_replayed_in_the_order_of_its_paths() {
    let world = world();
    let run = world.acme("replay", &["--format", "jsonl", "runs"], "");
    let ids: Vec<Value> = run.values().iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!((run.status, ids.as_slice()), (0, &[json!("quiet"), json!("plasma")][..]), "{run:?}");
    assert!(run.stderr.contains("package.json: left out"), "{run:?}");
    let named = world.acme("replay", &["runs/package.json"], "");
    assert_eq!(named.status, 2, "a file that was named must be a recording: {named:?}");
    world.write("empty/x.txt", b"");
    assert_eq!(world.acme("replay", &["empty"], "").status, 2);
}

#[test]
fn the_explanation_says_after_which_frame_the_conclusion_changed() {
    let world = world();
    let run = world.acme("replay", &["--explain", "runs/b/plasma.json"], "");
    insta::assert_snapshot!(run.shown());
    let run = world.acme("replay", &["--explain", "--format", "jsonl", "runs/b/plasma.json"], "");
    let values = run.values();
    assert_eq!(values.len(), 1, "one value a recording");
    let change = values[0]["conclusions"].as_array().and_then(|changes| changes.last()).cloned();
    let change = change.unwrap_or_default();
    assert_eq!(
        (&change["frame"], &change["t_ms"], &change["stream"], &change["code"]),
        (&json!(2), &json!(200), &json!("stderr"), &json!("model_capacity")),
        "{run:?}"
    );
    assert_eq!(values[0]["classification"]["code"], "model_capacity");
}

#[test]
fn a_long_recording_is_explained_in_bounded_time() {
    let world = World::new();
    let line = "x".repeat(400);
    let mut lines = vec![("stdout", line.as_str()); 20_000];
    lines[12_345] = ("stderr", "the core is out of plasma");
    world.write("long.json", &recording("long", 1, &lines));
    let start = std::time::Instant::now();
    let run = world.acme("replay", &["--explain", "--format", "jsonl", "long.json"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
    let conclusions = run.values()[0]["conclusions"].clone();
    assert!(
        conclusions.as_array().is_some_and(|all| all.iter().any(|change| change["frame"] == 12_346)),
        "the frame is exact: {conclusions}"
    );
}

/// The recordings that ship, in folders within folders.
fn shipped(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            shipped(&path, found);
        } else if path.extension().is_some_and(|end| end == "json") {
            found.push(path);
        }
    }
}

#[test]
fn the_published_schema_is_that_of_the_recordings() {
    let world = world();
    let schema = serde_json::from_str(&world.run(&["schema", "recording"], b"").stdout).unwrap();
    let schema = Schema::compile(&schema).unwrap();
    let limits = Limits { bytes: 8 * 1024 * 1024, nodes: 1_000_000, ..Limits::default() };
    let problems = |bytes: &[u8]| {
        let source = Source::from_bytes("recording.json", bytes).unwrap();
        schema.validate(&Document::parse(source, &limits).unwrap()).len()
    };
    let mut files = Vec::new();
    shipped(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recordings"), &mut files);
    assert!(files.len() > 50, "{files:?}");
    for file in files {
        assert_eq!(problems(&std::fs::read(&file).unwrap()), 0, "{}", file.display());
    }
    for (part, broken) in [
        ("faultbook.recording/1", "faultbook.recording/2"),
        ("\"stderr\"", "\"smoke\""),
        ("\"agent\",", "\"nobody\","),
        ("\"frames\"", "\"lines\""),
    ] {
        let text = world.read("runs/b/plasma.json").replace(part, broken);
        assert!(problems(text.as_bytes()) > 0, "{broken}");
    }
}
