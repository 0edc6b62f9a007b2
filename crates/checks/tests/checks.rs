//! The check of a pack: what passes, and what each fault in rules, suites and generated files gives.

use faultbook_checks::suite::{CaseResult, Filter};
use faultbook_checks::{Options, build_matrix, run_suites, test_loaded};

mod sample;

use sample::{RULES, SUITES, Sample};

#[test]
fn a_sound_pack_has_no_errors() {
    let sample = Sample::new();
    let report = sample.check(&Options::default());
    assert!(report.is_clean(false), "{:#?}", report.findings);
    assert_eq!((report.counts.packs, report.counts.rules, report.counts.suites), (1, 4, 4));
    assert_eq!((report.results.len(), report.failed_cases()), (10, 0));
}

/// A single negative case of `sample.throttle`: what it expects, and what comes out.
#[test]
fn outcomes_have_names() {
    let quota = "{ channel: http, data: { error: { code: quota_gone } } }";
    let level = "{ channel: stderr, text: sample provider is busy }, \
                 { channel: log, text: sample disk is full today }";
    let rule = "code: local_runtime_error\nconfidence: high\nband: message\n\
                match: { all: [ text: { phrases: [sample disk is full] } ] }\n";
    let table = [
        (quota, "code: quota_limited", "hit", ""),
        (quota, "code: rate_limited", "wrong code", "code"),
        (quota, "state: unclassified", "noisy", "state"),
        (quota, "state: no_failure", "noisy", "state"),
        (quota, "code: quota_limited, confidence: medium", "hit", "confidence"),
        (quota, "code: quota_limited, rule: sample.busy", "hit", "rule"),
        (quota, "code: quota_limited, hints: { retry_after_s: 3 }", "hit", "hints/retry_after_s"),
        ("{ channel: stderr, text: fine }", "code: rate_limited", "missing", "code"),
        ("{ channel: stderr, text: fine }", "state: unclassified", "silent", ""),
        ("{ channel: stderr, text: fine }", "state: no_failure", "silent", "state"),
        (level, "code: provider_overloaded", "conflicting", "code"),
        (level, "state: unclassified", "conflicting", "reason"),
        (level, "state: unclassified, reason: conflict", "silent", ""),
        (level, "candidates: [sample.full, sample.busy]", "silent", ""),
        (level, "candidates: [sample.busy]", "silent", "candidates"),
    ];
    for (signals, expect, outcome, part) in table {
        let sample = Sample::new();
        sample.rule("sample.full", rule);
        let case = format!(
            "  negative:\n    - {{ name: one, origin: synthetic, evidence: {{ signals: [ {signals} ] }}, \
             expect: {{ {expect} }} }}\n"
        );
        sample.suite("sample.throttle", &case);
        let result = only(&sample, "sample.throttle");
        let found = result.differences.first().map_or("", |difference| difference.part.as_str());
        assert_eq!((result.outcome.as_str(), found), (outcome, part), "{signals} {expect}");
    }
}

fn only(sample: &Sample, rule: &str) -> CaseResult {
    let filter = Filter { rule: Some(rule.to_owned()), ..Filter::default() };
    let mut report = test_loaded(&sample.checked(), Vec::new(), &filter);
    assert_eq!(report.results.len(), 1);
    report.results.remove(0)
}

