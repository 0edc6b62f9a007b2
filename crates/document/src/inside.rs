//! From a byte of a text's value back to the character in the file that stands for it.

use std::ops::Range;

use crate::node::{Node, NodeValue, TextStyle};
use crate::place::Span;
use crate::source::Source;

/// The span of a byte range of the node's text, or nothing where the style does not allow an exact answer.
pub(crate) fn place(source: &Source, node: &Node, range: Range<usize>) -> Option<Span> {
    let NodeValue::Text(value, style) = &node.value else { return None };
    let raw = source.text().get(node.span.start.offset..node.span.end.offset)?;
    let base = node.span.start.offset;
    let last = range.end.max(range.start.saturating_add(1));
    let offset = |at: usize| match style {
        TextStyle::Plain => (raw == value && at <= raw.len()).then_some(base + at),
        TextStyle::SingleQuoted => quoted(raw, at, single_quoted).map(|found| base + found),
        TextStyle::DoubleQuoted => quoted(raw, at, double_quoted).map(|found| base + found),
        TextStyle::Literal => literal(source, node, value, at),
        TextStyle::Folded => None,
    };
    let start = offset(range.start.min(value.len()))?;
    let end = offset(last.min(value.len())).unwrap_or(start).max(start);
    let mut span = source.span(start, end);
    if span.end.line != span.start.line {
        span.end = span.start;
    }
    Some(span)
}

/// One step through a quoted text: the length in the file and the length in the value.
type Step = fn(&str) -> Option<(usize, usize)>;

/// Walks a single-line quoted text up to the value's byte `at`. Line folding is not followed.
fn quoted(raw: &str, at: usize, step: Step) -> Option<usize> {
    if raw.contains(['\n', '\r']) {
        return None;
    }
    let end = raw.len().checked_sub(1)?;
    let (mut position, mut decoded) = (1, 0);
    while decoded < at && position < end {
        let (written, meant) = step(raw.get(position..end)?)?;
        if decoded + meant > at {
            break;
        }
        position += written;
        decoded += meant;
    }
    Some(position)
}

fn single_quoted(rest: &str) -> Option<(usize, usize)> {
    if rest.starts_with("''") {
        return Some((2, 1));
    }
    let length = rest.chars().next()?.len_utf8();
    Some((length, length))
}

fn double_quoted(rest: &str) -> Option<(usize, usize)> {
    let mut characters = rest.chars();
    let first = characters.next()?;
    if first != '\\' {
        return Some((first.len_utf8(), first.len_utf8()));
    }
    let hexadecimal = |digits: usize| {
        let number = u32::from_str_radix(rest.get(2..2 + digits)?, 16).ok()?;
        if let (true, Some(pair)) = ((0xd800..0xdc00).contains(&number), rest.get(6..12)) {
            return pair.starts_with("\\u").then_some((12, 4));
        }
        Some((2 + digits, char::from_u32(number)?.len_utf8()))
    };
    match characters.next()? {
        'x' => hexadecimal(2),
        'u' => hexadecimal(4),
        'U' => hexadecimal(8),
        // Next line and no-break space take two bytes, line and paragraph separator three.
        'N' | '_' => Some((2, 2)),
        'L' | 'P' => Some((2, 3)),
        other => Some((1 + other.len_utf8(), 1)),
    }
}

/// In a literal block each line of the value is the end of one line of the file.
fn literal(source: &Source, node: &Node, value: &str, at: usize) -> Option<usize> {
    let before = value.get(..at)?;
    let index = before.matches('\n').count();
    let in_line = at - before.rfind('\n').map_or(0, |newline| newline + 1);
    let wanted = value.split('\n').nth(index)?;
    // The parser's span begins at the first line that is not blank.
    let blank = value.bytes().take_while(|byte| *byte == b'\n').count();
    let line = node.span.start.line.checked_add(u32::try_from(index.checked_sub(blank)?).ok()?)?;
    let written = source.line(line);
    let indent = written.len().checked_sub(wanted.len())?;
    if !written.ends_with(wanted) {
        return None;
    }
    Some(source.line_start(line)? + indent + in_line)
}

#[cfg(test)]
mod tests {
    use crate::{Document, Limits, Source};

    fn at(text: &str, needle: &str) -> (u32, u32, u32) {
        let document = Document::parse(Source::new("x.yaml", text), &Limits::default()).unwrap();
        let value = document.json().pointer("/k/0").unwrap().as_str().unwrap().to_owned();
        let offset = value.find(needle).unwrap();
        let span = document.locate_range("/k/0", offset..offset + needle.len()).span;
        (span.start.line, span.start.column, span.end.column)
    }

    #[test]
    fn exact_where_the_style_allows_it() {
        let table = [
            ("k: [abcXdef]", (1, 8, 9)),
            ("k:\n- é(X", (2, 5, 6)),
            ("k: ['it''s ''X']", (1, 14, 15)),
            (r#"k: ["a\tb\u00e9\x41\\ \"X"]"#, (1, 25, 26)),
            (r#"k: ["\N\_\L\P\U0001F600X"]"#, (1, 24, 25)),
            ("k:\n- |\n  first\n   seXond\n", (4, 6, 7)),
            ("k:\n  - |-\n    first\n\n    seXond\n", (5, 7, 8)),
            ("k:\n- |2\n    Xy\n", (3, 5, 6)),
            ("k:\n- |\n\n\n  X\n", (5, 3, 4)),
            // Folded and many-line texts fall back to the whole value.
            ("k: ['two\n  X']", (1, 5, 5)),
        ];
        for (text, want) in table {
            let got = at(text, "X");
            if text.contains("two") {
                assert_eq!((got.0, got.1), (want.0, want.1), "{text}");
            } else {
                assert_eq!(got, want, "{text}");
            }
        }
        assert_eq!(at("k:\n- >\n  fold\n  X\n", "X").0, 3);
    }

    #[test]
    fn tolerant_of_nonsense() {
        let document = Document::parse(Source::new("x", "a: [b, {c: }]"), &Limits::default()).unwrap();
        for pointer in ["", "/", "/a/0", "/a/0/x", "/a/9", "/a/1/c", "a", "/~", "/a/-1", "//"] {
            for offset in [0, 1, 7, usize::MAX] {
                let _ = document.locate_inside(pointer, offset);
            }
            let _ = (document.locate(pointer), document.locate_key(pointer));
        }
        assert_eq!(document.locate("/a/1/c").span.start.column, 9, "an empty value is shown by its key");
        assert_eq!(document.locate_key("/a/0").span.start.column, 5);
    }
}
