//! The one error type: a stable code, the field, the place, the text and the help.
//!
//! The tree of this folder mirrors the parsers: a leaf for each family of errors holds its data, its codes and every
//! sentence it can say, so that no message is written anywhere else. Building an error formats nothing.

mod calendar_names;
mod constraint;
mod cron;
mod forecast;
mod list;
mod prime;
mod search;
mod text;
mod value;
mod words;
mod zone;

#[cfg(feature = "serde")]
mod manifest;

use alloc::{
    borrow::Cow,
    boxed::Box,
    string::{String, ToString},
};
use core::{fmt, ops::Range};

pub(crate) use self::calendar_names::CalendarNames;
pub(crate) use self::constraint::ConstraintError;
pub(crate) use self::cron::{CronError, Follows};
pub(crate) use self::forecast::ForecastError;
pub(crate) use self::list::ErrorList;
pub use self::list::Errors;
#[cfg(feature = "serde")]
pub(crate) use self::manifest::ManifestError;
pub(crate) use self::prime::PrimeError;
pub(crate) use self::search::SearchError;
pub(crate) use self::text::TextError;
pub(crate) use self::value::{DurationWhy, ValueError};
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
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    field: Cow<'static, str>,
    span: Option<Range<usize>>,
    /// One-based, in characters; set once the whole input is at hand.
    column: Option<usize>,
    /// One-based; only files have lines.
    line: Option<usize>,
    /// One-based; only files of several documents have them.
    document: Option<usize>,
}

/// What went wrong; each leaf has its own room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Cron(CronError),
    Text(TextError),
    Value(ValueError),
    Constraint(ConstraintError),
    Search(SearchError),
    Prime(PrimeError),
    Forecast(ForecastError),
    Zone(ZoneError),
    #[cfg(feature = "serde")]
    Manifest(ManifestError),
}

macro_rules! each_kind {
    ($kind:expr, $leaf:ident => $do:expr) => {
        match $kind {
            Kind::Cron($leaf) => $do,
            Kind::Text($leaf) => $do,
            Kind::Value($leaf) => $do,
            Kind::Constraint($leaf) => $do,
            Kind::Search($leaf) => $do,
            Kind::Prime($leaf) => $do,
            Kind::Forecast($leaf) => $do,
            Kind::Zone($leaf) => $do,
            #[cfg(feature = "serde")]
            Kind::Manifest($leaf) => $do,
        }
    };
}

macro_rules! kind_from {
    ($($leaf:ident => $variant:ident),*) => {
        $(impl From<$leaf> for Kind {
            #[cold]
            #[inline(never)]
            fn from(leaf: $leaf) -> Kind { Kind::$variant(leaf) }
        })*
    };
}

kind_from!(CronError => Cron, TextError => Text, ValueError => Value, ConstraintError => Constraint, SearchError => Search, PrimeError => Prime, ForecastError => Forecast, ZoneError => Zone);

#[cfg(feature = "serde")]
kind_from!(ManifestError => Manifest);

impl Error {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(field: impl Into<Cow<'static, str>>, kind: impl Into<Kind>) -> Error {
        Error(Box::new(Inner {
            kind: kind.into(),
            field: field.into(),
            span: None,
            column: None,
            line: None,
            document: None,
        }))
    }

    /// The same error, at these bytes of the input.
    pub(crate) fn at(mut self, span: Range<usize>) -> Error {
        self.0.span = Some(span);
        self
    }

    /// The same error, `offset` bytes further right: the failing parser saw only a part of the input.
    pub(crate) fn shifted(mut self, offset: usize) -> Error {
        if let Some(span) = &mut self.0.span {
            *span = span.start + offset..span.end + offset;
        }
        self
    }

    /// The same error, seen from a part of the input: `before` bytes further left, and inside the part's length.
    pub(crate) fn cut_to(mut self, before: usize, length: usize) -> Error {
        if let Some(span) = &mut self.0.span {
            let inside = |at: usize| at.saturating_sub(before).min(length);
            *span = inside(span.start)..inside(span.end);
        }
        self
    }

    /// The same error with its column, now that the whole input is known.
    pub(crate) fn located(mut self, input: &str) -> Error {
        if let Some(span) = &self.0.span {
            self.0.column = Some(1 + input.get(..span.start).map_or(0, |before| before.chars().count()));
        }
        self
    }

    /// The same error, on a line of a file.
    pub(crate) fn on_line(mut self, line: usize) -> Error {
        self.0.line = Some(line);
        self
    }

    /// The same error, in a field one level further out: `spec` + `window.duration`.
    pub(crate) fn within(mut self, parent: &str) -> Error {
        self.0.field = match &*self.0.field {
            "" => Cow::Owned(parent.to_string()),
            field => Cow::Owned(alloc::format!("{parent}.{field}")),
        };
        self
    }

