//! The whole reasoning behind an answer, readable at a glance: the verdict first, then how it came about.

use std::fmt::Write as _;

use anstyle::Style;
use faultbook::{Catalogue, Explanation};
use faultbook_engine::{MatchTrace, StatementMark, Step, TextPlace, Uncounted};

use super::answer::{counted, hint_words, one_line, verdict};
use super::table::Table;
use crate::output::Palette;

/// The most statements that are shown of a long text.
const MAX_STATEMENTS: usize = 24;
/// The most characters of a statement that are shown.
const SHOWN_CHARACTERS: usize = 88;

/// The explanation of one answer.
pub(crate) fn explanation(
    place: &str,
    told: &Explanation,
    catalogue: &Catalogue,
    palette: Palette,
) -> String {
    let view = View { told, catalogue, palette };
    let mut out = format!("{}\n", Palette::paint(palette.strong, place));
    for part in [
        view.verdict(),
        view.statements(),
        view.matches(),
        view.contests(),
        view.confidence(),
        view.hints(),
        view.near_misses(),
        view.notes(),
    ] {
        out.push_str(&part);
    }
    out
}

struct View<'v> {
    told: &'v Explanation,
    catalogue: &'v Catalogue,
    palette: Palette,
}

impl View<'_> {
    fn heading(&self, title: &str) -> String {
        format!("\n{}\n", Palette::paint(self.palette.strong, title))
    }

    fn verdict(&self) -> String {
        let answer = &self.told.classification;
        let plain = Style::new();
        let mut table = Table::default();
        let mut line =
            |name: &str, text: String| table.row([(self.palette.faint, name.to_owned()), (plain, text)]);
        line("verdict", verdict(answer, self.palette));
        if let Some(code) = answer.code {
            line("meaning", code.meaning().to_owned());
        }
        if let Some(rule) = &answer.rule {
            let title = self.catalogue.rule(&rule.id).map_or("", |rule| rule.title.as_str());
            line(
                "rule",
                format!("{} (revision {}, pack {} {})", rule.id, rule.revision, rule.pack, rule.pack_version),
            );
            line("", title.to_owned());
        }
        if let Some(scope) = answer.scope {
            line("scope", scope.to_string());
        }
        if let Some(excerpt) = &answer.excerpt {
            line("words", Palette::paint(self.palette.found, one_line(excerpt, 160)));
        }
        if let Some(words) = hint_words(&answer.hints) {
            line("hint", words);
        }
        if let Some(lost) = &answer.sight_lost {
            let frame = lost.frame.map(|frame| format!(" (frame {frame})")).unwrap_or_default();
            line("sight", format!("partial: {}{frame}", lost.reason));
        }
        for candidate in &answer.candidates {
            line(
                "could be",
                format!("{} by {} ({}/{})", candidate.code, candidate.rule, candidate.band, candidate.rank),
            );
        }
        table.render("  ")
    }

    fn statements(&self) -> String {
        let statements = &self.told.statements;
        let attempts = statements.iter().map(|statement| statement.attempt).max().map_or(0, |last| last + 1);
        let end = self.told.terminal.map_or_else(|| "unknown".to_owned(), |end| end.to_string());
        let mut out = self.heading(&format!(
            "The turn: {}, {}, ended: {end}",
            counted(statements.len(), "statement"),
            counted(attempts, "attempt")
        ));
        let mut table = Table::default();
        let heads =
            ["", "attempt", "channel", "line", "words"].map(|head| (self.palette.faint, head.to_owned()));
        table.row(heads);
        let hidden = statements.len().saturating_sub(MAX_STATEMENTS);
        for (at, statement) in statements.iter().enumerate() {
            if !self.is_shown(at) {
                continue;
            }
            let is_counting = self.is_counting(at);
            let sign = if is_counting { format!("> #{at}") } else { format!("  #{at}") };
            let style = if is_counting { self.palette.found } else { Style::new() };
            let line = if statement.line == 0 { "data".to_owned() } else { statement.line.to_string() };
            let words = one_line(&statement.words, SHOWN_CHARACTERS);
            let mark = statement.mark.as_ref().map(mark_words).unwrap_or_default();
            table.row([
                (style, sign),
                (Style::new(), (attempts - statement.attempt).to_string()),
                (Style::new(), format!("{} {}", statement.signal, statement.channel.as_str())),
                (Style::new(), line),
                (style, words),
                (self.palette.careful, mark),
            ]);
        }
        out.push_str(&table.render("  "));
        if hidden > 0 {
            let _ = writeln!(out, "  … {} more, in which nothing matched", self.hidden());
        }
        out
    }

    fn hidden(&self) -> usize {
        (0..self.told.statements.len()).filter(|&at| !self.is_shown(at)).count()
    }

    /// The first and last statements of a long text, and all that matter.
    fn is_shown(&self, at: usize) -> bool {
        let count = self.told.statements.len();
        let is_marked = self.told.statements.get(at).is_some_and(|statement| statement.mark.is_some());
        let is_at_an_end = at < MAX_STATEMENTS / 2 || at + MAX_STATEMENTS / 2 >= count;
        count <= MAX_STATEMENTS || is_at_an_end || is_marked || self.matches_at(at).next().is_some()
    }

    fn matches_at(&self, at: usize) -> impl Iterator<Item = &MatchTrace> {
        self.told.matches.iter().filter(move |matched| matched.statement == at)
    }

    fn is_counting(&self, at: usize) -> bool {
        self.matches_at(at).any(|matched| matched.uncounted.is_none())
    }

    fn matches(&self) -> String {
        let mut out = self.heading(&format!("Rules that matched: {}", self.told.matches.len()));
        let winner = self.told.classification.rule.as_ref().map(|rule| rule.id.as_str());
        for matched in &self.told.matches {
            let is_winner = winner == Some(matched.rule.as_str()) && matched.uncounted.is_none();
            let style = if is_winner { self.palette.strong } else { Style::new() };
            let _ = writeln!(
                out,
                "  {} {}  {}  {}/{}  in #{}",
                if is_winner { ">" } else { " " },
                Palette::paint(style, &matched.rule),
                matched.code,
                matched.band,
                matched.rank,
                matched.statement
            );
            for place in &matched.places {
                let within = match &place.within {
                    TextPlace::Text => String::new(),
                    TextPlace::Leaf(pointer) => format!(" of {pointer}"),
                };
                let words = Palette::paint(
                    self.palette.found,
                    format!("\"{}\"", one_line(&place.words, SHOWN_CHARACTERS)),
                );
                let _ = writeln!(out, "      {words} at bytes {}..{}{within}", place.start, place.end);
            }
            for companion in &matched.companions {
                let _ = writeln!(out, "      with its companion in #{companion}");
            }
            if let Some(why) = matched.uncounted {
                let _ = writeln!(out, "      {}", Palette::paint(self.palette.careful, uncounted_words(why)));
            }
        }
        out
    }

    fn contests(&self) -> String {
        if self.told.contests.is_empty() {
            return String::new();
        }
        let mut out = self.heading("Who was preferred");
        for contest in &self.told.contests {
            let _ =
                writeln!(out, "  {} over {}: {}", contest.winner, contest.loser, step_words(contest.step));
        }
        out
    }

    fn confidence(&self) -> String {
        if self.told.caps.is_empty() {
            return String::new();
        }
        let mut out = self.heading("Why the confidence is medium");
        for cap in &self.told.caps {
            let _ = writeln!(out, "  {}", Palette::paint(self.palette.careful, cap.reason()));
        }
        out
    }

    fn hints(&self) -> String {
        if self.told.hints.is_empty() {
            return String::new();
        }
        let mut out = self.heading("Hints");
        for hint in &self.told.hints {
            let outcome = match &hint.dropped {
                None => Palette::paint(self.palette.good, "used"),
                Some(why) => Palette::paint(self.palette.careful, format!("dropped: {why}")),
            };
            let _ = writeln!(out, "  {} in signal {}, by {}: {outcome}", hint.source, hint.signal, hint.rule);
        }
        out
    }

    fn near_misses(&self) -> String {
        let (misses, considered) = (&self.told.near_misses, self.told.considered);
        if misses.is_empty() && considered == 0 {
            return String::new();
        }
        let mut out =
            self.heading(&format!("Almost matched: {} of {considered} rules tried in vain", misses.len()));
        for miss in misses {
            let code = miss.code.map(|code| format!(" ({code})")).unwrap_or_default();
            let _ = writeln!(
                out,
                "  {}{code} in #{}: {} asks for {}",
                miss.rule, miss.statement, miss.failed, miss.asked
            );
        }
        out
    }

    fn notes(&self) -> String {
        let notes = &self.told.classification.notes;
        if notes.is_empty() {
            return String::new();
        }
        let lines: String = notes.iter().map(|note| format!("  {note}\n")).collect();
        self.heading("Notes") + &lines
    }
}

fn mark_words(mark: &StatementMark) -> String {
    match mark {
        StatementMark::Speaker(rule) => format!("the agent's own words, says {rule}"),
        StatementMark::Healthy(rule) => format!("healthy, says {rule}"),
        StatementMark::Notice(rule) => format!("announces an attempt, says {rule}"),
        StatementMark::NoticeByRole => "announces an attempt, says its role".to_owned(),
        StatementMark::NoticeAbove => "belongs to the notice above".to_owned(),
    }
}

const fn uncounted_words(why: Uncounted) -> &'static str {
    match why {
        Uncounted::Healthy => "does not count: the statement is healthy",
        Uncounted::Superseded => "does not count: the turn completed or was cancelled afterwards",
        Uncounted::EarlierAttempt => "does not count: the agent announced another attempt afterwards",
        Uncounted::ToolOutput => "does not count: it rests on a tool's output, and something else matched",
        Uncounted::SharedStream => "others share its stream, and something else matched",
    }
}

const fn step_words(step: Step) -> &'static str {
    match step {
        Step::Band => "its band is stronger",
        Step::Later => "it stands later in the turn",
        Step::Rank => "its rank is higher",
        Step::Id => "same code, smaller id",
        Step::Level => "nothing separates them",
    }
}
