//! `kron.Timestamps`, and the bulk calls that fill it without holding the GIL.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use chrono::{DateTime, Utc};
use kron_core::{Error, Instant};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDateTime, PyList, PySlice, PyType};

use crate::argument::{expected, type_name};
use crate::error::raise;
use crate::instant::{Time, datetime, exact_second, second};

/// The value for an unschedulable period; NumPy reads it as NaT.
pub(crate) const NONE: i64 = i64::MIN;
const WIDTH: usize = size_of::<i64>();
/// Decisions after which the clock is read.
const PIECE: usize = 1 << 8;
/// Decisions for which memory is allocated in advance.
const CHUNK: usize = 1 << 15;

/// The time of work without the GIL between two checks for signals and reports of progress. It is a time and not a
/// number of decisions, because a decision can cost nanoseconds or a millisecond.
pub(crate) struct Turn(std::time::Instant);

impl Turn {
    pub(crate) fn begin() -> Turn {
        Turn(std::time::Instant::now())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.elapsed() > std::time::Duration::from_millis(10)
    }
}

/// A callback for long work without the GIL, which it calls often: once in a turn, signals are checked.
pub(crate) fn checked() -> impl FnMut() -> PyResult<()> {
    let mut turn = Turn::begin();
    move || {
        if !turn.is_over() {
            return Ok(());
        }
        let checked = Python::attach(|py| py.check_signals());
        turn = Turn::begin();
        checked
    }
}

/// An immutable sequence of Unix seconds; `None` where a period is unschedulable.
///
/// The argument is an iterable of Unix seconds and `None`, a NumPy array of `datetime64`, or a buffer of 64-bit integers.
///
/// `data` is a read-only memoryview of 64-bit integers in the machine's byte order, without a copy; there -2**63 means
/// `None`. `to_numpy` and `numpy.asarray` make a NumPy array of times on the same memory.
///
/// >>> import kron
/// >>> times = kron.Timestamps([0, None, 86400])
/// >>> len(times), times[1], times[-1]
/// (3, None, 86400)
/// >>> times.to_datetimes()[0]
/// datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)
#[pyclass(frozen, module = "kron", sequence)]
pub(crate) struct Timestamps(Py<PyBytes>);

impl Timestamps {
    /// The seconds, with [`NONE`] for `None`.
    pub(crate) fn of(py: Python<'_>, seconds: &[i64]) -> PyResult<Timestamps> {
        let bytes = PyBytes::new_with(py, seconds.len() * WIDTH, |bytes| {
            for (place, second) in bytes.chunks_exact_mut(WIDTH).zip(seconds) {
                place.copy_from_slice(&second.to_ne_bytes());
            }
            Ok(())
        })?;
        Ok(Timestamps(bytes.unbind()))
    }

    fn seconds<'a>(&'a self, py: Python<'a>) -> impl ExactSizeIterator<Item = i64> + 'a {
        self.0.as_bytes(py).chunks_exact(WIDTH).map(read)
    }
}

fn read(bytes: &[u8]) -> i64 {
    i64::from_ne_bytes(bytes.try_into().unwrap_or_default())
}

fn some(second: i64) -> Option<i64> {
    (second != NONE).then_some(second)
}

