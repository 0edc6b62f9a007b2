//! The closed list of formats that a rule may name for a hint.

/// How a wait or instant is written. A rule lists the formats to try, in order.
///
/// Numbers are told apart by size: an epoch lies in the years 2001 to 2100, a wait is at most a year. So
/// `[epoch_milliseconds, epoch_seconds, seconds]` picks the right one; `milliseconds` before an epoch does not,
/// since an epoch in seconds is also a plausible number of milliseconds.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A bare number of seconds: `64`, `34.5`, also with its unit: `60 seconds`.
    Seconds,
    /// A bare number of milliseconds: `50352000`, also with its unit.
    Milliseconds,
    /// Numbers with units: `6.5s`, `1h2m3s`, `2 days 3 hours`, `under a minute`, `3小时20分钟`.
    Duration,
    /// The date of HTTP in its three forms: `Sun, 06 Nov 1994 08:49:37 GMT`.
    HttpDate,
    /// Seconds since 1970: `1749924000`.
    EpochSeconds,
    /// Milliseconds since 1970: `1777420800000`.
    EpochMilliseconds,
    /// `2026-05-15T15:00:00Z`, with an offset.
    #[serde(rename = "rfc3339")]
    Rfc3339,
    /// A time of day, meaning its next occurrence: `3:04 PM`, `3am (Asia/Dubai)`, `10:57 PM GMT-3`.
    Clock,
    /// A day, with or without year, time and zone: `May 2, 2pm (UTC)`, `2026-01-02 03:04:05`. A day alone means
    /// its start.
    Date,
}

impl Format {
    /// Every format, in its declared order.
    pub const ALL: &'static [Self] = &[
        Self::Seconds,
        Self::Milliseconds,
        Self::Duration,
        Self::HttpDate,
        Self::EpochSeconds,
        Self::EpochMilliseconds,
        Self::Rfc3339,
        Self::Clock,
        Self::Date,
    ];

    /// The format's one spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Milliseconds => "milliseconds",
            Self::Duration => "duration",
            Self::HttpDate => "http_date",
            Self::EpochSeconds => "epoch_seconds",
            Self::EpochMilliseconds => "epoch_milliseconds",
            Self::Rfc3339 => "rfc3339",
            Self::Clock => "clock",
            Self::Date => "date",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}
