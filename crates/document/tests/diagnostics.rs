//! What people see for each problem of a file: one golden a code, and a list of all codes.

use std::collections::BTreeSet;

use faultbook_document::{CODES, Colours, Diagnostic, Document, Limits, Schema, Source, codes, render};
use serde_json::{Value, json};

/// A schema in the shapes that our types generate: optional enums, tagged maps, single-key atoms, references.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "schema": { "type": "string", "const": "example/1" },
            "id": { "type": "string", "pattern": "^[a-z]+(\\.[a-z]+)*$", "description": "Lower case words, joined by dots." },
            "code": { "anyOf": [{ "$ref": "#/$defs/Code" }, { "type": "null" }] },
            "rank": { "type": ["integer", "null"], "minimum": 0, "maximum": 99 },
            "since": { "type": "string", "maxLength": 12 },
            "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true, "maxItems": 3 },
            "match": { "type": "array", "items": { "$ref": "#/$defs/Atom" } },
            "hint": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "wait" }, "field": { "type": "string" } }, "required": ["kind", "field"], "additionalProperties": false },
                { "type": "object", "properties": { "kind": { "const": "until" }, "header": { "type": "string" } }, "required": ["kind", "header"], "additionalProperties": false }
            ] },
            "words": { "type": "object", "propertyNames": { "pattern": "^[a-z]+$" } },
            "free": { "not": { "const": 7 } }
        },
        "required": ["schema", "id"],
        "additionalProperties": false,
        "$defs": {
            "Code": { "oneOf": [
                { "type": "string", "const": "rate_limited", "description": "Too fast." },
                { "type": "string", "const": "quota_limited", "description": "Used up." }
            ] },
            "Numbers": { "anyOf": [
                { "type": "array", "items": { "type": "integer" } },
                { "type": "object", "properties": { "min": { "type": "integer" }, "max": { "type": "integer" } }, "required": ["min", "max"], "additionalProperties": false }
            ] },
            "Atom": { "oneOf": [
                { "type": "object", "properties": { "http_status": { "$ref": "#/$defs/Numbers" } }, "required": ["http_status"], "additionalProperties": false },
                { "type": "object", "properties": { "channel": { "type": "array", "items": { "enum": ["http", "stderr"] } } }, "required": ["channel"], "additionalProperties": false },
                { "type": "object", "properties": { "all": { "type": "array", "items": { "$ref": "#/$defs/Atom" } } }, "required": ["all"], "additionalProperties": false }
            ] }
        }
    })
}

fn problems(name: &str, bytes: &[u8]) -> Vec<Diagnostic> {
    let limits = Limits { bytes: 4096, nesting: 8, nodes: 60, problems: 5 };
    let source = match Source::from_bytes(name, bytes) {
        Ok(source) => source,
        Err(problem) => return vec![*problem],
    };
    match Document::parse(source, &limits) {
        Ok(document) => Schema::compile(&schema()).expect("the schema is valid").validate(&document),
        Err(problems) => problems,
    }
}

/// Good keys to put before a faulty one.
const HEAD: &str = "schema: example/1\nid: a.b\n";

/// File name, contents, the codes that must come out.
type Case = (&'static str, Vec<u8>, Vec<&'static str>);

fn with(tail: &str) -> Vec<u8> {
    format!("{HEAD}{tail}\n").into_bytes()
}

