//! Rules made ready for matching.

use faultbook_evidence::Channel;
use faultbook_evidence::hint::Format;
use faultbook_evidence::normal::fold;
use faultbook_taxonomy::{Band, Code, Confidence, Phase, Scope, Terminal};
use serde_json::Value;

use crate::pattern::{Pattern, PatternError, Use};
use crate::phrase::Phrase;
use crate::rule::{
    Atom, FieldAtom, FieldTest, HeaderAtom, HintRule, HintSource, Kind, Match, Numbers, Rule, TextAtom,
    TextTest, field_test, header_test, text_test,
};

/// A rule ready for matching.
#[derive(Debug)]
pub(crate) struct CompiledRule {
    /// The rule as written, after the overlay.
    pub(crate) rule: Rule,
    /// The index of its pack in the catalogue.
    pub(crate) pack: usize,
    /// Whether the pack is trusted to authorise work.
    pub(crate) is_trusted: bool,
    /// Its match.
    pub(crate) matches: Group,
    /// Its companions.
    pub(crate) with: Vec<Group>,
    /// Its hints.
    pub(crate) hints: Vec<CompiledHint>,
    /// What the match asks about at all.
    pub(crate) needs: Needs,
}

/// What a code means in a rule of kind `rule`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub(crate) code: Code,
    pub(crate) band: Band,
    pub(crate) rank: u8,
    pub(crate) confidence: Confidence,
    pub(crate) scope: Scope,
}

impl CompiledRule {
    /// The rule's meaning; `None` for kinds without a code.
    pub(crate) fn meaning(&self) -> Option<Meaning> {
        let code = self.rule.code?;
        Some(Meaning {
            code,
            band: self.rule.band?,
            rank: self.rule.rank(),
            confidence: self.rule.confidence?,
            scope: self.rule.scope.unwrap_or(code.default_scope()),
        })
    }

    /// Whether the rule gives a code for facts alone, and is tried once. Other kinds mark statements, so they are
    /// tried on each, whatever they ask.
    pub(crate) fn is_about_facts(&self) -> bool {
        self.rule.kind == Kind::Rule && !self.needs.statement
    }

    /// Whether a `text` atom of the rule needs the whole output.
    pub(crate) fn covers_whole(&self) -> bool {
        self.matches.all.iter().any(|node| matches!(node, Node::Whole))
    }
}

/// `all`, `any` and `none`, compiled.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) all: Vec<Node>,
    pub(crate) any: Vec<Node>,
    pub(crate) none: Vec<Node>,
}

/// One atom, compiled.
#[derive(Debug)]
pub(crate) enum Node {
    Channel(Vec<Channel>),
    Phase(Vec<Phase>),
    Terminal(Vec<Terminal>),
    HttpStatus(Numbers),
    ExitCode(Numbers),
    RpcCode(Numbers),
    Header { name: String, test: HeaderTest },
    Field { at: Vec<String>, test: CompiledFieldTest },
    Phrases(Vec<Phrase>),
    Regex(Box<Pattern>),
    Equals(String),
    Starts(String),
    Whole,
    All(Vec<Node>),
    Any(Vec<Node>),
    None(Vec<Node>),
}

#[derive(Debug)]
pub(crate) enum HeaderTest {
    Within(Vec<String>),
    Exists(bool),
}

#[derive(Debug)]
pub(crate) enum CompiledFieldTest {
    Within(Vec<Value>),
    Prefix(String),
    Regex(Box<Pattern>),
    Exists(bool),
    Between(Option<f64>, Option<f64>),
}

/// A hint ready for reading.
#[derive(Debug)]
pub(crate) struct CompiledHint {
    pub(crate) source: CompiledSource,
    pub(crate) formats: Vec<Format>,
    pub(crate) zone: Option<String>,
    pub(crate) min_seconds: Option<f64>,
    pub(crate) max_seconds: Option<f64>,
}

#[derive(Debug)]
pub(crate) enum CompiledSource {
    Field(Vec<String>),
    Header(String),
    Text(Box<Pattern>),
}

/// What a match asks about, so that rules about facts alone are tried once a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Text, fields or the whole output: something that a statement has.
    pub(crate) statement: bool,
    /// HTTP status, JSON-RPC code or header: something that a signal has.
    pub(crate) status: bool,
    /// The turn's terminal.
    pub(crate) terminal: bool,
}

/// Why a rule does not compile. Loading reports such faults with their place; here they only name the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileFault {
    /// A pattern is not allowed.
    Pattern(PatternError),
    /// An atom or hint has no test or source, or more than one.
    Shape(&'static str),
}

impl std::fmt::Display for CompileFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pattern(error) => write!(f, "pattern: {} (at byte {})", error.message, error.offset),
            Self::Shape(what) => f.write_str(what),
        }
    }
}

impl From<PatternError> for CompileFault {
    fn from(error: PatternError) -> Self {
        Self::Pattern(error)
    }
}

