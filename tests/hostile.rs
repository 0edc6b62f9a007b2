//! Hostile input: whatever comes in, the binary answers or says what is wrong, and never runs away.

use crate::world::{ACME, World};

fn pseudo_random(count: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(count).collect()
}

#[test]
fn random_bytes_get_an_answer_from_every_reader() {
    let world = World::new();
    let noise = pseudo_random(300_000);
    for command in ["classify", "explain", "decide", "triage"] {
        for (cut, want) in [("file", 0), ("block", 0), ("line", 0)] {
            let arguments: Vec<&str> =
                [command, "--by", cut, "--format", "jsonl"].iter().chain(&ACME).copied().collect();
            let run = world.run(&arguments, &noise);
            assert_eq!(run.status, want, "{command} --by {cut}: {}", run.stderr);
            assert!(!run.values().is_empty(), "{command} --by {cut}");
        }
        let arguments: Vec<&str> = [command, "--input", "evidence"].iter().chain(&ACME).copied().collect();
        assert_eq!(world.run(&arguments, &noise).status, 2, "{command} --input evidence");
    }
    world.write("noise", &noise);
    for arguments in [
        &["replay", "noise"][..],
        &["score", "noise"],
        &["new", "--code", "rate_limited", "--pack", "noise"],
        &["policy", "check", "noise"],
        &["decide", "--context-file", "noise"],
        &["simulate", "--scenario", "noise"],
        &["check", "--rules", "noise"],
        &["diff", "noise", "rules/acme"],
        &["classify", "--config", "noise"],
        &["classify", "--overlay", "noise"],
        &["classify", "--rules", "noise"],
    ] {
        let run = world.run(arguments, b"");
        assert!([1, 2].contains(&run.status), "{arguments:?}: {run:?}");
        assert!(!run.stderr.is_empty() && !run.stderr.contains("panicked"), "{arguments:?}: {run:?}");
    }
}

#[test]
fn ten_megabytes_in_one_line_are_one_short_answer() {
    let world = World::new();
    let mut line = vec![b'a'; 10_000_000];
    line.extend_from_slice(b" the core is out of plasma");
    for cut in ["file", "line", "block"] {
        let arguments: Vec<&str> =
            ["classify", "--by", cut, "--format", "jsonl"].iter().chain(&ACME).copied().collect();
        let run = world.run(&arguments, &line);
        assert_eq!((run.status, run.values().len()), (0, 1), "{}", run.stderr);
        assert_eq!(run.values()[0]["code"], "model_capacity", "the end of a long text is kept");
        assert!(run.stdout.len() < 10_000 && run.stdout.contains("bytes were cut"), "{}", run.stdout);
    }
    let mut evidence =
        br#"{"schema":"faultbook.evidence/1","signals":[{"channel":"stderr","text":""#.to_vec();
    evidence.extend_from_slice(&line);
    let run = world.run(&[&["classify"][..], &ACME].concat(), &evidence);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("bytes too long"), "{run:?}");
}

/// Commands that read documents, and answer all noise with a refusal.
const DOCUMENT_READERS: [&[&str]; 7] = [
    &["replay", "-"],
    &["replay", "--explain"],
    &["score", "-"],
    &["policy", "check", "-"],
    &["decide", "--context-file", "-"],
    &["simulate", "--scenario", "-"],
    &["simulate", "--classification", "-"],
];

