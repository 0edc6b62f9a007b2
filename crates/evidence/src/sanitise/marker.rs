//! The markers that stand where something was taken out.

/// What was taken out. The text of a marker is short, is never matched by any pattern, and needs
/// no escape in JSON, YAML or a shell's quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A key of a provider, forge or service, known by its form.
    ApiKey,
    /// A bearer, session or signed token.
    Token,
    /// A password, an assigned secret, or a high-entropy run.
    Secret,
    /// A private-key block.
    PrivateKey,
    /// The content of a cookie header.
    Cookie,
    /// An e-mail address.
    Email,
    /// The id of an account, organisation, workspace, session, request and the like.
    Id,
    /// A public network address.
    Address,
    /// A home directory.
    Home,
    /// The path and query of a URL.
    Path,
    /// The query of a relative URL.
    Query,
}

impl Marker {
    /// Every marker.
    pub const ALL: [Self; 11] = [
        Self::ApiKey,
        Self::Token,
        Self::Secret,
        Self::PrivateKey,
        Self::Cookie,
        Self::Email,
        Self::Id,
        Self::Address,
        Self::Home,
        Self::Path,
        Self::Query,
    ];

    /// What is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApiKey => "[api-key]",
            Self::Token => "[token]",
            Self::Secret => "[secret]",
            Self::PrivateKey => "[private-key]",
            Self::Cookie => "[cookie]",
            Self::Email => "[email]",
            Self::Id => "[id]",
            Self::Address => "[ip]",
            Self::Home => "[home]",
            Self::Path => "[path]",
            Self::Query => "[query]",
        }
    }

    /// Length of the marker that `text` starts with.
    pub(super) fn length_at(text: &str) -> Option<usize> {
        if !text.starts_with('[') {
            return None;
        }
        Self::ALL.iter().map(|marker| marker.as_str()).find(|name| text.starts_with(name)).map(str::len)
    }
}
