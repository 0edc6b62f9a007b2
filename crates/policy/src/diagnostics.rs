//! The diagnostics that reading a policy file can give, beside those of the document itself.

faultbook_document::diagnostic_codes! {
    POLICY_BOUNDS = "policy-bounds": "A field of a policy document lies outside its bounds.";
    LEGACY_ACTIONS = "legacy-actions": "A legacy action map cannot be turned into a policy.";
}
