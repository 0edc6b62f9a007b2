//! The policy document as it is written, and the check that turns it into a [`ClassPolicy`].
//!
//! Numbers are read as they stand, then checked field by field, so that every problem names its field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::class_policy::{
    ClassPolicy, ClassRules, MAX_INITIAL_INTERVAL_S, MAX_RESET_WAIT_S, MAX_RETRIES, OnExhausted,
    POLICY_VERSION, PrestartUnknown, ResetWait, RetryRule,
};

/// A class-policy document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyDocument {
    /// The format's version: 1.
    #[schemars(range(min = 1, max = 1))]
    pub version: u64,
    /// What an unknown failure before the start does: `stop` unless said otherwise.
    #[serde(default = "stop_on_unknown")]
    pub prestart_unknown: PrestartUnknown,
    /// What failures that should pass soon get.
    pub transient: ClassSection,
    /// What failures that last get.
    pub hard: ClassSection,
}

const fn stop_on_unknown() -> PrestartUnknown {
    PrestartUnknown::Stop
}

/// What one class gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassSection {
    /// Retries on the same route.
    pub retry: RetrySection,
    /// One wait until the provider's stated reset.
    pub wait_for_reset: ResetSection,
    /// What follows when both are used up.
    pub on_exhausted: OnExhausted,
}

/// Retries on the same route. Where it is not enabled, both numbers are 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = json!({ "properties": { "enabled": { "const": true } } }),
    "then" = json!({ "properties": { "max_retries": { "minimum": 1 }, "initial_interval_seconds": { "minimum": 1 } } }),
    "else" = json!({ "properties": { "max_retries": { "const": 0 }, "initial_interval_seconds": { "const": 0 } } }),
))]
pub struct RetrySection {
    /// Whether there are retries.
    pub enabled: bool,
    /// How many: 1 to 10.
    #[schemars(range(min = 0, max = 10))]
    pub max_retries: u64,
    /// The delay before the first, in seconds: 1 to 3600. Each following one is twice as long, at most 24 hours.
    #[schemars(range(min = 0, max = 3600))]
    pub initial_interval_seconds: u64,
}

/// One wait until the provider's stated reset. Where it is not enabled, the number is 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = json!({ "properties": { "enabled": { "const": true } } }),
    "then" = json!({ "properties": { "max_wait_seconds": { "minimum": 1 } } }),
    "else" = json!({ "properties": { "max_wait_seconds": { "const": 0 } } }),
))]
pub struct ResetSection {
    /// Whether there is a wait.
    pub enabled: bool,
    /// The longest, in seconds: 1 to 604800 (7 days). A reset beyond it is not waited for.
    #[schemars(range(min = 0, max = 604_800))]
    pub max_wait_seconds: u64,
}

/// One thing that is wrong with a policy document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct FieldProblem {
    /// The field, as a JSON pointer such as `/transient/retry/max_retries`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for FieldProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// Everything that is wrong with a policy document. It authorises nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidPolicy {
    /// The problems, in the document's order; at least one.
    pub problems: Vec<FieldProblem>,
}

impl std::fmt::Display for InvalidPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let problems: Vec<String> = self.problems.iter().map(FieldProblem::to_string).collect();
        f.write_str(&problems.join("; "))
    }
}

impl std::error::Error for InvalidPolicy {}

/// Collects problems while fields are read.
#[derive(Default)]
struct Check {
    problems: Vec<FieldProblem>,
}

impl Check {
    fn complain(&mut self, field: String, message: String) {
        self.problems.push(FieldProblem { field, message });
    }

    /// The number, where it lies within 1 to `max` and its section is enabled; 0 where it has to be 0.
    fn number(&mut self, field: String, value: u64, enabled: bool, max: u32) -> u32 {
        match u32::try_from(value) {
            Ok(0) if !enabled => 0,
            Ok(number) if enabled && (1..=max).contains(&number) => number,
            Ok(_) | Err(_) => {
                let message = if enabled {
                    format!("must be 1 to {max}, not {value}")
                } else {
                    format!("must be 0 where the section is not enabled, not {value}")
                };
                self.complain(field, message);
                0
            }
        }
    }

    fn class(&mut self, name: &str, section: &ClassSection) -> ClassRules {
        let (retry, reset) = (&section.retry, &section.wait_for_reset);
        let max_retries =
            self.number(format!("/{name}/retry/max_retries"), retry.max_retries, retry.enabled, MAX_RETRIES);
        let interval = self.number(
            format!("/{name}/retry/initial_interval_seconds"),
            retry.initial_interval_seconds,
            retry.enabled,
            MAX_INITIAL_INTERVAL_S,
        );
        let max_wait = self.number(
            format!("/{name}/wait_for_reset/max_wait_seconds"),
            reset.max_wait_seconds,
            reset.enabled,
            MAX_RESET_WAIT_S,
        );
        ClassRules {
            retry: RetryRule::new(max_retries, interval),
            wait_for_reset: ResetWait::new(max_wait),
            on_exhausted: section.on_exhausted,
        }
    }
}

impl TryFrom<PolicyDocument> for ClassPolicy {
    type Error = InvalidPolicy;

    fn try_from(document: PolicyDocument) -> Result<Self, InvalidPolicy> {
        let mut check = Check::default();
        if document.version != POLICY_VERSION {
            let message = format!("must be {POLICY_VERSION}, not {}", document.version);
            check.complain("/version".to_owned(), message);
        }
        let policy = Self {
            prestart_unknown: document.prestart_unknown,
            transient: check.class("transient", &document.transient),
            hard: check.class("hard", &document.hard),
        };
        if check.problems.is_empty() { Ok(policy) } else { Err(InvalidPolicy { problems: check.problems }) }
    }
}

impl From<ClassRules> for ClassSection {
    fn from(rules: ClassRules) -> Self {
        Self {
            retry: RetrySection {
                enabled: rules.retry.is_some(),
                max_retries: rules.retry.map_or(0, |retry| retry.max_retries().into()),
                initial_interval_seconds: rules.retry.map_or(0, |retry| retry.initial_interval_s().into()),
            },
            wait_for_reset: ResetSection {
                enabled: rules.wait_for_reset.is_some(),
                max_wait_seconds: rules.wait_for_reset.map_or(0, |wait| wait.max_wait_s().into()),
            },
            on_exhausted: rules.on_exhausted,
        }
    }
}

impl From<ClassPolicy> for PolicyDocument {
    fn from(policy: ClassPolicy) -> Self {
        Self {
            version: POLICY_VERSION,
            prestart_unknown: policy.prestart_unknown,
            transient: policy.transient.into(),
            hard: policy.hard.into(),
        }
    }
}
