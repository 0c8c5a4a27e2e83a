//! The engine: keeps what the watches show, lets the timers decide, and makes the requests that the plans ask for.
//!
//! Three kinds of tasks run at the same time. The *watches* take in objects. The *timers* evaluate the periods whose
//! second has come; they wait for nothing but the clock. The *workers* take KronJobs from the queue, ask the plan for
//! the next request and make it; starts go before updates of the status, and these before the rest. None of them
//! decides anything: that is what [`plan`](crate::plan) is for.

mod bucket;
mod consistent;
mod limiter;
mod list_reader;
mod lists;
mod options;
mod queue;
mod requests;
mod retries;
mod run;
mod shared;
pub mod shared_lists;
pub mod state;
mod tasks;
mod timers;
mod watches;
mod workers;

pub use options::{Hold, Options, REQUEST_LIMIT};
pub use shared::Engine;
pub(crate) use shared::Shared;
pub use tasks::EndedEarly;

#[cfg(test)]
mod tests;
