//! `kron.Decision`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use kron_cli::explanation_svg;
use kron_core::Unschedulable;
use kron_core::decision::OwnedDecision;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::raise;
use crate::instant::{Time, datetime};
use crate::job_class::{Job, JobRef};
use crate::period::Period;
use crate::receipt::Receipt;

/// The decision of one period: its times, and the proof that they were drawn: algorithm, seed and number of draws.
///
/// Jobs make decisions. The constructor is for `repr` and pickles: it takes a job, a nominal time and the expected chosen time,
/// decides again, and raises `ValueError` if the result differs.
///
/// Times are aware datetimes in UTC. Decisions are ordered by chosen time (window end if there is none), then nominal time, then
/// name.
///
/// >>> import datetime, kron
/// >>> job = kron.Job("0 0 * * * @win(after,3h) @seed(stable,salt=backup)", name="prod/db-backup")
/// >>> decision = job.decide(datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
/// >>> decision.period_id, decision.chosen_time.isoformat(), decision.draws
/// ('2026-03-01T00:00:00Z', '2026-03-01T00:19:37+00:00', 1)
#[pyclass(frozen, eq, ord, hash, str, module = "kron")]
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    job: JobRef,
    decision: OwnedDecision,
}

impl Decision {
    /// A decision that this job made.
    pub(crate) fn of(job: &JobRef, decision: &kron_core::Decision<'_>) -> Decision {
        Decision { job: job.clone(), decision: (*decision).into() }
    }

    /// The core's decision.
    pub(crate) fn core(&self) -> kron_core::Decision<'_> {
        self.decision.as_decision()
    }

    fn order(&self) -> (i64, i64, &str) {
        let core = self.core();
        (core.order_timestamp(), core.nominal_timestamp(), core.name())
    }
}

impl PartialEq for Decision {
    fn eq(&self, other: &Decision) -> bool {
        self.core() == other.core()
    }
}

impl PartialOrd for Decision {
    fn partial_cmp(&self, other: &Decision) -> Option<Ordering> {
        // Decisions of two jobs with one name can have equal times and still differ; neither comes first.
        let order = self.order().cmp(&other.order());
        if order.is_eq() { (self == other).then_some(order) } else { Some(order) }
    }
}

impl Hash for Decision {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.core().name(), self.core().period()).hash(state);
    }
}

/// Name, period and start in a line.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.core().fmt(f)
    }
}

#[pymethods]
impl Decision {
    #[new]
    #[pyo3(signature = (job, nominal_time, chosen_time, /))]
    fn decide(job: &Bound<'_, Job>, nominal_time: Time, chosen_time: Option<Time>) -> PyResult<Decision> {
        let job = &job.get().0;
        let decision = job.decide(nominal_time.0).map_err(raise)?;
        let chosen = chosen_time.map(|time| time.0);
        if chosen == decision.chosen_time() {
            return Ok(Decision::of(job, &decision));
        }
        let text = |time: Option<chrono::DateTime<chrono::Utc>>| {
            time.map_or("none".to_string(), |time| time.to_rfc3339())
        };
        Err(PyValueError::new_err(format!(
            "chosen_time: {} is not what the job decides for {}, which is {}",
            text(chosen),
            decision.period_id(),
            text(decision.chosen_time()),
        )))
    }

    /// The job that decided.
    #[getter]
    pub(crate) fn job(&self) -> Job {
        Job(self.job.clone())
    }

    /// The name of the job.
    #[getter]
    fn name(&self) -> &str {
        self.core().name()
    }

    /// The times of the period, without the proof.
    #[getter]
    fn period(&self) -> Period {
        Period(self.core().period())
    }

