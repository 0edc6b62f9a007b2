//! A named text and the arithmetic of its lines.

use std::sync::Arc;

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::place::{Location, Position, Span, clamp};

/// Longest part of a line, in characters, that a diagnostic quotes.
const EXCERPT_CHARACTERS: usize = 240;
/// How many characters before the place a shortened excerpt keeps.
const EXCERPT_BEFORE: usize = 80;

/// A text with the name that people know it by. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Arc<[usize]>,
}

impl Source {
    /// Names a text. `name` is the path as shown to people. A leading byte-order mark is dropped.
    pub fn new(name: impl Into<Arc<str>>, text: &str) -> Self {
        let text: Arc<str> = text.strip_prefix('\u{feff}').unwrap_or(text).into();
        let line_starts = line_starts(&text).into();
        Self { name: name.into(), text, line_starts }
    }

    /// Reads bytes as UTF-8.
    ///
    /// # Errors
    /// One diagnostic (`not-utf8`) that says whether the bytes look like UTF-16 or where they stop being UTF-8.
    pub fn from_bytes(name: impl Into<Arc<str>>, bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let name = name.into();
        if let Some(encoding) = foreign_encoding(bytes) {
            let message = format!("the file is {encoding}, not UTF-8");
            let problem =
                Diagnostic::of_file(codes::NOT_UTF8, &name, message).with_help("save the file as UTF-8");
            return Err(Box::new(problem));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => Err(Box::new(invalid_utf8(name, bytes, error.valid_up_to()))),
        }
    }

    /// The name as shown to people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, without a byte-order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The position of a byte offset; offsets beyond the end or inside a character move back to the nearest one.
    pub fn position(&self, offset: usize) -> Position {
        let offset = floor_boundary(&self.text, offset);
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        Position { line: clamp(line), column: clamp(column).saturating_add(1), offset }
    }

    /// The span between two byte offsets.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { start: self.position(start), end: self.position(end.max(start)) }
    }

    /// A span of this text with the file's name.
    pub fn location(&self, span: Span) -> Location {
        Location { file: self.name.to_string(), span }
    }

    /// The byte offset at which a line begins; nothing beyond the end. `line` counts from 1.
    pub(crate) fn line_start(&self, line: u32) -> Option<usize> {
        self.line_starts.get(usize::try_from(line).ok()?.checked_sub(1)?).copied()
    }

    /// A line without its line break; empty beyond the end. `line` counts from 1.
    pub fn line(&self, line: u32) -> &str {
        let Some(start) = self.line_start(line) else { return "" };
        let end = self.line_start(line.saturating_add(1)).unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The line at a position and the column of its first character. Long lines are cut to a window round it.
    pub(crate) fn excerpt(&self, at: Position) -> (String, u32) {
        let line = self.line(at.line);
        if line.chars().nth(EXCERPT_CHARACTERS).is_none() {
            return (line.to_owned(), 1);
        }
        let column = usize::try_from(at.column).unwrap_or(usize::MAX);
        let skipped = column.saturating_sub(EXCERPT_BEFORE.saturating_add(1));
        let text = line.chars().skip(skipped).take(EXCERPT_CHARACTERS).collect();
        (text, clamp(skipped).saturating_add(1))
    }
}

/// Where each line begins. A line ends with LF, CR LF or a lone CR, as in YAML.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let breaks = bytes.iter().enumerate().filter(|(index, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(index + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0).chain(breaks.map(|(index, _)| index + 1)).collect()
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Recognises UTF-16 and UTF-32 by their mark, or by the NUL that every ASCII character carries there.
fn foreign_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [0, low, 0, next, ..] | [low, 0, next, 0, ..] if *low != 0 && *next != 0 => Some("UTF-16"),
        _ => None,
    }
}

fn invalid_utf8(name: Arc<str>, bytes: &[u8], valid: usize) -> Diagnostic {
    let byte = bytes.get(valid).copied().unwrap_or(0);
    let source = Source::new(name, &String::from_utf8_lossy(bytes.get(..valid).unwrap_or(&[])));
    let at = source.position(usize::MAX);
    let message = format!("the byte 0x{byte:02X} is not valid UTF-8");
    Diagnostic::error(codes::NOT_UTF8, &source, Span { start: at, end: at }, message)
        .with_help("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_any_of_the_three_breaks() {
        let source = Source::new("x", "é1\n22\r\n333\r4");
        assert_eq!([1, 2, 3, 4, 5].map(|line| source.line(line)), ["é1", "22", "333", "4", ""]);
        let at = source.position(2);
        assert_eq!((at.line, at.column), (1, 2), "columns count characters");
        assert_eq!(source.position(1).offset, 0, "never inside a character");
        assert_eq!(source.position(usize::MAX).line, 4);
    }

    #[test]
    fn a_long_line_is_quoted_round_the_place() {
        let source = Source::new("x", &"a".repeat(5000));
        let (text, column) = source.excerpt(source.position(3000));
        assert_eq!((text.len(), column), (EXCERPT_CHARACTERS, 2921));
    }

    #[test]
    fn other_encodings_are_named() {
        for (bytes, want) in [
            (&b"\xff\xfea\0"[..], "the file is UTF-16, not UTF-8"),
            (b"a\0b\0", "the file is UTF-16, not UTF-8"),
            (b"\0a\0b", "the file is UTF-16, not UTF-8"),
            (b"\0\0\xfe\xff", "the file is UTF-32, not UTF-8"),
            (b"id: caf\xe9\n", "the byte 0xE9 is not valid UTF-8"),
        ] {
            let problem = Source::from_bytes("x", bytes).map(|_| ()).unwrap_err();
            assert_eq!(problem.message, want);
        }
        assert_eq!(Source::from_bytes("x", b"\xef\xbb\xbfid: a").unwrap().text(), "id: a");
        let problem = Source::from_bytes("x", b"ok\nid: caf\xe9\n").map(|_| ()).unwrap_err();
        assert_eq!((problem.line, problem.column, problem.excerpt.as_str()), (2, 8, "id: caf"));
    }
}
