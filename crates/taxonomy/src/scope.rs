//! Words about weight and reach: confidence, scope, window.

use crate::words;

words! {
    /// How far an answer may be relied on. The order is from weak to strong.
    pub enum Confidence {
        /// Informs a person; authorises nothing.
        Medium = "medium",
        /// May authorise automatic work, if the safety gate agrees.
        High = "high",
    }
}

words! {
    /// What a failure says about health, from narrow to wide.
    pub enum Scope {
        /// This request only.
        Request = "request",
        /// The agent profile that was used.
        Profile = "profile",
        /// The provider's model.
        Model = "model",
        /// The account or credential at the provider.
        Account = "account",
        /// The whole provider, seen from here.
        Provider = "provider",
    }
}

words! {
    /// The length of the limit's window, where the evidence states it.
    pub enum Window {
        /// A minute or less.
        Short = "short",
        /// Longer than a minute.
        Long = "long",
    }
}
