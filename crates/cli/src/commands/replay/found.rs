//! The recordings that the arguments name: files, standard input, and folders with all that lies in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::input::Source;

/// How deep folders are searched.
const MAX_DEPTH: usize = 16;
/// The most files that are found in folders.
const MAX_FILES: usize = 100_000;

/// A source of one recording.
#[derive(Debug)]
pub(super) struct Found {
    /// Where it is.
    pub(super) source: Source,
    /// Whether the arguments name it, rather than a folder above it.
    pub(super) is_named: bool,
}

/// The sources in the order of the arguments; those of a folder in the order of their paths.
pub(super) fn sources(files: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    for source in Source::of(files) {
        match &source {
            Source::File(folder) if folder.is_dir() => {
                let mut inside = Vec::new();
                search(folder, 0, &mut inside)?;
                inside.sort();
                if inside.is_empty() {
                    let message = format!("there is no *.json in `{}`", folder.display());
                    return Err(Failure::usage(message, "name recordings, or a folder with recordings"));
                }
                let inside = inside.into_iter().map(Source::File);
                found.extend(inside.map(|source| Found { source, is_named: false }));
            }
            Source::File(_) | Source::Standard => found.push(Found { source, is_named: true }),
        }
    }
    Ok(found)
}

/// Links to folders are not followed, so that no search goes in circles.
fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::File { path: folder.display().to_string(), verb: "read", error };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if is_folder && depth < MAX_DEPTH {
            search(&path, depth + 1, found)?;
        } else if !is_folder && path.extension().is_some_and(|end| end == "json") && found.len() < MAX_FILES {
            found.push(path);
        }
    }
    Ok(())
}
