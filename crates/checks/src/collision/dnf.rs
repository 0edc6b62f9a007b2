//! A rule's match in disjunctive form: the ways in which a statement can satisfy it.
//!
//! Fields are read in one JSON document of the statement. A statement that names no agent or provider satisfies
//! every `applies`; two rules for different agents are still taken as apart, since evidence that does not say who
//! spoke is rightly in conflict.

use std::collections::{BTreeMap, BTreeSet};

use faultbook_engine::rule::{Applies, Atom, FieldAtom, HeaderAtom, Kind, Match, Rule};
use faultbook_evidence::Channel;
use faultbook_taxonomy::{Agent, Class, Provider};
use serde_json::Value;

use super::question::{Place, Question, Test};
use super::words::Words;

/// The most ways of one rule.
pub(crate) const MAX_TERMS: usize = 64;

/// A field that must not hold at the first of several pointers that exists.
#[derive(Debug, Clone)]
pub(crate) struct Avoided {
    pub(crate) atom: FieldAtom,
    pub(crate) question: Question,
}

/// One way in which a statement can satisfy a match: everything in it holds together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Term {
    pub(crate) questions: BTreeMap<Place, Vec<Question>>,
    /// The places about which the match itself asks for something to be there.
    pub(crate) asks: BTreeSet<Place>,
    pub(crate) avoided: Vec<Avoided>,
    pub(crate) words: Vec<Words>,
    pub(crate) unwanted: Vec<Words>,
    /// The statement is the whole output.
    pub(crate) is_whole: bool,
    /// The statement is not the whole output.
    pub(crate) is_part: bool,
    /// There is a JSON document in which something is absent.
    pub(crate) needs_root: bool,
    pub(crate) companions: Vec<Companion>,
}

/// What another signal of the attempt must satisfy: as written, and one way to satisfy it.
#[derive(Debug, Clone)]
pub(crate) struct Companion {
    pub(crate) source: Match,
    pub(crate) term: Term,
}

/// A match with more than [`MAX_TERMS`] ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Term {
    fn asking(place: Place, test: Test, wanted: bool) -> Self {
        let mut term = Self::default();
        if wanted {
            term.asks.insert(place.clone());
        }
        term.ask(place, Question::new(test, wanted));
        term
    }

    pub(crate) fn ask(&mut self, place: Place, question: Question) {
        self.questions.entry(place).or_default().push(question);
    }

    /// Both terms at once.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for (place, questions) in &other.questions {
            both.questions.entry(place.clone()).or_default().extend(questions.iter().cloned());
        }
        both.asks.extend(other.asks.iter().cloned());
        both.avoided.extend(other.avoided.iter().cloned());
        both.words.extend(other.words.iter().cloned());
        both.unwanted.extend(other.unwanted.iter().cloned());
        both.is_whole |= other.is_whole;
        both.is_part |= other.is_part;
        both.needs_root |= other.needs_root;
        both.companions.extend(other.companions.iter().cloned());
        both
    }

    /// Whether it asks about the statement's JSON.
    pub(crate) fn has_fields(&self) -> bool {
        self.needs_root || self.asks.iter().any(|place| matches!(place, Place::Field(_)))
    }
}

/// The ways in which a statement can satisfy the rule and count.
pub(crate) fn terms(rule: &Rule) -> Result<Vec<Term>, TooMany> {
    let mut base = Term::default();
    base.ask(Place::Channel, Question::new(Test::words(channels(rule)), true));
    let applies = applying(&rule.applies);
    base = base.joined(&applies);
    // A turn that completed or was cancelled supersedes rules that do not name the terminal.
    if rule.kind == Kind::Rule && !names_terminal(&rule.matches) {
        let ended = Test::words(["completed", "cancelled"]);
        base.ask(Place::Terminal, Question::new(ended, false));
    }
    let mut terms = product(vec![base], &group(&rule.matches)?)?;
    for companion in &rule.with {
        terms = product(terms, &companion_terms(companion)?)?;
    }
    terms.iter_mut().for_each(close);
    Ok(terms)
}

/// Updates have no texts, so words are not looked for in them.
fn close(term: &mut Term) {
    if !term.words.is_empty() || term.is_whole {
        term.ask(Place::Channel, Question::new(Test::words([Channel::AcpUpdate.as_str()]), false));
    }
    for companion in &mut term.companions {
        close(&mut companion.term);
    }
}

