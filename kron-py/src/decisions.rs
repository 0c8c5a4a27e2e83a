//! `kron.Decisions`: starts or periods of a job or a fleet, as a sequence that computes them when they are asked for.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use kron_core::Instant;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyString};

use crate::argument::expected;
use crate::bulk::{NONE, Timestamps, checked};
use crate::decision::Decision;
use crate::decision_iterator::DecisionIterator;
use crate::error::Ended;
use crate::instant::instant_of;
use crate::notebook;
use crate::part::Part;
use crate::series::{Kind, Series, Source};

/// Starts or periods in order, made by `Job.starts`, `Job.periods`, `Fleet.starts`, `Fleet.periods` and `Fleet.next_starts`.
///
/// It can be read any number of times and keeps no decisions in memory: each pass computes them again, one after the other.
/// `for` and `list` read all of it, `series[0]` and `series[-1]` one, and `series[:10]` is a series, too. `bool` says whether there
/// are any, and `len` counts them, once. `to_pandas`, `to_polars`, `to_numpy` and `to_list` compute all of them.
///
/// `series[i]` computes the decisions up to the one of that index, and `series[-1]` the last one only. Other negative indices, and
/// slices that count from the end, need `len` first. A series without an end goes on to the end of 2099; it has no `len` and no last
/// decision, and asking for them raises `TypeError`.
///
/// `decision in series` and `time in series` say whether it has this decision, or one of this time: the chosen time of a start, the
/// nominal time of a period.
///
/// >>> import datetime, kron
/// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
/// >>> starts = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup").starts(day, datetime.timedelta(days=7))
/// >>> len(starts), starts[0].period_id, starts[-1].period_id
/// (7, '2026-03-01T00:00:00Z', '2026-03-07T00:00:00Z')
/// >>> [start.draws for start in starts[:2]]
/// [1, 1]
#[pyclass(frozen, module = "kron", sequence)]
pub(crate) struct Decisions {
    series: Series,
    part: Part,
    /// The number of decisions of the whole series, and of this part of it, once they are counted.
    whole: OnceLock<u64>,
    length: OnceLock<u64>,
}

impl Decisions {
    /// The first decisions of a series, or all.
    pub(crate) fn first(series: Series, count: Option<u64>) -> Decisions {
        Decisions::of(series, Part { limit: count, ..Part::ALL })
    }

    fn of(series: Series, part: Part) -> Decisions {
        Decisions { series, part, whole: OnceLock::new(), length: OnceLock::new() }
    }

    /// Another part of the same series.
    fn with_part(&self, part: Part) -> Decisions {
        Decisions { whole: self.whole.clone(), ..Decisions::of(self.series.clone(), part) }
    }

    fn walk(&self, py: Python<'_>) -> DecisionIterator {
        let walk = match self.series.source {
            Source::Job(_) => self.series.walk(),
            // The first start of every job is searched for at once.
            Source::Fleet(_) => py.detach(|| self.series.walk()),
        };
        DecisionIterator::new(walk, self.part, self.series.is_long())
    }

    /// The number of decisions of a series, or `enough` if there are at least as many.
    fn count(&self, py: Python<'_>, enough: u64) -> PyResult<u64> {
        let mut check = checked();
        Ok(py.detach(|| self.series.count(enough, || check().map_err(Ended::Python)))?)
    }

    /// The number of decisions of the whole series, which ends.
    fn whole(&self, py: Python<'_>) -> PyResult<u64> {
        if let Some(whole) = self.whole.get() {
            return Ok(*whole);
        }
        let whole = self.count(py, u64::MAX)?;
        Ok(*self.whole.get_or_init(|| whole))
    }

    fn is_endless(&self) -> bool {
        !self.series.is_bounded() && self.part.limit.is_none()
    }

    fn refuse_endless(&self) -> PyResult<()> {
        if !self.is_endless() {
            return Ok(());
        }
        Err(PyTypeError::new_err(
            "the series has no end, so it has no length and no last decision; give it an end or a count, as in \
             starts(start, end), starts(start, '24h') or starts(start, count=10), or take series[:10]",
        ))
    }

