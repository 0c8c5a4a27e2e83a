#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod constraint;
pub mod cron;
pub mod days;
pub mod decision;
pub mod draw;
pub mod error;
pub mod job;
mod limits;
mod math;
pub mod place;
pub mod plan;
#[doc(hidden)]
pub mod planted_bugs;
pub mod proof;
#[cfg(feature = "serde")]
mod serde_support;
pub mod text;
pub mod time;
mod word_enum;

#[doc(inline)]
pub use self::{
    constraint::{Calendar, Calendars, Clause, Constraints},
    cron::{Cron, Schedule},
    decision::{Decision, Period, Unschedulable},
    draw::{Algorithm, Distribution, Seed, SeedStrategy, Window, WindowMode},
    error::{Error, ErrorCode, Errors, Finding, Severity},
    job::{Job, JobSpec},
    plan::{Concurrency, Outcome, Policy},
    text::Parser,
    time::{Duration, Instant, TzDatabase, Zone},
};
