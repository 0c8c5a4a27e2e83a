//! Versions: of the library, the compiled-in time zone database and the algorithms.

use std::ffi::c_char;

use kron_core::{Algorithm, TzDatabase};

use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::value::enums;

/// A text with a NUL at its end.
const fn with_nul<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut at = 0;
    while at < text.len() {
        bytes[at] = text.as_bytes()[at];
        at += 1;
    }
    bytes
}

macro_rules! c_static {
    ($name:ident, $text:expr) => {
        static $name: [u8; $text.len() + 1] = with_nul($text);
    };
}

c_static!(VERSION, env!("CARGO_PKG_VERSION"));
c_static!(TZDB, TzDatabase::COMPILED_IN_VERSION);
c_static!(SIPHASH, Algorithm::SipHashChaCha8.as_str());
c_static!(SHA256, Algorithm::Sha256SplitMix64.as_str());

/// The version of the compiled-in time zone database.
pub(crate) fn compiled_in_version() -> *const c_char {
    TZDB.as_ptr().cast()
}

/// Returns the version of the library, such as `0.1.0`. The macro KRON_VERSION is the version of the header.
///
/// Ownership: the string is static; do not free it.
/// NULL: no pointers.
/// On error: cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn kron_version() -> *const c_char {
    guard_value(c"".as_ptr(), || VERSION.as_ptr().cast())
}

/// Returns the version of the library as a number: 10203 is 1.2.3. The macro KRON_VERSION_NUMBER is that of the header.
///
/// Ownership: no pointers.
/// NULL: no pointers.
/// On error: cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn kron_version_number() -> u64 {
    guard_value(0, || {
        env!("CARGO_PKG_VERSION")
            .split('.')
            .fold(0, |number, part| number * 100 + part.parse::<u64>().unwrap_or(0))
    })
}

/// Gets the name of an algorithm (enum kron_algorithm), such as `siphash-chacha8/1`.
///
/// Ownership: the string is static; do not free it.
/// NULL: only `error` may be NULL.
/// On error: `*name` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_algorithm_name(
    algorithm: u32,
    name: *mut *const c_char,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, error) = unsafe { (Out::new(name, "name"), ErrorOut::new(error)) };
    guard(error, || {
        let name = name?;
        let text: &[u8] = match enums::algorithm(algorithm, "algorithm")? {
            Algorithm::SipHashChaCha8 => &SIPHASH,
            Algorithm::Sha256SplitMix64 => &SHA256,
        };
        name.set(text.as_ptr().cast());
        Ok(())
    })
}
