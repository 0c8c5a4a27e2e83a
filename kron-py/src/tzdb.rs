//! `kron.TzDatabase`.

use std::path::PathBuf;

use kron_core::{TzDatabase as CoreDatabase, Zone};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyMapping, PyTuple, PyType};

use crate::argument::{Arg, expected, text};
use crate::dataclass;
use crate::duration::offset;
use crate::error::{raise, raise_read};
use crate::instant::{Time, datetime, or_now};
use crate::tzif;

/// A time zone database: the rules of all zones, of one release.
///
/// The compiled-in database is part of this package. Another one comes from a directory, from the package `tzdata`, from
/// Python's own data or from TZif bytes. Jobs, `load` and `verify` take it as the argument `tz_database`; by default they use the
/// compiled-in database.
///
/// A database does not change, and threads may share it. It keeps the offsets from 1968-12-01 to 2101-02-01, but not the
/// bytes that it was made from. Databases compare by identity. Pickles of a database contain its rules.
///
/// >>> import kron
/// >>> database = kron.TzDatabase.compiled_in()
/// >>> database.version == kron.TZDB_VERSION, database.is_compiled_in
/// (True, True)
/// >>> "Asia/Calcutta" in database.aliases("Asia/Kolkata")
/// True
#[pyclass(frozen, module = "kron")]
#[derive(Clone, Debug)]
pub(crate) struct TzDatabase(pub(crate) CoreDatabase);

impl<'py> FromPyObject<'_, 'py> for Arg<CoreDatabase> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Arg<CoreDatabase>> {
        match obj.cast::<TzDatabase>() {
            Ok(database) => Ok(Arg(database.get().0.clone())),
            Err(_) => Err(expected("a kron.TzDatabase", &obj)),
        }
    }
}

/// The database of an argument, or the compiled-in one.
pub(crate) fn or_compiled_in(database: Option<Arg<CoreDatabase>>) -> CoreDatabase {
    database.map_or(CoreDatabase::COMPILED_IN, |Arg(database)| database)
}

/// Whether a zone is from the compiled-in database. The name of such a zone is a string of the library, and there is only
/// one of each. Equal rules are not enough: a later version of the library can have other rules, and a job of a given
/// database must keep its own when it is pickled.
pub(crate) fn is_compiled_in(zone: &Zone) -> bool {
    Zone::parse(zone.name()).is_ok_and(|known| std::ptr::eq(known.name(), zone.name()))
}

/// A database of one zone, for pickles of jobs; `None` for a zone of the compiled-in database.
pub(crate) fn of_zone(zone: &Zone) -> PyResult<Option<TzDatabase>> {
    if is_compiled_in(zone) {
        return Ok(None);
    }
    let data = [(zone.name(), tzif::write(zone)?)];
    CoreDatabase::from_tzif(zone.tzdb_version(), data).map(TzDatabase).map(Some).map_err(raise)
}

impl TzDatabase {
    fn zone(&self, name: &str) -> PyResult<Zone> {
        self.0.zone(name).map_err(raise)
    }

    /// The database that a function of `kron._tzdata` finds.
    fn found(py: Python<'_>, function: &str) -> PyResult<TzDatabase> {
        let found = py.import("kron._tzdata")?.getattr(function)?.call0()?;
        let (zones, version): (Bound<'_, PyDict>, Option<PyBackedStr>) = found.extract()?;
        TzDatabase::from_items(py, zones.as_mapping(), version)
    }

    fn from_items(
        py: Python<'_>,
        zones: &Bound<'_, PyMapping>,
        version: Option<PyBackedStr>,
    ) -> PyResult<TzDatabase> {
        let mut data: Vec<(PyBackedStr, PyBackedBytes)> = Vec::new();
        for item in zones.items()?.iter() {
            let (name, bytes): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let name = name.extract().map_err(|_| expected("the name of a zone as a str", &name))?;
            let bytes =
                bytes.cast::<PyBytes>().map_err(|_| expected("the TZif data of a zone as bytes", &bytes))?;
            data.push((name, PyBackedBytes::from(bytes.clone())));
        }
        py.detach(|| CoreDatabase::from_tzif(version.as_deref(), data)).map(TzDatabase).map_err(raise)
    }
}

#[pymethods]
impl TzDatabase {
    /// The database that is part of this package, of the version `kron.TZDB_VERSION`.
    #[classmethod]
    fn compiled_in(_cls: &Bound<'_, PyType>) -> TzDatabase {
        TzDatabase(CoreDatabase::COMPILED_IN)
    }

