//! Triggers: for every rule, something cheap without which it cannot match.
//!
//! One pass over the text finds the literals, one walk over each JSON root finds the fields; only rules that were
//! triggered are tried. Tests compare this with trying every rule: the answer is the same.

use std::collections::HashMap;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use serde_json::Value;

use super::compiled::{CompiledFieldTest, CompiledRule, Group, Node};

/// Things of which at least one must be there for a rule to match a statement.
#[derive(Debug, Clone, Default, PartialEq)]
struct Trigger {
    literals: Vec<Vec<u8>>,
    fields: Vec<(String, Option<Scalar>)>,
}

/// A scalar as a key. Numbers are compared as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Scalar {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
}

impl Scalar {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::Null),
            Value::Bool(flag) => Some(Self::Bool(*flag)),
            Value::Number(number) => Some(Self::Number(number.to_string())),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Array(_) | Value::Object(_) => None,
        }
    }
}

impl Trigger {
    /// How few statements it is expected to let through; more is better.
    fn worth(&self) -> usize {
        let literals = self.literals.iter().map(Vec::len);
        let fields = self.fields.iter().map(|(_, value)| if value.is_some() { 32 } else { 6 });
        literals.chain(fields).min().unwrap_or(0)
    }

    fn join(mut self, other: Self) -> Self {
        self.literals.extend(other.literals);
        self.fields.extend(other.fields);
        self
    }
}

fn of_group(group: &Group) -> Option<Trigger> {
    let best = group.all.iter().filter_map(of_node).max_by_key(Trigger::worth);
    let any = of_any(&group.any);
    best.into_iter().chain(any).max_by_key(Trigger::worth)
}

fn of_any(nodes: &[Node]) -> Option<Trigger> {
    if nodes.is_empty() {
        return None;
    }
    nodes.iter().try_fold(Trigger::default(), |all, node| Some(all.join(of_node(node)?)))
}

fn of_node(node: &Node) -> Option<Trigger> {
    let literals = |literals: Vec<Vec<u8>>| {
        let usable = !literals.is_empty() && literals.iter().all(|literal| !literal.is_empty());
        usable.then_some(Trigger { literals, fields: Vec::new() })
    };
    match node {
        Node::Phrases(phrases) => literals(phrases.iter().map(|phrase| phrase.needle().to_vec()).collect()),
        Node::Regex(pattern) => literals(pattern.literals().to_vec()),
        Node::Equals(text) | Node::Starts(text) => literals(vec![text.as_bytes().to_vec()]),
        Node::Field { at, test } => of_field(at, test),
        Node::All(nodes) => nodes.iter().filter_map(of_node).max_by_key(Trigger::worth),
        Node::Any(nodes) => of_any(nodes),
        Node::Channel(_)
        | Node::Phase(_)
        | Node::Terminal(_)
        | Node::HttpStatus(_)
        | Node::ExitCode(_)
        | Node::RpcCode(_)
        | Node::Header { .. }
        | Node::Whole
        | Node::None(_) => None,
    }
}

fn of_field(at: &[String], test: &CompiledFieldTest) -> Option<Trigger> {
    let mut fields = Vec::new();
    for pointer in at {
        match test {
            CompiledFieldTest::Within(values) => {
                for value in values {
                    fields.push((pointer.clone(), Some(Scalar::of(value)?)));
                }
            }
            CompiledFieldTest::Prefix(_)
            | CompiledFieldTest::Regex(_)
            | CompiledFieldTest::Exists(true)
            | CompiledFieldTest::Between(..) => fields.push((pointer.clone(), None)),
            CompiledFieldTest::Exists(false) => return None,
        }
    }
    (!fields.is_empty()).then_some(Trigger { literals: Vec::new(), fields })
}

/// Finds the rules that a text or a JSON root may let match.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    triggers: Arc<Triggers>,
    /// Rules that need a statement and have no trigger: they are tried on every statement.
    pub(crate) always: Vec<usize>,
    /// Rules about facts alone: they are tried once.
    pub(crate) facts: Vec<usize>,
}

/// What starts a rule. Variants of a catalogue share it.
#[derive(Debug, Default)]
struct Triggers {
    searcher: Option<AhoCorasick>,
    by_literal: Vec<Vec<usize>>,
    fields: FieldTree,
}

