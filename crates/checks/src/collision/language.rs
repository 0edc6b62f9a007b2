//! Languages of whole-field patterns: intersection and difference by a product walk over dense automata.
//!
//! The walk is breadth first, so the word that it finds is a shortest one. Both the automata and the walk have a
//! budget; where it runs out nothing is known, and the caller treats the languages as overlapping.

use std::collections::{HashMap, VecDeque};

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, nfa::thompson};

/// The most bytes of one automaton: 4 MiB.
pub(crate) const MAX_AUTOMATON_BYTES: usize = 4 * 1024 * 1024;
/// The most combined states that one walk visits.
pub(crate) const MAX_STATES: usize = 200_000;

/// A language as an automaton; `None` inside where it is over budget.
#[derive(Debug)]
pub(crate) struct Machine(Option<Box<dense::DFA<Vec<u32>>>>);

impl Machine {
    /// The strings that the pattern matches as a whole, in its own case.
    pub(crate) fn of_field(pattern: &str) -> Self {
        Self::build(&format!("^(?:{pattern})$"), false)
    }

    /// The texts that a text pattern matches from end to end, in any case.
    pub(crate) fn of_text(pattern: &str) -> Self {
        Self::build(&format!("^(?:{pattern})$"), true)
    }

    /// The strings that begin with the prefix.
    pub(crate) fn of_prefix(prefix: &str) -> Self {
        Self::build(&format!("^{}(?s:.)*$", regex_syntax::escape(prefix)), false)
    }

    /// The one string.
    pub(crate) fn of_literal(text: &str) -> Self {
        Self::build(&format!("^{}$", regex_syntax::escape(text)), false)
    }

    fn build(pattern: &str, any_case: bool) -> Self {
        let dfa = dense::Builder::new()
            .syntax(
                syntax::Config::new().unicode(false).utf8(false).case_insensitive(any_case).nest_limit(64),
            )
            .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(MAX_AUTOMATON_BYTES)))
            .configure(
                dense::Config::new()
                    .start_kind(StartKind::Anchored)
                    .dfa_size_limit(Some(MAX_AUTOMATON_BYTES))
                    .determinize_size_limit(Some(MAX_AUTOMATON_BYTES)),
            )
            .build(pattern);
        Self(dfa.ok().map(Box::new))
    }
}

/// What a walk finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Walk {
    /// A shortest word that every wanted language holds and no other.
    Word(String),
    /// There is no such word.
    Empty,
    /// The budget ran out, or the only words are not text.
    Unknown,
}

/// Looks for a shortest word that is in each language just where it is wanted.
pub(crate) fn walk(languages: &[(&Machine, bool)]) -> Walk {
    let Some(parts) = languages
        .iter()
        .map(|(machine, wanted)| machine.0.as_deref().map(|dfa| (dfa, *wanted)))
        .collect::<Option<Vec<_>>>()
    else {
        return Walk::Unknown;
    };
    let anchored = start::Config::new().anchored(Anchored::Yes);
    let Ok(first) = parts.iter().map(|(dfa, _)| dfa.start_state(&anchored)).collect::<Result<Vec<_>, _>>()
    else {
        return Walk::Unknown;
    };
    Product { parts, nodes: Vec::new(), seen: HashMap::new(), queue: VecDeque::new() }.search(first)
}

type Part<'m> = (&'m dense::DFA<Vec<u32>>, bool);

struct Product<'m> {
    parts: Vec<Part<'m>>,
    /// For each visited node, its predecessor and the byte that led here.
    nodes: Vec<(usize, u8)>,
    seen: HashMap<Vec<StateID>, usize>,
    queue: VecDeque<(usize, Vec<StateID>)>,
}

