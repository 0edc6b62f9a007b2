//! Phrases: literal words in the normal form, with word edges.

use faultbook_evidence::normal::fold;
use memchr::memmem::Finder;

/// A literal that occurs in text. Where it begins or ends with an ASCII letter or digit, that edge must be a word
/// edge.
#[derive(Debug, Clone)]
pub struct Phrase {
    finder: Finder<'static>,
    length: usize,
    left_edge: bool,
    right_edge: bool,
}

impl Phrase {
    /// The phrase in its normal form.
    #[must_use]
    pub fn new(phrase: &str) -> Self {
        let folded = fold(phrase);
        let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        Self {
            left_edge: edge(folded.as_bytes().first()),
            right_edge: edge(folded.as_bytes().last()),
            length: folded.len(),
            finder: Finder::new(folded.as_bytes()).into_owned(),
        }
    }

    /// The phrase's folded bytes.
    #[must_use]
    pub fn needle(&self) -> &[u8] {
        self.finder.needle()
    }

    /// The first occurrence that begins before `own_end`, as a range of `words`.
    #[must_use]
    pub fn find(&self, words: &[u8], own_end: usize) -> Option<(usize, usize)> {
        if self.length == 0 {
            return None;
        }
        self.finder
            .find_iter(words)
            .take_while(|&start| start < own_end)
            .map(|start| (start, start + self.length))
            .find(|&(start, end)| self.stands_alone(words, start, end))
    }

    fn stands_alone(&self, words: &[u8], start: usize, end: usize) -> bool {
        let before = start.checked_sub(1).and_then(|at| words.get(at));
        !(self.left_edge && before.is_some_and(is_word)
            || self.right_edge && words.get(end).is_some_and(is_word))
    }
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_word_edges() {
        for (phrase, words, expected) in [
            ("Rate Limit", "a rate limit b", true),
            ("rate limit", "a rate limits b", false),
            ("rate limit", "corporate limit", false),
            ("(429)", "x(429)y", true),
            ("you\u{2019}ve hit", "you've hit", true),
            ("limit", "limit_x limit", true),
            ("limit", "limit_x", false),
            ("limit", "xlimit limit", true),
        ] {
            let found = Phrase::new(phrase).find(words.as_bytes(), words.len());
            assert_eq!(found.is_some(), expected, "{phrase:?} in {words:?}");
        }
    }

    #[test]
    fn a_match_begins_in_the_statement_itself() {
        assert_eq!(Phrase::new("below").find(b"above below", 5), None);
        assert_eq!(Phrase::new("above below").find(b"above below", 5), Some((0, 11)));
    }
}
