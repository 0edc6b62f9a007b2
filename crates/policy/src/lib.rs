//! From a classification to a decision: exhaustive tables, safety gate, class-policy documents, evaluator.
