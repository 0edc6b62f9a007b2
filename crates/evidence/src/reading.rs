//! Readings of a text: its lines one after the other, with wrapped lines put together again.
//!
//! A terminal wraps at words or inside them, so a line of 60 columns or more may run on into the next with a
//! blank between them (*spaced*) or with nothing (*joined*). Both readings count.

use crate::normal::{Line, Normal, Offsets};

/// How many bytes of the following lines a statement may run on into.
pub const RUN_ON_BYTES: usize = 512;

/// What stands between a wide line and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seam {
    /// A blank: the terminal wrapped between words.
    Spaced,
    /// Nothing: the terminal wrapped inside a word.
    Joined,
}

/// A text put together for matching, and where its lines begin in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The folded words.
    pub text: String,
    /// For each line its start, its own end, and how far it may run on.
    pub spans: Vec<Span>,
    offsets: Offsets,
}

/// A line's place in a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Where the line begins.
    pub start: usize,
    /// Where its own words end.
    pub own_end: usize,
    /// Where the lines that it may run on into end.
    pub end: usize,
}

impl Reading {
    /// Puts the lines together with the seam.
    #[must_use]
    pub fn of(normal: &Normal, seam: Seam) -> Self {
        let mut reading = Self::default();
        reading.text.reserve(normal.text.len());
        for (index, line) in normal.lines.iter().enumerate() {
            if index > 0 {
                reading.separate(normal.lines.get(index - 1), line, seam);
            }
            reading.append(normal, line);
        }
        reading.close_spans(normal);
        reading
    }

    /// The original offset of a place in the reading.
    #[must_use]
    pub fn original(&self, at: usize) -> usize {
        self.offsets.original(at)
    }

    fn separate(&mut self, above: Option<&Line>, line: &Line, seam: Seam) {
        let runs_on = above.is_some_and(|above| above.is_wide() && !above.is_blank()) && !line.is_blank();
        match (runs_on, seam) {
            (false, _) => self.text.push('\n'),
            (true, Seam::Spaced) => self.text.push(' '),
            (true, Seam::Joined) => {}
        }
    }

    fn append(&mut self, normal: &Normal, line: &Line) {
        let start = self.text.len();
        let words = normal.line_text(line);
        normal.offsets.copy(line.start, words.len(), &mut self.offsets, start);
        self.text.push_str(words);
        self.spans.push(Span { start, own_end: self.text.len(), end: self.text.len() });
    }

    /// Gives each line the lines that it may run on into, from the last line backwards.
    fn close_spans(&mut self, normal: &Normal) {
        let mut paragraph_end = self.text.len();
        for index in (0..self.spans.len()).rev() {
            let runs_on = normal.lines.get(index).is_some_and(|line| line.is_wide() && !line.is_blank())
                && normal.lines.get(index + 1).is_some_and(|line| !line.is_blank());
            let Some(span) = self.spans.get_mut(index) else { continue };
            if !runs_on {
                paragraph_end = span.own_end;
            }
            let limit = paragraph_end.min(span.own_end + RUN_ON_BYTES);
            span.end = self.text.floor_char_boundary(limit).max(span.own_end);
        }
    }
}

/// Whether any line of the text may run on, so that a joined reading says anything new.
#[must_use]
pub fn wraps(normal: &Normal) -> bool {
    normal.lines.windows(2).any(|pair| match pair {
        [above, below] => above.is_wide() && !above.is_blank() && !below.is_blank(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPED: &str =
        "the request was not accepted, and the service asks you to try a\n  gain in 5 minutes\nother";

    fn run_on(seam: Seam) -> Vec<String> {
        let reading = Reading::of(&Normal::of(WRAPPED), seam);
        reading.spans.iter().map(|span| reading.text[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn a_wide_line_runs_on_into_the_next_and_no_further() {
        assert!(run_on(Seam::Spaced)[0].ends_with("try a gain in 5 minutes"));
        assert!(run_on(Seam::Joined)[0].ends_with("try again in 5 minutes"));
        assert_eq!(run_on(Seam::Joined)[1..], ["gain in 5 minutes", "other"]);
    }

    #[test]
    fn places_lead_back_to_the_original() {
        let reading = Reading::of(&Normal::of(WRAPPED), Seam::Joined);
        let at = reading.text.find("gain in").unwrap();
        assert_eq!(&WRAPPED[reading.original(at)..][..7], "gain in");
    }
}
