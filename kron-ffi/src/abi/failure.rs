//! Why a function fails: an error of the core, or an argument that is invalid in C. The messages are here.

use std::fmt::{self, Write as _};
use std::ops::Range;

use kron_core::{Error, Errors};
use kron_tzdb::ReadError;

use crate::abi::result::kron_result;

/// Why a function fails. The message is written when it is needed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the core.
    Core(Error),
    /// All errors of a file.
    File(Errors),
    /// An error of one job of a fleet.
    OfJob(usize, Error),
    /// A directory that cannot be read as a time zone database.
    TzDir(Box<ReadError>),
    /// A file that cannot be read: its path, and what the system says or what is wrong with it.
    Read {
        path: String,
        why: String,
    },
    /// An invalid element of an array of structs.
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
    /// An array of the caller is too short.
    TooShort {
        name: &'static str,
        length: usize,
        needed: usize,
    },
    /// A text that is not the state of a host.
    HostState(String),
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
            Failure::Read { .. } => kron_result::Io,
            Failure::Element { failure, .. } => failure.code(),
            Failure::Null(_) => kron_result::NullPointer,
            Failure::Utf8 { .. } => kron_result::InvalidUtf8,
            Failure::Size { .. } => kron_result::StructSize,
            Failure::Choice { .. } | Failure::Flags { .. } => kron_result::EnumValue,
            Failure::Length { .. } => kron_result::Length,
            Failure::Index { .. } => kron_result::Index,
            Failure::TooShort { .. } => kron_result::TooShort,
            Failure::HostState(_) => kron_result::HostState,
            Failure::Nul(_) => kron_result::ContainsNul,
            Failure::Negative { .. } => kron_result::OutOfBounds,
            Failure::Used(_) => kron_result::AlreadyUsed,
            Failure::End => kron_result::End,
            Failure::Absent => kron_result::Absent,
            Failure::Panic => kron_result::Panic,
        }
    }

    /// The invalid argument, or the zone of a damaged file. Empty for errors of the core, which have a field.
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
            | Failure::TooShort { name, .. }
            | Failure::Element { name, .. }
            | Failure::Negative { name, .. } => name,
            Failure::TzDir(error) => match &**error {
                ReadError::Data { error, .. } => error.field(),
                _ => "path",
            },
            Failure::Read { .. } => "path",
            Failure::HostState(_) => "json",
            Failure::Core(_)
            | Failure::File(_)
            | Failure::OfJob(..)
            | Failure::End
            | Failure::Absent
            | Failure::Panic => "",
        }
    }

    /// The position of the invalid bytes in the argument.
    pub(crate) fn bytes(&self) -> Option<Range<usize>> {
        match self {
            Failure::Utf8 { at, end, .. } => Some(*at..*end),
            Failure::Element { failure, .. } => failure.bytes(),
            Failure::Core(_)
            | Failure::File(_)
            | Failure::OfJob(..)
            | Failure::TzDir(_)
            | Failure::Read { .. }
            | Failure::Null(_)
            | Failure::Size { .. }
            | Failure::Choice { .. }
            | Failure::Flags { .. }
            | Failure::Length { .. }
            | Failure::Index { .. }
            | Failure::TooShort { .. }
            | Failure::HostState(_)
            | Failure::Nul(_)
            | Failure::Negative { .. }
            | Failure::Used(_)
            | Failure::End
            | Failure::Absent
            | Failure::Panic => None,
        }
    }

    /// What to pass or do instead. Empty for errors of the core, which have their own help.
    pub(crate) fn help(&self) -> String {
        match self {
            Failure::TzDir(error) => error.help().unwrap_or_default(),
            Failure::Element { failure, .. } => failure.help(),
            Failure::Size { known, .. } => {
                format!("pass the size macro of kron.h, {known} bytes in this version")
            }
            Failure::Choice { words, .. } => {
                let choices: Vec<String> =
                    words.iter().enumerate().map(|(value, word)| format!("{value} ({word})")).collect();
                format!("pass one of {}", choices.join(", "))
            }
            Failure::Flags { known, .. } => format!("pass {known}"),
            Failure::Length { .. } => "pass the number of elements of the array".to_owned(),
            Failure::Index { length: 0, .. } => String::new(),
            Failure::Index { length, .. } => format!("pass 0 to {}", length - 1),
            Failure::TooShort { needed, .. } => format!("pass an array of {needed}"),
            Failure::HostState(_) => "pass what kron_host_state_to_json made".to_owned(),
            Failure::Used(_) => "make a new builder".to_owned(),
            Failure::Negative { .. } => "pass 0 or more nanoseconds".to_owned(),
            Failure::Panic => "please report it".to_owned(),
            Failure::Core(_)
            | Failure::File(_)
            | Failure::OfJob(..)
            | Failure::Read { .. }
            | Failure::Null(_)
            | Failure::Utf8 { .. }
            | Failure::Nul(_)
            | Failure::End
            | Failure::Absent => String::new(),
        }
    }
}

/// Writes a text that may hold a path. A path may hold control characters, which messages do not.
fn write_escaped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|c| match c {
        c if c.is_control() => write!(f, "{}", c.escape_default()),
        c => f.write_char(c),
    })
}

/// The message without help.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) | Failure::OfJob(_, error) => write!(f, "{error}"),
            Failure::File(errors) => errors.first().map_or(Ok(()), |error| write!(f, "{error}")),
            Failure::TzDir(error) => write_escaped(f, &error.to_string()),
            Failure::Read { path, why } => {
                f.write_str("path: cannot read `")?;
                write_escaped(f, path)?;
                write!(f, "`: {why}")
            }
            Failure::Element { name, index, failure } => write!(f, "{name}[{index}].{failure}"),
            Failure::Null(name) => write!(f, "{name}: the pointer is NULL"),
            Failure::Utf8 { name, at, .. } => write!(f, "{name}: the string is not valid UTF-8 at byte {at}"),
            Failure::Size { name, size, .. } => {
                write!(f, "{name}: this version has no struct of {size} bytes")
            }
            Failure::Choice { name, value, .. } => write!(f, "{name}: {value} is not a value of the enum"),
            Failure::Flags { name, value, .. } => write!(f, "{name}: unknown flags {value:#x}"),
            Failure::Length { name, length } => {
                write!(f, "{name}: an array of {length} elements does not fit into memory")
            }
            Failure::Index { name, index, length } => {
                write!(f, "{name}: index {index} is out of range, because there are {length} elements")
            }
            Failure::TooShort { name, length, needed } => {
                write!(f, "{name}: {needed} elements do not fit into an array of {length}")
            }
            Failure::HostState(why) => write!(f, "json: the text is not the state of a host: {why}"),
            Failure::Nul(name) => {
                write!(f, "{name}: the text contains a NUL character, which a C string cannot hold")
            }
            Failure::Negative { name, value } => write!(f, "{name}: {value} is negative"),
            Failure::Used(name) => write!(f, "{name}: the builder has already been used"),
            Failure::End => write!(f, "there are no more elements"),
            Failure::Absent => write!(f, "there is no such value"),
            Failure::Panic => write!(f, "a bug in libkron was caught"),
        }
    }
}
