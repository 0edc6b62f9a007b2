//! What rule authors and CI need: collisions, suites, matrix, mutants, scoring and reports.
