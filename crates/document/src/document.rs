//! A parsed file: its tree, its JSON value, and the way from a JSON pointer back to a place.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::codes;
use crate::diagnostic::{Diagnostic, Severity, quoted};
use crate::inside;
use crate::limits::Limits;
use crate::node::{Entry, Node};
use crate::place::Location;
use crate::source::Source;
use crate::tree;

/// One file as a tree of values with places.
#[derive(Clone, Debug)]
pub struct Document {
    source: Source,
    root: Node,
    json: Value,
}

impl Document {
    /// Reads a YAML or JSON text in one pass.
    ///
    /// # Errors
    /// Every problem found, at most [`Limits::problems`] and a last one that says that there are more: syntax,
    /// duplicate keys, anchors, aliases, merge keys, tags, several documents, control characters, exceeded limits.
    pub fn parse(source: Source, limits: &Limits) -> Result<Self, Vec<Diagnostic>> {
        if source.text().len() > limits.bytes {
            let message =
                format!("the file has {} bytes, more than the {} allowed", source.text().len(), limits.bytes);
            return Err(vec![Diagnostic::of_file(codes::FILE_TOO_LARGE, source.name(), message)]);
        }
        let mut problems = control_characters(&source, limits);
        let root = match tree::build(&source, limits) {
            Ok(root) if problems.is_empty() => root,
            Ok(_) => return Err(bounded(problems, limits.problems, source.name())),
            Err(more) => {
                // The parser stumbles over the same character; saying it once is enough.
                let places: Vec<(u32, u32)> = problems.iter().map(|one| (one.line, one.column)).collect();
                problems.extend(more.into_iter().filter(|one| !places.contains(&(one.line, one.column))));
                return Err(bounded(problems, limits.problems, source.name()));
            }
        };
        let json = root.json();
        Ok(Self { source, root, json })
    }

    /// The text that the document was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The tree.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The document as a JSON value.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// Reads the document into a type. Meant for documents that passed the schema of that type.
    ///
    /// # Errors
    /// One diagnostic at the start of the document, since serde says no place.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Box<Diagnostic>> {
        T::deserialize(&self.json).map_err(|error| {
            Box::new(Diagnostic::error(
                codes::SCHEMA_VIOLATION,
                &self.source,
                self.root.span,
                error.to_string(),
            ))
        })
    }

    /// The place of the value that a JSON pointer names, or of its nearest existing ancestor. A value without any
    /// text of its own (`key:`) is shown by its key.
    pub fn locate(&self, pointer: &str) -> Location {
        let found = self.find(pointer);
        let span = match found.entry {
            Some(entry) if found.node.span.is_empty() => entry.key_span,
            Some(_) | None => found.node.span,
        };
        self.source.location(span)
    }

    /// The place of the key whose value a JSON pointer names; that of the value itself in lists and at the root.
    pub fn locate_key(&self, pointer: &str) -> Location {
        let found = self.find(pointer);
        self.source.location(found.entry.map_or(found.node.span, |entry| entry.key_span))
    }

    /// The place of one character inside a text, given its byte offset in the *value*. Exact in plain, quoted and
    /// literal-block texts; the whole value in folded ones.
    pub fn locate_inside(&self, pointer: &str, byte_offset: usize) -> Location {
        self.locate_range(pointer, byte_offset..byte_offset)
    }

    /// The place of a stretch inside a text, given as a byte range of the *value*; at least one character long.
    /// Exact and tolerant as [`locate_inside`](Self::locate_inside).
    pub fn locate_range(&self, pointer: &str, range: Range<usize>) -> Location {
        let found = self.find(pointer);
        match inside::place(&self.source, found.node, range) {
            Some(span) if found.complete => self.source.location(span),
            Some(_) | None => self.locate(pointer),
        }
    }

    /// An error at a place of this document.
    pub fn error(&self, code: &'static str, at: &Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, &self.source, at.span, message)
    }

    /// A warning at a place of this document.
    pub fn warning(&self, code: &'static str, at: &Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(code, &self.source, at.span, message)
    }

    /// The node that a JSON pointer names, if it exists.
    pub fn node(&self, pointer: &str) -> Option<&Node> {
        let found = self.find(pointer);
        found.complete.then_some(found.node)
    }

    fn find(&self, pointer: &str) -> Found<'_> {
        let mut found = Found { node: &self.root, entry: None, complete: true };
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            if let Some(entry) = found.node.entry(&step) {
                found = Found { node: &entry.value, entry: Some(entry), complete: true };
            } else if let Some(item) = found.node.item(&step) {
                found = Found { node: item, entry: None, complete: true };
            } else {
                return Found { complete: false, ..found };
            }
        }
        found
    }
}

/// Where a JSON pointer leads, as far as it leads anywhere.
struct Found<'d> {
    node: &'d Node,
    /// The entry whose value the node is.
    entry: Option<&'d Entry>,
    /// False when the last steps of the pointer name nothing.
    complete: bool,
}

/// Sorts by place and cuts at the limit, saying so.
pub(crate) fn bounded(mut problems: Vec<Diagnostic>, limit: usize, file: &str) -> Vec<Diagnostic> {
    problems.sort_by(|left, right| left.order().cmp(&right.order()));
    if problems.len() > limit {
        problems.truncate(limit);
        let message = format!("the file has more problems; the first {limit} are shown");
        let mut last = Diagnostic::of_file(codes::TOO_MANY_PROBLEMS, file, message);
        if let Some(shown) = problems.last() {
            (last.line, last.column, last.end) = (shown.line, shown.column, shown.end);
        }
        last.severity = Severity::Error;
        problems.push(last);
    }
    problems
}

/// Raw control characters hide what a reviewer sees; bidirectional marks reorder it. Escapes remain available.
fn control_characters(source: &Source, limits: &Limits) -> Vec<Diagnostic> {
    let refused = source.text().char_indices().filter(|(_, character)| match character {
        '\t' | '\n' | '\r' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => true,
        other => other.is_control(),
    });
    let report = |(offset, character): (usize, char)| {
        let code = u32::from(character);
        let message = format!("the character U+{code:04X} is not allowed in a file");
        let span = source.span(offset, offset + character.len_utf8());
        Diagnostic::error(codes::CONTROL_CHARACTER, source, span, message).with_help(format!(
            "write it as an escape in double quotes: {}",
            quoted(&format!("\"\\u{code:04X}\""))
        ))
    };
    refused.take(limits.problems.saturating_add(1)).map(report).collect()
}
