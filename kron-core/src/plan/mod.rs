//! Policy and plans: what a host does with periods, given a time. Pure functions of periods, policy and `now`.
//!
//! `policy.rs` has what a user says about late and overlapping starts, `action.rs` the rules for one period, and `planner.rs` those
//! for all open periods of a job, with the catch-up rule. [`Job::plan`](crate::Job::plan) finds the periods, too. `host_state.rs` has
//! what a host keeps in between.
//!
//! ```
//! use kron_core::{Job, plan::Action};
//! let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @policy(deadline=10m)")?;
//! let start = job.next_start(0)?;
//! let action = job.spec().policy().evaluate(&start, start.nominal_time(), false, false);
//! assert_eq!(action, Action::Wait { until: start.chosen_timestamp().unwrap() });
//! # Ok::<(), kron_core::Error>(())
//! ```

pub(crate) mod action;
pub(crate) mod host_state;
pub(crate) mod planner;
pub(crate) mod policy;
mod step;
pub(crate) mod step_list;

pub use self::action::Action;
pub use self::host_state::HostState;
pub use self::planner::{Plan, PlanCounts, SlotsNeeded, plan};
pub use self::step::Step;
pub use self::step_list::StepSlot;
pub use crate::limits::MISSED_LISTED;

pub use self::policy::{Concurrency, Outcome, Policy, PolicyKey};
