//! Semantic codes and their policy classes.

use crate::Scope;
use crate::words;

words! {
    /// What went wrong, in words that stay the same whichever agent or provider said it.
    pub enum Code {
        /// No answer reached us: DNS, refused or reset connection, TLS cut, timeout before any answer.
        NetworkUnavailable = "network_unavailable",
        /// The provider answered that it is broken: 500, 502, 503, 504, maintenance, stream cut by the server.
        ProviderUnavailable = "provider_unavailable",
        /// The provider says that it is overloaded.
        ProviderOverloaded = "provider_overloaded",
        /// The selected model has no capacity; another model may.
        ModelCapacity = "model_capacity",
        /// A short throttle of this account: requests or tokens a minute, concurrency, burst.
        RateLimited = "rate_limited",
        /// The pipe between host and agent died without cancellation.
        AgentTransportLost = "agent_transport_lost",
        /// A renewable allowance is used up: five hours, a day, a week, a month, the free tier.
        QuotaLimited = "quota_limited",
        /// Billing or plan state: no plan, no credit, hard spend limit, feature not in the plan.
        SubscriptionRequired = "subscription_required",
        /// A credential is there and no longer accepted: log in again.
        AuthRequired = "auth_required",
        /// No credential is configured, or the key is malformed or incorrect.
        MissingCredentials = "missing_credentials",
        /// Authenticated and forbidden: region, organisation policy, API not enabled, account suspended.
        AccessDenied = "access_denied",
        /// The model does not exist, is retired, or is not offered to this account or client.
        ModelUnavailable = "model_unavailable",
        /// Agent binary, provider entry, base URL or configuration file missing or wrong.
        ProviderNotConfigured = "provider_not_configured",
        /// The conversation is too long for the model, or the request too large because of it.
        ContextOverflow = "context_overflow",
        /// The provider refused the content.
        ContentBlocked = "content_blocked",
        /// Any other malformed or unsupported request.
        RequestInvalid = "request_invalid",
        /// The saved session cannot be continued.
        ResumeCorrupted = "resume_corrupted",
        /// The user declined a tool or permission prompt.
        PermissionDeniedByUser = "permission_denied_by_user",
        /// The user or host cancelled, or a deadline of the host passed.
        Cancelled = "cancelled",
        /// The work itself failed: tests, a tool's command, an MCP server, another service inside a tool.
        TaskError = "task_error",
        /// Git, worktree or forge failure.
        RepoError = "repo_error",
        /// The local install or machine: package cache, disk full, certificate store, memory.
        LocalRuntimeError = "local_runtime_error",
        /// The agent crashed or failed after start with no provider cause known.
        AgentRuntimeError = "agent_runtime_error",
        /// Something failed before or at the provider and nothing better can be said.
        UnknownProviderError = "unknown_provider_error",
    }
}

words! {
    /// What kind of automatic work a code may get at all. The classes do not grow.
    pub enum Class {
        /// May be retried, when the safety gate allows it.
        Transient = "transient",
        /// Never retried on the spot; may wait for a trusted reset or move along configured candidates.
        Hard = "hard",
        /// Not a provider failure: never retried, never a reason to switch.
        Outside = "outside",
        /// Unknown, weak, stale, uncorrelated or conflicting: fails closed to manual recovery.
        Unclassified = "unclassified",
    }
}

impl Code {
    /// The policy class that the code belongs to.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::NetworkUnavailable
            | Self::ProviderUnavailable
            | Self::ProviderOverloaded
            | Self::ModelCapacity
            | Self::RateLimited
            | Self::AgentTransportLost => Class::Transient,
            Self::QuotaLimited
            | Self::SubscriptionRequired
            | Self::AuthRequired
            | Self::MissingCredentials
            | Self::AccessDenied
            | Self::ModelUnavailable
            | Self::ProviderNotConfigured => Class::Hard,
            Self::ContextOverflow
            | Self::ContentBlocked
            | Self::RequestInvalid
            | Self::ResumeCorrupted
            | Self::PermissionDeniedByUser
            | Self::Cancelled
            | Self::TaskError
            | Self::RepoError
            | Self::LocalRuntimeError => Class::Outside,
            Self::AgentRuntimeError | Self::UnknownProviderError => Class::Unclassified,
        }
    }

    /// What a failure of this code says about health, unless its rule narrows it.
    #[must_use]
    pub const fn default_scope(self) -> Scope {
        match self {
            Self::NetworkUnavailable | Self::ProviderUnavailable | Self::ProviderOverloaded => {
                Scope::Provider
            }
            Self::ModelCapacity | Self::ModelUnavailable => Scope::Model,
            Self::RateLimited
            | Self::QuotaLimited
            | Self::SubscriptionRequired
            | Self::AuthRequired
            | Self::MissingCredentials
            | Self::AccessDenied => Scope::Account,
            Self::ProviderNotConfigured => Scope::Profile,
            Self::AgentTransportLost
            | Self::ContextOverflow
            | Self::ContentBlocked
            | Self::RequestInvalid
            | Self::ResumeCorrupted
            | Self::PermissionDeniedByUser
            | Self::Cancelled
            | Self::TaskError
            | Self::RepoError
            | Self::LocalRuntimeError
            | Self::AgentRuntimeError
            | Self::UnknownProviderError => Scope::Request,
        }
    }

    /// What the code says, in one line: the first sentence of its description.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::NetworkUnavailable => "no answer reached us from the provider",
            Self::ProviderUnavailable => "the provider is broken right now",
            Self::ProviderOverloaded => "the provider says it is overloaded",
            Self::ModelCapacity => "the selected model has no capacity",
            Self::RateLimited => "this account is throttled for a short time",
            Self::AgentTransportLost => "the pipe between host and agent died",
            Self::QuotaLimited => "a renewable allowance is used up",
            Self::SubscriptionRequired => "billing or the plan does not allow it",
            Self::AuthRequired => "the login is no longer accepted",
            Self::MissingCredentials => "no credential, or a wrong one, is configured",
            Self::AccessDenied => "the account is authenticated and forbidden",
            Self::ModelUnavailable => "the model does not exist or is not offered here",
            Self::ProviderNotConfigured => "the agent or the provider is not set up",
            Self::ContextOverflow => "the conversation is too long for the model",
            Self::ContentBlocked => "the provider refused the content",
            Self::RequestInvalid => "the request is malformed or unsupported",
            Self::ResumeCorrupted => "the saved session cannot be continued",
            Self::PermissionDeniedByUser => "the user declined a permission",
            Self::Cancelled => "the user or host cancelled",
            Self::TaskError => "the work itself failed",
            Self::RepoError => "git or the forge failed",
            Self::LocalRuntimeError => "the local machine or install failed",
            Self::AgentRuntimeError => "the agent crashed with no provider cause known",
            Self::UnknownProviderError => "something failed and nothing better can be said",
        }
    }
}

impl Class {
    /// Whether policy documents may configure the class.
    #[must_use]
    pub const fn is_configurable(self) -> bool {
        match self {
            Self::Transient | Self::Hard => true,
            Self::Outside | Self::Unclassified => false,
        }
    }
}
