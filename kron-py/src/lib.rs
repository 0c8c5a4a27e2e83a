//! The private module `kron._kron`: kron-core behind Python's types.
//!
//! Nothing here decides a time. Each file converts one noun of the core, and is named after it; `argument.rs`, `instant.rs`,
//! `duration.rs`, `range.rs` and `convert.rs` have the types of Python and of other packages, `error.rs` the exceptions of the core's
//! errors, and `guidance.rs` those about names that do not exist. What is plain data in the core is a dataclass in
//! `python/kron/_records.py`, which `dataclass.rs` finds and `records.rs` fills. No two files import each other: decisions have
//! jobs, so the class of a job (`job_class.rs`) is separate from its methods that return decisions (`job.rs`).

mod any_period;
mod argument;
mod audit;
mod bulk;
mod calendar;
mod clause_class;
mod cli;
mod compare;
mod constraints;
mod convert;
mod cron;
mod dataclass;
mod days;
mod decide;
mod decision;
mod decision_iterator;
mod decisions;
mod diff;
mod distribution;
mod duration;
mod error;
mod fleet;
mod fleet_items;
mod forecast;
mod guidance;
mod host_state;
mod instant;
mod job;
mod job_class;
mod notebook;
mod part;
mod parts;
mod period;
mod policy;
mod range;
mod receipt;
mod records;
mod seed;
mod series;
mod spread;
mod tzdb;
mod tzif;
mod window;

/// The module as Python imports it. It needs no GIL: its classes are frozen, and locks protect shared state.
#[pyo3::pymodule(gil_used = false)]
mod _kron {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::audit::audit;
    #[pymodule_export]
    use crate::bulk::Timestamps;
    #[pymodule_export]
    use crate::calendar::{_load_calendars, Calendar};
    #[pymodule_export]
    use crate::cli::_explain_text;
    #[cfg(feature = "command")]
    #[pymodule_export]
    use crate::cli::_run;
    #[pymodule_export]
    use crate::compare::compare_starts;
    #[pymodule_export]
    use crate::constraints::{Clause, Constraints};
    #[pymodule_export]
    use crate::cron::Cron;
    #[pymodule_export]
    use crate::days::Days;
    #[pymodule_export]
    use crate::decide::decide;
    #[pymodule_export]
    use crate::decision::Decision;
    #[pymodule_export]
    use crate::decisions::Decisions;
    #[pymodule_export]
    use crate::diff::diff;
    #[pymodule_export]
    use crate::distribution::Distribution;
    #[pymodule_export]
    use crate::fleet::Fleet;
    #[pymodule_export]
    use crate::forecast::Forecast;
    #[pymodule_export]
    use crate::host_state::HostState;
    #[pymodule_export]
    use crate::job_class::Job;
    #[pymodule_export]
    use crate::period::Period;
    #[pymodule_export]
    use crate::policy::{Policy, plan};
    #[pymodule_export]
    use crate::receipt::{Receipt, verify};
    #[pymodule_export]
    use crate::records::{_load, lint, lint_fleet};
    #[pymodule_export]
    use crate::seed::Seed;
    #[pymodule_export]
    use crate::spread::Spread;
    #[pymodule_export]
    use crate::tzdb::TzDatabase;
    #[pymodule_export]
    use crate::window::Window;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("TZDB_VERSION", kron_core::TzDatabase::COMPILED_IN_VERSION)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
