//! Runs cron jobs with deterministic jitter: each period at most once, at the second that [`kron_core`] chooses.
//!
//! A [`Runner`] has jobs and a [`Store`]. It decides nothing about periods itself: every choice comes from
//! [`kron_host::Dispatcher`], as in Kron's operator for Kubernetes. A start is claimed in the store before it is made,
//! and its outcome is stored afterwards, so a crash at any instant runs no period twice, and a runner that begins
//! again applies the job's deadline and the catch-up rule to what was missed.
//!
//! ```no_run
//! use kron_core::Job;
//! use kron_runner::{MemoryStore, Runner, Start};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let job = Job::parse("prod/report", "0 2 * * * @tz(Europe/Paris) @win(after,3h) @policy(deadline=10m)")?;
//! let report = |start: Start| async move { println!("{} for {:?}", start.job, start.period_id()) };
//! Runner::new(MemoryStore::new()).job(job, report).run(std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(all(doctest, feature = "sqlite"))]
#[doc = include_str!("../../docs/guide/rust-service.md")]
mod docs {}

mod clock;
mod engine;
mod error;
mod event;
mod handle;
mod handler;
mod job;
mod record;
mod result;
mod runner;
mod store;

pub use clock::{Clock, SimulatedClock, SystemClock, Waited};
pub use error::RunnerError;
pub use event::RunnerEvent;
pub use handle::{Reloaded, Report, RunnerHandle};
pub use handler::{BoxFuture, Handler, Running, Start, StartError, StopSignal};
pub use job::RunnerJob;
pub use record::{
    ClockAhead, ExecutionRecord, JobRecord, OlderMissed, OutcomeRecord, OutputPipes, ProcessId, RunnerRecord,
    cause_word,
};
pub use result::{ExecutionResult, ExecutionStatus};
pub use runner::Runner;
pub use store::memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use store::sqlite::{Opening, SqliteStore, StateFile};
pub use store::{Change, HistoryLimits, Store, StoreError, StoreErrorKind, StoredJob};
