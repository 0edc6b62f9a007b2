//! The safety gate. It guards sending, switching and waiting, and nothing else: cause, hint and remedy are
//! never hidden by it. No configuration overrides it. The first condition that fails is named.

use faultbook_taxonomy::{Class, Classification, Code, Confidence, Delivery, Reason, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::{DecisionContext, ExecutionContext};
use faultbook_taxonomy::words;

words! {
    /// The gate's conditions, in the order in which they are asked.
    pub enum Condition {
        /// The evidence belongs to what is active now, in the foreground.
        Current = "current",
        /// One code, of a class that may have automatic work, with high confidence.
        Classified = "classified",
        /// It is known whether the prompt arrived.
        DeliveryKnown = "delivery_known",
        /// Nothing that was done already can be done twice.
        EffectSafe = "effect_safe",
    }
}

words! {
    /// Why the gate is closed.
    pub enum Refusal {
        /// The evidence is not known to be of the turn in the foreground.
        NotForeground = "not_foreground",
        /// The evidence is not known to be of the active session.
        OtherSession = "other_session",
        /// The evidence is not known to be of the active prompt generation.
        StaleGeneration = "stale_generation",
        /// The evidence is not known to be of the active execution, and no restart explains it.
        OtherExecution = "other_execution",
        /// There is no single code.
        NotClassified = "not_classified",
        /// The code's class never has automatic work.
        ClassWithoutWork = "class_without_work",
        /// The confidence is not high.
        LowConfidence = "low_confidence",
        /// Nobody knows whether the prompt arrived.
        AmbiguousDelivery = "ambiguous_delivery",
        /// The model's words or a tool's effects may have happened, and nothing prevents their repetition.
        EffectsHappened = "effects_happened",
        /// The same session could be resumed, but another candidate cannot take over without a continuation
        /// package.
        NoContinuationPackage = "no_continuation_package",
    }
}

impl Refusal {
    /// The condition that fails.
    #[must_use]
    pub const fn condition(self) -> Condition {
        match self {
            Self::NotForeground | Self::OtherSession | Self::StaleGeneration | Self::OtherExecution => {
                Condition::Current
            }
            Self::NotClassified | Self::ClassWithoutWork | Self::LowConfidence => Condition::Classified,
            Self::AmbiguousDelivery => Condition::DeliveryKnown,
            Self::EffectsHappened | Self::NoContinuationPackage => Condition::EffectSafe,
        }
    }

    /// The refusal in plain words, to stand after "because".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotForeground => "the evidence is not known to be of the foreground turn",
            Self::OtherSession => "the evidence is not known to be of this session",
            Self::StaleGeneration => "the evidence is not known to be of the current prompt",
            Self::OtherExecution => "the evidence is not known to be of the running agent process",
            Self::NotClassified => "the cause is not known",
            Self::ClassWithoutWork => "this kind of failure never gets automatic work",
            Self::LowConfidence => "the cause is not certain enough",
            Self::AmbiguousDelivery => "nobody knows whether the prompt arrived",
            Self::EffectsHappened => "work of this prompt may have happened already and must not be repeated",
            Self::NoContinuationPackage => {
                "another candidate cannot take over without a continuation package"
            }
        }
    }
}

words! {
    /// How the next dispatch has to be made.
    pub enum DispatchMode {
        /// The exact original prompt: nothing of it has happened.
        OriginalPrompt = "original_prompt",
        /// The same provider-native session is resumed, which does not repeat completed effects. Holds for the
        /// session's own candidate only.
        ResumeSession = "resume_session",
        /// A fresh session that starts from the continuation package; never a replay of the prompt.
        FreshSessionWithContinuation = "fresh_session_with_continuation",
    }
}

/// What the gate said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum GateResult {
    /// There is no automatic work to guard.
    NotNeeded,
    /// All conditions hold.
    Open,
    /// A condition fails.
    Refused {
        /// The first condition that fails.
        condition: Condition,
        /// Why it fails.
        refusal: Refusal,
    },
}

impl From<Refusal> for GateResult {
    fn from(refusal: Refusal) -> Self {
        Self::Refused { condition: refusal.condition(), refusal }
    }
}