/// The channels at which the rule looks.
fn channels(rule: &Rule) -> Vec<&'static str> {
    let is_outside = rule.code.is_some_and(|code| code.class() == Class::Outside);
    let sees = |channel: &&Channel| match channel {
        Channel::Unknown => false,
        Channel::Assistant => rule.kind == Kind::Speaker,
        Channel::Tool => is_outside,
        Channel::AcpError
        | Channel::AcpUpdate
        | Channel::AcpResult
        | Channel::Event
        | Channel::Http
        | Channel::AgentText
        | Channel::Stderr
        | Channel::Stdout
        | Channel::Log
        | Channel::Mixed
        | Channel::Shared
        | Channel::Exit
        | Channel::Host => rule.kind != Kind::Speaker,
    };
    Channel::ALL.iter().filter(sees).map(|channel| channel.as_str()).collect()
}

fn applying(applies: &Applies) -> Term {
    let mut term = Term::default();
    if !applies.agents.is_empty() {
        let covered = Agent::ALL.iter().filter(|one| applies.agents.iter().any(|head| head.covers(**one)));
        let test = Test::words(covered.map(|one| one.as_str()));
        term.ask(Place::Agent, Question::new(test, true));
    }
    if !applies.providers.is_empty() {
        let covered =
            Provider::ALL.iter().filter(|one| applies.providers.iter().any(|head| head.covers(**one)));
        let test = Test::words(covered.map(|one| one.as_str()));
        term.ask(Place::Provider, Question::new(test, true));
    }
    term
}

/// Whether a match names the terminal anywhere, as the engine counts it.
fn names_terminal(matches: &Match) -> bool {
    fn in_atom(atom: &Atom) -> bool {
        match atom {
            Atom::Terminal(_) => true,
            Atom::All(atoms) | Atom::Any(atoms) | Atom::None(atoms) => atoms.iter().any(in_atom),
            Atom::Channel(_)
            | Atom::Phase(_)
            | Atom::HttpStatus(_)
            | Atom::ExitCode(_)
            | Atom::RpcCode(_)
            | Atom::Header(_)
            | Atom::Field(_)
            | Atom::Text(_)
            | Atom::Whole(_) => false,
        }
    }
    matches.all.iter().chain(&matches.any).chain(&matches.none).any(in_atom)
}

/// A companion's ways. Facts of the turn are asked of the turn; the rest is asked of another signal.
fn companion_terms(companion: &Match) -> Result<Vec<Term>, TooMany> {
    let hidden = [Channel::Assistant, Channel::Tool].map(|channel| channel.as_str());
    let mut terms = Vec::new();
    for mut inner in group(companion)? {
        let mut outer = Term::default();
        let of_turn: Vec<Place> =
            inner.questions.keys().filter(|place| place.is_of_turn()).cloned().collect();
        for place in of_turn {
            let questions = inner.questions.remove(&place).unwrap_or_default();
            inner.asks.remove(&place);
            outer.questions.insert(place, questions);
        }
        inner.ask(Place::Channel, Question::new(Test::words(hidden), false));
        outer.companions.push(Companion { source: companion.clone(), term: inner });
        terms.push(outer);
    }
    Ok(terms)
}

fn group(matches: &Match) -> Result<Vec<Term>, TooMany> {
    let mut terms = every(&matches.all, true)?;
    if !matches.any.is_empty() {
        terms = product(terms, &some(&matches.any, true)?)?;
    }
    product(terms, &every(&matches.none, false)?)
}

/// The ways in which all atoms hold (or all of them fail).
fn every(atoms: &[Atom], wanted: bool) -> Result<Vec<Term>, TooMany> {
    atoms.iter().try_fold(vec![Term::default()], |terms, atom| product(terms, &expand(atom, wanted)?))
}

/// The ways in which one atom holds (or one of them fails).
fn some(atoms: &[Atom], wanted: bool) -> Result<Vec<Term>, TooMany> {
    let mut terms = Vec::new();
    for atom in atoms {
        terms.extend(expand(atom, wanted)?);
    }
    if terms.len() > MAX_TERMS { Err(TooMany) } else { Ok(terms) }
}

