//! What policy knows about each code. Every table is exhaustive and has no wildcard arm: a new code does not
//! compile until each table answers for it. The class of a code stands in the taxonomy.

use faultbook_taxonomy::{Code, Scope};

use faultbook_taxonomy::words;

words! {
    /// What a person can do about a failure.
    pub enum Remedy {
        /// Log in again.
        LogIn = "log_in",
        /// Configure a credential, or correct it.
        SetCredentials = "set_credentials",
        /// Settle billing, or change the plan.
        FixBilling = "fix_billing",
        /// Wait for the allowance to renew, or use another account or plan.
        WaitForReset = "wait_for_reset",
        /// Ask for access, or use another account or region.
        RequestAccess = "request_access",
        /// Choose a model that is offered to this account.
        ChooseModel = "choose_model",
        /// Correct the configuration of the agent or the provider.
        FixConfiguration = "fix_configuration",
        /// Start a fresh session.
        StartFreshSession = "start_fresh_session",
        /// Shorten the conversation.
        ShortenContext = "shorten_context",
        /// Change the request.
        ChangeRequest = "change_request",
        /// Repair the local install or machine.
        RepairRuntime = "repair_runtime",
        /// Put the repository in order.
        ResolveRepository = "resolve_repository",
        /// Put right what the work itself ran into.
        FixTask = "fix_task",
    }
}

words! {
    /// Who has to deal with a failure that is not the provider's.
    pub enum Owner {
        /// The person who wrote the request or gave the answer.
        User = "user",
        /// The saved session.
        Session = "session",
        /// The work that the agent does.
        Task = "task",
        /// The repository and its forge.
        Repository = "repository",
        /// The local machine.
        Machine = "machine",
    }
}

words! {
    /// Whether a failure may ever move a run to another configured candidate.
    pub enum Fallback {
        /// Yes, when the gate and the candidate's policy agree.
        Allowed = "allowed",
        /// Only before the start, and only where the policy says `prestart_unknown: skip`.
        PreStartOnly = "pre_start_only",
        /// Under no policy.
        Never = "never",
    }
}

words! {
    /// The row of the interactive table.
    pub enum InteractiveRow {
        /// Retry the same profile.
        Retry = "retry",
        /// Retry the same profile only when the throttle is confirmed short.
        RetryWhenShort = "retry_when_short",
        /// Manual; the reset is shown when known, and the prompt is never replayed by time.
        ShowReset = "show_reset",
        /// A person has to act, at any confidence.
        UserAction = "user_action",
        /// Not a provider failure: its own owner.
        OwnOwner = "own_owner",
        /// Manual.
        Manual = "manual",
    }
}

words! {
    /// The row of the unattended table.
    pub enum UnattendedRow {
        /// Evaluated under `transient`, unless a validated hint is longer than a minute.
        ShortLived = "short_lived",
        /// Evaluated under `transient` when confirmed short, else under `hard`.
        Throttle = "throttle",
        /// Evaluated under `hard`.
        Allowance = "allowance",
        /// Never a wait or a retry: the route needs a person.
        UserAction = "user_action",
        /// A short retry before the start, declined after it; never a fallback.
        Transport = "transport",
        /// Declined: not a provider failure.
        Decline = "decline",
        /// `prestart_unknown` before the start, declined after it.
        Unknown = "unknown",
    }
}

/// What a failure of the code says about health, before a rule narrows it.
#[must_use]
pub const fn default_scope(code: Code) -> Scope {
    match code {
        Code::NetworkUnavailable | Code::ProviderUnavailable | Code::ProviderOverloaded => Scope::Provider,
        Code::ModelCapacity | Code::ModelUnavailable => Scope::Model,
        Code::RateLimited
        | Code::QuotaLimited
        | Code::SubscriptionRequired
        | Code::AuthRequired
        | Code::MissingCredentials
        | Code::AccessDenied => Scope::Account,
        Code::ProviderNotConfigured => Scope::Profile,
        Code::AgentTransportLost
        | Code::ContextOverflow
        | Code::ContentBlocked
        | Code::RequestInvalid
        | Code::ResumeCorrupted
        | Code::PermissionDeniedByUser
        | Code::Cancelled
        | Code::TaskError
        | Code::RepoError
        | Code::LocalRuntimeError
        | Code::AgentRuntimeError
        | Code::UnknownProviderError => Scope::Request,
    }
}