/// Texts that make no document.
fn unreadable() -> Vec<Case> {
    vec![
        ("utf-16.yaml", b"\xff\xfei\0d\0".to_vec(), vec![codes::NOT_UTF8]),
        ("latin-1.yaml", b"# first\nid: caf\xe9\n".to_vec(), vec![codes::NOT_UTF8]),
        ("huge.yaml", vec![b'#'; 5000], vec![codes::FILE_TOO_LARGE]),
        ("nul.yaml", b"id: a\0b\n".to_vec(), vec![codes::CONTROL_CHARACTER]),
        ("reordered.yaml", with("since: \"a\u{202e}b\""), vec![codes::CONTROL_CHARACTER]),
        ("unclosed.yaml", with("tags: [a, b"), vec![codes::YAML_SYNTAX]),
        ("tab.yaml", with("hint:\n\tkind: wait"), vec![codes::YAML_SYNTAX]),
        ("colon.yaml", with("since: one: two"), vec![codes::YAML_SYNTAX]),
        ("quotes.yaml", with("since: \"abc"), vec![codes::YAML_SYNTAX]),
        ("directive.yaml", b"%YAML 1.1\n---\nid: a\n".to_vec(), vec![codes::YAML_SYNTAX]),
        ("empty.yaml", b"# nothing\n".to_vec(), vec![codes::EMPTY_DOCUMENT]),
        ("two.yaml", with("---\nid: c"), vec![codes::SEVERAL_DOCUMENTS]),
        ("deep.yaml", with("free: [[[[[[[[1]]]]]]]]"), vec![codes::NESTING_TOO_DEEP]),
        ("deep-block.yaml", with("free:\n - - - - - - - - 1"), vec![codes::NESTING_TOO_DEEP]),
        ("many.yaml", with(&format!("free: [{}]", "1,".repeat(80))), vec![codes::TOO_MANY_NODES]),
        (
            "bomb.yaml",
            with("free: &a [x, *b]\ntags: [*a, *a]"),
            vec![codes::YAML_ANCHOR, codes::YAML_ALIAS, codes::YAML_ALIAS, codes::YAML_ALIAS],
        ),
        ("merge.yaml", with("hint:\n  <<: {kind: wait}"), vec![codes::MERGE_KEY]),
        ("tag.yaml", with("since: !!str 1"), vec![codes::YAML_TAG]),
        (
            "twice.yaml",
            with("rank: 1\nid: c.d\n\"rank\": 2"),
            vec![codes::DUPLICATE_KEY, codes::DUPLICATE_KEY],
        ),
        ("key.yaml", with("free: {? [a] : b}"), vec![codes::KEY_NOT_TEXT]),
    ]
}

/// Documents that do not satisfy the schema.
fn invalid() -> Vec<Case> {
    vec![
        ("unknown.yaml", with("ranks: 3\nzebra: 1"), vec![codes::UNKNOWN_KEY, codes::UNKNOWN_KEY]),
        ("missing.yaml", b"schema: example/1\n".to_vec(), vec![codes::MISSING_KEY]),
        ("version.yaml", b"schema: example/2\nid: a\n".to_vec(), vec![codes::UNKNOWN_VALUE]),
        ("code.yaml", with("code: rate_limted"), vec![codes::UNKNOWN_VALUE]),
        ("code-type.yaml", with("code: 429"), vec![codes::UNKNOWN_VALUE]),
        ("type.yaml", with("since: 1.0\nrank: high\ntags: one"), vec![codes::WRONG_TYPE; 3]),
        ("nothing.yaml", with("since:"), vec![codes::WRONG_TYPE]),
        ("form.yaml", b"schema: example/1\nid: A-b\n".to_vec(), vec![codes::WRONG_FORM]),
        (
            "bounds.yaml",
            with("rank: 100\nsince: much too long, sorry\ntags: [a, b, c, d]"),
            vec![codes::OUT_OF_BOUNDS; 3],
        ),
        ("items.yaml", with("tags: [a, a]"), vec![codes::DUPLICATE_ITEM]),
        ("atom.yaml", with("match:\n  - http_satus: [429]"), vec![codes::UNKNOWN_KEY]),
        ("atoms.yaml", with("match:\n  - http_status: [429]\n    channel: [http]"), vec![codes::SINGLE_KEY]),
        ("no-atom.yaml", with("match: [{}]"), vec![codes::SINGLE_KEY]),
        ("atom-type.yaml", with("match: [http]"), vec![codes::WRONG_TYPE]),
        ("inside.yaml", with("match: [{all: [{all: [{channel: [htp]}]}]}]"), vec![codes::UNKNOWN_VALUE]),
        ("numbers.yaml", with("match: [{http_status: 429}]"), vec![codes::WRONG_TYPE]),
        (
            "range.yaml",
            with("match: [{http_status: {min: 500, mx: 599}}]"),
            vec![codes::MISSING_KEY, codes::UNKNOWN_KEY],
        ),
        (
            "tagged.yaml",
            with("hint: {kind: until, heder: retry-after}"),
            vec![codes::MISSING_KEY, codes::UNKNOWN_KEY],
        ),
        ("names.yaml", with("words: {OK: 1}"), vec![codes::WRONG_FORM]),
        ("other.yaml", with("free: 7"), vec![codes::SCHEMA_VIOLATION]),
        ("many-problems.yaml", with("free: [*a, *b, *c, *d, *e, *f, *g]"), {
            let mut all = vec![codes::YAML_ALIAS; 5];
            all.push(codes::TOO_MANY_PROBLEMS);
            all
        }),
        (
            "json.json",
            b"{\"schema\": \"example/1\",\n\t\"id\": \"a\", \"code\": \"quota\"}".to_vec(),
            vec![codes::UNKNOWN_VALUE],
        ),
    ]
}

