//! Places in a text: positions, spans, and spans with a file name.

use serde::Serialize;

/// A point in a text. Lines and columns start at 1; columns count characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The offset in bytes, from 0.
    #[serde(skip)]
    pub offset: usize,
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1, offset: 0 };

    pub(crate) fn of(marker: &granit_parser::Marker) -> Self {
        Self {
            line: clamp(marker.line()),
            column: clamp(marker.col()).saturating_add(1),
            offset: marker.byte_offset().unwrap_or(0),
        }
    }
}

/// A stretch of text: from `start` up to, but not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The first character.
    pub start: Position,
    /// The character after the last one.
    pub end: Position,
}

impl Span {
    /// The empty span at the beginning of a text.
    pub const START: Self = Self { start: Position::START, end: Position::START };

    pub(crate) fn of(span: &granit_parser::Span) -> Self {
        Self { start: Position::of(&span.start), end: Position::of(&span.end) }
    }

    /// True when nothing lies between start and end.
    pub fn is_empty(&self) -> bool {
        self.end.offset <= self.start.offset
    }
}

/// A span in a named file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Location {
    /// The file as shown to people.
    pub file: String,
    /// The stretch of its text.
    #[serde(flatten)]
    pub span: Span,
}

/// Saturating conversion: a place beyond four thousand million lines or columns is shown as that.
pub(crate) fn clamp(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
