//! Recordings: what one run of an agent let a host see (`faultbook.recording/1`).

mod read;
mod write;

pub use read::RecordingError;
pub use write::Recorder;

use jiff::Timestamp;

use crate::frame::{EndedBy, Exit, Frame};
use crate::turn::{Context, Turn, TurnKind};
use crate::wire::Wire;

/// The schema name that every recording carries.
pub const RECORDING_SCHEMA: &str = "faultbook.recording/1";
/// The largest recording that is read, in bytes.
pub const MAX_RECORDING_BYTES: usize = 64 * 1024 * 1024;
/// The most frames of a recording; later ones are left out with a note.
pub const MAX_FRAMES: usize = 200_000;

/// One run of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// Its name.
    pub id: String,
    /// The agent that was run.
    pub agent: Option<String>,
    /// The agent's version.
    pub agent_version: Option<String>,
    /// The wire format, as [`Wire::of`] knows it.
    pub format: String,
    /// The command, without secrets.
    pub argv: Vec<String>,
    /// When it was started, if known.
    pub started_at: Option<Timestamp>,
    /// The machine's IANA time zone.
    pub time_zone: Option<String>,
    /// The exit code, if known.
    pub exit_code: Option<i32>,
    /// Who ended the run.
    pub ended_by: EndedBy,
    /// What was seen, in order.
    pub frames: Vec<Frame>,
    /// What was dropped or cut while reading.
    pub notes: Vec<String>,
}

impl Recording {
    /// The turns: the pre-start one first where there is one, then one a prompt.
    #[must_use]
    pub fn turns(&self) -> Vec<Turn> {
        let wire = Wire::of(self.agent.as_deref(), &self.format);
        let mut adapter = wire.adapter(Context {
            agent: self.agent.clone(),
            started_at: self.started_at,
            time_zone: self.time_zone.clone(),
        });
        self.frames.iter().for_each(|frame| adapter.feed(frame));
        let exit = Exit { code: self.exit_code, ended_by: self.ended_by, ..Exit::default() };
        let mut turns = adapter.finish(&exit);
        for turn in &mut turns {
            turn.envelope.id = Some(match turn.kind {
                TurnKind::PreStart => format!("{}#0", self.id),
                TurnKind::Prompt(number) => format!("{}#{number}", self.id),
            });
        }
        turns
    }

    /// The turn that answers for the whole recording: the last prompt's, else the pre-start one. Its envelope bears
    /// the recording's id. `None` means that nothing can be concluded.
    #[must_use]
    pub fn answering_turn(&self) -> Option<Turn> {
        let mut turn = self.turns().pop()?;
        turn.envelope.id = Some(self.id.clone());
        Some(turn)
    }
}

#[cfg(test)]
mod tests;