#[test]
fn each_problem_reads_well() {
    let mut shown = String::new();
    let mut seen = BTreeSet::new();
    for (name, bytes, want) in unreadable().into_iter().chain(invalid()) {
        let problems = problems(name, &bytes);
        let mut got: Vec<&str> = problems.iter().map(|one| one.code).collect();
        for problem in &problems {
            shown.push_str(&render(problem, Colours::Plain));
            shown.push_str("\n\n");
        }
        seen.extend(got.iter().copied());
        got.sort_unstable();
        let mut want = want;
        want.sort_unstable();
        assert_eq!(got, want, "{name}\n{shown}");
    }
    insta::assert_snapshot!("problems", shown);
    let all: BTreeSet<&str> = CODES.iter().map(|(slug, _)| *slug).collect();
    assert_eq!(seen, all, "each code has a golden");
    assert_eq!(all.len(), CODES.len(), "no slug twice");
}

#[test]
fn a_sound_document_is_silent() {
    let text = "schema: example/1\nid: a.b\ncode: rate_limited\nrank: 7\nsince: '1.0'\ntags: [no, on]\n\
                match:\n  - http_status: {min: 500, max: 599}\n  - all: [channel: [http]]\nhint: {kind: wait, field: x}\n";
    let document = Document::parse(Source::new("a.yaml", text), &Limits::default()).unwrap();
    assert_eq!(Schema::compile(&schema()).expect("the schema is valid").validate(&document), []);
}

#[test]
fn the_machine_readable_form() {
    let problems = problems("twice.yaml", format!("{HEAD}rank: 1\nrank: 2\n").as_bytes());
    insta::assert_json_snapshot!("machine_readable", problems);
}

#[test]
fn colours_only_when_asked() {
    let problems = problems("a.yaml", b"id: [");
    assert!(!render(&problems[0], Colours::Plain).contains('\u{1b}'));
    assert!(render(&problems[0], Colours::Ansi).contains('\u{1b}'));
}

#[test]
fn a_long_line_keeps_its_real_column() {
    let text = format!("{HEAD}since: [{}, *x]\n", "a".repeat(900));
    let problem = &problems("long.yaml", text.as_bytes())[0];
    assert_eq!((problem.line, problem.column), (3, 911));
    assert!(problem.excerpt.len() < 300);
    insta::assert_snapshot!("long_line", render(problem, Colours::Plain));
}

#[test]
fn deep_choices_stay_cheap() {
    let depth = 13;
    let atom = format!("{}{{chanel: [http]}}{}", "{all: [".repeat(depth), "]}".repeat(depth));
    let text = format!("{HEAD}match: [{}]\n", vec![atom; 100].join(", "));
    let limits = Limits::default();
    let document = Document::parse(Source::new("deep.yaml", &text), &limits)
        .map_err(|all| render(&all[0], Colours::Plain));
    let started = std::time::Instant::now();
    let problems = Schema::compile(&schema()).expect("the schema is valid").validate(&document.unwrap());
    assert_eq!(problems.len(), 51);
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
