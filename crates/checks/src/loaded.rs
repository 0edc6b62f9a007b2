//! Packs with their suites and the honeypot, as the checks need them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use faultbook_document::{Diagnostic, Document, Severity};
use faultbook_engine::pack::{self, LoadedPack};
use faultbook_engine::rule::Pack;
use faultbook_engine::{Catalogue, CompileError, PackTrust};

use crate::fixture::{self, Suite};
use crate::honeypot::{self, Bait};

faultbook_document::diagnostic_codes! {
    CATALOGUE_REFUSED = "catalogue-refused": "Packs that are sound on their own cannot be loaded together.";
}

/// The folder among the fixtures that holds the honeypot.
const HONEYPOT: &str = "honeypot";

/// A loaded pack with its suites.
#[derive(Debug)]
pub struct CheckedPack {
    /// The pack.
    pub loaded: LoadedPack,
    /// Its suites, by the order of their files.
    pub suites: Vec<Suite>,
    /// Whether every suite could be read; where not, a rule may seem to have none.
    pub has_all_suites: bool,
}

/// Packs with their suites, and the honeypot.
#[derive(Debug, Default)]
pub struct Checked {
    /// The packs, in the order in which they were given: a later one is written beside the earlier ones.
    pub packs: Vec<CheckedPack>,
    /// The honeypot of all fixture folders.
    pub baits: Vec<Bait>,
}

impl Checked {
    /// Loads packs from their folders, and their suites from `<fixtures>/<pack id>`. What can be used is returned
    /// beside every problem.
    #[must_use]
    pub fn load(pack_folders: &[PathBuf], fixture_folders: &[PathBuf]) -> (Self, Vec<Diagnostic>) {
        let mut loaded = Vec::new();
        let mut problems = Vec::new();
        for folder in pack_folders {
            match pack::load_folder(folder) {
                Ok(pack) => loaded.push(pack),
                Err(found) => {
                    problems.extend(found);
                    problems.extend(suite_problems(folder, fixture_folders));
                }
            }
        }
        let (checked, found) = Self::of(loaded, fixture_folders);
        problems.extend(found);
        (checked, problems)
    }

    /// Reads the suites of packs that were loaded already, such as an embedded one.
    #[must_use]
    pub fn of(packs: Vec<LoadedPack>, fixture_folders: &[PathBuf]) -> (Self, Vec<Diagnostic>) {
        let mut checked = Self::default();
        let mut problems = Vec::new();
        for loaded in packs {
            problems.extend(loaded.warnings.iter().cloned());
            let (suites, found) = suites(&loaded.pack.manifest.id, fixture_folders);
            let has_all_suites = found.iter().all(|problem| problem.severity != Severity::Error);
            problems.extend(found);
            checked.packs.push(CheckedPack { loaded, suites, has_all_suites });
        }
        for folder in fixture_folders.iter().map(|folder| folder.join(HONEYPOT)).filter(|one| one.is_dir()) {
            let (baits, found) = honeypot::read_honeypot(&folder);
            checked.baits.extend(baits);
            problems.extend(found);
        }
        (checked, problems)
    }

    /// The packs up to and with the one at `last`, as the engine takes them.
    #[must_use]
    pub fn packs_until(&self, last: usize) -> Vec<Pack> {
        self.packs.iter().take(last.saturating_add(1)).map(|pack| pack.loaded.pack.clone()).collect()
    }

    /// The file of a rule.
    #[must_use]
    pub fn document(&self, rule: &str) -> Option<&Document> {
        self.packs.iter().find_map(|pack| pack.loaded.documents.get(rule))
    }

    /// Compiles packs as trusted ones: what their rules may authorise is the host's decision, not theirs.
    ///
    /// # Errors
    /// What does not compile, shown where the rule stands.
    pub fn compile(&self, packs: Vec<Pack>) -> Result<Catalogue, Vec<Diagnostic>> {
        let packs = packs.into_iter().map(|pack| (pack, PackTrust::Trusted)).collect();
        Catalogue::compile(packs, None)
            .map_err(|errors| errors.iter().map(|error| self.refusal(error)).collect())
    }

    fn refusal(&self, error: &CompileError) -> Diagnostic {
        let id = match error {
            CompileError::DuplicateRule { id, .. }
            | CompileError::Rule { id, .. }
            | CompileError::UnknownOverlayRule { id, .. }
            | CompileError::Collision { first: id, .. }
            | CompileError::DuplicatePack(id) => id,
        };
        let files: Vec<&Document> =
            self.packs.iter().filter_map(|pack| pack.loaded.documents.get(id)).collect();
        let Some((last, others)) = files.split_last() else {
            return Diagnostic::of_file(CATALOGUE_REFUSED, id, error.to_string());
        };
        let mut problem = last.error(CATALOGUE_REFUSED, &last.locate("/id"), error.to_string()).with_rule(id);
        for other in others {
            problem = problem.with_related(other.source(), other.locate("/id").span, "the same id");
        }
        problem.with_help("give the later rule an id of its own")
    }

    /// The files of all rules, by id.
    #[must_use]
    pub fn documents(&self) -> BTreeMap<&str, &Document> {
        let all = self.packs.iter().flat_map(|pack| &pack.loaded.documents);
        all.map(|(id, document)| (id.as_str(), document)).collect()
    }
}

/// The suites of a pack in all fixture folders.
fn suites(pack: &str, fixture_folders: &[PathBuf]) -> (Vec<Suite>, Vec<Diagnostic>) {
    let mut suites = Vec::new();
    let mut problems = Vec::new();
    for folder in fixture_folders.iter().map(|folder| folder.join(pack)).filter(|one| one.is_dir()) {
        let (found, why) = fixture::read_folder(pack, &folder);
        suites.extend(found);
        problems.extend(why);
    }
    (suites, problems)
}

/// What is wrong with the suites of a pack that does not load; its folder's name stands for its id.
fn suite_problems(folder: &Path, fixture_folders: &[PathBuf]) -> Vec<Diagnostic> {
    let id = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if id.is_empty() { Vec::new() } else { suites(id, fixture_folders).1 }
}
