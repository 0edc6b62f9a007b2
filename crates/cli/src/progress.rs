//! Progress on standard error, for long input and people only.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Input shorter than this is done before anyone could read a bar.
const LONG_BYTES: u64 = 16 * 1024 * 1024;

/// A bar over the bytes of the input, or a spinner where their number is unknown.
pub(crate) struct Progress {
    bar: ProgressBar,
    seen: u64,
    total: Option<u64>,
}

impl Progress {
    /// `total` is the input's size in bytes, where it is known. Without a terminal nothing is ever shown; nor where
    /// the results themselves go to the terminal.
    pub(crate) fn over(total: Option<u64>) -> Self {
        let is_wanted = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let bar = if is_wanted && total.is_none_or(|total| total >= LONG_BYTES) {
            ProgressBar::new(total.unwrap_or(0))
        } else {
            ProgressBar::hidden()
        };
        let template = match total {
            Some(_) => "{bar:32} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} {msg}",
            None => "{spinner} {bytes} {binary_bytes_per_sec} {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, seen: 0, total }
    }

    /// So many more bytes were read, and so many answers given in all.
    pub(crate) fn advance(&mut self, bytes: u64, answers: u64) {
        self.seen += bytes;
        if self.total.is_some() || self.seen >= LONG_BYTES {
            self.bar.enable_steady_tick(Duration::from_millis(200));
            self.bar.set_position(self.seen);
            self.bar.set_message(format!("{answers} answers"));
        }
    }

    /// Takes the bar away, so that a message does not run into it.
    pub(crate) fn suspend(&self, message: impl FnOnce()) {
        self.bar.suspend(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
