//! Time zone databases: the one that is compiled in, and those that a program reads at run time.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::sync::Arc;

use kron_core::{TzDatabase, Zone};

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

/// A time zone database: the time zones of one release. Immutable; any number of threads may use it at once. NULL means
/// the database that is compiled into the library.
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

/// Reads a time zone database from a directory of TZif files, such as `/usr/share/zoneinfo`. The name of a zone is its
/// path in the directory. The version is read from the file `+VERSION` or from the first line of `tzdata.zi`. Returns
/// KRON_ERROR_IO if a file or directory cannot be read, and KRON_ERROR_TZ_DATA if a file is damaged or there is no
/// zone.
///
/// Ownership: `*out` is a new database, which the caller frees with kron_tzdb_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (path, out, error) =
        unsafe { (read_text_z(path, "path"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || read_dir(path, out))
}

/// Like kron_tzdb_read_dir, with the length of the text in bytes.
///
/// Ownership: `*out` is a new database, which the caller frees with kron_tzdb_free.
/// NULL: only `error` may be NULL, and `path` if its length is 0.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (path, out, error) =
        unsafe { (read_text(path, path_length, "path"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || read_dir(path, out))
}

/// Returns the version of a time zone database, such as `2026e`. NULL if the database has no version.
///
/// Ownership: the string belongs to the database, and is valid until the database is freed.
/// NULL: the version of the compiled-in database.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_version(tzdb: *const kron_tzdb) -> *const c_char {
    // SAFETY: the caller follows the section above.
    let tzdb = unsafe { borrow_optional(tzdb) };
    guard_value(null(), || match tzdb {
        Some(tzdb) => tzdb.version.as_ref().map_or(null(), |version| version.as_ptr()),
        None => compiled_in_version(),
    })
}

/// Returns the number of zones in a time zone database.
///
/// Ownership: unchanged.
/// NULL: the number of zones of the compiled-in database.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_length(tzdb: *const kron_tzdb) -> usize {
    // SAFETY: the caller follows the section above.
    let tzdb = unsafe { borrow_optional(tzdb) };
    guard_value(0, || tzdb.map_or(TzDatabase::COMPILED_IN.zones().len(), |tzdb| tzdb.zones.len()))
}

/// Gets the name of a zone by its index, from 0. Names are sorted.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` is unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
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
    // SAFETY: the caller follows the section above.
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

/// Makes another handle of the same time zone database. Nothing is copied.
///
/// Ownership: `*out` is a new handle, which the caller frees with kron_tzdb_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (tzdb, out, error) = unsafe { (share(tzdb, "tzdb"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_clone(error, tzdb, out)
}

/// Frees a handle of a time zone database. Jobs, schedules and fleets that were read with it keep their zones.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_free(tzdb: *mut kron_tzdb) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(tzdb) });
}
