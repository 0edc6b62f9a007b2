//! Cutting input into pieces: lines, blocks between blank lines, or whole files. Memory stays bounded.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use memchr::{memchr, memmem};

use super::options::{By, Kind};
use super::source::Source;
use super::window::Window;

/// How much is read at once.
const READ_BYTES: usize = 128 * 1024;

/// Why a piece is no text at all.
#[derive(Debug)]
pub(crate) enum PieceError {
    /// The file cannot be opened or read on.
    Unreadable(io::Error),
}

/// One piece of the input.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The name of its source.
    pub(crate) source: Arc<str>,
    /// Its first line, from 1.
    pub(crate) line: u64,
    /// Its bytes in the batch, or why there are none.
    pub(crate) content: Result<Range<usize>, PieceError>,
    /// How many bytes of its middle were forgotten.
    pub(crate) forgotten: u64,
}

/// Pieces that travel together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The bytes of the pieces.
    bytes: Vec<u8>,
    /// The pieces, in order.
    pub(crate) pieces: Vec<Piece>,
    /// How many bytes of input it stands for.
    pub(crate) read: u64,
}

impl Batch {
    /// The bytes of a piece.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    fn push(&mut self, source: &Arc<str>, line: u64, window: &Window) {
        let start = self.bytes.len();
        for end in window.ends() {
            self.bytes.extend_from_slice(end);
        }
        let content = Ok(start..self.bytes.len());
        self.pieces.push(Piece { source: Arc::clone(source), line, content, forgotten: window.forgotten() });
    }
}

/// Reads the sources one after the other and hands over batches. A batch goes out as soon as waiting for more input
/// would hold its answers back.
pub(crate) fn cut(sources: &[Source], kind: Kind, by: By, send: &mut dyn FnMut(Batch) -> ControlFlow<()>) {
    for source in sources {
        let mut cutter = Cutter {
            name: source.name(),
            kind,
            by,
            piece: Window::default(),
            first: 1,
            batch: Batch::default(),
        };
        let outcome = match source.open() {
            Ok(reader) => cutter.read(reader, send),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return,
            Err(error) => cutter.fail(error),
        }
        if send(std::mem::take(&mut cutter.batch)).is_break() {
            return;
        }
    }
}

struct Cutter {
    name: Arc<str>,
    kind: Kind,
    by: By,
    /// The lines of the piece so far, unless pieces are lines.
    piece: Window,
    /// The first line of the piece.
    first: u64,
    batch: Batch,
}

impl Cutter {
    fn read(
        &mut self,
        reader: Box<dyn Read + Send>,
        send: &mut dyn FnMut(Batch) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let mut reader = BufReader::with_capacity(READ_BYTES, reader);
        let mut line = Window::default();
        let mut number = 0;
        while read_line(&mut reader, &mut line)? {
            number += 1;
            self.batch.read += line.total();
            self.line(number, &mut line);
            let is_waiting = reader.buffer().is_empty() || self.batch.bytes.len() >= READ_BYTES;
            if is_waiting && !self.batch.pieces.is_empty() && send(std::mem::take(&mut self.batch)).is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.end_piece();
        Ok(ControlFlow::Continue(()))
    }

    /// Puts one line where it belongs.
    fn line(&mut self, number: u64, line: &mut Window) {
        let is_evidence = self.kind == Kind::Auto && self.by != By::Line && may_be_evidence(line);
        if self.by == By::Line || is_evidence {
            self.end_piece();
            line.trim_line_break();
            if !line.is_blank() {
                self.batch.push(&self.name, number, line);
            }
        } else if self.by == By::Block && line.is_blank() {
            self.end_piece();
        } else {
            if self.piece.total() == 0 {
                self.first = number;
            }
            line.ends().into_iter().for_each(|end| self.piece.push(end));
            self.piece.forget(line.forgotten());
        }
    }

    fn end_piece(&mut self) {
        if !self.piece.is_blank() {
            self.batch.push(&self.name, self.first, &self.piece);
        }
        self.piece.clear();
    }

    fn fail(&mut self, error: io::Error) {
        self.end_piece();
        let content = Err(PieceError::Unreadable(error));
        self.batch.pieces.push(Piece { source: Arc::clone(&self.name), line: 0, content, forgotten: 0 });
    }
}

/// Reads one line with its line break. False at the end of the input.
fn read_line(reader: &mut impl BufRead, line: &mut Window) -> io::Result<bool> {
    line.clear();
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(line.total() > 0);
        }
        let end = memchr(b'\n', available).map(|at| at + 1);
        let used = end.unwrap_or(available.len());
        line.push(available.get(..used).unwrap_or_default());
        reader.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Whether a line could be an evidence envelope. The reader looks closer. An object that goes on in the next line is
/// none: it is read with the lines that belong to it.
fn may_be_evidence(line: &Window) -> bool {
    let [head, tail] = line.ends();
    let end = if tail.is_empty() { head } else { tail };
    head.trim_ascii_start().starts_with(b"{")
        && end.trim_ascii_end().ends_with(b"}")
        && memmem::find(head, b"\"faultbook.").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIDENCE: &str = r#"{"schema":"faultbook.evidence/1","signals":[]}"#;

    fn pieces(text: &str, kind: Kind, by: By) -> Vec<(u64, String)> {
        let mut cutter = Cutter {
            name: "x".into(),
            kind,
            by,
            piece: Window::default(),
            first: 1,
            batch: Batch::default(),
        };
        let reader: Box<dyn Read + Send> = Box::new(io::Cursor::new(text.to_owned().into_bytes()));
        let mut batches = Vec::new();
        let mut send = |batch: Batch| {
            batches.push(batch);
            ControlFlow::Continue(())
        };
        assert!(cutter.read(reader, &mut send).unwrap().is_continue());
        assert!(send(std::mem::take(&mut cutter.batch)).is_continue());
        let text = |batch: &Batch, piece: &Piece| {
            String::from_utf8(batch.bytes(piece.content.as_ref().unwrap()).to_vec()).unwrap()
        };
        batches
            .iter()
            .flat_map(|batch| batch.pieces.iter().map(|piece| (piece.line, text(batch, piece))))
            .collect()
    }

    #[test]
    fn input_is_cut_by_line_block_or_file() {
        let text = "one\r\ntwo\n\n  \nthree\nfour";
        let expect = |pairs: &[(u64, &str)]| -> Vec<(u64, String)> {
            pairs.iter().map(|(line, text)| (*line, (*text).to_owned())).collect()
        };
        let by_line = expect(&[(1, "one"), (2, "two"), (5, "three"), (6, "four")]);
        assert_eq!(pieces(text, Kind::Text, By::Line), by_line);
        assert_eq!(pieces(text, Kind::Text, By::Block), expect(&[(1, "one\r\ntwo\n"), (5, "three\nfour")]));
        assert_eq!(pieces(text, Kind::Text, By::File), expect(&[(1, text)]));
        assert_eq!(pieces("", Kind::Auto, By::File), Vec::new());
        assert_eq!(pieces("\n \n", Kind::Auto, By::File), Vec::new());
    }

    #[test]
    fn a_line_of_evidence_stands_alone_between_text() {
        let text = format!("a\nb\n{EVIDENCE}\nc\n");
        let found = pieces(&text, Kind::Auto, By::File);
        let lines: Vec<u64> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!((lines, found[1].1.as_str()), (vec![1, 3, 4], EVIDENCE));
        assert_eq!(pieces(&text, Kind::Text, By::File).len(), 1, "text stays text when told so");
    }
}
