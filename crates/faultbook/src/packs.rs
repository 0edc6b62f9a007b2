//! Which packs a host loads, and loading them.

use std::path::PathBuf;

use faultbook_document::Diagnostic;
use faultbook_engine::pack::{LoadedPack, load_files, load_folder, read_overlay};
use faultbook_engine::rule::{AmbiguousValue, Manifest, Overlay, Pack, Rule, Tombstone};
use faultbook_engine::{Catalogue, CompileError, PackTrust};

/// The files of the `core` pack, by their path in its folder.
static CORE_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/core_pack.rs"));

/// The same pack, already read: loading it needs neither YAML nor its schema, which a test has seen to.
static CORE_JSON: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core_pack.json"));

/// The form of [`CORE_JSON`].
#[derive(serde::Deserialize)]
struct ReadPack {
    manifest: Manifest,
    rules: Vec<Rule>,
    ambiguous: Vec<AmbiguousValue>,
    retired: Vec<Tombstone>,
}

/// The embedded pack as it was read when the library was built; `None` where a file of it was broken then.
fn read_core() -> Option<Pack> {
    let ReadPack { manifest, rules, ambiguous, retired } = serde_json::from_slice(CORE_JSON).ok()?;
    Some(Pack { manifest, rules, ambiguous, retired })
}

/// What is wrong with a set of packs. Every problem of every file is there.
#[derive(Debug, Clone)]
pub struct Problems {
    /// Problems with a place in a file.
    pub diagnostics: Vec<Diagnostic>,
    /// Problems between packs, which each alone is in order.
    pub conflicts: Vec<CompileError>,
}

impl std::fmt::Display for Problems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for diagnostic in &self.diagnostics {
            writeln!(
                f,
                "{}:{}:{}: {}",
                diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.message
            )?;
        }
        for conflict in &self.conflicts {
            writeln!(f, "{conflict}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The packs that a host wants: the embedded `core` pack, folders beside or instead of it, and an overlay.
///
/// ```
/// use faultbook::Packs;
///
/// let catalogue = Packs::core().load()?;
/// assert_eq!(catalogue.packs()[0].id, "core");
/// # Ok::<(), faultbook::Problems>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Packs {
    with_core: bool,
    folders: Vec<(PathBuf, PackTrust)>,
    overlay: Option<(PathBuf, String)>,
}

impl Packs {
    /// The embedded `core` pack, to which more may be added.
    #[must_use]
    pub fn core() -> Self {
        Self { with_core: true, ..Self::default() }
    }

    /// No pack at all, for hosts that bring their own instead of `core`.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds the pack in a folder. Unless it is trusted, its rules inform and authorise nothing.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>, trust: PackTrust) -> Self {
        self.folders.push((folder.into(), trust));
        self
    }

    /// Applies the overlay in a file. `today`, as `YYYY-MM-DD`, decides which of its entries have run out.
    #[must_use]
    pub fn overlay(mut self, file: impl Into<PathBuf>, today: impl Into<String>) -> Self {
        self.overlay = Some((file.into(), today.into()));
        self
    }

    /// Reads every pack and compiles them into one catalogue.
    ///
    /// # Errors
    /// All problems of all files of all packs; equal ids; rules of different codes on the same structured value that
    /// nothing tells apart.
    pub fn load(&self) -> Result<Catalogue, Problems> {
        let mut problems = Problems { diagnostics: Vec::new(), conflicts: Vec::new() };
        let mut packs: Vec<(Pack, PackTrust)> = Vec::new();
        let read = |loaded: Result<LoadedPack, Vec<Diagnostic>>| loaded.map(|loaded| loaded.pack);
        let core =
            self.with_core.then(|| (read_core().map_or_else(|| read(core_pack()), Ok), PackTrust::Trusted));
        let folders = self.folders.iter().map(|(folder, trust)| (read(load_folder(folder)), *trust));
        for (loaded, trust) in core.into_iter().chain(folders) {
            match loaded {
                Ok(pack) => packs.push((pack, trust)),
                Err(diagnostics) => problems.diagnostics.extend(diagnostics),
            }
        }
        let overlay = self.read_overlay(&mut problems);
        if !problems.diagnostics.is_empty() {
            return Err(problems);
        }
        let overlay = overlay.as_ref().map(|(overlay, today)| (overlay, today.as_str()));
        let refuse = |conflicts| Problems { diagnostics: Vec::new(), conflicts };
        let catalogue = Catalogue::compile(packs, overlay).map_err(refuse)?;
        // The embedded pack alone was checked before its release.
        let collisions = if self.folders.is_empty() { Vec::new() } else { catalogue.collisions() };
        if collisions.is_empty() { Ok(catalogue) } else { Err(refuse(collisions)) }
    }

    fn read_overlay(&self, problems: &mut Problems) -> Option<(Overlay, String)> {
        let (file, today) = self.overlay.as_ref()?;
        let name = file.display().to_string();
        let read = std::fs::read(file)
            .map_err(|error| {
                vec![Diagnostic::of_file(
                    "unreadable-file",
                    &name,
                    format!("the overlay cannot be read: {error}"),
                )]
            })
            .and_then(|bytes| read_overlay(&name, &bytes));
        match read {
            Ok(overlay) => Some((overlay, today.clone())),
            Err(diagnostics) => {
                problems.diagnostics.extend(diagnostics);
                None
            }
        }
    }
}