    /// The same error, seen from the field at `parent`: the inverse of `within`.
    pub(crate) fn relative_to(mut self, parent: &str) -> Error {
        if let Some(rest) = self.0.field.strip_prefix(parent) {
            self.0.field = Cow::Owned(rest.trim_start_matches('.').to_string());
        }
        self
    }

    /// The same error, in a document of a file.
    #[cfg(feature = "manifest")]
    pub(crate) fn in_document(mut self, document: usize) -> Error {
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
        each_kind!(&self.0.kind, leaf => leaf.code())
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

    /// How to write it right, where that can be said.
    ///
    /// ```
    /// let error = kron_core::Duration::parse("2d").unwrap_err();
    /// assert_eq!(error.help().as_deref(), Some("write `48h`"));
    /// ```
    pub fn help(&self) -> Option<String> {
        let help = each_kind!(&self.0.kind, leaf => leaf.help());
        (!help.is_empty()).then_some(help)
    }

    /// The sentence without field, place and help.
    ///
    /// ```
    /// let error = kron_core::Cron::parse("61 * * * *").unwrap_err();
    /// assert_eq!(error.reason(), "`61` is not in 0 to 59");
    /// ```
    pub fn reason(&self) -> String {
        Reason(self).to_string()
    }
}

/// The sentence of an error, with or without its column.
struct Reason<'a>(&'a Error);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each_kind!(&self.0.0.kind, leaf => leaf.write(f, Place(None)))
    }
}

/// Writes ` at column N` behind the quoted text, if there is a column.
#[derive(Clone, Copy)]
pub(crate) struct Place(Option<usize>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(column) => write!(f, " at column {column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, field, column, line, document, .. } = &*self.0;
        if let Some(document) = document {
            write!(f, "document {document}: ")?;
        }
        if let Some(line) = line {
            write!(f, "line {line}: ")?;
        }
        if !field.is_empty() {
            write!(f, "{field}: ")?;
        }
        each_kind!(kind, leaf => leaf.write(f, Place(*column)))?;
        let help = each_kind!(kind, leaf => leaf.help());
        if help.is_empty() { Ok(()) } else { write!(f, "; {help}") }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.code())
    }
}

impl core::error::Error for Error {}

/// A stable number for each kind of error. Numbers are never used again for another meaning; families of a hundred each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u32)]
pub enum ErrorCode {
    /// A cron expression is longer than 256 bytes.
    CronTooLong = 100,
    /// A cron expression has not five fields.
    CronFieldCount = 101,
    /// A part of a cron field follows none of the forms `*`, `n`, `a-b`, `/step`.
    CronSyntax = 102,
    /// A number or step in a cron field is out of its range.
    CronOutOfRange = 103,
    /// A range in a cron field runs backwards.
    CronBackwards = 104,
    /// A cron expression that no day can match.
    CronNeverMatches = 105,
    /// Something other schedulers know and cron does not: `@reboot`, `@every`, `TZ=`, `H`, `L`, `W`, `#`, seconds, years.
    CronUnsupported = 106,
    /// A job text is longer than 65536 bytes.
    TextTooLong = 200,
    /// A job text that breaks the grammar: brackets, quotes, stray words.
    TextSyntax = 201,
    /// An unknown modifier.
    TextUnknownModifier = 202,
    /// An unknown key in a modifier.
    TextUnknownKey = 203,
    /// A modifier or key that stands twice.
    TextRepeated = 204,
    /// A job file line without `name=`.
    FileMissingName = 210,
    /// Two jobs of one name.
    FileRepeatedName = 211,
    /// A bad duration.
    Duration = 300,
    /// An unknown time zone.
    TimeZone = 301,
    /// A word that is none of the allowed ones.
    Choice = 302,
    /// A bad number.
    Number = 303,
    /// A parameter that the distribution does not take.
    Parameter = 304,
    /// A value above or below its bounds.
    OutOfBounds = 305,
    /// A bad name.
    Name = 306,
    /// A spec that its algorithm cannot compute.
    AlgorithmUnsupported = 307,
    /// A bad instant.
    Instant = 308,
    /// A tz database whose data, names or version are not right.
    TzData = 309,
    /// A constraint clause without parts.
    ConstraintEmpty = 400,
    /// An unknown constraint part.
    ConstraintUnknownPart = 401,
    /// A part of a constraint that does not read.
    ConstraintSyntax = 402,
    /// A number, time or date of a constraint that does not exist.
    ConstraintOutOfRange = 403,
    /// A range of days or dates that runs backwards.
    ConstraintBackwards = 404,
    /// More clauses or characters than allowed.
    ConstraintTooLong = 405,
    /// A document that is not YAML or JSON.
    ManifestSyntax = 500,
    /// A field that a KronJob does not have.
    ManifestUnknownField = 501,
    /// A field that is missing.
    ManifestMissingField = 502,
    /// A field of the wrong type.
    ManifestType = 503,
    /// A document that is not a KronJob.
    ManifestKind = 504,
    /// A value that the core knows and the KronJob resource refuses.
    ManifestRefused = 505,
    /// Windows that can overlap in more than 100 periods.
    ManifestOverlap = 506,
    /// Nominal time out of the years 1970 to 2099, or not at a whole second.
    NominalTime = 600,
    /// No start within five years of the search's beginning.
    NoStartInSight = 601,
    /// 100,000 periods in a row are unschedulable.
    NoSchedulablePeriod = 602,
    /// No nominal time is left in the years 1970 to 2099.
    NoPeriod = 603,
    /// A schedule for which no cron expressions fire a lead before it.
    PrimeImpossible = 700,
    /// A job with a window or constraints, whose starts cannot be primed by cron expressions.
    PrimeNotOnTime = 701,
}