    fn length(&self, py: Python<'_>) -> PyResult<u64> {
        if let Some(length) = self.length.get() {
            return Ok(*length);
        }
        self.refuse_endless()?;
        let counted = match self.part.needed() {
            Some(needed) => self.count(py, needed)?,
            None => self.whole(py)?,
        };
        Ok(*self.length.get_or_init(|| self.part.length(counted)))
    }

    /// The decision of an index.
    fn at(&self, py: Python<'_>, index: u64) -> PyResult<Decision> {
        let out = || PyIndexError::new_err("index out of range");
        let place = self.part.place(index).ok_or_else(out)?;
        self.with_part(Part { offset: place, ..Part::ALL }).walk(py).next(py)?.ok_or_else(out)
    }

    /// The decision of an index from the end: 0 is the last one.
    fn at_end(&self, py: Python<'_>, index: u64) -> PyResult<Decision> {
        self.refuse_endless()?;
        if self.part.is_all() {
            return Decisions::of(self.series.reversed(), Part::ALL).at(py, index);
        }
        let index = self.length(py)?.checked_sub(1).and_then(|last| last.checked_sub(index));
        self.at(py, index.ok_or_else(|| PyIndexError::new_err("index out of range"))?)
    }

    /// The same decisions, last first.
    fn reversed(&self, py: Python<'_>) -> PyResult<Decisions> {
        self.refuse_endless()?;
        if self.part.is_all() {
            return Ok(Decisions {
                whole: self.whole.clone(),
                ..Decisions::of(self.series.reversed(), Part::ALL)
            });
        }
        let length = self.length(py)?;
        if length == 0 {
            return Ok(self.with_part(Part::NONE));
        }
        let all = match self.series.is_bounded() {
            true => self.with_part(Part::ALL),
            // A walk back needs an end: the last of the decisions.
            false => Decisions::of(self.series.up_to(&self.at(py, length - 1)?), Part::ALL),
        };
        let part = self.part.reversed(length, all.whole(py)?);
        Ok(Decisions { whole: all.whole.clone(), ..Decisions::of(all.series.reversed(), part) })
    }

    fn slice(&self, py: Python<'_>, slice: &Bound<'_, PySlice>) -> PyResult<Decisions> {
        let bound = |name| slice.getattr(name)?.extract::<Option<i64>>();
        // Where a bound is no integer of 64 bits, Python knows what it is.
        if let (Ok(start), Ok(stop), Ok(step)) = (bound("start"), bound("stop"), bound("step")) {
            match (natural(start), natural(stop), step.unwrap_or(1)) {
                (Some(start), Some(stop), step @ 1..) => {
                    let part = self.part.slice(start.unwrap_or(0), stop, step.unsigned_abs());
                    return Ok(self.with_part(part));
                }
                // From an index back: only what is up to it counts, so that a series without an end has a length here.
                (Some(Some(start)), Some(_), ..=-1) if self.is_endless() => {
                    let part = self.part.slice(0, start.checked_add(1), 1);
                    return self.with_part(part).slice(py, slice);
                }
                _ => {}
            }
        }
        // Python's own arithmetic for the rest.
        let length = isize::try_from(self.length(py)?).unwrap_or(isize::MAX);
        let indices = slice.indices(length)?;
        let count = indices.slicelength as u64;
        if count == 0 {
            return Ok(self.with_part(Part::NONE));
        }
        let step = indices.step.unsigned_abs() as u64;
        // OK because the indices of a slice with members are not negative.
        let start = indices.start as u64;
        let part = |start| Part { limit: Some(count), ..self.part.slice(start, None, step) };
        if indices.step > 0 {
            return Ok(self.with_part(part(start)));
        }
        self.with_part(part(start - (count - 1) * step)).reversed(py)
    }

    /// Calls `found` with each decision, until it returns `false`. Meanwhile signals are checked.
    fn each(&self, py: Python<'_>, mut found: impl FnMut(Decision) -> PyResult<bool>) -> PyResult<()> {
        let walk = self.walk(py);
        loop {
            let (decisions, ended) = walk.some(py)?;
            py.check_signals()?;
            for decision in decisions {
                if !found(decision)? {
                    return Ok(());
                }
            }
            if ended {
                return Ok(());
            }
        }
    }
}

