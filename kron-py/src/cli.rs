//! What the crate kron-cli has: the page of an explanation and, with the feature `command`, the command.

use kron_cli::explanation_page;
use pyo3::prelude::*;

use crate::decision::Decision;
use crate::error::raise;
use crate::job_class::Job;

/// Runs the command on the streams of the process and returns its exit code; `python -m kron` calls it.
#[cfg(feature = "command")]
#[pyfunction]
#[pyo3(signature = (args, /))]
pub(crate) fn _run(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| u8::from(kron_cli::run_in_process(args)))
}

/// The page that `kron explain` prints for a decision; `str(explanation)` calls it.
#[pyfunction]
#[pyo3(signature = (decision, /))]
pub(crate) fn _explain_text(decision: &Bound<'_, Decision>) -> PyResult<String> {
    let decision = decision.get();
    let Job(job) = decision.job();
    let explanation = job.explain(decision.core().nominal_timestamp()).map_err(raise)?;
    Ok(explanation_page(&job, &explanation))
}
