//! Loading packs: from a folder or from memory, with all problems of all files at once.
//!
//! A file goes through the same steps whatever its origin: encoding, YAML, schema version, the published JSON
//! Schema, and what a schema cannot say. A file that fails one step still contributes what can be said without it,
//! so an author sees everything in one run. Packs are hostile input: files, bytes, levels and problems are
//! bounded, and nothing outside the folder is read.

mod atoms;
mod bands;
mod codes;
mod companions;
mod condition;
mod findings;
mod folder;
mod hints;
mod ids;
mod kinds;
mod overlay;
mod patterns;
mod rules;
mod schemas;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use faultbook_document::{Diagnostic, Document, Limits, SchemaError, Severity, Source};
use semver::Version;

use crate::rule::{AmbiguousValue, Manifest, Pack, Retired, Rule};
use findings::Findings;
use schemas::{PackFileKind, Schemas};

pub use codes::CODES;
pub use overlay::read_overlay;
pub use schemas::FileKind;

/// The most files of a pack.
pub const MAX_FILES: usize = 10_000;
/// The most bytes of a pack's files together: 64 MiB.
pub const MAX_PACK_BYTES: u64 = 64 * 1024 * 1024;
/// The most problems of a pack that are reported.
const MAX_PROBLEMS: usize = 1_000;

/// A pack that can be used, with what its author should still look at.
#[derive(Debug)]
pub struct LoadedPack {
    /// The pack.
    pub pack: Pack,
    /// Problems that do not stand in the way, sorted by file and line.
    pub warnings: Vec<Diagnostic>,
    /// The file of each rule, by id, for diagnostics that point into it.
    pub documents: BTreeMap<String, Document>,
}

/// Loads a pack from its folder: `pack.yaml`, optionally `ambiguous.yaml` and `retired.yaml`, and one rule in
/// every other `.yaml` file, in folders of any name.
///
/// # Errors
/// All problems of all files, sorted by file and line, warnings included.
pub fn load_folder(folder: &Path) -> Result<LoadedPack, Vec<Diagnostic>> {
    let read = folder::Folder::read(folder);
    let files = read.files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice()));
    load(&folder.display().to_string(), files, read.problems)
}

/// Loads a pack from memory. `shown_root` is put before the files' paths where they are shown to people; the paths
/// are those inside the pack's folder, with `/` between the steps.
///
/// # Errors
/// All problems of all files, sorted by file and line, warnings included.
pub fn load_files<'f>(
    shown_root: &str,
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
) -> Result<LoadedPack, Vec<Diagnostic>> {
    load(shown_root, files, Vec::new())
}

fn load<'f>(
    root: &str,
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
    mut problems: Vec<Diagnostic>,
) -> Result<LoadedPack, Vec<Diagnostic>> {
    let files: Vec<(&str, &[u8])> = files.into_iter().filter(|(path, _)| path.ends_with(".yaml")).collect();
    // A rule that cannot be read still exists, so nothing that names it is at fault.
    let stems: BTreeSet<&str> = files.iter().map(|(path, _)| stem(path)).collect();
    let schemas = Schemas::new().map_err(|error| vec![schema_unusable(root, &error)])?;
    let files = collect(root, files, &mut problems, &schemas);
    let manifest = files.iter().find(|file| file.kind == PackFileKind::Manifest);
    let is_known = |file: &str| problems.iter().any(|one| one.file == file);
    if manifest.is_none() && !is_known(root) && !is_known(&shown(root, "pack.yaml")) {
        let message = "the pack has no file `pack.yaml`";
        let help = "add it: who the pack is, its version, and the engine that it needs";
        problems.push(Diagnostic::of_file(codes::MISSING_MANIFEST, root, message).with_help(help));
    }
    let ambiguous: Vec<AmbiguousValue> = of_kind(&files, PackFileKind::Ambiguous)
        .flat_map(|file| companions::ambiguous_values(&file.document))
        .collect();
    let own = manifest.and_then(|file| {
        let mut findings = Findings::new(&file.document, None);
        let version = companions::manifest(&file.document, &mut findings);
        problems.extend(findings.into_problems());
        version
    });
    for file in &files {
        problems.extend(file.check(&ambiguous, own.as_ref()));
    }
    let rules: Vec<&Document> = of_kind(&files, PackFileKind::Rule).map(|file| &file.document).collect();
    let retired = of_kind(&files, PackFileKind::Retired).next().map(|file| &file.document);
    problems.extend(ids::check(&rules, retired, &stems));
    let problems = sorted(problems);
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return Err(problems);
    }
    assemble(files, problems)
}

/// A file whose text could be read; whether it satisfies its schema is another matter.
struct Reading {
    path: String,
    kind: PackFileKind,
    document: Document,
    /// False for a file of another version, about which nothing more can be said.
    is_readable: bool,
}

fn of_kind(files: &[Reading], kind: PackFileKind) -> impl Iterator<Item = &Reading> {
    files.iter().filter(move |file| file.kind == kind && file.is_readable)
}

