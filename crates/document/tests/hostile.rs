//! Whatever the bytes, the reader answers, and its places lie inside the file.

use faultbook_document::{
    Colours, Diagnostic, Document, Limits, Node, NodeValue, Schema, Source, Span, render,
};
use proptest::prelude::*;
use serde_json::json;

fn read(bytes: &[u8]) -> Vec<Diagnostic> {
    let source = match Source::from_bytes("x.yaml", bytes) {
        Ok(source) => source,
        Err(problem) => return vec![*problem],
    };
    match Document::parse(source, &Limits::default()) {
        Ok(document) => {
            check_node(&document, document.root());
            let schema = json!({ "oneOf": [{ "type": "object", "required": ["a"] }, { "const": "b" }, { "items": { "type": "integer" } }] });
            Schema::compile(&schema).expect("the schema is valid").validate(&document)
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "a refusal says why");
            problems
        }
    }
}

fn check_span(document: &Document, span: Span) {
    let text = document.source().text();
    assert!(text.get(span.start.offset..span.end.offset).is_some(), "{span:?}");
    let computed = document.source().position(span.start.offset);
    assert_eq!((computed.line, computed.column), (span.start.line, span.start.column), "{text:?}");
}

fn check_node(document: &Document, node: &Node) {
    check_span(document, node.span);
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| check_node(document, item)),
        NodeValue::Mapping(entries) => {
            for entry in entries {
                check_span(document, entry.key_span);
                check_node(document, &entry.value);
            }
        }
        NodeValue::Null | NodeValue::Boolean(_) | NodeValue::Number(_) | NodeValue::Text(..) => {}
    }
}

fn show(problems: &[Diagnostic]) {
    assert!(problems.len() <= 51);
    for problem in problems {
        assert!(problem.line >= 1 && problem.column >= 1);
        assert!(!render(problem, Colours::Plain).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        show(&read(&bytes));
    }

    #[test]
    fn random_text(text in "\\PC{0,80}") {
        show(&read(text.as_bytes()));
    }

    #[test]
    fn almost_yaml(parts in prop::collection::vec(prop::sample::select(vec![
        "a", ": ", "- ", "\n", "\r\n", "\r", "  ", "\t", "[", "]", "{", "}", ",", "'", "\"", "\\", "&a ", "*a", "!t ", "|", ">", "-",
        "#", "? ", "---\n", "...\n", "%", "<<", "é", "\u{85}", "\u{2028}", "\u{feff}", "1", "~", "\\u12", "@", "`", "|2-\n",
    ]), 0..40)) {
        show(&read(parts.concat().as_bytes()));
    }

    #[test]
    fn places_inside_texts_lie_inside_the_file(text in "[ -~é\n]{0,40}", offset in 0_usize..60) {
        for written in [serde_json::to_string(&text).unwrap(), format!("'{}'", text.replace('\'', "''")), format!("|\n  {}", text.replace('\n', "\n  "))] {
            let source = Source::new("x.yaml", &format!("k: {written}\n"));
            if let Ok(document) = Document::parse(source, &Limits::default()) {
                check_span(&document, document.locate_inside("/k", offset).span);
            }
        }
    }
}

#[test]
fn hostile_sizes_are_refused_quickly() {
    let started = std::time::Instant::now();
    let million = 1_000_000;
    let texts = [
        "[".repeat(million),
        "{a: ".repeat(200_000),
        "- ".repeat(500_000),
        "? ".repeat(500_000),
        "a: &a b\n".repeat(100_000),
        "a: 1\n".repeat(200_000),
        format!("a: {}", "x".repeat(million)),
        format!("'{}", "x''".repeat(300_000)),
        "\u{1}".repeat(million),
        format!("[{}]", "*a,".repeat(300_000)),
        format!("{{{}}}", "a: 1,".repeat(200_000)),
        (0..40_000).map(|n| format!("k{n}: 1, ")).collect::<String>() + "\n",
        format!("{{{}}}", (0..40_000).map(|n| format!("k{n}: 1, ")).collect::<String>()),
        "a\n".repeat(500_000),
        "#\n".repeat(500_000),
        "a:\n".repeat(300_000),
        format!("a: |\n{}", "  \n".repeat(300_000)),
        "%".repeat(million),
        "!".repeat(million),
        "\"\\".repeat(500_000),
    ];
    for text in texts {
        let one = std::time::Instant::now();
        show(&read(text.as_bytes()));
        assert!(one.elapsed().as_secs() < 5, "{:?} for {:?}…", one.elapsed(), text.get(..20));
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
