//! A small pack with suites, written to a folder of its own.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses a part of it; a panic is how a test fails"
)]

use std::fs;
use std::path::{Path, PathBuf};

use faultbook_checks::{Checked, Options, Report, check};
use faultbook_document::Severity;
use faultbook_engine::Catalogue;

const MANIFEST: &str = "schema: faultbook.pack/1\nid: sample\nversion: 1.0.0\ntitle: A sample\n\
    licence: MIT\nengine: ^1.0\ntaxonomy: 1.0.0\n";

/// What every sample rule has beside its meaning and match. A deprecated rule need not earn its status, so suites
/// may be small, and it is not capped as an experimental one.
const COMMON: &str = "revision: 1\ntitle: A rule of the sample\nstatus: deprecated\nsince: 1.0.0\n\
    references: [{ url: 'https://example.com/errors', seen: 2026-11-30 }]\n";

/// The rules of the sample: id, and what it means and matches.
pub(crate) const RULES: [(&str, &str); 4] = [
    (
        "sample.quota",
        "code: quota_limited\nconfidence: high\nband: cause\n\
         match: { all: [ field: { at: /error/code, equals: quota_gone } ] }\n\
         hints: [ { kind: reset_at, field: /error/resets_at, formats: [epoch_seconds] } ]\n",
    ),
    (
        "sample.throttle",
        "code: rate_limited\nconfidence: medium\nband: generic\nrank: 40\n\
         match: { all: [ http_status: [429] ] }\n",
    ),
    (
        "sample.busy",
        "code: provider_overloaded\nconfidence: high\nband: message\n\
         match: { all: [ text: { phrases: [sample provider is busy] } ] }\n",
    ),
    ("sample.retrying", "kind: notice\nmatch: { all: [ text: { phrases: [sample agent tries again] } ] }\n"),
];

/// The cases of a suite that holds, by rule.
pub(crate) const SUITES: [(&str, &str); 4] = [
    (
        "sample.quota",
        "  positive:
    - name: by code
      origin: documented
      source: https://example.com/errors
      evidence: { signals: [ { channel: http, http_status: 429, data: { error: { code: quota_gone, resets_at: 1796047200 } } } ], occurred_at: '2026-11-30T12:00:00Z' }
      expect: { code: quota_limited, confidence: high, scope: account, hints: { retry_after_s: null, reset_at: '2026-11-30T14:00:00Z' } }
  negative:
    - name: another code
      origin: synthetic
      evidence: { signals: [ { channel: http, http_status: 429, data: { error: { code: slow_down } } } ] }
      expect: { code: rate_limited, confidence: medium }
  redaction:
    - name: a key beside the code
      origin: synthetic
      evidence: { signals: [ { channel: http, data: { error: { code: quota_gone, message: 'key sk-ant-api03-AAAAbbbbCCCCddddEEEEffff1111222233334444' } } } ] }
      expect: { never_emits: [sk-ant-api03-AAAAbbbbCCCCddddEEEEffff1111222233334444] }
",
    ),
    (
        "sample.throttle",
        "  positive:
    - name: by status
      origin: synthetic
      evidence: { signals: [ { channel: http, http_status: 429 } ] }
      expect: { code: rate_limited }
  negative:
    - name: another status
      origin: synthetic
      evidence: { signals: [ { channel: http, http_status: 404 } ] }
      expect: { state: unclassified, reason: none, candidates: [] }
",
    ),
    (
        "sample.busy",
        "  positive:
    - name: on stderr, beside a throttle
      origin: synthetic
      evidence: { signals: [ { channel: stderr, text: The sample provider is busy, at: '2026-11-30T12:00:00Z' }, { channel: http, http_status: 429, at: '2026-11-30T12:00:00Z' } ] }
      expect: { code: provider_overloaded, confidence: high }
  negative:
    - name: the model says so
      origin: synthetic
      evidence: { signals: [ { channel: assistant, text: The sample provider is busy } ] }
      expect: { state: unclassified, effects: { assistant_output: true, tool_activity: null } }
",
    ),
    (
        "sample.retrying",
        "  positive:
    - name: a notice
      origin: synthetic
      evidence: { signals: [ { channel: stderr, text: \"hello\\nsample agent tries again\" } ] }
      expect: { state: unclassified, marks: [ { signal: 0, line: 2, kind: notice }, { signal: 0, line: 1, kind: none } ] }
  negative:
    - name: no notice
      origin: synthetic
      evidence: { signals: [ { channel: stderr, text: sample agent stops } ] }
      expect: { state: unclassified, marks: [] }
  correlation:
    - name: busy before a notice, quiet after it
      origin: synthetic
      evidence: { signals: [ { channel: stderr, text: \"sample provider is busy\\nsample agent tries again\" } ] }
      expect: { code: provider_overloaded, confidence: medium, rule: sample.busy }
",
    ),
];

/// The sample in a folder that goes with it.
pub(crate) struct Sample {
    folder: tempfile::TempDir,
}

impl Sample {
    /// The whole sample, sound and blessed.
    pub(crate) fn new() -> Self {
        let sample = Self { folder: tempfile::tempdir().unwrap() };
        sample.write("rules/pack.yaml", MANIFEST);
        for (id, rest) in RULES {
            sample.rule(id, rest);
        }
        for (id, cases) in SUITES {
            sample.suite(id, cases);
        }
        sample.bless();
        sample
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn rule(&self, id: &str, rest: &str) {
        let text = format!("schema: faultbook.rule/1\nid: {id}\n{COMMON}{rest}");
        self.write(&format!("rules/{id}.yaml"), &text);
    }

    pub(crate) fn suite(&self, id: &str, cases: &str) {
        let text = format!("schema: faultbook.fixture/1\nrule: {id}\ncases:\n{cases}");
        self.write(&format!("fixtures/sample/{id}.yaml"), &text);
    }

    pub(crate) fn check(&self, options: &Options) -> Report {
        check(&[self.path("rules")], &[self.path("fixtures")], options)
    }

    pub(crate) fn bless(&self) -> Report {
        self.check(&Options { bless: true, ..Options::default() })
    }

    pub(crate) fn checked(&self) -> Checked {
        let (checked, problems) = Checked::load(&[self.path("rules")], &[self.path("fixtures")]);
        assert_eq!(problems, [], "the sample loads");
        checked
    }

    pub(crate) fn catalogue(&self) -> Catalogue {
        let checked = self.checked();
        checked.compile(checked.packs_until(0)).unwrap()
    }

    /// The errors of a check as `code file:line`, with the file's path inside the sample.
    pub(crate) fn errors(&self) -> Vec<String> {
        let report = self.check(&Options::default());
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors
            .map(|finding| {
                let file = Path::new(&finding.file);
                let inside = file.strip_prefix(self.folder.path()).unwrap_or(file);
                format!("{} {}:{}", finding.code, inside.display(), finding.line)
            })
            .collect()
    }
}
