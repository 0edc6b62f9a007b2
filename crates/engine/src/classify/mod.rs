//! Classification: from an envelope to one answer.
//!
//! The steps, each a module: rules are tried on statements ([`judgement`]), notices cut the turn into attempts
//! ([`attempt`]), precedence picks one code or none ([`precedence`]), confidence is capped ([`confidence`]), hints
//! are read ([`timing`]), and the answer is made ([`answer`]).

use faultbook_evidence::{Envelope, Turn};
use faultbook_taxonomy::Classification;

use crate::catalogue::Catalogue;

mod answer;
mod attempt;
mod confidence;
mod evaluate;
mod explain;
mod judgement;
mod order;
mod precedence;
mod timing;

pub use attempt::Uncounted;
pub use confidence::Cap;
pub use explain::{
    Contest, Explanation, MatchTrace, NearMiss, Place, StatementMark, StatementTrace, TextPlace,
};
pub use precedence::Step;
pub use timing::HintTrace;

use answer::Decided;
use judgement::{Choice, Judgement};

impl Catalogue {
    /// Classifies an envelope. Deterministic, linear in the envelope, and total: whatever the evidence holds, there
    /// is an answer.
    #[must_use]
    pub fn classify(&self, envelope: &Envelope) -> Classification {
        let turn = Turn::cut(envelope);
        Decided::of(Judgement::of(self, &turn, Choice::Triggered)).answer()
    }

    /// Classifies an envelope and says how the answer came about.
    #[must_use]
    pub fn explain(&self, envelope: &Envelope) -> Explanation {
        let turn = Turn::cut(envelope);
        Explanation::of(&Decided::of(Judgement::of(self, &turn, Choice::Triggered)))
    }

    /// Classifies by trying every rule on every statement. Slow; it exists to prove that the prefilter of
    /// [`Catalogue::classify`] never changes an answer.
    #[must_use]
    pub fn classify_exhaustively(&self, envelope: &Envelope) -> Classification {
        let turn = Turn::cut(envelope);
        Decided::of(Judgement::of(self, &turn, Choice::Every)).answer()
    }
}
