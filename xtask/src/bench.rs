//! Benchmarks of the workspace: the engine's own, and the binary as a whole process.
//!
//! Times are those of the machine that runs them; compare ratios within one run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::root;

/// How often the first verdict is timed.
const RUNS: usize = 20;
/// The bytes of the log that is classified.
const LOG_BYTES: usize = 64 * 1024 * 1024;

const EVIDENCE: &str = concat!(
    r#"{"schema":"faultbook.evidence/1","signals":[{"channel":"http","http_status":529,"#,
    r#""data":{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}}]}"#,
);

/// Runs everything and prints the figures.
pub(crate) fn run() -> Vec<String> {
    match measure() {
        Ok(()) => Vec::new(),
        Err(error) => vec![format!("the benchmarks did not finish: {error}")],
    }
}

fn measure() -> io::Result<()> {
    cargo(&["build", "--quiet", "--release", "--package", "faultbook-cli"])?;
    let binary = target().join("release/faultbook");
    first_verdict(&binary)?;
    instructions(&binary)?;
    bulk(&binary)?;
    cargo(&["bench", "--quiet", "--package", "faultbook-engine"])
}

fn cargo(arguments: &[&str]) -> io::Result<()> {
    let status = Command::new(env!("CARGO")).args(arguments).current_dir(root()).status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("cargo {} failed", arguments.join(" "))))
    }
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// From the start of the process to its exit with one answer.
fn first_verdict(binary: &Path) -> io::Result<()> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        classify(binary, EVIDENCE.as_bytes())?;
        times.push(start.elapsed());
    }
    times.sort();
    println!("first verdict of the binary   {:>9.1?} best, {:>9.1?} median", times[0], times[RUNS / 2]);
    Ok(())
}

fn classify(binary: &Path, input: &[u8]) -> io::Result<()> {
    let mut child = Command::new(binary)
        .args(["classify", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
        stdin.write_all(b"\n")?;
    }
    child.wait().map(|_| ())
}

/// Instructions of the same, where valgrind is at hand: they repeat exactly whatever else the machine does.
fn instructions(binary: &Path) -> io::Result<()> {
    let file = std::env::temp_dir().join("faultbook-bench.jsonl");
    fs::write(&file, format!("{EVIDENCE}\n"))?;
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(binary)
        .args(["classify", "--format", "jsonl"])
        .arg(&file)
        .output();
    fs::remove_file(&file)?;
    let Ok(run) = run else {
        println!("instructions                  not counted: valgrind is not installed");
        return Ok(());
    };
    let said = String::from_utf8_lossy(&run.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected : ")).map_or("?", |(_, count)| count);
    println!("instructions to first verdict {count}");
    Ok(())
}

/// A log by line through the binary: throughput, and the most memory that it held.
fn bulk(binary: &Path) -> io::Result<()> {
    let file = std::env::temp_dir().join("faultbook-bench.log");
    write_log(&file)?;
    let start = Instant::now();
    let mut child = Command::new(binary)
        .args(["classify", "--input", "text", "--by", "line", "--channel", "log", "--format", "jsonl"])
        .arg(&file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut most = 0;
    while child.try_wait()?.is_none() {
        most = most.max(memory_kib(child.id()));
        thread::sleep(Duration::from_millis(20));
    }
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = LOG_BYTES as f64 / 1e6;
    println!(
        "log by line                   {:.1} MB/s over {megabytes:.0} MB, at most {} MiB of memory",
        megabytes / seconds,
        most / 1024
    );
    fs::remove_file(&file)
}

fn write_log(file: &Path) -> io::Result<()> {
    let mut log = io::BufWriter::new(fs::File::create(file)?);
    let mut written = 0;
    let mut number = 0_u64;
    while written < LOG_BYTES {
        let line = if number.is_multiple_of(1_000) {
            "2026-11-30T12:00:00Z ERROR API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n".to_owned()
        } else {
            format!(
                "2026-11-30T12:00:{:02}Z INFO worker {} served a page in {number} ms\n",
                number % 60,
                number % 7
            )
        };
        log.write_all(line.as_bytes())?;
        written += line.len();
        number += 1;
    }
    log.flush()
}

/// The most memory that a process held so far, in KiB; 0 where the system does not tell.
fn memory_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
