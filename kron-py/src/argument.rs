//! What every argument shares: `Arg`, the errors about a wrong type, and the plain types.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use pyo3::{PyClass, PyTypeInfo};

/// An argument for a `T`: the Python class or its text.
pub(crate) struct Arg<T>(pub(crate) T);

/// A part that `replace` gives to a job, if it is passed. It is not `None`, by which some mean to keep a part, and others to remove it.
pub(crate) struct Given<T>(pub(crate) Option<T>);

impl<'py, T> FromPyObject<'_, 'py> for Given<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Given<T>> {
        const NOTHING_GIVEN: &str = "expected what the job is to have, not None; leave the argument out to keep what it has, or \
                                     write for example window='0s', which is no window";
        if obj.is_none() {
            return Err(PyTypeError::new_err(NOTHING_GIVEN));
        }
        obj.extract().map(|given| Given(Some(given))).map_err(Into::into)
    }
}

/// The name of an object's type, for messages.
pub(crate) fn type_name(obj: &Bound<'_, PyAny>) -> String {
    obj.get_type().fully_qualified_name().map_or_else(|_| "?".to_string(), |name| name.to_string())
}

/// `TypeError: expected this, not that`. PyO3 adds a note with the name of the argument.
#[cold]
pub(crate) fn expected(what: &str, obj: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("expected {what}, not {}", described(obj)))
}

/// As [`expected`], with the way to write it.
#[cold]
pub(crate) fn expected_with_help(what: &str, obj: &Bound<'_, PyAny>, help: &str) -> PyErr {
    PyTypeError::new_err(format!("expected {what}, not {}; {help}", described(obj)))
}

/// The type of an object, and its value if that is short.
pub(crate) fn described(obj: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let name = type_name(obj);
    match obj.repr().and_then(|repr| Ok(repr.to_cow()?.into_owned())) {
        _ if obj.is_none() => "None".to_string(),
        Ok(repr) if repr.starts_with('<') || repr.chars().nth(LONGEST).is_some() => name,
        // Such as `kron.Job(...)`.
        Ok(repr) if repr.starts_with(&name) => repr,
        Ok(repr) => format!("{name} {repr}"),
        Err(_) => name,
    }
}

/// An argument that is a text. This function and the following ones are for `from_py_with`.
pub(crate) fn text<'a>(obj: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    obj.cast::<PyString>().map_err(|_| expected("a str", obj))?.to_str()
}

/// A text or `None`.
pub(crate) fn optional_text<'a>(obj: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    if obj.is_none() { Ok(None) } else { text(obj).map(Some) }
}

/// A `bool`. Other objects have a truth value too, but `suspend="no"` would be true.
pub(crate) fn flag(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    obj.extract().map_err(|_| expected("True or False", obj))
}

/// A number.
pub(crate) fn number(obj: &Bound<'_, PyAny>) -> PyResult<f64> {
    obj.extract().map_err(|_| expected("a number", obj))
}

/// Whether an object is a number, also one of NumPy, and not a `bool`.
pub(crate) fn is_number(obj: &Bound<'_, PyAny>) -> bool {
    // Texts and times have no such method.
    !obj.is_instance_of::<PyBool>()
        && obj.hasattr("__float__").unwrap_or(false)
        && obj.extract::<f64>().is_ok()
}

/// Whether an object is not a number, which tables have where there is no value.
pub(crate) fn is_nan(obj: &Bound<'_, PyAny>) -> bool {
    is_number(obj) && obj.extract::<f64>().is_ok_and(f64::is_nan)
}

/// An instance of a class of this package.
pub(crate) fn instance<'a, 'py, T: PyClass>(obj: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, T>> {
    obj.cast().map_err(|_| expected(&format!("a kron.{}", <T as PyClass>::NAME), obj))
}

/// Nanoseconds beyond the microseconds of a datetime or a timedelta: only subclasses have them, such as those of pandas.
pub(crate) fn nanoseconds<'py, T: PyTypeInfo>(
    obj: &Bound<'py, PyAny>,
    attribute: &Bound<'py, PyString>,
) -> PyResult<u32> {
    if obj.is_exact_instance_of::<T>() {
        return Ok(0);
    }
    obj.getattr_opt(attribute)?.map_or(Ok(0), |nanos| nanos.extract())
}

/// The name of the class of the package `whenever` that an object is an instance of, as in `Instant`; `None` for other objects.
/// The package is not imported.
pub(crate) fn class_of_whenever(obj: &Bound<'_, PyAny>) -> Option<String> {
    let name = type_name(obj);
    // Releases without Rust code have the classes in a private module.
    let (module, class) = name.rsplit_once('.')?;
    let package = module.split('.').next()?;
    (package == "whenever").then(|| class.to_string())
}

/// Whole seconds, rounded down, and nanoseconds beyond them, of a `datetime64` or `timedelta64` of NumPy; `None` for NaT.
///
/// `kind` is one of these two names. NumPy converts the unit, and refuses one without a fixed length.
pub(crate) fn numpy_seconds(obj: &Bound<'_, PyAny>, kind: &str) -> PyResult<Option<(i64, u32)>> {
    let whole = obj.call_method1("astype", (format!("{kind}[s]"),))?;
    let seconds: i64 = whole.call_method1("astype", ("int64",))?.extract()?;
    if seconds == i64::MIN {
        return Ok(None);
    }
    let beyond = obj.sub(&whole)?.call_method1("astype", ("timedelta64[ns]",))?;
    let nanos: i64 = beyond.call_method1("astype", ("int64",))?.extract()?;
    // NumPy rounds towards zero or down, depending on kind and release.
    let carry = nanos.div_euclid(1_000_000_000);
    Ok(Some((seconds + carry, (nanos - carry * 1_000_000_000) as u32)))
}
