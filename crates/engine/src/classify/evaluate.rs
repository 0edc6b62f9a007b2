//! Evaluating atoms on one statement.

use faultbook_evidence::{Channel, Origin, Shape, Statement, TextTrust, Turn, View};
use faultbook_taxonomy::{Agent, Provider, Terminal};
use serde_json::Value;

use crate::catalogue::{CompiledFieldTest, CompiledRule, Group, HeaderTest, Node};
use crate::rule::{Applies, Kind};

/// A place in one of the turn's texts where an atom matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The index of the text in the turn.
    pub(crate) text: usize,
    /// Where the match begins in its reading.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

/// Which parts of a statement a rule may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) text: bool,
    pub(crate) fields: bool,
}

impl Access {
    /// Everything: for promoted statements, for facts, and for what excludes a match.
    pub(crate) const FULL: Self = Self { text: true, fields: true };

    /// What the statement's channel lets the rule look at.
    pub(crate) fn of(rule: &CompiledRule, statement: &Statement) -> Self {
        let allows = |trust: TextTrust| match trust {
            TextTrust::Full | TextTrust::Limited => rule.rule.kind != Kind::Speaker,
            // Others' words mark nothing.
            TextTrust::Explains => rule.rule.kind == Kind::Rule,
            TextTrust::OutsideOnly => {
                rule.rule.code.is_some_and(|code| code.class() == faultbook_taxonomy::Class::Outside)
            }
            TextTrust::SpeakerOnly => rule.rule.kind == Kind::Speaker,
            TextTrust::Never => false,
        };
        Self { text: allows(statement.text_trust()), fields: allows(statement.field_trust()) }
    }

    /// Whether there is nothing to look at.
    pub(crate) const fn is_nothing(self) -> bool {
        !self.text && !self.fields
    }
}

/// The turn and its facts, ready to be asked.
pub(crate) struct Evaluator<'t, 'e> {
    pub(crate) turn: &'t Turn<'e>,
    pub(crate) terminal: Option<Terminal>,
    exit_code: Option<i32>,
    agent: Named<Agent>,
    provider: Named<Provider>,
}

/// A name in the evidence: absent, listed, or unlisted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named<T> {
    Absent,
    Listed(T),
    Unlisted,
}

impl<T: std::str::FromStr> Named<T> {
    fn of(name: Option<&str>) -> Self {
        match name {
            None => Self::Absent,
            Some(name) => name.parse().map_or(Self::Unlisted, Self::Listed),
        }
    }

    fn satisfies(&self, wanted: &[T], covers: impl Fn(&T, &T) -> bool) -> bool {
        match self {
            Self::Absent => true,
            Self::Listed(name) => wanted.is_empty() || wanted.iter().any(|head| covers(head, name)),
            Self::Unlisted => wanted.is_empty(),
        }
    }
}

impl<'t, 'e> Evaluator<'t, 'e> {
    pub(crate) fn new(turn: &'t Turn<'e>) -> Self {
        let envelope = turn.envelope;
        let current = envelope.signals.iter().filter(|signal| !envelope.is_stale(signal));
        Self {
            turn,
            terminal: envelope.terminal(),
            exit_code: current.filter_map(|signal| signal.exit_code).next_back(),
            agent: Named::of(envelope.agent.as_deref()),
            provider: Named::of(envelope.provider.as_deref()),
        }
    }

    /// Whether the rule applies to this evidence at all.
    pub(crate) fn applies(&self, applies: &Applies) -> bool {
        self.agent.satisfies(&applies.agents, |head, name| head.covers(*name))
            && self.provider.satisfies(&applies.providers, |head, name| head.covers(*name))
    }

    /// Whether the group holds in the statement; the places of its text matches are added to `spans`.
    pub(crate) fn holds(
        &self,
        group: &Group,
        statement: &Statement,
        access: Access,
        spans: &mut Vec<Span>,
    ) -> bool {
        self.all(&group.all, statement, access, spans)
            && (group.any.is_empty() || self.any(&group.any, statement, access, spans))
            && !group.none.iter().any(|node| self.node(node, statement, Access::FULL, &mut Vec::new()))
    }