#[test]
fn a_positive_case_needs_its_own_rule() {
    let sample = Sample::new();
    let case = "  positive:
    - name: never
      origin: synthetic
      evidence: { signals: [ { channel: stderr, text: sample provider is busy } ] }
      expect: { code: provider_overloaded }
";
    sample.suite("sample.throttle", case);
    let result = only(&sample, "sample.throttle");
    assert_eq!(result.outcome.as_str(), "missing");
    insta::assert_snapshot!(result.diff(), @r"
    - match of sample.throttle: matches
    + match of sample.throttle: did not match
    ");
}

#[test]
fn marks_are_compared_by_statement_kind_and_rule() {
    let table = [
        ("{ signal: 0, line: 1, kind: notice }", true),
        ("{ signal: 0, kind: notice, rule: sample.retrying }", true),
        ("{ signal: 0, line: 2, kind: notice }", false),
        ("{ signal: 0, line: 1, kind: healthy }", false),
        ("{ signal: 0, line: 1, kind: none }", false),
        ("{ signal: 1, kind: notice }", false),
    ];
    for (mark, holds) in table {
        let sample = Sample::new();
        let case = format!(
            "  positive:\n    - {{ name: one, origin: synthetic, evidence: {{ signals: [ {{ channel: stderr, \
             text: sample agent tries again }} ] }}, expect: {{ marks: [ {mark} ] }} }}\n"
        );
        sample.suite("sample.retrying", &case);
        assert_eq!(only(&sample, "sample.retrying").holds(), holds, "{mark}");
    }
}

/// What one change of the sound sample gives: every error, with its file and line.
#[test]
fn every_fault_is_an_error_at_its_place() {
    type Change = fn(&Sample);
    let table: [(Change, &[&str]); 9] = [
        (|sample| sample.rule("sample.new", NEW_RULE), &["missing-fixture rules/sample.new.yaml:2"]),
        (
            |sample| sample.suite("sample.throttle", &positive_only()),
            &[
                "matrix-drift fixtures/sample/sample.throttle.matrix:6",
                "missing-fixture-kind fixtures/sample/sample.throttle.yaml:2",
            ],
        ),
        (
            |sample| {
                sample.suite("sample.quotas", SUITES[3].1.split("  negative:").next().unwrap_or_default())
            },
            &[
                "matrix-missing fixtures/sample/sample.quotas.yaml:2",
                "unknown-fixture-rule fixtures/sample/sample.quotas.yaml:2",
                "failed-case fixtures/sample/sample.quotas.yaml:5",
            ],
        ),
        (
            |sample| std::fs::remove_file(sample.path("fixtures/sample/sample.busy.matrix")).unwrap(),
            &["matrix-missing fixtures/sample/sample.busy.yaml:2"],
        ),
        (
            |sample| sample.write("fixtures/sample/sample.busy.matrix", "old\n"),
            &["matrix-drift fixtures/sample/sample.busy.matrix:1"],
        ),
        (
            |sample| sample.write("fixtures/sample/sample.gone.matrix", "old\n"),
            &["matrix-without-suite fixtures/sample/sample.gone.matrix:1"],
        ),
        (
            |sample| sample.write("fixtures/honeypot/a.jsonl", &format!("{QUIET}\n{BUSY}\n")),
            &["honeypot-classified fixtures/honeypot/a.jsonl:2"],
        ),
        (
            |sample| sample.write("fixtures/honeypot/a.jsonl", &format!("{QUIET}\n{{}}\n")),
            &["honeypot-unreadable fixtures/honeypot/a.jsonl:2"],
        ),
        (
            |sample| sample.write("fixtures/sample/sample.busy.yaml", "schema: faultbook.fixture/9\n"),
            &["unsupported-fixture fixtures/sample/sample.busy.yaml:1"],
        ),
    ];
    for (change, want) in table {
        let sample = Sample::new();
        change(&sample);
        assert_eq!(sample.errors(), want);
    }
}

const NEW_RULE: &str = "code: access_denied\nconfidence: high\nband: message\n\
    match: { all: [ text: { phrases: [sample door is shut] } ] }\n";
const QUIET: &str = r#"{"schema":"faultbook.evidence/1","signals":[]}"#;
const BUSY: &str =
    r#"{"schema":"faultbook.evidence/1","signals":[{"channel":"stderr","text":"sample provider is busy"}]}"#;

#[test]
fn prose_in_the_honeypot_informs_at_most() {
    let sample = Sample::new();
    let prose = "# Words\nSome say that the sample provider is busy.\nNot so.\n";
    sample.write("fixtures/honeypot/a.md", prose);
    let report = sample.check(&Options::default());
    assert!(report.is_clean(true), "{:#?}", report.findings);
    // Three channels for the whole, and each line.
    assert_eq!(report.counts.baits, 6);
}

fn positive_only() -> String {
    SUITES[1].1.split("  negative:").next().unwrap_or_default().to_owned()
}

#[test]
fn a_rule_that_wins_in_another_suite_is_an_error_unless_expected() {
    // A second rule of the same code and a smaller id takes over the positive case of `sample.quota`.
    let sample = Sample::new();
    sample.rule("sample.also", RULES[0].1);
    let errors = sample.errors();
    let won = "wins-elsewhere fixtures/sample/sample.quota.yaml:5".to_owned();
    assert!(errors.contains(&won), "{errors:#?}");
    let expected = SUITES[0]
        .1
        .replace("expect: { code: quota_limited,", "expect: { rule: sample.also, code: quota_limited,");
    sample.suite("sample.quota", &expected);
    assert!(!sample.errors().contains(&won));
}

#[test]
fn the_matrix_names_winner_others_and_marks() {
    let sample = Sample::new();
    insta::assert_snapshot!(sample.read("fixtures/sample/sample.busy.matrix"));
    insta::assert_snapshot!(sample.read("fixtures/sample/sample.retrying.matrix"));
    let checked = sample.checked();
    let catalogue = checked.compile(checked.packs_until(0)).unwrap();
    let matrices = build_matrix(&catalogue, &checked.packs[0].suites);
    let rows: Vec<usize> = matrices.iter().map(|matrix| matrix.rows.len()).collect();
    assert_eq!(rows, [2, 3, 3, 2]);
}

#[test]
fn blessing_writes_what_changed_and_only_that() {
    let sample = Sample::new();
    assert_eq!(sample.bless().blessed, Vec::<String>::new());
    sample.suite("sample.throttle", &positive_only());
    sample.write("fixtures/sample/sample.gone.matrix", "old\n");
    let blessed = sample.bless().blessed;
    let names: Vec<&str> = blessed.iter().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["sample.throttle.matrix", "sample.gone.matrix"]);
    assert!(!sample.path("fixtures/sample/sample.gone.matrix").exists());
}

