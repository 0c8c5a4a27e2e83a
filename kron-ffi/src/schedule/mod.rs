//! Schedules: a cron expression in a time zone.

pub(crate) mod create;

pub(crate) mod search;

pub(crate) mod series;

pub use create::*;
pub use search::*;
pub use series::*;
