//! Findings about policies.

use alloc::string::ToString;

use kron_core::{Finding, JobSpec, Severity};

use crate::lint::code::LintCode;

pub(super) fn no_deadline(spec: &JobSpec) -> Option<Finding> {
    let message = "the job has no deadline: a host that is a second late, say while its leader changes, misses the start";
    spec.policy().deadline().is_zero().then(|| {
        Finding::new(Severity::Note, LintCode::NoDeadline, message.to_string())
            .with_help("add `@policy(deadline=1m)`")
    })
}
