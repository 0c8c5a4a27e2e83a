//! `kron.decide`.

use kron_core::{Algorithm, Calendars, Distribution, Policy, Seed, TzDatabase, Window};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::argument::{Arg, optional_text};
use crate::constraints::ConstraintsArg;
use crate::convert::ZoneName;
use crate::decision::Decision;
use crate::guidance::{missing, refuse, refuse_positional};
use crate::instant::Time;
use crate::job_class::Job;
use crate::parts::Parts;

/// Decides one period of a job that is not kept: `Job(text, name=...).decide(nominal)`.
///
/// >>> import datetime, kron
/// >>> midnight = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
/// >>> kron.decide("@daily", midnight, name="prod/db-backup", window="after,3h", seed="stable,salt=backup").chosen_time
/// datetime.datetime(2026, 3, 1, 0, 19, 37, tzinfo=datetime.timezone.utc)
#[pyfunction]
#[pyo3(
    signature = (text = None, nominal = None, *more, name = None, timezone = None, days = None, nodays = None, window = None, distribution = None, seed = None, only = None, avoid = None, constraints = None, policy = None, algorithm = None, tz_database = None, calendars = None, **unknown),
    text_signature = "(text, nominal, *, name, timezone=None, days=None, nodays=None, window=None, distribution=None, seed=None, only=None, avoid=None, constraints=None, policy=None, algorithm=None, tz_database=None, calendars=None)"
)]
#[expect(clippy::too_many_arguments, reason = "one keyword for each part of a job")]
pub(crate) fn decide(
    py: Python<'_>,
    text: Option<&Bound<'_, PyAny>>,
    nominal: Option<Time>,
    more: &Bound<'_, PyTuple>,
    #[pyo3(from_py_with = optional_text)] name: Option<&str>,
    timezone: Option<ZoneName>,
    days: Option<Bound<'_, PyAny>>,
    nodays: Option<Bound<'_, PyAny>>,
    window: Option<Arg<Window>>,
    distribution: Option<Arg<Distribution>>,
    seed: Option<Arg<Seed>>,
    only: Option<Bound<'_, PyAny>>,
    avoid: Option<Bound<'_, PyAny>>,
    constraints: Option<ConstraintsArg>,
    policy: Option<Arg<Policy>>,
    algorithm: Option<Arg<Algorithm>>,
    tz_database: Option<Arg<TzDatabase>>,
    calendars: Option<Arg<Calendars>>,
    unknown: Option<&Bound<'_, PyDict>>,
) -> PyResult<Decision> {
    refuse("decide", unknown)?;
    refuse_positional("decide", more)?;
    let text = text.ok_or_else(|| missing(py, "decide", "text"))?;
    let nominal = nominal.ok_or_else(|| missing(py, "decide", "nominal"))?;
    let name = name.ok_or_else(|| missing(py, "decide", "name"))?;
    let parts = Parts {
        timezone,
        days,
        nodays,
        window,
        distribution,
        seed,
        only,
        avoid,
        constraints,
        policy,
        algorithm,
        tz_database,
        calendars,
    };
    Job::of(name, parts.spec(text)?)?.decide(nominal)
}
