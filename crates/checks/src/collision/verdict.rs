//! Verdicts: whether two rules can match one statement, and whether one rule hides another.

use super::dnf::{Avoided, Term};
use super::question::{Place, Question, Test};
use super::solve::{Assignment, Found, answer, first_texts, solve};
use super::words::Words;
use super::{Overlap, Prepared};

/// How two rules meet: over budget, there is no solution to show.
pub(crate) type Meeting = (Overlap, Option<Box<Assignment>>);

/// How two rules can match one statement, by the gravest way; `None` where they cannot, or where only unrelated
/// words would have to stand together.
pub(crate) fn meeting(one: &Prepared<'_>, other: &Prepared<'_>) -> Option<Meeting> {
    let mut best: Option<Meeting> = None;
    for first in &one.terms {
        for second in &other.terms {
            let Some(found) = terms_meet(first, second) else { continue };
            if found.0 == Overlap::Nested {
                return Some(found);
            }
            if best.as_ref().is_none_or(|best| found.0 < best.0) {
                best = Some(found);
            }
        }
    }
    best
}

fn terms_meet(one: &Term, other: &Term) -> Option<Meeting> {
    let (overlap, shared) = relation(one, other)?;
    let both = one.joined(other);
    match solve(&both, &texts(&both, shared)?) {
        Found::Some(found) => Some((overlap, Some(Box::new(found)))),
        Found::Empty => None,
        Found::Unknown => Some((Overlap::OverBudget, None)),
    }
}

/// How the questions of two terms stand to each other, and texts that satisfy words of both. Terms that share no
/// question and ask for different words and fields are unrelated.
fn relation(one: &Term, other: &Term) -> Option<(Overlap, Vec<String>)> {
    let unwanted = || one.unwanted.iter().chain(&other.unwanted);
    let is_free = |text: &&str| !unwanted().any(|words| words.matches(text));
    let (covers_other, mut shared) = cover(&one.words, &other.words, &is_free);
    let (covers_one, more) = cover(&other.words, &one.words, &is_free);
    shared.extend(more);
    let has_words = (!one.words.is_empty(), !other.words.is_empty());
    if has_words == (true, true) && shared.is_empty() {
        return None;
    }
    let is_nested = match has_words {
        (true, true) => covers_one || covers_other,
        (false, false) => one.asks.is_subset(&other.asks) || other.asks.is_subset(&one.asks),
        (true, false) => other.asks.is_subset(&one.asks),
        (false, true) => one.asks.is_subset(&other.asks),
    };
    let is_content = |place: &Place| matches!(place, Place::Field(_));
    let has_own = |own: &Term, given: &Term, is_covered: bool| {
        !is_covered || own.asks.difference(&given.asks).any(is_content)
    };
    let overlap = if is_nested {
        Overlap::Nested
    } else if !(has_own(one, other, covers_one) && has_own(other, one, covers_other)) {
        Overlap::Beside
    } else if !shared.is_empty() || one.asks.intersection(&other.asks).next().is_some() {
        Overlap::Apart
    } else {
        return None;
    };
    Some((overlap, shared))
}

/// Whether each of `covered` holds on a text of `words`; the texts on which one does.
fn cover(words: &[Words], covered: &[Words], is_free: &dyn Fn(&&str) -> bool) -> (bool, Vec<String>) {
    let mut shared = Vec::new();
    for target in covered {
        let mut texts = words.iter().flat_map(Words::texts).filter(is_free);
        shared.extend(texts.find(|text| target.matches(text)).map(str::to_owned));
    }
    (shared.len() == covered.len(), shared)
}

/// The shared texts, and a text for each of the words that they leave open.
fn texts(both: &Term, mut texts: Vec<String>) -> Option<Vec<String>> {
    texts.sort();
    texts.dedup();
    let open: Vec<Words> =
        both.words.iter().filter(|words| !texts.iter().any(|text| words.matches(text))).cloned().collect();
    let rest = Term { words: open, unwanted: both.unwanted.clone(), ..Term::default() };
    texts.extend(first_texts(&rest)?);
    Some(texts)
}

/// Whether no statement satisfies the rule. Over budget, nobody knows, and it is not said.
pub(crate) fn is_unsatisfiable(rule: &Prepared<'_>) -> bool {
    rule.terms.iter().all(is_empty)
}

fn is_empty(term: &Term) -> bool {
    let is_silent = |words: &Words| {
        let texts = words.texts();
        !texts.is_empty() && texts.iter().all(|text| term.unwanted.iter().any(|not| not.matches(text)))
    };
    if term.words.iter().any(|words| !words.is_regex() && is_silent(words)) {
        return true;
    }
    let texts = first_texts(term).unwrap_or_default();
    solve(term, &texts) == Found::Empty
}

/// Whether every statement of the rule is also matched by the stronger one.
pub(crate) fn is_hidden(rule: &Prepared<'_>, stronger: &Prepared<'_>) -> bool {
    let mut open = rule.terms.iter().filter(|term| !is_empty(term)).peekable();
    open.peek().is_some() && open.all(|term| stronger.terms.iter().any(|other| is_included(term, other)))
}

/// Whether everything that satisfies `inner` satisfies `outer`. False where that is not proven.
fn is_included(inner: &Term, outer: &Term) -> bool {
    let asks = outer.questions.iter().all(|(place, questions)| {
        questions.iter().all(|question| is_impossible(inner, [(place.clone(), question.opposite())]))
    });
    let words = |outer: &Words| inner.words.iter().any(|given| outer.follows_from(given));
    let unwanted = |outer: &Words| inner.unwanted.iter().any(|not| not.follows_from(outer));
    let companions = outer
        .companions
        .iter()
        .all(|wanted| inner.companions.iter().any(|given| given.source == wanted.source));
    asks && outer.words.iter().all(words)
        && outer.unwanted.iter().all(unwanted)
        && companions
        && outer.avoided.iter().all(|avoided| is_avoided(inner, avoided))
        && (!outer.is_whole || inner.is_whole)
        && (!outer.is_part || inner.is_part)
        && (!outer.needs_root || inner.has_fields())
}

fn is_avoided(inner: &Term, avoided: &Avoided) -> bool {
    let pointers = avoided.atom.at.as_slice();
    inner.avoided.iter().any(|own| own.atom == avoided.atom)
        || pointers.iter().enumerate().all(|(index, pointer)| {
            let place = |pointer: &String| Place::Field(pointer.clone());
            let absent = Question::new(Test::There, false);
            let earlier = pointers.iter().take(index).map(|one| (place(one), absent.clone()));
            let holds = (place(pointer), avoided.question.opposite());
            is_impossible(inner, earlier.chain([holds]))
        })
}

/// Whether the term leaves no answer once these are asked too.
fn is_impossible(term: &Term, more: impl IntoIterator<Item = (Place, Question)>) -> bool {
    more.into_iter().any(|(place, question)| {
        let mut questions = term.questions.get(&place).cloned().unwrap_or_default();
        questions.push(question);
        answer(&place, &questions, false, &|_| true) == Found::Empty
    })
}
