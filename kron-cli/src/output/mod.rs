//! Output: lists of decisions, diagnostics, times.

pub(crate) mod audit;
pub(crate) mod clocks;
pub(crate) mod csv;
pub(crate) mod diagnostic;
pub(crate) mod forecast;
pub(crate) mod form;
pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod page;
pub(crate) mod plural;
pub(crate) mod progress;
pub(crate) mod sarif;
pub(crate) mod table;
pub(crate) mod time;
