//! What a host does with one period, with all open periods, and with one job from its first claim to its outcomes. Pure
//! functions of decisions and `now`.

mod answers;
pub(crate) mod attempt;
pub(crate) mod backoff;
mod current;
pub(crate) mod dispatcher;
pub(crate) mod evaluate;
pub(crate) mod handled;
pub(crate) mod metric;
pub(crate) mod miss_cause;
pub(crate) mod periods;
pub(crate) mod plan;
pub(crate) mod primer;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod request;
mod run_now;
pub(crate) mod search;
mod starts;
mod stored;
