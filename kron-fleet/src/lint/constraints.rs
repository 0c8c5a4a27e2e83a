//! Findings about constraints as they are written.

use alloc::format;
use alloc::vec::Vec;

use kron_core::{Clause, Finding, JobSpec, Severity};

use crate::lint::code::LintCode;

/// `only` clauses are alternatives. If they share no part, both were probably meant to apply.
pub(super) fn only_clauses_apart(spec: &JobSpec) -> Option<Finding> {
    let only = spec.constraints().only();
    let parts = |clause: &Clause| clause.parts().collect::<Vec<_>>();
    only.iter().enumerate().skip(1).find_map(|(index, clause)| {
        let apart = |other: &&Clause| other.parts().all(|part| !parts(clause).contains(&part));
        let other = only[..index].iter().find(apart)?;
        let message = format!(
            "`@only({other})` and `@only({clause})` are alternatives: a time that meets one of them is allowed"
        );
        let finding = Finding::new(Severity::Warning, LintCode::OnlyClausesApart, message);
        Some(finding.with_help(format!("to have both hold, write `@only({other};{clause})`")))
    })
}
