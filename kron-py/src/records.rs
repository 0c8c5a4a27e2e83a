//! Fills the dataclasses of `python/kron/_records.py`, which mirror the core's plain data, and reads files.

use kron_cli::explanation_page;
use kron_core::constraint::Forbidden;
use kron_core::plan::{Action, Plan, Step};
use kron_core::proof::{DrawStep, Explanation};
use kron_core::{Calendars, Finding, Parser, TzDatabase};
use kron_fleet::lint::{FleetJob, LintOptions};
use kron_formats::LoadOptions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::argument::{Arg, instance, optional_text, text};
use crate::calendar::or_none;
use crate::dataclass::class;
use crate::decision::Decision;
use crate::error::raise_load;
use crate::instant::{Time, datetime, or_now};
use crate::job_class::{Job, JobRef};
use crate::tzdb::or_compiled_in;

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

/// A plan whose steps have the results of `period` for the core's periods.
pub(crate) fn plan<'py, P, T: IntoPyObject<'py>>(
    py: Python<'py>,
    plan: Plan<P>,
    mut period: impl FnMut(P) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    let class_of_step = class(py, "Step")?;
    let one = |step: Step<P>| {
        let previous_open = step.previous_open.map(|open| datetime(py, open)).transpose()?;
        class_of_step.call1((period(step.period), action(py, &step.action)?, previous_open))
    };
    let steps = plan.steps.into_iter().map(one).collect::<PyResult<Vec<_>>>()?;
    let wake_up = plan.wake_up.map(|at| datetime(py, at)).transpose()?;
    class(py, "Plan")?.call1((PyTuple::new(py, steps)?, plan.older_missed, wake_up))
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
        explanation_page(job, explanation),
    ))
}

fn finding<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyAny>> {
    let span = finding.span.as_ref().map(|span| (span.start, span.end));
    let (severity, code) = (finding.severity.as_str(), finding.code.as_str());
    class(py, "Finding")?.call1((severity, code, &finding.message, span, &finding.help))
}

fn findings<'py>(py: Python<'py>, findings: &[Finding]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, findings.iter().map(|it| finding(py, it)).collect::<PyResult<Vec<_>>>()?)
}

/// Finds probable mistakes in a valid job; the most severe findings come first.
///
/// `text` is the job's text as it was written, if there is one; without it, findings about single steps of the schedule are left
/// out. At most 10,000 periods are examined, from `at` on, by default the present time, and for `years` years of 366 days, at
/// least one year. Returns a tuple of `kron.Finding`.
///
/// >>> import kron
/// >>> text = "0 * * * * @win(after,2h)"
/// >>> kron.lint(kron.Job(text, name="web/report"), text)[0].code
/// 'window-longer-than-gap'
#[pyfunction]
#[pyo3(signature = (job, text = None, at = None, *, years = 5))]
pub(crate) fn lint<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = instance)] job: &Bound<'py, Job>,
    #[pyo3(from_py_with = optional_text)] text: Option<&str>,
    at: Option<Time>,
    years: i64,
) -> PyResult<Bound<'py, PyTuple>> {
    let years = u32::try_from(years)
        .map_err(|_| PyValueError::new_err(format!("years must be from 0 to {}, not {years}", u32::MAX)))?;
    let options = LintOptions::default().with_years(years);
    let (job, at) = (&job.get().0, or_now(py, at)?);
    // It examines the periods of years.
    findings(py, &py.detach(|| kron_fleet::lint::lint(job, text, at, &options)))
}

/// Finds probable mistakes in many jobs together: many starts in one second or one minute, windows with fewer seconds than jobs,
/// and identical jobs.
///
/// `jobs` are `kron.Job`s, or `kron.LoadedJob`s of a file, whose commands are compared too. Starts are examined from `at` on, the
/// present time by default, for 366 days or a million nominal times, whichever ends first. Suspended jobs are left out. Returns a
/// tuple of `kron.FleetFinding`.
///
/// >>> import kron
/// >>> (found,) = kron.lint_fleet(kron.Job("@daily", name=f"report/{i}") for i in range(60))
/// >>> found.finding.code, len(found.jobs)
/// ('same-second', 60)
#[pyfunction]
#[pyo3(signature = (jobs, at = None))]
pub(crate) fn lint_fleet<'py>(
    py: Python<'py>,
    jobs: &Bound<'py, PyAny>,
    at: Option<Time>,
) -> PyResult<Bound<'py, PyTuple>> {
    let at = or_now(py, at)?;
    let loaded_job = class(py, "LoadedJob")?;
    let jobs: Vec<(Py<Job>, Option<String>)> = jobs
        .try_iter()?
        .map(|item| {
            let item = item?;
            if item.is_instance(&loaded_job)? {
                let fields: Vec<(String, String)> = item.getattr("fields")?.extract()?;
                let command = fields.into_iter().find(|(key, _)| key == "command").map(|(_, value)| value);
                return Ok((instance::<Job>(&item.getattr("job")?)?.clone().unbind(), command));
            }
            Ok((instance::<Job>(&item)?.clone().unbind(), None))
        })
        .collect::<PyResult<_>>()?;
    let jobs: Vec<FleetJob<'_>> = jobs
        .iter()
        .map(|(job, command)| FleetJob { job: &job.get().0, command: command.as_deref(), allowed: &[] })
        .collect();
    // It examines the nominal times of a year.
    let found = py.detach(|| kron_fleet::lint::lint_fleet(jobs, at));
    let class = class(py, "FleetFinding")?;
    let one = |it: &kron_fleet::lint::FleetFinding| {
        class.call1((finding(py, &it.finding)?, PyTuple::new(py, &it.jobs)?))
    };
    PyTuple::new(py, found.iter().map(one).collect::<PyResult<Vec<_>>>()?)
}

/// Reads jobs from the text of a file; `kron.loads` calls it.
#[pyfunction]
#[pyo3(signature = (text, namespace, tz_database, calendars, /))]
pub(crate) fn _load<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = text)] text: &str,
    #[pyo3(from_py_with = optional_text)] namespace: Option<&str>,
    tz_database: Option<Arg<TzDatabase>>,
    calendars: Option<Arg<Calendars>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options =
        namespace.map_or_else(LoadOptions::default, |name| LoadOptions::default().with_namespace(name));
    let parser =
        Parser::new().with_tz_database(or_compiled_in(tz_database)).with_calendars(or_none(calendars));
    let loaded =
        py.detach(|| kron_formats::load(&parser, text, &options)).map_err(|error| raise_load(py, &error))?;
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
