//! What a host would have concluded while a run went on: after which frame the answer changed.

use faultbook::adapters::{EndedBy, Frame, Recording, Source};
use faultbook::{Classification, Code, Confidence, Faultbook, State};
use faultbook_taxonomy::Reason;
use serde::Serialize;

/// The most bytes that are fed to adapters for one recording: the frames before each point are read anew for it.
const MAX_FED_BYTES: usize = 24 * 1024 * 1024;
/// The most points of a recording that are looked at in the first pass.
const MAX_POINTS: usize = 1500;
/// The most changes that are told.
const MAX_CHANGES: usize = 100;
/// What a frame costs beside its bytes.
const FRAME_BYTES: usize = 64;

/// A frame after which a host would have concluded something else than before it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Change {
    /// The frame's number, from 1.
    pub(super) frame: usize,
    /// Its time in milliseconds since the start.
    pub(super) t_ms: u64,
    /// Its stream.
    pub(super) stream: Source,
    /// What was concluded from here on.
    #[serde(flatten)]
    pub(super) conclusion: Conclusion,
}

/// The part of an answer that a host acts on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Conclusion {
    state: State,
    reason: Option<Reason>,
    code: Option<Code>,
    confidence: Option<Confidence>,
    rule: Option<String>,
}

impl Conclusion {
    /// The conclusion of an answer.
    pub(super) fn of(answer: &Classification) -> Self {
        Self {
            state: answer.state,
            reason: answer.reason,
            code: answer.code,
            confidence: answer.confidence,
            rule: answer.rule.as_ref().map(|rule| rule.id.clone()),
        }
    }

    /// The conclusion in one line.
    pub(super) fn words(&self) -> String {
        match (self.code, self.reason) {
            (Some(code), _) => {
                let confidence = self.confidence.map_or("no", Confidence::as_str);
                let rule = self.rule.as_deref().unwrap_or("no rule");
                format!("{code}, {confidence} confidence, by {rule}")
            }
            (None, Some(reason)) if reason != Reason::None => format!("{} ({reason})", self.state),
            (None, _) => self.state.to_string(),
        }
    }
}

/// After which frames the conclusion changed. A long recording is looked at in strides first, so that a conclusion
/// that comes and goes within one stride may be left out; each change that is told is exact.
pub(super) fn changes(book: &Faultbook, recording: &Recording) -> Vec<Change> {
    let stride = stride(&recording.frames);
    let run = Run { book, head: head(recording), frames: &recording.frames };
    let mut changes: Vec<Change> = Vec::new();
    let (mut before, mut known) = (0, None);
    let last = recording.frames.len();
    for point in (1..=last).filter(|number| number % stride == 0 || *number == last) {
        let there = run.conclusion(point);
        while known != there && changes.len() < MAX_CHANGES {
            let (frame, conclusion) = run.first_other(before, point, known.as_ref());
            changes.extend(run.change(frame, conclusion.clone()));
            (before, known) = (frame, conclusion);
        }
        before = point;
    }
    changes
}

/// How many frames lie between two points, so that all that is fed stays within the bounds.
fn stride(frames: &[Frame]) -> usize {
    let mut until = 0_usize;
    let mut all = 0_usize;
    for frame in frames {
        until = until.saturating_add(frame.line.len()).saturating_add(FRAME_BYTES);
        all = all.saturating_add(until);
    }
    all.div_ceil(MAX_FED_BYTES).max(frames.len().div_ceil(MAX_POINTS)).max(1)
}

/// The recording without its frames and its end: nobody knew it yet.
fn head(recording: &Recording) -> Recording {
    Recording {
        id: recording.id.clone(),
        agent: recording.agent.clone(),
        format: recording.format.clone(),
        started_at: recording.started_at,
        time_zone: recording.time_zone.clone(),
        ended_by: EndedBy::Recorder,
        ..Recording::default()
    }
}

struct Run<'r> {
    book: &'r Faultbook,
    head: Recording,
    frames: &'r [Frame],
}

impl Run<'_> {
    /// The conclusion after so many frames; none where there is nothing to conclude from yet.
    fn conclusion(&self, count: usize) -> Option<Conclusion> {
        let frames = self.frames.get(..count).unwrap_or(self.frames).to_vec();
        let turn = Recording { frames, ..self.head.clone() }.answering_turn()?;
        Some(Conclusion::of(&self.book.classify(&turn.envelope)))
    }

    /// A frame between two points with another conclusion than the one before it, by halving.
    fn first_other(
        &self,
        mut before: usize,
        mut point: usize,
        known: Option<&Conclusion>,
    ) -> (usize, Option<Conclusion>) {
        let mut other = self.conclusion(point);
        while point.saturating_sub(before) > 1 {
            let middle = usize::midpoint(before, point);
            let there = self.conclusion(middle);
            if there.as_ref() == known {
                before = middle;
            } else {
                (point, other) = (middle, there);
            }
        }
        (point, other)
    }

    fn change(&self, number: usize, conclusion: Option<Conclusion>) -> Option<Change> {
        let frame = self.frames.get(number.checked_sub(1)?)?;
        Some(Change { frame: number, t_ms: frame.t_ms, stream: frame.source, conclusion: conclusion? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_recordings_are_looked_at_in_strides() {
        let frame = |bytes: usize| Frame::new(0, Source::Stdout, "x".repeat(bytes));
        assert_eq!(stride(&[]), 1);
        assert_eq!(stride(&vec![frame(100); 400]), 1);
        assert!(stride(&vec![frame(100); 20_000]) > 100);
        assert!(stride(&vec![frame(1_000_000); 10]) <= 3);
    }

    #[test]
    fn a_short_recording_is_told_frame_by_frame() {
        let book = Faultbook::core().unwrap();
        let lines = [
            r#"{"type":"thread.started","thread_id":"t"}"#,
            r#"{"type":"turn.started"}"#,
            r#"{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 503 Service Unavailable"}}"#,
        ];
        let frames = lines.iter().zip(0..).map(|(line, at)| Frame::new(at, Source::Stdout, *line)).collect();
        let recording = Recording {
            id: "r".to_owned(),
            agent: Some("codex".to_owned()),
            format: "exec-json".to_owned(),
            frames,
            ..Recording::default()
        };
        let told = changes(&book, &recording);
        let last = told.last().unwrap();
        assert_eq!((last.frame, last.t_ms, last.conclusion.code), (3, 2, Some(Code::ProviderUnavailable)));
        assert!(told.windows(2).all(|pair| pair[0].conclusion != pair[1].conclusion), "{told:?}");
    }
}
