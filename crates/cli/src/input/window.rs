//! A bounded buffer: the head and the tail of what is put into it.

/// The most bytes that are kept of the head, and again of the tail.
pub(crate) const HALF_BYTES: usize = 2 * 1024 * 1024;

/// Bytes with a bound: beyond it the middle is forgotten. Its memory is reused from piece to piece.
#[derive(Debug, Default)]
pub(crate) struct Window {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Window {
    /// Puts bytes at the end.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = HALF_BYTES.saturating_sub(self.head.len());
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        if rest.len() >= HALF_BYTES {
            self.tail.clear();
            self.tail.extend_from_slice(rest.split_at(rest.len() - HALF_BYTES).1);
            return;
        }
        self.tail.extend_from_slice(rest);
        // Only now and then, so that each byte moves at most once.
        if self.tail.len() > 2 * HALF_BYTES {
            self.tail.drain(..self.tail.len() - HALF_BYTES);
        }
    }

    /// So many bytes were there and are not known any more.
    pub(crate) const fn forget(&mut self, bytes: u64) {
        self.total += bytes;
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.head.clear();
        self.tail.clear();
        self.total = 0;
    }

    /// Drops a line break at the end.
    pub(crate) fn trim_line_break(&mut self) {
        for end in [b'\n', b'\r'] {
            let last = if self.tail.is_empty() { &mut self.head } else { &mut self.tail };
            if last.last() == Some(&end) {
                last.pop();
                self.total -= 1;
            }
        }
    }

    /// How many bytes were put in.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// Whether anything but blanks was put in.
    pub(crate) fn is_blank(&self) -> bool {
        self.head.trim_ascii().is_empty() && self.tail.trim_ascii().is_empty()
    }

    /// Both ends, one after the other. They join seamlessly where nothing was forgotten.
    pub(crate) fn ends(&self) -> [&[u8]; 2] {
        let surplus = self.tail.len().saturating_sub(HALF_BYTES);
        let is_whole = self.head.len() as u64 + self.tail.len() as u64 == self.total;
        [&self.head, self.tail.get(if is_whole { 0 } else { surplus }..).unwrap_or_default()]
    }

    /// How many bytes were forgotten.
    pub(crate) fn forgotten(&self) -> u64 {
        self.total - self.ends().iter().map(|end| end.len() as u64).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_content_is_whole_and_long_content_keeps_both_ends() {
        for count in [0, 1, 3, 5, 9] {
            let mut window = Window::default();
            for number in 0..count {
                window.push(&vec![b'a' + number; HALF_BYTES / 2 + 7]);
            }
            let total = usize::from(count) * (HALF_BYTES / 2 + 7);
            assert_eq!(window.total(), total as u64);
            let kept: usize = window.ends().iter().map(|end| end.len()).sum();
            assert_eq!(kept as u64 + window.forgotten(), total as u64);
            assert!(kept <= 3 * HALF_BYTES && kept >= total.min(2 * HALF_BYTES));
            if count > 0 {
                assert_eq!(window.ends()[0].first(), Some(&b'a'));
                assert_eq!(window.ends().concat().last(), Some(&(b'a' + count - 1)));
            }
        }
        let mut window = Window::default();
        window.push(&vec![b'x'; 20 * HALF_BYTES]);
        window.push(b"\r\n");
        window.trim_line_break();
        assert_eq!(window.total(), 20 * HALF_BYTES as u64);
        assert!(window.ends().concat().iter().all(|byte| *byte == b'x'));
        window.clear();
        assert!(window.is_blank() && window.total() == 0);
    }
}
