#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod batch;
mod bounds;
mod chacha;
mod civil;
mod constraint;
mod cron;
#[cfg(feature = "rand_distr")]
mod custom;
mod decision;
mod distribution;
mod duration;
mod error;
mod explain;
mod fields;
mod fleet;
mod instant;
mod job;
mod lint;
#[cfg(feature = "manifest")]
mod manifest;
mod math;
mod narrow;
mod nominal;
mod parser;
mod period;
mod plan;
mod policy;
#[cfg(feature = "serde")]
mod receipt;
mod seed;
mod series;
mod siphash;
mod spec;
mod stream;
mod text;
mod window;
#[cfg(feature = "serde")]
mod wire;
mod words;
mod zone;

pub use algorithm::Algorithm;
#[cfg(feature = "manifest")]
pub use bounds::FILE_BYTES;
pub use constraint::{Clause, ClauseBuilder, Constraints, Forbidden};
pub use cron::{ClockChange, Cron, NominalSeries, Schedule};
#[cfg(feature = "rand_distr")]
pub use custom::Custom;
pub use decision::{Decision, Unschedulable};
pub use distribution::{Direction, Distribution, Mu, Quantile, Spread};
pub use duration::Duration;
pub use error::{Error, ErrorCode};
pub use explain::{ClosedUp, DrawStep, Explanation};
pub use fleet::{Fleet, FleetPeriods, FleetStarts};
pub use instant::Instant;
pub use job::Job;
pub use lint::{Finding, LintOptions, Severity, lint};
#[cfg(feature = "manifest")]
pub use manifest::{API_VERSION, KIND, KronJob, LoadError, LoadOptions, Loaded, LoadedJob, load};
pub use nominal::NominalTimes;
pub use parser::Parser;
pub use plan::{HostState, Plan, Step, plan};
pub use policy::{Action, Concurrency, Outcome, Policy};
#[cfg(feature = "serde")]
pub use receipt::{Difference, Receipt, Verification, ZoneRules};
pub use seed::{Seed, SeedHash, SeedStrategy};
pub use series::{PeriodSeries, StartSeries};
pub use spec::{JobSpec, JobSpecBuilder};
pub use text::{JobLine, parse_job_file};
pub use window::{Window, WindowMode};
pub use zone::{OffsetChange, TzDatabase, Zone, ZoneOffset};
