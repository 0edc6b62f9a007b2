//! The normal form that text atoms see, with offsets back into the original.
//!
//! Control sequences and box-drawing frames are removed, line ends unified, Unicode compatibility forms and
//! typographic quotes folded, ASCII case folded, and runs of blanks inside a line become one. The work is linear
//! in the input; the output is at most 18 times as long (the widest compatibility form).

use unicode_normalization::char::decompose_compatible;
use unicode_width::UnicodeWidthChar;

/// A line of at least this many columns may run on into the next: terminals wrap.
pub const WIDE_COLUMNS: usize = 60;

/// Where each byte of a derived text came from, as pieces that run in step with the original.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offsets {
    points: Vec<(usize, usize)>,
}

impl Offsets {
    pub(crate) fn add(&mut self, derived: usize, original: usize) {
        match self.points.last() {
            Some(&(last, from))
                if derived >= last && original >= from && derived - last == original - from => {}
            _ => self.points.push((derived, original)),
        }
    }

    /// Adds the pieces of `start..start + length` to the offsets of a text that repeats them at `at`.
    pub(crate) fn copy(&self, start: usize, length: usize, into: &mut Self, at: usize) {
        into.add(at, self.original(start));
        let first = self.points.partition_point(|&(point, _)| point <= start);
        let inside = self.points.iter().skip(first).take_while(|&&(point, _)| point < start + length);
        for &(point, original) in inside {
            into.add(at + (point - start), original);
        }
    }

    /// The original offset of a derived one.
    #[must_use]
    pub fn original(&self, derived: usize) -> usize {
        let after = self.points.partition_point(|&(start, _)| start <= derived);
        match after.checked_sub(1).and_then(|index| self.points.get(index)) {
            Some(&(start, from)) => from + (derived - start),
            None => derived,
        }
    }
}

/// One line of the normal form, without its outer blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Where the line's words begin in the normal text.
    pub start: usize,
    /// Where they end.
    pub end: usize,
    /// Blank columns before the first word.
    pub indent: usize,
    /// Columns of the line as it was shown, frame included.
    pub columns: usize,
    /// Where the line begins in the original.
    pub original_start: usize,
    /// Where it ends in the original, without its line end.
    pub original_end: usize,
}

impl Line {
    /// Whether nothing stands in it.
    #[must_use]
    pub const fn is_blank(&self) -> bool {
        self.start == self.end
    }

    /// Whether the line may run on into the next.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        self.columns >= WIDE_COLUMNS
    }
}

/// A text in normal form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Normal {
    /// The folded lines, each followed by a line feed.
    pub text: String,
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The way back to the original.
    pub offsets: Offsets,
}

impl Normal {
    /// The normal form of a text.
    #[must_use]
    pub fn of(original: &str) -> Self {
        let mut writer = Writer::default();
        writer.normal.text.reserve(original.len() + 1);
        let mut scan = Scan { original, at: 0 };
        while let Some((at, piece)) = scan.next_piece() {
            match piece {
                Piece::Char(c) => writer.char(at, c),
                Piece::LineEnd(length) => writer.line_end(at, at + length),
                Piece::Removed => {}
            }
        }
        if writer.line_start < original.len() || writer.normal.lines.is_empty() {
            writer.line_end(original.len(), original.len());
        }
        writer.normal
    }

    /// The words of a line.
    #[must_use]
    pub fn line_text(&self, line: &Line) -> &str {
        self.text.get(line.start..line.end).unwrap_or_default()
    }
}

/// The normal form of a phrase that a rule names: one line, blanks collapsed.
#[must_use]
pub fn fold(phrase: &str) -> String {
    let normal = Normal::of(phrase);
    let words = normal.lines.iter().filter(|line| !line.is_blank()).map(|line| normal.line_text(line));
    words.collect::<Vec<&str>>().join(" ")
}

enum Piece {
    Char(char),
    LineEnd(usize),
    Removed,
}

/// Cuts the original into characters, line ends and what is removed.
struct Scan<'t> {
    original: &'t str,
    at: usize,
}

impl Scan<'_> {
    fn next_piece(&mut self) -> Option<(usize, Piece)> {
        let at = self.at;
        let rest = self.original.get(at..)?;
        let c = rest.chars().next()?;
        let (length, piece) = match c {
            '\r' if rest.as_bytes().get(1) == Some(&b'\n') => (2, Piece::LineEnd(2)),
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => (c.len_utf8(), Piece::LineEnd(c.len_utf8())),
            '\u{1b}' => (escape_length(rest), Piece::Removed),
            '\u{9b}' => (c.len_utf8() + csi_length(rest.get(2..).unwrap_or_default()), Piece::Removed),
            '\t' => (1, Piece::Char(' ')),
            _ if is_removed(c) => (c.len_utf8(), Piece::Removed),
            _ => (c.len_utf8(), Piece::Char(c)),
        };
        self.at = at + length;
        Some((at, piece))
    }
}

/// Control characters, invisible marks, and the frames that terminals draw.
fn is_removed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e007f}')
        || matches!(c, '\u{2500}'..='\u{259f}')
}

