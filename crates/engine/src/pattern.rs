//! Regular expressions in rules: what is allowed, which literal every match must contain, and matching.
//!
//! Patterns see the normal form, so they match in any case, on bytes, with ASCII classes: an ASCII prefilter then
//! misses nothing (U+017F and U+212A are folded before any pattern sees them).

use std::sync::OnceLock;

use faultbook_evidence::normal::fold;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// The most bytes of a pattern.
pub const MAX_PATTERN_BYTES: usize = 256;
/// The fewest bytes of the literal that every match must contain.
pub const MIN_LITERAL_BYTES: usize = 4;
/// The most repetitions of a gap: something that matches blanks and letters alike.
pub const MAX_GAP: u32 = 10;
/// The most repetitions of the same in a hint, whose group has to hold a whole date.
pub const MAX_HINT_GAP: u32 = 48;
/// The most alternatives among the required literals of one pattern.
const MAX_LITERALS: usize = 64;

/// What a pattern is matched against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Somewhere in text.
    Text,
    /// The whole of a field, in its own case.
    Field,
    /// Somewhere in text, with the group `v` capturing a time.
    Hint,
}

/// What is wrong with a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is longer than [`MAX_PATTERN_BYTES`].
    TooLong,
    /// It is no regular expression.
    Syntax,
    /// It matches the empty string.
    MatchesEmpty,
    /// No literal of [`MIN_LITERAL_BYTES`] is in every match.
    NoLiteral,
    /// A gap repeats more than [`MAX_GAP`] times.
    WideGap,
    /// It captures what no hint names, or does not capture what its hint needs.
    Captures,
}

/// A fault with its place in the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub fault: Fault,
    /// The byte in the pattern where it is wrong.
    pub offset: usize,
    /// The words of the regular expression parser, or our own.
    pub message: String,
}

impl PatternError {
    fn new(fault: Fault, offset: usize, message: impl Into<String>) -> Self {
        Self { fault, offset, message: message.into() }
    }
}

/// A checked pattern. It compiles when it is first needed.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    usage: Use,
    literals: Vec<Vec<u8>>,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// Checks a pattern.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn new(source: &str, usage: Use) -> Result<Self, PatternError> {
        if source.len() > MAX_PATTERN_BYTES {
            let message = format!("{} bytes; at most {MAX_PATTERN_BYTES} are allowed", source.len());
            return Err(PatternError::new(Fault::TooLong, MAX_PATTERN_BYTES, message));
        }
        let folded = fold_marks(source, usage);
        let hir = parse(&folded, usage)?;
        check(&hir, source, usage)?;
        let literals = required(&hir).unwrap_or_default();
        let shortest = literals.iter().map(Vec::len).min().unwrap_or(0);
        if shortest < MIN_LITERAL_BYTES && usage == Use::Text {
            let message =
                format!("no literal of {MIN_LITERAL_BYTES} bytes or more is part of every match; add one");
            return Err(PatternError::new(Fault::NoLiteral, 0, message));
        }
        Ok(Self { source: folded, usage, literals, compiled: OnceLock::new() })
    }

    /// The pattern as it is matched.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The literals of which every match contains at least one, folded.
    #[must_use]
    pub fn literals(&self) -> &[Vec<u8>] {
        &self.literals
    }

    /// The first match that begins before `own_end`.
    #[must_use]
    pub fn find(&self, words: &[u8], own_end: usize) -> Option<(usize, usize)> {
        let found = self.regex(words)?.find(words)?;
        (found.start() < own_end).then_some((found.start(), found.end()))
    }

    /// The group `v` of the first match that begins before `own_end`.
    #[must_use]
    pub fn capture(&self, words: &[u8], own_end: usize) -> Option<(usize, usize)> {
        let regex = self.regex(words)?;
        let mut captures = regex.create_captures();
        regex.captures(words, &mut captures);
        let whole = captures.get_match()?;
        let group = captures.get_group_by_name("v")?;
        (whole.start() < own_end).then_some((group.start, group.end))
    }

    /// The compiled pattern; `None` where it cannot match the words, which needs no compiling.
    fn regex(&self, words: &[u8]) -> Option<&Regex> {
        if self.compiled.get().is_none() && !self.may_match(words) {
            return None;
        }
        self.compiled
            .get_or_init(|| {
                let source = match self.usage {
                    Use::Text | Use::Hint => self.source.clone(),
                    Use::Field => format!("^(?:{})$", self.source),
                };
                Regex::builder()
                    .syntax(syntax_config(self.usage))
                    .configure(Regex::config().utf8_empty(false).nfa_size_limit(Some(1 << 20)))
                    .build(&source)
                    .ok()
            })
            .as_ref()
    }

    /// Whether one of the required literals is there. Fields keep their case, literals are folded: no telling.
    fn may_match(&self, words: &[u8]) -> bool {
        match self.usage {
            Use::Field => true,
            Use::Text | Use::Hint => {
                self.literals.is_empty()
                    || self.literals.iter().any(|literal| memchr::memmem::find(words, literal).is_some())
            }
        }
    }
}

