//! Loading, compiling and classification against the size of a pack, with a loop of regular expressions and a
//! `RegexSet` beside them. Run with `cargo bench -p faultbook-engine`.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod vocabulary;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use faultbook_engine::pack::load_files;
use faultbook_engine::{Catalogue, PackTrust};
use faultbook_evidence::{Channel, Envelope, Signal};
use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

const SIZES: &[usize] = &[100, 1_000, 5_000];
const SMALL: &[usize] = &[100, 1_000];

fn main() {
    divan::main();
}

fn catalogue(rules: usize) -> Catalogue {
    let files = vocabulary::pack(rules);
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes()));
    Catalogue::compile(vec![(load_files("bench", files).unwrap().pack, PackTrust::Trusted)], None).unwrap()
}

fn envelope(text: String) -> Envelope {
    Envelope::of(vec![Signal::text(Channel::Stderr, text)])
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn load(bencher: Bencher<'_, '_>, rules: usize) {
    let files = vocabulary::pack(rules);
    bencher.bench(|| {
        let files = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes()));
        load_files("bench", black_box(files)).unwrap().pack.rules.len()
    });
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn compile(bencher: Bencher<'_, '_>, rules: usize) {
    let files = vocabulary::pack(rules);
    let pack =
        load_files("bench", files.iter().map(|(path, text)| (path.as_str(), text.as_bytes()))).unwrap().pack;
    bencher
        .with_inputs(|| pack.clone())
        .bench_values(|pack| Catalogue::compile(vec![(pack, PackTrust::Trusted)], None).unwrap());
}

#[divan::bench(args = SIZES)]
fn classify_miss(bencher: Bencher<'_, '_>, rules: usize) {
    let (catalogue, envelope) = (catalogue(rules), envelope(vocabulary::miss()));
    bencher.bench(|| catalogue.classify(black_box(&envelope)));
}

#[divan::bench(args = SIZES)]
fn classify_hit(bencher: Bencher<'_, '_>, rules: usize) {
    let (catalogue, envelope) = (catalogue(rules), envelope(vocabulary::hit(3)));
    bencher.bench(|| catalogue.classify(black_box(&envelope)));
}

/// What most peers do: every pattern in turn on the same text.
#[divan::bench(args = SIZES, sample_count = 20)]
fn loop_of_regexes_miss(bencher: Bencher<'_, '_>, rules: usize) {
    let regexes: Vec<Regex> = patterns(rules)
        .iter()
        .map(|pattern| RegexBuilder::new(pattern).case_insensitive(true).unicode(false).build().unwrap())
        .collect();
    let text = vocabulary::miss();
    bencher.bench(|| regexes.iter().filter(|regex| regex.is_match(black_box(text.as_bytes()))).count());
}

#[divan::bench(args = SMALL, sample_count = 20)]
fn regex_set_miss(bencher: Bencher<'_, '_>, rules: usize) {
    let set: RegexSet = RegexSetBuilder::new(patterns(rules))
        .case_insensitive(true)
        .unicode(false)
        .size_limit(1 << 28)
        .dfa_size_limit(1 << 28)
        .build()
        .unwrap();
    let text = vocabulary::miss();
    bencher.bench(|| set.matches(black_box(text.as_bytes())).iter().count());
}

fn patterns(rules: usize) -> Vec<String> {
    (0..rules)
        .map(|number| {
            vocabulary::pattern(number).unwrap_or_else(|| regex::escape(&vocabulary::phrase(number)))
        })
        .collect()
}

/// A log, line by line, each line an envelope of its own.
#[divan::bench(args = [100, 1_000], sample_count = 20)]
fn log_by_line(bencher: Bencher<'_, '_>, rules: usize) {
    let catalogue = catalogue(rules);
    let log = vocabulary::miss().repeat(16);
    bencher.counter(BytesCount::of_str(&log)).bench(|| {
        log.lines()
            .map(|line| catalogue.classify(&envelope(line.to_owned())))
            .filter(|answer| answer.code.is_some())
            .count()
    });
}
