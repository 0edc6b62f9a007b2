//! `faultbook score`: how a catalogue does on a labelled corpus.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Cursor, Read, Write as _};
use std::path::PathBuf;

use anstyle::Style;
use clap::Args;
use faultbook_checks::score::{Figures, ScoreError, score};

use crate::failure::{Ended, Failure};
use crate::input::Source;
use crate::output::{Format, Output, Palette};
use crate::packs::PackOptions;
use crate::view::{Table, one_line};

/// How many kinds of mistake are shown.
const SHOWN_CONFUSIONS: usize = 25;

/// Score the rules on a labelled corpus
///
/// A corpus holds one JSON object a line: what a machine printed (`text`), where it was seen, and the code that an
/// expert gave it (`code`, and `also_ok` for others that would do). Nothing of the label reaches the engine.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Score {
    /// Labelled corpora, scored together
    #[arg(value_name = "CORPUS", required = true)]
    corpora: Vec<PathBuf>,
    /// Also lists every wrong answer
    #[arg(long)]
    errors: bool,
    /// Ends with exit code 1 when the share of exact answers is smaller
    #[arg(long, value_name = "SHARE")]
    fail_under: Option<f64>,
    #[command(flatten)]
    packs: PackOptions,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Figures:
  exact         share whose code is the label, or another that is accepted
  class         share whose policy class is right
  false_retry   share of what must not be retried that came back transient with high confidence
  missed_retry  share of transient records that did not come back transient with high confidence

Examples:
    faultbook score corpus.jsonl --errors
    faultbook score corpus.jsonl --fail-under 0.9";

impl Score {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let catalogue = self.packs.open()?.catalogue();
        let figures = score(self.reader()?, &catalogue).map_err(|error| self.unreadable(&error))?;
        let mut output = Output::standard();
        match self.format {
            Format::Human => output.write_all(self.human(&figures).as_bytes())?,
            Format::Json | Format::Jsonl => output.json(&figures, self.format)?,
        }
        output.finish()?;
        let is_low = self.fail_under.is_some_and(|least| figures.exact < least);
        Ok(if is_low { Ended::Findings } else { Ended::Done })
    }

    /// All corpora as one. A line break stands between them, so that a missing one at an end joins no lines.
    fn reader(&self) -> Result<Box<dyn BufRead>, Failure> {
        let mut all: Box<dyn Read> = Box::new(std::io::empty());
        for source in Source::of(&self.corpora) {
            let path = source.name().to_string();
            let file = source.open().map_err(|error| Failure::File { path, verb: "read", error })?;
            all = Box::new(all.chain(file).chain(Cursor::new(b"\n")));
        }
        Ok(Box::new(BufReader::with_capacity(64 * 1024, all)))
    }

    fn unreadable(&self, error: &ScoreError) -> Failure {
        let names: Vec<String> = self.corpora.iter().map(|path| path.display().to_string()).collect();
        Failure::usage(
            format!("{}: {error}", names.join(" + ")),
            "a record is a JSON object with at least `text`, `channel` and `code`",
        )
    }

    fn human(&self, figures: &Figures) -> String {
        let palette = Palette::of_output();
        let plain = Style::new();
        let mut table = Table::default();
        let mut figure =
            |name: &str, value: String| table.row([(palette.faint, name.to_owned()), (plain, value)]);
        figure("records", figures.records.to_string());
        for (name, share) in [
            ("exact", figures.exact),
            ("class", figures.class),
            ("false_retry", figures.false_retry),
            ("missed_retry", figures.missed_retry),
        ] {
            figure(name, format!("{share:.4}"));
        }
        figure("false_retries", figures.false_retries.to_string());
        figure("false_failure", figures.false_failure.to_string());
        figure("false_success", figures.false_success.to_string());
        figure("hints", format!("{:.4} of {}", figures.hints, figures.hint_records));
        figure("resets", format!("{:.4} of {}", figures.resets, figures.reset_records));
        figure("false_hints", figures.false_hints.to_string());
        let mut text = table.render("");
        text.push_str("\nright answers by label\n");
        let mut codes = Table::default();
        for (code, count) in &figures.per_code {
            let style = if count.right == count.all { palette.good } else { plain };
            codes.row([(plain, code.clone()), (style, format!("{}/{}", count.right, count.all))]);
        }
        text.push_str(&codes.render("  "));
        if !figures.confusion.is_empty() {
            text.push_str("\nmost frequent mistakes (label -> answer)\n");
        }
        for one in figures.confusion.iter().take(SHOWN_CONFUSIONS) {
            let _ = writeln!(text, "  {:4}  {} -> {}", one.count, one.label, one.answer);
        }
        if self.errors {
            text.push_str("\nwrong answers\n");
            for wrong in &figures.wrong {
                let rule = wrong.rule.as_deref().unwrap_or("no rule");
                let _ = writeln!(text, "  {}: {} -> {} ({rule})", wrong.id, wrong.label, wrong.answer);
                let words = faultbook::sanitise::sanitise(&wrong.text);
                let _ = writeln!(text, "      {}", Palette::paint(palette.faint, one_line(&words, 160)));
            }
        }
        text
    }
}