fn syntax_config(usage: Use) -> syntax::Config {
    let any_case = match usage {
        Use::Text | Use::Hint => true,
        Use::Field => false,
    };
    syntax::Config::new().unicode(false).utf8(false).case_insensitive(any_case).nest_limit(32)
}

/// Typographic marks in a text pattern are folded like the text that it sees.
fn fold_marks(source: &str, usage: Use) -> String {
    match usage {
        Use::Field => source.to_owned(),
        Use::Text | Use::Hint => {
            source.chars().map(|c| if c.is_ascii() { c.to_string() } else { fold(&c.to_string()) }).collect()
        }
    }
}

fn parse(source: &str, usage: Use) -> Result<Hir, PatternError> {
    let any_case = usage != Use::Field;
    regex_syntax::ParserBuilder::new()
        .unicode(false)
        .utf8(false)
        .case_insensitive(any_case)
        .nest_limit(32)
        .build()
        .parse(source)
        .map_err(|error| {
            let (offset, message) = match &error {
                regex_syntax::Error::Parse(error) => (error.span().start.offset, error.kind().to_string()),
                regex_syntax::Error::Translate(error) => {
                    (error.span().start.offset, error.kind().to_string())
                }
                other => (0, other.to_string()),
            };
            PatternError::new(Fault::Syntax, offset, message)
        })
}

fn check(hir: &Hir, source: &str, usage: Use) -> Result<(), PatternError> {
    if hir.properties().minimum_len().is_none_or(|length| length == 0) {
        let message = "the pattern matches the empty string";
        return Err(PatternError::new(Fault::MatchesEmpty, 0, message));
    }
    let widest = match usage {
        Use::Text | Use::Field => MAX_GAP,
        Use::Hint => MAX_HINT_GAP,
    };
    if let Some(gap) = wide_gap(hir, widest) {
        let offset = source.find(['*', '+', '{']).unwrap_or(0);
        let message =
            format!("a gap may repeat at most {widest} times, as in `.{{0,{widest}}}`; found {gap}");
        return Err(PatternError::new(Fault::WideGap, offset, message));
    }
    let names: Vec<Option<String>> = captures(hir);
    let offset = source.find('(').unwrap_or(0);
    match usage {
        Use::Text | Use::Field if !names.is_empty() => {
            Err(PatternError::new(Fault::Captures, offset, "only a hint captures; write `(?:…)`"))
        }
        Use::Hint if names != [Some("v".to_owned())] => {
            let message = "a hint captures exactly one group, named `v`: `(?<v>…)`";
            Err(PatternError::new(Fault::Captures, offset, message))
        }
        Use::Text | Use::Field | Use::Hint => Ok(()),
    }
}

fn captures(hir: &Hir) -> Vec<Option<String>> {
    match hir.kind() {
        HirKind::Capture(capture) => {
            let mut names = vec![capture.name.as_ref().map(ToString::to_string)];
            names.extend(captures(&capture.sub));
            names
        }
        HirKind::Repetition(repetition) => captures(&repetition.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().flat_map(captures).collect(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => Vec::new(),
    }
}

/// A repetition of something that matches both blanks and letters, over more bytes than a gap may be wide.
fn wide_gap(hir: &Hir, widest: u32) -> Option<String> {
    match hir.kind() {
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let is_wide = max.is_none_or(|max| max > widest) && is_gap(sub);
            let shown = max.map_or_else(|| format!("{{{min},}}"), |max| format!("{{{min},{max}}}"));
            if is_wide { Some(shown) } else { wide_gap(sub, widest) }
        }
        HirKind::Capture(capture) => wide_gap(&capture.sub, widest),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().find_map(|part| wide_gap(part, widest))
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => None,
    }
}

fn is_gap(hir: &Hir) -> bool {
    let holds = |class: &Class, byte: u8| match class {
        Class::Bytes(class) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&byte))
        }
        Class::Unicode(class) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&char::from(byte)))
        }
    };
    match hir.kind() {
        HirKind::Class(class) => holds(class, b' ') && holds(class, b'q'),
        HirKind::Capture(capture) => is_gap(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().any(is_gap),
        HirKind::Concat(_)
        | HirKind::Repetition(_)
        | HirKind::Empty
        | HirKind::Literal(_)
        | HirKind::Look(_) => false,
    }
}

