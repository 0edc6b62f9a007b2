//! From an envelope to a decision: in one call, or step by step.

use faultbook_evidence::Envelope;
use faultbook_policy::{Correlation, Decision, DecisionContext, ExecutionContext, Route, decide};
use faultbook_taxonomy::Classification;
use jiff::Timestamp;

use crate::Faultbook;

/// What the evidence itself says about the situation in which a decision is made: phase, delivery, correlation,
/// provider and model, and the classification. Everything that only the host knows stays unknown, and what is
/// unknown authorises nothing: the host fills it in.
///
/// ```
/// use faultbook::policy::{ActionKind, ExecutionContext, decide};
/// use faultbook::{Envelope, Faultbook, situation};
/// # let line = r#"{"schema":"faultbook.evidence/1","signals":[{"channel":"http","http_status":503}]}"#;
///
/// let book = Faultbook::core()?;
/// let envelope = Envelope::read(line)?;
/// let classification = book.classify(&envelope);
/// let now = "2026-11-30T12:00:00Z".parse()?;
/// let mut context = situation(&envelope, classification, ExecutionContext::Interactive, now);
/// context.current.session = Some("s-1".to_owned());
/// let decision = decide(&context);
/// assert_eq!(decision.action.kind(), ActionKind::Manual, "the evidence names no session");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn situation(
    envelope: &Envelope,
    classification: Classification,
    context: ExecutionContext,
    now: Timestamp,
) -> DecisionContext {
    let mut situation = DecisionContext::new(context, now, classification);
    situation.observed_at = envelope.occurred_at;
    situation.phase = envelope.phase;
    situation.delivery = envelope.delivery;
    situation.evidence = Correlation {
        session: envelope.session.clone(),
        execution: envelope.execution.clone(),
        generation: envelope.generation,
        foreground: envelope.foreground,
    };
    situation.route =
        Route { provider: envelope.provider.clone(), model: envelope.model.clone(), ..Route::default() };
    situation
}

impl Faultbook {
    /// Classifies an envelope and decides what may be done about it. `complete` adds what only the host knows.
    ///
    /// ```
    /// use faultbook::policy::ExecutionContext;
    /// use faultbook::{Envelope, Faultbook};
    ///
    /// let book = Faultbook::core()?;
    /// let line = r#"{"schema":"faultbook.evidence/1","session":"s-1","execution":"e-1","generation":7,
    ///     "foreground":true,"phase":"prompt_send","delivery":"acknowledged",
    ///     "effects":{"assistant_output":false,"tool_activity":false},
    ///     "signals":[{"channel":"http","http_status":503}]}"#;
    /// let envelope = Envelope::read(line)?;
    /// let now = "2026-11-30T12:00:00Z".parse()?;
    /// let decision = book.decide(&envelope, ExecutionContext::Interactive, now, |context| {
    ///     context.current.session = Some("s-1".to_owned());
    ///     context.current.execution = Some("e-1".to_owned());
    ///     context.current.generation = Some(7);
    /// });
    /// println!("{decision}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decide(
        &self,
        envelope: &Envelope,
        context: ExecutionContext,
        now: Timestamp,
        complete: impl FnOnce(&mut DecisionContext),
    ) -> Decision {
        let mut situation = situation(envelope, self.classify(envelope), context, now);
        complete(&mut situation);
        decide(&situation)
    }
}
