//! Passes over decisions: the iterators of `kron.Decisions`.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

use crate::bulk::Turn;
use crate::decision::Decision;
use crate::error::raise;
use crate::part::Part;
use crate::series::Walk;

/// A pass over decisions. Threads may share it: each decision goes to one of them.
#[pyclass(frozen, module = "kron._kron")]
pub(crate) struct DecisionIterator {
    cursor: Mutex<Cursor>,
    /// Whether a step may take long, so that it is taken without the GIL.
    long: bool,
}

/// A walk over a part of a series.
struct Cursor {
    walk: Walk,
    /// Decisions to pass over before the next one.
    skip: u64,
    step: u64,
    left: Option<u64>,
}

/// What a step came to.
enum Step {
    Found(Decision),
    Skipped,
    Ended,
}

impl Cursor {
    fn step(&mut self) -> Result<Step, kron_core::Error> {
        if self.left == Some(0) {
            return Ok(Step::Ended);
        }
        self.skip = self.walk.skip(self.skip);
        let Some(decision) = self.walk.step()? else { return Ok(Step::Ended) };
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(Step::Skipped);
        }
        self.skip = self.step - 1;
        self.left = self.left.map(|left| left - 1);
        Ok(Step::Found(decision))
    }
}

impl DecisionIterator {
    /// A pass over a part of a series; `long` says whether a step may take long.
    pub(crate) fn new(walk: Walk, part: Part, long: bool) -> DecisionIterator {
        let Part { offset, step, limit } = part;
        DecisionIterator { cursor: Mutex::new(Cursor { walk, skip: offset, step, left: limit }), long }
    }

    /// Holds the lock and runs no Python code, so that no thread that waits for the lock can prevent its release.
    fn step(&self) -> Result<Step, kron_core::Error> {
        self.cursor.lock().unwrap_or_else(PoisonError::into_inner).step()
    }

    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        loop {
            let step = if self.long { py.detach(|| self.step()) } else { self.step() };
            match step.map_err(raise)? {
                Step::Found(decision) => return Ok(Some(decision)),
                Step::Ended => return Ok(None),
                Step::Skipped => {}
            }
            if let Some(decision) = self.pass_over(py)? {
                return Ok(Some(decision));
            }
        }
    }

    /// Passes over decisions without the GIL, for a turn. Returns the first one that it need not pass over.
    fn pass_over(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        let found = py.detach(|| {
            let turn = Turn::begin();
            while !turn.is_over() {
                match self.step()? {
                    Step::Found(decision) => return Ok(Some(decision)),
                    Step::Ended => break,
                    Step::Skipped => {}
                }
            }
            Ok(None)
        });
        py.check_signals()?;
        found.map_err(raise)
    }

    /// As many decisions as can be made in a turn, and whether the walk has ended.
    pub(crate) fn some(&self, py: Python<'_>) -> PyResult<(Vec<Decision>, bool)> {
        py.detach(|| {
            let (turn, mut decisions) = (Turn::begin(), Vec::new());
            while !turn.is_over() {
                match self.step()? {
                    Step::Found(decision) => decisions.push(decision),
                    Step::Ended => return Ok((decisions, true)),
                    Step::Skipped => {}
                }
            }
            Ok((decisions, false))
        })
        .map_err(raise)
    }
}

#[pymethods]
impl DecisionIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        // `list` and similar functions take one decision after the other without a check for signals in between.
        py.check_signals()?;
        self.next(py)
    }
}
