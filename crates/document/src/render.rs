//! Diagnostics for people, in the style of the Rust compiler.

use annotate_snippets::{
    AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};

use crate::diagnostic::{Diagnostic, Severity};
use crate::place::{Position, Span};

/// Whether the output carries ANSI colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Plain text.
    Plain,
    /// ANSI escape sequences; only for a terminal.
    Ansi,
}

/// One diagnostic with its place, excerpt, other places and help. No line break at the end.
pub fn render(diagnostic: &Diagnostic, colours: Colours) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(normalize_untrusted_str(&diagnostic.message)).id(diagnostic.code);
    let mut group = Group::with_title(title);
    let shown = Shown {
        file: &diagnostic.file,
        span: diagnostic.location().span,
        excerpt: &diagnostic.excerpt,
        excerpt_column: diagnostic.excerpt_column,
    };
    group = shown.add_to(group, AnnotationKind::Primary, None);
    for related in &diagnostic.related {
        let shown = Shown {
            file: &related.location.file,
            span: related.location.span,
            excerpt: &related.excerpt,
            excerpt_column: related.excerpt_column,
        };
        group = shown.add_to(group, AnnotationKind::Context, Some(normalize_untrusted_str(&related.message)));
    }
    if let Some(rule) = &diagnostic.rule {
        group = group.element(Level::NOTE.message(normalize_untrusted_str(&format!("in rule `{rule}`"))));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    let renderer = match colours {
        Colours::Plain => Renderer::plain(),
        Colours::Ansi => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// A place to show.
struct Shown<'d> {
    file: &'d str,
    span: Span,
    excerpt: &'d str,
    excerpt_column: u32,
}

impl<'d> Shown<'d> {
    fn add_to(&self, group: Group<'d>, kind: AnnotationKind, label: Option<String>) -> Group<'d> {
        if self.excerpt.is_empty() {
            return group.element(Element::from(Origin::path(self.file)));
        }
        let (start, end) = (self.byte(self.span.start), self.byte(self.span.end));
        let end =
            if self.span.end.line == self.span.start.line { end } else { self.excerpt.trim_end().len() };
        let annotation = kind.span(start..end.max(start)).label(label);
        let line = usize::try_from(self.span.start.line).unwrap_or(1);
        let snippet = Snippet::source(self.excerpt).line_start(line).annotation(annotation);
        if self.excerpt_column == 1 {
            return group.element(snippet.path(self.file));
        }
        // The excerpt is a window of a long line, so its own columns would mislead.
        let column = usize::try_from(self.span.start.column).unwrap_or(1);
        let origin = Origin::path(self.file).line(line).char_column(column);
        group.element(origin).element(snippet)
    }

    /// The byte of the excerpt at a position's column; its end when the column lies beyond.
    fn byte(&self, at: Position) -> usize {
        let characters = usize::try_from(at.column.saturating_sub(self.excerpt_column)).unwrap_or(usize::MAX);
        self.excerpt.char_indices().nth(characters).map_or(self.excerpt.len(), |(byte, _)| byte)
    }
}
