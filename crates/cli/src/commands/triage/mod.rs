//! `faultbook triage`: what nothing recognises yet, sorted into clusters.

mod cluster;

use std::fmt::Write as _;
use std::io::Write as _;

use clap::Args;
use faultbook::adapters::Recording;
use faultbook::{Confidence, Envelope, Explanation, Faultbook, State, sanitise};
use jiff::Timestamp;
use serde::Serialize;

use crate::failure::{Ended, Failure};
use crate::input::{Batch, By, EvidenceReader, InputOptions, Piece, PieceError, Source};
use crate::output::{Format, Output, Palette, error_line};
use crate::packs::PackOptions;
use crate::pipeline::{self, Reading};
use crate::view::{Table, counted, one_line};
use cluster::{Cluster, Clusters, Sighting, template};

/// Sort what is unclassified or only weakly classified into clusters
///
/// Reads logs line by line, envelopes, or recordings (one a line, or with --by file). What changes from case to case
/// is left out, so that the same error counts once, with how often, where and when first and last, an example without secrets,
/// and the rules that almost matched. From a chosen cluster `faultbook new` makes a rule.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Triage {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    packs: PackOptions,
    /// Only clusters that were seen so often
    #[arg(long, value_name = "N", default_value = "1")]
    at_least: u64,
    /// How many clusters are shown
    #[arg(long, value_name = "N", default_value = "25")]
    top: usize,
    /// Leaves out what is classified with medium confidence
    #[arg(long)]
    unclassified_only: bool,
    /// Prints the evidence of one cluster, by its number, for `faultbook new`
    #[arg(long, value_name = "NUMBER")]
    evidence: Option<usize>,
    /// How the clusters are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  What do these logs say that no rule knows?
    faultbook triage --channel log --agent codex *.log

  The third cluster becomes a rule:
    faultbook triage --channel log *.log --evidence 3 | faultbook new --code provider_unavailable";

/// What one batch came to.
#[derive(Default)]
struct Found {
    sightings: Vec<Sighting>,
    problems: Vec<String>,
    total: u64,
}

impl Triage {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        let by = self.input.by.unwrap_or(By::Line);
        let reading = Reading { sources: Source::of(&self.input.files), kind: self.input.input, by };
        let reader = EvidenceReader::new(self.input.input, self.input.facts.clone());
        let worker = Worker { book: self.packs.open()?, reader, with_weak: !self.unclassified_only };
        let mut clusters = Clusters::default();
        let (mut total, mut unreadable) = (0, 0);
        pipeline::run(
            reading,
            move |batch| worker.batch(&batch),
            |found: Found| {
                total += found.total;
                unreadable += found.problems.len() as u64;
                found.problems.iter().for_each(|problem| error_line(problem, None));
                found.sightings.into_iter().for_each(|sighting| clusters.add(sighting));
                Ok(())
            },
        )?;
        let uncounted = clusters.uncounted();
        self.write(&clusters.sorted(self.at_least), total, uncounted)?;
        if unreadable == 0 { Ok(Ended::Done) } else { Err(Failure::PartlyUnreadable(unreadable)) }
    }

    fn write(&self, clusters: &[Cluster], total: u64, uncounted: u64) -> Result<(), Failure> {
        let mut output = Output::standard();
        if let Some(number) = self.evidence {
            let Some(cluster) = number.checked_sub(1).and_then(|index| clusters.get(index)) else {
                let message = format!("there is no cluster {number}; there are {}", clusters.len());
                return Err(Failure::usage(message, "run the same command without --evidence to see them"));
            };
            output.json(&cluster.evidence, Format::Jsonl)?;
            return output.finish();
        }
        let shown: Vec<Numbered<'_>> = clusters
            .iter()
            .take(self.top)
            .enumerate()
            .map(|(index, cluster)| Numbered { number: index + 1, cluster })
            .collect();
        match self.format {
            Format::Human => {
                let text = human(&shown, clusters.len(), total, uncounted);
                output.write_all(text.as_bytes())?;
                output.finish()
            }
            Format::Json | Format::Jsonl => output.list(&shown, self.format),
        }
    }
}

/// A cluster with the number by which `--evidence` knows it.
#[derive(Serialize)]
struct Numbered<'c> {
    number: usize,
    #[serde(flatten)]
    cluster: &'c Cluster,
}