#[pymethods]
impl Timestamps {
    #[new]
    #[pyo3(signature = (seconds, /))]
    fn new(py: Python<'_>, seconds: &Bound<'_, PyAny>) -> PyResult<Timestamps> {
        let one = |item: &Bound<'_, PyAny>| match item.is_none() {
            true => Ok(NONE),
            false => match exact_second(item)? {
                NONE => Err(PyOverflowError::new_err("-2**63 means None")),
                second => Ok(second),
            },
        };
        Timestamps::of(py, &seconds_of(seconds, one)?)
    }

    /// A read-only memoryview of the 64-bit integers.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let view = py.import("builtins")?.getattr("memoryview")?.call1((&self.0,))?;
        view.call_method1("cast", ("q",))
    }

    /// A NumPy array of `datetime64[s]` over the same memory, read-only; NaT where there is no start. Needs NumPy.
    pub(crate) fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("numpy")?.call_method1("frombuffer", (&self.0, "datetime64[s]"))
    }

    /// The array of `to_numpy`, for `numpy.asarray` and pandas: without it they would make an array of ints or objects.
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

    /// A list of Unix seconds, `None` where there is no start.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.seconds(py).map(some))
    }

    /// A list of aware datetimes in UTC, `None` where there is no start. Raises `OverflowError` beyond the years 1 to 9999.
    fn to_datetimes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let time = |second| {
            if !DATETIMES.contains(&second) {
                return Err(PyOverflowError::new_err(format!(
                    "{second} lies outside the years 1 to 9999 of datetimes"
                )));
            }
            datetime(py, second)
        };
        let times: PyResult<Vec<_>> =
            self.seconds(py).map(|second| some(second).map(time).transpose()).collect();
        PyList::new(py, times?)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.0.as_bytes(py).len() / WIDTH
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            let part = self.data(py)?.get_item(index)?.call_method0("tobytes")?.cast_into::<PyBytes>()?;
            return Ok(Bound::new(py, Timestamps(part.unbind()))?.into_any());
        }
        let bytes = self.0.as_bytes(py);
        let at = place(index, bytes.len() / WIDTH, "an int or a slice")?;
        Ok(some(read(&bytes[at * WIDTH..(at + 1) * WIDTH])).into_pyobject(py)?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.tolist(py)?.try_iter()?.into_any())
    }

    // For another type, PyO3 returns `NotImplemented`, and Python asks the other operand.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, Timestamps>) -> bool {
        self.0.as_bytes(py) == other.get().0.as_bytes(py)
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.as_bytes(py).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("kron.Timestamps({})", self.tolist(py)?.repr()?))
    }

    /// Makes the sequence from little-endian bytes. Pickles call it.
    #[classmethod]
    #[pyo3(signature = (data, /))]
    fn _from_bytes(_cls: &Bound<'_, PyType>, data: &Bound<'_, PyBytes>) -> PyResult<Timestamps> {
        let bytes = data.as_bytes();
        let seconds: Vec<i64> = bytes
            .chunks_exact(WIDTH)
            .map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect();
        Timestamps::of(data.py(), &seconds)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes: Vec<u8> = self.seconds(py).flat_map(i64::to_le_bytes).collect();
        Ok((py.get_type::<Timestamps>().getattr("_from_bytes")?, (PyBytes::new(py, &bytes),)))
    }
}

/// The Unix seconds that a datetime can name.
const DATETIMES: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// The place that an index names in a sequence of that length; `what` says which indices there are.
pub(crate) fn place(index: &Bound<'_, PyAny>, length: usize, what: &str) -> PyResult<usize> {
    let out = || PyIndexError::new_err("index out of range");
    let at = match index.extract::<isize>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(index.py()) => return Err(out()),
        at => at.map_err(|_| expected(what, index))?,
    };
    let at = if at < 0 { length.checked_sub(at.unsigned_abs()) } else { Some(at.unsigned_abs()) };
    at.filter(|at| *at < length).ok_or_else(out)
}

