//! Results as words.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use kron_core::ErrorCode;

use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;

/// The results of libkron itself. Those of the core have the core's words.
const OURS: [(kron_result, &str); 15] = [
    (kron_result::Ok, "ok"),
    (kron_result::End, "end"),
    (kron_result::Absent, "absent"),
    (kron_result::NullPointer, "null-pointer"),
    (kron_result::InvalidUtf8, "invalid-utf8"),
    (kron_result::StructSize, "struct-size"),
    (kron_result::EnumValue, "enum-value"),
    (kron_result::Length, "length"),
    (kron_result::Index, "index"),
    (kron_result::AlreadyUsed, "already-used"),
    (kron_result::ContainsNul, "contains-nul"),
    (kron_result::Io, "io"),
    (kron_result::TooShort, "too-short"),
    (kron_result::HostState, "host-state"),
    (kron_result::Panic, "panic"),
];

/// Numbers and words of all results, ascending, with a NUL at the end of each word.
fn names() -> &'static [(u32, CString)] {
    static NAMES: OnceLock<Vec<(u32, CString)>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let ours = OURS.iter().map(|(result, word)| (*result as u32, *word));
        let of_core = ErrorCode::ALL.iter().map(|code| (code.number(), code.as_str()));
        ours.chain(of_core).map(|(number, word)| (number, CString::new(word).unwrap_or_default())).collect()
    })
}

/// Returns the name of a result (enum kron_result) for logs, such as `ok` or `cron-out-of-range`. `unknown` if no result
/// has this number. kron_error_message says what is wrong.
///
/// Ownership: the string is static; do not free it.
/// NULL: no pointers.
/// On error: cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn kron_result_name(result: u32) -> *const c_char {
    guard_value(c"unknown".as_ptr(), || {
        let names = names();
        names
            .binary_search_by_key(&result, |(number, _)| *number)
            .map_or(c"unknown".as_ptr(), |at| names[at].1.as_ptr())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_has_a_name_of_its_own() {
        let names = names();
        assert!(names.is_sorted_by(|a, b| a.0 < b.0));
        // As many as the source of the enum has.
        let source = include_str!("../abi/result.rs");
        let body = source.split("pub enum kron_result {").nth(1).unwrap().split("\n}\n").next().unwrap();
        assert_eq!(names.len(), body.matches(" = ").count());
        assert!(names.iter().all(|(_, name)| !name.is_empty()));
    }
}
