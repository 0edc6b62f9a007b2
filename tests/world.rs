//! A folder with a pack of its own, and the binary run in it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The pack that the tests work with: one rule by value, one by words, one notice.
const FILES: &[(&str, &str)] = &[
    ("rules/acme/pack.yaml", include_str!("world/pack.yaml")),
    ("rules/acme/acme/acme.plasma.yaml", include_str!("world/acme.plasma.yaml")),
    ("rules/acme/acme/acme.flux-limit.yaml", include_str!("world/acme.flux-limit.yaml")),
    ("rules/acme/acme/acme.trying-again.yaml", include_str!("world/acme.trying-again.yaml")),
    ("fixtures/acme/acme.plasma.yaml", include_str!("world/fixtures/acme.plasma.yaml")),
    ("fixtures/acme/acme.flux-limit.yaml", include_str!("world/fixtures/acme.flux-limit.yaml")),
    ("fixtures/acme/acme.trying-again.yaml", include_str!("world/fixtures/acme.trying-again.yaml")),
];

/// The arguments that choose the tests' pack alone.
pub(crate) const ACME: [&str; 5] = ["--no-core", "--rules", "rules/acme", "--trust", "acme"];

/// A folder with the tests' pack.
pub(crate) struct World {
    folder: TempDir,
}

/// What a run printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in FILES {
            world.write(path, text.as_bytes());
        }
        world
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    /// Runs the binary here.
    pub(crate) fn run(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_faultbook"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The binary may end before it has read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Run {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the binary with the tests' pack alone.
    pub(crate) fn acme(&self, command: &str, arguments: &[&str], input: &str) -> Run {
        let all: Vec<&str> = [command].iter().chain(arguments).chain(&ACME).copied().collect();
        self.run(&all, input.as_bytes())
    }
}

impl Run {
    /// The run as a snapshot shows it. Digests change with every rule and are left out.
    pub(crate) fn shown(&self) -> String {
        let text = format!("status: {}\n--- stdout\n{}--- stderr\n{}", self.status, self.stdout, self.stderr);
        let mut shown = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find("sha256:") {
            let (before, digest) = rest.split_at(at + "sha256:".len());
            shown.push_str(before);
            shown.push('…');
            rest = digest.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        }
        shown + rest
    }

    /// The JSON values of the output, one a line.
    pub(crate) fn values(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
