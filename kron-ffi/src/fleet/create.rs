//! Fleets: many jobs.

use std::ffi::c_char;
use std::sync::Arc;

use ::kron_fleet::Fleet;
use kron_core::Job;
use kron_formats::LoadOptions;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow_optional, free, share};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_clone};
use crate::parser::create::{kron_parser, parser_of};

/// A fleet: jobs with distinct names, in the order in which they were added. Immutable; any number of threads may use
/// it at once.
#[derive(Debug)]
pub struct kron_fleet {
    pub(crate) fleet: Fleet,
    /// The further fields of each job's line in a job file; empty for fleets that were built.
    pub(crate) fields: Vec<Vec<(String, String)>>,
    /// The findings about the file.
    pub(crate) findings: Vec<serde_json::Value>,
}

impl Handle for kron_fleet {
    type Owner = Arc<kron_fleet>;
}

impl kron_fleet {
    pub(crate) fn job(&self, index: usize) -> Result<&Job, Failure> {
        let length = self.fleet.jobs().len();
        self.fleet.jobs().get(index).ok_or_else(|| Failure::Index { name: "index", index, length })
    }
}

pub(crate) fn parse(
    text: Result<&str, Failure>,
    ns: Result<&str, Failure>,
    parser: Option<&kron_parser>,
    out: Result<Out<*mut kron_fleet>, Failure>,
) -> Result<(), Failure> {
    let (text, ns, out) = (text?, ns?, out?);
    let options = LoadOptions::default();
    let options = if ns.is_empty() { options } else { options.with_namespace(ns) };
    let loaded = kron_formats::load(&parser_of(parser), text, &options)
        .map_err(|error| Failure::File(error.errors))?;
    let findings = loaded.findings.iter().map(|finding| {
        serde_json::json!({
            "severity": finding.severity.as_str(), "code": finding.code.as_str(), "message": finding.message,
        })
    });
    let findings = findings.collect();
    let (jobs, fields) = loaded.jobs.into_iter().map(|job| (job.job, job.fields)).unzip();
    out.give(Arc::new(kron_fleet { fleet: Fleet::new(jobs)?, fields, findings }));
    Ok(())
}

/// Reads a fleet from the text of a job file, or of KronJob manifests in YAML or JSON. `ns` is the namespace of
/// manifests that have none; the empty string means `default`.
///
/// Ownership: `*out` is a new fleet, which the caller frees with kron_fleet_free.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: `*out` is unchanged. The error has all errors of the text: see kron_error_count.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_parse(
    text: *const c_char,
    ns: *const c_char,
    parser: *const kron_parser,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (text, ns, parser, out, error) = unsafe {
        (
            read_text_z(text, "text"),
            read_text_z(ns, "ns"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(text, ns, parser, out))
}

/// Like kron_fleet_parse, with the lengths of the texts in bytes.
///
/// Ownership: `*out` is a new fleet, which the caller frees with kron_fleet_free.
/// NULL: only `error` and `parser` may be NULL, and a text if its length is 0.
/// On error: `*out` is unchanged. The error has all errors of the text: see kron_error_count.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_parse_n(
    text: *const c_char,
    text_length: usize,
    ns: *const c_char,
    ns_length: usize,
    parser: *const kron_parser,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (text, ns, parser, out, error) = unsafe {
        (
            read_text(text, text_length, "text"),
            read_text(ns, ns_length, "ns"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(text, ns, parser, out))
}

/// Makes another handle of the same fleet. Nothing is copied.
///
/// Ownership: `*out` is a new handle, which the caller frees with kron_fleet_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_clone(
    fleet: *const kron_fleet,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (share(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_clone(error, fleet, out)
}

/// Frees a handle of a fleet. Series that use the fleet keep it.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_free(fleet: *mut kron_fleet) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(fleet) });
}
