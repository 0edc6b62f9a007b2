//! `faultbook diff`: how the answers of two versions of a pack differ, and the version that this needs.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anstyle::Style;
use clap::Args;
use faultbook::{Catalogue, Diagnostic, PackTrust, core_pack};
use faultbook_checks::bump::{Bump, Comparison, Diff as Changes, Edition};
use faultbook_checks::fixture::{Suite, read_folder, read_suite};
use faultbook_checks::score::for_each_record;
use faultbook_document::{Colours, render};
use faultbook_engine::pack::{LoadedPack, load_files, load_folder};

use crate::failure::{Ended, Failure};
use crate::output::{Format, Output, Palette};
use crate::view::{Table, counted};

/// How many changed answers are shown of each kind.
const SHOWN_CHANGES: usize = 40;

/// Compare two versions of a pack and name the version bump that the difference needs
///
/// Every case of both versions' suites, and every record of the corpora, is answered by both. Another code for
/// evidence that had one is major; a new rule, a newly recognised case or another confidence is minor; wording,
/// references and more precise hints are a patch. Exit code 1 means that the new version is too small a step.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Diff {
    /// OLD and NEW, the folders of two versions; with --base only NEW [default: rules/core]
    #[arg(value_name = "PACK", num_args = 0..=2)]
    folders: Vec<PathBuf>,
    /// Compares with the pack as it was at a commit, branch or tag
    #[arg(long, value_name = "GITREF")]
    base: Option<String>,
    /// The folder with the suites of all packs [default: fixtures, beside the packs]
    #[arg(long, value_name = "DIR")]
    fixtures: Option<PathBuf>,
    /// A labelled corpus that both versions answer, too
    #[arg(long, value_name = "FILE")]
    corpus: Vec<PathBuf>,
    /// How the difference is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
    faultbook diff --base v1.2.0
    faultbook diff --base origin/main rules/acme --corpus corpus.jsonl
    faultbook diff ../before/rules/core rules/core";

/// A pack with its suites and its catalogue.
struct Version {
    pack: LoadedPack,
    suites: Vec<Suite>,
    catalogue: Catalogue,
    manifest: String,
}

impl Version {
    fn edition(&self) -> Edition<'_> {
        Edition {
            pack: &self.pack,
            catalogue: &self.catalogue,
            suites: &self.suites,
            manifest: &self.manifest,
        }
    }
}

impl Diff {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let (old, new) = match (&self.base, self.folders.as_slice()) {
            (Some(base), []) => self.since(base, Path::new("rules/core"))?,
            (Some(base), [new]) => self.since(base, new)?,
            (None, [old, new]) => (self.in_folder(old)?, self.in_folder(new)?),
            (Some(_), _) | (None, _) => {
                let help = "name two folders, or one and --base GITREF";
                return Err(Failure::usage("there are not two versions to compare", help));
            }
        };
        let mut comparison = Comparison::of(old.edition(), new.edition());
        for corpus in &self.corpus {
            add_corpus(&mut comparison, corpus)?;
        }
        self.write(&comparison.finish())
    }

    fn since(&self, base: &str, folder: &Path) -> Result<(Version, Version), Failure> {
        let new = self.in_folder(folder)?;
        let files = git_files(folder, base)?;
        let shown = format!("{base}:{}", folder.display());
        let pack = load_files(&shown, files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
            .map_err(broken)?;
        let fixtures = self.fixtures_of(folder, &pack);
        let mut suites = Vec::new();
        if fixtures.is_dir() {
            for (name, bytes) in
                git_files(&fixtures, base)?.iter().filter(|(name, _)| name.ends_with(".yaml"))
            {
                suites.extend(read_suite(&pack.pack.manifest.id, name, bytes).0);
            }
        }
        Ok((version(pack, suites, format!("{shown}/pack.yaml"))?, new))
    }

    fn in_folder(&self, folder: &Path) -> Result<Version, Failure> {
        let pack = load_folder(folder).map_err(broken)?;
        let fixtures = self.fixtures_of(folder, &pack);
        let suites =
            if fixtures.is_dir() { read_folder(&pack.pack.manifest.id, &fixtures).0 } else { Vec::new() };
        version(pack, suites, folder.join("pack.yaml").display().to_string())
    }

    /// `fixtures/<pack>` beside the folder of the packs, unless the arguments name another.
    fn fixtures_of(&self, folder: &Path, pack: &LoadedPack) -> PathBuf {
        let beside = || folder.parent().and_then(Path::parent).unwrap_or(Path::new("")).join("fixtures");
        self.fixtures.clone().unwrap_or_else(beside).join(&pack.pack.manifest.id)
    }

    fn write(&self, changes: &Changes) -> Result<Ended, Failure> {
        let mut output = Output::standard();
        match self.format {
            Format::Human => output.write_all(human(changes).as_bytes())?,
            Format::Json | Format::Jsonl => output.json(changes, self.format)?,
        }
        output.finish()?;
        Ok(if changes.findings.is_empty() { Ended::Done } else { Ended::Findings })
    }
}

