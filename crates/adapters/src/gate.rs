//! The gate before every adapter: what the recorder's `stop` ends, ends for good.

use crate::frame::{EndedBy, Exit, Frame, Source};
use crate::turn::Turn;
use crate::wire::Adapter;

/// Hands frames on until the recorder stopped the agent. What comes later is no evidence, nor is how it ended.
pub(crate) struct Gate {
    inner: Box<dyn Adapter + Send>,
    stopped: bool,
}

impl Gate {
    pub(crate) fn new(inner: Box<dyn Adapter + Send>) -> Self {
        Self { inner, stopped: false }
    }
}

impl Adapter for Gate {
    fn feed(&mut self, frame: &Frame) {
        if frame.source == Source::Host && frame.line.trim() == "stop" {
            self.stopped = true;
        }
        if !self.stopped {
            self.inner.feed(frame);
        }
    }

    fn finish(&mut self, exit: &Exit) -> Vec<Turn> {
        let exit = if self.stopped { Exit { ended_by: EndedBy::Recorder, ..*exit } } else { *exit };
        self.inner.finish(&exit)
    }
}
