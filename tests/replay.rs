//! `faultbook replay`: folders of recordings, and how a conclusion came about.

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
