//! The catalogue: packs compiled into one immutable value that threads can share.

use std::collections::BTreeMap;
use std::sync::Arc;

use faultbook_taxonomy::Confidence;
use sha2::{Digest, Sha256};

use crate::rule::{AmbiguousValue, Overlay, Pack, Rule};

mod apart;
mod compiled;
mod overlay;
mod trigger;

pub use compiled::CompileFault;
pub(crate) use compiled::{
    CompiledFieldTest, CompiledHint, CompiledRule, CompiledSource, Group, HeaderTest, Meaning, Node,
};
pub use overlay::OverlayNote;
pub(crate) use trigger::Index;

/// The version of the engine's semantics. It is part of every catalogue digest, and packs require a range of it.
pub const ENGINE_VERSION: &str = "1.0.0";

/// Whether a pack's rules may authorise work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PackTrust {
    /// The pack is embedded, or the host marked it as trusted.
    Trusted,
    /// Its rules inform at most.
    Informing,
}

/// Who a compiled pack was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackIdentity {
    /// The pack's id.
    pub id: String,
    /// The pack's version.
    pub version: String,
    /// Whether its rules may authorise work.
    pub trust: PackTrust,
}

/// Why packs do not make a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileError {
    /// Two rules have the same id; both packs are named.
    DuplicateRule {
        /// The id that both have.
        id: String,
        /// The pack that holds the first.
        first: String,
        /// The pack that holds the second.
        second: String,
    },
    /// Two packs have the same id.
    DuplicatePack(String),
    /// A rule cannot be compiled.
    Rule {
        /// The rule's id.
        id: String,
        /// What is wrong with it.
        fault: CompileFault,
    },
    /// Two rules of different codes ask for the same structured value, and neither band nor rank tells them apart.
    Collision {
        /// The id of the first.
        first: String,
        /// The id of the second.
        second: String,
    },
    /// An overlay names a rule that is not there.
    UnknownOverlayRule {
        /// The id in the overlay.
        id: String,
        /// A rule with a similar id.
        suggestion: Option<String>,
    },
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DuplicateRule { id, first, second } => {
                write!(f, "rule `{id}` is in pack `{first}` and again in pack `{second}`")
            }
            Self::DuplicatePack(id) => write!(f, "pack `{id}` is loaded twice"),
            Self::Rule { id, fault } => write!(f, "rule `{id}`: {fault}"),
            Self::Collision { first, second } => write!(
                f,
                "rules `{first}` and `{second}` collide: both match the same value, their codes differ, and band and \
                 rank are equal; give one another rank"
            ),
            Self::UnknownOverlayRule { id, suggestion } => {
                write!(f, "the overlay names rule `{id}`, which is in no pack")?;
                suggestion.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
            }
        }
    }
}

impl std::error::Error for CompileError {}

/// Compiled packs. Immutable, `Send + Sync`, and cheap to ask.
#[derive(Debug)]
pub struct Catalogue {
    pub(crate) rules: Vec<Arc<CompiledRule>>,
    pub(crate) index: Index,
    pub(crate) ambiguous: Vec<AmbiguousValue>,
    packs: Vec<PackIdentity>,
    digest: String,
    overlay_notes: Vec<OverlayNote>,
}

