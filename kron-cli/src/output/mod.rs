//! Output: lists of decisions, diagnostics, times.
#![cfg_attr(
    not(feature = "command"),
    allow(dead_code, reason = "the page of an explanation needs a part of them")
)]

#[cfg(feature = "command")]
pub(crate) mod audit;
pub(crate) mod clocks;
#[cfg(feature = "command")]
pub(crate) mod coming;
#[cfg(feature = "command")]
pub(crate) mod csv;
#[cfg(feature = "command")]
pub(crate) mod diagnostic;
#[cfg(feature = "page")]
pub(crate) mod diff;
pub(crate) mod drawing;
pub(crate) mod explanation;
pub(crate) mod forecast;
#[cfg(feature = "command")]
pub(crate) mod form;
#[cfg(feature = "command")]
pub(crate) mod frame;
#[cfg(feature = "command")]
pub(crate) mod github;
#[cfg(feature = "command")]
pub(crate) mod grouped;
pub(crate) mod job_text;
#[cfg(feature = "page")]
pub(crate) mod json;
#[cfg(feature = "command")]
pub(crate) mod list;
pub(crate) mod page;
pub(crate) mod plural;
#[cfg(feature = "command")]
pub(crate) mod progress;
#[cfg(feature = "command")]
pub(crate) mod sarif;
pub(crate) mod strip;
pub(crate) mod svg;
#[cfg(feature = "command")]
pub(crate) mod system;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod ticks;
pub(crate) mod time;
