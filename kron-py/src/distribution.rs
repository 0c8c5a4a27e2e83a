//! `kron.Distribution`.

use std::collections::BTreeMap;
use std::fmt;

use kron_core::Duration;
use kron_core::draw::{Direction, DistributionName, DistributionParam, Mu};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyType};

use crate::argument::{Arg, expected, number, optional_text, text};
use crate::convert::{class_or_text, literal, word};
use crate::error::raise;

/// How starts are spread over the window. There is a classmethod for each distribution. A parameter out of range raises
/// `KronError`.
///
/// >>> import kron
/// >>> kron.Distribution.skew_early(2.5)
/// kron.Distribution.skew_early(2.5)
/// >>> str(kron.Distribution.normal(sigma="15m"))
/// 'normal,sigma=15m0s'
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Distribution(pub(crate) kron_core::Distribution);

class_or_text!(Distribution);

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Distribution {
    /// Every second of the window is equally likely.
    #[classmethod]
    fn uniform(_cls: &Bound<'_, PyType>) -> Distribution {
        Distribution(kron_core::Distribution::uniform())
    }

    /// More often early: the quantile function is `u**shape`. The shape is finite and above 0.
    #[classmethod]
    #[pyo3(signature = (shape = 2.0))]
    fn skew_early(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = number)] shape: f64,
    ) -> PyResult<Distribution> {
        kron_core::Distribution::skew_early(shape).map(Distribution).map_err(raise)
    }

    /// More often late: the quantile function is `1 - (1 - u)**shape`. The shape is finite and above 0.
    #[classmethod]
    #[pyo3(signature = (shape = 2.0))]
    fn skew_late(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = number)] shape: f64,
    ) -> PyResult<Distribution> {
        kron_core::Distribution::skew_late(shape).map(Distribution).map_err(raise)
    }

    /// A normal distribution cut off at the window's ends.
    ///
    /// `mu` is `'nominal'`, `'start'`, `'mid'` or `'end'`; left out, it is `'nominal'` in windows `around`, else `'mid'`.
    /// `sigma` is a timedelta or a text above 0; left out, it is a sixth of the window.
    #[classmethod]
    #[pyo3(signature = (*, mu = None, sigma = None))]
    fn normal(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = optional_text)] mu: Option<&str>,
        sigma: Option<Arg<Duration>>,
    ) -> PyResult<Distribution> {
        let mu = mu.map(word::<Mu>).transpose()?;
        kron_core::Distribution::normal(mu, sigma.map(|sigma| sigma.0)).map(Distribution).map_err(raise)
    }

    /// An exponential distribution cut off at the window's ends, densest at its start (`dir='early'`) or end (`'late'`).
    ///
    /// `lambda_` is the rate per window length, finite and above 0.
    #[classmethod]
    #[pyo3(signature = (lambda_ = 1.0, *, dir = "early"))]
    fn exponential(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = number)] lambda_: f64,
        #[pyo3(from_py_with = text)] dir: &str,
    ) -> PyResult<Distribution> {
        let dir = word::<Direction>(dir)?;
        kron_core::Distribution::exponential(lambda_, dir).map(Distribution).map_err(raise)
    }

    /// A distribution by its name and its parameters as text, as in a manifest.
    ///
    /// >>> import kron
    /// >>> kron.Distribution.from_params("exponential", {"lambda": "8", "dir": "late"})
    /// kron.Distribution.exponential(8.0, dir='late')
    #[classmethod]
    #[pyo3(signature = (name, params, /))]
    fn from_params(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = text)] name: &str,
        #[pyo3(from_py_with = texts)] params: BTreeMap<String, String>,
    ) -> PyResult<Distribution> {
        let params = params.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        kron_core::Distribution::from_params(name, params).map(Distribution).map_err(raise)
    }

    /// Reads the text form, as in `@dist(...)`.
    ///
    /// >>> import kron
    /// >>> kron.Distribution.parse("skewEarly,shape=2.50").params
    /// {'shape': '2.5'}
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<Distribution> {
        word(text).map(Distribution)
    }

    /// The name: `uniform`, `normal`, `skewEarly`, `skewLate` or `exponential`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name().as_str()
    }

    /// The parameters that differ from their defaults, as text.
    #[getter]
    fn params(&self) -> BTreeMap<&'static str, String> {
        self.0.params().into_iter().map(|(param, value)| (param.as_str(), value)).collect()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut args = Vec::new();
        for (param, value) in self.0.params() {
            args.push(match param {
                // The text is the shortest decimal that reads back the same; Python's form can differ.
                DistributionParam::Shape | DistributionParam::Lambda => py_float(py, &value)?,
                DistributionParam::Mu | DistributionParam::Sigma | DistributionParam::Dir => {
                    format!("{param}={}", literal(py, &value)?)
                }
            });
        }
        let function = match self.0.name() {
            DistributionName::Uniform => "uniform",
            DistributionName::Normal => "normal",
            DistributionName::SkewEarly => "skew_early",
            DistributionName::SkewLate => "skew_late",
            DistributionName::Exponential => "exponential",
        };
        Ok(format!("kron.Distribution.{function}({})", args.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Distribution>().getattr("parse")?, (self.to_string(),)))
    }
}

/// A mapping of texts to texts.
fn texts(obj: &Bound<'_, PyAny>) -> PyResult<BTreeMap<String, String>> {
    let params = obj.cast::<PyMapping>().map_err(|_| expected("a mapping of names to texts", obj))?;
    params
        .items()?
        .iter()
        .map(|item| {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            Ok((text(&name)?.to_string(), text(&value)?.to_string()))
        })
        .collect()
}

fn py_float(py: Python<'_>, text: &str) -> PyResult<String> {
    py.get_type::<pyo3::types::PyFloat>().call1((text,))?.repr()?.extract()
}