impl Catalogue {
    /// Compiles packs, with what the host changes about them. `today` (as `YYYY-MM-DD`) decides which overlay
    /// entries have run out; the engine has no clock.
    ///
    /// # Errors
    /// Every problem that was found: equal ids, rules that do not compile, overlay entries that name no rule.
    pub fn compile(
        packs: Vec<(Pack, PackTrust)>,
        overlay: Option<(&Overlay, &str)>,
    ) -> Result<Self, Vec<CompileError>> {
        let mut errors = Vec::new();
        let mut rules: BTreeMap<String, (Rule, usize)> = BTreeMap::new();
        let mut identities: Vec<PackIdentity> = Vec::new();
        let mut ambiguous = Vec::new();
        let mut retired = Vec::new();
        for (pack, trust) in packs {
            if identities.iter().any(|identity| identity.id == pack.manifest.id) {
                errors.push(CompileError::DuplicatePack(pack.manifest.id.clone()));
            }
            let index = identities.len();
            identities.push(PackIdentity { id: pack.manifest.id, version: pack.manifest.version, trust });
            ambiguous.extend(pack.ambiguous);
            retired.extend(pack.retired);
            for rule in pack.rules {
                if let Some((_, first)) = rules.get(&rule.id) {
                    errors.push(duplicate(&identities, &rule.id, *first, index));
                } else {
                    rules.insert(rule.id.clone(), (rule, index));
                }
            }
        }
        let overlay_notes = match overlay {
            Some((overlay, today)) => overlay::apply(overlay, today, &mut rules, &retired, &mut errors),
            None => Vec::new(),
        };
        let digest = digest(&rules, &ambiguous, overlay.map(|(overlay, _)| overlay));
        let compiled = compile_rules(rules, &identities, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let index = Index::of(&compiled);
        Ok(Self { rules: compiled, index, ambiguous, packs: identities, digest, overlay_notes })
    }

    /// The same catalogue with one rule replaced by another of the same id, which takes its pack and its trust. It
    /// shares everything else, so checks can ask thousands of variants; it keeps the digest of its original and is
    /// not for hosts.
    ///
    /// # Errors
    /// The new rule does not compile, or no rule has its id.
    pub fn with_rule(&self, rule: Rule) -> Result<Self, CompileFault> {
        let at =
            self.position(&rule.id).ok_or(CompileFault::Shape("no rule of the catalogue has this id"))?;
        let mut rules = self.rules.clone();
        let mut index = self.index.clone();
        if let Some(place) = rules.get_mut(at) {
            let changed = compiled::compile(rule, place.pack, place.is_trusted)?;
            index = index.with_changed(at, changed.is_about_facts());
            *place = Arc::new(changed);
        }
        Ok(Self {
            rules,
            index,
            ambiguous: self.ambiguous.clone(),
            packs: self.packs.clone(),
            digest: self.digest.clone(),
            overlay_notes: self.overlay_notes.clone(),
        })
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.rules.binary_search_by(|compiled| compiled.rule.id.as_str().cmp(id)).ok()
    }

    /// `sha256:…` over the rules, the ambiguous values, the overlay and the engine's semantics version.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The packs, in the order in which they were given.
    #[must_use]
    pub fn packs(&self) -> &[PackIdentity] {
        &self.packs
    }

    /// The rules as they stand after the overlay, by id.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter().map(|compiled| &compiled.rule)
    }

    /// A rule by its id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.get(self.position(id)?).map(|compiled| &compiled.rule)
    }

    /// The pack that holds a rule.
    #[must_use]
    pub fn pack_of(&self, id: &str) -> Option<&PackIdentity> {
        self.packs.get(self.rules.get(self.position(id)?)?.pack)
    }

    /// What the overlay did not do: entries that ran out, never applied, or name a retired rule.
    #[must_use]
    pub fn overlay_notes(&self) -> &[OverlayNote] {
        &self.overlay_notes
    }

    /// The rules that collide as far as their structured part shows. The packs still compile, so that a check can
    /// refute the pair with a witness; a host refuses to load them.
    #[must_use]
    pub fn collisions(&self) -> Vec<CompileError> {
        let listed: Vec<&Rule> = self.rules().collect();
        let pairs = apart::collisions(&listed).into_iter();
        let named = |(one, other): (usize, usize)| {
            let (first, second) = (listed.get(one)?.id.clone(), listed.get(other)?.id.clone());
            Some(CompileError::Collision { first, second })
        };
        pairs.filter_map(named).collect()
    }

    /// How many literals the text search of this catalogue knows.
    #[must_use]
    pub fn literal_count(&self) -> usize {
        self.index.literal_count()
    }
}

fn duplicate(identities: &[PackIdentity], id: &str, first: usize, second: usize) -> CompileError {
    let name = |index: usize| identities.get(index).map(|identity| identity.id.clone()).unwrap_or_default();
    CompileError::DuplicateRule { id: id.to_owned(), first: name(first), second: name(second) }
}

fn compile_rules(
    rules: BTreeMap<String, (Rule, usize)>,
    packs: &[PackIdentity],
    errors: &mut Vec<CompileError>,
) -> Vec<Arc<CompiledRule>> {
    let mut compiled = Vec::with_capacity(rules.len());
    for (id, (rule, pack)) in rules {
        let is_trusted = packs.get(pack).is_some_and(|identity| identity.trust == PackTrust::Trusted);
        match compiled::compile(rule, pack, is_trusted) {
            Ok(rule) => compiled.push(Arc::new(rule)),
            Err(fault) => errors.push(CompileError::Rule { id, fault }),
        }
    }
    compiled
}

fn digest(
    rules: &BTreeMap<String, (Rule, usize)>,
    ambiguous: &[AmbiguousValue],
    overlay: Option<&Overlay>,
) -> String {
    let mut hasher = Sha256::new();
    hasher.update(ENGINE_VERSION.as_bytes());
    let rules: Vec<&Rule> = rules.values().map(|(rule, _)| rule).collect();
    for part in [serde_json::to_vec(&rules), serde_json::to_vec(ambiguous), serde_json::to_vec(&overlay)] {
        let bytes = part.unwrap_or_default();
        hasher.update(bytes.len().to_le_bytes());
        hasher.update(bytes);
    }
    let mut text = String::from("sha256:");
    for byte in hasher.finalize() {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

/// The lower of two confidences.
pub(crate) fn lower(one: Confidence, other: Confidence) -> Confidence {
    one.min(other)
}
