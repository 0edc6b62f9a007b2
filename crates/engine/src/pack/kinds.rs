//! What each kind of rule takes, needs and looks at.

use faultbook_document::quoted;
use faultbook_evidence::Channel;
use faultbook_taxonomy::{Class, Code};
use serde_json::Value;

use super::codes;
use super::condition::{Condition, Leaf};
use super::findings::{At, Findings};
use crate::rule::{Applies, Atom, Kind};

/// Keys that only a rule with a code takes.
const OF_A_CODE: [&str; 7] = ["code", "confidence", "band", "rank", "scope", "window", "hints"];
/// Keys that a rule with a code cannot do without.
const NEEDED_BY_A_CODE: [&str; 3] = ["code", "confidence", "band"];

/// Checks a rule against its kind.
pub(super) fn check(
    kind: Kind,
    rule: &Value,
    applies: &Applies,
    condition: &Condition,
    findings: &mut Findings<'_>,
) {
    match kind {
        Kind::Rule => {
            for key in NEEDED_BY_A_CODE.iter().filter(|key| rule.get(**key).is_none()) {
                let message = format!("a rule of kind `rule` needs the key {}", quoted(key));
                let help = "add it, or say `kind: notice`, `healthy` or `speaker`";
                findings.error(codes::KEY_MISSING_FOR_KIND, At::Value(""), message, help);
            }
        }
        Kind::Notice => refuse_keys("notice", rule, findings),
        Kind::Healthy => refuse_keys("healthy", rule, findings),
        Kind::Speaker => {
            refuse_keys("speaker", rule, findings);
            speaker(applies, condition, findings);
        }
    }
    let is_outside = names_outside(rule);
    for leaf in condition.leaves().iter().filter(|leaf| !leaf.refused) {
        channels(kind, is_outside, leaf, findings);
    }
}

/// Whether the rule's code is of class `outside`: only such rules may match a tool's words.
fn names_outside(rule: &Value) -> bool {
    let code = rule.get("code").and_then(Value::as_str).and_then(|code| code.parse::<Code>().ok());
    code.is_some_and(|code| code.class() == Class::Outside)
}

fn refuse_keys(kind: &str, rule: &Value, findings: &mut Findings<'_>) {
    for key in OF_A_CODE.iter().filter(|key| rule.get(**key).is_some()) {
        let message = format!("a rule of kind {} does not take the key {}", quoted(kind), quoted(key));
        findings.error(codes::KEY_REFUSED_FOR_KIND, At::Key(&format!("/{key}")), message, "remove it");
    }
}

fn speaker(applies: &Applies, condition: &Condition, findings: &mut Findings<'_>) {
    if applies.agents.is_empty() {
        let message = "a speaker rule must name the agents that speak so";
        findings.error(
            codes::SPEAKER_WITHOUT_AGENT,
            At::Key("/applies"),
            message,
            "list them under `applies: agents`",
        );
    }
    let starts = |atom: &Atom| matches!(atom, Atom::Text(text) if text.starts.is_some());
    if condition.is_complete() && !condition.requires(&starts) {
        let message = "a speaker rule must be anchored at the beginning of the answer or of its last line";
        findings.error(
            codes::SPEAKER_NOT_ANCHORED,
            At::Key("/match"),
            message,
            "add `text: { starts: … }` under `all`",
        );
    }
}

/// Notices and healthy rules never look at the model's or a tool's words, speakers look at nothing else; a rule
/// that asks for them alone can never match. A rule with a code never looks at the model's words, and at a tool's
/// only for a code of class `outside`.
fn channels(kind: Kind, is_outside: bool, leaf: &Leaf<'_>, findings: &mut Findings<'_>) {
    let Atom::Channel(channels) = leaf.atom else { return };
    for (index, channel) in channels.iter().enumerate() {
        let is_own = matches!(channel, Channel::Assistant | Channel::Tool);
        let pointer = format!("{}/channel/{index}", leaf.pointer);
        match kind {
            Kind::Notice | Kind::Healthy if is_own => {
                let message = "notices and healthy rules never look at `assistant` or `tool`";
                findings.error(codes::CHANNEL_REFUSED, At::Value(&pointer), message, "remove the channel");
            }
            Kind::Speaker if *channel != Channel::Assistant => {
                let message = "a speaker rule looks at `assistant` only";
                findings.error(codes::CHANNEL_REFUSED, At::Value(&pointer), message, "remove the channel");
            }
            Kind::Rule if is_own && !(is_outside && *channel == Channel::Tool) => {
                let message = "the words of this channel are never trusted, so the rule cannot match there";
                let help = "remove the channel; a `speaker` rule promotes such words to `agent_text`";
                findings.warning(codes::CHANNEL_REFUSED, At::Value(&pointer), message, help);
            }
            Kind::Rule | Kind::Notice | Kind::Healthy | Kind::Speaker => {}
        }
    }
}
