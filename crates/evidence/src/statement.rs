//! Cutting an envelope into statements: the unit in which a rule's atoms must hold together.
//!
//! A statement is one line of text, or one top-level JSON document with everything nested in it. Its *views* are
//! the texts that text atoms see; its *roots* are the JSON documents that field atoms see.

use serde_json::Value;

use crate::envelope::{Envelope, Signal};
use crate::normal::{Line, Normal};
use crate::reading::{Reading, Seam, wraps};
use crate::{Channel, TextTrust};
use document::Words;

mod document;
mod work;

/// The most string leaves of a statement that text atoms see.
pub const MAX_LEAVES: usize = 512;
/// The most JSON roots of a statement that field atoms see.
pub const MAX_ROOTS: usize = 32;

/// Where a text that atoms see came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The signal's text, with offsets back into it.
    Text(Seam),
    /// A string inside JSON.
    Leaf {
        /// Its JSON pointer; `#` stands where it goes on inside a string that holds JSON.
        pointer: String,
        /// The string as it was seen.
        original: String,
    },
}

/// A text that atoms see: a reading of a signal's text, or one string of its JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The signal that it belongs to.
    pub signal: usize,
    /// Where it came from.
    pub origin: Origin,
    /// The folded words and where the lines stand in them.
    pub reading: Reading,
}

/// The part of a text that belongs to a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The index of the text in [`Turn::texts`].
    pub text: usize,
    /// Where the statement begins.
    pub start: usize,
    /// Where its own words end: a match must begin before.
    pub own_end: usize,
    /// How far a match may run on.
    pub end: usize,
}

/// What kind of thing a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One line of text.
    Line,
    /// One or more lines of text that hold a JSON document.
    Document,
    /// The signal's data, or one element of it.
    Data,
    /// A signal without words: its status, codes and facts.
    Bare,
}

/// One statement of the turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The signal that it belongs to.
    pub signal: usize,
    /// The signal's channel.
    pub channel: Channel,
    /// What kind of thing it is.
    pub shape: Shape,
    /// The first line in the signal's text, from 1; 0 for data.
    pub line: usize,
    /// The last line.
    pub last_line: usize,
    /// Blank columns before the first word.
    pub indent: usize,
    /// The texts that text atoms see.
    pub views: Vec<View>,
    /// The JSON documents that field atoms see, nested ones included.
    pub roots: Vec<Value>,
    /// Whether it is the last statement of its signal.
    pub is_last: bool,
    /// Whether the line above is wide and may run on into this one.
    pub continues: bool,
}

impl Statement {
    /// What the statement's words may prove.
    #[must_use]
    pub const fn text_trust(&self) -> TextTrust {
        match self.shape {
            Shape::Line | Shape::Document | Shape::Bare => self.channel.text_trust(),
            Shape::Data => self.channel.leaf_trust(),
        }
    }

    /// What the statement's fields, statuses and codes may prove.
    #[must_use]
    pub const fn field_trust(&self) -> TextTrust {
        match self.shape {
            Shape::Line | Shape::Document => self.channel.text_trust(),
            Shape::Data | Shape::Bare => self.channel.field_trust(),
        }
    }
}

/// A turn cut into statements, in the order of its signals.
#[derive(Debug, Clone)]
pub struct Turn<'e> {
    /// The envelope that was cut.
    pub envelope: &'e Envelope,
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// The texts that views point into.
    pub texts: Vec<Text>,
}

impl<'e> Turn<'e> {
    /// Cuts an envelope. Stale signals are left out.
    #[must_use]
    pub fn cut(envelope: &'e Envelope) -> Self {
        let mut turn = Self { envelope, statements: Vec::new(), texts: Vec::new() };
        for (index, signal) in envelope.signals.iter().enumerate() {
            if !envelope.is_stale(signal) {
                turn.cut_signal(index, signal);
            }
        }
        turn
    }

    /// The words of a view, with what they may run on into.
    #[must_use]
    pub fn words(&self, view: &View) -> &str {
        self.texts
            .get(view.text)
            .and_then(|text| text.reading.text.get(view.start..view.end))
            .unwrap_or_default()
    }

    /// The words of a view alone.
    #[must_use]
    pub fn own_words(&self, view: &View) -> &str {
        self.texts
            .get(view.text)
            .and_then(|text| text.reading.text.get(view.start..view.own_end))
            .unwrap_or_default()
    }

    /// The statement's own words in their first view.
    #[must_use]
    pub fn statement_words(&self, statement: &Statement) -> &str {
        statement.views.first().map_or("", |view| self.own_words(view))
    }

