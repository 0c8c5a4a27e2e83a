//! The one error type: a stable code, the field, the place, the text and the help.
//!
//! The tree of this folder mirrors the parsers: the file of each family of errors has its data, its codes and every
//! message, and no message is anywhere else. Creating an error formats nothing.

mod calendar;
mod calendar_names;
mod code;
mod constraint;
mod cron;
mod days;
pub(crate) mod finding;
pub(crate) mod list;
mod message;
mod place;
mod search;
mod snippet;
mod text;
mod value;
mod zone;

#[cfg(feature = "serde")]
mod receipt;
#[cfg(feature = "serde")]
mod structure;

use alloc::{
    borrow::Cow,
    boxed::Box,
    string::{String, ToString},
    sync::Arc,
};
use core::{fmt, ops::Range};

pub(crate) use self::calendar::CalendarError;
pub(crate) use self::calendar_names::{CalendarNames, WEEKDAYS};
pub use self::code::ErrorCode;
pub(crate) use self::constraint::ConstraintError;
pub(crate) use self::cron::{CronError, DialectMeaning, Follows};
pub(crate) use self::days::DaysError;
pub use self::finding::{Finding, FindingCode, Severity};
pub use self::list::{ErrorList, Errors};
pub use self::message::ErrorMessage;
pub(crate) use self::place::PlaceError;
pub use self::place::Taken;
#[cfg(feature = "serde")]
pub(crate) use self::receipt::ReceiptSchema;
pub(crate) use self::search::SearchError;
pub(crate) use self::snippet::distance_within;
pub use self::snippet::{Place, Snippet, nearest};
#[cfg(feature = "serde")]
pub use self::structure::StructureError;
pub(crate) use self::text::TextError;
pub(crate) use self::value::{DurationWhy, ValueError, in_known_units};
pub(crate) use self::zone::{ZoneError, ZoneHelp};

/// Why a text, a value or a search was refused.
///
/// The message is one lower-case sentence that names the place, the offending text and, where one exists, the help:
///
/// ```
/// let error = "61 * * * *".parse::<kron_core::Cron>().unwrap_err();
/// assert_eq!(error.to_string(), "schedule.minute: `61` at column 1 is not in 0 to 59");
/// assert_eq!(error.code(), kron_core::ErrorCode::CronOutOfRange);
/// assert_eq!(error.field(), "schedule.minute");
/// assert_eq!(error.span(), Some(0..2));
///
/// let error = "0 9 * * FRI-SUN".parse::<kron_core::Cron>().unwrap_err();
/// assert_eq!(error.help().as_deref(), Some("write `FRI-7`"));
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: Kind,
    field: Cow<'static, str>,
    span: Option<Range<usize>>,
    /// One-based, in characters; set when the whole input is known.
    column: Option<usize>,
    /// One-based; only files have lines.
    line: Option<usize>,
    /// One-based; only files of several documents have them.
    document: Option<usize>,
    /// Instead of the help of the kind.
    help: Option<Box<str>>,
}

/// What is wrong. The families of this crate, each in its own file, are kept without a further allocation.
#[derive(Clone)]
pub(crate) enum Kind {
    Cron(CronError),
    Text(TextError),
    Value(ValueError),
    Constraint(ConstraintError),
    Days(DaysError),
    Calendar(CalendarError),
    Search(SearchError),
    Place(PlaceError),
    Zone(ZoneError),
    #[cfg(feature = "serde")]
    Structure(StructureError),
    #[cfg(feature = "serde")]
    Receipt(ReceiptSchema),
    /// An error of a crate above.
    Other(Arc<dyn ErrorMessage>),
}

