//! Schedules: a cron expression in a time zone.

pub(crate) mod create;

pub(crate) mod search;

pub(crate) mod series;

pub(crate) mod prime;

pub use create::*;
pub use prime::*;
pub use search::*;
pub use series::*;