    /// The statement as it was seen: the lines of the signal's text, or its first leaf.
    #[must_use]
    pub fn original(&self, statement: &Statement) -> Option<&'e str> {
        let text = self.envelope.signals.get(statement.signal)?.text.as_deref()?;
        match statement.shape {
            Shape::Line | Shape::Document => {
                let view = statement.views.first()?;
                let reading = &self.texts.get(view.text)?.reading;
                let start = reading.original(view.start);
                let end = reading.original(view.own_end).max(start);
                text.get(text.floor_char_boundary(start)..text.ceil_char_boundary(end.min(text.len())))
            }
            Shape::Data | Shape::Bare => None,
        }
    }

    fn cut_signal(&mut self, index: usize, signal: &Signal) {
        let first = self.statements.len();
        if let Some(data) = &signal.data {
            self.cut_data(index, signal.channel, data);
        }
        if let Some(text) = &signal.text {
            self.cut_text(index, signal.channel, text);
        }
        if self.statements.len() == first {
            self.statements.push(Statement { shape: Shape::Bare, ..Statement::empty(index, signal.channel) });
        }
        if let Some(last) = self.statements.last_mut() {
            last.is_last = true;
        }
    }

    fn cut_data(&mut self, signal: usize, channel: Channel, data: &Value) {
        let elements = match data {
            Value::Array(items) if items.iter().any(Value::is_object) => items.as_slice(),
            other => std::slice::from_ref(other),
        };
        for element in elements {
            let mut statement = Statement::empty(signal, channel);
            self.add_document(&mut statement, element);
            self.statements.push(statement);
        }
    }

    fn cut_text(&mut self, signal: usize, channel: Channel, original: &str) {
        let normal = Normal::of(original);
        let spaced = self.add_text(signal, Seam::Spaced, &normal);
        let joined = wraps(&normal).then(|| self.add_text(signal, Seam::Joined, &normal));
        let documents = document::find(original);
        let mut documents = documents.iter().peekable();
        let mut index = 0;
        while let Some(line) = normal.lines.get(index) {
            let first = index;
            let mut end = line.original_end;
            let mut found = Vec::new();
            while let Some(document) = documents.next_if(|document| document.start < end) {
                end = end.max(document.end);
                while normal.lines.get(index).is_some_and(|line| line.original_end < end) {
                    index += 1;
                }
                end = normal.lines.get(index).map_or(end, |line| line.original_end.max(end));
                found.push(&document.value);
            }
            index += 1;
            if !line.is_blank() {
                let lines = LineRange { first, last: (index - 1).min(normal.lines.len() - 1) };
                self.add_lines(signal, channel, &normal, lines, [Some(spaced), joined], &found);
            }
        }
    }

    fn add_text(&mut self, signal: usize, seam: Seam, normal: &Normal) -> usize {
        let reading = Reading::of(normal, seam);
        self.texts.push(Text { signal, origin: Origin::Text(seam), reading });
        self.texts.len() - 1
    }

    fn add_lines(
        &mut self,
        signal: usize,
        channel: Channel,
        normal: &Normal,
        lines: LineRange,
        readings: [Option<usize>; 2],
        documents: &[&Value],
    ) {
        let above = lines.first.checked_sub(1).and_then(|above| normal.lines.get(above));
        let mut statement = Statement {
            shape: if documents.is_empty() { Shape::Line } else { Shape::Document },
            line: lines.first + 1,
            last_line: lines.last + 1,
            indent: normal.lines.get(lines.first).map_or(0, |line| line.indent),
            continues: above.is_some_and(|above: &Line| above.is_wide() && !above.is_blank()),
            ..Statement::empty(signal, channel)
        };
        for text in readings.into_iter().flatten() {
            statement.views.extend(self.line_view(text, lines));
        }
        for document in documents {
            match document {
                Value::Array(items) => items.iter().for_each(|item| self.add_document(&mut statement, item)),
                other => self.add_document(&mut statement, other),
            }
        }
        self.statements.push(statement);
    }

    fn line_view(&self, text: usize, lines: LineRange) -> Option<View> {
        let spans = &self.texts.get(text)?.reading.spans;
        let (first, last) = (spans.get(lines.first)?, spans.get(lines.last)?);
        Some(View { text, start: first.start, own_end: last.own_end, end: last.end })
    }

    /// Adds a JSON document: itself as a root, its strings as views, and JSON inside them as further roots.
    fn add_document(&mut self, statement: &mut Statement, document: &Value) {
        let words = match statement.channel {
            Channel::Event => Words::AgentOnly,
            Channel::AcpError
            | Channel::AcpUpdate
            | Channel::AcpResult
            | Channel::Http
            | Channel::AgentText
            | Channel::Stderr
            | Channel::Stdout
            | Channel::Log
            | Channel::Mixed
            | Channel::Shared
            | Channel::Exit
            | Channel::Host
            | Channel::Assistant
            | Channel::Tool
            | Channel::Unknown => Words::All,
        };
        let mut leaves = Vec::new();
        document::leaves(document, words, &mut String::new(), &mut leaves);
        if statement.roots.len() < MAX_ROOTS {
            statement.roots.push(document.clone());
        }
        for (pointer, leaf) in leaves {
            self.add_leaf(statement, pointer.clone(), leaf);
            for nested in document::find(leaf) {
                if statement.roots.len() < MAX_ROOTS {
                    let mut inner = Vec::new();
                    document::leaves(&nested.value, words, &mut String::new(), &mut inner);
                    for (below, leaf) in inner {
                        self.add_leaf(statement, format!("{pointer}#{below}"), leaf);
                    }
                    match nested.value {
                        Value::Array(items) => statement.roots.extend(items.into_iter().take(MAX_ROOTS)),
                        value => statement.roots.push(value),
                    }
                }
            }
        }
    }

    fn add_leaf(&mut self, statement: &mut Statement, pointer: String, leaf: &str) {
        if statement.views.len() >= MAX_LEAVES || leaf.trim().is_empty() {
            return;
        }
        let normal = Normal::of(leaf);
        let reading = Reading::of(&normal, Seam::Spaced);
        let end = reading.text.trim_end().len();
        self.texts.push(Text {
            signal: statement.signal,
            origin: Origin::Leaf { pointer, original: leaf.to_owned() },
            reading,
        });
        statement.views.push(View { text: self.texts.len() - 1, start: 0, own_end: end, end });
    }
}

#[derive(Debug, Clone, Copy)]
struct LineRange {
    first: usize,
    last: usize,
}

impl Statement {
    fn empty(signal: usize, channel: Channel) -> Self {
        Self {
            signal,
            channel,
            shape: Shape::Data,
            line: 0,
            last_line: 0,
            indent: 0,
            views: Vec::new(),
            roots: Vec::new(),
            is_last: false,
            continues: false,
        }
    }
}