/// Compiles a version; a pack other than `core` beside it.
fn version(pack: LoadedPack, suites: Vec<Suite>, manifest: String) -> Result<Version, Failure> {
    let core = core_pack().map_err(broken)?.pack;
    let mut packs = Vec::new();
    if core.manifest.id != pack.pack.manifest.id {
        packs.push((core, PackTrust::Trusted));
    }
    packs.push((pack.pack.clone(), PackTrust::Trusted));
    let catalogue = Catalogue::compile(packs, None).map_err(|errors| Failure::Problems {
        subject: "the packs",
        diagnostics: Vec::new(),
        conflicts: errors.iter().map(ToString::to_string).collect(),
    })?;
    Ok(Version { pack, suites, catalogue, manifest })
}

fn broken(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Problems { subject: "the pack", diagnostics, conflicts: Vec::new() }
}

fn add_corpus(comparison: &mut Comparison<'_>, path: &Path) -> Result<(), Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::File { path: name.clone(), verb: "read", error })?;
    for_each_record(BufReader::new(file), |batch| {
        comparison.add_records(batch.iter().map(|record| (record.id.as_str(), &record.envelope)));
    })
    .map_err(|error| {
        Failure::usage(format!("{name}: {error}"), "`faultbook score --help` says what a record is")
    })
}

/// The files of a folder as they were at a commit, by their path in the folder.
fn git_files(folder: &Path, base: &str) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let commit = git(folder, &["rev-parse", "--verify", "--end-of-options", &format!("{base}^{{commit}}")])?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let listed = git(folder, &["ls-tree", "-r", "-z", "--name-only", &commit, "."])?;
    let names = String::from_utf8_lossy(&listed).into_owned();
    let mut files = Vec::new();
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        let bytes = git(folder, &["cat-file", "blob", &format!("{commit}:./{name}")])?;
        files.push((name.to_owned(), bytes));
    }
    Ok(files)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    let failed = |why: &str| {
        let message = format!("git {} in `{}`: {why}", arguments.first().unwrap_or(&""), folder.display());
        Failure::usage(message, "--base needs a git repository and a commit, branch or tag in it")
    };
    let run = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let run = run.map_err(|error| failed(&error.to_string()))?;
    if run.status.success() {
        Ok(run.stdout)
    } else {
        Err(failed(String::from_utf8_lossy(&run.stderr).lines().next().unwrap_or("failed")))
    }
}

fn human(changes: &Changes) -> String {
    let palette = Palette::of_output();
    let mut text = String::new();
    for bump in [Bump::Major, Bump::Minor, Bump::Patch] {
        let of_kind: Vec<_> = changes.changes.iter().filter(|change| change.bump == bump).collect();
        if of_kind.is_empty() {
            continue;
        }
        let style = if bump == Bump::Major { palette.bad } else { palette.strong };
        let _ = writeln!(
            text,
            "{}: {}",
            Palette::paint(style, bump.as_str()),
            counted(of_kind.len(), "changed answer")
        );
        for change in of_kind.iter().take(SHOWN_CHANGES) {
            let words = |answer: &faultbook_checks::bump::Answer| match (answer.code, answer.confidence) {
                (Some(code), Some(confidence)) => format!("{code} ({confidence})"),
                (Some(code), None) => code.to_string(),
                (None, _) => answer.state.to_string(),
            };
            let _ = writeln!(
                text,
                "  {}: {} -> {}",
                change.evidence,
                words(&change.before),
                words(&change.after)
            );
        }
        if of_kind.len() > SHOWN_CHANGES {
            let _ = writeln!(text, "  … and {} more", of_kind.len() - SHOWN_CHANGES);
        }
    }
    let mut table = Table::default();
    for (name, rules) in [
        ("new rules", &changes.new_rules),
        ("gone rules", &changes.gone_rules),
        ("changed rules", &changes.changed_rules),
    ] {
        if !rules.is_empty() {
            table.row([(palette.faint, name.to_owned()), (Style::new(), rules.join(", "))]);
        }
    }
    text.push_str(&table.render(""));
    let colours = if palette.is_plain() { Colours::Plain } else { Colours::Ansi };
    for finding in &changes.findings {
        let _ = writeln!(text, "\n{}", render(finding, colours));
    }
    let (before, after) = &changes.versions;
    let _ = writeln!(
        text,
        "{before} -> {after}: needs {}",
        Palette::paint(palette.strong, changes.needed.as_str())
    );
    text
}