macro_rules! kind_from {
    ($($(#[$attribute:meta])* $leaf:ident => $variant:ident,)*) => {
        $($(#[$attribute])* impl From<$leaf> for Kind {
            #[cold]
            #[inline(never)]
            fn from(leaf: $leaf) -> Kind { Kind::$variant(leaf) }
        })*

        impl Kind {
            fn message(&self) -> &dyn ErrorMessage {
                match self {
                    $($(#[$attribute])* Kind::$variant(leaf) => leaf,)*
                    Kind::Other(message) => &**message,
                }
            }
        }
    };
}

kind_from! {
    CronError => Cron,
    TextError => Text,
    ValueError => Value,
    ConstraintError => Constraint,
    DaysError => Days,
    CalendarError => Calendar,
    SearchError => Search,
    PlaceError => Place,
    ZoneError => Zone,
    #[cfg(feature = "serde")]
    StructureError => Structure,
    #[cfg(feature = "serde")]
    ReceiptSchema => Receipt,
}

impl Error {
    /// An error of a field, for a crate that has errors of its own; see [`ErrorMessage`] for an example. The field is empty if the
    /// error is about the whole input.
    ///
    /// ```
    /// use kron_core::Error;
    /// use kron_core::error::StructureError;
    /// let error = Error::new("spec", StructureError::Type { found: "a list", want: "an object" });
    /// assert_eq!(error.field(), "spec");
    /// ```
    #[cold]
    #[inline(never)]
    pub fn new(field: impl Into<Cow<'static, str>>, message: impl ErrorMessage) -> Error {
        Error::of(field, Kind::Other(Arc::new(message)))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn of(field: impl Into<Cow<'static, str>>, kind: impl Into<Kind>) -> Error {
        Error(Box::new(Inner {
            kind: kind.into(),
            field: field.into(),
            span: None,
            column: None,
            line: None,
            document: None,
            help: None,
        }))
    }

    /// The error of a text that is none of the allowed words. Its help is the word that is most like it.
    ///
    /// ```
    /// let error = kron_core::Error::choice("color", "blu", &["red", "blue"]);
    /// assert_eq!(error.to_string(), "color: expected `red` or `blue`, but found `blu`; did you mean `blue`?");
    /// ```
    #[cold]
    pub fn choice(
        field: impl Into<Cow<'static, str>>,
        text: &str,
        allowed: &'static [&'static str],
    ) -> Error {
        let message = ValueError::Choice { text: Snippet::of(text), allowed };
        Error::of(field, message).at(0..text.len())
    }

    /// The error of two jobs of one name.
    ///
    /// ```
    /// let error = kron_core::Error::repeated_name("db/backup");
    /// assert_eq!(error.code(), kron_core::ErrorCode::FileRepeatedName);
    /// ```
    #[cold]
    pub fn repeated_name(name: &str) -> Error {
        Error::of("name", TextError::RepeatedName { name: Snippet::of(name), first: None })
    }

    /// The same error, at these bytes of the input.
    ///
    /// ```
    /// let error = kron_core::Duration::parse("2d").unwrap_err().at(4..6);
    /// assert_eq!(error.span(), Some(4..6));
    /// ```
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Error {
        self.0.span = Some(span);
        self
    }

    /// The same error with another help, for a reader that sees more of the text than the one that found the error.
    ///
    /// ```
    /// let error = kron_core::Cron::parse("0 9 L * *").unwrap_err().with_help("write `0 9 28 * *`".to_string());
    /// assert_eq!(error.help().as_deref(), Some("write `0 9 28 * *`"));
    /// ```
    #[must_use]
    pub fn with_help(mut self, help: String) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// The same error, `offset` bytes further right, for a parser that read only a part of the input.
    pub(crate) fn shifted(mut self, offset: usize) -> Error {
        if let Some(span) = &mut self.0.span {
            *span = span.start + offset..span.end + offset;
        }
        self
    }

    /// The same error relative to a part of the input: `before` bytes further left, and inside the part's length.
    pub(crate) fn cut_to(mut self, before: usize, length: usize) -> Error {
        if let Some(span) = &mut self.0.span {
            let inside = |at: usize| at.saturating_sub(before).min(length);
            *span = inside(span.start)..inside(span.end);
        }
        self
    }

    /// The same error with its column, now that the whole input is known.
    ///
    /// ```
    /// let error = kron_core::Duration::parse("2d").unwrap_err().at(4..6).located("for 2d");
    /// assert_eq!(error.reason(), kron_core::Duration::parse("2d").unwrap_err().reason());
    /// assert!(error.to_string().starts_with("duration: `2d` at column 5 is not a duration"));
    /// ```
    #[must_use]
    pub fn located(mut self, input: &str) -> Error {
        if let Some(span) = &self.0.span {
            self.0.column = Some(1 + input.get(..span.start).map_or(0, |before| before.chars().count()));
        }
        self
    }

    /// The same error, on a line of a file.
    ///
    /// ```
    /// let error = kron_core::Duration::parse("2d").unwrap_err().on_line(7);
    /// assert_eq!(error.line(), Some(7));
    /// ```
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Error {
        self.0.line = Some(line);
        self
    }

    /// The same error, in a field one level further out: `spec` + `window.duration`.
    ///
    /// ```
    /// let error = kron_core::Cron::parse("61 * * * *").unwrap_err().within("spec");
    /// assert_eq!(error.field(), "spec.schedule.minute");
    /// ```
    #[must_use]
    pub fn within(mut self, parent: &str) -> Error {
        self.0.field = match &*self.0.field {
            "" => Cow::Owned(parent.to_string()),
            field => Cow::Owned(alloc::format!("{parent}.{field}")),
        };
        self
    }

    /// The same error relative to the field at `parent`: the inverse of `within`.
    ///
    /// ```
    /// let error = kron_core::Cron::parse("61 * * * *").unwrap_err().relative_to("schedule");
    /// assert_eq!(error.field(), "minute");
    /// ```
    #[must_use]
    pub fn relative_to(mut self, parent: &str) -> Error {
        if let Some(rest) = self.0.field.strip_prefix(parent) {
            self.0.field = Cow::Owned(rest.trim_start_matches('.').to_string());
        }
        self
    }

    /// The same error, in a document of a file.
    ///
    /// ```
    /// let error = kron_core::Cron::parse("61 * * * *").unwrap_err().in_document(2);
    /// assert_eq!(error.document(), Some(2));
    /// ```
    #[must_use]
    pub fn in_document(mut self, document: usize) -> Error {
        self.0.document = Some(document);
        self
    }

    /// The stable code of this error, for programs.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Job};
    /// let error = Job::parse("", "@daily").unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::Name);
    /// ```
    pub fn code(&self) -> ErrorCode {
        self.0.kind.message().code()
    }

    /// The field, by its path in the KronJob spec: `schedule.minute`, `window.duration`, `constraints.only[0].hours`;
    /// `name`, `text` or `nominal` for what is not part of a spec.
    pub fn field(&self) -> &str {
        &self.0.field
    }

    /// The offending bytes of the input that was parsed, where there is one: of the whole text for a text form, of the
    /// line for a job file, of the one value for a manifest.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// The line of a job file, from 1.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// The document of a manifest file, from 1, if the file has several.
    pub fn document(&self) -> Option<usize> {
        self.0.document
    }

    /// The correct way to write it, if it is known.
    ///
    /// ```
    /// let error = kron_core::Duration::parse("2d").unwrap_err();
    /// assert_eq!(error.help().as_deref(), Some("write `48h`"));
    /// ```
    pub fn help(&self) -> Option<String> {
        let help = match &self.0.help {
            Some(help) => String::from(&**help),
            None => self.0.kind.message().help(),
        };
        (!help.is_empty()).then_some(help)
    }

    /// The message without field, place and help.
    ///
    /// ```
    /// let error = kron_core::Cron::parse("61 * * * *").unwrap_err();
    /// assert_eq!(error.reason(), "`61` is not in 0 to 59");
    /// ```
    pub fn reason(&self) -> String {
        Reason(self).to_string()
    }
}

/// The message of an error, with or without its column.
struct Reason<'a>(&'a Error);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.0.kind.message().message(f, Place(None))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, field, column, line, document, .. } = &*self.0;
        let message = kind.message();
        if let Some(document) = document {
            write!(f, "document {document}: ")?;
        }
        if let Some(line) = line {
            write!(f, "line {line}: ")?;
        }
        if !field.is_empty() {
            write!(f, "{field}: ")?;
        }
        message.message(f, Place(*column))?;
        self.help().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

/// Errors are equal that say the same about the same place.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        let (one, two) = (&*self.0, &*other.0);
        let place = |inner: &Inner| (inner.span.clone(), inner.column, inner.line, inner.document);
        place(one) == place(two)
            && one.field == two.field
            && self.code() == other.code()
            && self.reason() == other.reason()
            && self.help() == other.help()
    }
}

impl Eq for Error {}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.code())
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_word_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }
}