/// Unix seconds from an argument: all at once, or one item after the other.
fn seconds_of(
    given: &Bound<'_, PyAny>,
    item: impl Fn(&Bound<'_, PyAny>) -> PyResult<i64>,
) -> PyResult<Vec<i64>> {
    if let Ok(times) = given.cast::<Timestamps>() {
        return Ok(times.get().seconds(given.py()).collect());
    }
    if let Some(seconds) = seconds_of_datetime64(given)? {
        return Ok(seconds);
    }
    if let Some(seconds) = buffer(given)? {
        return Ok(seconds);
    }
    let what = "kron.Timestamps, an array of times or of 64-bit integers, or an iterable of times";
    given.try_iter().map_err(|_| expected(what, given))?.map(|it| item(&it?)).collect()
}

/// The seconds of a NumPy array of times in seconds or a finer unit; `None` if it is not such an array. NumPy counts from 1970 in
/// UTC. A fraction of a second is refused, as it would be dropped in silence; so are coarser units.
fn seconds_of_datetime64(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<i64>>> {
    let py = given.py();
    if type_name(given) != "numpy.ndarray" {
        return Ok(None);
    }
    let dtype: String = given.getattr(intern!(py, "dtype"))?.str()?.extract()?;
    let Some(unit) = dtype.strip_prefix("datetime64") else { return Ok(None) };
    let in_a_second = match unit {
        "[s]" => 1,
        "[ms]" => 1_000,
        "[us]" => 1_000_000,
        "[ns]" => 1_000_000_000,
        _ => {
            return Err(PyTypeError::new_err(format!(
                "expected an array of datetime64[s], not of {dtype}; convert it with .astype('datetime64[s]')"
            )));
        }
    };
    let Some(mut times) = buffer(&given.call_method1(intern!(py, "view"), ("int64",))?)? else {
        return Ok(None);
    };
    for (index, time) in times.iter_mut().enumerate().filter(|(_, time)| **time != NONE) {
        if *time % in_a_second != 0 {
            let text: String = given.get_item(index)?.str()?.extract()?;
            return Err(PyValueError::new_err(format!(
                "item {index} is {text}, which is not a whole second; round the times, as in .astype('datetime64[s]')"
            )));
        }
        *time /= in_a_second;
    }
    Ok(Some(times))
}

/// The integers of an object with a buffer; `None` if it has none.
fn buffer(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<i64>>> {
    let py = given.py();
    let Ok(view) = py.import("builtins")?.getattr("memoryview")?.call1((given,)) else { return Ok(None) };
    let (format, width): (String, usize) =
        (view.getattr("format")?.extract()?, view.getattr("itemsize")?.extract()?);
    let fits = matches!(&*format, "q" | "l" | "@q" | "@l" | "=q") && width == WIDTH;
    if !fits || view.getattr("ndim")?.extract::<usize>()? != 1 {
        return Err(expected("a one-dimensional buffer of 64-bit integers", given));
    }
    let bytes = view.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    Ok(Some(bytes.as_bytes().chunks_exact(WIDTH).map(read).collect()))
}

/// The chosen times of many nominal times.
pub(crate) fn decide_many(job: &kron_core::Job, nominals: &Bound<'_, PyAny>) -> PyResult<Timestamps> {
    let py = nominals.py();
    let mut seconds = seconds_of(nominals, |item| {
        if !item.is_instance_of::<PyDateTime>() {
            return second(item);
        }
        // The core checks which datetimes are nominal times.
        let time: Time = item.extract()?;
        job.decide(time.0).map(|decision| decision.nominal_timestamp()).map_err(raise)
    })?;
    let mut pieces = seconds.chunks_mut(PIECE).peekable();
    while pieces.peek().is_some() {
        py.detach(|| {
            let turn = Turn::begin();
            while !turn.is_over() {
                let Some(times) = pieces.next() else { break };
                job.choose_in_place(times, NONE)?;
            }
            Ok(())
        })
        .map_err(raise)?;
        py.check_signals()?;
    }
    Timestamps::of(py, &seconds)
}

/// The chosen times of all periods of those jobs with nominal times in `[from, to)`, job by job.
pub(crate) fn chosen_times(
    py: Python<'_>,
    jobs: &[&kron_core::Job],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    progress: impl FnMut(usize) -> PyResult<()>,
) -> PyResult<Timestamps> {
    gather(py, jobs, from, to, progress, |job, times| job.choose_in_place(times, NONE))
}

/// The nominal times of those jobs in `[from, to)`, job by job.
pub(crate) fn nominal_times(
    py: Python<'_>,
    jobs: &[&kron_core::Job],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    progress: impl FnMut(usize) -> PyResult<()>,
) -> PyResult<Timestamps> {
    gather(py, jobs, from, to, progress, |_, _| Ok(()))
}

/// Collects the results of `finish` for the nominal times of many jobs, without the GIL, in parts. After each part,
/// signals are checked and progress is reported.
fn gather(
    py: Python<'_>,
    jobs: &[&kron_core::Job],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    mut progress: impl FnMut(usize) -> PyResult<()>,
    finish: impl Fn(&kron_core::Job, &mut [i64]) -> Result<(), Error> + Sync,
) -> PyResult<Timestamps> {
    // The core's series begins after an instant, and the range includes its first.
    let (after, to) = (from.ceil().saturating_sub(1), to.ceil());
    let mut seconds: Vec<i64> = Vec::new();
    let mut left = jobs.iter();
    let mut current = None;
    loop {
        let (mut finished, mut ended) = (0, false);
        seconds.try_reserve(CHUNK).map_err(memory)?;
        py.detach(|| {
            let (turn, full) = (Turn::begin(), seconds.len() + CHUNK);
            while seconds.len() < full && !turn.is_over() {
                let Some((job, series)) = &mut current else {
                    let Some(job) = left.next() else {
                        ended = true;
                        break;
                    };
                    let schedule = job.spec().in_zone();
                    current = Some((*job, schedule.series(after)));
                    continue;
                };
                let begin = seconds.len();
                let next = || series.next_timestamp().filter(|nominal| *nominal < to);
                let piece = PIECE.min(full - begin);
                seconds.extend(std::iter::from_fn(next).take(piece));
                finish(job, &mut seconds[begin..])?;
                if seconds.len() - begin < piece {
                    current = None;
                    finished += 1;
                }
            }
            Ok(())
        })
        .map_err(raise)?;
        py.check_signals()?;
        if finished > 0 {
            progress(finished)?;
        }
        if ended {
            return Timestamps::of(py, &seconds);
        }
    }
}

#[cold]
fn memory(error: std::collections::TryReserveError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}
