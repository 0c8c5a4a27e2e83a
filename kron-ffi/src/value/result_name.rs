//! Results as words.

use std::ffi::c_char;

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

/// A word with a NUL at its end.
type Word = [u8; 32];

const fn word(text: &str) -> Word {
    let bytes = text.as_bytes();
    assert!(bytes.len() < size_of::<Word>());
    let mut word = [0; size_of::<Word>()];
    let mut at = 0;
    while at < bytes.len() {
        word[at] = bytes[at];
        at += 1;
    }
    word
}

/// Numbers and words of all results, ascending. Made when this is compiled: nothing is left to free.
static NAMES: [(u32, Word); OURS.len() + ErrorCode::ALL.len()] = {
    let mut names = [(0, word("")); OURS.len() + ErrorCode::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = if at < OURS.len() {
            (OURS[at].0 as u32, word(OURS[at].1))
        } else {
            let code = ErrorCode::ALL[at - OURS.len()];
            (code.number(), word(code.as_str()))
        };
        at += 1;
    }
    names
};

/// Returns the name of a result (enum kron_result) for logs, such as `ok` or `cron-out-of-range`. `unknown` if no result
/// has this number. kron_error_message says what is wrong.
///
/// Ownership: the string is static; do not free it.
/// NULL: no pointers.
/// On error: cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn kron_result_name(result: u32) -> *const c_char {
    guard_value(c"unknown".as_ptr(), || {
        let found = NAMES.binary_search_by_key(&result, |(number, _)| *number);
        found.map_or(c"unknown".as_ptr(), |at| NAMES[at].1.as_ptr().cast())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_has_a_name_of_its_own() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        // As many as the source of the enum has.
        let source = include_str!("../abi/result.rs");
        let body = source.split("pub enum kron_result {").nth(1).unwrap().split("\n}\n").next().unwrap();
        assert_eq!(NAMES.len(), body.matches(" = ").count());
        assert!(NAMES.iter().all(|(_, word)| word[0] != 0));
    }
}
