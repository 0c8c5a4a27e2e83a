//! Findings about constraints as they are written.

use alloc::format;
use alloc::vec::Vec;

use kron_core::{Clause, Constraints, Error, Finding, Job, Severity};

use super::LintOptions;
use super::periods::has_start;
use crate::lint::code::LintCode;

/// `only` clauses are alternatives. If they share no part, both were probably meant to apply.
pub(super) fn only_clauses_apart(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    let only = job.spec().constraints().only();
    let parts = |clause: &Clause| clause.parts().collect::<Vec<_>>();
    only.iter().enumerate().skip(1).find_map(|(index, clause)| {
        let apart = |other: &&Clause| other.parts().all(|part| !parts(clause).contains(&part));
        let other = only[..index].iter().find(apart)?;
        let message = format!(
            "`@only({other})` and `@only({clause})` are alternatives: a time that meets one of them is allowed"
        );
        let finding = Finding::new(Severity::Warning, LintCode::OnlyClausesApart, message);
        Some(finding.with_help(match joined(job, other, clause) {
            Ok(job) if has_start(&job, at, options) => {
                format!("to have both hold, write `@only({other};{clause})`")
            }
            _ => "no start would meet both: let the schedule match at such times, or widen the window".into(),
        }))
    })
}

/// The job with one `only` clause that has the parts of two, instead of all.
fn joined(job: &Job, one: &Clause, other: &Clause) -> Result<Job, Error> {
    let both = Clause::builder().parts_of(one).parts_of(other).build()?;
    let constraints =
        Constraints::from_clauses(alloc::vec![both], job.spec().constraints().avoid().to_vec())?;
    Job::new(job.name(), job.spec().to_builder().constraints(constraints).build()?)
}