#[test]
fn ten_megabytes_of_anything_end_every_reader_soon() {
    let world = World::new();
    let size = 10_000_000;
    let open = |unit: &str| unit.repeat(size / unit.len()).into_bytes();
    let inputs = [
        ("noise", pseudo_random(size)),
        ("one line", vec![b'a'; size]),
        ("brackets", open("[")),
        ("objects", open("{\"a\":")),
        ("recording", [&br#"{"schema":"faultbook.recording/1","frames":[""#[..], &vec![b'a'; size]].concat()),
        (
            "classification",
            [&br#"{"schema":"faultbook.classification/1","id":""#[..], &vec![b'a'; size]].concat(),
        ),
    ];
    for (name, input) in &inputs {
        for arguments in DOCUMENT_READERS {
            let run = bounded(&world, arguments, input);
            assert!([1, 2].contains(&run.status), "{arguments:?} {name}: {}", run.stderr);
            assert!(!run.stderr.is_empty() && run.stderr.len() < 100_000, "{arguments:?} {name}");
        }
        for command in ["classify", "explain", "decide", "triage"] {
            let run = bounded(&world, &[&[command, "--by", "file"][..], &ACME].concat(), input);
            assert_eq!(run.status, 0, "{command} {name}: {}", run.stderr);
        }
    }
    let lines = bounded(&world, &[&["triage"][..], &ACME].concat(), &inputs[0].1);
    assert_eq!(lines.status, 0, "{}", lines.stderr);
}

/// Runs the binary and asserts that it ends in bounded time, however slow the machine.
fn bounded(world: &World, arguments: &[&str], input: &[u8]) -> crate::world::Run {
    let start = std::time::Instant::now();
    let run = world.run(arguments, input);
    assert!(start.elapsed().as_secs() < 90, "{arguments:?} took {:?}", start.elapsed());
    assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    run
}

#[test]
fn random_bytes_on_standard_input_are_refused_by_readers_of_documents() {
    let world = World::new();
    let noise = pseudo_random(300_000);
    for arguments in DOCUMENT_READERS {
        for input in [&noise[..], b"", b"{}", b"\xff", b"null", b"[[["] {
            let run = bounded(&world, arguments, input);
            let is_empty_corpus = arguments[0] == "score" && input.is_empty();
            assert!(is_empty_corpus || [1, 2].contains(&run.status), "{arguments:?} {input:?}: {run:?}");
        }
    }
    let new = ["new", "--code", "rate_limited", "--pack", "rules/acme", "--dry-run"];
    assert!([0, 2].contains(&bounded(&world, &new, &noise).status));
}

#[test]
fn nothing_in_gives_nothing_out() {
    let world = World::new();
    for (command, want) in [("classify", "no evidence, no answer\n"), ("explain", ""), ("decide", "")] {
        for input in ["", "\n\n", "  \n"] {
            let run = world.acme(command, &[], input);
            assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, want, ""), "{command}");
        }
    }
}

#[test]
fn secrets_do_not_come_out_again() {
    let world = World::new();
    let secret = "sk-ant-api03-AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjjKKKKllllMMMMnnnn-oooo";
    let text = format!("key {secret}: the core is out of plasma\n");
    for arguments in [
        &["classify"][..],
        &["explain", "--format", "json"],
        &["explain"],
        &["decide"],
        &["classify", "--by", "line"],
        &["triage"],
        &["triage", "--evidence", "1"],
    ] {
        let run = world.run(&[arguments, &ACME].concat(), text.as_bytes());
        assert_eq!(run.status, 0);
        assert!(!run.stdout.contains(secret) && !run.stderr.contains(secret), "{arguments:?}");
    }
    let run = world.run(
        &[
            "new",
            "--code",
            "model_capacity",
            "--pack",
            "rules/acme",
            "--channel",
            "stderr",
            "--dry-run",
            "--id",
            "acme.other",
        ],
        text.as_bytes(),
    );
    assert!(run.status == 0 && !run.stdout.contains(secret), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_log_is_read_in_constant_memory() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let world = World::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultbook"))
        .args(["classify", "--by", "line", "--format", "jsonl"].iter().chain(&ACME))
        .current_dir(world.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = "an ordinary line of a long log with nothing in it\n".repeat(5_000);
    let resident_kib = |process: u32| -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    stdin.write_all(block.as_bytes()).unwrap();
    for _ in 0..4 {
        stdin.write_all(block.as_bytes()).unwrap();
    }
    let early = resident_kib(child.id());
    for _ in 0..35 {
        stdin.write_all(block.as_bytes()).unwrap();
    }
    let late = resident_kib(child.id());
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(late < early + 24 * 1024, "from {early} KiB to {late} KiB");
}
