//! Solving: an answer for every place that a term asks about, or the proof that there is none.

use std::collections::BTreeMap;

use faultbook_engine::rule::Numbers;
use faultbook_evidence::normal::fold;
use faultbook_taxonomy::{Agent, Phase, Provider, Terminal};
use serde_json::{Value, json};

use super::dnf::{Avoided, Term};
use super::language::{Machine, Walk, walk};
use super::question::{Place, Question, Test};
use super::words::Words;

/// How many ways to avoid fields one term is tried with.
const MAX_BRANCHES: usize = 256;

/// What became of a search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found<T> {
    /// A solution.
    Some(T),
    /// Proven: there is none.
    Empty,
    /// The budget ran out, or only a search beyond this analysis could tell.
    Unknown,
}

/// Everything that a witness needs to satisfy one term.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Assignment {
    /// The answers; places that are absent are left out.
    pub(crate) answers: BTreeMap<Place, Value>,
    /// Texts, each to stand alone.
    pub(crate) texts: Vec<String>,
    pub(crate) needs_root: bool,
    pub(crate) is_whole: bool,
    pub(crate) is_part: bool,
    pub(crate) companions: Vec<Assignment>,
}

/// Solves a term with these texts for its words.
pub(crate) fn solve(term: &Term, texts: &[String]) -> Found<Assignment> {
    let is_free = |text: &str| !term.unwanted.iter().any(|words| words.matches(text));
    if (term.is_whole && term.is_part) || !texts.iter().all(|text| is_free(text)) {
        return Found::Empty;
    }
    let mut companions = Vec::new();
    for companion in &term.companions {
        let Some(texts) = first_texts(&companion.term) else { return Found::Empty };
        match solve(&companion.term, &texts) {
            Found::Some(assignment) => companions.push(assignment),
            Found::Empty => return Found::Empty,
            Found::Unknown => return Found::Unknown,
        }
    }
    let mut branches = MAX_BRANCHES;
    match branch(&mut term.questions.clone(), &term.avoided, &term.unwanted, &mut branches) {
        Found::Some(answers) => Found::Some(Assignment {
            answers,
            texts: texts.to_vec(),
            needs_root: term.needs_root,
            is_whole: term.is_whole,
            is_part: term.is_part,
            companions,
        }),
        Found::Empty => Found::Empty,
        Found::Unknown => Found::Unknown,
    }
}

/// One text for each of the term's words, free of what it does not want; `None` where there is none.
pub(crate) fn first_texts(term: &Term) -> Option<Vec<String>> {
    let is_free = |text: &&str| !term.unwanted.iter().any(|words| words.matches(text));
    let first = |words: &Words| words.texts().into_iter().find(is_free).map(str::to_owned);
    term.words.iter().map(first).collect()
}

type Questions = BTreeMap<Place, Vec<Question>>;

/// Tries each way to avoid the fields that must not hold.
fn branch(
    questions: &mut Questions,
    avoided: &[Avoided],
    unwanted: &[Words],
    branches: &mut usize,
) -> Found<BTreeMap<Place, Value>> {
    let Some((first, rest)) = avoided.split_first() else { return answers(questions, unwanted) };
    let pointers = first.atom.at.as_slice();
    let absent = Question::new(Test::There, false);
    let mut outcome = Found::Empty;
    // All of them absent, or the first that is there fails the test.
    for present in std::iter::once(pointers.len()).chain(0..pointers.len()) {
        if *branches == 0 {
            return Found::Unknown;
        }
        *branches -= 1;
        let mut narrowed = questions.clone();
        for pointer in pointers.iter().take(present) {
            narrowed.entry(Place::Field(pointer.clone())).or_default().push(absent.clone());
        }
        if let Some(pointer) = pointers.get(present) {
            let asked = narrowed.entry(Place::Field(pointer.clone())).or_default();
            asked.extend([absent.opposite(), first.question.clone()]);
        }
        match branch(&mut narrowed, rest, unwanted, branches) {
            Found::Some(answers) => return Found::Some(answers),
            Found::Unknown => outcome = Found::Unknown,
            Found::Empty => {}
        }
    }
    outcome
}

fn answers(questions: &Questions, unwanted: &[Words]) -> Found<BTreeMap<Place, Value>> {
    let is_free = |answer: &Value| {
        answer.as_str().is_none_or(|text| !unwanted.iter().any(|words| words.matches(&fold(text))))
    };
    let mut answers = BTreeMap::new();
    let mut is_known = true;
    for (place, asked) in questions {
        let is_parent = has_children(place, questions);
        let admits = |answer: &Value| !matches!(place, Place::Field(_)) || is_free(answer);
        match answer(place, asked, is_parent, &admits) {
            Found::Some(Value::Null) => {}
            Found::Some(found) => {
                answers.insert(place.clone(), found);
            }
            Found::Empty => return Found::Empty,
            Found::Unknown => is_known = false,
        }
    }
    if is_known { Found::Some(answers) } else { Found::Unknown }
}

/// Whether something must be there below the pointer, so that an object stands at it.
fn has_children(place: &Place, questions: &Questions) -> bool {
    let Place::Field(pointer) = place else { return false };
    questions.iter().any(|(other, asked)| {
        let Place::Field(below) = other else { return false };
        let is_below = below.strip_prefix(pointer.as_str()).is_some_and(|rest| rest.starts_with('/'));
        is_below && asked.iter().any(|question| question.wanted)
    })
}

