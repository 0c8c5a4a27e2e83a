//! Time zone databases from TZif data in memory.

use std::ffi::c_char;

use kron_core::TzDatabase;

use crate::abi::failure::Failure;
use crate::abi::input::{array, structs_in};
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::abi::text::{optional_text, optional_text_z, read_text};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::tzdb::database::kron_tzdb;

/// The TZif data (RFC 9636) of one zone: the content of a file such as `/usr/share/zoneinfo/Europe/Paris`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_tzif {
    /// The name of the zone, such as `Europe/Paris`. It needs no NUL at the end.
    pub name: *const c_char,
    /// The length of the name in bytes, 1 to 64.
    pub name_length: usize,
    /// The data.
    pub data: *const u8,
    /// The length of the data in bytes, at most 65536.
    pub data_length: usize,
}

impl Struct for kron_tzif {}

/// The name and the data of each zone.
///
/// # Safety
///
/// Each pointer is NULL or valid for as many bytes as its length says, until the end of `'a`.
unsafe fn names_and_data<'a>(zones: &'a [kron_tzif]) -> Result<Vec<(&'a str, &'a [u8])>, Failure> {
    let read = |(index, zone): (usize, &'a kron_tzif)| {
        // SAFETY: the caller's.
        let (name, data) = unsafe {
            (read_text(zone.name, zone.name_length, "name"), array(zone.data, zone.data_length, "data"))
        };
        let at = |failure| Failure::Element { name: "zones", index, failure: Box::new(failure) };
        Ok((name.map_err(at)?, data.map_err(at)?))
    };
    zones.iter().enumerate().map(read).collect()
}

/// # Safety
///
/// As [`names_and_data`].
unsafe fn from_tzif(
    version: Result<Option<&str>, Failure>,
    zones: Result<&[kron_tzif], Failure>,
    out: Result<Out<*mut kron_tzdb>, Failure>,
) -> Result<(), Failure> {
    let (version, zones, out) = (version?, zones?, out?);
    // SAFETY: the caller's.
    let zones = unsafe { names_and_data(zones) }?;
    out.give(kron_tzdb::new(TzDatabase::from_tzif(version, zones)?));
    Ok(())
}

/// Makes a time zone database from the TZif data of its zones, at most 4096. `version` has at most 64 printable ASCII
/// characters, by convention the IANA release, such as `2026e`. `zone_size` is KRON_TZIF_SIZE. Returns
/// KRON_ERROR_TZ_DATA if data is damaged, counts leap seconds or has an offset of 24 hours or more, if a name is
/// repeated or is not an IANA name, or if `UTC` is not at offset 0; the field of the error names the zone.
///
/// Ownership: `*out` is a new database, which the caller frees with kron_tzdb_free. The zones are copied.
/// NULL: only `error` and `version` may be NULL, and `zones` if its length is 0; a NULL `version` means that it is unknown.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (version, zones, out, error) = unsafe {
        (
            optional_text_z(version, "version"),
            structs_in(zones, zones_length, zone_size, "zones"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    // SAFETY: names and data are valid for as many bytes as they say.
    guard(error, || unsafe { from_tzif(version, zones, out) })
}

/// Like kron_tzdb_from_tzif, with the length of the version in bytes.
///
/// Ownership: `*out` is a new database, which the caller frees with kron_tzdb_free. The zones are copied.
/// NULL: only `error` and `version` may be NULL, and `zones` if its length is 0; a NULL `version` means that it is unknown.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (version, zones, out, error) = unsafe {
        (
            optional_text(version, version_length, "version"),
            structs_in(zones, zones_length, zone_size, "zones"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    // SAFETY: names and data are valid for as many bytes as they say.
    guard(error, || unsafe { from_tzif(version, zones, out) })
}
