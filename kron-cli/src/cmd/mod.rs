//! The commands. Each has a file with its arguments and its function.

pub(crate) mod audit;
pub(crate) mod compare_tz;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod forecast;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod history;
mod jobs;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod next;
pub(crate) mod prime;
#[cfg(all(feature = "run", target_os = "linux"))]
mod request;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod resume;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod run;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod run_now;
pub(crate) mod spread;
#[cfg(all(feature = "run", target_os = "linux"))]
mod state;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod status;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod suspend;
mod times;
pub(crate) mod tz_report;
pub(crate) mod verify;
pub(crate) mod version;
pub(crate) mod wait;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod why;
pub(crate) mod zones;
