//! Rules for every source file: a module doc, a size, and words that do not belong.

use std::fs;
use std::path::Path;

use crate::root;

/// The most lines of a source file. It may only go down.
const MAX_LINES: usize = 500;

/// A source file of the workspace.
pub(crate) struct SourceFile {
    /// Its path from the root of the workspace.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: String,
}

impl SourceFile {
    /// The text without its inline tests.
    pub(crate) fn code(&self) -> &str {
        self.text.split("\n#[cfg(test)]").next().unwrap_or(&self.text)
    }
}

/// Every Rust file of the workspace, by path.
pub(crate) fn rust_files() -> Vec<SourceFile> {
    let root = root();
    let mut files = Vec::new();
    for folder in ["crates", "tests", "xtask"] {
        collect(&root, &root.join(folder), &mut files);
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && let Ok(text) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.push(SourceFile { path, text });
        }
    }
}

/// Words that do not belong in a source file, each with the reason.
fn unwanted() -> [(String, &'static str); 6] {
    [
        (["to", "do!("].concat(), "finish it"),
        (["FIX", "ME"].concat(), "mend it"),
        (["#[ign", "ore"].concat(), "a test that does not run says nothing"),
        (["mod ut", "ils"].concat(), "name the idea"),
        (["_mana", "ger"].concat(), "name what it does"),
        (["#[should_", "panic"].concat(), "test the error instead"),
    ]
}

/// Checks every file.
pub(crate) fn check(files: &[SourceFile]) -> Vec<String> {
    let unwanted = unwanted();
    let mut problems = Vec::new();
    for SourceFile { path, text } in files {
        if !text.starts_with("//!") {
            problems.push(format!("{path}:1: begin with `//!`: what is this module for?"));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            problems.push(format!("{path}: {lines} lines; at most {MAX_LINES}, cut it by ideas"));
        }
        for (number, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                problems.push(format!("{path}:{}: blanks at the end of the line", number + 1));
            }
            for (word, reason) in &unwanted {
                if line.contains(word.as_str()) {
                    problems.push(format!("{path}:{}: `{word}`: {reason}", number + 1));
                }
            }
        }
    }
    problems
}
