//! Test support: secrets of every kind that the sanitiser knows, generated from a seed.
//!
//! Tests of every crate plant them in fields and streams and expect that no needle appears in any
//! output. Nothing here is a real secret; the forms follow the issuers' documentation.

/// A secret to plant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlantedSecret {
    /// What it is, for a failing test's message.
    pub kind: &'static str,
    /// What to put into the field: the secret with the words that make it recognisable.
    pub text: String,
    /// The part that must not appear in any output.
    pub needle: String,
}

const ALPHANUMERIC: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const DIGITS: &[u8] = b"0123456789";
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/// Small deterministic generator (SplitMix64): the same seed plants the same secrets everywhere.
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn of(&mut self, alphabet: &[u8], length: usize) -> String {
        let size = alphabet.len().max(1) as u64;
        (0..length)
            .filter_map(|_| alphabet.get(usize::try_from(self.next() % size).unwrap_or(0)))
            .map(|byte| char::from(*byte))
            .collect()
    }

    fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|length| self.of(HEX, length)).join("-")
    }
}

/// Keys and tokens that a prefix proves: name, what stands before the random part, its alphabet,
/// its length.
const KEYS: &[(&str, &str, &[u8], usize)] = &[
    ("anthropic", "sk-ant-api03-", URL_SAFE, 93),
    ("anthropic-admin", "sk-ant-admin01-", URL_SAFE, 93),
    ("claude-oauth", "sk-ant-oat01-", URL_SAFE, 93),
    ("claude-session", "sk-ant-sid01-", URL_SAFE, 93),
    ("openai", "sk-", ALPHANUMERIC, 48),
    ("openai-project", "sk-proj-", URL_SAFE, 120),
    ("openai-service", "sk-svcacct-", URL_SAFE, 100),
    ("openai-session", "sess-", ALPHANUMERIC, 40),
    ("openrouter", "sk-or-v1-", HEX, 64),
    ("deepseek-dashscope", "sk-", HEX, 32),
    ("kimi", "sk-kimi-", ALPHANUMERIC, 48),
    ("google", "AIza", URL_SAFE, 35),
    ("google-oauth", "ya29.", URL_SAFE, 100),
    ("google-refresh", "1//0", URL_SAFE, 60),
    ("google-client-secret", "GOCSPX-", URL_SAFE, 28),
    ("groq", "gsk_", ALPHANUMERIC, 52),
    ("xai", "xai-", ALPHANUMERIC, 80),
    ("hugging-face", "hf_", ALPHANUMERIC, 34),
    ("replicate", "r8_", ALPHANUMERIC, 37),
    ("nvidia", "nvapi-", URL_SAFE, 64),
    ("fireworks", "fw_", ALPHANUMERIC, 24),
    ("cerebras", "csk-", LOWER, 48),
    ("together", "tgp_v1_", ALPHANUMERIC, 43),
    ("perplexity", "pplx-", ALPHANUMERIC, 48),
    ("tavily", "tvly-dev-", ALPHANUMERIC, 32),
    ("langsmith", "lsv2_pt_", HEX, 32),
    ("cursor", "key_", HEX, 64),
    ("amp", "sgamp_user_", ALPHANUMERIC, 48),
    ("sourcegraph", "sgp_", HEX, 40),
    ("bedrock", "ABSK", ALPHANUMERIC, 109),
    ("aws-access-key", "AKIA", UPPER, 16),
    ("aws-session-key", "ASIA", UPPER, 16),
    ("alibaba", "LTAI", ALPHANUMERIC, 20),
    ("github", "ghp_", ALPHANUMERIC, 36),
    ("github-oauth", "gho_", ALPHANUMERIC, 36),
    ("github-user", "ghu_", ALPHANUMERIC, 36),
    ("github-server", "ghs_", ALPHANUMERIC, 36),
    ("github-refresh", "ghr_", ALPHANUMERIC, 76),
    ("github-fine-grained", "github_pat_", ALPHANUMERIC, 82),
    ("gitlab", "glpat-", URL_SAFE, 20),
    ("gitlab-runner", "glrt-", URL_SAFE, 20),
    ("atlassian", "ATATT3", URL_SAFE, 186),
    ("slack-bot", "xoxb-", ALPHANUMERIC, 50),
    ("slack-user", "xoxp-", ALPHANUMERIC, 70),
    ("slack-app", "xapp-1-", ALPHANUMERIC, 60),
    ("stripe", "sk_live_", ALPHANUMERIC, 24),
    ("stripe-restricted", "rk_live_", ALPHANUMERIC, 24),
    ("stripe-webhook", "whsec_", ALPHANUMERIC, 32),
    ("npm", "npm_", ALPHANUMERIC, 36),
    ("pypi", "pypi-AgEIcHlwaS5vcmc", URL_SAFE, 60),
    ("rubygems", "rubygems_", HEX, 48),
    ("docker", "dckr_pat_", ALPHANUMERIC, 27),
    ("digitalocean", "dop_v1_", HEX, 64),
    ("databricks", "dapi", HEX, 32),
    ("doppler", "dp.pt.", ALPHANUMERIC, 43),
    ("vault", "hvs.", ALPHANUMERIC, 95),
    ("pulumi", "pul-", HEX, 40),
    ("shopify", "shpat_", HEX, 32),
    ("twilio-key", "SK", HEX, 32),
    ("twilio-account", "AC", HEX, 32),
    ("mailgun", "key-", HEX, 32),
    ("sentry", "sntrys_", ALPHANUMERIC, 60),
    ("new-relic", "NRAK-", UPPER, 27),
    ("postman", "PMAK-", ALPHANUMERIC, 59),
    ("linear", "lin_api_", ALPHANUMERIC, 40),
    ("notion", "ntn_", ALPHANUMERIC, 46),
    ("figma", "figd_", URL_SAFE, 40),
    ("grafana", "glsa_", ALPHANUMERIC, 41),
    ("tailscale", "tskey-auth-", ALPHANUMERIC, 32),
    ("supabase", "sbp_", HEX, 40),
    ("planetscale", "pscale_tkn_", URL_SAFE, 43),
    ("age", "AGE-SECRET-KEY-1", UPPER, 58),
    ("openshift", "sha256~", URL_SAFE, 43),
    ("sendinblue", "xkeysib-", HEX, 64),
    ("moonshot-access", "ak-", LOWER, 20),
];

