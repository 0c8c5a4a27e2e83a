//! The state machine of a host. Each file is a host of its own kind: it enters what happens and makes the requests.

mod absence;
mod alone;
mod any_order;
mod claims;
mod edits;
mod run_now;

use kron_core::Job;
use kron_host::{HostView, Record};

/// 2026-03-01T00:00:00Z, when the jobs are added to the host.
const BEGIN: i64 = 1_772_323_200;
const HOUR: i64 = 3600;

/// What a host without executions sees at a second.
fn view<'a>(job: &'a Job, record: &'a Record, second: i64) -> HostView<'a> {
    HostView {
        job,
        revision: 1,
        configuration: "",
        created: BEGIN,
        record,
        executions: &[],
        retention: None,
        requested_retention: None,
        claim_ahead: 5,
        run_now: None,
        now: second * 1000,
    }
}
