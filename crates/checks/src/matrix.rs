//! The matrix: every rule against every case of every rule.
//!
//! For each case it holds the winner and the other matches, as a generated text file beside the suite. A change of
//! a rule shows in the files of all suites that it touches; drift from the committed files is an error.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use faultbook_document::{Diagnostic, Limits, Position, Source, Span, quoted};
use faultbook_engine::rule::Kind;
use faultbook_engine::{Catalogue, StatementMark};
use faultbook_taxonomy::{Band, Code, Confidence, Reason, State};
use serde::Serialize;

use crate::examine::{Examined, examine};
use crate::fixture::{CaseKind, Suite};

faultbook_document::diagnostic_codes! {
    WINS_ELSEWHERE = "wins-elsewhere": "A rule wins in a case of another rule that does not expect it.";
    MATRIX_MISSING = "matrix-missing": "A suite has no matrix file.";
    MATRIX_DRIFT = "matrix-drift": "A matrix file is not what the rules and cases give now.";
    MATRIX_WITHOUT_SUITE = "matrix-without-suite": "A matrix file has no suite.";
    MATRIX_UNWRITABLE = "matrix-unwritable": "A matrix file cannot be written.";
}

const HEADER: &str = "\
# Generated: for each case the answer (=), the other matches (+), what did not count (-) and marks (*).
# Rewritten by `faultbook check --bless`.
";

/// The matrix of one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// The pack of the suite.
    pub pack: String,
    /// The suite's rule.
    pub rule: String,
    /// One row a case, in the order of the file.
    pub rows: Vec<Row>,
}

/// What the rules make of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The kind of case.
    pub kind: CaseKind,
    /// The case's name.
    pub case: String,
    /// The answer's state.
    pub state: State,
    /// Why it is unclassified.
    pub reason: Option<Reason>,
    /// The answer's code.
    pub code: Option<Code>,
    /// The answer's confidence.
    pub confidence: Option<Confidence>,
    /// The rule that won.
    pub winner: Option<String>,
    /// The other rules that matched, by id.
    pub others: Vec<OtherMatch>,
    /// The rules without a code that marked a statement, by id.
    pub marks: Vec<String>,
}

/// A rule that matched and did not win.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct OtherMatch {
    /// Its id.
    pub rule: String,
    /// Its code.
    pub code: Code,
    /// Its band.
    pub band: Band,
    /// Whether it was a candidate: of the last attempt, current and trusted.
    pub counts: bool,
}

/// The matrix of every suite.
#[must_use]
pub fn build_matrix(catalogue: &Catalogue, suites: &[Suite]) -> Vec<Matrix> {
    matrices(suites, &examine(catalogue, suites))
}

/// The matrix of every suite, from cases that were examined already.
#[must_use]
pub fn matrices(suites: &[Suite], examined: &[Examined<'_>]) -> Vec<Matrix> {
    let mut rows = examined.iter().map(row);
    let of = |suite: &Suite| Matrix {
        pack: suite.pack.clone(),
        rule: suite.rule.clone(),
        rows: rows.by_ref().take(suite.cases.len()).collect(),
    };
    suites.iter().map(of).collect()
}

fn row(examined: &Examined<'_>) -> Row {
    let answer = &examined.explanation.classification;
    let winner = answer.rule.as_ref().map(|rule| rule.id.clone());
    let mut others: Vec<OtherMatch> = Vec::new();
    for one in examined.explanation.matches.iter().filter(|one| Some(&one.rule) != winner.as_ref()) {
        let counts = one.uncounted.is_none();
        match others.iter_mut().find(|other| other.rule == one.rule) {
            Some(other) => other.counts |= counts,
            None => {
                others.push(OtherMatch { rule: one.rule.clone(), code: one.code, band: one.band, counts })
            }
        }
    }
    others.sort();
    let marks: BTreeSet<String> =
        examined.explanation.statements.iter().filter_map(|one| marked_by(one.mark.as_ref())).collect();
    Row {
        kind: examined.case.kind,
        case: examined.case.case.name.clone(),
        state: answer.state,
        reason: answer.reason,
        code: answer.code,
        confidence: answer.confidence,
        winner,
        others,
        marks: marks.into_iter().collect(),
    }
}

fn marked_by(mark: Option<&StatementMark>) -> Option<String> {
    match mark? {
        StatementMark::Speaker(rule) | StatementMark::Healthy(rule) | StatementMark::Notice(rule) => {
            Some(rule.clone())
        }
        StatementMark::NoticeByRole | StatementMark::NoticeAbove => None,
    }
}

impl Matrix {
    /// The matrix as the text of its file, ending in a line break.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = HEADER.to_owned();
        for row in &self.rows {
            // Writing to a string cannot fail.
            let _ = row.write(&mut text);
        }
        text
    }
}

