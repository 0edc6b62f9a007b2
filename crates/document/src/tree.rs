//! From parser events to the tree, with everything refused that a rule file must not hold.

use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};

use crate::codes;
use crate::diagnostic::{Diagnostic, quoted};
use crate::limits::Limits;
use crate::node::{Entry, Node, NodeValue, TextStyle};
use crate::place::{Position, Span};
use crate::scalar::resolve;
use crate::source::Source;

/// Mappings with more keys than this look them up by hash, so that duplicate detection stays linear.
const HASHED_ABOVE: usize = 16;

/// Reads the whole text. Problems that leave the structure intact do not end the reading, so all are reported.
pub(crate) fn build(source: &Source, limits: &Limits) -> Result<Node, Vec<Diagnostic>> {
    let mut builder =
        Builder { source, limits, stack: Vec::new(), root: None, nodes: 0, problems: Vec::new() };
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        // One above our own limit, which is the one that gets reported in most cases.
        flow_nesting_limit: limits.nesting.saturating_add(1),
        block_nesting_limit: limits.nesting.saturating_add(1),
    };
    let mut documents = 0_usize;
    for next in Parser::new_from_str_with_options(source.text(), options) {
        let flow = match next {
            Ok((Event::DocumentStart(..), span)) => {
                documents += 1;
                builder.document_start(documents, Span::of(&span))
            }
            Ok((event, span)) => builder.event(event, &span),
            Err(error) => builder.syntax_error(&error),
        };
        if matches!(flow, Flow::Stop) || builder.problems.len() > limits.problems {
            break;
        }
    }
    builder.finish()
}

/// Whether reading can go on.
enum Flow {
    Continue,
    Stop,
}

/// A list or mapping that is still open.
struct Frame {
    start: Position,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Mapping { entries: Vec<Entry>, key: Option<Key>, seen: HashMap<String, usize> },
}

/// A key that waits for its value. `duplicate` keys drop theirs.
struct Key {
    text: String,
    span: Span,
    duplicate: bool,
}