/// The length of an escape sequence that begins the text: CSI, OSC and other strings, or two characters.
fn escape_length(rest: &str) -> usize {
    match rest.as_bytes().get(1) {
        Some(b'[') => 2 + csi_length(rest.get(2..).unwrap_or_default()),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => 2 + string_length(rest.get(2..).unwrap_or_default()),
        Some(0x20..=0x2f) => 3.min(rest.len()),
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

fn csi_length(parameters: &str) -> usize {
    let body = parameters.bytes().take_while(|byte| (0x20..=0x3f).contains(byte)).count();
    let has_end = parameters.as_bytes().get(body).is_some_and(|byte| (0x40..=0x7e).contains(byte));
    body + usize::from(has_end)
}

/// The length of a string sequence up to its end mark; an unfinished one ends at the line.
fn string_length(body: &str) -> usize {
    for (at, byte) in body.bytes().enumerate() {
        match byte {
            0x07 => return at + 1,
            0x1b if body.as_bytes().get(at + 1) == Some(&b'\\') => return at + 2,
            b'\n' | b'\r' | 0x1b => return at,
            _ => {}
        }
    }
    body.len()
}

/// The ASCII mark that stands for a typographic one; any other character is itself.
const fn plain_mark(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '´' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '⁄' => '/',
        _ => c,
    }
}

#[derive(Default)]
struct Writer {
    normal: Normal,
    line_start: usize,
    text_start: usize,
    indent: usize,
    columns: usize,
    blank_pending: bool,
}

impl Writer {
    fn char(&mut self, at: usize, c: char) {
        let width = if c.is_ascii() { 1 } else { c.width().unwrap_or(0) };
        self.columns += width;
        if c.is_whitespace() {
            if self.normal.text.len() == self.text_start {
                self.indent += width;
            } else {
                self.blank_pending = true;
            }
            return;
        }
        if self.blank_pending {
            self.blank_pending = false;
            self.put(at.saturating_sub(1), ' ');
        }
        if c.is_ascii() {
            self.put(at, c.to_ascii_lowercase());
        } else {
            self.fold(at, c);
        }
    }

    fn fold(&mut self, at: usize, c: char) {
        let mark = plain_mark(c);
        if mark.is_ascii() {
            return self.put(at, mark);
        }
        let mut parts = [' '; 20];
        let mut count = 0;
        decompose_compatible(c, |part| {
            if let Some(place) = parts.get_mut(count) {
                *place = part;
                count += 1;
            }
        });
        for part in parts.iter().take(count).filter(|part| !part.is_whitespace() && !is_removed(**part)) {
            self.put(at, plain_mark(part.to_ascii_lowercase()));
        }
    }

    fn put(&mut self, at: usize, c: char) {
        self.normal.offsets.add(self.normal.text.len(), at);
        self.normal.text.push(c);
    }

    fn line_end(&mut self, at: usize, next: usize) {
        let end = self.normal.text.len();
        self.normal.lines.push(Line {
            start: self.text_start,
            end,
            indent: self.indent,
            columns: self.columns,
            original_start: self.line_start,
            original_end: at,
        });
        self.normal.offsets.add(end, at);
        self.normal.text.push('\n');
        self.line_start = next;
        self.text_start = self.normal.text.len();
        self.indent = 0;
        self.columns = 0;
        self.blank_pending = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let normal = Normal::of(text);
        normal.lines.iter().map(|line| normal.line_text(line).to_owned()).collect()
    }

    #[test]
    fn folds_what_carries_no_meaning() {
        for (original, expected) in [
            ("You\u{2019}ve HIT", vec!["you've hit"]),
            ("\u{1b}[31mError\u{1b}[0m: x", vec!["error: x"]),
            ("\u{1b}]0;title\u{7}text", vec!["text"]),
            ("a\r\nb\rc\n", vec!["a", "b", "c"]),
            ("│ usage   limit │", vec!["usage limit"]),
            ("\u{ff21}\u{ff22} \u{fb01}x …", vec!["ab fix ..."]),
            ("\u{212a}ey \u{17f}ession", vec!["key session"]),
            ("ze\u{200b}ro", vec!["zero"]),
            ("", vec![""]),
            ("a\n\nb", vec!["a", "", "b"]),
        ] {
            assert_eq!(lines(original), expected, "{original:?}");
        }
    }

    #[test]
    fn remembers_indent_columns_and_origin() {
        let original = "  \u{1b}[1m⎿  API ERROR\u{1b}[0m";
        let normal = Normal::of(original);
        let line = normal.lines[0];
        assert_eq!((line.indent, line.columns), (2, 14));
        let at = normal.text.find("api").unwrap();
        assert!(original[normal.offsets.original(at)..].starts_with("API ERROR"));
    }

    proptest! {
        #[test]
        fn offsets_stay_inside_the_original_and_folding_is_stable(text in "(?s).{0,200}") {
            let normal = Normal::of(&text);
            for at in 0..normal.text.len() {
                prop_assert!(normal.offsets.original(at) <= text.len());
            }
            prop_assert_eq!(fold(&fold(&text)), fold(&text));
        }
    }
}