/// What a person can do; none where time or nobody helps.
#[must_use]
pub const fn remedy(code: Code) -> Option<Remedy> {
    match code {
        Code::AuthRequired => Some(Remedy::LogIn),
        Code::MissingCredentials => Some(Remedy::SetCredentials),
        Code::SubscriptionRequired => Some(Remedy::FixBilling),
        Code::QuotaLimited => Some(Remedy::WaitForReset),
        Code::AccessDenied => Some(Remedy::RequestAccess),
        Code::ModelUnavailable => Some(Remedy::ChooseModel),
        Code::ProviderNotConfigured => Some(Remedy::FixConfiguration),
        Code::ResumeCorrupted => Some(Remedy::StartFreshSession),
        Code::ContextOverflow => Some(Remedy::ShortenContext),
        Code::ContentBlocked | Code::RequestInvalid => Some(Remedy::ChangeRequest),
        Code::LocalRuntimeError => Some(Remedy::RepairRuntime),
        Code::RepoError => Some(Remedy::ResolveRepository),
        Code::TaskError => Some(Remedy::FixTask),
        Code::NetworkUnavailable
        | Code::ProviderUnavailable
        | Code::ProviderOverloaded
        | Code::ModelCapacity
        | Code::RateLimited
        | Code::AgentTransportLost
        | Code::PermissionDeniedByUser
        | Code::Cancelled
        | Code::AgentRuntimeError
        | Code::UnknownProviderError => None,
    }
}

/// Who deals with the failure; none for failures that policy itself deals with.
#[must_use]
pub const fn owner(code: Code) -> Option<Owner> {
    match code {
        Code::ContentBlocked | Code::RequestInvalid | Code::PermissionDeniedByUser | Code::Cancelled => {
            Some(Owner::User)
        }
        Code::ContextOverflow | Code::ResumeCorrupted => Some(Owner::Session),
        Code::TaskError => Some(Owner::Task),
        Code::RepoError => Some(Owner::Repository),
        Code::LocalRuntimeError => Some(Owner::Machine),
        Code::NetworkUnavailable
        | Code::ProviderUnavailable
        | Code::ProviderOverloaded
        | Code::ModelCapacity
        | Code::RateLimited
        | Code::AgentTransportLost
        | Code::QuotaLimited
        | Code::SubscriptionRequired
        | Code::AuthRequired
        | Code::MissingCredentials
        | Code::AccessDenied
        | Code::ModelUnavailable
        | Code::ProviderNotConfigured
        | Code::AgentRuntimeError
        | Code::UnknownProviderError => None,
    }
}

/// The code's row in the interactive table.
#[must_use]
pub const fn interactive_row(code: Code) -> InteractiveRow {
    match code {
        Code::NetworkUnavailable
        | Code::ProviderUnavailable
        | Code::ProviderOverloaded
        | Code::ModelCapacity
        | Code::AgentTransportLost => InteractiveRow::Retry,
        Code::RateLimited => InteractiveRow::RetryWhenShort,
        Code::QuotaLimited => InteractiveRow::ShowReset,
        Code::SubscriptionRequired
        | Code::AuthRequired
        | Code::MissingCredentials
        | Code::AccessDenied
        | Code::ModelUnavailable
        | Code::ProviderNotConfigured => InteractiveRow::UserAction,
        Code::ContextOverflow
        | Code::ContentBlocked
        | Code::RequestInvalid
        | Code::ResumeCorrupted
        | Code::PermissionDeniedByUser
        | Code::Cancelled
        | Code::TaskError
        | Code::RepoError
        | Code::LocalRuntimeError => InteractiveRow::OwnOwner,
        Code::AgentRuntimeError | Code::UnknownProviderError => InteractiveRow::Manual,
    }
}

/// The code's row in the unattended table.
#[must_use]
pub const fn unattended_row(code: Code) -> UnattendedRow {
    match code {
        Code::NetworkUnavailable
        | Code::ProviderUnavailable
        | Code::ProviderOverloaded
        | Code::ModelCapacity => UnattendedRow::ShortLived,
        Code::RateLimited => UnattendedRow::Throttle,
        Code::QuotaLimited => UnattendedRow::Allowance,
        Code::SubscriptionRequired
        | Code::AuthRequired
        | Code::MissingCredentials
        | Code::AccessDenied
        | Code::ModelUnavailable
        | Code::ProviderNotConfigured => UnattendedRow::UserAction,
        Code::AgentTransportLost => UnattendedRow::Transport,
        Code::ContextOverflow
        | Code::ContentBlocked
        | Code::RequestInvalid
        | Code::ResumeCorrupted
        | Code::PermissionDeniedByUser
        | Code::Cancelled
        | Code::TaskError
        | Code::RepoError
        | Code::LocalRuntimeError => UnattendedRow::Decline,
        Code::AgentRuntimeError | Code::UnknownProviderError => UnattendedRow::Unknown,
    }
}

/// Whether the code may ever move a run to another candidate; it follows from the unattended row.
#[must_use]
pub const fn fallback(code: Code) -> Fallback {
    match unattended_row(code) {
        UnattendedRow::ShortLived
        | UnattendedRow::Throttle
        | UnattendedRow::Allowance
        | UnattendedRow::UserAction => Fallback::Allowed,
        UnattendedRow::Unknown => Fallback::PreStartOnly,
        UnattendedRow::Transport | UnattendedRow::Decline => Fallback::Never,
    }
}
