//! Broken packs of every kind: what the loader says, all at once, with file, line and column.

use std::collections::BTreeSet;

use faultbook_document::{Colours, Diagnostic, render};
use faultbook_engine::pack::{self, CODES, LoadedPack, load_files, load_folder, read_overlay};

const MANIFEST: &str = "schema: faultbook.pack/1\nid: example\nversion: 1.2.0\ntitle: An example\n\
    licence: MIT\nengine: ^1.0\ntaxonomy: 1.0.0\n";
const AMBIGUOUS: &str = "schema: faultbook.ambiguous/1\nvalues:\n  - at: /error/type\n    value: rate_limit_error\n    \
    generic_for: [429]\n    note: Quota and speed.\n";
const RETIRED: &str = "schema: faultbook.retired/1\nretired:\n  - id: example.old\n    last: 1.0.0\n    \
    successor: example.quota\n    reason: Too wide.\n";
const RULE: &str = "schema: faultbook.rule/1
id: example.quota
revision: 1
title: The quota is used up, said by code
status: experimental
since: 1.0.0
code: quota_limited
confidence: high
band: cause
applies: { providers: [openai] }
match:
  all:
    - http_status: [429]
    - field: { at: [/error/code, /error/type], in: [insufficient_quota] }
  none:
    - text: { phrases: [daily] }
hints:
  - { kind: reset_at, field: /error/resets_at, formats: [epoch_seconds] }
references:
  - { url: 'https://example.com/errors', seen: 2026-11-30 }
";
const SPEAKER: &str = "schema: faultbook.rule/1
id: example.speaker
kind: speaker
revision: 1
title: The agent speaks for itself
status: experimental
since: 1.0.0
applies: { agents: [codex] }
match: { all: [channel: [assistant], text: { starts: 'API Error:' }, whole: true] }
";

