//! Enums whose values are words in every text form.

/// The first of some literals, for examples in documentation.
macro_rules! first {
    ($first:expr $(, $more:expr)*) => {
        $first
    };
}

/// Defines an enum with one word for each value, and the list of all words.
///
/// With a field, as in `Mode, "window.mode" { ... }`, the words are the values of that field: one of them is the
/// default, and any other word is an error of that field. Without a field the words are keys, which have
/// no default; the readers of keys have their own errors.
macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident, $field:literal { $($(#[$value_doc:meta])* $value:ident = $word:literal,)* }) => {
        $crate::word_enum::word_enum! {
            $(#[$doc])*
            #[derive(Default)]
            pub $name { $($(#[$value_doc])* $value = $word,)* }
        }

        impl $name {
            /// Reads the word.
            ///
            /// # Errors
            ///
            /// [`Choice`](crate::ErrorCode::Choice), naming the allowed words.
            ///
            /// ```
            #[doc = concat!("use kron_core::{ErrorCode, ", stringify!($name), "};")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::parse(\"", $crate::word_enum::first!($($word),*), "\")?, ",
                stringify!($name), "::", $crate::word_enum::first!($(stringify!($value)),*), ");")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::parse(\"other\").unwrap_err().code(), ErrorCode::Choice);")]
            /// # Ok::<(), kron_core::Error>(())
            /// ```
            pub fn parse(text: &str) -> Result<$name, $crate::Error> {
                $name::from_word(text).ok_or_else(|| {
                    let kind = $crate::error::ValueError::Choice {
                        text: $crate::error::Snippet::of(text), allowed: $name::WORDS,
                    };
                    $crate::Error::new($field, kind).at(0..text.len())
                })
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<$name, $crate::Error> {
                $name::parse(text).map_err(|error| error.located(text))
            }
        }
    };
    ($(#[$doc:meta])* $visibility:vis $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $visibility enum $name { $($(#[$value_doc])* $value,)* }

        impl $name {
            /// All values, in the order in which texts list them.
            pub const ALL: &'static [$name] = &[$($name::$value),*];

            /// All words, in the order of their values.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word of this value in every text form.
            ///
            /// ```
            #[doc = concat!("assert_eq!(kron_core::", stringify!($name), "::", $crate::word_enum::first!($(stringify!($value)),*),
                ".as_str(), \"", $crate::word_enum::first!($($word),*), "\");")]
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            /// The value of a word, if it is one.
            pub(crate) fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$value),)*
                    _ => None,
                }
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