    /// Reads a directory of TZif files, such as `/usr/share/zoneinfo`. The zones are named by their paths in it.
    ///
    /// The version is the content of the file `+VERSION`, or else that of the first line of `tzdata.zi`; it is `None` if there is
    /// neither file. Names that do not begin with a capital letter, such as `localtime`, are skipped.
    ///
    /// Raises `OSError` for a file that cannot be read, and `KronError` for a directory without zones and for damaged data.
    ///
    /// >>> import kron
    /// >>> kron.TzDatabase.from_directory("/does/not/exist")
    /// Traceback (most recent call last):
    ///     ...
    /// FileNotFoundError: [Errno 2] No such file or directory: '/does/not/exist'
    #[classmethod]
    #[pyo3(signature = (path, /))]
    fn from_directory(cls: &Bound<'_, PyType>, path: PathBuf) -> PyResult<TzDatabase> {
        let py = cls.py();
        py.detach(|| kron_tzdb::read_dir(path)).map(TzDatabase).map_err(|error| raise_read(py, &error))
    }

    /// Reads the PyPI package `tzdata`. The version is its `IANA_VERSION`.
    ///
    /// Raises `ModuleNotFoundError` if the package is not installed.
    ///
    /// >>> import kron, tzdata
    /// >>> kron.TzDatabase.from_tzdata().version == tzdata.IANA_VERSION
    /// True
    #[classmethod]
    fn from_tzdata(cls: &Bound<'_, PyType>) -> PyResult<TzDatabase> {
        TzDatabase::found(cls.py(), "of_package")
    }

    /// Reads the data that Python's `zoneinfo` uses: each key of `zoneinfo.available_timezones()` from the first directory of
    /// `zoneinfo.TZPATH` that has it, otherwise from the PyPI package `tzdata`. `zoneinfo` searches in the same order.
    ///
    /// The version is that of the directories or the package that the zones are from; it is `None` if it is unknown or if they
    /// disagree. Keys that do not begin with a capital letter, such as `localtime`, are skipped.
    ///
    /// Raises `ModuleNotFoundError` if Python has no data.
    ///
    /// >>> import kron
    /// >>> "Europe/Paris" in kron.TzDatabase.from_zoneinfo().zone_names()
    /// True
    #[classmethod]
    fn from_zoneinfo(cls: &Bound<'_, PyType>) -> PyResult<TzDatabase> {
        TzDatabase::found(cls.py(), "of_zoneinfo")
    }

    /// Makes a database from the TZif data (RFC 9636) of each zone by name.
    ///
    /// The version is up to 64 printable ASCII characters without spaces, by convention that of the IANA release. There are at
    /// most 4,096 zones with at most 65,536 bytes and 1,024 offsets from 1968 to 2101 each. The IANA placeholder `Factory` is
    /// left out.
    ///
    /// Raises `KronError`, with the name of the zone, for data that is damaged or counts leap seconds.
    ///
    /// >>> import importlib.resources, kron
    /// >>> data = importlib.resources.files("tzdata").joinpath("zoneinfo", "Europe", "Paris").read_bytes()
    /// >>> database = kron.TzDatabase.from_tzif({"Mars/Olympus": data}, "2026x")
    /// >>> kron.Job("@daily @tz(Mars/Olympus)", name="prod/db", tz_database=database).tzdb_version
    /// '2026x'
    #[classmethod]
    #[pyo3(signature = (zones, version = None))]
    fn from_tzif(
        cls: &Bound<'_, PyType>,
        zones: &Bound<'_, PyAny>,
        version: Option<PyBackedStr>,
    ) -> PyResult<TzDatabase> {
        match zones.cast::<PyMapping>() {
            Ok(zones) => TzDatabase::from_items(cls.py(), zones, version),
            Err(_) => Err(expected("a mapping of names to TZif data", zones)),
        }
    }

    /// The version, such as `2026e`; `None` if it is unknown.
    #[getter]
    fn version(&self) -> Option<&str> {
        self.0.version()
    }

