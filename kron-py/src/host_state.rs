//! `kron.HostState`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kron_core::Outcome;
use kron_core::plan::{Action, Step};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};

use crate::any_period::period_of;
use crate::argument::{Arg, expected, flag, text};
use crate::convert::word;
use crate::dataclass::class;
use crate::guidance::refuse;
use crate::instant::{Time, datetime, or_now, whole_second};

/// What a host knows of one job between two evaluations, and what it stores between two processes: since when the configuration is in
/// force, which periods are handled, and whether an execution is active.
///
/// `Job.plan` says what to do, and `record` enters each step that is carried out. Store the state before you carry the step out: a host
/// that ends in between then starts no period twice. The state grows with the number of windows that overlap, and not with time.
///
/// Starts up to `since` are not in force: a start at `since` itself is not, unlike a start at `start` of `Job.starts(start, end)`.
/// `handled_through` says that all periods with nominal times up to it are handled, and `handled` has the nominal times of others.
///
/// A state is mutable, so it has no hash. Threads may share it.
///
/// >>> import datetime, kron
/// >>> job = kron.Job("0 0 * * * @win(after,3h) @policy(deadline=10m)", name="prod/db-backup")
/// >>> state = kron.HostState(since=datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
/// >>> plan = job.plan(state, "2026-03-01T02:41:00Z")
/// >>> print(plan)
/// execute: prod/db-backup 2026-03-01T00:00:00Z starts at 2026-03-01T02:40:22Z
/// plan again at 2026-03-02T00:00:00Z
/// >>> state.record(plan.steps[0])
/// >>> job.plan(state, "2026-03-01T02:41:00Z").steps, state.active
/// ((), True)
/// >>> kron.HostState.from_json(state.to_json()) == state
/// True
#[pyclass(frozen, module = "kron")]
#[derive(Debug)]
pub(crate) struct HostState(Mutex<kron_core::plan::HostState>);

impl HostState {
    fn of(state: kron_core::plan::HostState) -> HostState {
        HostState(Mutex::new(state))
    }

    /// Nothing that runs while the lock is held can run Python code.
    fn lock(&self) -> MutexGuard<'_, kron_core::plan::HostState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state as it is now.
    pub(crate) fn now(&self) -> kron_core::plan::HostState {
        self.lock().clone()
    }
}

/// The core's step of a `kron.Step`.
fn step_of(step: &Bound<'_, PyAny>) -> PyResult<Step<kron_core::Period>> {
    let py = step.py();
    if !step.is_instance(&class(py, "Step")?)? {
        return Err(expected("a kron.Step, one of plan.steps", step));
    }
    let action = step.getattr(intern!(py, "action"))?;
    let kind: String = action.getattr(intern!(py, "kind"))?.extract()?;
    let outcome: Option<String> = action.getattr(intern!(py, "outcome"))?.extract()?;
    let action = match (&*kind, outcome) {
        ("execute", _) => Action::Execute,
        ("replace", _) => Action::Replace,
        ("record", Some(outcome)) => Action::Record(word::<Outcome>(&outcome)?),
        // It gives no outcome, so it is not recorded.
        _ => Action::Nothing,
    };
    let previous_open: Option<Time> = step.getattr(intern!(py, "previous_open"))?.extract()?;
    let previous_open = previous_open.map(|time| whole_second("previous_open", time.0)).transpose()?;
    Ok(Step { period: period_of(&step.getattr(intern!(py, "period"))?)?, action, previous_open })
}

