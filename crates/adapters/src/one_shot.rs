//! Agents that are started for one prompt and end with it.

use faultbook_evidence::Channel;
use faultbook_taxonomy::{Phase, Sight, Terminal};

use crate::builder::TurnBuilder;
use crate::frame::{Exit, Frame, Source};
use crate::json::Object;
use crate::line::{Line, Lines};
use crate::sight::{Lost, is_stray_frame};
use crate::turn::{Context, Turn, TurnKind};
use crate::wire::Adapter;

/// What the stream proves about the prompt having been started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The agent began to work on the prompt.
    Begun,
    /// The agent says when it begins, and it did not.
    NotBegun(Phase),
    /// Nobody can say.
    Unknown,
}

/// The part of a one-prompt adapter that knows the format.
pub(crate) trait Parser {
    /// Whether the format shows every word and every tool call.
    const SIGHT: Sight;

    /// A line of standard output.
    fn output(&mut self, line: &str, turn: &mut TurnBuilder);

    /// A line of standard error.
    fn diagnostics(&mut self, line: &str, turn: &mut TurnBuilder) {
        turn.stderr(line);
    }

    /// The streams are at their end.
    fn end(&mut self, _turn: &mut TurnBuilder) {}

    /// Whether the prompt was begun.
    fn start(&self) -> Start;

    /// What exit code 0 claims where no event ended the turn.
    fn success(&self) -> Option<Terminal>;

    /// Whether the agent's end answers the prompt: it was given one, and took it.
    fn exit_answers(&self) -> bool {
        true
    }
}

/// An adapter for one prompt.
pub(crate) struct OneShot<P> {
    parser: P,
    context: Context,
    turn: TurnBuilder,
    frames: u64,
}

impl<P: Parser> OneShot<P> {
    pub(crate) fn new(parser: P, context: Context) -> Self {
        let turn = TurnBuilder::new(context.clone(), P::SIGHT);
        Self { parser, context, turn, frames: 0 }
    }
}

impl<P: Parser> Adapter for OneShot<P> {
    fn feed(&mut self, frame: &Frame) {
        self.frames += 1;
        self.turn.tick(frame.t_ms, self.frames);
        match frame.source {
            Source::Stdout | Source::FromAgent => self.parser.output(&frame.line, &mut self.turn),
            Source::Stderr => {
                if P::SIGHT == Sight::Full && is_stray_frame(&frame.line) {
                    self.turn.lost_sight(Lost::OtherStream);
                }
                self.parser.diagnostics(&frame.line, &mut self.turn);
            }
            Source::Host if frame.line.trim() == "cancel" => self.turn.host_cancel(),
            Source::Host => self.turn.lost_sight(Lost::UnknownHost),
            // One prompt is handed over at the start; later lines are the host's side of nothing that is known.
            Source::ToAgent => self.turn.lost_sight(Lost::OtherStream),
        }
    }

    fn finish(&mut self, exit: &Exit) -> Vec<Turn> {
        let fresh = TurnBuilder::new(self.context.clone(), P::SIGHT);
        let mut turn = std::mem::replace(&mut self.turn, fresh);
        self.parser.end(&mut turn);
        let start = self.parser.start();
        let was_cancelled = turn.is_cancelled();
        let kind = match start {
            Start::NotBegun(phase) if died_at_launch(&turn, exit) => {
                turn.diagnostics_are_own();
                turn.phase = Some(phase);
                TurnKind::PreStart
            }
            Start::Begun => {
                turn.phase = turn.phase.or(Some(Phase::PromptSend));
                TurnKind::Prompt(1)
            }
            Start::NotBegun(_) | Start::Unknown => {
                if P::SIGHT == Sight::Full {
                    turn.lost_sight(Lost::NoPrompt);
                }
                TurnKind::Prompt(1)
            }
        };
        if exit.is_evidence() {
            if self.parser.exit_answers() && exit.signal.is_none() && !was_cancelled {
                turn.acknowledged();
            }
            let terminal = match (exit.code, exit.signal) {
                (Some(0), None) => self.parser.success(),
                _ => Some(Terminal::Failed),
            };
            turn.exit(exit, terminal);
        }
        vec![Turn { kind, envelope: turn.finish() }]
    }
}

/// Whether the agent shows that it ended before any prompt: no frame at all, words on standard error, and an exit code
/// of its own. A signal, or a code that stands for one (128 and more in shells), may have come at any time.
fn died_at_launch(turn: &TurnBuilder, exit: &Exit) -> bool {
    turn.sees_all() && turn.has_diagnostics() && failed_by_itself(exit)
}

/// Whether the agent ended with an exit code of its own that is none of success.
pub(crate) fn failed_by_itself(exit: &Exit) -> bool {
    exit.is_evidence() && exit.signal.is_none() && exit.code.is_some_and(|code| (1..128).contains(&code))
}

/// Reads a line of a stream of JSON events: `Some` is an event; other words share the pipe with the model's answer.
pub(crate) fn event_of(lines: &mut Lines, line: &str, turn: &mut TurnBuilder) -> Option<Object> {
    match lines.read(line) {
        Line::Object(event) => return Some(event),
        Line::Text => {
            turn.lost_sight(Lost::Unreadable);
            turn.line(Channel::Shared, line);
        }
        Line::Unreadable => turn.lost_sight(Lost::Unreadable),
        Line::Blank => {}
    }
    None
}