fn human(shown: &[Numbered<'_>], count: usize, total: u64, uncounted: u64) -> String {
    let palette = Palette::of_output();
    let mut text = String::new();
    for Numbered { number, cluster } in shown {
        let weak = cluster.code.map(|code| format!("  weakly {code}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{} {}×{weak}",
            Palette::paint(palette.strong, format!("#{number}")),
            cluster.count
        );
        let mut table = Table::default();
        let mut line = |name: &str, words: String| {
            table.row([(palette.faint, name.to_owned()), (anstyle::Style::new(), words)])
        };
        line("template", cluster.template.clone());
        line("example", one_line(&cluster.example, 160));
        line("seen", format!("{} to {}", cluster.first, cluster.last));
        if let (Some(first), Some(last)) = (cluster.first_seen, cluster.last_seen) {
            line("time", if first == last { first.to_string() } else { format!("{first} to {last}") });
        }
        if !cluster.near_misses.is_empty() {
            line("almost", cluster.near_misses.iter().cloned().collect::<Vec<_>>().join(", "));
        }
        text.push_str(&table.render("   "));
    }
    let _ = writeln!(text, "{} in {total} pieces of evidence", counted(count, "cluster"));
    if uncounted > 0 {
        let _ = writeln!(
            text,
            "{uncounted} more sightings had no room: the evidence has too many different texts"
        );
    }
    text
}

struct Worker {
    book: Faultbook,
    reader: EvidenceReader,
    with_weak: bool,
}

impl Worker {
    fn batch(&self, batch: &Batch) -> Found {
        let mut found = Found::default();
        for piece in &batch.pieces {
            let place = format!("{}:{}", piece.source, piece.line);
            match self.envelopes(batch, piece, &place) {
                Ok(envelopes) => {
                    for envelope in envelopes {
                        found.total += 1;
                        found.sightings.extend(self.sighting(&envelope, &place));
                    }
                }
                Err(problem) => found.problems.push(format!("{place}: {problem}")),
            }
        }
        found
    }

    /// The envelopes of a piece: the turns of a recording, or the one that it is.
    fn envelopes(&self, batch: &Batch, piece: &Piece, place: &str) -> Result<Vec<Envelope>, String> {
        let range = piece.content.as_ref().map_err(|PieceError::Unreadable(error)| error.to_string())?;
        let bytes = batch.bytes(range);
        if bytes.trim_ascii_start().starts_with(b"{")
            && memchr::memmem::find(bytes, b"faultbook.recording/").is_some()
            && let Ok(recording) = Recording::read(&String::from_utf8_lossy(bytes))
        {
            return Ok(recording.turns().into_iter().map(|turn| turn.envelope).collect());
        }
        let envelope = self.reader.read(bytes, piece.forgotten, place).map_err(|error| error.to_string())?;
        Ok(vec![envelope])
    }

    /// The evidence as a sighting, where no rule knows it well.
    fn sighting(&self, envelope: &Envelope, place: &str) -> Option<Sighting> {
        let answer = self.book.classify(envelope);
        let is_weak = self.with_weak && answer.confidence == Some(Confidence::Medium);
        if answer.state != State::Unclassified && !is_weak {
            return None;
        }
        let told = self.book.explain(envelope);
        let words = telling_words(&told)?;
        let near_misses = told.near_misses.iter().take(3).map(|miss| miss.rule.clone()).collect();
        Some(Sighting {
            template: template(&words),
            example: words,
            place: place.to_owned(),
            seen: seen(envelope),
            code: answer.code,
            near_misses,
            evidence: sanitise::sanitise_json(&envelope.to_json().ok()?),
        })
    }
}

/// The earliest and the latest instant that the evidence states.
fn seen(envelope: &Envelope) -> Option<(Timestamp, Timestamp)> {
    let instants = || envelope.signals.iter().filter_map(|signal| signal.at).chain(envelope.occurred_at);
    instants().min().zip(instants().max())
}

/// The words that stand for a piece of evidence: those that a rule matched, else its last telling statement.
fn telling_words(told: &Explanation) -> Option<String> {
    if let Some(excerpt) = &told.classification.excerpt {
        return Some(excerpt.clone());
    }
    let has_words = |words: &&str| words.chars().filter(|c| c.is_alphabetic()).count() > 3;
    let words = || told.statements.iter().rev().map(|statement| statement.words.as_str()).filter(has_words);
    let telling = words().find(|words| cluster::is_telling(words));
    telling.or_else(|| words().next()).map(str::to_owned)
}
