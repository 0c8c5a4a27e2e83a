//! The class `kron.Job`: what it holds and how it compares and prints. Its methods are in `job.rs`, which can return decisions;
//! a decision has a job, so the class itself knows none.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::calendar;
use crate::convert::literal;
use crate::tzdb;

/// A job that Python objects share: a single job, or a member of a fleet.
#[derive(Clone, Debug)]
pub(crate) enum JobRef {
    Own(Arc<kron_core::Job>),
    Member(Arc<kron_fleet::Fleet>, usize),
}

impl Deref for JobRef {
    type Target = kron_core::Job;

    fn deref(&self) -> &kron_core::Job {
        match self {
            JobRef::Own(job) => job,
            JobRef::Member(fleet, index) => &fleet.jobs()[*index],
        }
    }
}

/// A job: a cron expression with modifiers, and a name.
///
/// The text is a cron expression and modifiers, or a `kron.Cron`. Every modifier can be a keyword argument instead, but not both:
/// a Python type or the text inside the modifier's brackets. `days` and `nodays` instead take a `kron.Days`, a mapping of its
/// parts, or an iterable of these; `only` and `avoid` take the same with `kron.Clause`.
/// `constraints` takes the modifiers `@only(...)` and `@avoid(...)` themselves as text; `window` also takes a duration alone, for
/// a window `after`. `name` is the job's name, 1 to 1024 bytes without control characters; its start times depend on it.
///
/// `tz_database` is the `kron.TzDatabase` in which the zone is looked up, by default the compiled-in one. The job keeps the
/// rules of its zone, in pickles too. `calendars` are the `kron.Calendar`s that the text or `constraints` name; the job keeps
/// their dates.
///
/// Methods use the present time for an instant that is left out. They take aware datetimes of any zone, raise `TypeError` for
/// naive ones, and return datetimes in UTC.
///
/// >>> import kron
/// >>> text = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h)", name="prod/db-backup")
/// >>> text == kron.Job("@daily", name="prod/db-backup", timezone="Europe/Paris", window=kron.Window("after", "3h"))
/// True
/// >>> text
/// kron.Job('0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)', name='prod/db-backup')
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug)]
pub(crate) struct Job(pub(crate) JobRef);

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.0.name() == other.0.name() && self.0.spec() == other.0.spec()
    }
}

impl Hash for Job {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.name(), self.0.spec()).hash(state);
    }
}

/// The canonical text, without the name.
impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.spec().fmt(f)
    }
}

/// Whether a search for a start of this job may decide many periods, so that other threads should run meanwhile.
///
/// Any other search takes about a microsecond. To release the GIL for it would make a thread wait for its next turn, which is
/// 5 ms away where another thread computes.
pub(crate) fn searches_long(job: &kron_core::Job) -> bool {
    const DAY: i64 = 86_400;
    !job.spec().constraints().is_empty() || job.spec().window().duration().as_secs() > DAY
}

impl Job {
    /// Runs a search of this job, without the GIL if it may take long.
    pub(crate) fn search<'a, T: Send>(
        &'a self,
        py: Python<'_>,
        search: impl FnOnce(&'a kron_core::Job) -> T + Send,
    ) -> T {
        if searches_long(&self.0) { py.detach(|| search(&self.0)) } else { search(&self.0) }
    }

    /// An expression that gives the job again, if its zone is of the compiled-in database.
    pub(crate) fn repr(&self, py: Python<'_>) -> PyResult<String> {
        let canonical = self.to_string();
        let (text, name) = (literal(py, &canonical)?, literal(py, self.0.name())?);
        let zone = self.0.spec().timezone();
        let calendars = self.0.spec().calendars();
        let mut end = String::new();
        if !calendars.is_empty() {
            end = format!(", calendars={}", calendar::list_repr(py, calendars)?);
        }
        if !tzdb::is_compiled_in(zone) {
            // No expression can name these rules, so this text is not an expression.
            let version = zone.tzdb_version().unwrap_or("of unknown version");
            return Ok(format!("kron.Job({text}, name={name}, tz_database=<{version}>{end})"));
        }
        // The text of a job made from parts can be longer than its constructor accepts.
        if canonical.len() > 60_000 && end.is_empty() && kron_core::JobSpec::parse(&canonical).is_err() {
            return Ok(format!("kron.Job._from_canonical({text}, {name})"));
        }
        Ok(format!("kron.Job({text}, name={name}{end})"))
    }
}