/// Loads the embedded `core` pack with the places of its rules, for tools that check it.
///
/// # Errors
/// Its problems; a released library has none, and a test says so.
pub fn core_pack() -> Result<LoadedPack, Vec<Diagnostic>> {
    load_files("core", CORE_FILES.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_pack_is_what_its_files_say() {
        let loaded = core_pack().unwrap_or_else(|problems| panic!("{problems:#?}"));
        assert!(loaded.warnings.is_empty(), "{:#?}", loaded.warnings);
        let mut from_files = loaded.pack;
        from_files.rules.sort_by(|one, other| one.id.cmp(&other.id));
        let read = read_core().unwrap_or_else(|| panic!("the pack was not read when the library was built"));
        for (read, from_file) in read.rules.iter().zip(&from_files.rules) {
            assert_eq!(read, from_file);
        }
        assert_eq!(read, from_files);
    }

    /// A pack of its own folder, with what its rules ask for.
    fn pack(rules: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap_or_else(|error| panic!("{error}"));
        };
        let manifest = "schema: faultbook.pack/1\nid: own\nversion: 1.0.0\ntitle: A pack of a host\nlicence: MIT\n\
                        engine: \">=1.0.0, <2.0.0\"\ntaxonomy: 1.0.0\n";
        write("pack.yaml", manifest);
        for (id, rest) in rules {
            let head = "revision: 1\ntitle: A rule of a host\nstatus: experimental\nsince: 1.0.0\nconfidence: high\n\
                        band: cause\nreferences:\n  - { url: \"https://example.com\", seen: 2026-11-30 }\n";
            write(&format!("{id}.yaml"), &format!("schema: faultbook.rule/1\nid: {id}\n{head}{rest}"));
        }
        folder
    }

    #[test]
    fn rules_that_meet_on_a_value_are_refused_at_load_time() {
        let field = |code: &str, more: &str| {
            format!("code: {code}\n{more}match:\n  all:\n    - field: {{ at: [/own/cause], equals: shut }}\n")
        };
        for (other, more, is_refused) in [
            ("quota_limited", "", true),
            ("quota_limited", "rank: 60\n", false),
            ("quota_limited", "applies: { agents: [codex] }\n", true),
            ("rate_limited", "", false),
        ] {
            let folder = pack(&[("own.one", &field("rate_limited", "")), ("own.two", &field(other, more))]);
            let loaded = Packs::none().folder(folder.path(), PackTrust::Trusted).load();
            assert_eq!(loaded.is_err(), is_refused, "{other} {more}: {:?}", loaded.err());
        }
    }

    #[test]
    fn folders_of_packs_load_beside_and_instead_of_the_core() {
        let folder = pack(&[]);
        let packs = |packs: Packs| {
            let catalogue = packs.folder(folder.path(), PackTrust::Informing).load();
            let catalogue = catalogue.unwrap_or_else(|problems| panic!("{problems}"));
            catalogue.packs().iter().map(|pack| pack.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(packs(Packs::core()), ["core", "own"]);
        assert_eq!(packs(Packs::none()), ["own"]);
    }
}
