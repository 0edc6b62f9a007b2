//! The published JSON Schemas of what this crate reads and writes.

use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use crate::context::DecisionContext;
use crate::decision::Decision;
use crate::document::PolicyDocument;
use crate::legacy::LegacyActionMap;
use crate::simulate::{Scenario, Timeline};

fn titled<T: JsonSchema>(title: &str) -> Value {
    let mut schema = schema_for!(T);
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

/// The schema of a class-policy document.
#[must_use]
pub fn policy_document() -> Value {
    titled::<PolicyDocument>("Faultbook class policy, version 1")
}

/// The schema of a legacy action map.
#[must_use]
pub fn legacy_action_map() -> Value {
    titled::<LegacyActionMap>("Faultbook legacy action map")
}

/// The schema of the input of a decision.
#[must_use]
pub fn decision_context() -> Value {
    titled::<DecisionContext>("Faultbook decision context")
}

/// The schema of a decision.
#[must_use]
pub fn decision() -> Value {
    titled::<Decision>("Faultbook decision, version 1")
}

/// The schema of the input of a simulation.
#[must_use]
pub fn scenario() -> Value {
    titled::<Scenario>("Faultbook scenario")
}

/// The schema of a simulated timeline.
#[must_use]
pub fn timeline() -> Value {
    titled::<Timeline>("Faultbook timeline, version 1")
}

/// Every schema of this crate by the name that its file and the command line give it.
#[must_use]
pub fn all() -> [(&'static str, Value); 6] {
    [
        ("policy", policy_document()),
        ("legacy-action-map", legacy_action_map()),
        ("decision-context", decision_context()),
        ("decision", decision()),
        ("scenario", scenario()),
        ("timeline", timeline()),
    ]
}
