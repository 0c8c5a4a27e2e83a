//! Time zone databases: the one that is compiled in, and those that a program reads at run time.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::sync::Arc;

use kron_core::{Parser, TzDatabase, Zone};

use crate::error::{ErrorOut, kron_error};
use crate::fault::Fault;
use crate::handle::{Handle, borrow_optional, free, share};
use crate::memory::{Out, Struct, array, structs_in};
use crate::result::{guard, guard_value, kron_result};
use crate::string::kron_string;
use crate::text::{optional_text, optional_text_z, read_text, read_text_z};
use crate::version::compiled_in_version;

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
    fn new(database: TzDatabase) -> Arc<kron_tzdb> {
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
pub(crate) fn zone(timezone: &str, tzdb: Option<&kron_tzdb>) -> Result<Zone, Fault> {
    Ok(database(tzdb).zone(timezone)?)
}

/// The TZif data (RFC 9636) of one zone, such as the content of `/usr/share/zoneinfo/Europe/Paris`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_tzif {
    /// The zone's name, such as `Europe/Paris`; no NUL is needed at its end.
    pub name: *const c_char,
    /// The length of the name in bytes, 1 to 64.
    pub name_length: usize,
    /// The data.
    pub data: *const u8,
    /// The length of the data in bytes, up to 65536.
    pub data_length: usize,
}

impl Struct for kron_tzif {}

fn read_dir(path: Result<&str, Fault>, out: Result<Out<*mut kron_tzdb>, Fault>) -> Result<(), Fault> {
    let (path, out) = (path?, out?);
    let database = ::kron_tzdb::read_dir(path).map_err(|error| Fault::TzDir(Box::new(error)))?;
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

/// The name and the data of each zone.
///
/// # Safety
///
/// Each pointer is NULL or valid for as many bytes as its length says, until the end of `'a`.
unsafe fn names_and_data<'a>(zones: &'a [kron_tzif]) -> Result<Vec<(&'a str, &'a [u8])>, Fault> {
    let read = |(index, zone): (usize, &'a kron_tzif)| {
        // SAFETY: the caller's.
        let (name, data) = unsafe {
            (read_text(zone.name, zone.name_length, "name"), array(zone.data, zone.data_length, "data"))
        };
        let at = |fault| Fault::Element { name: "zones", index, fault: Box::new(fault) };
        Ok((name.map_err(at)?, data.map_err(at)?))
    };
    zones.iter().enumerate().map(read).collect()
}

/// Makes a tz database from the TZif data of its zones, at most 4096. `version` is up to 64 printable ASCII characters,
/// by convention those of the IANA release, such as `2026e`. `zone_size` is KRON_TZIF_SIZE. KRON_RESULT_TZ_DATA, with the
/// zone in the error's field, if the data is damaged, counts leap seconds or has an offset of 24 hours or more, if a name
/// is repeated or is no IANA name, or if `UTC` is not at offset 0.
///
/// Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free. It keeps nothing of the zones.
/// NULL: only `error` and `version` may be NULL, and `zones` if its length is 0; a NULL `version` is an unknown one.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_from_tzif(
    version: *const c_char,
    zones: *const kron_tzif,
    zones_length: usize,
    zone_size: usize,
    out: *mut *mut kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (version, zones, out, error) = unsafe {
        (
            optional_text_z(version, "version"),
            structs_in(zones, zones_length, zone_size, "zones"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (version, zones, out) = (version?, zones?, out?);
        // SAFETY: valid for as many bytes as they say, as said above.
        let zones = unsafe { names_and_data(zones) }?;
        out.give(kron_tzdb::new(TzDatabase::from_tzif(version, zones)?));
        Ok(())
    })
}

/// As kron_tzdb_from_tzif, with the length of the version in bytes.
///
/// Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free. It keeps nothing of the zones.
/// NULL: only `error` and `version` may be NULL, and `zones` if its length is 0; a NULL `version` is an unknown one.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_tzdb_from_tzif_n(
    version: *const c_char,
    version_length: usize,
    zones: *const kron_tzif,
    zones_length: usize,
    zone_size: usize,
    out: *mut *mut kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (version, zones, out, error) = unsafe {
        (
            optional_text(version, version_length, "version"),
            structs_in(zones, zones_length, zone_size, "zones"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (version, zones, out) = (version?, zones?, out?);
        // SAFETY: valid for as many bytes as they say, as said above.
        let zones = unsafe { names_and_data(zones) }?;
        out.give(kron_tzdb::new(TzDatabase::from_tzif(version, zones)?));
        Ok(())
    })
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
    guard(error, || {
        let out = out?;
        let (length, zone) = match tzdb {
            Some(tzdb) => (tzdb.zones.len(), tzdb.zones.get(index).cloned()),
            None => (TzDatabase::COMPILED_IN.zones().len(), TzDatabase::COMPILED_IN.zones().nth(index)),
        };
        let zone = zone.ok_or_else(|| Fault::Index { name: "index", index, length })?;
        out.give(kron_string::new(zone.name().to_owned(), "zone")?);
        Ok(())
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
    guard(error, || {
        let (tzdb, out) = (tzdb?, out?);
        out.give(tzdb);
        Ok(())
    })
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