#[derive(Debug, Default)]
struct FieldTree {
    below: HashMap<String, FieldTree>,
    equal: HashMap<Scalar, Vec<usize>>,
    there: Vec<usize>,
}

impl FieldTree {
    fn add(&mut self, pointer: &str, value: Option<Scalar>, rule: usize) {
        let mut place = self;
        for step in pointer.split('/').skip(1) {
            place = place.below.entry(step.replace("~1", "/").replace("~0", "~")).or_default();
        }
        match value {
            Some(value) => place.equal.entry(value).or_default().push(rule),
            None => place.there.push(rule),
        }
    }

    fn walk(&self, value: &Value, found: &mut impl FnMut(usize)) {
        self.there.iter().for_each(|&rule| found(rule));
        if !self.equal.is_empty()
            && let Some(rules) = Scalar::of(value).and_then(|scalar| self.equal.get(&scalar))
        {
            rules.iter().for_each(|&rule| found(rule));
        }
        match value {
            Value::Object(fields) if fields.len() <= self.below.len() => {
                for (key, item) in fields {
                    if let Some(below) = self.below.get(key) {
                        below.walk(item, found);
                    }
                }
            }
            Value::Object(fields) => self.descend(|key| fields.get(key), found),
            Value::Array(items) => {
                self.descend(|key| key.parse::<usize>().ok().and_then(|index| items.get(index)), found);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[allow(clippy::iter_over_hash_type, reason = "the caller collects the rules into a sorted set")]
    fn descend<'v>(&self, get: impl Fn(&str) -> Option<&'v Value>, found: &mut impl FnMut(usize)) {
        for (key, below) in &self.below {
            if let Some(item) = get(key) {
                below.walk(item, found);
            }
        }
    }
}

impl Index {
    /// The index of compiled rules.
    pub(crate) fn of(rules: &[Arc<CompiledRule>]) -> Self {
        let mut literals: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        let mut triggers = Triggers::default();
        let (mut always, mut facts) = (Vec::new(), Vec::new());
        for (rule, compiled) in rules.iter().enumerate() {
            if compiled.is_about_facts() {
                facts.push(rule);
                continue;
            }
            let Some(trigger) = of_group(&compiled.matches) else {
                always.push(rule);
                continue;
            };
            for literal in trigger.literals {
                let id = *literals.entry(literal).or_insert_with_key(|literal| {
                    patterns.push(literal.clone());
                    triggers.by_literal.push(Vec::new());
                    patterns.len() - 1
                });
                if let Some(rules) = triggers.by_literal.get_mut(id)
                    && rules.last() != Some(&rule)
                {
                    rules.push(rule);
                }
            }
            for (pointer, value) in trigger.fields {
                triggers.fields.add(&pointer, value, rule);
            }
        }
        // Literals are folded, and so is every text: a case-sensitive search is a case-insensitive one.
        triggers.searcher = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&patterns)
            .ok();
        Self { triggers: Arc::new(triggers), always, facts }
    }

    /// The same index with one rule changed: it is tried on every statement, or once if it is about facts alone.
    pub(crate) fn with_changed(&self, rule: usize, is_about_facts: bool) -> Self {
        let mut changed = self.clone();
        changed.always.retain(|&other| other != rule);
        changed.facts.retain(|&other| other != rule);
        if is_about_facts {
            changed.facts.push(rule)
        } else {
            changed.always.push(rule)
        }
        changed
    }

    /// Calls back with each literal's place and the rules that it triggers.
    pub(crate) fn literals(&self, text: &str, mut found: impl FnMut(usize, usize, &[usize])) {
        let Some(searcher) = &self.triggers.searcher else { return };
        for hit in searcher.find_overlapping_iter(text) {
            if let Some(rules) = self.triggers.by_literal.get(hit.pattern().as_usize()) {
                found(hit.start(), hit.end(), rules);
            }
        }
    }

    /// Calls back with each rule that a JSON root triggers.
    pub(crate) fn fields(&self, root: &Value, mut found: impl FnMut(usize)) {
        self.triggers.fields.walk(root, &mut found);
    }

    /// How many literals the text search knows.
    pub(crate) fn literal_count(&self) -> usize {
        self.triggers.by_literal.len()
    }
}
