//! What can go wrong: an error of the core, or a value that C can pass and Rust cannot.

use std::fmt::{self, Write as _};
use std::ops::Range;

use kron_core::Error;
use kron_tzdb::ReadError;

use crate::abi::result::kron_result;

/// Why a function did not succeed. Making one formats nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the core.
    Core(Error),
    /// All errors of a file, at least one.
    File(Vec<Error>),
    /// An error of one job of a fleet.
    OfJob(usize, Error),
    /// A directory that is not a tz database.
    TzDir(Box<ReadError>),
    /// An element of an array of structs that is wrong.
    Element {
        name: &'static str,
        index: usize,
        failure: Box<Failure>,
    },
    Null(&'static str),
    Utf8 {
        name: &'static str,
        at: usize,
        end: usize,
    },
    Size {
        name: &'static str,
        size: usize,
        known: usize,
    },
    Choice {
        name: &'static str,
        value: u32,
        words: &'static [&'static str],
    },
    Flags {
        name: &'static str,
        value: u32,
        known: &'static str,
    },
    Length {
        name: &'static str,
        length: usize,
    },
    Index {
        name: &'static str,
        index: usize,
        length: usize,
    },
    Order {
        name: &'static str,
        index: usize,
    },
    Nul(&'static str),
    Negative {
        name: &'static str,
        value: i64,
    },
    Used(&'static str),
    End,
    Absent,
    Panic,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    pub(crate) fn code(&self) -> kron_result {
        match self {
            Failure::Core(error) | Failure::OfJob(_, error) => error.code().into(),
            Failure::File(errors) => errors.first().map_or(kron_result::Panic, |error| error.code().into()),
            Failure::TzDir(error) => match &**error {
                ReadError::Io { .. } => kron_result::Io,
                ReadError::Data { error, .. } => error.code().into(),
                _ => kron_result::TzData,
            },
            Failure::Element { failure, .. } => failure.code(),
            Failure::Null(_) => kron_result::NullPointer,
            Failure::Utf8 { .. } => kron_result::InvalidUtf8,
            Failure::Size { .. } => kron_result::StructSize,
            Failure::Choice { .. } | Failure::Flags { .. } => kron_result::EnumValue,
            Failure::Length { .. } => kron_result::Length,
            Failure::Index { .. } => kron_result::Index,
            Failure::Order { .. } => kron_result::Order,
            Failure::Nul(_) => kron_result::ContainsNul,
            Failure::Negative { .. } => kron_result::OutOfBounds,
            Failure::Used(_) => kron_result::AlreadyUsed,
            Failure::End => kron_result::End,
            Failure::Absent => kron_result::Absent,
            Failure::Panic => kron_result::Panic,
        }
    }

    /// The argument that is wrong, or the zone of a damaged file, for failures of this layer.
    pub(crate) fn argument(&self) -> &str {
        match self {
            Failure::Null(name)
            | Failure::Nul(name)
            | Failure::Used(name)
            | Failure::Utf8 { name, .. }
            | Failure::Size { name, .. }
            | Failure::Choice { name, .. }
            | Failure::Flags { name, .. }
            | Failure::Length { name, .. }
            | Failure::Index { name, .. }
            | Failure::Order { name, .. }
            | Failure::Element { name, .. }
            | Failure::Negative { name, .. } => name,
            Failure::TzDir(error) => match &**error {
                ReadError::Data { error, .. } => error.field(),
                _ => "path",
            },
            Failure::Core(_)
            | Failure::File(_)
            | Failure::OfJob(..)
            | Failure::End
            | Failure::Absent
            | Failure::Panic => "",
        }
    }

    /// The bytes that are wrong, for failures of this layer.
    pub(crate) fn bytes(&self) -> Option<Range<usize>> {
        match self {
            Failure::Utf8 { at, end, .. } => Some(*at..*end),
            Failure::Element { failure, .. } => failure.bytes(),
            _ => None,
        }
    }

    /// How to do it right, for failures of this layer.
    pub(crate) fn help(&self) -> String {
        match self {
            Failure::TzDir(error) => error.help().unwrap_or_default(),
            Failure::Element { failure, .. } => failure.help(),
            Failure::Size { known, .. } => {
                format!("pass the size macro of kron.h: {known} bytes in this version")
            }
            Failure::Choice { words, .. } => {
                let choices: Vec<String> =
                    words.iter().enumerate().map(|(value, word)| format!("{value} ({word})")).collect();
                format!("pass one of {}", choices.join(", "))
            }
            Failure::Flags { known, .. } => format!("pass {known}"),
            Failure::Length { .. } => "pass the number of elements that the array has".to_owned(),
            Failure::Index { length: 0, .. } => String::new(),
            Failure::Index { length, .. } => format!("pass 0 to {}", length - 1),
            Failure::Used(_) => "make a new one".to_owned(),
            Failure::Negative { .. } => "pass nanoseconds from 0 on".to_owned(),
            Failure::Panic => "please report it".to_owned(),
            _ => String::new(),
        }
    }
}

/// The sentence without help.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) | Failure::OfJob(_, error) => write!(f, "{error}"),
            Failure::File(errors) => errors.first().map_or(Ok(()), |error| write!(f, "{error}")),
            Failure::TzDir(error) => {
                // A path may hold control characters, which messages do not.
                error.to_string().chars().try_for_each(|c| match c {
                    c if c.is_control() => write!(f, "{}", c.escape_default()),
                    c => f.write_char(c),
                })
            }
            Failure::Element { name, index, failure } => write!(f, "{name}[{index}].{failure}"),
            Failure::Null(name) => write!(f, "{name}: the pointer is NULL"),
            Failure::Utf8 { name, at, .. } => write!(f, "{name}: the string is not UTF-8 from byte {at} on"),
            Failure::Size { name, size, .. } => write!(f, "{name}: a struct of {size} bytes is not known"),
            Failure::Choice { name, value, .. } => write!(f, "{name}: {value} is not one of the choices"),
            Failure::Flags { name, value, .. } => write!(f, "{name}: the flags {value:#x} mean nothing"),
            Failure::Length { name, length } => {
                write!(f, "{name}: no array of {length} elements fits into memory")
            }
            Failure::Index { name, index, length } => {
                write!(f, "{name}: there is no element {index}, as there are {length}")
            }
            Failure::Order { name, index } => {
                write!(f, "{name}: the numbers must ascend, and the one at index {index} does not")
            }
            Failure::Nul(name) => write!(f, "{name}: the text holds a NUL, which a string of C cannot"),
            Failure::Negative { name, value } => write!(f, "{name}: {value} is negative"),
            Failure::Used(name) => write!(f, "{name}: the builder was used already"),
            Failure::End => write!(f, "there is no further element"),
            Failure::Absent => write!(f, "there is none"),
            Failure::Panic => write!(f, "a bug of libkron was caught"),
        }
    }
}
