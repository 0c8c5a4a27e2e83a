//! The methods of `kron.Job`, and `kron.decide`.

use std::sync::Arc;

use kron_core::cron::ClockChange;
use kron_core::{
    Algorithm, Calendars, Decision as CoreDecision, Distribution, Duration, Error, Parser, Policy, Seed,
    TzDatabase, Window,
};
use kron_formats::prime::Prime as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::argument::{Arg, Given, flag, instance, optional_text};
use crate::bulk::{self, Timestamps, checked};
use crate::calendar::{self, or_none};
use crate::constraints::{Constraints as PyConstraints, ConstraintsArg};
use crate::convert::{ZoneName, timezone};
use crate::cron::{self, Cron};
use crate::dataclass::class;
use crate::days;
use crate::decision::Decision;
use crate::decisions::Decisions;
use crate::distribution::Distribution as PyDistribution;
use crate::duration::offset;
use crate::error::raise;
use crate::guidance::{missing, refuse, refuse_positional};
use crate::host_state::HostState;
use crate::instant::{Time, datetime, or_now, second};
use crate::job_class::{Job, JobRef};
use crate::parts::Parts;
use crate::policy::Policy as PyPolicy;
use crate::range::{Count, End, SeriesArgs};
use crate::records;
use crate::seed::Seed as PySeed;
use crate::series::{Kind, Source};
use crate::tzdb::{self, or_compiled_in};
use crate::window::Window as PyWindow;

impl Job {
    pub(crate) fn of(name: &str, spec: kron_core::JobSpec) -> PyResult<Job> {
        kron_core::Job::new(name, spec).map(|job| Job(JobRef::Own(Arc::new(job)))).map_err(raise)
    }

    fn series(&self, py: Python<'_>, kind: Kind, args: SeriesArgs) -> PyResult<Decisions> {
        let (series, count) = args.series(py, Source::Job(self.0.clone()), kind)?;
        Ok(Decisions::first(series, count))
    }

    fn found(&self, decision: Result<CoreDecision<'_>, Error>) -> PyResult<Decision> {
        decision.map(|decision| Decision::of(&self.0, &decision)).map_err(raise)
    }
}

#[pymethods]
impl Job {
    #[new]
    #[pyo3(
        signature = (text = None, /, *more, name = None, timezone = None, days = None, nodays = None, window = None, distribution = None, seed = None, only = None, avoid = None, constraints = None, policy = None, algorithm = None, tz_database = None, calendars = None, **unknown),
        text_signature = "(text, /, *, name, timezone=None, days=None, nodays=None, window=None, distribution=None, seed=None, only=None, avoid=None, constraints=None, policy=None, algorithm=None, tz_database=None, calendars=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "one keyword for each part of a job")]
    fn new(
        py: Python<'_>,
        text: Option<&Bound<'_, PyAny>>,
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
    ) -> PyResult<Job> {
        refuse("Job", unknown)?;
        refuse_positional("Job", more)?;
        let text = text.ok_or_else(|| missing(py, "Job", "text"))?;
        let name = name.ok_or_else(|| missing(py, "Job", "name"))?;
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
        Job::of(name, parts.spec(text)?)
    }

