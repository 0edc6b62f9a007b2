//! The table of patterns and the one automaton made of them.
//!
//! A pattern either covers what must go (a *token*), or only the label in front of it (an
//! *assignment*), in which case the value is measured afterwards. Byte semantics; every match
//! begins and ends at an ASCII byte or a whole character.

use std::sync::LazyLock;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::keys;

/// What a pattern found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A scheme, `://` and all that follows without a blank.
    Url,
    /// First line of a private-key block.
    PrivateKey,
    /// A key whose form alone proves it.
    Key,
    /// A key whose prefix also occurs in ordinary words: the rest must look random.
    LikelyKey,
    /// A JSON web token, whole or cut.
    SignedToken,
    /// Something that proves a token by its form.
    Token,
    /// An e-mail address.
    Email,
    /// A UUID, or another identifier whose form alone proves it.
    Identifier,
    /// A prefixed identifier: the rest must look random.
    LikelyIdentifier,
    /// Label of an identifier (`request id: `).
    IdentifierLabel,
    /// Label that names an identifier only when a number or a random run follows (`account `).
    NumberLabel,
    /// A JSON key that is itself an identifier's name (`"session": `).
    IdentifierKey,
    /// Parent segment of a resource name (`projects/`).
    Resource,
    /// An ARN up to its account number.
    Arn,
    /// `/home/`, `/Users/`, `C:\Users\`.
    Home,
    /// A home directory as agents encode it in directory names (`/-home-dev`).
    EncodedHome,
    /// `~name/`.
    Tilde,
    /// The query of a relative URL.
    Query,
    /// An IPv4 address.
    Address4,
    /// An IPv6 address.
    Address6,
    /// Label of a password.
    Password,
    /// Command-line flag with a password.
    PasswordFlag,
    /// Label of a key, secret or token.
    Credential,
    /// Command-line flag with a key, secret or token.
    CredentialFlag,
    /// A label that ordinary text uses as well (`token`, `key`).
    WeakCredential,
    /// Authorization header, its scheme included.
    Authorization,
    /// `Bearer `.
    Bearer,
    /// `Basic `.
    Basic,
    /// Cookie header.
    Cookie,
    /// `-u ` of curl and the like.
    UserFlag,
}

/// What may stand directly before a token besides a word boundary: an escape of JSON, a colour
/// sequence, a percent escape. Scanners that ask for a word boundary miss `\nsk-…`.
const LEAD: &str = r"(?:\b|_|\\[nrtbfv]|\\u[0-9A-Fa-f]{4}|\x1b\[[0-9;]*m|%[0-9A-Fa-f]{2})";

/// Between a label and its value: closing quotes of a JSON key, then a separator.
const ASSIGN: &str = r#"["'`\\]{0,18}\s{0,3}(?:=>|:=|==|=|:|\xef\xbc\x9a)\s{0,3}"#;

const KEY_WORDS: &str = "api[_ -]?key|api[_ -]?secret|(?:access|private|secret|signing|encryption|master|account|\
    storage|subscription|shared|service|deploy|license|admin)[_ -]?keys?|secret[_ -]?access[_ -]?key|\
    (?:client|consumer|app|shared|webhook|jwt|signing|oauth|user)[_ -]?secret|secret|\
    (?:access|refresh|id|auth|session|bearer|security|oauth|personal[_ -]access|bot|csrf|xsrf|api|registration|push|\
    device|app|user|admin|deploy|private|github|gitlab|gh|npm|hf|vault|service)[_ -]?token|_authToken|_auth|\
    csrftoken|client[_ -]?assertion|connection[_ -]?string|AccountKey|SharedAccessKey|SharedAccessSignature|\
    session[_ -]?key|sessid|connect\\.sid|__cf_bm|cf_clearance|_session|x-api-key|x-goog-api-key|\
    x-amz-security-token|x-auth-token|\u{5bc6}\u{94a5}|\u{5bc6}\u{9470}";

const PASSWORD_WORDS: &str = "password|passwd|passphrase|passcode|passwort|kennwort|contrase(?:\u{f1}|n)a|senha|\
    mot de passe|pwd|db[_-]?pass|pgpass|\u{43f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}|\u{5bc6}\u{7801}|\
    \u{5bc6}\u{78bc}|\u{53e3}\u{4ee4}|\u{30d1}\u{30b9}\u{30ef}\u{30fc}\u{30c9}";