/// A bound of a slice that does not count from the end; `None` if it does.
fn natural(bound: Option<i64>) -> Option<Option<u64>> {
    bound.map(u64::try_from).transpose().ok()
}

#[pymethods]
impl Decisions {
    fn __iter__(&self, py: Python<'_>) -> DecisionIterator {
        self.walk(py)
    }

    /// Says what to write: of a sequence, `next` would always give the first.
    fn __next__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a kron.Decisions is a sequence and no iterator; write series[0] for the first decision, or it = iter(series) and next(it)",
        ))
    }

    fn __reversed__(&self, py: Python<'_>) -> PyResult<DecisionIterator> {
        Ok(self.reversed(py)?.walk(py))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        usize::try_from(self.length(py)?).map_err(|_| PyValueError::new_err("the series is too long"))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        if self.part.limit == Some(0) {
            return Ok(false);
        }
        Ok(self.walk(py).next(py)?.is_some())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(Bound::new(py, self.slice(py, slice)?)?.into_any());
        }
        let wanted = match index.extract::<i64>() {
            Ok(index) => index,
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                return Err(expected("an int or a slice", index));
            }
            Err(_) => return Err(PyIndexError::new_err("index out of range")),
        };
        let found = match u64::try_from(wanted) {
            Ok(index) => self.at(py, index)?,
            Err(_) => self.at_end(py, wanted.unsigned_abs() - 1)?,
        };
        Ok(Bound::new(py, found)?.into_any())
    }

    fn __contains__(&self, py: Python<'_>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let kind = self.series.kind;
        let decision = item.cast::<Decision>().ok().map(|decision| decision.get());
        let time = match decision {
            Some(decision) => kind.time_of(decision),
            None => {
                let what = "a kron.Decision, or an instant such as an aware datetime";
                let time = instant_of(item)?.ok_or_else(|| expected(what, item))?;
                // Decisions are made for whole seconds.
                (time.floor() == time.ceil()).then(|| time.floor())
            }
        };
        let Some(time) = time else { return Ok(false) };
        let same =
            |it: &Decision| kind.time_of(it) == Some(time) && decision.is_none_or(|decision| decision == it);
        let searched = match self.part.is_all() && kind != Kind::NextStarts {
            // Only of that second.
            true => match self.series.of_second(time) {
                Some(series) => &Decisions::of(series, Part::ALL),
                None => return Ok(false),
            },
            false => self,
        };
        let mut found = false;
        searched.each(py, |it| {
            found = same(&it);
            Ok(!found && !searched.series.is_beyond(&it, time))
        })?;
        Ok(found)
    }

    /// A list of the decisions. `list(series)` is the same and takes longer, because Python asks for the length first.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.refuse_endless()?;
        let list = PyList::empty(py);
        self.each(py, |decision| {
            list.append(Bound::new(py, decision)?)?;
            Ok(true)
        })?;
        Ok(list)
    }

    /// The chosen times as a NumPy array of `datetime64[s]` in UTC; NaT for unschedulable periods. Needs NumPy, whose `asarray` gives
    /// the same.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> kron.Job("0 */12 * * *", name="prod/db").starts(day, "24h").to_numpy()
    /// array(['2026-03-01T00:00:00', '2026-03-01T12:00:00'],
    ///       dtype='datetime64[s]')
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.refuse_endless()?;
        let mut times = Vec::new();
        self.each(py, |decision| {
            times.push(decision.core().chosen_timestamp().unwrap_or(NONE));
            Ok(true)
        })?;
        Timestamps::of(py, &times)?.to_numpy(py)
    }

    /// The array of `to_numpy`, for `numpy.asarray` and pandas: without it they would make an array of objects.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = self.to_numpy(py)?;
        let times = match dtype {
            Some(dtype) => times.call_method1("astype", (dtype,))?,
            None => times,
        };
        if copy == Some(true) { times.call_method0("copy") } else { Ok(times) }
    }

    /// The decisions as a `pandas.DataFrame` with the columns `name`, `nominal_time`, `window_start`, `window_end` and `chosen_time`.
    ///
    /// `name` is the name of the job; the others are times in UTC. Window start and end are both included. `chosen_time` is NaT for
    /// unschedulable periods. Raises `KronError` if a search fails, `TypeError` for a series without an end, and
    /// `ModuleNotFoundError` without pandas.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> job = kron.Job("0 */12 * * * @win(after,1h)", name="prod/db")
    /// >>> job.starts(day, "24h").to_pandas()[["name", "nominal_time"]]
    ///       name              nominal_time
    /// 0  prod/db 2026-03-01 00:00:00+00:00
    /// 1  prod/db 2026-03-01 12:00:00+00:00
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("kron._frames")?.call_method1("to_pandas", self.columns(py)?)
    }

    /// The decisions as a `polars.DataFrame` with the columns `name`, `nominal_time`, `window_start`, `window_end` and `chosen_time`,
    /// as those of `to_pandas`; `chosen_time` is null for unschedulable periods. Raises as `to_pandas`, without polars.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> job = kron.Job("0 */12 * * * @win(after,1h)", name="prod/db")
    /// >>> job.starts(day, "24h").to_polars().columns
    /// ['name', 'nominal_time', 'window_start', 'window_end', 'chosen_time']
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("kron._frames")?.call_method1("to_polars", self.columns(py)?)
    }

    /// The first ten decisions, one a line.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        const SHOWN: u64 = 10;
        let (mut lines, mut left) = (Vec::new(), SHOWN);
        self.with_part(self.part.slice(0, Some(SHOWN + 1), 1)).each(py, |decision| {
            lines.push(if left == 0 { "...".to_string() } else { decision.to_string() });
            left = left.saturating_sub(1);
            Ok(true)
        })?;
        Ok(lines.join("\n"))
    }

    /// The first decisions as a table. Notebooks show it.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut first = Vec::new();
        let shown = notebook::ROWS as u64;
        self.with_part(self.part.slice(0, Some(shown + 1), 1)).each(py, |decision| {
            first.push(decision);
            Ok(true)
        })?;
        let has_more = first.len() > notebook::ROWS;
        let cores: Vec<_> = first.iter().take(notebook::ROWS).map(Decision::core).collect();
        Ok(notebook::table(cores.iter(), has_more))
    }

    fn __repr__(&self) -> String {
        let Part { offset, step, limit } = self.part;
        let bound = |bound: Option<u64>| bound.map_or(String::new(), |bound| bound.to_string());
        let stop = limit.map(|limit| offset.saturating_add(limit.saturating_mul(step)));
        let part = match (self.part.is_all(), step) {
            (true, _) => String::new(),
            (false, 1) => format!(" [{}:{}]", bound(Some(offset).filter(|offset| *offset > 0)), bound(stop)),
            (false, _) => format!(" [{offset}:{}:{step}]", bound(stop)),
        };
        format!("<kron.Decisions: {}{part}>", self.series)
    }
}

/// Names, nominal times, window starts, window ends and chosen times.
type Columns<'py> = (Bound<'py, PyList>, Timestamps, Timestamps, Timestamps, Timestamps);

impl Decisions {
    /// The decisions, in columns.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        self.refuse_endless()?;
        let mut names: BTreeMap<String, Bound<'py, PyString>> = BTreeMap::new();
        let mut jobs = Vec::new();
        let [mut nominal, mut start, mut end, mut chosen] = [const { Vec::new() }; 4];
        self.each(py, |decision| {
            let decision = decision.core();
            // One string for all rows of a job.
            let name = match names.get(decision.name()) {
                Some(name) => name,
                None => names
                    .entry(decision.name().to_string())
                    .or_insert_with_key(|name| PyString::new(py, name)),
            };
            jobs.push(name.clone());
            nominal.push(decision.nominal_timestamp());
            start.push(decision.window_start_timestamp());
            end.push(decision.window_end_timestamp());
            chosen.push(decision.chosen_timestamp().unwrap_or(NONE));
            Ok(true)
        })?;
        let times = |seconds: Vec<i64>| Timestamps::of(py, &seconds);
        Ok((PyList::new(py, jobs)?, times(nominal)?, times(start)?, times(end)?, times(chosen)?))
    }
}