/// An answer that satisfies every question about one place. Null means that it may stay absent.
pub(crate) fn answer(
    place: &Place,
    questions: &[Question],
    is_parent: bool,
    admits: &dyn Fn(&Value) -> bool,
) -> Found<Value> {
    let fits =
        |answer: &Value| questions.iter().all(|question| question.is_satisfied(answer)) && admits(answer);
    if is_parent {
        let object = json!({});
        return if fits(&object) { Found::Some(object) } else { Found::Empty };
    }
    if let Some(found) = candidates(place, questions).into_iter().find(|answer| fits(answer)) {
        return Found::Some(found);
    }
    if !matches!(place, Place::Field(_)) || !may_be_any_text(questions) {
        return Found::Empty;
    }
    match spell(questions) {
        Walk::Word(word) if fits(&Value::from(word.as_str())) => Found::Some(Value::from(word)),
        Walk::Word(_) | Walk::Unknown => Found::Unknown,
        Walk::Empty => Found::Empty,
    }
}

/// Whether a text that nobody listed could still answer.
fn may_be_any_text(questions: &[Question]) -> bool {
    questions.iter().all(|Question { test, wanted }| match test {
        Test::Prefix(_) | Test::Pattern(_) => true,
        Test::There => *wanted,
        Test::OneOf(_) | Test::Numbers(_) | Test::Between(..) => !wanted,
    })
}

/// A shortest text in the wanted languages and outside the others.
fn spell(questions: &[Question]) -> Walk {
    let mut built: Vec<(Machine, bool)> = Vec::new();
    let mut given: Vec<(&Machine, bool)> = Vec::new();
    for Question { test, wanted } in questions {
        match test {
            Test::Prefix(prefix) => built.push((Machine::of_prefix(prefix), *wanted)),
            Test::Pattern(language) => given.push((&language.machine, *wanted)),
            Test::OneOf(values) => {
                let texts = values.iter().filter_map(Value::as_str);
                built.extend(texts.map(|text| (Machine::of_literal(text), *wanted)));
            }
            Test::There | Test::Numbers(_) | Test::Between(..) => {}
        }
    }
    given.extend(built.iter().map(|(machine, wanted)| (machine, *wanted)));
    walk(&given)
}

/// Answers among which one satisfies the questions if any does, texts of whole languages aside.
fn candidates(place: &Place, questions: &[Question]) -> Vec<Value> {
    let words = |words: &mut dyn Iterator<Item = &'static str>| {
        std::iter::once(Value::Null).chain(words.map(Value::from)).collect()
    };
    match place {
        Place::Agent => words(&mut Agent::ALL.iter().map(|one| one.as_str())),
        Place::Provider => words(&mut Provider::ALL.iter().map(|one| one.as_str())),
        Place::Phase => words(&mut Phase::ALL.iter().map(|one| one.as_str())),
        Place::Terminal => words(&mut Terminal::ALL.iter().rev().map(|one| one.as_str())),
        Place::Channel => CHANNELS.iter().copied().map(Value::from).collect(),
        Place::HttpStatus => numbers(questions, 100, 599),
        Place::ExitCode => numbers(questions, i64::from(i32::MIN), i64::from(i32::MAX)),
        Place::RpcCode => numbers(questions, i64::MIN, i64::MAX),
        Place::Header(_) | Place::Field(_) => scalars(questions),
    }
}

/// The channels, those in which a witness is easiest to read first.
const CHANNELS: &[&str] = &[
    "http",
    "stderr",
    "event",
    "agent_text",
    "stdout",
    "log",
    "mixed",
    "shared",
    "acp_error",
    "acp_result",
    "acp_update",
    "exit",
    "host",
    "tool",
    "assistant",
];

/// The ends of every range and list, and their neighbours: a set of whole numbers that is not empty holds one.
fn numbers(questions: &[Question], low: i64, high: i64) -> Vec<Value> {
    let mut found = vec![Value::Null];
    for question in questions {
        let Test::Numbers(numbers) = &question.test else { continue };
        let ends = match numbers {
            Numbers::Values(values) => values.clone(),
            Numbers::Range(range) => vec![range.min, range.max],
        };
        found.extend(ends.iter().copied().map(Value::from));
        let around = ends.iter().flat_map(|end| [end.saturating_add(1), end.saturating_sub(1)]);
        found.extend(around.filter(|number| (low..=high).contains(number)).map(Value::from));
    }
    found
}

fn scalars(questions: &[Question]) -> Vec<Value> {
    let mut found = vec![Value::Null];
    for question in questions {
        match &question.test {
            Test::OneOf(values) => found.extend(values.iter().cloned()),
            Test::Between(min, max) => {
                let ends = [*min, *max];
                for end in ends.into_iter().flatten() {
                    let near =
                        [end.ceil(), end.floor(), end, end + 1.0, end - 1.0, end.next_up(), end.next_down()];
                    found.extend(near.into_iter().map(number));
                }
            }
            Test::Prefix(prefix) => found.push(Value::from(prefix.as_str())),
            Test::Numbers(_) | Test::Pattern(_) | Test::There => {}
        }
    }
    found.extend([json!("anything"), json!("x"), json!(true), json!(0)]);
    found
}

/// A number as an author would write it.
#[allow(clippy::cast_possible_truncation, reason = "only whole numbers far inside the range are cast")]
fn number(value: f64) -> Value {
    let is_whole = value.fract() == 0.0 && value.abs() < 9e15;
    if is_whole { Value::from(value as i64) } else { Value::from(value) }
}
