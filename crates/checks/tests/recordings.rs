//! Recordings of real agents through adapter and core pack: the answer that a host would act on is the labelled one.

use std::path::{Path, PathBuf};

use faultbook_adapters::Recording;
use faultbook_checks::Checked;
use faultbook_engine::Catalogue;
use faultbook_taxonomy::{Classification, State};
use serde::Deserialize;

/// One line of the index: a recording and the codes that an expert would give it.
#[derive(Debug, Deserialize)]
struct Label {
    id: String,
    file: String,
    code: String,
    also_ok: Vec<String>,
    silent: bool,
}

impl Label {
    /// Whether an answer is right. A recording shows the whole turn: one that is healthy must come back so, unless
    /// the label says that the turn shows nothing.
    fn is_right(&self, answer: Option<&Classification>) -> bool {
        let accepts = |code: &str| self.code == code || self.also_ok.iter().any(|also| also == code);
        match answer.map(|answer| (answer.state, answer.code)) {
            Some((State::Classified, Some(code))) => accepts(code.as_str()),
            Some((State::NoFailure, _)) => accepts("none") || self.silent,
            Some((State::Classified, None)) => false,
            Some((State::Unclassified, _)) | None => {
                accepts("unknown_provider_error") || (accepts("none") && self.silent)
            }
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn core() -> Catalogue {
    let (checked, problems) = Checked::load(&[root().join("rules/core")], &[]);
    checked.compile(checked.packs_until(0)).unwrap_or_else(|why| panic!("{why:#?} {problems:#?}"))
}

#[test]
fn every_recording_has_its_labelled_answer() {
    let catalogue = core();
    let folder = root().join("fixtures/recordings");
    let index = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for line in index.lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        let recording = Recording::read(&std::fs::read_to_string(folder.join(&label.file)).unwrap()).unwrap();
        let answer = recording.answering_turn().map(|turn| catalogue.classify(&turn.envelope));
        if !label.is_right(answer.as_ref()) {
            let said = answer.map(|answer| (answer.state, answer.code, answer.rule.map(|rule| rule.id)));
            wrong.push(format!("{}: {} or {:?}, not {said:?}", label.id, label.code, label.also_ok));
        }
    }
    assert!(index.lines().count() > 50, "the index lists the recordings");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
