//! The text form: a cron expression and modifiers on one line. The parser is in `parse.rs`, words and quotes in
//! `scan.rs`, single parts in `part.rs`, job files in `file.rs`; printing is with [`JobSpec`](crate::JobSpec).

mod file;
mod parse;
mod part;
mod scan;

pub use file::JobLine;
pub(crate) use file::read_job_file;
pub(crate) use parse::parse;
#[cfg(feature = "serde")]
pub(crate) use parse::parse_canonical;
