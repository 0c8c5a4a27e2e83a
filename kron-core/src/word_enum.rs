//! Closed vocabularies: the enums whose values are words in every text form.

/// The first of some literals, for examples in documentation.
macro_rules! first {
    ($first:expr $(, $more:expr)*) => {
        $first
    };
}

/// Defines an enum with one word for each value, the list of all words, and the way back from a word.
macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident, $field:literal { $($(#[$value_doc:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub enum $name { $($(#[$value_doc])* $value,)* }

        impl $name {
            /// All values, in the order in which texts list them.
            pub const ALL: &'static [$name] = &[$($name::$value),*];

            /// All words, in the order of their values.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word that stands for this value in every text form.
            ///
            /// ```
            #[doc = concat!("assert_eq!(kron_core::", stringify!($name), "::", $crate::word_enum::first!($(stringify!($value)),*),
                ".as_str(), \"", $crate::word_enum::first!($($word),*), "\");")]
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            /// Reads the word.
            ///
            /// # Errors
            ///
            /// [`Choice`](crate::ErrorCode::Choice), naming the words there are.
            ///
            /// ```
            #[doc = concat!("use kron_core::{ErrorCode, ", stringify!($name), "};")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::parse(\"", $crate::word_enum::first!($($word),*), "\")?, ",
                stringify!($name), "::", $crate::word_enum::first!($(stringify!($value)),*), ");")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::parse(\"other\").unwrap_err().code(), ErrorCode::Choice);")]
            /// # Ok::<(), kron_core::Error>(())
            /// ```
            pub fn parse(text: &str) -> Result<$name, $crate::Error> {
                match text {
                    $($word => Ok($name::$value),)*
                    _ => {
                        let kind = $crate::error::ValueError::Choice {
                            text: $crate::error::Snippet::of(text), allowed: $name::WORDS,
                        };
                        Err($crate::Error::new($field, kind).at(0..text.len()))
                    }
                }
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<$name, $crate::Error> {
                $name::parse(text).map_err(|error| error.located(text))
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use {first, word_enum};