    /// The same job with other parts, or another name.
    ///
    /// `timezone` is looked up in `tz_database`, which is the compiled-in database by default. With `tz_database` alone, the
    /// job keeps the name of its zone and takes the rules from that database. With `calendars`, the clauses of days and the
    /// constraints that the job keeps take the dates of the calendars that they name from these.
    ///
    /// A part that is left out stays. `None` is an error: `window="0s"` removes the window.
    ///
    /// >>> import kron
    /// >>> kron.Job("@daily", name="prod/db").replace(window="after,1h")
    /// kron.Job('0 0 * * * @win(after,1h0m0s)', name='prod/db')
    #[pyo3(
        signature = (*, name = None, timezone = Given(None), days = Given(None), nodays = Given(None), window = Given(None), distribution = Given(None), seed = Given(None), only = Given(None), avoid = Given(None), constraints = Given(None), policy = Given(None), algorithm = Given(None), tz_database = None, calendars = None, **unknown),
        text_signature = "($self, *, name=None, timezone=None, days=None, nodays=None, window=None, distribution=None, seed=None, only=None, avoid=None, constraints=None, policy=None, algorithm=None, tz_database=None, calendars=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "one keyword for each part of a job")]
    fn replace(
        &self,
        #[pyo3(from_py_with = optional_text)] name: Option<&str>,
        timezone: Given<ZoneName>,
        days: Given<Bound<'_, PyAny>>,
        nodays: Given<Bound<'_, PyAny>>,
        window: Given<Arg<Window>>,
        distribution: Given<Arg<Distribution>>,
        seed: Given<Arg<Seed>>,
        only: Given<Bound<'_, PyAny>>,
        avoid: Given<Bound<'_, PyAny>>,
        constraints: Given<ConstraintsArg>,
        policy: Given<Arg<Policy>>,
        algorithm: Given<Arg<Algorithm>>,
        tz_database: Option<Arg<TzDatabase>>,
        calendars: Option<Arg<Calendars>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Job> {
        refuse("Job.replace", unknown)?;
        let parts = Parts {
            timezone: timezone.0,
            days: days.0,
            nodays: nodays.0,
            window: window.0,
            distribution: distribution.0,
            seed: seed.0,
            only: only.0,
            avoid: avoid.0,
            constraints: constraints.0,
            policy: policy.0,
            algorithm: algorithm.0,
            tz_database,
            calendars,
        };
        Job::of(name.unwrap_or(self.0.name()), parts.on(self.0.spec())?)
    }

    /// The stable name of the job; in a cluster `namespace/name`.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The cron expression.
    #[getter]
    fn schedule(&self) -> Cron {
        Cron(*self.0.spec().schedule())
    }

    /// The zone in which schedule and constraints are read, as the `zoneinfo.ZoneInfo` of that name.
    ///
    /// Its rules are those of Python's own data, which can be older than the rules that the job uses. Raises
    /// `zoneinfo.ZoneInfoNotFoundError` if Python has no zone of that name.
    #[getter]
    fn timezone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        timezone(py, self.0.spec().timezone())
    }

    /// The version of the time zone database that the zone's rules are from, such as `2026e`; `None` if it is unknown.
    ///
    /// >>> import kron
    /// >>> kron.Job("@daily", name="prod/db", timezone="Europe/Paris").tzdb_version == kron.TZDB_VERSION
    /// True
    #[getter]
    fn tzdb_version(&self) -> Option<&str> {
        self.0.spec().timezone().tzdb_version()
    }

    /// The fingerprint of the zone's rules, 64 lower-case hex digits, as from `TzDatabase.fingerprint`. Receipts contain it.
    ///
    /// >>> import kron
    /// >>> job = kron.Job("@daily", name="prod/db", timezone="Europe/Paris")
    /// >>> job.timezone_fingerprint == kron.TzDatabase.compiled_in().fingerprint("Europe/Paris")
    /// True
    #[getter]
    fn timezone_fingerprint(&self) -> String {
        self.0.spec().timezone().fingerprint()
    }

