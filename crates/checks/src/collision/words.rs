//! Words: the text part of a match, and when one text atom follows from another.

use std::sync::Arc;

use faultbook_engine::pattern::{Pattern, Use};
use faultbook_engine::phrase::Phrase;
use faultbook_engine::rule::{TextAtom, TextTest, text_test};
use faultbook_evidence::normal::fold;

use super::language::{Machine, Walk, walk};

/// One text atom. Texts are in normal form.
#[derive(Debug, Clone)]
pub(crate) enum Words {
    /// One of these occurs.
    Phrases(Vec<(String, Phrase)>),
    /// The text is this.
    Equals(String),
    /// The text begins with this.
    Starts(String),
    /// The pattern matches somewhere.
    Regex(Arc<Sampled>),
}

/// A text pattern with a shortest text that it matches, where one was found.
#[derive(Debug)]
pub(crate) struct Sampled {
    pattern: Pattern,
    sample: Option<String>,
}

impl Words {
    /// The words of an atom; `None` for atoms that loading refuses.
    pub(crate) fn of(atom: &TextAtom) -> Option<Self> {
        Some(match text_test(atom)? {
            TextTest::Phrases(phrases) => {
                Self::Phrases(phrases.iter().map(|phrase| (fold(phrase), Phrase::new(phrase))).collect())
            }
            TextTest::Equals(text) => Self::Equals(fold(text)),
            TextTest::Starts(text) => Self::Starts(fold(text)),
            TextTest::Regex(source) => {
                let pattern = Pattern::new(source, Use::Text).ok()?;
                let sample = match walk(&[(&Machine::of_text(pattern.source()), true)]) {
                    Walk::Word(word) if pattern.find(fold(&word).as_bytes(), word.len()).is_some() => {
                        Some(fold(&word))
                    }
                    Walk::Word(_) | Walk::Empty | Walk::Unknown => None,
                };
                Self::Regex(Arc::new(Sampled { pattern, sample }))
            }
        })
    }

    /// Texts that satisfy the atom when they stand alone: all there are, or for a pattern one example.
    pub(crate) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Phrases(phrases) => phrases.iter().map(|(text, _)| text.as_str()).collect(),
            Self::Equals(text) | Self::Starts(text) => vec![text],
            Self::Regex(sampled) => sampled.sample.iter().map(String::as_str).collect(),
        }
    }

    /// Literals of which every text that satisfies the atom contains at least one.
    pub(crate) fn needles(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Phrases(phrases) => phrases.iter().map(|(text, _)| text.as_bytes().to_vec()).collect(),
            Self::Equals(text) | Self::Starts(text) => vec![text.as_bytes().to_vec()],
            Self::Regex(sampled) => sampled.pattern.literals().to_vec(),
        }
    }

    /// Whether a text that stands alone satisfies the atom.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        match self {
            Self::Phrases(phrases) => phrases.iter().any(|(_, one)| one.find(bytes, bytes.len()).is_some()),
            Self::Equals(wanted) => text == wanted,
            Self::Starts(start) => text.starts_with(start.as_str()),
            Self::Regex(sampled) => sampled.pattern.find(bytes, bytes.len()).is_some(),
        }
    }

    /// Whether every text that satisfies `other` satisfies this too. False where that cannot be proven.
    pub(crate) fn follows_from(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Regex(own), Self::Regex(given)) => own.pattern.source() == given.pattern.source(),
            (_, Self::Regex(_)) => false,
            (Self::Equals(_), Self::Phrases(_) | Self::Starts(_)) | (Self::Starts(_), Self::Phrases(_)) => {
                false
            }
            // Letters may stand right after the start of a text, so its last edge is no word edge.
            (_, Self::Starts(start)) => self.matches(&format!("{start}x")),
            (Self::Regex(_), Self::Phrases(phrases)) => {
                phrases.iter().all(|(text, _)| self.matches(&format!("; {text} ;")))
            }
            (Self::Phrases(_), Self::Phrases(phrases)) => phrases.iter().all(|(text, _)| self.matches(text)),
            (_, Self::Equals(text)) => self.matches(text),
        }
    }

    /// Whether it is a pattern, for which inclusion is not proven.
    pub(crate) const fn is_regex(&self) -> bool {
        matches!(self, Self::Regex(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(list: &[&str]) -> Words {
        Words::Phrases(list.iter().map(|one| (fold(one), Phrase::new(one))).collect())
    }

    fn regex(source: &str) -> Words {
        let atom = TextAtom { phrases: None, regex: Some(source.into()), equals: None, starts: None };
        Words::of(&atom).unwrap()
    }

    #[test]
    fn one_atom_follows_from_another() {
        let starts = |text: &str| Words::Starts(text.to_owned());
        let equals = |text: &str| Words::Equals(text.to_owned());
        for (own, given, expected) in [
            (phrases(&["usage limit"]), phrases(&["Usage limit reached"]), true),
            (phrases(&["usage limit"]), phrases(&["usage limits reached"]), false),
            (phrases(&["usage limit"]), phrases(&["usage limit reached", "quota used up"]), false),
            (phrases(&["usage limit", "quota"]), phrases(&["usage limit reached", "quota used up"]), true),
            (phrases(&["api error"]), starts("api error: overloaded"), true),
            (phrases(&["overloaded"]), starts("api error: overloaded"), false),
            (phrases(&["overloaded"]), equals("api error: overloaded"), true),
            (starts("api error"), starts("api error: overloaded"), true),
            (starts("api error: overloaded"), starts("api error"), false),
            (regex("usage .{0,10}limit"), phrases(&["your usage limit is reached"]), true),
            (regex("usage limit"), regex("usage limit"), true),
            (phrases(&["usage limit"]), regex("usage limit"), false),
        ] {
            assert_eq!(own.follows_from(&given), expected, "{own:?} from {given:?}");
        }
    }

    #[test]
    fn a_pattern_has_a_sample_that_it_matches() {
        let words = regex("(?:weekly|session) limit .{0,10}reached");
        let texts = words.texts();
        assert_eq!(texts, ["weekly limit reached"]);
        assert!(words.matches(texts[0]));
    }
}
