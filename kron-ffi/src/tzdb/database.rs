//! Time zone databases: the one that is compiled in, and those that a program reads at run time.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::sync::Arc;

use kron_core::{Parser, TzDatabase, Zone};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow_optional, free, share};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_clone};
use crate::value::string::{guard_string, kron_string};
use crate::value::version::compiled_in_version;

/// A tz database: the time zones of one release. Immutable; any number of threads may use it at once. Where a function
/// takes one, NULL means the database that is compiled into the library.
#[derive(Debug)]
pub struct kron_tzdb {
    database: TzDatabase,
    version: Option<CString>,
    /// The zones by index, sorted by name.
    zones: Box<[Zone]>,
}

impl Handle for kron_tzdb {
    type Owner = Arc<kron_tzdb>;
}

impl kron_tzdb {
    pub(crate) fn new(database: TzDatabase) -> Arc<kron_tzdb> {
        // OK because the core takes versions of printable characters only.
        let version = database.version().map(|version| CString::new(version).unwrap_or_default());
        let zones = database.zones().collect();
        Arc::new(kron_tzdb { database, version, zones })
    }
}

/// The database that an argument means. A clone costs a counter.
pub(crate) fn database(tzdb: Option<&kron_tzdb>) -> TzDatabase {
    tzdb.map_or(TzDatabase::COMPILED_IN, |tzdb| tzdb.database.clone())
}

/// A parser with the database that an argument means.
pub(crate) fn parser(tzdb: Option<&kron_tzdb>) -> Parser {
    Parser::new().with_tz_database(database(tzdb))
}

/// A zone of the database that an argument means.
pub(crate) fn zone(timezone: &str, tzdb: Option<&kron_tzdb>) -> Result<Zone, Failure> {
    Ok(database(tzdb).zone(timezone)?)
}

fn read_dir(path: Result<&str, Failure>, out: Result<Out<*mut kron_tzdb>, Failure>) -> Result<(), Failure> {
    let (path, out) = (path?, out?);
    let database = ::kron_tzdb::read_dir(path).map_err(|error| Failure::TzDir(Box::new(error)))?;
    out.give(kron_tzdb::new(database));
    Ok(())
}

/// Reads a tz database from a directory of TZif files, such as `/usr/share/zoneinfo`. Zones have the names of their
/// paths in it. The version is the content of the file `+VERSION`, or is read from the first line of `tzdata.zi`.
/// KRON_RESULT_IO if a file or directory cannot be read, KRON_RESULT_TZ_DATA if there is no zone or if a file is damaged.
///
/// Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_read_dir(
    path: *const c_char,
    out: *mut *mut kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (path, out, error) =
        unsafe { (read_text_z(path, "path"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || read_dir(path, out))
}

/// As kron_tzdb_read_dir, with the length of the text in bytes.
///
/// Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free.
/// NULL: only `error` may be NULL, and `path` if its length is 0.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_read_dir_n(
    path: *const c_char,
    path_length: usize,
    out: *mut *mut kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (path, out, error) =
        unsafe { (read_text(path, path_length, "path"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || read_dir(path, out))
}

/// The version of a tz database, such as `2026e`. The same start times need the same rules of a zone.
///
/// Ownership: the string belongs to the database and lives as long; that of the compiled-in database is static.
/// NULL: the version of the compiled-in database.
/// On error: this cannot fail. The result is NULL if the database has no version.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_version(tzdb: *const kron_tzdb) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let tzdb = unsafe { borrow_optional(tzdb) };
    guard_value(null(), || match tzdb {
        Some(tzdb) => tzdb.version.as_ref().map_or(null(), |version| version.as_ptr()),
        None => compiled_in_version(),
    })
}

/// How many zones a tz database has.
///
/// Ownership: none passes.
/// NULL: the number of zones of the compiled-in database.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_length(tzdb: *const kron_tzdb) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let tzdb = unsafe { borrow_optional(tzdb) };
    guard_value(0, || tzdb.map_or(TzDatabase::COMPILED_IN.zones().len(), |tzdb| tzdb.zones.len()))
}

/// The name of a zone of a tz database, by its index from 0; names are sorted.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value. KRON_RESULT_INDEX for an index from the length on.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_zone(
    tzdb: *const kron_tzdb,
    index: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (tzdb, out, error) = unsafe { (borrow_optional(tzdb), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, Ok(tzdb), out, "zone", |tzdb| {
        let (length, zone) = match tzdb {
            Some(tzdb) => (tzdb.zones.len(), tzdb.zones.get(index).cloned()),
            None => (TzDatabase::COMPILED_IN.zones().len(), TzDatabase::COMPILED_IN.zones().nth(index)),
        };
        let zone = zone.ok_or_else(|| Failure::Index { name: "index", index, length })?;
        Ok(zone.name().to_owned())
    })
}

/// Another handle of the same tz database, which costs a counter.
///
/// Ownership: `*out` becomes a new handle of the caller, freed with kron_tzdb_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_clone(
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (tzdb, out, error) = unsafe { (share(tzdb, "tzdb"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_clone(error, tzdb, out)
}

/// Frees a handle of a tz database. Jobs, schedules and fleets that were read with it keep the zones that they use.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_free(tzdb: *mut kron_tzdb) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(tzdb) });
}
