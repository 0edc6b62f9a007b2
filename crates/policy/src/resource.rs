//! Which resource a failure degrades, and the keys under which health and cooldowns are shared.

use faultbook_taxonomy::{Code, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_traits::default_scope;
use crate::context::Route;

/// What a failure makes unusable. Two profiles share a resource only when every key is equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Resource {
    /// The provider as this host reaches it; other hosts may reach it well.
    ProviderFromHost {
        /// The provider's name, as the host spells it.
        provider: String,
    },
    /// The provider.
    Provider {
        /// The provider's name, as the host spells it.
        provider: String,
    },
    /// One model of the provider.
    ProviderModel {
        /// The provider's name, as the host spells it.
        provider: String,
        /// The model's name, as the host spells it.
        model: String,
    },
    /// One credential at the provider.
    ProviderCredential {
        /// The provider's name, as the host spells it.
        provider: String,
        /// The opaque credential binding.
        binding: String,
    },
    /// One profile: also what stands in where a wider key cannot be proved equal.
    Profile {
        /// The profile's name, as the host spells it.
        profile: String,
    },
}

/// The key of a shared cooldown: the resource, within one workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CooldownKey {
    /// The workspace; without one the cooldown is shared with nobody.
    pub workspace: Option<String>,
    /// What is cooling down.
    pub resource: Resource,
}

/// How far a scope reaches: `provider`, then `account` and `model` side by side, `profile`, `request`.
const fn reach(scope: Scope) -> u8 {
    match scope {
        Scope::Request => 0,
        Scope::Profile => 1,
        Scope::Model | Scope::Account => 2,
        Scope::Provider => 3,
    }
}

/// The scope that counts: the rule's where it is narrower than the code's own, else the code's own.
#[must_use]
pub fn health_scope(code: Code, rule: Option<Scope>) -> Scope {
    let own = default_scope(code);
    match rule {
        Some(narrower) if reach(narrower) < reach(own) => narrower,
        Some(_) | None => own,
    }
}

impl Resource {
    /// The resource that a failure of `code` touches on this route, `rule` being the scope that the rule states.
    /// None where only the request is affected. Where a key is unknown, the profile stands in, because what
    /// cannot be proved equal is a resource of its own; without a profile nothing can be named.
    #[must_use]
    pub fn of(code: Code, rule: Option<Scope>, route: &Route) -> Option<Self> {
        let provider = || route.provider.clone();
        let wide = match health_scope(code, rule) {
            Scope::Request => return None,
            Scope::Profile => None,
            Scope::Model => provider()
                .zip(route.model.clone())
                .map(|(provider, model)| Self::ProviderModel { provider, model }),
            Scope::Account => provider()
                .zip(route.credential_binding.clone())
                .map(|(provider, binding)| Self::ProviderCredential { provider, binding }),
            Scope::Provider if code == Code::NetworkUnavailable => {
                provider().map(|provider| Self::ProviderFromHost { provider })
            }
            Scope::Provider => provider().map(|provider| Self::Provider { provider }),
        };
        wide.or_else(|| route.profile.clone().map(|profile| Self::Profile { profile }))
    }

    /// Whether the route depends on the resource, so that a degraded resource makes the route ineligible.
    #[must_use]
    pub fn concerns(&self, route: &Route) -> bool {
        let is = |held: &Option<String>, key: &String| held.as_ref() == Some(key);
        match self {
            Self::ProviderFromHost { provider } | Self::Provider { provider } => {
                is(&route.provider, provider)
            }
            Self::ProviderModel { provider, model } => {
                is(&route.provider, provider) && is(&route.model, model)
            }
            Self::ProviderCredential { provider, binding } => {
                is(&route.provider, provider) && is(&route.credential_binding, binding)
            }
            Self::Profile { profile } => is(&route.profile, profile),
        }
    }
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ProviderFromHost { provider } => write!(f, "provider {provider} from this host"),
            Self::Provider { provider } => write!(f, "provider {provider}"),
            Self::ProviderModel { provider, model } => write!(f, "model {model} of provider {provider}"),
            Self::ProviderCredential { provider, .. } => write!(f, "this credential at provider {provider}"),
            Self::Profile { profile } => write!(f, "profile {profile}"),
        }
    }
}