fn product(terms: Vec<Term>, others: &[Term]) -> Result<Vec<Term>, TooMany> {
    if terms.len() * others.len() > MAX_TERMS {
        return Err(TooMany);
    }
    Ok(terms.iter().flat_map(|term| others.iter().map(|other| term.joined(other))).collect())
}

fn expand(atom: &Atom, wanted: bool) -> Result<Vec<Term>, TooMany> {
    let asking = |place, test| Ok(vec![Term::asking(place, test, wanted)]);
    match atom {
        Atom::All(atoms) if wanted => every(atoms, true),
        Atom::All(atoms) => some(atoms, false),
        Atom::Any(atoms) if wanted => some(atoms, true),
        Atom::Any(atoms) => every(atoms, false),
        Atom::None(atoms) if wanted => every(atoms, false),
        Atom::None(atoms) => some(atoms, true),
        Atom::Channel(list) => asking(Place::Channel, Test::words(list.iter().map(|one| one.as_str()))),
        Atom::Phase(list) => asking(Place::Phase, Test::words(list.iter().map(|one| one.as_str()))),
        Atom::Terminal(list) => asking(Place::Terminal, Test::words(list.iter().map(|one| one.as_str()))),
        Atom::HttpStatus(numbers) => asking(Place::HttpStatus, Test::Numbers(numbers.clone())),
        Atom::ExitCode(numbers) => asking(Place::ExitCode, Test::Numbers(numbers.clone())),
        Atom::RpcCode(numbers) => asking(Place::RpcCode, Test::Numbers(numbers.clone())),
        Atom::Header(header) => Ok(vec![of_header(header, wanted)]),
        Atom::Field(field) => of_field(field, wanted),
        Atom::Text(text) => {
            let Some(words) = Words::of(text) else { return Ok(Vec::new()) };
            let (words, unwanted) = if wanted { (vec![words], vec![]) } else { (vec![], vec![words]) };
            Ok(vec![Term { words, unwanted, ..Term::default() }])
        }
        Atom::Whole(_) => Ok(vec![Term { is_whole: wanted, is_part: !wanted, ..Term::default() }]),
    }
}

fn of_header(header: &HeaderAtom, wanted: bool) -> Term {
    let lower = |value: &String| Value::from(value.to_ascii_lowercase());
    let place = Place::Header(header.name.to_ascii_lowercase());
    match (&header.equals, &header.within, header.exists) {
        (Some(value), _, _) => Term::asking(place, Test::OneOf(vec![lower(value)]), wanted),
        (None, Some(values), _) => {
            Term::asking(place, Test::OneOf(values.iter().map(lower).collect()), wanted)
        }
        (None, None, exists) => Term::asking(place, Test::There, exists.unwrap_or(true) == wanted),
    }
}

/// A wanted field may stand at any of its pointers, the earlier ones being absent; an unwanted one with several
/// pointers is kept as it is.
fn of_field(field: &FieldAtom, wanted: bool) -> Result<Vec<Term>, TooMany> {
    let Some((test, there)) = Test::of_field(field) else { return Ok(Vec::new()) };
    let pointers = field.at.as_slice();
    let place = |pointer: &String| Place::Field(pointer.clone());
    if !there && wanted {
        let mut term = Term { needs_root: true, ..Term::default() };
        for pointer in pointers {
            term.ask(place(pointer), Question::new(Test::There, false));
        }
        return Ok(vec![term]);
    }
    // `none: exists: false` asks for the value to be there.
    let wanted = wanted == there;
    if let ([pointer], false) = (pointers, wanted) {
        return Ok(vec![Term::asking(place(pointer), test, false)]);
    }
    if !wanted {
        let avoided = Avoided { atom: field.clone(), question: Question::new(test, false) };
        return Ok(vec![Term { avoided: vec![avoided], ..Term::default() }]);
    }
    if pointers.len() > MAX_TERMS {
        return Err(TooMany);
    }
    let mut terms = Vec::new();
    for (index, pointer) in pointers.iter().enumerate() {
        let mut term = Term::asking(place(pointer), test.clone(), true);
        for earlier in pointers.iter().take(index).filter(|earlier| *earlier != pointer) {
            term.ask(place(earlier), Question::new(Test::There, false));
        }
        terms.push(term);
    }
    Ok(terms)
}
