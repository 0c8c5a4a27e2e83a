//! One step of a plan.

use core::fmt;

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

/// The action and the period: `execute: web/report 2026-03-02T06:00:00Z starts at 2026-03-02T05:48:52Z`.
///
/// ```
/// use kron_core::Job;
/// use kron_core::plan::HostState;
/// let job = Job::parse("web/ping", "@hourly")?;
/// let plan = job.plan(&HostState::new(0), 3600);
/// assert_eq!(plan.steps[0].to_string(), "execute: web/ping 1970-01-01T01:00:00Z starts at 1970-01-01T01:00:00Z");
/// # Ok::<(), kron_core::Error>(())
/// ```
impl<P: fmt::Display> fmt::Display for Step<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.action, self.period)
    }
}
