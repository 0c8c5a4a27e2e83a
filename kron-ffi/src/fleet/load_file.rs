//! Fleets of a file.

use std::ffi::c_char;
use std::fs::File;
use std::io::Read as _;

use kron_formats::FILE_BYTES;

use crate::abi::failure::Failure;
use crate::abi::handle::borrow_optional;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::fleet::create::{kron_fleet, parse};
use crate::parser::create::kron_parser;

fn read(path: &str) -> Result<String, Failure> {
    let failed = |why: String| Failure::Read { path: path.to_owned(), why };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    if bytes.len() > FILE_BYTES {
        return Err(failed(format!("the file has more than {} MiB", FILE_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|error| {
        failed(format!("the file is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
    })
}

fn load_file(
    path: Result<&str, Failure>,
    ns: Result<&str, Failure>,
    parser: Option<&kron_parser>,
    out: Result<Out<*mut kron_fleet>, Failure>,
) -> Result<(), Failure> {
    let (path, ns, out) = (path?, ns?, out?);
    parse(Ok(&read(path)?), Ok(ns), parser, Ok(out))
}

/// Reads a fleet from a file of at most 64 MiB: a job file, or KronJob manifests in YAML or JSON. `ns` is the namespace
/// of manifests that have none; the empty string means `default`. KRON_ERROR_IO if the file cannot be read.
///
/// Ownership: `*out` is a new fleet, which the caller frees with kron_fleet_free.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: `*out` is unchanged. The error has all errors of the file: see kron_error_count.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_load_file(
    path: *const c_char,
    ns: *const c_char,
    parser: *const kron_parser,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (path, ns, parser, out, error) = unsafe {
        (
            read_text_z(path, "path"),
            read_text_z(ns, "ns"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || load_file(path, ns, parser, out))
}

/// Like kron_fleet_load_file, with the lengths of the texts in bytes.
///
/// Ownership: `*out` is a new fleet, which the caller frees with kron_fleet_free.
/// NULL: only `error` and `parser` may be NULL, and a text if its length is 0.
/// On error: `*out` is unchanged. The error has all errors of the file: see kron_error_count.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_load_file_n(
    path: *const c_char,
    path_length: usize,
    ns: *const c_char,
    ns_length: usize,
    parser: *const kron_parser,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (path, ns, parser, out, error) = unsafe {
        (
            read_text(path, path_length, "path"),
            read_text(ns, ns_length, "ns"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || load_file(path, ns, parser, out))
}