const FLAG_WORDS: &str = "token|api[_-]?key|secret|access[_-]?token|auth[_-]?token|client[_-]?secret|key|pat|\
    access[_-]?key|secret[_-]?key|private[_-]?key|credential|bearer|oauth[_-]?token";

const ID_WORDS: &str = "request|req|trace|span|correlation|session|conversation|thread|account|acct|organi[sz]ation|\
    org|workspace|user|tenant|client|customer|project|subscription|installation|device|execution|run|message|event|\
    ray|invocation|activity|operation|job|chat|call|log|login|member|team|machine|host|instance|response|generation|\
    turn|billing|profile|directory|transaction|submission|prompt|sub|cf|amz-cf|vercel|distinct|anonymous|key";

const TABLE: &[(Kind, &str)] = &[
    (Kind::Url, r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\x00-\x20"'<>`\\|\x7f]*"#),
    (Kind::PrivateKey, "-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|PGP MESSAGE)"),
    (Kind::Password, "(?i:{P}){A}"),
    (Kind::PasswordFlag, r"(?i:--(?:password|passwd|pass|passphrase|passwort))(?:=|\s{1,3})"),
    (Kind::CredentialFlag, r"(?i:--(?:[a-z]{1,20}-)?(?:{F}))(?:=|\s{1,3})"),
    (
        Kind::Authorization,
        r"(?i:{L}(?:proxy-|x-)?authorization{A}[\x22'\\`]{0,18}(?:(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256|bot|key)\s{1,3})?)",
    ),
    (Kind::Cookie, r"(?i:{L}(?:set-)?cookies?2?{A})"),
    (Kind::Credential, "(?i:{K}){A}"),
    (
        Kind::IdentifierLabel,
        r#"(?i:(?:{I})[ _-]?(?:id|uuid|guid|identifier))\b["'`\\]{0,18}(?:\s{0,3}(?:=>|=|:|#|\xef\xbc\x9a|is\b:?))?\s{0,3}"#,
    ),
    (
        Kind::IdentifierLabel,
        r"(?i:{L}cf-ray|{L}traceparent|{L}x-cloud-trace-context|{L}x-amzn-requestid|{L}x-amz-id-2|{L}x-served-by|{L}openai-organization|{L}openai-project|{L}x-goog-user-project|{L}logid){A}",
    ),
    (
        Kind::IdentifierKey,
        r#"(?i:["'](?:session|execution|organi[sz]ation|workspace|account|tenant|project|conversation|thread|instance)\\{0,15}["']\s{0,3}:\s{0,3})"#,
    ),
    (
        Kind::NumberLabel,
        r#"(?i:{L}(?:account|project|organi[sz]ation|workspace|tenant|user|customer|subscription|session|thread|request|team)(?:[ _-](?:number|no\.?|name|key))?)["'`\\]{0,18}(?:\s{1,2}[:#=]?|[:#=])\s{0,3}"#,
    ),
    (
        Kind::Resource,
        r"{L}(?:projects|organizations|folders|billingAccounts|subscriptions|resourceGroups|workspaces|accounts|orgs|tenants)/",
    ),
    (Kind::Arn, r"{L}arn:aws[a-z-]{0,10}:[a-z0-9-]{0,40}:[a-z0-9-]{0,30}:"),
    (Kind::Bearer, r#"(?i:{L}bearer)["'\\]{0,18}[\s:=]{1,3}["'\\<]{0,3}"#),
    (Kind::Basic, r"{L}[Bb]asic\s{1,3}"),
    (Kind::UserFlag, r#"(?:\s|\A)(?:-u|--user)[= ]{1,2}["']?[^\s:"']{1,64}:"#),
    (Kind::Key, r"sk-(?:ant|proj|or|svcacct|admin|kimi|lf|cp|sp|None)-(?:[A-Za-z0-9_*-]|\.{3}){4,}"),
    (Kind::Key, r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{12,}"),
    (Kind::Key, r"{L}[0-9a-f]{32}\.[A-Za-z0-9]{16}\b"),
    (Kind::Key, r"{L}[0-9a-f]{32}-us[0-9]{1,2}\b"),
    (Kind::Key, r"{L}(?:AC|SK)[0-9a-f]{32}\b"),
    (Kind::Key, r"{L}[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{20,}"),
    (Kind::Key, r"{L}pat[A-Za-z0-9]{14}\.[0-9a-f]{32,}"),
    (Kind::Key, r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    (Kind::Key, r"{L}4b1d[A-Za-z0-9]{38}"),
    (Kind::Key, r"{L}API-[A-Z0-9]{26,}"),
    (Kind::Key, r"{L}A3-[A-Z0-9]{6}-[A-Z0-9-]{20,}"),
    (Kind::Key, r"{L}v1\.0-[0-9a-f]{24}-[0-9a-f]{20,}"),
    (Kind::Token, r"{L}[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"),
    (Kind::Token, r"{L}[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{5,8}\.[A-Za-z0-9_-]{20,}"),
    (
        Kind::Token,
        r"(?i:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/)[A-Za-z0-9_/-]+",
    ),
    (Kind::Token, r"{L}tid=[0-9a-f]{16,}[^\x00-\x20\x22'\\]*"),
    (Kind::Credential, r"(?i:[?&;\s](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-credential)=)"),
    (Kind::SignedToken, r"{L}ey[JI][A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,4}"),
    (Kind::LikelyKey, r"{L}sk-(?:[A-Za-z0-9_*-]|\.{3}){8,}"),
    (Kind::LikelyKey, "{L}(?:{PLAIN})[A-Za-z0-9]{12,}"),
    (Kind::LikelyKey, "{L}(?:{URL_SAFE})[A-Za-z0-9_.=/+-]{12,}"),
    (Kind::Identifier, r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"),
    (Kind::Identifier, r"{L}[0-9]{6,}-[a-z0-9]{16,}\.apps\.googleusercontent\.com"),
    (Kind::LikelyIdentifier, r"{L}(?:{IDENTIFIER})[_-][A-Za-z0-9_-]{6,}"),
    (
        Kind::Email,
        r"(?:[A-Za-z0-9._%+-]|[\xc3-\xdf][\x80-\xbf])+(?:@|%40|\\u0040)(?:[A-Za-z0-9-]|[\xc3-\xdf][\x80-\xbf])+(?:\.(?:[A-Za-z0-9-]|[\xc3-\xdf][\x80-\xbf])+)*\.[A-Za-z]{2,}",
    ),
    (
        Kind::Home,
        r"(?:[A-Za-z]:)?(?:/|\\{1,16}|%2[Ff])(?:home|Users|(?i:users|Documents and Settings))(?:/|\\{1,16}|%2[Ff])",
    ),
    (Kind::EncodedHome, r"(?:\b[A-Za-z]-)?-(?:home|Users)-[A-Za-z0-9]+"),
    (Kind::Tilde, r"~[A-Za-z_][A-Za-z0-9_-]{0,31}[/\\]"),
    (Kind::Query, r#"[/A-Za-z0-9_-]\?[A-Za-z0-9_.%\[\]-]{1,64}=[^\x00-\x20"'<>\\]*"#),
    (Kind::Address4, r"{L}[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b"),
    (Kind::Address6, r"{L}(?:[0-9A-Fa-f]{1,4}:{1,2}){2,7}[0-9A-Fa-f]{1,4}\b"),
    (Kind::WeakCredential, "(?i:{L}(?:token|key|pass|credentials?|sid|signature|auth)){A}"),
];

/// All patterns as one automaton, with the kind of each.
pub(super) struct Patterns {
    /// Searches for all patterns at once; leftmost wins, then the table's order.
    pub(super) regex: Regex,
    kinds: Vec<Kind>,
}

impl Patterns {
    /// The kind of the pattern with index `pattern`.
    pub(super) fn kind(&self, pattern: usize) -> Option<Kind> {
        self.kinds.get(pattern).copied()
    }
}

/// Built once; a pure value, kept because building it costs milliseconds.
pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let texts: Vec<String> = TABLE.iter().map(|(_, text)| expand(text)).collect();
    let regex = Regex::builder()
        .configure(Regex::config().hybrid_cache_capacity(8 * 1024 * 1024).utf8_empty(false))
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build_many(&texts)
        .expect("the pattern table is a constant and a test builds it");
    Patterns { regex, kinds: TABLE.iter().map(|(kind, _)| *kind).collect() }
});

fn expand(text: &str) -> String {
    text.replace("{A}", ASSIGN)
        .replace("{L}", LEAD)
        .replace("{K}", KEY_WORDS)
        .replace("{P}", PASSWORD_WORDS)
        .replace("{F}", FLAG_WORDS)
        .replace("{I}", ID_WORDS)
        .replace("{PLAIN}", &keys::alternation(keys::PLAIN))
        .replace("{URL_SAFE}", &keys::alternation(keys::URL_SAFE))
        .replace("{IDENTIFIER}", &keys::alternation(keys::IDENTIFIER))
}
