//! One macro for the closed lists of the taxonomy, so that a word has one spelling everywhere.

/// Declares a closed list of words: an enum whose variants have one fixed spelling in Rust, YAML, JSON,
/// on the command line and in the documentation.
///
/// Gives `ALL`, `as_str`, `FromStr`, `Display`, and serde and schema support by that spelling. The crate that uses it
/// depends on `serde` and `schemars`.
///
/// ```
/// faultbook_taxonomy::words! {
///     /// Two ends.
///     pub enum End {
///         /// The first.
///         First = "first",
///         /// The last.
///         Last = "last",
///     }
/// }
/// assert_eq!("last".parse(), Ok(End::Last));
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        $vis enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// Every word of the list, in its declared order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word's one spelling.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownWord::new(word, &[$($word,)+])),
                }
            }
        }
    };
}

/// A word that is not in a closed list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    known: &'static [&'static str],
}

impl UnknownWord {
    /// The error for a word, with the words that are known.
    #[must_use]
    pub fn new(word: &str, known: &'static [&'static str]) -> Self {
        Self { word: word.chars().take(80).collect(), known }
    }

    /// The words that would have been accepted.
    #[must_use]
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown word `{}`; known: {}", self.word.escape_debug(), self.known.join(", "))
    }
}

impl std::error::Error for UnknownWord {}
