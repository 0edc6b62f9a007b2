//! The two files of a new rule, as YAML.

use faultbook::{Agent, Channel, Code, Envelope, Provider, sanitise};
use serde_json::{Map, Value, json};

use super::propose::{Evidence, Proposal};
use crate::failure::Failure;

/// A rule and its suite before they are written.
pub(super) struct Draft<'d> {
    /// The rule's id.
    pub(super) id: String,
    /// Its code.
    pub(super) code: Code,
    /// What it rests on.
    pub(super) proposal: &'d Proposal,
    /// The evidence.
    pub(super) envelope: &'d Envelope,
    /// A public page.
    pub(super) reference: Option<&'d str>,
    /// The id of the recording that the evidence comes from.
    pub(super) recording: Option<&'d str>,
    /// The pack's version.
    pub(super) since: &'d str,
    /// Today, as `YYYY-MM-DD`.
    pub(super) today: &'d str,
}

impl Draft<'_> {
    /// The rule's file. `head` is its first line.
    pub(super) fn rule(&self, head: &str) -> Result<String, Failure> {
        let mut rule = json!({
            "schema": "faultbook.rule/1",
            "id": self.id,
            "revision": 1,
            "title": self.title(),
            "status": "experimental",
            "since": self.since,
            "code": self.code,
            "confidence": "medium",
            "band": self.band(),
        });
        let applies = self.applies();
        if let Some(object) = rule.as_object_mut() {
            if !applies.is_empty() {
                object.insert("applies".to_owned(), Value::Object(applies));
            }
            object.insert("match".to_owned(), json!({ "all": [self.atom()] }));
            if let Some(url) = self.reference {
                object.insert("references".to_owned(), json!([{ "url": url, "seen": self.today }]));
            }
        }
        let advice = "# Scaffolded. Before it is stable: is this what every such error has in common? Is the code right?\n\
                      # Raise `confidence` and `band` as far as the evidence carries them, and add a reference.\n";
        Ok(format!("{head}{advice}{}", yaml(&rule)?))
    }

    /// The suite's file.
    pub(super) fn suite(&self, head: &str) -> Result<String, Failure> {
        let (origin, source) = match (self.recording, self.reference) {
            (Some(recording), _) => ("recorded", Some(recording)),
            (None, Some(url)) => ("reported", Some(url)),
            (None, None) => ("synthetic", None),
        };
        let mut positive = Map::new();
        positive.insert("name".to_owned(), json!("as it was seen"));
        positive.insert("origin".to_owned(), json!(origin));
        if let Some(source) = source {
            positive.insert("source".to_owned(), json!(sanitise::sanitise(source)));
        }
        positive.insert("evidence".to_owned(), self.evidence()?);
        positive.insert("expect".to_owned(), json!({ "code": self.code }));
        let suite = json!({
            "schema": "faultbook.fixture/1",
            "rule": self.id,
            "cases": { "positive": [positive], "negative": self.near_misses() },
        });
        let advice = "# Scaffolded. Cut the evidence down to what the signature needs. The two near misses only show that\n\
                      # the model's words and a finished turn prove nothing: add texts that look alike and mean something else.\n";
        Ok(format!("{head}{advice}{}", yaml(&suite)?))
    }

    fn title(&self) -> String {
        let by = match &self.proposal.evidence {
            Evidence::Value { value, .. } => format!("by the value {value}"),
            Evidence::Phrase(phrase) => format!("by the words \"{phrase}\""),
        };
        let mut meaning = self.code.meaning().chars();
        let first = meaning.next().into_iter().flat_map(char::to_uppercase);
        first.chain(meaning).chain(format!(", {by}").chars()).take(160).collect()
    }

    /// The strongest band that the loader grants.
    fn band(&self) -> &'static str {
        let is_ambiguous = matches!(self.proposal.evidence, Evidence::Value { is_ambiguous: true, .. });
        let is_value = matches!(self.proposal.evidence, Evidence::Value { .. });
        match (is_ambiguous, self.reference) {
            (true, _) => "generic",
            (false, Some(_)) if is_value => "cause",
            (false, Some(_)) => "message",
            (false, None) if self.applies().is_empty() => "generic",
            (false, None) => "message",
        }
    }

    /// Whom the evidence names: the provider where it is listed, else the agent.
    fn applies(&self) -> Map<String, Value> {
        let provider = self.envelope.provider.as_deref().filter(|name| name.parse::<Provider>().is_ok());
        let agent = self.envelope.agent.as_deref().filter(|name| name.parse::<Agent>().is_ok());
        let mut applies = Map::new();
        match (provider, agent) {
            (Some(provider), _) => applies.insert("providers".to_owned(), json!([provider])),
            (None, Some(agent)) => applies.insert("agents".to_owned(), json!([agent])),
            (None, None) => None,
        };
        applies
    }

    fn atom(&self) -> Value {
        match &self.proposal.evidence {
            Evidence::Value { pointer, value, .. } => json!({ "field": { "at": [pointer], "in": [value] } }),
            Evidence::Phrase(phrase) => json!({ "text": { "phrases": [phrase] } }),
        }
    }

    /// The envelope as a fixture holds it: sanitised, without the schema and what is empty.
    fn evidence(&self) -> Result<Value, Failure> {
        let mut value = self.envelope.to_json()?;
        if let Some(object) = value.as_object_mut() {
            for key in ["schema", "id", "session", "execution"] {
                object.remove(key);
            }
            if object
                .get("effects")
                .and_then(Value::as_object)
                .is_some_and(|all| all.values().all(Value::is_null))
            {
                object.remove("effects");
            }
        }
        Ok(sanitise::sanitise_json(&value))
    }

    fn near_misses(&self) -> Value {
        let says = |channel: Channel| match &self.proposal.evidence {
            Evidence::Value { pointer, value, .. } => {
                json!({ "channel": channel.as_str(), "data": nested(pointer, value) })
            }
            Evidence::Phrase(phrase) => {
                json!({ "channel": channel.as_str(), "text": format!("they say {phrase} again") })
            }
        };
        let channel =
            self.envelope.signals.get(self.proposal.signal).map_or(Channel::Stderr, |signal| signal.channel);
        let ended = json!({ "channel": "host", "terminal": "completed" });
        json!([
            {
                "name": "the model talks about it",
                "origin": "synthetic",
                "evidence": { "signals": [says(Channel::Assistant)] },
                "expect": { "state": "unclassified" },
            },
            {
                "name": "the turn completed afterwards",
                "origin": "synthetic",
                "evidence": { "signals": [says(channel), ended] },
                "expect": { "state": "no_failure" },
            },
        ])
    }
}

/// A document in which a value stands at a pointer.
fn nested(pointer: &str, value: &str) -> Value {
    let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    let steps: Vec<String> = steps.collect();
    steps.into_iter().rev().fold(Value::from(value), |inner, step| {
        let mut object = Map::new();
        object.insert(step, inner);
        Value::Object(object)
    })
}

fn yaml(value: &Value) -> Result<String, Failure> {
    serde_yaml::to_string(value).map_err(|error| Failure::Internal(error.to_string()))
}
