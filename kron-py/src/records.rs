//! Fills the dataclasses of `python/kron/_records.py`, which mirror the core's plain data, and reads files.

use kron_core::{
    Action, Difference, DrawStep, Explanation, Finding, Forbidden, LintOptions, LoadOptions, Parser, Plan,
    Step, TzDatabase, Verification, ZoneRules,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PyTuple};

use crate::convert::{Arg, Time, datetime, or_now};
use crate::decision::Decision;
use crate::error::raise_load;
use crate::job::{Job, JobRef};
use crate::tzdb::or_compiled_in;

/// A class of `kron._records`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static RECORDS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let records = RECORDS.get_or_try_init(py, || py.import("kron._records").map(Bound::unbind))?;
    records.bind(py).getattr(name)
}

pub(crate) fn action<'py>(py: Python<'py>, action: &Action) -> PyResult<Bound<'py, PyAny>> {
    let kind = match action {
        Action::Wait { .. } => "wait",
        Action::Execute => "execute",
        Action::Replace => "replace",
        Action::Record(_) => "record",
        Action::Nothing => "nothing",
    };
    let until = action.wait_until().map(|until| datetime(py, until.timestamp())).transpose()?;
    let outcome = action.outcome().map(|outcome| outcome.as_str());
    class(py, "Action")?.call1((kind, until, outcome))
}

/// A plan whose steps hold what `decision` makes of them.
pub(crate) fn plan<'py, D: IntoPyObject<'py>>(
    py: Python<'py>,
    plan: &Plan<'_>,
    mut decision: impl FnMut(&Step<'_>) -> D,
) -> PyResult<Bound<'py, PyAny>> {
    let step = class(py, "Step")?;
    let steps: PyResult<Vec<_>> =
        plan.steps.iter().map(|it| step.call1((decision(it), action(py, &it.action)?))).collect();
    let wake_up = plan.wake_up.map(|at| datetime(py, at)).transpose()?;
    class(py, "Plan")?.call1((PyTuple::new(py, steps?)?, plan.older_missed, wake_up))
}

/// The rule that forbids a candidate, by the name that the command prints.
fn forbidden(rule: Forbidden) -> String {
    match rule {
        Forbidden::NoOnlyClause => "only".to_string(),
        Forbidden::AvoidClause(index) => format!("avoid[{index}]"),
    }
}

pub(crate) fn explanation<'py>(
    py: Python<'py>,
    job: &JobRef,
    explanation: &Explanation<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let draw_step = class(py, "DrawStep")?;
    let draw = |draw: &DrawStep| {
        draw_step.call1((draw.u, draw.quantile, datetime(py, draw.candidate)?, draw.forbidden.map(forbidden)))
    };
    let draws: PyResult<Vec<_>> = explanation.draws.iter().map(draw).collect();
    let closed_up = explanation.closed_up.map(|closed_up| {
        class(py, "ClosedUp")?.call1((closed_up.u, closed_up.quantile, datetime(py, closed_up.chosen)?))
    });
    let run = |(first, last): &(i64, i64)| Ok((datetime(py, *first)?, datetime(py, *last)?));
    let runs: PyResult<Vec<_>> = explanation.allowed_runs.iter().map(run).collect();
    class(py, "Explanation")?.call1((
        Decision::of(job, &explanation.decision),
        explanation.on_schedule,
        explanation.candidates,
        PyTuple::new(py, draws?)?,
        closed_up.transpose()?,
        explanation.allowed,
        PyTuple::new(py, runs?)?,
    ))
}

pub(crate) fn verification<'py>(py: Python<'py>, verification: &Verification) -> PyResult<Bound<'py, PyAny>> {
    let difference = class(py, "Difference")?;
    let one = |it: &Difference| difference.call1((&it.field, &it.receipt, &it.computed));
    let differences: PyResult<Vec<_>> = verification.differences.iter().map(one).collect();
    let (zone_rules, versions, first) = match &verification.zone_rules {
        ZoneRules::Same => ("same", None, None),
        ZoneRules::OtherRelease { receipt, computed } => ("other-release", Some((receipt, computed)), None),
        ZoneRules::Different { first_difference } => ("different", None, *first_difference),
    };
    let first = first.map(|first| datetime(py, first.timestamp())).transpose()?;
    class(py, "Verification")?.call1((PyTuple::new(py, differences?)?, zone_rules, first, versions))
}

fn findings<'py>(py: Python<'py>, findings: &[Finding]) -> PyResult<Bound<'py, PyTuple>> {
    let class = class(py, "Finding")?;
    let one = |it: &Finding| {
        let span = it.span.as_ref().map(|span| (span.start, span.end));
        class.call1((it.severity.as_str(), it.code, &it.message, span, &it.help))
    };
    PyTuple::new(py, findings.iter().map(one).collect::<PyResult<Vec<_>>>()?)
}

/// Looks for what a valid job may not mean; the gravest findings come first.
///
/// `text` is the job's text as it was written, if there is one; without it, the text is not looked at. The look ahead begins
/// at `at`, the present time by default, and goes so many years of 366 days.
///
/// >>> import kron
/// >>> text = "0 * * * * @win(after,2h)"
/// >>> kron.lint(kron.Job(text, name="web/report"), text)[0].code
/// 'window-longer-than-gap'
#[pyfunction]
#[pyo3(signature = (job, text = None, at = None, *, years = 5))]
pub(crate) fn lint<'py>(
    py: Python<'py>,
    job: &Bound<'py, Job>,
    text: Option<&str>,
    at: Option<Time>,
    years: i64,
) -> PyResult<Bound<'py, PyTuple>> {
    let years = u32::try_from(years)
        .map_err(|_| PyValueError::new_err(format!("years must be from 0 to {}, not {years}", u32::MAX)))?;
    let options = LintOptions::default().with_years(years);
    findings(py, &kron_core::lint(&job.get().0, text, or_now(py, at)?, &options))
}

/// Reads jobs from the text of a file; `kron.loads` calls it.
#[pyfunction]
#[pyo3(signature = (text, namespace, tz_database, /))]
pub(crate) fn _load<'py>(
    py: Python<'py>,
    text: &str,
    namespace: Option<&str>,
    tz_database: Option<Arg<TzDatabase>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options =
        namespace.map_or_else(LoadOptions::default, |name| LoadOptions::default().with_namespace(name));
    let parser = Parser::new().with_tz_database(or_compiled_in(tz_database));
    let loaded = py.detach(|| parser.load(text, &options)).map_err(|error| raise_load(py, &error))?;
    let loaded_job = class(py, "LoadedJob")?;
    let mut jobs = Vec::with_capacity(loaded.jobs.len());
    for it in loaded.jobs {
        let job = Job(JobRef::Own(std::sync::Arc::new(it.job)));
        let fields: PyResult<Vec<_>> =
            it.fields.iter().map(|field| PyTuple::new(py, [&field.0, &field.1])).collect();
        jobs.push(loaded_job.call1((job, it.source, it.line, it.document, PyTuple::new(py, fields?)?))?);
    }
    class(py, "Loaded")?.call1((PyTuple::new(py, jobs)?, findings(py, &loaded.findings)?))
}
