//! Packs of any size with a realistic vocabulary, and evidence to match them against.

use std::fmt::Write as _;

const SUBJECTS: &[&str] = &[
    "request",
    "account",
    "organisation",
    "workspace",
    "model",
    "deployment",
    "project",
    "session",
    "token",
    "credential",
    "subscription",
    "region",
    "endpoint",
    "gateway",
    "upstream",
    "connection",
    "stream",
    "quota",
];
const STATES: &[&str] = &[
    "was throttled by the",
    "is over the hourly allowance of the",
    "cannot be served by the",
    "was refused by the",
    "is not offered in the",
    "has run out in the",
    "is suspended for the",
    "was cut off by the",
    "timed out waiting for the",
    "is not configured for the",
];
const PLACES: &[&str] = &[
    "billing plane",
    "inference cluster",
    "edge cache",
    "login service",
    "rate governor",
    "policy engine",
    "capacity pool",
    "shared tenant",
    "batch lane",
    "preview channel",
    "control plane",
    "usage meter",
];
const CODES: &[&str] = &[
    "rate_limited",
    "quota_limited",
    "provider_overloaded",
    "access_denied",
    "model_unavailable",
    "auth_required",
];

fn pick<'w>(words: &[&'w str], number: usize) -> &'w str {
    words.get(number % words.len()).copied().unwrap_or_default()
}

/// The words of the rule with a number: no two are equal.
pub(crate) fn phrase(number: usize) -> String {
    let subject = pick(SUBJECTS, number);
    let state = pick(STATES, number / SUBJECTS.len());
    let place = pick(PLACES, number / (SUBJECTS.len() * STATES.len()));
    format!("{subject} {state} {place} {}", ["alpha", "beta", "gamma"][number % 3])
}

/// The pattern of the rule with a number, where it has one: about four in ten do.
pub(crate) fn pattern(number: usize) -> Option<String> {
    (number % 8 >= 5).then(|| {
        let (subject, state) = (pick(SUBJECTS, number), pick(STATES, number / SUBJECTS.len()));
        let place = pick(PLACES, number / (SUBJECTS.len() * STATES.len()));
        format!("{subject}s? [a-z0-9-]{{1,10}} {state} {place}")
    })
}

/// The files of a pack with so many rules.
pub(crate) fn pack(rules: usize) -> Vec<(String, String)> {
    let manifest = "schema: faultbook.pack/1\nid: bench\nversion: 1.0.0\ntitle: Generated rules for benchmarks\n\
                    licence: MIT\nengine: \">=1.0.0, <2.0.0\"\ntaxonomy: 1.0.0\n";
    let mut files = vec![("pack.yaml".to_owned(), manifest.to_owned())];
    files.extend((0..rules).map(|number| (format!("bench/bench.r{number}.yaml"), rule(number))));
    files
}

fn rule(number: usize) -> String {
    let mut text = String::new();
    let test = match pattern(number) {
        Some(pattern) => format!("regex: \"{pattern}\""),
        None => format!("phrases: [\"{}\"]", phrase(number)),
    };
    let _ = write!(
        text,
        "schema: faultbook.rule/1\nid: bench.r{number}\nrevision: 1\ntitle: Generated rule number {number}\n\
         status: stable\nsince: 1.0.0\ncode: {}\nconfidence: high\nband: message\nrank: {}\nmatch:\n  all:\n    \
         - text: {{ {test} }}\nreferences:\n  - {{ url: \"https://example.com/{number}\", seen: 2026-11-30 }}\n",
        pick(CODES, number),
        number % 100,
    );
    text
}

/// Four KiB of log in which no rule matches, in the rules' own vocabulary.
pub(crate) fn miss() -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < 4096 {
        let (subject, place) = (pick(SUBJECTS, number * 7), pick(PLACES, number * 5));
        let _ = writeln!(
            text,
            "2026-11-30T12:00:{:02}Z INFO {subject} reached {place} in {number} ms",
            number % 60
        );
        number += 1;
    }
    text
}

/// The same log with the words of one rule as its last line.
pub(crate) fn hit(number: usize) -> String {
    let mut text = miss();
    let _ = writeln!(text, "ERROR {}", phrase(number));
    text
}
