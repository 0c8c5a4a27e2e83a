//! The commands. Each has a file with its arguments and its function.

pub(crate) mod compare_tz;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod forecast;
mod jobs;
pub(crate) mod lint;
pub(crate) mod next;
pub(crate) mod prime;
pub(crate) mod spread;
mod times;
pub(crate) mod tz_report;
pub(crate) mod verify;
pub(crate) mod version;
pub(crate) mod zones;
