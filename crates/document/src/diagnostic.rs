//! A diagnostic: what is wrong, where, and what to do about it.

use serde::Serialize;

use crate::place::{Location, Position, Span};
use crate::source::Source;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but someone should look.
    Warning,
}

/// Another place that has to do with a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Related {
    /// Where.
    #[serde(flatten)]
    pub location: Location,
    /// What it has to do with the problem.
    pub message: String,
    /// The source line there, or a part of it.
    pub excerpt: String,
    /// The column of the excerpt's first character; above 1 only where a long line was cut.
    #[serde(skip)]
    pub excerpt_column: u32,
}

/// One problem of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The slug of the kind of problem, from a crate's `CODES`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The file as shown to people.
    pub file: String,
    /// The line, from 1; 1 for a problem of the whole file.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The end of the place (exclusive).
    pub end: Position,
    /// The id of the rule that the problem belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The offending source line, or a part of a long one; empty for a problem of the whole file.
    pub excerpt: String,
    /// The column of the excerpt's first character; above 1 only where a long line was cut.
    #[serde(skip)]
    pub excerpt_column: u32,
    /// The JSON pointer of the value, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Other places that matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
}

impl Diagnostic {
    /// An error at a place of a text.
    pub fn error(code: &'static str, source: &Source, span: Span, message: impl Into<String>) -> Self {
        let (excerpt, excerpt_column) = source.excerpt(span.start);
        Self {
            excerpt,
            excerpt_column,
            line: span.start.line,
            column: span.start.column,
            end: span.end,
            ..Self::of_file(code, source.name(), message)
        }
    }

    /// A warning at a place of a text.
    pub fn warning(code: &'static str, source: &Source, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, source, span, message) }
    }

    /// An error of a whole file or folder.
    pub fn of_file(code: &'static str, file: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            file: file.to_owned(),
            line: 1,
            column: 1,
            end: Position::START,
            rule: None,
            excerpt: String::new(),
            excerpt_column: 1,
            pointer: None,
            help: None,
            related: Vec::new(),
        }
    }

    /// Makes it a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Names the rule that the problem belongs to.
    #[must_use]
    pub fn with_rule(mut self, rule: impl Into<String>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    /// Names the value by its JSON pointer.
    #[must_use]
    pub fn with_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place, in this or another file.
    #[must_use]
    pub fn with_related(mut self, source: &Source, span: Span, message: impl Into<String>) -> Self {
        let (excerpt, excerpt_column) = source.excerpt(span.start);
        let location = source.location(span);
        self.related.push(Related { location, message: message.into(), excerpt, excerpt_column });
        self
    }

    /// The place as a location. Its byte offsets are not kept and read as 0.
    pub fn location(&self) -> Location {
        let start = Position { line: self.line, column: self.column, offset: 0 };
        Location { file: self.file.clone(), span: Span { start, end: self.end } }
    }

    /// The order in which problems are shown: file, line, column, then code and message.
    pub fn order(&self) -> (&str, u32, u32, &'static str, &str) {
        (&self.file, self.line, self.column, self.code, &self.message)
    }
}

/// Longest text, in characters, that a message quotes.
const QUOTED_CHARACTERS: usize = 60;

/// A text from a file, in backquotes for use inside a message: shortened, with control characters escaped.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for character in text.chars().take(QUOTED_CHARACTERS) {
        if character.is_control() {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    if text.chars().nth(QUOTED_CHARACTERS).is_some() {
        out.push('…');
    }
    out.push('`');
    out
}