/// Identifiers: name, words before, alphabet, length, words after.
const IDENTIFIERS: &[(&str, &str, &[u8], usize, &str)] = &[
    ("request-id", "req_011C", ALPHANUMERIC, 20, ""),
    ("organisation-id", "org-", ALPHANUMERIC, 24, ""),
    ("account-id", "acct_1", ALPHANUMERIC, 16, ""),
    ("user-id", "user_2", ALPHANUMERIC, 26, ""),
    ("project-id", "proj_", ALPHANUMERIC, 24, ""),
    ("workspace-id", "wrkspc_id: wrk_01", UPPER, 24, ""),
    ("session-id", "ses_1f2a", ALPHANUMERIC, 22, ""),
    ("tool-use-id", "toolu_01", ALPHANUMERIC, 22, ""),
    ("chat-completion-id", "chatcmpl-", ALPHANUMERIC, 29, ""),
    ("cloudflare-ray", "cf-ray: 9", HEX, 15, "-HKG"),
    ("labelled-request", "(request id: 8", HEX, 15, ")"),
    ("json-account-id", "{\"account_id\": \"a1", LOWER, 10, "\"}"),
    ("arn-account", "arn:aws:bedrock:us-east-1:4", DIGITS, 11, ":inference-profile/us.claude"),
    ("project-number", "consumer projects/7", DIGITS, 11, "/locations/global"),
    ("project-name", "consumer 'project_number:6", DIGITS, 11, "'"),
    ("account-number", "AWS account 5", DIGITS, 11, " is not authorized"),
];

