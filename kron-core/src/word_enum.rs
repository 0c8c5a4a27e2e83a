//! Closed vocabularies: the enums whose values are words in every text form.

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
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            /// Reads the word.
            ///
            /// # Errors
            ///
            /// [`Choice`](crate::ErrorCode::Choice), naming the words there are.
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

pub(crate) use word_enum;