#[pymethods]
impl HostState {
    #[new]
    #[pyo3(
        signature = (since, *, handled_through = None, handled = None, active = false, **unknown),
        text_signature = "(since, *, handled_through=None, handled=(), active=False)"
    )]
    fn new(
        since: Time,
        handled_through: Option<Time>,
        handled: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] active: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<HostState> {
        refuse("HostState", unknown)?;
        let through = handled_through.map(|time| whole_second("handled_through", time.0)).transpose()?;
        let mut nominals = Vec::new();
        if let Some(handled) = handled {
            let items = handled.try_iter().map_err(|_| expected("an iterable of instants", handled))?;
            for nominal in items {
                let Arg(nominal) = nominal?.extract::<Time>()?;
                nominals.push(whole_second("handled", nominal)?);
            }
        }
        let mut state = kron_core::plan::HostState::new(since.0).with_handled(through, nominals);
        state.set_active(active);
        Ok(HostState::of(state))
    }

    /// Reads the JSON of `to_json`. Raises `ValueError` for another text.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<HostState> {
        serde_json::from_str(text)
            .map(HostState::of)
            .map_err(|error| PyValueError::new_err(format!("the text is no host state: {error}")))
    }

    /// The state as JSON, with times in Unix seconds: the fields `since`, `handledThrough`, `handled` and `active`.
    ///
    /// >>> import kron
    /// >>> kron.HostState("2026-03-01T00:00:00Z").to_json()
    /// '{"since":1772323200,"handled":[],"active":false}'
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.now()).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Enters a step of a plan that is carried out: its period is handled if the action gives it its outcome, and an execution is
    /// active if the action starts one. A step that is not entered, such as one that waits or whose start failed, stays open. Steps may
    /// be entered in any order.
    #[pyo3(signature = (step, /))]
    fn record(&self, step: &Bound<'_, PyAny>) -> PyResult<()> {
        let step = step_of(step)?;
        self.lock().record(&step);
        Ok(())
    }

    /// Begins another configuration of the job at `since`, by default now: its text was edited in anything but the policy. Starts up to
    /// then are not in force any more. No handled period is open again, so none that has run runs again because it was moved.
    #[pyo3(signature = (since = None))]
    fn reconfigure(&self, py: Python<'_>, since: Option<Time>) -> PyResult<()> {
        let since = or_now(py, since)?;
        self.lock().reconfigure(since);
        Ok(())
    }

    /// Whether the period of a nominal time is handled.
    #[pyo3(signature = (nominal, /))]
    fn is_handled(&self, nominal: Time) -> PyResult<bool> {
        let nominal = whole_second("nominal", nominal.0)?;
        Ok(self.lock().is_handled(nominal))
    }

    /// The time at which the configuration began: starts up to then are not in force.
    #[getter]
    fn since<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let since = self.lock().since();
        datetime(py, since)
    }

    /// All periods with nominal times up to this one are handled, or were not in force; `None` if that cannot be said.
    #[getter]
    fn handled_through<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let through = self.lock().handled_through();
        through.map(|through| datetime(py, through)).transpose()
    }

    /// The nominal times of further handled periods, ascending.
    #[getter]
    fn handled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let handled = self.now();
        let times: PyResult<Vec<_>> =
            handled.handled().iter().map(|nominal| datetime(py, *nominal)).collect();
        PyList::new(py, times?)
    }

    /// Whether an execution of the job is active. `record` sets it when one begins; set it to `False` when it has ended.
    #[getter]
    fn active(&self) -> bool {
        self.lock().is_active()
    }

    #[setter]
    fn set_active(&self, #[pyo3(from_py_with = flag)] active: bool) {
        self.lock().set_active(active);
    }

    fn __eq__(&self, other: &Bound<'_, HostState>) -> bool {
        self.now() == other.get().now()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let state = self.now();
        let time = |second| -> PyResult<String> { datetime(py, second)?.repr()?.extract() };
        let mut text = time(state.since())?;
        if let Some(through) = state.handled_through() {
            text += &format!(", handled_through={}", time(through)?);
        }
        if !state.handled().is_empty() {
            let times: PyResult<Vec<String>> = state.handled().iter().map(|nominal| time(*nominal)).collect();
            text += &format!(", handled=[{}]", times?.join(", "));
        }
        if state.is_active() {
            text += ", active=True";
        }
        Ok(format!("kron.HostState({text})"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<HostState>().getattr("from_json")?, (self.to_json()?,)))
    }
}
