//! Parsers: the time zone database and the calendars with which texts are read.

pub(crate) mod calendars;

pub(crate) mod create;

pub use calendars::*;
pub use create::*;
