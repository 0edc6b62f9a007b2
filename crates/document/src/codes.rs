//! The diagnostics that this crate can give, by slug.

/// Declares a crate's diagnostic codes: one public constant each, and the table `CODES` of (slug, summary).
///
/// Slugs are kebab-case, never reused, and each has a page in the documentation.
///
/// ```
/// faultbook_document::diagnostic_codes! {
///     BAD_REGEX = "bad-regex": "A regular expression does not parse.";
/// }
/// assert_eq!(CODES, [(BAD_REGEX, "A regular expression does not parse.")]);
/// ```
#[macro_export]
macro_rules! diagnostic_codes {
    ($($name:ident = $slug:literal : $summary:literal;)*) => {
        $(#[doc = $summary] pub const $name: &str = $slug;)*
        /// Every code declared here: its slug and what it says, in one line.
        pub const CODES: &[(&str, &str)] = &[$(($slug, $summary)),*];
    };
}

diagnostic_codes! {
    NOT_UTF8 = "not-utf8": "The file is not UTF-8 text.";
    FILE_TOO_LARGE = "file-too-large": "The file is larger than the reader's limit.";
    CONTROL_CHARACTER = "control-character": "The file holds a raw control character or a text-direction mark.";
    YAML_SYNTAX = "yaml-syntax": "The text is not well-formed YAML.";
    EMPTY_DOCUMENT = "empty-document": "The file holds no document.";
    SEVERAL_DOCUMENTS = "several-documents": "The file holds more than one YAML document.";
    NESTING_TOO_DEEP = "nesting-too-deep": "Lists and mappings are nested deeper than the reader's limit.";
    TOO_MANY_NODES = "too-many-nodes": "The document has more values than the reader's limit.";
    TOO_MANY_PROBLEMS = "too-many-problems": "The file has more problems than are shown.";
    YAML_ANCHOR = "yaml-anchor": "A YAML anchor is used.";
    YAML_ALIAS = "yaml-alias": "A YAML alias is used.";
    YAML_TAG = "yaml-tag": "A YAML tag is used.";
    MERGE_KEY = "merge-key": "A YAML merge key is used.";
    DUPLICATE_KEY = "duplicate-key": "A mapping has the same key twice.";
    KEY_NOT_TEXT = "key-not-text": "A mapping key is itself a list or a mapping.";
    UNKNOWN_KEY = "unknown-key": "A mapping has a key that the format does not know.";
    MISSING_KEY = "missing-key": "A mapping lacks a key that the format requires.";
    SINGLE_KEY = "single-key": "A mapping that must have exactly one key has none or several.";
    WRONG_TYPE = "wrong-type": "A value has another type than the format asks for.";
    UNKNOWN_VALUE = "unknown-value": "A value is none of the words that the format allows.";
    WRONG_FORM = "wrong-form": "A text does not have the form that the format asks for.";
    OUT_OF_BOUNDS = "out-of-bounds": "A number, text or list is smaller or larger than the format allows.";
    DUPLICATE_ITEM = "duplicate-item": "A list that must not repeat itself holds an item twice.";
    SCHEMA_VIOLATION = "schema-violation": "A value does not satisfy the format's schema.";
}