/// Reads the files within bounds, in the order of their paths.
fn collect(
    root: &str,
    mut files: Vec<(&str, &[u8])>,
    problems: &mut Vec<Diagnostic>,
    schemas: &Schemas,
) -> Vec<Reading> {
    files.sort_by_key(|(path, _)| *path);
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    if files.len() > MAX_FILES || u64::try_from(bytes).is_ok_and(|bytes| bytes > MAX_PACK_BYTES) {
        let message = format!("the pack has more than {MAX_FILES} files or {MAX_PACK_BYTES} bytes");
        let help = "split it into several packs";
        problems.push(Diagnostic::of_file(codes::PACK_TOO_LARGE, root, message).with_help(help));
        return Vec::new();
    }
    let mut readings = Vec::new();
    for (path, bytes) in files {
        if problems.len() > MAX_PROBLEMS {
            break;
        }
        match read(root, path, bytes, schemas) {
            Ok((reading, found)) => {
                readings.push(reading);
                problems.extend(found);
            }
            Err(found) => problems.extend(found),
        }
    }
    readings
}

/// Encoding, YAML, version and schema of one file.
fn read(
    root: &str,
    path: &str,
    bytes: &[u8],
    schemas: &Schemas,
) -> Result<(Reading, Vec<Diagnostic>), Vec<Diagnostic>> {
    let kind = PackFileKind::of(path);
    let named = |mut problem: Diagnostic| {
        // The id cannot be read, but the file's name stands for it.
        problem.rule = (kind == PackFileKind::Rule).then(|| stem(path).to_owned());
        problem
    };
    let source = Source::from_bytes(shown(root, path), bytes).map_err(|problem| vec![named(*problem)])?;
    let document = Document::parse(source, &Limits::default())
        .map_err(|problems| problems.into_iter().map(named).collect::<Vec<_>>())?;
    let mut findings = Findings::new(&document, rule_id(&document, kind));
    let is_readable = versions::is_supported(&document, kind.file_kind(), &mut findings);
    if is_readable {
        findings.extend(schemas.of(kind).validate(&document));
    }
    let problems = findings.into_problems();
    Ok((Reading { path: path.to_owned(), kind, document, is_readable }, problems))
}

fn rule_id(document: &Document, kind: PackFileKind) -> Option<&str> {
    let id = document.json().get("id").and_then(serde_json::Value::as_str);
    id.filter(|_| kind == PackFileKind::Rule)
}

impl Reading {
    /// What the schema cannot say about the file on its own.
    fn check(&self, ambiguous: &[AmbiguousValue], own: Option<&Version>) -> Vec<Diagnostic> {
        let mut findings = Findings::new(&self.document, rule_id(&self.document, self.kind));
        match self.kind {
            _ if !self.is_readable => {}
            PackFileKind::Rule => {
                rules::check(&self.document, stem(&self.path), ambiguous, &mut findings);
                versions::no_later(self.document.json().get("since"), "/since", own, &mut findings);
            }
            PackFileKind::Ambiguous => companions::ambiguous(&self.document, &mut findings),
            PackFileKind::Retired => companions::retired(&self.document, own, &mut findings),
            // Checked first, since the others need its version.
            PackFileKind::Manifest => {}
        }
        findings.into_problems()
    }
}

/// The typed pack, from files without errors.
fn assemble(files: Vec<Reading>, warnings: Vec<Diagnostic>) -> Result<LoadedPack, Vec<Diagnostic>> {
    let mut manifest: Option<Manifest> = None;
    let (mut ambiguous, mut retired) = (Vec::new(), Vec::new());
    let mut rules = Vec::new();
    let mut documents = BTreeMap::new();
    let mut problems = Vec::new();
    for file in files {
        let outcome = match file.kind {
            PackFileKind::Manifest => file.document.read().map(|found| manifest = Some(found)),
            PackFileKind::Ambiguous => {
                ambiguous.extend(companions::ambiguous_values(&file.document));
                Ok(())
            }
            PackFileKind::Retired => file.document.read::<Retired>().map(|found| retired = found.retired),
            PackFileKind::Rule => file.document.read::<Rule>().map(|rule| {
                documents.insert(rule.id.clone(), file.document);
                rules.push(rule);
            }),
        };
        problems.extend(outcome.err().map(|problem| *problem));
    }
    rules.sort_by(|left: &Rule, right: &Rule| left.id.cmp(&right.id));
    match manifest {
        Some(manifest) if problems.is_empty() => {
            Ok(LoadedPack { pack: Pack { manifest, rules, ambiguous, retired }, warnings, documents })
        }
        Some(_) | None => Err(problems),
    }
}

/// A file's name without its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".yaml").unwrap_or(name)
}

/// A path inside the pack as people see it.
fn shown(root: &str, path: &str) -> String {
    if root.is_empty() { path.to_owned() } else { format!("{}/{path}", root.trim_end_matches('/')) }
}

/// A committed schema that does not compile; a test makes sure that it never happens.
fn schema_unusable(file: &str, error: &SchemaError) -> Diagnostic {
    Diagnostic::of_file(faultbook_document::codes::SCHEMA_VIOLATION, file, error.to_string())
}

/// By file and line, each once, and no more than anyone would read.
fn sorted(mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    problems.sort_by(|left, right| left.order().cmp(&right.order()));
    problems.dedup();
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        let file = problems.last().map_or(String::new(), |problem| problem.file.clone());
        let message = format!("the pack has more problems; the first {MAX_PROBLEMS} are shown");
        problems.push(Diagnostic::of_file(faultbook_document::codes::TOO_MANY_PROBLEMS, &file, message));
    }
    problems
}