impl Row {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "\n{}: {}", self.kind.as_str(), self.case.escape_debug())?;
        match (&self.winner, self.code, self.confidence) {
            (Some(winner), Some(code), Some(confidence)) => {
                writeln!(text, "  = {winner}: {code}, {confidence}")?;
            }
            _ => match self.reason {
                Some(reason) => writeln!(text, "  = {}: {reason}", self.state)?,
                None => writeln!(text, "  = {}", self.state)?,
            },
        }
        for other in &self.others {
            let sign = if other.counts { '+' } else { '-' };
            writeln!(text, "  {sign} {}: {}, {}", other.rule, other.code, other.band)?;
        }
        self.marks.iter().try_for_each(|rule| writeln!(text, "  * {rule}"))
    }
}

/// Rules that win in another rule's case which does not expect it. Cases that fail are left to the suites.
#[must_use]
pub fn wins_elsewhere(catalogue: &Catalogue, examined: &[Examined<'_>]) -> Vec<Diagnostic> {
    examined.iter().filter_map(|one| win_elsewhere(catalogue, one)).collect()
}

fn win_elsewhere(catalogue: &Catalogue, examined: &Examined<'_>) -> Option<Diagnostic> {
    let Examined { suite, case, explanation } = examined;
    let answer = &explanation.classification;
    let (winner, code) = answer.rule.as_ref().map(|rule| rule.id.as_str()).zip(answer.code)?;
    let expect = &case.case.expect;
    let names_a_code = catalogue.rule(&suite.rule).is_none_or(|rule| rule.kind == Kind::Rule);
    let is_home = winner == suite.rule;
    let is_expected = match (&expect.rule, expect.code) {
        (Some(rule), _) => rule == winner,
        (None, Some(want)) => want == code && !(case.kind == CaseKind::Positive && names_a_code),
        (None, None) => false,
    };
    // A case that asks for another code or for silence has failed already.
    let has_failed = expect.code.is_some_and(|want| want != code)
        || expect.state.is_some_and(|state| state != State::Classified)
        || expect.reason.is_some();
    if is_home || is_expected || has_failed {
        return None;
    }
    let message = format!(
        "rule {} wins with `{code}` in the {} case {} of {}",
        quoted(winner),
        case.kind.as_str(),
        quoted(&case.case.name),
        quoted(&suite.rule),
    );
    let help = "let the suite's rule win by band or rank, narrow the other rule, \
                or say in `expect` which `rule` is meant to win";
    Some(suite.problem(WINS_ELSEWHERE, case, "/name", message).with_help(help))
}

/// Where the matrix of a suite lies: beside it, with the ending `.matrix`.
fn matrix_path(suite: &Suite) -> Option<PathBuf> {
    suite.path.as_ref().map(|path| path.with_extension("matrix"))
}

/// Compares the matrices with the committed files. Suites that were not read from a folder have none.
#[must_use]
pub fn check_matrix(suites: &[Suite], matrices: &[Matrix]) -> Vec<Diagnostic> {
    let drift = suites.iter().zip(matrices).filter_map(|(suite, matrix)| drift(suite, matrix));
    let strays = strays(suites).into_iter().map(|path| {
        let message = "the matrix file belongs to no suite";
        Diagnostic::of_file(MATRIX_WITHOUT_SUITE, &path.display().to_string(), message)
            .with_help("`faultbook check --bless` removes it")
    });
    drift.chain(strays).collect()
}

fn drift(suite: &Suite, matrix: &Matrix) -> Option<Diagnostic> {
    let path = matrix_path(suite)?;
    let name = path.display().to_string();
    let help = "`faultbook check --bless` rewrites it; read the change before you commit it";
    let committed = match read_bounded(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = "the suite has no matrix file yet".to_owned();
            return Some(suite.suite_problem(MATRIX_MISSING, message).with_help(help));
        }
        Err(error) => {
            let message = format!("the matrix file cannot be read: {error}");
            return Some(Diagnostic::of_file(MATRIX_DRIFT, &name, message).with_rule(&suite.rule));
        }
    };
    let wanted = matrix.text();
    if committed == wanted {
        return None;
    }
    let number = committed.lines().zip(wanted.lines()).take_while(|(old, new)| old == new).count();
    let shown =
        |text: &str| text.lines().nth(number).map_or("the end".to_owned(), |line| quoted(line.trim()));
    let message = format!("the file says {}, the rules now give {}", shown(&committed), shown(&wanted));
    let source = Source::new(name, &committed);
    let span = line_span(&source, number);
    Some(Diagnostic::error(MATRIX_DRIFT, &source, span, message).with_rule(&suite.rule).with_help(help))
}