/// Secrets that only their surroundings give away: name, words before, alphabet, length, words
/// after.
const ASSIGNED: &[(&str, &str, &[u8], usize, &str)] = &[
    ("password-assignment", "password=", ALPHANUMERIC, 12, ""),
    ("password-colon", "PASSWORD: p7", LOWER, 10, ""),
    ("password-flag", "--password q", LETTERS, 12, ""),
    ("password-json", "{\"password\":\"", ALPHANUMERIC, 9, "\"}"),
    ("passphrase", "passphrase: \"correct horse ", LETTERS, 9, "\""),
    ("api-key-json", "{\"api_key\": \"k", LOWER, 20, "\"}"),
    ("api-key-escaped-json", "{\\\"apiKey\\\": \\\"k", LOWER, 20, "\\\"}"),
    ("api-key-header", "x-api-key: 4a", ALPHANUMERIC, 30, ""),
    ("azure-key", "api-key: 4a", HEX, 30, ""),
    ("secret-environment", "CLIENT_SECRET='", ALPHANUMERIC, 30, "'"),
    ("aws-secret", "aws_secret_access_key = ", ALPHANUMERIC, 40, ""),
    ("azure-account-key", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=", BASE64, 86, "=="),
    ("azure-signature", "?sv=2024&sig=", ALPHANUMERIC, 44, ""),
    ("bearer", "Authorization: Bearer ", URL_SAFE, 40, ""),
    ("bearer-alone", "sent Bearer a1", URL_SAFE, 30, ""),
    ("basic", "Authorization: Basic ", ALPHANUMERIC, 24, "=="),
    ("npm-auth", "//registry.example.com/:_authToken=", ALPHANUMERIC, 30, ""),
    ("cookie", "Cookie: theme=dark; sid=", ALPHANUMERIC, 26, ""),
    ("set-cookie", "set-cookie: __cf_bm=", URL_SAFE, 43, "; path=/; HttpOnly"),
    ("url-password", "postgres://app:", ALPHANUMERIC, 14, "@db.example.com:5432/app"),
    ("url-token", "https://x-access-token:", ALPHANUMERIC, 14, "@example.com/a.git"),
    ("url-path", "https://example.com/private/", LETTERS, 9, "/x"),
    ("url-query", "https://example.com/?q=", LETTERS, 9, "&b=1"),
    ("slack-webhook", "https://hooks.slack.com/services/T0", UPPER, 34, ""),
    ("curl-user", "curl -u admin:", ALPHANUMERIC, 12, " https://example.com"),
    ("email", "", LETTERS, 9, ".doe@example.com"),
    ("email-domain", "ops@", LETTERS, 12, ".example.org"),
    ("home-linux", "/home/u", LETTERS, 9, "/src/a.rs:3:7"),
    ("home-macos", "/Users/u", LETTERS, 9, "/src/a.rs"),
    ("home-windows", "C:\\Users\\u", LETTERS, 9, "\\work\\a.rs"),
    ("home-windows-escaped", "C:\\\\Users\\\\u", LETTERS, 9, "\\\\work\\\\a.rs"),
    ("home-tilde", "~u", LETTERS, 9, "/.ssh/config"),
    ("home-encoded", "/.claude/projects/-home-u", LETTERS, 9, "-work"),
    ("high-entropy", "value ", ALPHANUMERIC, 40, " seen"),
    ("high-entropy-hex", "value ", HEX, 40, " seen"),
    ("high-entropy-base64", "value ", BASE64, 64, "== seen"),
    ("telegram", "bot 8123456789:AA", URL_SAFE, 33, ""),
    ("mailchimp", "", HEX, 32, "-us12"),
    ("zhipu", "", HEX, 32, ".Ab3dEf7hIj1lMn9p"),
    ("azure-client-secret", "abc8Q~", ALPHANUMERIC, 34, ""),
];

/// Secrets of every kind, the same for the same `seed`.
#[must_use]
pub fn secrets(seed: u64) -> Vec<PlantedSecret> {
    let mut seeded = Seeded(seed);
    let mut planted = Vec::new();
    for (kind, prefix, alphabet, length) in KEYS {
        let needle = seeded.of(alphabet, *length);
        planted.push(PlantedSecret { kind, text: [prefix, needle.as_str()].concat(), needle });
    }
    for (kind, before, alphabet, length, after) in IDENTIFIERS.iter().chain(ASSIGNED) {
        let needle = seeded.of(alphabet, *length);
        planted.push(PlantedSecret { kind, text: [before, needle.as_str(), after].concat(), needle });
    }
    planted.extend(composed(&mut seeded));
    planted
}

/// Secrets of several parts.
fn composed(seeded: &mut Seeded) -> Vec<PlantedSecret> {
    let uuid = seeded.uuid();
    let signature = seeded.of(URL_SAFE, 43);
    let body = seeded.of(URL_SAFE, 60);
    let lines: Vec<String> = (0..4).map(|_| seeded.of(BASE64, 64)).collect();
    let plain = lines.join("\n");
    let escaped = lines.join("\\n");
    let address = format!("198.51.{}.{}", seeded.next() % 200 + 10, seeded.next() % 200 + 10);
    let sendgrid = (seeded.of(URL_SAFE, 22), seeded.of(URL_SAFE, 43));
    let discord = seeded.of(URL_SAFE, 27);
    let first = lines.first().cloned().unwrap_or_default();
    let secret = |kind, text, needle: &str| PlantedSecret { kind, text, needle: needle.to_owned() };
    vec![
        secret("uuid", uuid.clone(), &uuid),
        secret("session-uuid", format!("session {uuid} ended"), &uuid),
        secret("json-web-token", format!("eyJhbGciOiJIUzI1NiJ9.eyJ{body}.{signature}"), &signature),
        secret("json-web-token-cut", format!("eyJhbGciOiJIUzI1NiJ9.eyJ{body}"), &body),
        secret(
            "private-key",
            format!("-----BEGIN RSA PRIVATE KEY-----\n{plain}\n-----END RSA PRIVATE KEY-----"),
            &first,
        ),
        secret(
            "private-key-escaped",
            format!("-----BEGIN PRIVATE KEY-----\\n{escaped}\\n-----END PRIVATE KEY-----"),
            &first,
        ),
        secret("private-key-cut", format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{plain}"), &first),
        secret(
            "pgp-key",
            format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{plain}\n-----END PGP PRIVATE KEY BLOCK-----"),
            &first,
        ),
        secret("address", format!("your address {address} is blocked"), &address),
        secret("sendgrid", format!("SG.{}.{}", sendgrid.0, sendgrid.1), &sendgrid.1),
        secret("discord", format!("MTA4NzY1NDMyMTA5ODc2NTQz.GabCde.{discord}"), &discord),
    ]
}
