//! The whole check of packs: loading, collisions, suites, matrix, mutants, status, honeypot, order, co-occurrences.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use faultbook_document::Diagnostic;
use faultbook_engine::Catalogue;

use crate::collision::{self, Subject};
use crate::cooccurrence::CoOccurrences;
use crate::examine::{Examined, examine};
use crate::loaded::{Checked, CheckedPack};
use crate::report::{Counts, Report};
use crate::suite::{Filter, map_in_parallel};
use crate::{coverage, honeypot, matrix, mutant, order, redaction, report, score, status, suite};

/// What to check, and what to write.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Labelled corpora in which co-occurrences are looked for.
    pub corpora: Vec<PathBuf>,
    /// Rewrites the matrix files instead of reporting their drift.
    pub bless: bool,
}

/// Checks packs in their folders, with the suites in `<fixtures>/<pack id>` and the honeypot in
/// `<fixtures>/honeypot`. A later pack is checked beside the earlier ones.
#[must_use]
pub fn check(pack_folders: &[PathBuf], fixture_folders: &[PathBuf], options: &Options) -> Report {
    let (checked, problems) = Checked::load(pack_folders, fixture_folders);
    check_loaded(&checked, problems, options)
}

/// Checks packs that are loaded already; `problems` are those that loading gave.
#[must_use]
pub fn check_loaded(checked: &Checked, problems: Vec<Diagnostic>, options: &Options) -> Report {
    let mut report = Report { findings: problems, ..Report::default() };
    let mut seen = CoOccurrences::default();
    let mut whole = None;
    for (index, pack) in checked.packs.iter().enumerate() {
        match checked.compile(checked.packs_until(index)) {
            Ok(catalogue) => {
                check_pack(checked, index, &catalogue, options, &mut report, &mut seen);
                whole = Some(catalogue);
            }
            Err(problems) => {
                report.findings.extend(problems);
                whole = None;
            }
        }
        report.counts.packs += 1;
        report.counts.rules += pack.loaded.pack.rules.len();
        report.counts.suites += pack.suites.len();
    }
    check_collisions(checked, &mut report);
    if let Some(catalogue) = whole {
        check_together(checked, &catalogue, options, &mut report, &mut seen);
    }
    report.findings.extend(seen.findings(|rule| checked.document(rule)));
    let suites: Vec<_> = checked.packs.iter().flat_map(|pack| pack.suites.iter().cloned()).collect();
    report.findings = redaction::guard(std::mem::take(&mut report.findings), &suites);
    report.sort();
    report
}

/// One pack beside those before it.
fn check_pack(
    checked: &Checked,
    index: usize,
    catalogue: &Catalogue,
    options: &Options,
    report: &mut Report,
    seen: &mut CoOccurrences,
) {
    let Some(pack) = checked.packs.get(index) else { return };
    let CheckedPack { loaded, suites, has_all_suites } = pack;
    let examined = examine(catalogue, suites);
    let results: Vec<_> =
        examined.iter().map(|one| suite::judge(catalogue, one.suite, one.case, &one.explanation)).collect();
    report.findings.extend(suite::failures(suites, &results));
    report.results.extend(results);
    report.findings.extend(matrix::wins_elsewhere(catalogue, &examined));
    report.findings.extend(order::check_order(&checked.packs_until(index), catalogue, &examined));
    if *has_all_suites {
        report.findings.extend(coverage::check_coverage(&loaded.pack, &loaded.documents, suites));
        check_mutants(pack, catalogue, &examined, report);
        check_matrix(suites, &examined, options, report);
    }
    see(&examined, seen);
}