/// The span of a line, counted from 0.
fn line_span(source: &Source, number: usize) -> Span {
    let before: usize = source.text().split_inclusive('\n').take(number).map(str::len).sum();
    let length = source.text().get(before..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
    let span = source.span(before, before + length);
    if span.start.offset > before { Span { start: Position::START, end: Position::START } } else { span }
}

fn read_bounded(path: &Path) -> io::Result<String> {
    use io::Read;
    let limit = u64::try_from(Limits::default().bytes).unwrap_or(u64::MAX);
    let mut text = String::new();
    fs::File::open(path)?.take(limit).read_to_string(&mut text)?;
    Ok(text)
}

/// Matrix files in the folders of these suites that belong to none of them.
fn strays(suites: &[Suite]) -> BTreeSet<PathBuf> {
    let own: BTreeSet<PathBuf> = suites.iter().filter_map(matrix_path).collect();
    let folders: BTreeSet<&Path> = own.iter().filter_map(|path| path.parent()).collect();
    let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "matrix") && !own.contains(path))
        .collect()
}

/// Writes the matrices to their files, removes those without a suite, and gives the paths that changed.
///
/// # Errors
/// A diagnostic for each file that cannot be written or removed; the others are written.
pub fn bless_matrix(suites: &[Suite], matrices: &[Matrix]) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    let mut changed = Vec::new();
    let mut problems = Vec::new();
    let mut note = |path: PathBuf, outcome: io::Result<()>| match outcome {
        Ok(()) => changed.push(path),
        Err(error) => {
            let name = path.display().to_string();
            problems.push(Diagnostic::of_file(MATRIX_UNWRITABLE, &name, error.to_string()));
        }
    };
    for (suite, matrix) in suites.iter().zip(matrices) {
        let Some(path) = matrix_path(suite) else { continue };
        let text = matrix.text();
        if read_bounded(&path).ok().as_deref() != Some(text.as_str()) {
            let outcome = fs::write(&path, text);
            note(path, outcome);
        }
    }
    for path in strays(suites) {
        let outcome = fs::remove_file(&path);
        note(path, outcome);
    }
    if problems.is_empty() { Ok(changed) } else { Err(problems) }
}