struct Builder<'s> {
    source: &'s Source,
    limits: &'s Limits,
    stack: Vec<Frame>,
    root: Option<Node>,
    nodes: usize,
    problems: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn document_start(&mut self, count: usize, span: Span) -> Flow {
        if count < 2 {
            return Flow::Continue;
        }
        let problem = self.problem(codes::SEVERAL_DOCUMENTS, span, "a second YAML document begins here");
        self.problems.push(problem.with_help("put each document into its own file"));
        Flow::Stop
    }

    fn event(&mut self, event: Event<'_>, at: &granit_parser::Span) -> Flow {
        let span = Span::of(at);
        match event {
            Event::Scalar(text, style, _, tag) => {
                self.refuse_tag(tag.is_some(), at);
                let value = match text_style(style) {
                    TextStyle::Plain => resolve(&text),
                    quoted => NodeValue::Text(text.clone().into_owned(), quoted),
                };
                self.count(span, |builder| builder.attach(Node { span, value }, Some(&text)))
            }
            Event::SequenceStart(_, _, tag) => {
                self.refuse_tag(tag.is_some(), at);
                self.open(span, Content::List(Vec::new()))
            }
            Event::MappingStart(_, _, tag) => {
                self.refuse_tag(tag.is_some(), at);
                let content = Content::Mapping { entries: Vec::new(), key: None, seen: HashMap::new() };
                self.open(span, content)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Anchor(_, name) => {
                let message = format!("the anchor {} is not allowed here", quoted(&format!("&{name}")));
                let problem = self.problem(codes::YAML_ANCHOR, span, message);
                self.problems.push(problem.with_help("write the value out where it is needed"));
                Flow::Continue
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let problem = self.problem(codes::YAML_ALIAS, span, "aliases are not allowed here");
                self.problems.push(
                    problem.with_help("write the value out; put a text that begins with `*` in quotes"),
                );
                self.count(span, |builder| builder.attach(Node { span, value: NodeValue::Null }, Some("")))
            }
            // Stream and document marks carry nothing; the parser's event list may grow.
            _ => Flow::Continue,
        }
    }

    fn count(&mut self, span: Span, go_on: impl FnOnce(&mut Self)) -> Flow {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            let message = format!("the document has more than {} values", self.limits.nodes);
            self.problems.push(self.problem(codes::TOO_MANY_NODES, span, message));
            return Flow::Stop;
        }
        go_on(self);
        Flow::Continue
    }

    fn open(&mut self, span: Span, content: Content) -> Flow {
        if self.stack.len() >= self.limits.nesting {
            self.too_deep(span);
            return Flow::Stop;
        }
        self.count(span, |builder| builder.stack.push(Frame { start: span.start, content }))
    }

    fn too_deep(&mut self, span: Span) {
        let message = format!("lists and mappings are nested deeper than {} levels", self.limits.nesting);
        self.problems.push(self.problem(codes::NESTING_TOO_DEEP, span, message));
    }

    fn close(&mut self, span: Span) -> Flow {
        if let Some(frame) = self.stack.pop() {
            let value = match frame.content {
                Content::List(items) => NodeValue::List(items),
                Content::Mapping { entries, .. } => NodeValue::Mapping(entries),
            };
            let span = Span { start: frame.start, end: span.end };
            self.attach(Node { span, value }, None);
        }
        Flow::Continue
    }

    /// Puts a finished node where it belongs. `text` is the written text of a scalar, for use as a key.
    fn attach(&mut self, node: Node, text: Option<&str>) {
        match self.stack.last_mut().map(|frame| &mut frame.content) {
            None => self.root = Some(node),
            Some(Content::List(items)) => items.push(node),
            Some(Content::Mapping { entries, key, seen }) => match key.take() {
                Some(found) if found.duplicate => {}
                Some(found) => {
                    if entries.len() == HASHED_ABOVE {
                        seen.extend(entries.iter().enumerate().map(|(at, entry)| (entry.key.clone(), at)));
                    }
                    if entries.len() >= HASHED_ABOVE {
                        seen.insert(found.text.clone(), entries.len());
                    }
                    entries.push(Entry { key: found.text, key_span: found.span, value: node });
                }
                None => self.set_key(&node, text),
            },
        }
    }

    fn set_key(&mut self, node: &Node, text: Option<&str>) {
        let span = node.span;
        let plain = !matches!(node.value, NodeValue::Text(_, style) if style != TextStyle::Plain);
        if text.is_none() {
            self.problems.push(self.problem(
                codes::KEY_NOT_TEXT,
                span,
                "a key must be a single word or text",
            ));
        }
        if text == Some("<<") && plain {
            let problem = self.problem(codes::MERGE_KEY, span, "merge keys are not allowed here");
            self.problems.push(problem.with_help("write the keys out where they are needed"));
        }
        let text = text.unwrap_or("").to_owned();
        let first = self.first_use(&text);
        if let Some(first) = first {
            let message = format!("the key {} appears twice in this mapping", quoted(&text));
            let problem = self.problem(codes::DUPLICATE_KEY, span, message);
            self.problems.push(problem.with_related(self.source, first, "first used here"));
        }
        if let Some(Content::Mapping { key, .. }) = self.stack.last_mut().map(|frame| &mut frame.content) {
            *key = Some(Key { text, span, duplicate: first.is_some() });
        }
    }

    /// Where the innermost open mapping already has this key.
    fn first_use(&self, text: &str) -> Option<Span> {
        let Content::Mapping { entries, seen, .. } = &self.stack.last()?.content else { return None };
        if entries.len() <= HASHED_ABOVE {
            return entries.iter().find(|entry| entry.key == text).map(|entry| entry.key_span);
        }
        seen.get(text).and_then(|at| entries.get(*at)).map(|entry| entry.key_span)
    }

    fn refuse_tag(&mut self, tagged: bool, at: &granit_parser::Span) {
        if tagged {
            let span = at.tag_span().map_or_else(|| Span::of(at), |tag| Span::of(&tag));
            let problem = self.problem(codes::YAML_TAG, span, "tags are not allowed here");
            self.problems
                .push(problem.with_help("remove the tag; put a text that begins with `!` in quotes"));
        }
    }

    fn syntax_error(&mut self, error: &ScanError) -> Flow {
        let at = Position::of(error.marker());
        let span = Span { start: at, end: at };
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
            self.too_deep(span);
            return Flow::Stop;
        }
        let problem = self.problem(codes::YAML_SYNTAX, span, error.info());
        let help = match error.kind() {
            ErrorKind::TabInBlockIndentation | ErrorKind::TabNotAllowed => "indent with spaces",
            ErrorKind::MappingValueNotAllowed => "put a text that contains `: ` in quotes",
            ErrorKind::DirectiveDisallowed => "remove the line that begins with `%`",
            _ => "nothing after this place was read",
        };
        self.problems.push(problem.with_help(help));
        Flow::Stop
    }

    fn problem(&self, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, self.source, span, message)
    }

    fn finish(mut self) -> Result<Node, Vec<Diagnostic>> {
        match self.root.take() {
            Some(root) if self.problems.is_empty() => Ok(root),
            None if self.problems.is_empty() => {
                Err(vec![self.problem(codes::EMPTY_DOCUMENT, Span::START, "the file holds no document")])
            }
            Some(_) | None => Err(self.problems),
        }
    }
}

fn text_style(style: ScalarStyle) -> TextStyle {
    match style {
        ScalarStyle::Plain => TextStyle::Plain,
        ScalarStyle::SingleQuoted => TextStyle::SingleQuoted,
        ScalarStyle::DoubleQuoted => TextStyle::DoubleQuoted,
        ScalarStyle::Literal => TextStyle::Literal,
        ScalarStyle::Folded => TextStyle::Folded,
    }
}
