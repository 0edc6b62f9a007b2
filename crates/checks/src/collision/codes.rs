//! The diagnostics of the collision analysis, by slug.

faultbook_document::diagnostic_codes! {
    COLLISION = "collision": "Two rules of different codes match the same statement, and nothing separates them.";
    COLLISION_APART = "collision-apart": "Two rules of different codes share a question, each asks more, and one statement can hold both.";
    COLLISION_OVER_BUDGET = "collision-over-budget": "Two rules could not be told apart within the analyser's budget.";
    SHADOWED = "shadowed": "A stronger rule of another code matches every statement that the rule matches.";
    UNSATISFIABLE = "unsatisfiable": "No statement satisfies the rule.";
    TOO_MANY_WAYS = "too-many-ways": "A rule has more ways to match than the analyser reads.";
    WITNESS_NOT_REPRODUCED = "witness-not-reproduced": "A witness of the analyser does not reproduce in the engine: a bug of the analyser.";
}