/// What the suites do not notice about their rules, and whether `stable` is earned.
fn check_mutants(pack: &CheckedPack, catalogue: &Catalogue, examined: &[Examined<'_>], report: &mut Report) {
    let (rules, documents) = (&pack.loaded.pack.rules, &pack.loaded.documents);
    let trials = mutant::run_mutants(catalogue, rules, examined);
    report.counts.mutants += trials.len();
    report.findings.extend(mutant::findings(rules, &trials, documents));
    report.findings.extend(status::check_status(rules, &pack.suites, &trials, documents));
}

/// Which rules of all packs meet in one statement, and which never win.
fn check_collisions(checked: &Checked, report: &mut Report) {
    let ambiguous: Vec<_> =
        checked.packs.iter().flat_map(|pack| pack.loaded.pack.ambiguous.iter().cloned()).collect();
    let subjects = checked.packs.iter().flat_map(|pack| Subject::of_pack(&pack.loaded));
    let analysis = collision::analyse(subjects, &ambiguous);
    report.counts.unproven = analysis.unproven.len();
    report.findings.extend(analysis.findings);
}

/// A suite that could not be read has a matrix all the same, so both are left alone until all can be read.
fn check_matrix(
    suites: &[crate::fixture::Suite],
    examined: &[Examined<'_>],
    options: &Options,
    report: &mut Report,
) {
    let matrices = matrix::matrices(suites, examined);
    if options.bless {
        match matrix::bless_matrix(suites, &matrices) {
            Ok(changed) => report.blessed.extend(changed.iter().map(|path| path.display().to_string())),
            Err(problems) => report.findings.extend(problems),
        }
    } else {
        report.findings.extend(matrix::check_matrix(suites, &matrices));
    }
}

fn see(examined: &[Examined<'_>], seen: &mut CoOccurrences) {
    for one in examined {
        let case = &one.case;
        let place = format!("the {} case `{}` of `{}`", case.kind.as_str(), case.case.name, one.suite.rule);
        seen.add(&one.explanation, &place);
    }
}

/// What concerns all packs at once: the earlier packs' cases beside the later packs, the honeypot, the corpora.
fn check_together(
    checked: &Checked,
    catalogue: &Catalogue,
    options: &Options,
    report: &mut Report,
    seen: &mut CoOccurrences,
) {
    // The last pack's cases were run beside all others already.
    let earlier = checked.packs.len().saturating_sub(1);
    for pack in checked.packs.iter().take(earlier) {
        let examined = examine(catalogue, &pack.suites);
        let found = matrix::wins_elsewhere(catalogue, &examined);
        report
            .findings
            .extend(found.into_iter().filter(|one| !report.findings.contains(one)).collect::<Vec<_>>());
        see(&examined, seen);
    }
    report.counts.baits = checked.baits.len();
    report.findings.extend(honeypot::check_honeypot(catalogue, &checked.baits));
    for corpus in &options.corpora {
        let name = corpus.display().to_string();
        let outcome = File::open(corpus).map_err(score::ScoreError::Read).and_then(|file| {
            score::for_each_record(BufReader::new(file), |batch| {
                let explained = map_in_parallel(batch, |record| catalogue.explain(&record.envelope));
                for (record, explanation) in batch.iter().zip(&explained) {
                    seen.add(explanation, &format!("the record `{}` of {name}", record.id));
                }
            })
        });
        if let Err(error) = outcome {
            report.findings.push(Diagnostic::of_file(report::UNREADABLE_CORPUS, &name, error.to_string()));
        }
    }
}

/// Runs the suites of packs that are loaded already, each pack beside those before it.
#[must_use]
pub fn test_loaded(checked: &Checked, problems: Vec<Diagnostic>, filter: &Filter) -> Report {
    let mut report = Report { findings: problems, ..Report::default() };
    for (index, pack) in checked.packs.iter().enumerate() {
        match checked.compile(checked.packs_until(index)) {
            Ok(catalogue) => {
                let results = suite::run_suites(&catalogue, &pack.suites, filter);
                report.findings.extend(suite::failures(&pack.suites, &results));
                report.results.extend(results);
            }
            Err(problems) => report.findings.extend(problems),
        }
        report.counts = Counts {
            packs: report.counts.packs + 1,
            rules: report.counts.rules + pack.loaded.pack.rules.len(),
            suites: report.counts.suites + pack.suites.len(),
            ..Counts::default()
        };
    }
    let suites: Vec<_> = checked.packs.iter().flat_map(|pack| pack.suites.iter().cloned()).collect();
    report.findings = redaction::guard(std::mem::take(&mut report.findings), &suites);
    report.sort();
    report
}
