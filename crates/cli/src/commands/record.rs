//! `faultbook record`: a recording of a live run.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use clap::{Args, ValueHint};
use faultbook::adapters::{EndedBy, Exit, Frame, MAX_LINE_BYTES, Recorder, Recording, Source};
use jiff::Timestamp;

use crate::failure::{Ended, Failure};
use crate::output::error_text;

/// Run an agent and record what a host would see of it
///
/// The agent's output goes through unchanged. The recording holds the same lines with secrets taken out, so that it
/// can be attached to an issue, replayed, or turned into a rule with `faultbook new --from`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Record {
    /// The file that the recording is written to; it must not be there yet
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// The agent that is run, such as claude-code, codex, opencode, gemini-cli
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The format of its output: plain, stream-json, json, exec-json, run-json, acp
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    wire: String,
    /// The recording's name [default: the file's]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The command, after `--`
    #[arg(value_name = "COMMAND", required = true, last = true, value_hint = ValueHint::CommandWithArguments)]
    command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
    faultbook record --out run.json --agent claude-code --wire stream-json -- \\
      claude -p --output-format stream-json --verbose 'say hello'
    faultbook replay run.json";

impl Record {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        if self.out.exists() {
            let message = format!("`{}` is there already", self.out.display());
            return Err(Failure::usage(message, "recordings are never overwritten; name another file"));
        }
        let is_protocol = self.wire == "acp";
        let mut child = self.start(is_protocol)?;
        let mut recorder = Recorder::new(self.head());
        let began = Instant::now();
        let (frames, received) = channel::<Frame>();
        let (output, error) =
            if is_protocol { (Source::FromAgent, Source::Stderr) } else { (Source::Stdout, Source::Stderr) };
        let mut copies = Vec::new();
        if let Some(from) = child.stdout.take() {
            let frames = frames.clone();
            copies.push(thread::spawn(move || copy(from, io::stdout(), output, began, &frames)));
        }
        if let Some(from) = child.stderr.take() {
            let frames = frames.clone();
            copies.push(thread::spawn(move || copy(from, io::stderr(), error, began, &frames)));
        }
        if let Some(to) = child.stdin.take() {
            // Not joined: it may wait for a host that says nothing more.
            thread::spawn(move || copy(io::stdin(), to, Source::ToAgent, began, &frames));
        } else {
            drop(frames);
        }
        // Each copy ends with its stream; the frames are taken while they run.
        while copies.iter().any(|copy| !copy.is_finished()) {
            if let Ok(frame) = received.recv_timeout(std::time::Duration::from_millis(50)) {
                recorder.feed(&frame);
            }
        }
        received.try_iter().for_each(|frame| recorder.feed(&frame));
        let status = child.wait().map_err(|error| self.failed(error))?;
        let exit = Exit { code: status.code(), ended_by: EndedBy::Agent, ..Exit::default() };
        self.write(&recorder.finish(&exit))?;
        error_text(&format!("recorded {}\n", self.out.display()));
        Ok(Ended::Done)
    }

    fn start(&self, is_protocol: bool) -> Result<Child, Failure> {
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| Failure::usage("there is no command to record", "name it after `--`"))?;
        let input = if is_protocol { Stdio::piped() } else { Stdio::inherit() };
        Command::new(program)
            .args(arguments)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> Failure {
        Failure::File { path: self.command.first().cloned().unwrap_or_default(), verb: "run", error }
    }

    fn head(&self) -> Recording {
        let stem = self.out.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Recording {
            id: self.id.clone().or(stem).unwrap_or_default(),
            agent: self.agent.clone(),
            format: self.wire.clone(),
            argv: self.command.clone(),
            started_at: Some(Timestamp::now()),
            ..Recording::default()
        }
    }

    fn write(&self, recording: &Recording) -> Result<(), Failure> {
        let failed = |error| Failure::File { path: self.out.display().to_string(), verb: "write", error };
        let mut text = serde_json::to_string_pretty(&recording.to_json())?;
        text.push('\n');
        let file = std::fs::OpenOptions::new().write(true).create_new(true).open(&self.out);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)
    }
}

/// Passes lines on as they come and hands a copy of each to the recorder. A line over the bound is passed on whole
/// and recorded in pieces.
fn copy(from: impl Read, mut to: impl Write, source: Source, began: Instant, frames: &Sender<Frame>) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
        match from.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        // Whoever reads the output may have gone; the recording goes on.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        let text = String::from_utf8_lossy(&line);
        let t_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if frames.send(Frame::new(t_ms, source, text.trim_end_matches(['\n', '\r']))).is_err() {
            return;
        }
    }
}