/// The list of all codes, which does not compile if one is left out.
macro_rules! all_codes {
    ($($code:ident)*) => {
        const ALL_CODES: &[ErrorCode] = &[$(ErrorCode::$code),*];
        const _: fn(ErrorCode) = |code| match code { $(ErrorCode::$code => (),)* };
    };
}

all_codes! {
    CronTooLong CronFieldCount CronSyntax CronOutOfRange CronBackwards CronNeverMatches CronUnsupported
    TextTooLong TextSyntax TextUnknownModifier TextUnknownKey TextRepeated FileMissingName FileRepeatedName
    Duration TimeZone Choice Number Parameter OutOfBounds Name AlgorithmUnsupported Instant TzData
    ConstraintEmpty ConstraintUnknownPart ConstraintSyntax ConstraintOutOfRange ConstraintBackwards
    ConstraintTooLong ManifestSyntax ManifestUnknownField ManifestMissingField ManifestType ManifestKind
    ManifestRefused ManifestOverlap NominalTime NoStartInSight NoSchedulablePeriod NoPeriod
    PrimeImpossible PrimeNotOnTime
}

impl ErrorCode {
    /// All codes, for layers that have names of their own for them.
    ///
    /// ```
    /// use kron_core::ErrorCode;
    /// assert!(ErrorCode::ALL.is_sorted_by_key(|code| code.number()));
    /// ```
    pub const ALL: &'static [ErrorCode] = ALL_CODES;

    /// The number, the same in every language.
    ///
    /// ```
    /// assert_eq!(kron_core::ErrorCode::CronOutOfRange.number(), 103);
    /// ```
    pub const fn number(self) -> u32 {
        self as u32
    }
}

/// Untrusted text made fit for a message: control characters escaped, cut at 64 characters, in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snippet(Box<str>);

impl Snippet {
    const CHARS: usize = 64;

    /// A sentence of another crate about untrusted text, as it is but for control characters.
    pub(crate) fn text(sentence: &str) -> Snippet {
        let mut clean = String::new();
        for c in sentence.chars().take(300) {
            if c.is_control() { clean.extend(c.escape_default()) } else { clean.push(c) }
        }
        Snippet(clean.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    #[cold]
    pub(crate) fn of(text: &str) -> Snippet {
        let mut short = String::new();
        for (i, c) in text.chars().enumerate() {
            if i == Snippet::CHARS {
                short.push('…');
                break;
            }
            if c == '`' {
                short.extend(c.escape_unicode());
            } else if c.is_control() {
                short.extend(c.escape_default());
            } else {
                short.push(c);
            }
        }
        Snippet(short.into())
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

/// The word of `words` nearest to `text`, if it is near enough to be meant: at most a third of its letters wrong.
pub(crate) fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = text.to_lowercase();
    // A longer text is no slip of the pen, and the distance below costs the product of both lengths.
    if lower.len() > 64 {
        return None;
    }
    words
        .into_iter()
        .map(|word| (distance(&lower, &word.to_lowercase()), word))
        .filter(|(wrong, word)| *wrong <= word.len().max(3) / 3)
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, word)| word)
}

/// Levenshtein's distance: insertions, deletions and replacements of characters from one to the other.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: alloc::vec::Vec<char> = b.chars().collect();
    let mut row: alloc::vec::Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Words as a list for a message: `a`, `b` or `c`.
pub(crate) struct Alternatives<'a>(pub(crate) &'a [&'a str]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, word) in self.0.iter().enumerate() {
            let glue = match i {
                0 => "",
                _ if i + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{glue}`{word}`")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_word_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }

    #[test]
    fn snippets_are_short_and_printable() {
        assert_eq!(Snippet::of("a\0b`c\n").to_string(), "`a\\u{0}b\\u{60}c\\n`");
        assert_eq!(Snippet::of(&"x".repeat(1000)).to_string().chars().count(), 64 + 3);
    }

    #[test]
    fn nearest_words() {
        assert_eq!(nearest("dists", ["tz", "win", "dist"]), Some("dist"));
        assert_eq!(nearest("EUROPE/PARIS", ["Europe/Paris", "Europe/Rome"]), Some("Europe/Paris"));
        assert_eq!(nearest("nonsense", ["tz", "win"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
