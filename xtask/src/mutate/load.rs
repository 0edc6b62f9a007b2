//! The recordings to damage, and what is expected of them undamaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use faultbook_adapters::Recording;
use serde::Deserialize;

use crate::root;

/// The file that says what is expected of the recordings of its folder.
const EXPECTED: &str = "expected.jsonl";

/// A recording to damage.
pub(super) struct Loaded {
    /// The recording.
    pub(super) recording: Recording,
    /// Whether it should be authorised undamaged; unknown where nothing is expected of it.
    pub(super) is_automatic: Option<bool>,
}

/// A line of the expectations, as far as it concerns decisions.
#[derive(Deserialize)]
struct Expected {
    id: String,
    decision: Option<String>,
}

/// The recordings of files and folders, by path; of the shipped ones where none is named.
pub(super) fn all(paths: &[PathBuf]) -> Result<Vec<Loaded>, String> {
    let shipped = [root().join("fixtures/recordings")];
    let paths = if paths.is_empty() { &shipped } else { paths };
    let mut loaded = Vec::new();
    for path in paths {
        let expected = expected(&path.join(EXPECTED))?;
        let mut files = Vec::new();
        collect(path, &mut files)?;
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let recording = Recording::read(&text).map_err(|error| format!("{}: {error}", file.display()))?;
            let is_automatic = expected.get(&recording.id).copied();
            loaded.push(Loaded { recording, is_automatic });
        }
    }
    if loaded.is_empty() { Err("there are no recordings".to_owned()) } else { Ok(loaded) }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    for entry in fs::read_dir(path).map_err(failed)? {
        let inside = entry.map_err(failed)?.path();
        if inside.is_dir() {
            collect(&inside, files)?;
        } else if inside.extension().is_some_and(|end| end == "json") {
            files.push(inside);
        }
    }
    Ok(())
}

/// By id, whether an automatic action is expected. A folder without the file expects nothing.
fn expected(file: &Path) -> Result<BTreeMap<String, bool>, String> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(BTreeMap::new()) };
    let mut expected = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{}:{}", file.display(), number + 1);
        let Expected { id, decision } =
            serde_json::from_str(line).map_err(|error| format!("{place}: {error}"))?;
        let is_automatic = match decision.as_deref() {
            Some("automatic") => true,
            None => false,
            Some(other) => {
                return Err(format!("{place}: `decision` is `{other}`; write `automatic` or leave it out"));
            }
        };
        expected.insert(id, is_automatic);
    }
    Ok(expected)
}