    /// The clauses of which one must match the date of a nominal time; none of them if every date does.
    ///
    /// >>> import kron
    /// >>> kron.Job("0 22 * * * @days(dow=FRI;last=1-7)", name="prod/db").days
    /// (kron.Days(dow='5', last='1-7'),)
    #[getter]
    fn days<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        days::tuple(py, self.0.spec().days().days())
    }

    /// The clauses of which none may match the date of a nominal time.
    #[getter]
    fn nodays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        days::tuple(py, self.0.spec().days().nodays())
    }

    /// The window.
    #[getter]
    fn window(&self) -> PyWindow {
        PyWindow(self.0.spec().window())
    }

    /// How starts are spread over the window.
    #[getter]
    fn distribution(&self) -> PyDistribution {
        PyDistribution(*self.0.spec().distribution())
    }

    /// How often a new draw is made, and the salt.
    #[getter]
    fn seed(&self) -> PySeed {
        PySeed(self.0.spec().seed().clone())
    }

    /// Calendar rules for the chosen time.
    #[getter]
    fn constraints(&self) -> PyConstraints {
        PyConstraints(self.0.spec().constraints().clone())
    }

    /// How a host treats the periods.
    #[getter]
    fn policy(&self) -> PyPolicy {
        PyPolicy(*self.0.spec().policy())
    }

    /// The name of the algorithm.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.spec().algorithm().as_str()
    }

    /// Decides the period of a nominal time: any whole second of the years 1970 to 2099 in UTC, on the schedule or not. Raises
    /// `KronError` for any other instant.
    #[pyo3(signature = (nominal))]
    pub(crate) fn decide(&self, nominal: Time) -> PyResult<Decision> {
        self.found(self.0.decide(nominal.0))
    }

    /// The start with the smallest chosen time after an instant.
    ///
    /// Raises `KronError` if there is none within five years, after 100,000 unschedulable periods in a row, or at the end of
    /// 2099.
    ///
    /// >>> import datetime, kron
    /// >>> job = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h)", name="prod/db-backup")
    /// >>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
    /// >>> print(job.next_start(noon))
    /// prod/db-backup 2026-03-01T23:00:00Z starts at 2026-03-02T00:09:23Z
    #[pyo3(signature = (after = None, **unknown), text_signature = "($self, after=None)")]
    fn next_start(
        &self,
        py: Python<'_>,
        after: Option<Time>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decision> {
        refuse("Job.next_start", unknown)?;
        let after = or_now(py, after)?;
        self.found(self.search(py, |job| job.next_start(after)))
    }

    /// The start with the greatest chosen time at or before an instant.
    ///
    /// Raises `KronError` if there is none within five years, after 100,000 unschedulable periods in a row, or at the beginning
    /// of 1970.
    #[pyo3(signature = (at = None, **unknown), text_signature = "($self, at=None)")]
    fn prev_start(
        &self,
        py: Python<'_>,
        at: Option<Time>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decision> {
        refuse("Job.prev_start", unknown)?;
        let at = or_now(py, at)?;
        self.found(self.search(py, |job| job.prev_start(at)))
    }

    /// The period with the smallest nominal time after an instant, schedulable or not. Raises `KronError` at the end of 2099.
    #[pyo3(signature = (after = None, **unknown), text_signature = "($self, after=None)")]
    fn next_period(
        &self,
        py: Python<'_>,
        after: Option<Time>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decision> {
        refuse("Job.next_period", unknown)?;
        self.found(self.0.next_period(or_now(py, after)?))
    }

    /// The period with the greatest nominal time at or before an instant, schedulable or not. Raises `KronError` before 1970.
    #[pyo3(signature = (at = None, **unknown), text_signature = "($self, at=None)")]
    fn prev_period(
        &self,
        py: Python<'_>,
        at: Option<Time>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decision> {
        refuse("Job.prev_period", unknown)?;
        self.found(self.0.prev_period(or_now(py, at)?))
    }

    /// The period whose window began last, at or before `now`. `None` if there is none, or if its window has ended and its
    /// deadline has passed; an unschedulable period has no deadline. A program that a crontab starts at the beginning of each
    /// window finds its period in this way.
    ///
    /// >>> import datetime, kron
    /// >>> job = kron.Job("@daily @win(after,3h)", name="prod/db-backup")
    /// >>> night = datetime.datetime(2026, 3, 1, 1, tzinfo=datetime.timezone.utc)
    /// >>> job.current_period(night).period_id
    /// '2026-03-01T00:00:00Z'
    /// >>> job.current_period(night + datetime.timedelta(hours=3)) is None
    /// True
    #[pyo3(signature = (now = None, **unknown), text_signature = "($self, now=None)")]
    fn current_period(
        &self,
        py: Python<'_>,
        now: Option<Time>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Decision>> {
        refuse("Job.current_period", unknown)?;
        let now = or_now(py, now)?;
        let found = self.search(py, |job| job.current_period(now));
        Ok(found.map(|decision| Decision::of(&self.0, &decision)))
    }

    /// `next_start` in Unix seconds: the smallest chosen time after a second. Raises as `next_start`.
    ///
    /// >>> import kron
    /// >>> kron.Job("@hourly", name="web/ping").next_start_timestamp(1)
    /// 3600
    #[pyo3(signature = (after))]
    fn next_start_timestamp(&self, after: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
        let (py, after) = (after.py(), second(after)?);
        self.search(py, |job| job.next_start(after))
            .map(|decision| decision.chosen_timestamp())
            .map_err(raise)
    }

    /// `prev_start` in Unix seconds: the greatest chosen time at or before a second. Raises as `prev_start`.
    #[pyo3(signature = (at))]
    fn prev_start_timestamp(&self, at: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
        let (py, at) = (at.py(), second(at)?);
        self.search(py, |job| job.prev_start(at)).map(|decision| decision.chosen_timestamp()).map_err(raise)
    }

    /// The starts with chosen times from `start` on and before `end`, in order of chosen time: `kron.Decisions`.
    ///
    /// `start` is the present time by default. `end` is an instant or a duration from `start`; without it the starts go on to the end
    /// of 2099. `count` is the greatest number of starts. With `reverse` the latest comes first; then `end` is needed, and `start` is
    /// 1970 if `end` is an instant.
    ///
    /// Computes nothing until it is read. If a search fails, reading raises `KronError`.
    ///
    /// >>> import datetime, kron
    /// >>> job = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup")
    /// >>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
    /// >>> [start.period_id for start in job.starts(noon, datetime.timedelta(days=2))]
    /// ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z']
    /// >>> job.starts(noon, "48h").to_list() == job.starts(noon, count=2).to_list() == job.starts(noon)[:2].to_list()
    /// True
    #[pyo3(signature = (start = None, end = None, *, count = None, reverse = false, **unknown), text_signature = "($self, start=None, end=None, *, count=None, reverse=False)")]
    fn starts(
        &self,
        py: Python<'_>,
        start: Option<Time>,
        end: Option<End>,
        count: Option<Count>,
        #[pyo3(from_py_with = flag)] reverse: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decisions> {
        refuse("Job.starts", unknown)?;
        self.series(py, Kind::Starts, SeriesArgs { start, end, count, reverse })
    }

    /// The periods with nominal times from `start` on and before `end`, in order of nominal time, with the arguments of `starts`.
    #[pyo3(signature = (start = None, end = None, *, count = None, reverse = false, **unknown), text_signature = "($self, start=None, end=None, *, count=None, reverse=False)")]
    fn periods(
        &self,
        py: Python<'_>,
        start: Option<Time>,
        end: Option<End>,
        count: Option<Count>,
        #[pyo3(from_py_with = flag)] reverse: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decisions> {
        refuse("Job.periods", unknown)?;
        self.series(py, Kind::Periods, SeriesArgs { start, end, count, reverse })
    }

    /// The chosen times of the periods with nominal times from `start` on and before `end`, one for each period, in order of
    /// nominal time. `end` is an instant or a duration from `start`.
    #[pyo3(signature = (start, end, **unknown), text_signature = "($self, start, end)")]
    fn chosen_times(
        &self,
        py: Python<'_>,
        start: Time,
        end: End,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Timestamps> {
        refuse("Job.chosen_times", unknown)?;
        bulk::chosen_times(py, &[&self.0], start.0, end.from(start.0)?, |_| Ok(()))
    }

    /// The nominal times from `start` on and before `end`: the same periods as those of `chosen_times`.
    #[pyo3(signature = (start, end, **unknown), text_signature = "($self, start, end)")]
    fn nominal_times(
        &self,
        py: Python<'_>,
        start: Time,
        end: End,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Timestamps> {
        refuse("Job.nominal_times", unknown)?;
        bulk::nominal_times(py, &[&self.0], start.0, end.from(start.0)?, |_| Ok(()))
    }

    /// The chosen times of many nominal times. They are given as `kron.Timestamps`, as a NumPy array of `datetime64` in seconds
    /// or a finer unit, as an object with a buffer of 64-bit integers (an array of `int64`, an `array('q')`), or as an iterable
    /// of aware datetimes or of Unix seconds. A time that is not a whole second raises `ValueError`.
    ///
    /// >>> import kron
    /// >>> kron.Job("@hourly", name="web/ping").decide_many([3600, 7200])
    /// kron.Timestamps([3600, 7200])
    #[pyo3(signature = (nominals))]
    fn decide_many(&self, nominals: &Bound<'_, PyAny>) -> PyResult<Timestamps> {
        bulk::decide_many(&self.0, nominals)
    }

    /// Plans one evaluation of a host: finds the open periods, and applies the policy and the catch-up rule. `state` is the
    /// `kron.HostState` of the job, `now` the present time by default. Returns a `kron.Plan`.
    #[pyo3(signature = (state, now = None, **unknown), text_signature = "($self, state, now=None)")]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = instance)] state: &Bound<'py, HostState>,
        now: Option<Time>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        refuse("Job.plan", unknown)?;
        let (state, now) = (state.get().now(), or_now(py, now)?);
        // A host that was down for years has many periods to examine.
        let plan = py.detach(|| self.0.plan(&state, now));
        records::plan(py, plan, |decision| Decision::of(&self.0, &decision))
    }

    /// The cron expressions that fire `lead` before each start, in the job's time zone; see `Cron.prime`.
    ///
    /// Raises `KronError` with the code 701 if the job has a window or constraints, because its starts are then not the times of
    /// a cron expression.
    ///
    /// >>> import kron
    /// >>> kron.Job("0 9-17 * * MON-FRI", name="prod/report").prime("10m").texts
    /// ('50 8-16 * * 1-5',)
    #[pyo3(signature = (lead, *, cover = false))]
    fn prime<'py>(
        &self,
        py: Python<'py>,
        lead: Arg<Duration>,
        #[pyo3(from_py_with = flag)] cover: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let prime = || if cover { self.0.prime_cover(lead.0) } else { self.0.prime(lead.0) };
        cron::primed(py, py.detach(prime))
    }

    /// The one plain cron expression that takes the place of this job in a system without windows, such as a `CronJob` of Kubernetes:
    /// its schedule, shifted by whole minutes to a place in its window, which follows from its name. Returns a `kron.Placed`.
    ///
    /// Raises `KronError` with the code 710 for what one place for all days cannot keep, and 711 if the constraints leave no minute.
    ///
    /// >>> import kron
    /// >>> kron.Job("0 0 * * * @win(after,2h)", name="ops/backup").placed()
    /// kron.Placed('51 0 * * *', 51, 121)
    fn placed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let placed = py.detach(|| self.0.placed()).map_err(raise)?;
        let fields = (placed.expression(), placed.shift_minutes(), placed.candidates());
        class(py, "Placed")?.call1(fields)
    }

    /// The clock changes because of which the expressions of `prime` do not fire exactly `lead` before a start, in the job's time
    /// zone; see `Cron.lead_changes`.
    #[pyo3(signature = (lead, after = None, until = None))]
    fn lead_changes<'py>(
        &self,
        py: Python<'py>,
        lead: Arg<Duration>,
        after: Option<Time>,
        until: Option<Time>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let spec = self.0.spec();
        let schedule = spec.in_zone();
        cron::lead_changes(py, &schedule, lead.0, after, until)
    }

    /// The civil times of the schedule that clock changes skip or double, for the clock changes from `start` on and before `end`:
    /// a list of `kron.ClockChange`, in order. `start` is the present time by default, and `end` is three years after it.
    ///
    /// >>> import datetime, kron
    /// >>> job = kron.Job("30 2 * * * @tz(Europe/Paris) @win(after,30m)", name="db/backup")
    /// >>> for change in job.clock_changes(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))[:2]:
    /// ...     print(change)
    /// 2026-03-29T02:30 is skipped
    /// 2026-10-25T02:30 is doubled: it starts at 2026-10-25T00:56:49Z and 2026-10-25T01:39:52Z
    #[pyo3(signature = (start = None, end = None))]
    fn clock_changes<'py>(
        &self,
        py: Python<'py>,
        start: Option<Time>,
        end: Option<End>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let spec = self.0.spec();
        let schedule = spec.in_zone();
        let start = or_now(py, start)?;
        let end = end.map(|end| end.from(start)).transpose()?.map(Arg);
        let (start, end) = cron::three_years(py, Some(Arg(start)), end)?;
        let found = py.detach(|| -> PyResult<Vec<(ClockChange, Vec<Decision>)>> {
            let mut check = checked();
            let one = |change: ClockChange| {
                check()?;
                let nominal = change.nominal_timestamps().into_iter().flatten();
                let periods = nominal.map(|nominal| self.found(self.0.decide(nominal)));
                Ok((change, periods.collect::<PyResult<_>>()?))
            };
            schedule.clock_changes(start..end).map(one).collect()
        })?;
        let class = class(py, "ClockChange")?;
        let one = |(change, periods): (ClockChange, Vec<Decision>)| {
            let effect = if change.nominal_timestamps().is_some() { "doubled" } else { "skipped" };
            let (before, after) = (offset(py, change.offset_before)?, offset(py, change.offset_after)?);
            let (time, periods) = (datetime(py, change.timestamp)?, PyTuple::new(py, periods)?);
            class.call1((effect, change.civil_text(), time, before, after, periods))
        };
        found.into_iter().map(one).collect()
    }

    /// Decides as `decide` does, and returns a `kron.Explanation` with each step.
    #[pyo3(signature = (nominal))]
    fn explain<'py>(&self, py: Python<'py>, nominal: Time) -> PyResult<Bound<'py, PyAny>> {
        let explanation = self.search(py, |job| job.explain(nominal.0)).map_err(raise)?;
        records::explanation(py, &self.0, &explanation)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.repr(py)
    }

    /// Reads a canonical text, which may be longer than one that people write. Pickles call it.
    #[classmethod]
    #[pyo3(signature = (text, name, tz_database = None, calendars = None, /))]
    fn _from_canonical(
        _cls: &Bound<'_, PyType>,
        text: &str,
        name: &str,
        tz_database: Option<Arg<TzDatabase>>,
        calendars: Option<Arg<Calendars>>,
    ) -> PyResult<Job> {
        let parser =
            Parser::new().with_tz_database(or_compiled_in(tz_database)).with_calendars(or_none(calendars));
        Job::of(name, parser.canonical_spec(text).map_err(raise)?)
    }

    /// The text and the name, the rules of the zone if they are not the compiled-in ones, and the calendars.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (text, name) = (self.to_string(), self.0.name());
        let database = tzdb::of_zone(self.0.spec().timezone())?;
        let calendars = self.0.spec().calendars();
        let args = match database {
            _ if !calendars.is_empty() => {
                (text, name, database, calendar::tuple(py, calendars)?).into_pyobject(py)?
            }
            None => (text, name).into_pyobject(py)?,
            Some(database) => (text, name, database).into_pyobject(py)?,
        };
        Ok((py.get_type::<Job>().getattr("_from_canonical")?, args))
    }
}
