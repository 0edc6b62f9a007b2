//! Reading a pack's folder without trusting it: bounded, and never outside.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use faultbook_document::{Diagnostic, Limits};

use super::{MAX_FILES, MAX_PACK_BYTES, codes};

/// How many levels of folders a pack may have.
const MAX_LEVELS: usize = 6;
/// How many entries of folders are looked at, whatever they are.
const MAX_ENTRIES: usize = 4 * MAX_FILES;

/// A file of the pack, by its path inside the pack, with `/` between the steps.
pub(super) struct PackFile {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

/// What a folder holds, and what is wrong with it.
pub(super) struct Folder {
    root: PathBuf,
    /// The folder itself, with links resolved.
    home: PathBuf,
    entries: usize,
    bytes: u64,
    pub(super) files: Vec<PackFile>,
    pub(super) problems: Vec<Diagnostic>,
}

impl Folder {
    /// Reads every YAML file below a folder. Hidden entries and files of other kinds are passed over.
    pub(super) fn read(root: &Path) -> Self {
        let mut folder = Self {
            root: root.to_owned(),
            home: PathBuf::new(),
            entries: 0,
            bytes: 0,
            files: Vec::new(),
            problems: Vec::new(),
        };
        match fs::canonicalize(root) {
            Ok(home) if home.is_dir() => {
                folder.home = home;
                folder.walk("", MAX_LEVELS);
            }
            Ok(_) => folder.report(
                codes::UNREADABLE,
                "",
                "this is not a folder",
                "name the folder that holds pack.yaml",
            ),
            Err(error) => folder.unreadable("", &error),
        }
        folder
    }

    /// Reads one level; `inside` is the path of the level within the pack.
    fn walk(&mut self, inside: &str, levels: usize) {
        let entries = match fs::read_dir(self.root.join(inside)) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(inside, &error),
        };
        let mut names = Vec::new();
        for entry in entries {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                let message = format!("the folder has more than {MAX_ENTRIES} entries");
                return self.report(codes::PACK_TOO_LARGE, inside, message, "");
            }
            match entry.map(|entry| entry.file_name().into_string()) {
                Ok(Ok(name)) if name.starts_with('.') => {}
                Ok(Ok(name)) => names.push(name),
                Ok(Err(name)) => {
                    let message = format!("the name {:?} is not UTF-8", name.to_string_lossy());
                    self.report(codes::UNEXPECTED_FILE, inside, message, "rename the file");
                }
                Err(error) => self.unreadable(inside, &error),
            }
        }
        names.sort_unstable();
        for name in names {
            if self.entries > MAX_ENTRIES || self.files.len() > MAX_FILES || self.bytes > MAX_PACK_BYTES {
                return;
            }
            self.entry(&if inside.is_empty() { name } else { format!("{inside}/{name}") }, levels);
        }
    }

    fn entry(&mut self, path: &str, levels: usize) {
        let full = self.root.join(path);
        let kind = match fs::symlink_metadata(&full) {
            Ok(metadata) => metadata.file_type(),
            Err(error) => return self.unreadable(path, &error),
        };
        if kind.is_dir() {
            if levels == 0 {
                let message = format!("folders are nested deeper than {MAX_LEVELS} levels");
                return self.report(codes::PACK_TOO_LARGE, path, message, "move the files up");
            }
            self.walk(path, levels - 1);
        } else if kind.is_symlink() {
            self.link(path, &full);
        } else if kind.is_file() {
            self.file(path, &full);
        } else {
            self.report(codes::UNEXPECTED_FILE, path, "this is neither a file nor a folder", "remove it");
        }
    }

    /// A link may lead to a file inside the pack, as in mounted configuration; to nothing else.
    fn link(&mut self, path: &str, full: &Path) {
        match fs::canonicalize(full) {
            Ok(target) if target.starts_with(&self.home) && target.is_file() => self.file(path, &target),
            Ok(target) if target.starts_with(&self.home) => {
                self.report(codes::LINK_OUTSIDE, path, "the link does not lead to a file", "copy the files");
            }
            Ok(_) => self.report(
                codes::LINK_OUTSIDE,
                path,
                "the link leads out of the pack",
                "copy the file into the pack",
            ),
            Err(_) => self.report(codes::LINK_OUTSIDE, path, "the link leads nowhere", "remove it"),
        }
    }

    fn file(&mut self, path: &str, full: &Path) {
        if !path.ends_with(".yaml") {
            if path.ends_with(".yml") {
                self.report(
                    codes::UNEXPECTED_FILE,
                    path,
                    "files of a pack end in `.yaml`",
                    "rename the file",
                );
            }
            return;
        }
        // One byte more than allowed is read, so that the document reader can say that the file is too large.
        let limit = u64::try_from(Limits::default().bytes).unwrap_or(u64::MAX).saturating_add(1);
        let mut bytes = Vec::new();
        match File::open(full).and_then(|file| file.take(limit).read_to_end(&mut bytes)) {
            Ok(length) => {
                self.bytes = self.bytes.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
                self.files.push(PackFile { path: path.to_owned(), bytes });
            }
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn unreadable(&mut self, path: &str, error: &std::io::Error) {
        self.report(codes::UNREADABLE, path, format!("cannot be read: {error}"), "");
    }

    fn report(&mut self, code: &'static str, path: &str, message: impl Into<String>, help: &str) {
        let shown = if path.is_empty() { self.root.clone() } else { self.root.join(path) };
        let mut problem = Diagnostic::of_file(code, &shown.display().to_string(), message);
        problem.help = (!help.is_empty()).then(|| help.to_owned());
        self.problems.push(problem);
    }
}