    /// The first atom of the group that does not hold: its path and what it asked.
    pub(crate) fn first_failure<'g>(
        &self,
        group: &'g Group,
        statement: &Statement,
        access: Access,
    ) -> Option<(String, &'g Node)> {
        let mut ignored = Vec::new();
        for (index, node) in group.all.iter().enumerate() {
            if !self.node(node, statement, access, &mut ignored) {
                return Some((format!("all[{index}]"), node));
            }
        }
        if let Some(first) = group.any.first()
            && !self.any(&group.any, statement, access, &mut ignored)
        {
            return Some(("any".to_owned(), first));
        }
        let mut none = group.none.iter().enumerate();
        none.find(|(_, node)| self.node(node, statement, Access::FULL, &mut ignored))
            .map(|(index, node)| (format!("none[{index}]"), node))
    }

    fn all(&self, nodes: &[Node], statement: &Statement, access: Access, spans: &mut Vec<Span>) -> bool {
        let is_field = |node: &&Node| matches!(node, Node::Field { .. });
        if !nodes.iter().filter(|node| !is_field(node)).all(|node| self.node(node, statement, access, spans))
        {
            return false;
        }
        let mut fields = nodes.iter().filter(is_field).peekable();
        if fields.peek().is_none() {
            return true;
        }
        let fields: Vec<&Node> = fields.collect();
        access.fields && statement.roots.iter().any(|root| fields.iter().all(|node| field_holds(node, root)))
    }

    fn any(&self, nodes: &[Node], statement: &Statement, access: Access, spans: &mut Vec<Span>) -> bool {
        nodes.iter().any(|node| self.node(node, statement, access, spans))
    }

    fn node(&self, node: &Node, statement: &Statement, access: Access, spans: &mut Vec<Span>) -> bool {
        match node {
            // What a rule knows of standard error it may also tell where others share it: there it only explains.
            Node::Channel(channels) => {
                channels.contains(&statement.channel)
                    || (statement.channel == Channel::Shared && channels.contains(&Channel::Stderr))
            }
            Node::Phase(phases) => self.turn.envelope.phase.is_some_and(|phase| phases.contains(&phase)),
            Node::Terminal(ends) => self.terminal.is_some_and(|terminal| ends.contains(&terminal)),
            Node::ExitCode(codes) => self.exit_code.is_some_and(|code| codes.contains(i64::from(code))),
            Node::HttpStatus(statuses) => {
                access.fields
                    && self
                        .signal(statement)
                        .and_then(|signal| signal.http_status)
                        .is_some_and(|status| statuses.contains(i64::from(status)))
            }
            Node::RpcCode(codes) => {
                access.fields
                    && self
                        .signal(statement)
                        .and_then(|signal| signal.rpc_code)
                        .is_some_and(|code| codes.contains(code))
            }
            Node::Header { name, test } => access.fields && self.header_holds(name, test, statement),
            Node::Field { .. } => access.fields && statement.roots.iter().any(|root| field_holds(node, root)),
            Node::Phrases(phrases) => {
                access.text
                    && self.in_views(statement, spans, |words, own| {
                        phrases.iter().find_map(|phrase| phrase.find(words, own))
                    })
            }
            Node::Regex(pattern) => {
                access.text && self.in_views(statement, spans, |words, own| pattern.find(words, own))
            }
            Node::Equals(text) => {
                access.text
                    && self.in_views(statement, spans, |words, own| {
                        (words.get(..own)? == text.as_bytes()).then_some((0, own))
                    })
            }
            Node::Starts(text) => access.text && self.begins(statement, text, spans),
            Node::Whole => self.is_whole(statement),
            Node::All(nodes) => self.all(nodes, statement, access, spans),
            Node::Any(nodes) => self.any(nodes, statement, access, spans),
            Node::None(nodes) => {
                !nodes.iter().any(|node| self.node(node, statement, Access::FULL, &mut Vec::new()))
            }
        }
    }

    fn in_views(
        &self,
        statement: &Statement,
        spans: &mut Vec<Span>,
        find: impl Fn(&[u8], usize) -> Option<(usize, usize)>,
    ) -> bool {
        for view in &statement.views {
            let own = view.own_end - view.start;
            if let Some((start, end)) = find(self.turn.words(view).as_bytes(), own) {
                spans.push(Span { text: view.text, start: view.start + start, end: view.start + end });
                return true;
            }
        }
        false
    }

    /// The statement begins with the words: a line by itself, data by one of its strings. JSON inside a line does
    /// not begin it.
    fn begins(&self, statement: &Statement, text: &str, spans: &mut Vec<Span>) -> bool {
        let is_line = matches!(statement.shape, Shape::Line | Shape::Document);
        let is_start = |view: &&View| {
            let origin = self.turn.texts.get(view.text).map(|text| &text.origin);
            !(is_line && matches!(origin, Some(Origin::Leaf { .. })))
                && self.turn.words(view).starts_with(text)
        };
        let view = statement.views.iter().find(is_start);
        spans.extend(view.map(|view| Span {
            text: view.text,
            start: view.start,
            end: view.start + text.len(),
        }));
        view.is_some()
    }

    fn header_holds(&self, name: &str, test: &HeaderTest, statement: &Statement) -> bool {
        let value = self.signal(statement).and_then(|signal| signal.headers.get(name));
        match test {
            HeaderTest::Exists(wanted) => value.is_some() == *wanted,
            HeaderTest::Within(values) => value.is_some_and(|value| {
                let value = value.trim().to_ascii_lowercase();
                values.contains(&value)
            }),
        }
    }

    /// The statement is all that its channel said in this turn.
    pub(crate) fn is_whole(&self, statement: &Statement) -> bool {
        let has_words = |view: &View| view.start < view.own_end;
        let mut speaking = self
            .turn
            .statements
            .iter()
            .filter(|other| other.channel == statement.channel && other.views.iter().any(has_words));
        speaking.next().is_some_and(|first| std::ptr::eq(first, statement)) && speaking.next().is_none()
    }

    fn signal(&self, statement: &Statement) -> Option<&'e faultbook_evidence::Signal> {
        self.turn.envelope.signals.get(statement.signal)
    }
}

/// The value at the first pointer that exists; a JSON null does not exist.
pub(crate) fn first_value<'v>(root: &'v Value, at: &[String]) -> Option<&'v Value> {
    at.iter().find_map(|pointer| root.pointer(pointer).filter(|value| !value.is_null()))
}

fn field_holds(node: &Node, root: &Value) -> bool {
    let Node::Field { at, test } = node else { return false };
    let value = first_value(root, at);
    match test {
        CompiledFieldTest::Exists(wanted) => value.is_some() == *wanted,
        CompiledFieldTest::Within(values) => value.is_some_and(|value| values.contains(value)),
        CompiledFieldTest::Prefix(prefix) => {
            value.and_then(Value::as_str).is_some_and(|text| text.starts_with(prefix))
        }
        CompiledFieldTest::Regex(pattern) => value
            .and_then(Value::as_str)
            .is_some_and(|text| pattern.find(text.as_bytes(), text.len().max(1)).is_some()),
        CompiledFieldTest::Between(min, max) => value
            .and_then(Value::as_f64)
            .is_some_and(|number| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)),
    }
}
