//! Legacy action maps, normalised once on read into a [`ClassPolicy`].
//!
//! A map gives one action for everything (`default`), actions for single codes (`codes`), or both:
//!
//! ```yaml
//! default: try_next
//! codes:
//!   quota_limited: stop
//! ```

use std::collections::BTreeMap;

use faultbook_taxonomy::{Class, Code};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::class_policy::{ClassPolicy, ClassRules, OnExhausted, PrestartUnknown, RetryRule};
use crate::document::{FieldProblem, InvalidPolicy};
use faultbook_taxonomy::words;

words! {
    /// What a legacy map may ask for.
    pub enum LegacyAction {
        /// The next candidate at once.
        TryNext = "try_next",
        /// Stop for a person.
        Stop = "stop",
        /// One retry after 5 s, then stop.
        RetrySame = "retry_same",
    }
}

impl LegacyAction {
    /// What the action means for one class.
    #[must_use]
    pub fn rules(self) -> ClassRules {
        match self {
            Self::TryNext => ClassRules::at_once(OnExhausted::Skip),
            Self::Stop => ClassRules::at_once(OnExhausted::Stop),
            Self::RetrySame => {
                ClassRules { retry: RetryRule::new(1, 5), ..ClassRules::at_once(OnExhausted::Stop) }
            }
        }
    }
}

/// A legacy action map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LegacyActionMap {
    /// What every failure without an action of its own gets.
    pub default: Option<LegacyAction>,
    /// What single codes get. Each stands for its class.
    #[schemars(schema_with = "code_actions")]
    pub codes: BTreeMap<Code, LegacyAction>,
}

/// A mapping whose keys are exactly the codes, so that a misspelt one is found by the schema.
fn code_actions(generator: &mut SchemaGenerator) -> Schema {
    let action = generator.subschema_for::<LegacyAction>().to_value();
    let codes: Map<String, Value> = Code::ALL.iter().map(|code| (code.to_string(), action.clone())).collect();
    json_schema!({ "type": "object", "properties": codes, "additionalProperties": false })
}

impl TryFrom<LegacyActionMap> for ClassPolicy {
    type Error = InvalidPolicy;

    fn try_from(map: LegacyActionMap) -> Result<Self, InvalidPolicy> {
        let mut problems: Vec<FieldProblem> = map
            .codes
            .keys()
            .filter(|code| !code.class().is_configurable())
            .map(|code| FieldProblem {
                field: format!("/codes/{code}"),
                message: format!("codes of class `{}` have no policy", code.class()),
            })
            .collect();
        let transient = class_action(&map, Class::Transient, &mut problems);
        let hard = class_action(&map, Class::Hard, &mut problems);
        match (transient, hard) {
            (Some(transient), Some(hard)) if problems.is_empty() => Ok(Self {
                prestart_unknown: PrestartUnknown::Stop,
                transient: transient.rules(),
                hard: hard.rules(),
            }),
            _ => Err(InvalidPolicy { problems }),
        }
    }
}

/// The one action of a class: its codes' where they agree, else the default.
fn class_action(
    map: &LegacyActionMap,
    class: Class,
    problems: &mut Vec<FieldProblem>,
) -> Option<LegacyAction> {
    let mut of_class = map.codes.iter().filter(|(code, _)| code.class() == class);
    let Some((first, action)) = of_class.next() else {
        if map.default.is_none() {
            problems.push(FieldProblem {
                field: "/default".to_owned(),
                message: format!("class `{class}` has no action: nothing is implied"),
            });
        }
        return map.default;
    };
    for (other, different) in of_class.filter(|(_, other)| *other != action) {
        problems.push(FieldProblem {
            field: format!("/codes/{other}"),
            message: format!(
                "`{other}: {different}` disagrees with `{first}: {action}`: both are of class `{class}`"
            ),
        });
    }
    Some(*action)
}
