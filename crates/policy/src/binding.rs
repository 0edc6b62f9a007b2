//! The credential binding: an opaque value that is equal exactly where two profiles provably use the same
//! credential in the same way. It holds no secret, account id, flag, model or prompt.

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The key of one installation, so that bindings say nothing outside it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BindingKey([u8; 32]);

impl BindingKey {
    /// A key of 32 random bytes, which the host makes once and keeps.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl std::fmt::Debug for BindingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BindingKey(..)")
    }
}

/// What tells one use of a credential from another. No field may hold a secret or an account id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BindingDescriptor<'a> {
    /// The family of the agent.
    pub agent_family: &'a str,
    /// How it authenticates, such as `oauth` or `api_key`.
    pub mechanism: &'a str,
    /// Where the credential comes from, such as the name of an environment variable or a file.
    pub source: &'a str,
    /// Where the agent runs: a host, a container, a user.
    pub executor_namespace: &'a str,
    /// What the authorization covers.
    pub authorization_scope: &'a str,
    /// The workspace, where the credential belongs to one.
    pub workspace: Option<&'a str>,
}

impl BindingDescriptor<'_> {
    /// The binding: 64 hexadecimal digits of HMAC-SHA-256 over the fields, each with its length before it.
    /// None where a required field is empty: what cannot be proved equal has no shared binding, and health
    /// then belongs to the profile alone.
    #[must_use]
    pub fn binding(&self, key: &BindingKey) -> Option<String> {
        let required = [
            self.agent_family,
            self.mechanism,
            self.source,
            self.executor_namespace,
            self.authorization_scope,
        ];
        if required.iter().any(|field| field.is_empty()) {
            return None;
        }
        let mut mac = Hmac::<Sha256>::new_from_slice(&key.0).ok()?;
        mac.update(b"faultbook.binding/1");
        for field in required.into_iter().map(Some).chain([self.workspace]) {
            mac.update(&[u8::from(field.is_some())]);
            let bytes = field.unwrap_or_default().as_bytes();
            mac.update(&u64::try_from(bytes.len()).ok()?.to_be_bytes());
            mac.update(bytes);
        }
        Some(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{BindingDescriptor, BindingKey};

    const KEY: BindingKey = BindingKey::new([7; 32]);
    const DESCRIPTOR: BindingDescriptor<'_> = BindingDescriptor {
        agent_family: "agent",
        mechanism: "api_key",
        source: "env:API_KEY",
        executor_namespace: "host",
        authorization_scope: "user",
        workspace: None,
    };

    #[test]
    fn the_same_descriptor_and_key_give_the_same_binding() {
        let binding = DESCRIPTOR.binding(&KEY).unwrap();
        assert_eq!(binding.len(), 64);
        assert_eq!(DESCRIPTOR.binding(&KEY), Some(binding));
    }

    #[test]
    fn every_field_and_the_key_count() {
        let variants = [
            DESCRIPTOR,
            BindingDescriptor { agent_family: "other", ..DESCRIPTOR },
            BindingDescriptor { mechanism: "oauth", ..DESCRIPTOR },
            BindingDescriptor { source: "env:OTHER", ..DESCRIPTOR },
            BindingDescriptor { executor_namespace: "box", ..DESCRIPTOR },
            BindingDescriptor { authorization_scope: "group", ..DESCRIPTOR },
            BindingDescriptor { workspace: Some(""), ..DESCRIPTOR },
            BindingDescriptor { workspace: Some("w"), ..DESCRIPTOR },
            BindingDescriptor { agent_family: "agenta", mechanism: "pi_key", ..DESCRIPTOR },
        ];
        let mut bindings: Vec<_> = variants.iter().map(|descriptor| descriptor.binding(&KEY)).collect();
        bindings.push(DESCRIPTOR.binding(&BindingKey::new([8; 32])));
        bindings.sort();
        bindings.dedup();
        assert_eq!(bindings.len(), variants.len() + 1);
    }

    #[test]
    fn an_empty_field_proves_nothing() {
        assert_eq!(BindingDescriptor { source: "", ..DESCRIPTOR }.binding(&KEY), None);
    }

    #[test]
    fn the_key_is_never_shown() {
        assert_eq!(format!("{KEY:?}"), "BindingKey(..)");
    }
}