/// Compiles a rule of a pack.
pub(crate) fn compile(rule: Rule, pack: usize, is_trusted: bool) -> Result<CompiledRule, CompileFault> {
    let mut needs = Needs::default();
    let matches = group(&rule.matches, &mut needs)?;
    let with = rule
        .with
        .iter()
        .map(|companion| group(companion, &mut Needs::default()))
        .collect::<Result<Vec<_>, _>>()?;
    let hints = rule.hints.iter().map(hint).collect::<Result<Vec<_>, _>>()?;
    let is_complete = match rule.kind {
        Kind::Rule => rule.code.is_some() && rule.band.is_some() && rule.confidence.is_some(),
        Kind::Notice | Kind::Healthy | Kind::Speaker => rule.code.is_none(),
    };
    if !is_complete {
        return Err(CompileFault::Shape("only a `rule` has code, band and confidence, and it has all three"));
    }
    Ok(CompiledRule { rule, pack, is_trusted, matches, with, hints, needs })
}

fn group(source: &Match, needs: &mut Needs) -> Result<Group, CompileFault> {
    Ok(Group {
        all: nodes(&source.all, needs)?,
        any: nodes(&source.any, needs)?,
        none: nodes(&source.none, needs)?,
    })
}

fn nodes(atoms: &[Atom], needs: &mut Needs) -> Result<Vec<Node>, CompileFault> {
    atoms.iter().map(|atom| node(atom, needs)).collect()
}

fn node(atom: &Atom, needs: &mut Needs) -> Result<Node, CompileFault> {
    Ok(match atom {
        Atom::Channel(channels) => Node::Channel(channels.clone()),
        Atom::Phase(phases) => Node::Phase(phases.clone()),
        Atom::Terminal(terminals) => {
            needs.terminal = true;
            Node::Terminal(terminals.clone())
        }
        Atom::ExitCode(numbers) => Node::ExitCode(numbers.clone()),
        Atom::HttpStatus(numbers) => {
            needs.status = true;
            Node::HttpStatus(numbers.clone())
        }
        Atom::RpcCode(numbers) => {
            needs.status = true;
            Node::RpcCode(numbers.clone())
        }
        Atom::Header(header) => {
            needs.status = true;
            header_node(header)?
        }
        Atom::Field(field) => {
            needs.statement = true;
            field_node(field)?
        }
        Atom::Text(text) => {
            needs.statement = true;
            text_node(text)?
        }
        Atom::Whole(true) => {
            needs.statement = true;
            Node::Whole
        }
        Atom::Whole(false) => return Err(CompileFault::Shape("`whole` can only be true")),
        Atom::All(atoms) => Node::All(nodes(atoms, needs)?),
        Atom::Any(atoms) => Node::Any(nodes(atoms, needs)?),
        Atom::None(atoms) => Node::None(nodes(atoms, needs)?),
    })
}

fn header_node(header: &HeaderAtom) -> Result<Node, CompileFault> {
    if !header_test(header) {
        return Err(CompileFault::Shape("a `header` atom has at most one test"));
    }
    let lower = |value: &String| value.to_ascii_lowercase();
    let test = match (&header.equals, &header.within, header.exists) {
        (Some(value), _, _) => HeaderTest::Within(vec![lower(value)]),
        (None, Some(values), _) => HeaderTest::Within(values.iter().map(lower).collect()),
        (None, None, exists) => HeaderTest::Exists(exists.unwrap_or(true)),
    };
    Ok(Node::Header { name: header.name.to_ascii_lowercase(), test })
}

fn field_node(field: &FieldAtom) -> Result<Node, CompileFault> {
    let test = match field_test(field).ok_or(CompileFault::Shape("a `field` atom has exactly one test"))? {
        FieldTest::Within(values) => CompiledFieldTest::Within(values.to_vec()),
        FieldTest::Prefix(prefix) => CompiledFieldTest::Prefix(prefix.to_owned()),
        FieldTest::Regex(pattern) => CompiledFieldTest::Regex(Box::new(Pattern::new(pattern, Use::Field)?)),
        FieldTest::Exists(exists) => CompiledFieldTest::Exists(exists),
        FieldTest::Between(min, max) => CompiledFieldTest::Between(min, max),
    };
    Ok(Node::Field { at: field.at.as_slice().to_vec(), test })
}

fn text_node(text: &TextAtom) -> Result<Node, CompileFault> {
    Ok(match text_test(text).ok_or(CompileFault::Shape("a `text` atom has exactly one test"))? {
        TextTest::Phrases(phrases) => {
            Node::Phrases(phrases.iter().map(|phrase| Phrase::new(phrase)).collect())
        }
        TextTest::Regex(pattern) => Node::Regex(Box::new(Pattern::new(pattern, Use::Text)?)),
        TextTest::Equals(text) => Node::Equals(fold(text)),
        TextTest::Starts(text) => Node::Starts(fold(text)),
    })
}

fn hint(hint: &HintRule) -> Result<CompiledHint, CompileFault> {
    let source = match hint.source().ok_or(CompileFault::Shape("a hint has exactly one source"))? {
        HintSource::Field(at) => CompiledSource::Field(at.to_vec()),
        HintSource::Header(name) => CompiledSource::Header(name.to_ascii_lowercase()),
        HintSource::Text(pattern) => CompiledSource::Text(Box::new(Pattern::new(pattern, Use::Hint)?)),
    };
    Ok(CompiledHint {
        source,
        formats: hint.formats.clone(),
        zone: hint.zone.clone(),
        min_seconds: hint.min_seconds,
        max_seconds: hint.max_seconds,
    })
}
