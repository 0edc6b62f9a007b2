//! A cursor over a short lower-case text; each step either consumes or leaves everything as it was.

/// The unread rest of a text. Copying it marks a place to come back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    pub(super) const fn rest(&self) -> &'a str {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Skips white space, of which JavaScript's date formats hold several kinds; true if there was any.
    pub(super) fn space(&mut self) -> bool {
        !self.take_while(char::is_whitespace).is_empty()
    }

    pub(super) fn eat(&mut self, literal: &str) -> bool {
        match self.rest.strip_prefix(literal) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Eats the first of `literals` that stands here.
    pub(super) fn eat_any(&mut self, literals: &[&str]) -> bool {
        literals.iter().any(|literal| self.eat(literal))
    }

    /// Eats `literal` where no letter or digit follows it.
    pub(super) fn eat_whole(&mut self, literal: &str) -> bool {
        let mut ahead = *self;
        let found = ahead.eat(literal) && !ahead.peek().is_some_and(char::is_alphanumeric);
        if found {
            *self = ahead;
        }
        found
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// The whole run of digits that stands here, if it is not empty and at most `most` long.
    pub(super) fn digits(&mut self, most: usize) -> Option<&'a str> {
        let mut ahead = *self;
        let digits = ahead.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() || digits.len() > most {
            return None;
        }
        *self = ahead;
        Some(digits)
    }

    /// [`Self::digits`] as a number.
    pub(super) fn number<N: std::str::FromStr>(&mut self, most: usize) -> Option<N> {
        self.digits(most)?.parse().ok()
    }

    /// The whole run of Latin letters that stands here; other scripts write units without spaces.
    pub(super) fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_alphabetic() && c < '\u{250}')
    }

    /// Whether one of `marks` and then a digit come next: the number before them goes on in another form.
    pub(super) fn runs_on(&self, marks: &[char]) -> bool {
        let mut chars = self.rest.chars();
        chars.next().is_some_and(|c| marks.contains(&c)) && chars.next().is_some_and(|c| c.is_ascii_digit())
    }
}

/// The text without quotes, brackets and the small words that lead to a time ("at", "in").
pub(super) fn without_lead(text: &str) -> &str {
    const WORDS: [&str; 8] = ["at", "in", "on", "after", "for", "until", "by", "is"];
    let mut scan = Scan::new(text);
    loop {
        scan.take_while(|c| c.is_whitespace() || "\"'`([{:=,\\|".contains(c));
        let mut ahead = scan;
        let word = ahead.word();
        if !(WORDS.contains(&word) && ahead.space()) {
            return scan.rest();
        }
        scan = ahead;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lead_is_trimmed_but_never_a_sign_or_a_word_of_its_own() {
        for (text, kept) in [
            ("  at 3pm", "3pm"),
            ("\"in 5 s\"", "5 s\""),
            ("reset at 3pm", "reset at 3pm"),
            ("(on oct 8)", "oct 8)"),
            ("-5", "-5"),
            ("in", "in"),
            ("inside", "inside"),
            ("", ""),
        ] {
            assert_eq!(without_lead(text), kept, "{text}");
        }
    }
}