#[test]
fn rules_that_meet_undecided_are_warned_about_with_the_place() {
    let sample = Sample::new();
    let rule = "code: model_capacity\nconfidence: high\nband: message\n\
                match: { all: [ text: { phrases: [provider is busy today] } ] }\n";
    sample.rule("sample.capacity", rule);
    let corpus = r#"{"id":"r1","channel":"stderr","text":"The sample provider is busy today","code":"none"}"#;
    sample.write("corpus.jsonl", corpus);
    let options = Options { corpora: vec![sample.path("corpus.jsonl")], bless: false };
    let report = sample.check(&options);
    let found: Vec<_> =
        report.findings.iter().filter(|finding| finding.code == "undecided-cooccurrence").collect();
    let [finding] = found.as_slice() else { panic!("{:#?}", report.findings) };
    assert!(finding.message.contains("`sample.busy`") && finding.message.contains("the record `r1`"));
    assert_eq!(finding.related.len(), 1);
    let apart = rule.replace("band: message", "band: message\nrank: 60");
    sample.rule("sample.capacity", &apart);
    let report = sample.check(&options);
    assert!(report.findings.iter().all(|finding| finding.code != "undecided-cooccurrence"));
}

#[test]
fn what_must_never_be_emitted_is_looked_for_everywhere() {
    let sample = Sample::new();
    // A word that no sanitiser takes for a secret comes out in the excerpt.
    let cases = SUITES[2].1.to_owned()
        + "  redaction:\n    - { name: a plain word, origin: synthetic, evidence: { signals: [ { channel: stderr, \
           text: sample provider is busy tangerine } ] }, expect: { never_emits: [tangerine, absent] } }\n";
    sample.suite("sample.busy", &cases);
    let report = sample.bless();
    let failed: Vec<&CaseResult> = report.results.iter().filter(|result| !result.holds()).collect();
    let [result] = failed.as_slice() else { panic!("{failed:#?}") };
    insta::assert_snapshot!(result.diff(), @r"
    - never_emits/0: nowhere
    + never_emits/0: in the answer
    ");
    let shown = serde_json::to_string(&report.findings).unwrap();
    assert!(!shown.contains("tangerine"), "the diagnostic itself keeps it in: {shown}");
}

#[test]
fn filters_name_pack_rule_and_case() {
    let sample = Sample::new();
    let checked = sample.checked();
    let catalogue = checked.compile(checked.packs_until(0)).unwrap();
    let count = |pack: &str, rule: &str, case: &str| {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let filter = Filter { pack: some(pack), rule: some(rule), case: some(case) };
        run_suites(&catalogue, &checked.packs[0].suites, &filter).len()
    };
    assert_eq!((count("", "", ""), count("sample", "", ""), count("other", "", "")), (10, 10, 0));
    assert_eq!(
        (count("", "sample.quota", ""), count("", "", "notice"), count("", "sample.busy", "model")),
        (3, 3, 1)
    );
}

#[test]
fn a_later_pack_that_takes_over_an_earlier_ones_case_is_reported() {
    let (first, second) = (Sample::new(), Sample::new());
    std::fs::remove_dir_all(second.path("rules")).unwrap();
    std::fs::remove_dir_all(second.path("fixtures")).unwrap();
    second.write("rules/pack.yaml", &first.read("rules/pack.yaml").replace("id: sample", "id: other"));
    second.rule("other.status", &RULES[1].1.replace("rank: 40", "rank: 45"));
    let folders = [first.path("rules"), second.path("rules")];
    let report = faultbook_checks::check(&folders, &[first.path("fixtures")], &Options::default());
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"wins-elsewhere"), "{codes:?}");
    second.rule("sample.busy", RULES[2].1);
    let report = faultbook_checks::check(&folders, &[first.path("fixtures")], &Options::default());
    assert!(report.findings.iter().any(|finding| finding.code == "catalogue-refused"), "equal ids");
}
