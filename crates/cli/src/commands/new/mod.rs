//! `faultbook new`: a rule and its suite, scaffolded from real evidence.

mod draft;
mod propose;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use faultbook::adapters::Recording;
use faultbook::adapters::recording::MAX_RECORDING_BYTES;
use faultbook::{Catalogue, Code, Diagnostic, Envelope, PackTrust, core_pack};
use faultbook_engine::pack::{LoadedPack, load_files, load_folder};
use faultbook_engine::rule::Pack;
use serde_json::Value;

use crate::failure::{Ended, Failure};
use crate::input::{EvidenceReader, Kind, Source, TextFacts};
use crate::output::{Output, Palette};
use crate::packs::today;
use crate::view;
use draft::Draft;
use propose::Proposal;

/// Scaffold a rule and its suite from a pasted error, an envelope or a recording
///
/// Picks the value or the words that tell this failure from others, writes an experimental rule for them and a suite
/// with one positive case and two near misses, and shows what the catalogue with the new rule says about the
/// evidence. Secrets are taken out of the evidence. Nothing is ever overwritten.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct New {
    /// The code that the evidence means; `faultbook list codes` explains them
    #[arg(long, value_name = "CODE", value_parser = code(), hide_possible_values = true)]
    code: Code,
    /// The evidence: what an agent printed, an envelope, or a recording; standard input where it is absent
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The rule's id, as family.name; proposed where it is absent
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The pack's folder
    #[arg(long, value_name = "DIR", default_value = "rules/core")]
    pack: PathBuf,
    /// The folder with the suites of all packs [default: fixtures, beside the packs]
    #[arg(long, value_name = "DIR")]
    fixtures: Option<PathBuf>,
    /// A public page on which the error can be seen
    #[arg(long, value_name = "URL")]
    reference: Option<String>,
    /// Prints the two files instead of writing them
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    facts: TextFacts,
}

const EXAMPLES: &str = "\
Examples:
  From a pasted error of Codex:
    pbpaste | faultbook new --code model_capacity --agent codex --channel stderr

  From a recording, into a pack of your own:
    faultbook new --code quota_limited --from run.json --pack rules/acme

  Next, complete the near misses in the suite and run:
    faultbook check --bless";

fn code() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str())).try_map(|name| name.parse::<Code>())
}

/// The most bytes of evidence that are read.
const MAX_EVIDENCE_BYTES: u64 = MAX_RECORDING_BYTES as u64;

