//! What to do with a KronJob now: all that Kubernetes adds to the core's state machine, and nothing that waits, asks a clock
//! or talks to a server.
//!
//! [`Observed`] is what this process knows of a KronJob: it [looks](Observed::look) at the objects, it
//! [observes](Observed::observe) what is sent, and its requests are [answered](Observed::answered). [`plan`] reads it, and says which requests to make, what the
//! status should be, and when to look again. Every decision about a period or a start is made by `kron-core`.

mod answer;
mod conditions;
mod dry_run;
mod history;
mod look;
mod messages;
mod objects;
mod observation;
mod observed;
mod planner;
mod primer;
mod request;
mod status;

pub use answer::{Answered, Moment, Pace, Response};
pub use messages::{Message, PeriodResult};
pub use objects::Objects;
pub use observation::Observation;
pub use observed::{Observed, Reports};
pub use planner::plan;
pub use request::{Deleted, KronJobPlan, Lane, Purpose, Request, Sought};

#[cfg(test)]
mod tests;