/// A set of literals of which every match of the pattern contains at least one: the set whose shortest member is
/// longest.
fn required(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![literal.0.to_vec()]),
        HirKind::Class(class) => case_pair(class).map(|byte| vec![vec![byte]]),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => best(concat_candidates(parts)),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(required(part)?);
            }
            (all.len() <= MAX_LITERALS).then_some(all)
        }
        HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => None,
    }
}

/// The runs of single bytes in a concatenation, and what its other parts require.
fn concat_candidates(parts: &[Hir]) -> Vec<Vec<Vec<u8>>> {
    let mut candidates = Vec::new();
    let mut run = Vec::new();
    for part in parts {
        match part.kind() {
            HirKind::Literal(literal) => run.extend(literal.0.iter().map(u8::to_ascii_lowercase)),
            HirKind::Class(class) if case_pair(class).is_some() => run.extend(case_pair(class)),
            HirKind::Look(_) => {}
            HirKind::Empty
            | HirKind::Class(_)
            | HirKind::Capture(_)
            | HirKind::Repetition(_)
            | HirKind::Concat(_)
            | HirKind::Alternation(_) => {
                candidates.push(vec![std::mem::take(&mut run)]);
                candidates.extend(required(part));
            }
        }
    }
    candidates.push(vec![run]);
    candidates
}

fn best(candidates: Vec<Vec<Vec<u8>>>) -> Option<Vec<Vec<u8>>> {
    candidates
        .into_iter()
        .filter(|set| set.iter().all(|literal| !literal.is_empty()))
        .max_by_key(|set| (set.iter().map(Vec::len).min().unwrap_or(0), usize::MAX - set.len()))
}

/// The lower-case byte of a class that holds one letter in both cases.
fn case_pair(class: &Class) -> Option<u8> {
    let Class::Bytes(class) = class else { return None };
    match class.ranges() {
        [one] if one.start() == one.end() => Some(one.start().to_ascii_lowercase()),
        [upper, lower]
            if upper.start() == upper.end()
                && lower.start() == lower.end()
                && upper.start().to_ascii_lowercase() == lower.start() =>
        {
            Some(lower.start())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(source: &str) -> Vec<String> {
        let pattern = Pattern::new(source, Use::Text).unwrap();
        pattern.literals().iter().map(|literal| String::from_utf8_lossy(literal).into_owned()).collect()
    }

    #[test]
    fn the_required_literal_is_the_longest_that_every_match_contains() {
        assert_eq!(literals("status [0-9]{3} Overloaded"), [" overloaded"]);
        assert_eq!(literals("(?:usage|session) limit"), [" limit"]);
        assert_eq!(literals("(?:weekly|session)s?"), ["weekly", "session"]);
        assert_eq!(literals("\\bquota exceeded\\b"), ["quota exceeded"]);
    }

    #[test]
    fn faults_name_their_place() {
        for (source, usage, fault, offset) in [
            ("abc[", Use::Text, Fault::Syntax, 3),
            ("a*", Use::Text, Fault::MatchesEmpty, 0),
            ("[0-9]+ ab", Use::Text, Fault::NoLiteral, 0),
            ("limit.*reached", Use::Text, Fault::WideGap, 6),
            ("(limit) reached", Use::Text, Fault::Captures, 0),
            ("again in [0-9]+", Use::Hint, Fault::Captures, 0),
        ] {
            let error = Pattern::new(source, usage).unwrap_err();
            assert_eq!((error.fault, error.offset), (fault, offset), "{source}");
        }
        assert_eq!(Pattern::new(&"a".repeat(300), Use::Text).unwrap_err().fault, Fault::TooLong);
    }

    #[test]
    fn patterns_see_folded_text_in_any_case() {
        let pattern = Pattern::new("You\u{2019}ve HIT .{0,10}limit", Use::Text).unwrap();
        assert_eq!(pattern.find(b"so you've hit your limit", 24), Some((3, 24)));
        let hint = Pattern::new("again in (?<v>[0-9a-z ]{1,20})", Use::Hint).unwrap();
        assert_eq!(hint.capture(b"try again in 5 minutes.", 23), Some((13, 22)));
    }
}
