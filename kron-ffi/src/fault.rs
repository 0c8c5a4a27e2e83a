//! What can go wrong: an error of the core, or a value that C can pass and Rust cannot.

use std::fmt::{self, Write as _};
use std::ops::Range;

use kron_core::{Error, Errors};
use kron_tzdb::ReadError;

use crate::result::kron_result;

/// Why a function did not succeed. Making one formats nothing.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An error of the core.
    Core(Error),
    /// All errors of a file.
    File(Errors),
    /// An error of one job of a fleet.
    OfJob(usize, Error),
    /// A directory that is not a tz database.
    TzDir(Box<ReadError>),
    /// An element of an array of structs that is wrong.
    Element {
        name: &'static str,
        index: usize,
        fault: Box<Fault>,
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

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Core(error)
    }
}

impl Fault {
    pub(crate) fn code(&self) -> kron_result {
        match self {
            Fault::Core(error) | Fault::OfJob(_, error) => error.code().into(),
            Fault::File(errors) => errors.first().map_or(kron_result::Panic, |error| error.code().into()),
            Fault::TzDir(error) => match &**error {
                ReadError::Io { .. } => kron_result::Io,
                ReadError::Data { error, .. } => error.code().into(),
                _ => kron_result::TzData,
            },
            Fault::Element { fault, .. } => fault.code(),
            Fault::Null(_) => kron_result::NullPointer,
            Fault::Utf8 { .. } => kron_result::InvalidUtf8,
            Fault::Size { .. } => kron_result::StructSize,
            Fault::Choice { .. } | Fault::Flags { .. } => kron_result::EnumValue,
            Fault::Length { .. } => kron_result::Length,
            Fault::Index { .. } => kron_result::Index,
            Fault::Order { .. } => kron_result::Order,
            Fault::Nul(_) => kron_result::ContainsNul,
            Fault::Negative { .. } => kron_result::OutOfBounds,
            Fault::Used(_) => kron_result::AlreadyUsed,
            Fault::End => kron_result::End,
            Fault::Absent => kron_result::Absent,
            Fault::Panic => kron_result::Panic,
        }
    }

    /// The argument that is wrong, or the zone of a damaged file, for faults of this layer.
    pub(crate) fn argument(&self) -> &str {
        match self {
            Fault::Null(name)
            | Fault::Nul(name)
            | Fault::Used(name)
            | Fault::Utf8 { name, .. }
            | Fault::Size { name, .. }
            | Fault::Choice { name, .. }
            | Fault::Flags { name, .. }
            | Fault::Length { name, .. }
            | Fault::Index { name, .. }
            | Fault::Order { name, .. }
            | Fault::Element { name, .. }
            | Fault::Negative { name, .. } => name,
            Fault::TzDir(error) => match &**error {
                ReadError::Data { error, .. } => error.field(),
                _ => "path",
            },
            Fault::Core(_)
            | Fault::File(_)
            | Fault::OfJob(..)
            | Fault::End
            | Fault::Absent
            | Fault::Panic => "",
        }
    }

    /// The bytes that are wrong, for faults of this layer.
    pub(crate) fn bytes(&self) -> Option<Range<usize>> {
        match self {
            Fault::Utf8 { at, end, .. } => Some(*at..*end),
            Fault::Element { fault, .. } => fault.bytes(),
            _ => None,
        }
    }

    /// How to do it right, for faults of this layer.
    pub(crate) fn help(&self) -> String {
        match self {
            Fault::TzDir(error) => error.help().unwrap_or_default(),
            Fault::Element { fault, .. } => fault.help(),
            Fault::Size { known, .. } => {
                format!("pass the size macro of kron.h: {known} bytes in this version")
            }
            Fault::Choice { words, .. } => {
                let choices: Vec<String> =
                    words.iter().enumerate().map(|(value, word)| format!("{value} ({word})")).collect();
                format!("pass one of {}", choices.join(", "))
            }
            Fault::Flags { known, .. } => format!("pass {known}"),
            Fault::Length { .. } => "pass the number of elements that the array has".to_owned(),
            Fault::Index { length: 0, .. } => String::new(),
            Fault::Index { length, .. } => format!("pass 0 to {}", length - 1),
            Fault::Used(_) => "make a new one".to_owned(),
            Fault::Negative { .. } => "pass nanoseconds from 0 on".to_owned(),
            Fault::Panic => "please report it".to_owned(),
            _ => String::new(),
        }
    }
}

/// The sentence without help.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Core(error) | Fault::OfJob(_, error) => write!(f, "{error}"),
            Fault::File(errors) => errors.first().map_or(Ok(()), |error| write!(f, "{error}")),
            Fault::TzDir(error) => {
                // A path may hold control characters, which messages do not.
                error.to_string().chars().try_for_each(|c| match c {
                    c if c.is_control() => write!(f, "{}", c.escape_default()),
                    c => f.write_char(c),
                })
            }
            Fault::Element { name, index, fault } => write!(f, "{name}[{index}].{fault}"),
            Fault::Null(name) => write!(f, "{name}: the pointer is NULL"),
            Fault::Utf8 { name, at, .. } => write!(f, "{name}: the string is not UTF-8 from byte {at} on"),
            Fault::Size { name, size, .. } => write!(f, "{name}: a struct of {size} bytes is not known"),
            Fault::Choice { name, value, .. } => write!(f, "{name}: {value} is not one of the choices"),
            Fault::Flags { name, value, .. } => write!(f, "{name}: the flags {value:#x} mean nothing"),
            Fault::Length { name, length } => {
                write!(f, "{name}: no array of {length} elements fits into memory")
            }
            Fault::Index { name, index, length } => {
                write!(f, "{name}: there is no element {index}, as there are {length}")
            }
            Fault::Order { name, index } => {
                write!(f, "{name}: the numbers must ascend, and the one at index {index} does not")
            }
            Fault::Nul(name) => write!(f, "{name}: the text holds a NUL, which a string of C cannot"),
            Fault::Negative { name, value } => write!(f, "{name}: {value} is negative"),
            Fault::Used(name) => write!(f, "{name}: the builder was used already"),
            Fault::End => write!(f, "there is no further element"),
            Fault::Absent => write!(f, "there is none"),
            Fault::Panic => write!(f, "a bug of libkron was caught"),
        }
    }
}