impl Product<'_> {
    fn search(mut self, first: Vec<StateID>) -> Walk {
        self.visit(first, 0, 0);
        let alphabet = self.alphabet();
        while let Some((node, states)) = self.queue.pop_front() {
            if self.is_accepted(&states) {
                return String::from_utf8(self.word(node)).map_or(Walk::Unknown, Walk::Word);
            }
            for &byte in &alphabet {
                let next = self.step(&states, byte);
                if self.is_alive(&next) && !self.visit(next, node, byte) {
                    return Walk::Unknown;
                }
            }
        }
        Walk::Empty
    }

    /// One byte of each class that the automata tell apart; letters and digits speak for their classes.
    fn alphabet(&self) -> Vec<u8> {
        let readable = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
        let marks = b"_-. /:".iter().copied().chain(0x20..0x7f);
        let mut known = HashMap::new();
        let mut alphabet = Vec::new();
        for byte in readable.chain(marks).chain([b'\t', b'\n']).chain(0x80..=0xff) {
            let classes: Vec<u8> = self.parts.iter().map(|(dfa, _)| dfa.byte_classes().get(byte)).collect();
            if known.insert(classes, byte).is_none() {
                alphabet.push(byte);
            }
        }
        alphabet
    }

    fn step(&self, states: &[StateID], byte: u8) -> Vec<StateID> {
        let pairs = self.parts.iter().zip(states);
        pairs.map(|((dfa, _), &state)| dfa.next_state(state, byte)).collect()
    }

    /// Whether a word may still be found from here.
    fn is_alive(&self, states: &[StateID]) -> bool {
        let mut pairs = self.parts.iter().zip(states);
        pairs.all(|((dfa, wanted), &state)| !*wanted || !dfa.is_dead_state(state))
    }

    fn is_accepted(&self, states: &[StateID]) -> bool {
        let mut pairs = self.parts.iter().zip(states);
        pairs.all(|((dfa, wanted), &state)| dfa.is_match_state(dfa.next_eoi_state(state)) == *wanted)
    }

    /// Notes a combined state; false when the budget has run out.
    fn visit(&mut self, states: Vec<StateID>, from: usize, byte: u8) -> bool {
        if self.seen.contains_key(&states) {
            return true;
        }
        if self.nodes.len() >= MAX_STATES {
            return false;
        }
        let node = self.nodes.len();
        self.nodes.push((from, byte));
        self.seen.insert(states.clone(), node);
        self.queue.push_back((node, states));
        true
    }

    fn word(&self, mut node: usize) -> Vec<u8> {
        let mut word = Vec::new();
        while node != 0 {
            let Some(&(from, byte)) = self.nodes.get(node) else { break };
            word.push(byte);
            node = from;
        }
        word.reverse();
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(one: &str, other: &str) -> Walk {
        walk(&[(&Machine::of_field(one), true), (&Machine::of_field(other), true)])
    }

    #[test]
    fn languages_that_share_a_word_name_a_shortest_one() {
        for (one, other, word) in [
            ("rate_[a-z]+", "[a-z]+_limit", Some("rate_limit")),
            ("quota_(?:day|week)", "quota_[a-z]{4}", Some("quota_week")),
            ("a[0-9]{2,}b", "a.{3,}b", Some("a000b")),
            ("overloaded", "overloaded_error", None),
            ("Quota", "quota", None),
            ("x[a-f]y", "x[g-z]y", None),
        ] {
            let expected = word.map_or(Walk::Empty, |word| Walk::Word(word.to_owned()));
            assert_eq!(both(one, other), expected, "{one} and {other}");
        }
    }

    #[test]
    fn the_difference_of_languages_tells_inclusion() {
        let (inner, outer) = (Machine::of_field("rate_limit_[a-z]{3}"), Machine::of_prefix("rate_"));
        assert_eq!(walk(&[(&inner, true), (&outer, false)]), Walk::Empty);
        assert_eq!(walk(&[(&outer, true), (&inner, false)]), Walk::Word("rate_".to_owned()));
        let not = Machine::of_literal("ab");
        let some = Machine::of_field("a[bc]");
        assert_eq!(walk(&[(&some, true), (&not, false)]), Walk::Word("ac".to_owned()));
    }

    #[test]
    fn an_automaton_over_budget_is_unknown() {
        let huge = Machine::of_field("[ab]{1,200}a[ab]{24}c");
        assert_eq!(walk(&[(&huge, true)]), Walk::Unknown);
    }

    #[test]
    fn text_patterns_find_words_between_edges() {
        let text = Machine::of_text("\\bUsage .{2,4}limit\\b");
        assert_eq!(walk(&[(&text, true)]), Walk::Word("usage aalimit".to_owned()));
    }
}
