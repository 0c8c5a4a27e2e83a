//! Enums whose values are words in every text form.

/// The first of some literals, for examples in documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! first_of {
    ($first:expr $(, $more:expr)*) => {
        $first
    };
}

/// Defines an enum with one word for each value, and the list of all words. The first argument is the public path of the module.
///
/// With a field, as in `Mode, "window.mode" { ... }`, the words are the values of that field: one of them is the
/// default, and any other word is an error of that field. Without a field the words are keys, which have
/// no default; the readers of keys have their own errors.
///
/// ```
/// kron_core::word_enum! {
///     in "colors";
///     /// The color of a line.
///     Color, "color" {
///         /// As the terminal has it.
///         #[default]
///         Plain = "plain",
///         /// Red.
///         Red = "red",
///     }
/// }
///
/// assert_eq!(Color::parse("red").unwrap(), Color::Red);
/// assert_eq!(Color::WORDS, ["plain", "red"]);
/// assert_eq!(Color::parse("rad").unwrap_err().help().as_deref(), Some("did you mean `red`?"));
/// ```
#[macro_export]
macro_rules! word_enum {
    (in $path:literal; $(#[$doc:meta])* $name:ident, $field:literal { $($(#[$value_doc:meta])* $value:ident = $word:literal,)* }) => {
        $crate::word_enum! {
            in $path;
            $(#[$doc])*
            #[derive(Default)]
            pub $name { $($(#[$value_doc])* $value = $word,)* }
        }

        impl $name {
            /// Reads the word.
            ///
            /// # Errors
            ///
            /// [`Choice`]($crate::ErrorCode::Choice), naming the allowed words.
            ///
            /// ```
            #[doc = concat!("use kron_core::ErrorCode;")]
            #[doc = concat!("use ", $path, "::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::parse(\"", $crate::first_of!($($word),*), "\")?, ",
                stringify!($name), "::", $crate::first_of!($(stringify!($value)),*), ");")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::parse(\"other\").unwrap_err().code(), ErrorCode::Choice);")]
            /// # Ok::<(), kron_core::Error>(())
            /// ```
            pub fn parse(text: &str) -> Result<$name, $crate::Error> {
                $name::from_word(text).ok_or_else(|| $crate::Error::choice($field, text, $name::WORDS))
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<$name, $crate::Error> {
                $name::parse(text).map_err(|error| error.located(text))
            }
        }
    };
    (in $path:literal; $(#[$doc:meta])* $visibility:vis $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal,)* }) => {
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
            #[doc = concat!("assert_eq!(", $path, "::", stringify!($name), "::", $crate::first_of!($(stringify!($value)),*),
                ".as_str(), \"", $crate::first_of!($($word),*), "\");")]
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            /// The value of a word, if it is one.
            #[allow(dead_code, reason = "not every enum is read by this function")]
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