impl New {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let pack = load_folder(&self.pack).map_err(broken)?;
        let (envelope, recording) = self.evidence()?;
        let others = self.others(&pack.pack)?;
        let is_taken = |id: &str| {
            let mut packs = others.iter().chain([&pack.pack]);
            packs.any(|pack| {
                pack.rules.iter().any(|rule| rule.id == id) || pack.retired.iter().any(|old| old.id == id)
            })
        };
        let proposal = Proposal::of(&envelope, &pack.pack.ambiguous).ok_or_else(|| {
            let help = "give more of what was printed, or name its channel: --channel stderr, event, http, …";
            Failure::usage("nothing in the evidence tells this failure from others", help)
        })?;
        let id = match &self.id {
            Some(id) if is_taken(id) => {
                return Err(Failure::usage(
                    format!("the id `{id}` is taken"),
                    "ids are never reused; choose another",
                ));
            }
            Some(id) => id.clone(),
            None => proposal.id(&envelope, is_taken),
        };
        let draft = Draft {
            id,
            code: self.code,
            proposal: &proposal,
            envelope: &envelope,
            reference: self.reference.as_deref(),
            recording: recording.as_deref(),
            since: &pack.pack.manifest.version,
            today: &today(),
        };
        let paths = self.paths(&pack, &draft.id);
        let texts =
            (draft.rule(&schema_line(&paths.0, "rule"))?, draft.suite(&schema_line(&paths.1, "fixture"))?);
        let catalogue = self.try_out(&pack, others, &paths.0, &texts.0)?;
        let told = catalogue.explain(&envelope);
        if !told.matches.iter().any(|matched| matched.rule == draft.id) {
            let message = format!("a rule for {} would not match the evidence", proposal.evidence);
            let help =
                "write the rule by hand: CONTRIBUTING says how; `faultbook explain` shows the statements";
            return Err(Failure::usage(message, help));
        }
        let place = "the evidence, with the new rule";
        self.finish(&paths, &texts, &view::explanation(place, &told, &catalogue, Palette::of_output()))
    }

    /// The evidence, and the id of the recording that it comes from.
    fn evidence(&self) -> Result<(Envelope, Option<String>), Failure> {
        let source = self.from.clone().map_or(Source::Standard, Source::File);
        let path = source.name().to_string();
        let text = source.read_text(MAX_EVIDENCE_BYTES).map_err(|error| Failure::File {
            path: path.clone(),
            verb: "read",
            error,
        })?;
        let unusable =
            |why: String| Failure::usage(format!("{path}: {why}"), "give an envelope, a recording or text");
        if text.trim().is_empty() {
            return Err(unusable("there is no evidence in it".to_owned()));
        }
        let schema = serde_json::from_str::<Value>(&text)
            .ok()
            .and_then(|value| Some(value.get("schema")?.as_str()?.to_owned()));
        if schema.is_some_and(|schema| schema.starts_with("faultbook.recording/")) {
            let recording = Recording::read(&text).map_err(|error| unusable(error.to_string()))?;
            let turn = recording
                .answering_turn()
                .ok_or_else(|| unusable("the recording holds no turn".to_owned()))?;
            return Ok((turn.envelope, Some(recording.id)));
        }
        let reader = EvidenceReader::new(Kind::Auto, self.facts.clone());
        let mut envelope =
            reader.read(text.as_bytes(), 0, "new").map_err(|error| unusable(error.to_string()))?;
        envelope.id = None;
        Ok((envelope, None))
    }

    /// The packs that the new rule stands beside.
    fn others(&self, pack: &Pack) -> Result<Vec<Pack>, Failure> {
        let core = core_pack().map_err(broken)?;
        Ok(if pack.manifest.id == core.pack.manifest.id { Vec::new() } else { vec![core.pack] })
    }

    /// Where the rule and its suite go.
    fn paths(&self, pack: &LoadedPack, id: &str) -> (PathBuf, PathBuf) {
        let family = id.split('.').next().unwrap_or(id);
        let beside = self.pack.parent().and_then(Path::parent).unwrap_or(Path::new("")).join("fixtures");
        let fixtures = self.fixtures.clone().unwrap_or(beside).join(&pack.pack.manifest.id);
        (self.pack.join(family).join(format!("{id}.yaml")), fixtures.join(format!("{id}.yaml")))
    }

    /// Loads the rule as it will be loaded, and compiles it beside the others.
    fn try_out(
        &self,
        pack: &LoadedPack,
        others: Vec<Pack>,
        path: &Path,
        text: &str,
    ) -> Result<Catalogue, Failure> {
        let inside = path.strip_prefix(&self.pack).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let read = |name: &str| std::fs::read(self.pack.join(name)).ok();
        let mut files: Vec<(String, Vec<u8>)> = vec![(inside, text.as_bytes().to_vec())];
        for name in ["pack.yaml", "ambiguous.yaml", "retired.yaml"] {
            files.extend(read(name).map(|bytes| (name.to_owned(), bytes)));
        }
        let shown = self.pack.display().to_string();
        let own = load_files(&shown, files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
            .map_err(broken)?;
        let mut whole = pack.pack.clone();
        whole.rules.extend(own.pack.rules);
        let packs = others.into_iter().chain([whole]).map(|pack| (pack, PackTrust::Trusted)).collect();
        Catalogue::compile(packs, None).map_err(|errors| Failure::Problems {
            subject: "the new rule",
            diagnostics: Vec::new(),
            conflicts: errors.iter().map(ToString::to_string).collect(),
        })
    }

    fn finish(
        &self,
        paths: &(PathBuf, PathBuf),
        texts: &(String, String),
        told: &str,
    ) -> Result<Ended, Failure> {
        let mut output = Output::standard();
        let files = [(&paths.0, &texts.0), (&paths.1, &texts.1)];
        if self.dry_run {
            for (path, text) in files {
                writeln!(output, "# {}\n{text}", path.display())?;
            }
            output.finish()?;
            return Ok(Ended::Done);
        }
        for (path, _) in files {
            if path.exists() {
                let message = format!("`{}` is there already", path.display());
                return Err(Failure::usage(message, "nothing was written; choose another id with --id"));
            }
        }
        for (path, text) in files {
            create(path, text).map_err(|error| Failure::File {
                path: path.display().to_string(),
                verb: "create",
                error,
            })?;
            writeln!(output, "created {}", path.display())?;
        }
        writeln!(
            output,
            "\n{told}\nNext: read the rule, complete the near misses, then run `faultbook test`."
        )?;
        output.finish()?;
        Ok(Ended::Done)
    }
}

/// The comment that lets editors find the schema, where a folder `schemas` above the file holds it.
fn schema_line(path: &Path, name: &str) -> String {
    let schema = format!("schemas/{name}.schema.json");
    let Ok(absolute) = std::path::absolute(path) else { return String::new() };
    // The first ancestor is the file itself, the second its folder.
    let mut folders = absolute.ancestors().skip(1).enumerate();
    folders.find(|(_, folder)| folder.join(&schema).is_file()).map_or_else(String::new, |(steps, _)| {
        format!("# yaml-language-server: $schema={}{schema}\n", "../".repeat(steps))
    })
}

/// Creates a file that is not there yet, with its folders.
fn create(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

fn broken(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Problems { subject: "the pack", diagnostics, conflicts: Vec::new() }
}
