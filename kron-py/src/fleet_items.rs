//! What fleets are made of: jobs, and pairs of a name and a text.

use kron_core::JobSpec;
use kron_core::error::Snippet;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::argument::{expected, expected_with_help};
use crate::cron::Cron;
use crate::error::raise_in;
use crate::job_class::Job;

/// The job of an item of a fleet.
pub(crate) fn job_of(item: &Bound<'_, PyAny>) -> PyResult<kron_core::Job> {
    if let Ok(job) = item.cast::<Job>() {
        return Ok((*job.get().0).clone());
    }
    if let Ok((name, value)) = item.extract::<(PyBackedStr, Bound<'_, PyAny>)>() {
        return named_job(&name, &value);
    }
    let what = "a kron.Job, or a pair of a name and a text";
    if item.is_instance_of::<PyString>() {
        return Err(expected_with_help(what, item, "a text needs a name: write kron.Fleet({'name': text})"));
    }
    // A job of a file knows its lines too.
    let job = item.getattr_opt("job")?;
    match job.as_ref().and_then(|job| job.cast::<Job>().ok()) {
        Some(job) => Ok((*job.get().0).clone()),
        None => Err(expected(what, item)),
    }
}

/// The job of a name and a text, a cron expression, or a job.
fn named_job(name: &str, value: &Bound<'_, PyAny>) -> PyResult<kron_core::Job> {
    if let Ok(job) = value.cast::<Job>() {
        let job = &job.get().0;
        if job.name() == name {
            return Ok((**job).clone());
        }
        // Its starts depend on its name, so that is not changed in silence.
        return Err(PyValueError::new_err(format!(
            "the job under {} has the name {}; write job.replace(name={name:?})",
            Snippet::of(name),
            Snippet::of(job.name())
        )));
    }
    let spec = match value.cast::<Cron>() {
        Ok(cron) => JobSpec::builder(cron.get().0).build(),
        Err(_) => match value.cast::<PyString>() {
            Ok(text) => JobSpec::parse(&text.to_cow()?),
            Err(_) => return Err(expected("a job's text, a kron.Cron or a kron.Job", value)),
        },
    };
    spec.and_then(|spec| kron_core::Job::new(name, spec)).map_err(|error| raise_in(&error, Some(name)))
}
