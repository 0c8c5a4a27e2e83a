//! `kron.diff`.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kron_fleet::diff::{JobChange, JobPair, Peak, StartChange};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::argument::instance;
use crate::bulk::checked;
use crate::dataclass::class;
use crate::error::Ended;
use crate::fleet::Fleet;
use crate::guidance::refuse;
use crate::instant::{Time, datetime};
use crate::job_class::{Job, JobRef};
use crate::range::End;

/// The effect of an edit on one job.
struct JobChanges {
    starts: Vec<StartChange>,
    skipped: Vec<StartChange>,
    repeated: Vec<StartChange>,
}

fn changes(
    pair: &JobPair<'_>,
    (start, end): (DateTime<Utc>, DateTime<Utc>),
    check: &mut impl FnMut() -> PyResult<()>,
) -> Result<JobChanges, Ended> {
    let mut starts = Vec::new();
    for change in pair.start_changes(start..end) {
        check()?;
        starts.push(change.map_err(Ended::Core)?);
    }
    // From the first second of the range on, starts are those of the new job.
    let at = kron_core::Instant::ceil(&start).saturating_sub(1);
    let is_repeated = |change: &StartChange| change.old.is_some_and(|old| old <= at);
    let (repeated, skipped) = pair.at_edit(at).partition(is_repeated);
    Ok(JobChanges { starts, skipped, repeated })
}

/// Finds which starts an edit of jobs adds, removes or moves, from `start` on and before `end`; the edit is made at `start`.
/// Returns a `kron.Diff`.
///
/// Two jobs are compared if they have the same name. A job is renamed if one job whose name is gone and one with a new name have
/// the same text, and no other such job has it. Two starts are compared if their periods have the same nominal time. Suspended
/// jobs start nothing. Raises `KronError` if the search for the starts of a job fails, and `ValueError`
/// unless `start` is before `end`.
///
/// >>> import datetime, kron
/// >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
/// >>> old = kron.Fleet([kron.Job("0 1 * * * @win(after,3h)", name="db/backup")])
/// >>> new = kron.Fleet([kron.Job("0 1 * * * @win(after,1h)", name="db/backup"), kron.Job("@daily", name="report")])
/// >>> diff = kron.diff(old, new, day, day + datetime.timedelta(days=7))
/// >>> [(job.change, len(job.starts)) for job in diff.jobs]
/// [('changed', 7), ('added', 7)]
/// >>> print(diff.jobs[0].starts[0])
/// moves 2026-03-02T03:20:44Z -> 2026-03-02T01:46:55Z
#[pyfunction]
#[pyo3(signature = (old, new, start, end, **unknown), text_signature = "(old, new, start, end)")]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = instance)] old: &Bound<'py, Fleet>,
    #[pyo3(from_py_with = instance)] new: &Bound<'py, Fleet>,
    start: Time,
    end: End,
    unknown: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    refuse("diff", unknown)?;
    let fleets = [old.get().core(), new.get().core()];
    let range = (start.0, end.from(start.0)?);
    if range.0 >= range.1 {
        return Err(PyValueError::new_err("start must be before end"));
    }
    let pairs = py.detach(|| fleets[0].pair_with(fleets[1]));
    let (unchanged, pairs): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|pair| pair.change() == JobChange::Unchanged);
    let (found, peaks) = py.detach(|| -> Result<_, Ended> {
        let mut check = checked();
        let found =
            pairs.iter().map(|pair| changes(pair, range, &mut check)).collect::<Result<Vec<_>, _>>()?;
        let mut peaks = Vec::new();
        for fleet in fleets {
            let peak = fleet.peak_with(range.0..range.1, &mut check)?;
            if let Some((_, error)) = peak.errors.first() {
                return Err(Ended::Core(error.clone()));
            }
            peaks.push(peak);
        }
        Ok((found, peaks))
    })?;
    let (class_of_job, class_of_start) = (class(py, "JobDiff")?, class(py, "StartChange")?);
    let time = |second: Option<i64>| second.map(|second| datetime(py, second)).transpose();
    let start_change = |it: &StartChange| {
        class_of_start.call1((it.kind().as_str(), datetime(py, it.nominal)?, time(it.old)?, time(it.new)?))
    };
    let tuple =
        |list: &[StartChange]| PyTuple::new(py, list.iter().map(start_change).collect::<PyResult<Vec<_>>>()?);
    let one = |(pair, found): (&JobPair<'_>, &JobChanges)| {
        let job = |job: Option<&kron_core::Job>| job.map(|job| Job(JobRef::Own(Arc::new(job.clone()))));
        class_of_job.call1((
            pair.change().as_str(),
            job(pair.old),
            job(pair.new),
            tuple(&found.starts)?,
            tuple(&found.skipped)?,
            tuple(&found.repeated)?,
        ))
    };
    let jobs = pairs.iter().zip(&found).map(one).collect::<PyResult<Vec<_>>>()?;
    let class_of_peak = class(py, "Peak")?;
    let peak = |peak: &Peak| class_of_peak.call1((peak.starts, peak.per_minute, time(peak.minute)?));
    class(py, "Diff")?.call1((PyTuple::new(py, jobs)?, unchanged.len(), peak(&peaks[0])?, peak(&peaks[1])?))
}
