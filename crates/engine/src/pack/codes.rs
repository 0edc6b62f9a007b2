//! The diagnostics that loading a pack can give, beside those of the document reader.

faultbook_document::diagnostic_codes! {
    UNREADABLE = "unreadable": "A file or folder cannot be read.";
    MISSING_MANIFEST = "missing-manifest": "The folder has no pack.yaml.";
    UNEXPECTED_FILE = "unexpected-file": "The folder holds something that is neither a file nor a folder, or a YAML file with another ending.";
    LINK_OUTSIDE = "link-outside": "A link leads out of the pack, to a folder, or nowhere.";
    PACK_TOO_LARGE = "pack-too-large": "The pack has more files, bytes or levels of folders than the loader reads.";
    UNSUPPORTED_VERSION = "unsupported-version": "The file's schema version is not one that this build reads.";
    UNSUPPORTED_ENGINE = "unsupported-engine": "The pack needs another engine version.";
    ENGINE_TOO_LOW = "engine-too-low": "The pack's engine requirement admits engines that lack what its rules use.";
    UNSUPPORTED_TAXONOMY = "unsupported-taxonomy": "The pack was written for another taxonomy.";
    BAD_VERSION = "bad-version": "A text is not a semantic version, or not a version requirement.";
    VERSION_ORDER = "version-order": "A version is later than the pack's own.";
    BAD_DATE = "bad-date": "A text is not a day written as YYYY-MM-DD.";
    ID_NOT_FILE_STEM = "id-not-file-stem": "A rule's id is not its file's name without the ending.";
    DUPLICATE_ID = "duplicate-id": "Two rules, or two tombstones, have the same id.";
    RETIRED_ID = "retired-id": "A rule uses the id of a retired one.";
    UNKNOWN_SUCCESSOR = "unknown-successor": "A tombstone names a successor that is not in the pack.";
    KEY_REFUSED_FOR_KIND = "key-refused-for-kind": "A rule has a key that its kind does not take.";
    KEY_MISSING_FOR_KIND = "key-missing-for-kind": "A rule lacks a key that its kind needs.";
    SPEAKER_WITHOUT_AGENT = "speaker-without-agent": "A speaker rule does not name its agents.";
    SPEAKER_NOT_ANCHORED = "speaker-not-anchored": "A speaker rule is not anchored by `starts`.";
    CHANNEL_REFUSED = "channel-refused": "A rule asks for a channel at which its kind never looks.";
    MATCH_ASKS_NOTHING = "match-asks-nothing": "A match has no condition under `all` or `any`.";
    EMPTY_LIST = "empty-list": "A list that must name something is empty.";
    EMPTY_RANGE = "empty-range": "The lower end of a range lies above its upper end.";
    ONE_TEST = "one-test": "An atom has no test, or several that exclude each other.";
    WHOLE_FALSE = "whole-false": "`whole` is not `true`.";
    BAD_POINTER = "bad-pointer": "A text is not a JSON pointer.";
    VALUE_NOT_SCALAR = "value-not-scalar": "A value to compare with is a list, a mapping or nothing.";
    STATUS_OUT_OF_RANGE = "status-out-of-range": "A number is no HTTP status.";
    EMPTY_WORDS = "empty-words": "A text to look for is empty or only blanks.";
    PHRASE_TOO_WEAK = "phrase-too-weak": "A phrase is shorter than 8 bytes or only digits, with no structured atom beside it.";
    BAD_REGEX = "bad-regex": "A regular expression does not parse.";
    REGEX_TOO_LONG = "regex-too-long": "A regular expression is longer than 256 bytes.";
    REGEX_MATCHES_EMPTY = "regex-matches-empty": "A regular expression matches the empty string.";
    REGEX_NO_LITERAL = "regex-no-literal": "A regular expression has no literal of 4 bytes that every match contains.";
    REGEX_WIDE_GAP = "regex-wide-gap": "A gap in a regular expression is wider than allowed.";
    REGEX_CAPTURES = "regex-captures": "A regular expression captures what nothing uses, or not what its hint needs.";
    HINT_SOURCE = "hint-source": "A hint does not name exactly one source.";
    HINT_BOUNDS = "hint-bounds": "A hint's bounds are negative or exclude each other.";
    UNKNOWN_ZONE = "unknown-zone": "A time zone is not in the IANA database.";
    BAND_NOT_DESERVED = "band-not-deserved": "A rule claims a band that its match does not deserve.";
    CONFIDENCE_NOT_DESERVED = "confidence-not-deserved": "A generic rule claims high confidence.";
    OVERLAY_CHANGES_NOTHING = "overlay-changes-nothing": "An overlay entry neither disables its rule nor changes it.";
}