    /// Whether this is the database that is part of this package.
    #[getter]
    fn is_compiled_in(&self) -> bool {
        self.0.is_compiled_in()
    }

    /// The names of all zones, sorted.
    ///
    /// >>> import kron
    /// >>> kron.TzDatabase.compiled_in().zone_names()[0]
    /// 'Africa/Abidjan'
    fn zone_names(&self) -> Vec<String> {
        self.0.zones().map(|zone| zone.name().to_string()).collect()
    }

    /// The fingerprint of a zone's rules, 64 lower-case hex digits. Two zones have the same fingerprint if their offsets are the
    /// same at all times from 1968-12-01 to 2101-02-01. Raises `KronError` for an unknown name.
    ///
    /// It is the SHA-256 of a line `<first Unix second> <offset in seconds>`, with a line feed at its end, for each span of
    /// constant offset. The first span begins at -2**63.
    ///
    /// >>> import hashlib, kron
    /// >>> utc = hashlib.sha256(b"-9223372036854775808 0\n").hexdigest()
    /// >>> kron.TzDatabase.compiled_in().fingerprint("UTC") == utc
    /// True
    #[pyo3(signature = (name, /))]
    fn fingerprint(&self, #[pyo3(from_py_with = text)] name: &str) -> PyResult<String> {
        Ok(self.zone(name)?.fingerprint())
    }

    /// The other names in this database with the same offsets from 1968-12-01 to 2101-02-01, sorted. Raises `KronError` for an
    /// unknown name.
    #[pyo3(signature = (name, /))]
    fn aliases(&self, #[pyo3(from_py_with = text)] name: &str) -> PyResult<Vec<String>> {
        let zone = self.zone(name)?;
        Ok(self.0.aliases(&zone).map(|alias| alias.name().to_string()).collect())
    }

    /// The offset from UTC of a zone at an instant, the present one by default, as a timedelta. Raises `KronError` for an
    /// unknown name.
    ///
    /// It is exact from 1968-12-01 to 2101-02-01. At other times it is the first or the last known offset.
    ///
    /// >>> import datetime, kron
    /// >>> december = datetime.datetime(2026, 12, 1, tzinfo=datetime.timezone.utc)
    /// >>> kron.TzDatabase.compiled_in().offset("America/Vancouver", december) / datetime.timedelta(hours=1)
    /// -7.0
    #[pyo3(signature = (name, at = None))]
    fn offset<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = text)] name: &str,
        at: Option<Time>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let second = or_now(py, at)?.timestamp();
        Ok(offset(py, self.zone(name)?.offset_at(second))?.into_any())
    }

    /// The changes of a zone's offset after an instant, the present one by default, in order, up to 2101-02-01: a list of
    /// `kron.OffsetChange`. Raises `KronError` for an unknown name.
    ///
    /// >>> import datetime, kron
    /// >>> march = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> change = kron.TzDatabase.compiled_in().changes("Europe/Paris", march)[0]
    /// >>> print(change.time, change.offset_before, change.offset_after)
    /// 2026-03-29 01:00:00+00:00 1:00:00 2:00:00
    #[pyo3(signature = (name, after = None))]
    fn changes<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = text)] name: &str,
        after: Option<Time>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (zone, after) = (self.zone(name)?, or_now(py, after)?);
        let change = |it: kron_core::time::OffsetChange| {
            let (before, after) = (offset(py, it.offset_before)?, offset(py, it.offset_after)?);
            dataclass::class(py, "OffsetChange")?.call1((datetime(py, it.timestamp)?, before, after))
        };
        zone.changes(after).map(change).collect()
    }

    fn __repr__(&self) -> String {
        if self.0.is_compiled_in() {
            return "kron.TzDatabase.compiled_in()".to_string();
        }
        let version = self.0.version().unwrap_or("of unknown version");
        format!("<kron.TzDatabase {version}, {} zones>", self.0.zones().len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<TzDatabase>();
        if self.0.is_compiled_in() {
            return Ok((class.getattr("compiled_in")?, PyTuple::empty(py)));
        }
        let zones = PyDict::new(py);
        for zone in self.0.zones() {
            zones.set_item(zone.name(), PyBytes::new(py, &tzif::write(&zone)?))?;
        }
        Ok((class.getattr("from_tzif")?, (zones, self.0.version()).into_pyobject(py)?))
    }
}