type Files = Vec<(&'static str, String)>;

fn sound() -> Files {
    vec![
        ("pack.yaml", MANIFEST.to_owned()),
        ("ambiguous.yaml", AMBIGUOUS.to_owned()),
        ("retired.yaml", RETIRED.to_owned()),
        ("some/folder/example.quota.yaml", RULE.to_owned()),
        ("example.speaker.yaml", SPEAKER.to_owned()),
        ("README.md", "not read".to_owned()),
    ]
}

fn load(files: &Files) -> Result<LoadedPack, Vec<Diagnostic>> {
    load_files("rules/example", files.iter().map(|(path, text)| (*path, text.as_bytes())))
}

/// The sound pack with one change: in a file, a text becomes another.
fn changed(path: &str, from: &str, to: &str) -> Files {
    let mut files = sound();
    for (_, text) in files.iter_mut().filter(|(name, _)| name.ends_with(path)) {
        assert!(text.contains(from), "{path} does not contain {from:?}");
        *text = text.replace(from, to);
    }
    files
}

/// What happens to the quota rule's status condition when it is replaced by another one.
fn condition(to: &str) -> Files {
    changed("quota.yaml", "- http_status: [429]", &format!("- {to}"))
}

/// A rule whose match and band are replaced.
fn claim(band: &str, all: &str) -> Files {
    let mut files = changed("quota.yaml", "band: cause", &format!("band: {band}"));
    for (_, text) in files.iter_mut().filter(|(name, _)| name.ends_with("quota.yaml")) {
        let (head, tail) = text.split_once("match:").expect("a match");
        let (_, tail) = tail.split_once("  none:").expect("a none");
        *text = format!("{head}match:\n  all: {all}\n  none:{tail}");
    }
    files
}

type Case = (Files, &'static str);

fn table() -> Vec<Case> {
    [files_and_kinds(), atoms(), patterns_and_hints(), bands(), syntax_and_schema()]
        .into_iter()
        .flatten()
        .collect()
}

fn files_and_kinds() -> Vec<Case> {
    let mut twice = sound();
    twice.push(("other/example.quota.yaml", RULE.to_owned()));
    let mut without_manifest = sound();
    without_manifest.remove(0);
    vec![
        (without_manifest, "missing-manifest"),
        (twice, "duplicate-id"),
        (changed("pack.yaml", "pack/1", "pack/2"), "unsupported-version"),
        (changed("quota.yaml", "rule/1", "rule/9"), "unsupported-version"),
        (changed("pack.yaml", "^1.0", "^7"), "unsupported-engine"),
        (changed("pack.yaml", "^1.0", "'>=0.3'"), "engine-too-low"),
        (changed("pack.yaml", "^1.0", "one"), "bad-version"),
        (changed("pack.yaml", "taxonomy: 1.0.0", "taxonomy: 2.0.0"), "unsupported-taxonomy"),
        (changed("pack.yaml", "1.2.0", "1.2"), "wrong-type"),
        (changed("pack.yaml", "1.2.0", "v1.2.0"), "bad-version"),
        (changed("quota.yaml", "since: 1.0.0", "since: 1.3.0"), "version-order"),
        (changed("quota.yaml", "2026-11-30", "2026-13-01"), "bad-date"),
        (changed("quota.yaml", "id: example.quota", "id: example.quotas"), "id-not-file-stem"),
        (changed("retired.yaml", "example.old", "example.speaker"), "retired-id"),
        (changed("retired.yaml", "example.quota", "example.qota"), "unknown-successor"),
        (changed("quota.yaml", "code: quota_limited\n", ""), "key-missing-for-kind"),
        (changed("speaker.yaml", "since", "code: quota_limited\nrank: 3\nsince"), "key-refused-for-kind"),
        (changed("speaker.yaml", "applies: { agents: [codex] }\n", ""), "speaker-without-agent"),
        (changed("speaker.yaml", "starts: 'API Error:'", "phrases: ['API Error:']"), "speaker-not-anchored"),
        (changed("speaker.yaml", "[assistant]", "[assistant, stderr]"), "channel-refused"),
        (changed("speaker.yaml", "kind: speaker", "kind: healthy"), "channel-refused"),
    ]
}

fn atoms() -> Vec<Case> {
    vec![
        (claim("generic", "[]"), "match-asks-nothing"),
        (condition("http_status: []"), "empty-list"),
        (condition("text: { phrases: [] }"), "empty-list"),
        (condition("http_status: { min: 599, max: 500 }"), "empty-range"),
        (condition("http_status: [4290]"), "status-out-of-range"),
        (condition("text: { starts: Sorry, equals: Sorry }"), "one-test"),
        (condition("field: { at: /a }"), "one-test"),
        (condition("whole: false"), "whole-false"),
        (condition("field: { at: error/code, exists: true }"), "bad-pointer"),
        (condition("field: { at: /a, equals: [1] }"), "value-not-scalar"),
        (condition("text: { phrases: ['  '] }"), "empty-words"),
        (claim("generic", "[{ text: { phrases: [quota] } }]"), "phrase-too-weak"),
        (claim("generic", "[{ text: { phrases: ['4294294294'] } }]"), "phrase-too-weak"),
    ]
}

fn patterns_and_hints() -> Vec<Case> {
    vec![
        (condition("text: { regex: 'limit (reached' }"), "bad-regex"),
        (condition("text:\n        regex: |-\n          limit [reached"), "bad-regex"),
        (condition("text: { regex: \"caf\\u00e9 limit \\\\p{Greek}\" }"), "bad-regex"),
        (condition(&format!("text: {{ regex: '{}' }}", "long ".repeat(60))), "regex-too-long"),
        (condition("text: { regex: '(?:limit)?' }"), "regex-matches-empty"),
        (condition("text: { regex: '[a-z]+ [0-9]+' }"), "regex-no-literal"),
        (condition("text: { regex: 'limit.*reached' }"), "regex-wide-gap"),
        (condition("text: { regex: '(limit) reached' }"), "regex-captures"),
        (changed("quota.yaml", "field: /error/resets_at", "text: 'in [0-9]{1,3} minutes'"), "regex-captures"),
        (changed("quota.yaml", "field: /error/resets_at", "field: /a, header: retry-after"), "hint-source"),
        (
            changed(
                "quota.yaml",
                "formats: [epoch_seconds]",
                "formats: [epoch_seconds], min_seconds: 9, max_seconds: 3",
            ),
            "hint-bounds",
        ),
        (
            changed("quota.yaml", "formats: [epoch_seconds]", "formats: [epoch_seconds], zone: Mars/Olympus"),
            "unknown-zone",
        ),
        (changed("quota.yaml", "formats: [epoch_seconds]", "formats: []"), "empty-list"),
    ]
}

fn bands() -> Vec<Case> {
    vec![
        (claim("cause", "[{ http_status: [429] }]"), "band-not-deserved"),
        (claim("cause", "[{ field: { at: /error/type, equals: rate_limit_error } }]"), "band-not-deserved"),
        (claim("cause", "[{ field: { at: /error/code, equals: 429 } }]"), "band-not-deserved"),
        (
            claim("cause", "[{ any: [{ field: { at: /a, equals: known } }, { http_status: [429] }] }]"),
            "band-not-deserved",
        ),
        (
            changed(
                "quota.yaml",
                "references:\n  - { url: 'https://example.com/errors', seen: 2026-11-30 }\n",
                "",
            ),
            "band-not-deserved",
        ),
        (claim("message", "[{ http_status: [429] }]"), "band-not-deserved"),
        (claim("generic", "[{ http_status: [429] }]"), "confidence-not-deserved"),
    ]
}

fn syntax_and_schema() -> Vec<Case> {
    vec![
        (changed("quota.yaml", "quota_limited", "quota_limit"), "unknown-value"),
        (changed("quota.yaml", "revision", "revison"), "unknown-key"),
        (changed("quota.yaml", "[openai]", "[opnai]"), "unknown-value"),
        (condition("http_satus: [429]"), "unknown-key"),
        (condition("{ http_status: [429], whole: true }"), "single-key"),
        (condition("http_status: 429"), "wrong-type"),
        (changed("quota.yaml", "code: quota_limited", "code:"), "unknown-value"),
        (
            changed("quota.yaml", "code: quota_limited", "code: quota_limited\ncode: rate_limited"),
            "duplicate-key",
        ),
        (changed("quota.yaml", "match:", "match: &m"), "yaml-anchor"),
    ]
}

#[test]
fn the_sound_pack_loads() {
    let loaded = load(&sound()).map_err(|all| show(&all)).unwrap();
    let ids: Vec<&str> = loaded.pack.rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["example.quota", "example.speaker"]);
    assert_eq!((loaded.pack.ambiguous.len(), loaded.pack.retired.len()), (1, 1));
    assert_eq!(loaded.warnings, []);
    let at = loaded.documents["example.quota"].locate("/match/all/0");
    assert_eq!((at.file.as_str(), at.span.start.line), ("rules/example/some/folder/example.quota.yaml", 13));
}

#[test]
fn each_broken_pack_gets_its_diagnostic() {
    let mut shown = String::new();
    for (files, want) in table() {
        let problems = load(&files).map(|_| ()).expect_err(want);
        let own: Vec<&Diagnostic> = problems.iter().filter(|one| one.code == want).collect();
        assert!(!own.is_empty(), "no {want} in\n{}", show(&problems));
        for problem in problems {
            shown.push_str(&render(&problem, Colours::Plain));
            shown.push_str("\n\n");
        }
    }
    insta::assert_snapshot!("broken_packs", shown);
}

#[test]
fn every_code_of_the_loader_is_shown_somewhere() {
    let mut seen: BTreeSet<&str> = table().iter().map(|(_, code)| *code).collect();
    // These need a real folder or an overlay; see the tests below.
    seen.extend([
        "unreadable",
        "unexpected-file",
        "link-outside",
        "pack-too-large",
        "overlay-changes-nothing",
    ]);
    let unseen: Vec<&str> = CODES.iter().map(|(slug, _)| *slug).filter(|slug| !seen.contains(slug)).collect();
    assert_eq!(unseen, [""; 0]);
    let unique: BTreeSet<&str> =
        CODES.iter().chain(faultbook_document::CODES).map(|(slug, _)| *slug).collect();
    assert_eq!(unique.len(), CODES.len() + faultbook_document::CODES.len(), "no slug twice");
}

#[test]
fn all_problems_of_all_files_come_at_once_and_in_order() {
    let mut files = changed("quota.yaml", "revision: 1", "revison: 1");
    for (path, text) in &mut files {
        match *path {
            "pack.yaml" => *text = text.replace("^1.0", "^7"),
            "example.speaker.yaml" => text.push_str("rank: 7\n"),
            "some/folder/example.quota.yaml" => {
                *text = text.replace(
                    "- http_status: [429]",
                    "- text: { regex: 'limit (reached' }\n    - http_status: 429",
                );
            }
            _ => {}
        }
    }
    files.push(("broken.yaml", "id: [\n".to_owned()));
    let problems = load(&files).map(|_| ()).unwrap_err();
    let got: Vec<(&str, u32, &str)> = problems
        .iter()
        .map(|one| (one.file.strip_prefix("rules/example/").unwrap(), one.line, one.code))
        .collect();
    assert_eq!(
        got,
        [
            ("broken.yaml", 1, "yaml-syntax"),
            ("example.speaker.yaml", 10, "key-refused-for-kind"),
            ("pack.yaml", 6, "unsupported-engine"),
            ("some/folder/example.quota.yaml", 1, "missing-key"),
            ("some/folder/example.quota.yaml", 3, "unknown-key"),
            ("some/folder/example.quota.yaml", 13, "bad-regex"),
            ("some/folder/example.quota.yaml", 14, "wrong-type"),
        ]
    );
    assert!(
        problems
            .iter()
            .filter(|one| one.file.contains("quota"))
            .all(|one| one.rule.as_deref() == Some("example.quota"))
    );
}

#[test]
fn the_order_of_files_means_nothing() {
    let mut backwards = sound();
    backwards.reverse();
    let one = load(&sound()).map_err(|all| show(&all)).unwrap().pack;
    assert_eq!(load(&backwards).map_err(|all| show(&all)).unwrap().pack, one);
}

#[test]
fn a_channel_that_is_never_trusted_is_a_warning() {
    let loaded = load(&condition("channel: [tool, http]")).map_err(|all| show(&all)).unwrap();
    assert_eq!(loaded.warnings.iter().map(|one| one.code).collect::<Vec<_>>(), ["channel-refused"]);
}

#[test]
fn a_rule_of_an_outside_code_may_ask_for_a_tool() {
    let table = [("task_error", "tool", 0), ("task_error", "assistant", 1), ("quota_limited", "tool", 1)];
    for (code, channel, expected) in table {
        let mut files = condition(&format!("channel: [{channel}]"));
        for (_, text) in files.iter_mut().filter(|(name, _)| name.ends_with("quota.yaml")) {
            *text = text.replace("code: quota_limited", &format!("code: {code}"));
        }
        let loaded = load(&files).map_err(|all| show(&all)).unwrap();
        let warned = loaded.warnings.iter().filter(|one| one.code == "channel-refused").count();
        assert_eq!(warned, expected, "{code} on {channel}");
    }
}

#[test]
fn gateway_statuses_may_be_sure() {
    for status in ["[502, 503, 504, 529]", "{ min: 520, max: 526 }"] {
        load(&claim("generic", &format!("[{{ http_status: {status} }}]"))).map_err(|all| show(&all)).unwrap();
    }
}

#[test]
fn overlays() {
    let read = |text: &str| read_overlay("overlay.yaml", text.as_bytes());
    let head = "schema: faultbook.overlay/1\nrules:\n";
    let good = read(&format!("{head}  - {{ id: a.b, disable: true, reason: noisy, until: 2026-12-31 }}\n"));
    assert_eq!(good.map_err(|all| show(&all)).unwrap().rules.len(), 1);
    let table = [
        ("  - { id: a.b, reason: none }", "overlay-changes-nothing"),
        ("  - { id: a.b, disable: true, reason: none, until: soon }", "bad-date"),
        ("  - { id: a.b, code: rate_limited, reason: none, rank: 3 }", "unknown-key"),
        ("  - { id: a.b, reason: none, rank: 300 }", "out-of-bounds"),
        ("  - { id: a.b, rank: 3 }", "missing-key"),
    ];
    let mut shown = String::new();
    for (entry, want) in table {
        let problems = read(&format!("{head}{entry}\n")).unwrap_err();
        assert_eq!(problems.iter().map(|one| one.code).collect::<Vec<_>>(), [want], "{}", show(&problems));
        shown.push_str(&show(&problems));
    }
    insta::assert_snapshot!("broken_overlays", shown);
}

#[cfg(unix)]
#[test]
fn folders_are_not_trusted() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("pack");
    for (path, text) in sound() {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    // A mounted configuration links to hidden folders beside the file.
    std::fs::create_dir(root.join("..data")).unwrap();
    std::fs::rename(root.join("example.speaker.yaml"), root.join("..data/example.speaker.yaml")).unwrap();
    symlink("..data/example.speaker.yaml", root.join("example.speaker.yaml")).unwrap();
    assert_eq!(load_folder(&root).map_err(|all| show(&all)).unwrap().pack.rules.len(), 2);

    std::fs::write(home.path().join("secret.yaml"), "password").unwrap();
    symlink("../secret.yaml", root.join("a.yaml")).unwrap();
    symlink(".", root.join("b")).unwrap();
    symlink("nowhere", root.join("c.yaml")).unwrap();
    symlink("/dev/zero", root.join("d.yaml")).unwrap();
    let _listener = UnixListener::bind(root.join("e.yaml")).unwrap();
    std::fs::write(root.join("f.yml"), "").unwrap();
    std::fs::write(root.join("g.yaml"), vec![b' '; 2 * 1024 * 1024]).unwrap();
    std::fs::create_dir_all(root.join("h/h/h/h/h/h/h/h")).unwrap();
    let problems = load_folder(&root).map(|_| ()).unwrap_err();
    let got: Vec<(String, &str)> =
        problems.iter().map(|one| (one.file.rsplit('/').next().unwrap_or("").to_owned(), one.code)).collect();
    let want = [
        ("a.yaml", "link-outside"),
        ("b", "link-outside"),
        ("c.yaml", "link-outside"),
        ("d.yaml", "link-outside"),
        ("e.yaml", "unexpected-file"),
        ("f.yml", "unexpected-file"),
        ("g.yaml", "file-too-large"),
        ("h", "pack-too-large"),
    ];
    assert_eq!(got, want.map(|(file, code)| (file.to_owned(), code)));
    assert!(!show(&problems).contains("password"));
    assert_eq!(load_folder(&home.path().join("absent")).map(|_| ()).unwrap_err()[0].code, "unreadable");
}

#[test]
fn hostile_packs_are_refused_within_bounds() {
    let started = std::time::Instant::now();
    let many: Vec<(String, String)> =
        (0..=pack::MAX_FILES).map(|n| (format!("r{n}.yaml"), String::new())).collect();
    let problems =
        load_files("x", many.iter().map(|(path, text)| (path.as_str(), text.as_bytes()))).map(|_| ());
    assert_eq!(problems.unwrap_err()[0].code, "pack-too-large");
    let broken: Vec<(String, String)> =
        (0..5000).map(|n| (format!("r{n}.yaml"), "[*a, *b, {}: 1, x: x".to_owned())).collect();
    let problems = load_files("x", broken.iter().map(|(path, text)| (path.as_str(), text.as_bytes())))
        .map(|_| ())
        .unwrap_err();
    assert!(problems.len() <= 1001);
    let bombs = [
        format!("a: {}", "[".repeat(500_000)),
        format!("a: &a [x]\nb: {}", "*a ".repeat(100_000)),
        format!(
            "match: {{ all: [{}] }}",
            "{ text: { regex: '((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9}' } },".repeat(4000)
        ),
        format!("match: {{ all: [{}] }}", "{ nonsense: 1 },".repeat(40_000)),
    ];
    let tombstone = "{ id: a.b, last: 9.9.9, successor: c.d, reason: none },";
    let retired = format!("schema: faultbook.retired/1\nretired: [{}]\n", tombstone.repeat(10_000));
    assert!(
        load_files("x", [("pack.yaml", MANIFEST.as_bytes()), ("retired.yaml", retired.as_bytes())]).is_err()
    );
    for bomb in bombs {
        let one = std::time::Instant::now();
        assert!(load_files("x", [("pack.yaml", MANIFEST.as_bytes()), ("a.yaml", bomb.as_bytes())]).is_err());
        assert!(one.elapsed().as_secs() < 5, "{:?} for {:?}…", one.elapsed(), bomb.get(..40));
    }
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

fn show(problems: &[Diagnostic]) -> String {
    problems.iter().map(|problem| render(problem, Colours::Plain) + "\n\n").collect()
}

mod random {
    use proptest::prelude::*;

    use super::{MANIFEST, RULE, load_files};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn damaged_rules_never_panic(at in 0..RULE.len(), length in 0_usize..30, with in "\\PC{0,12}") {
            let mut text = RULE.to_owned();
            text.replace_range(at..(at + length).min(RULE.len()), &with);
            let files = [("pack.yaml", MANIFEST.as_bytes()), ("example.quota.yaml", text.as_bytes())];
            if let Err(problems) = load_files("x", files) {
                prop_assert!(!problems.is_empty());
            }
        }
    }
}
