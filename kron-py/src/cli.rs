//! The command, run inside the interpreter's process by the crate kron-cli.

use std::io::{stderr, stdin, stdout};
use std::time::SystemTime;

use anstream::{AutoStream, ColorChoice};
use kron_cli::{Io, explanation_page, host_name, run, sleep_until};
use pyo3::prelude::*;

use crate::decision::Decision;
use crate::error::raise;
use crate::job_class::Job;

/// Runs the command on the streams of the process and returns its exit code; `python -m kron` calls it.
#[pyfunction]
#[pyo3(signature = (args, /))]
pub(crate) fn _run(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| {
        let status = run(
            args,
            &mut Io {
                stdin: &mut stdin(),
                colored_stdout: AutoStream::choice(&stdout()) != ColorChoice::Never,
                stdout: &mut stdout(),
                colored_stderr: AutoStream::choice(&stderr()) != ColorChoice::Never,
                stderr: &mut stderr(),
                environment: &|name| std::env::var_os(name),
                clock: &mut || SystemTime::now().into(),
                sleep: &mut sleep_until,
                host_name: &host_name,
            },
        );
        u8::from(status)
    })
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