    /// The name of the algorithm that decided.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.core().algorithm()
    }

    /// The period id: the nominal time in RFC 3339, UTC.
    #[getter]
    fn period_id(&self) -> String {
        self.core().period_id()
    }

    /// What periods that share this draw have in common: the period id, the local date, the local ISO week or `fixed`.
    #[getter]
    fn period_key(&self) -> String {
        self.core().period_key()
    }

    /// The nominal time.
    #[getter]
    fn nominal_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.nominal_timestamp())
    }

    /// The first candidate of the window.
    #[getter]
    fn window_start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.window_start_timestamp())
    }

    /// The last candidate of the window.
    #[getter]
    fn window_end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.window_end_timestamp())
    }

    /// The start; `None` if the period is unschedulable.
    #[getter]
    fn chosen_time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.chosen_timestamp().map(|chosen| datetime(py, chosen)).transpose()
    }

    /// `nominal_time` in Unix seconds.
    #[getter]
    fn nominal_timestamp(&self) -> i64 {
        self.core().nominal_timestamp()
    }

    /// `window_start` in Unix seconds.
    #[getter]
    fn window_start_timestamp(&self) -> i64 {
        self.core().window_start_timestamp()
    }

    /// `window_end` in Unix seconds.
    #[getter]
    fn window_end_timestamp(&self) -> i64 {
        self.core().window_end_timestamp()
    }

    /// `chosen_time` in Unix seconds.
    #[getter]
    fn chosen_timestamp(&self) -> Option<i64> {
        self.core().chosen_timestamp()
    }

    /// Why there is no start, `'noAllowedSecond'` or `'drawsExhausted'`; `None` if there is one.
    #[getter]
    fn unschedulable(&self) -> Option<&'static str> {
        self.core().unschedulable().map(Unschedulable::as_str)
    }

    /// The text that was hashed: name, period key and salt, one a line.
    #[getter]
    fn seed_input(&self) -> String {
        self.core().seed_input()
    }

    /// The hash of `seed_input`, 32 bytes as 64 lower-case hex digits. It seeds the draws.
    #[getter]
    fn seed_hash(&self) -> String {
        self.core().seed_hash().to_string()
    }

    /// How many draws were made, from 0 to 65.
    #[getter]
    fn draws(&self) -> u8 {
        self.core().draws()
    }

    /// A receipt, from which anyone can compute the decision again.
    ///
    /// >>> import kron
    /// >>> job = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup")
    /// >>> kron.verify(job.next_start().receipt()).agrees
    /// True
    fn receipt(&self) -> Receipt {
        Receipt(kron_core::proof::Receipt::new(&self.job, &self.core()))
    }

    /// The decision as a dict: the attributes by name, without `job`, `period` and the Unix seconds.
    ///
    /// >>> import kron
    /// >>> decision = kron.Job("@daily @win(after,1h) @only(hours=9)", name="prod/db").next_period()
    /// >>> decision.to_dict()["unschedulable"], decision.to_dict()["nominal_time"] == decision.nominal_time
    /// ('noAllowedSecond', True)
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let full = self.core();
        let record = PyDict::new(py);
        record.set_item("name", full.name())?;
        record.set_item("algorithm", full.algorithm())?;
        record.set_item("period_id", full.period_id())?;
        record.set_item("period_key", full.period_key())?;
        record.set_item("nominal_time", self.nominal_time(py)?)?;
        record.set_item("window_start", self.window_start(py)?)?;
        record.set_item("window_end", self.window_end(py)?)?;
        record.set_item("chosen_time", self.chosen_time(py)?)?;
        record.set_item("seed_input", full.seed_input())?;
        record.set_item("seed_hash", full.seed_hash().to_string())?;
        record.set_item("draws", full.draws())?;
        record.set_item("unschedulable", full.unschedulable().map(Unschedulable::as_str))?;
        Ok(record)
    }

    /// The decision as JSON, with the names of `kron next -o json`: `periodId`, `chosenTime` and so on.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.core()).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The picture of the window that `kron explain -o svg` prints. Notebooks show it.
    fn _repr_svg_(&self) -> PyResult<String> {
        let explanation = self.job.explain(self.core().nominal_timestamp()).map_err(raise)?;
        Ok(explanation_svg(&self.job, &explanation))
    }

    /// Only without a format: of its times, none is the obvious one.
    fn __format__(&self, spec: &str) -> PyResult<String> {
        match spec {
            "" => Ok(self.to_string()),
            _ => Err(PyTypeError::new_err(format!(
                "a kron.Decision has several times; format one of them, as in f\"{{decision.chosen_time:{spec}}}\""
            ))),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let time = |timestamp| -> PyResult<String> { datetime(py, timestamp)?.repr()?.extract() };
        let nominal = time(self.nominal_timestamp())?;
        let chosen = self.chosen_timestamp().map_or(Ok("None".to_string()), time)?;
        Ok(format!("kron.Decision({}, {nominal}, {chosen})", self.job().repr(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let args = (self.job(), self.nominal_time(py)?, self.chosen_time(py)?);
        Ok((py.get_type::<Decision>().into_any(), args.into_pyobject(py)?.into_any()))
    }
}
