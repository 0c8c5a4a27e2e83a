//! One step of a plan.

use crate::plan::action::Action;

/// One period of a plan and what to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<P> {
    /// The period, as it was given to [`plan`](crate::plan::plan()); from [`Job::plan`](crate::Job::plan) its decision.
    pub period: P,
    /// What to do with it.
    pub action: Action,
    /// The nominal time of the open period before it, in Unix seconds; `None` if none is open.
    /// [`HostState::record`](crate::plan::HostState::record) needs it to see that all periods up to one are handled.
    pub previous_open: Option<i64>,
}
