//! The text form: a cron expression and modifiers on one line.
//!
//! Whole texts are read in `parse.rs`, modifiers in `modifier.rs`, what is inside their brackets in `arguments.rs`, words
//! and quotes in `scan.rs`, values alone in `modifier_value.rs` and `try_from.rs`, job files in `file.rs`. `edit.rs` changes the seeds of a job file; `meaning.rs` finds
//! what was meant by the words of other programs, `day_parts.rs` for the parts of `@days`, `whole.rs` for a schedule before modifiers.
//! Printing is with [`JobSpec`](crate::JobSpec), and the list of modifiers is [`Modifier`](crate::job::Modifier).

mod arguments;
mod day_parts;
mod edit;
mod file;
#[cfg(feature = "json")]
pub(crate) mod json;
mod meaning;
mod modifier;
mod modifier_value;
mod parse;
pub(crate) mod parser;
mod scan;
mod try_from;
mod whole;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use edit::{with_seed, with_seeds};
pub use file::JobLine;
pub(crate) use file::{Fields, parse_fields, read_job_file};
#[cfg(feature = "json")]
pub use json::{StrictJson, json_documents};
pub(crate) use meaning::with_meaning;
pub(crate) use modifier_value::{parse_constraints, parse_day_rules};
pub(crate) use parse::parse;
#[cfg(feature = "serde")]
pub(crate) use parse::parse_canonical;
pub use parser::{Parser, parse_job_file};
pub use scan::{quoted_ascii_value, quoted_value};