/// What automatic work is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// A dispatch on the same route, now or later; a parked run may come back to it.
    SameRoute,
    /// A dispatch on another candidate.
    OtherRoute,
}

/// Condition 1. A stale or uncorrelated classification fails it too, whatever the host says.
pub(crate) fn current(context: &DecisionContext) -> Result<(), Refusal> {
    let (evidence, current) = (&context.evidence, &context.current);
    let reason = context.classification.reason;
    if evidence.foreground != Some(true) || reason == Some(Reason::Uncorrelated) {
        return Err(Refusal::NotForeground);
    }
    if !known_equal(evidence.session.as_ref(), current.session.as_ref()) {
        return Err(Refusal::OtherSession);
    }
    if !known_equal(evidence.generation, current.generation) || reason == Some(Reason::Stale) {
        return Err(Refusal::StaleGeneration);
    }
    let same_execution = known_equal(evidence.execution.as_ref(), current.execution.as_ref());
    if current.restarted != Some(true) && !same_execution {
        return Err(Refusal::OtherExecution);
    }
    Ok(())
}

fn known_equal<T: PartialEq>(left: Option<T>, right: Option<T>) -> bool {
    left.zip(right).is_some_and(|(left, right)| left == right)
}

/// The one code of a classification, where its state gives one and its class is the code's own.
pub(crate) fn settled_code(classification: &Classification) -> Option<Code> {
    let code = classification.code.filter(|code| code.class() == classification.class);
    match classification.state {
        State::Classified => code,
        State::Unclassified | State::NoFailure => None,
    }
}

/// Condition 2.
pub(crate) fn classified(classification: &Classification) -> Result<(), Refusal> {
    let code = settled_code(classification).ok_or(Refusal::NotClassified)?;
    match code.class() {
        Class::Transient | Class::Hard => {}
        Class::Outside | Class::Unclassified => return Err(Refusal::ClassWithoutWork),
    }
    match classification.confidence {
        Some(Confidence::High) => Ok(()),
        Some(Confidence::Medium) | None => Err(Refusal::LowConfidence),
    }
}

/// Condition 3. Before the start nothing can have been delivered.
fn delivery_known(context: &DecisionContext) -> Result<(), Refusal> {
    match context.delivery {
        Some(Delivery::Acknowledged | Delivery::Refused) => Ok(()),
        Some(Delivery::Unknown) | None if context.is_pre_start() => Ok(()),
        Some(Delivery::Unknown) | None => Err(Refusal::AmbiguousDelivery),
    }
}

/// Condition 4, and how the work has to be dispatched. A resume guarantee holds for the same session only.
fn effect_safe(context: &DecisionContext, work: Work) -> Result<DispatchMode, Refusal> {
    let effects = context.classification.effects;
    let happened = |effect: Option<bool>| effect.unwrap_or(!context.is_pre_start());
    if !happened(effects.assistant_output) && !happened(effects.tool_activity) {
        return Ok(DispatchMode::OriginalPrompt);
    }
    let resumable = effects.resume_guarantee == Some(true);
    if resumable && work == Work::SameRoute {
        return Ok(DispatchMode::ResumeSession);
    }
    if context.continuation_package == Some(true) && context.context == ExecutionContext::Unattended {
        return Ok(DispatchMode::FreshSessionWithContinuation);
    }
    Err(if resumable { Refusal::NoContinuationPackage } else { Refusal::EffectsHappened })
}

/// Asks all conditions in order. `excused` leaves out condition 2: the exception of `prestart_unknown`.
pub(crate) fn ask(context: &DecisionContext, work: Work, excused: bool) -> Result<DispatchMode, Refusal> {
    current(context)?;
    if !excused {
        classified(&context.classification)?;
    }
    delivery_known(context)?;
    effect_safe(context, work)
}

/// Whether health may be recorded: conditions 1 and 2 hold, whatever 3 and 4 say.
pub(crate) fn admits_health(context: &DecisionContext) -> bool {
    current(context).is_ok() && classified(&context.classification).is_ok()
}
