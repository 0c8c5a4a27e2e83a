//! Jobs: a name and a spec, which together decide start times.

use std::ffi::{CString, c_char};
use std::sync::Arc;

use kron_core::Job;
use kron_formats::kronjob::KronJob;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow_optional, free, share};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_clone};
use crate::parser::create::{kron_parser, parser_of};

/// A job: a name and a spec, which together determine start times. Immutable; any number of threads may use it at once.
#[derive(Debug)]
pub struct kron_job {
    pub(crate) job: Job,
    /// The name with a NUL at its end, which kron_job_name gives to the caller.
    pub(crate) name: CString,
}

impl Handle for kron_job {
    type Owner = Arc<kron_job>;
}

impl kron_job {
    pub(crate) fn new(job: Job) -> Arc<kron_job> {
        // OK because names have no control characters.
        let name = CString::new(job.name()).unwrap_or_default();
        Arc::new(kron_job { job, name })
    }
}

fn parse(
    name: Result<&str, Failure>,
    text: Result<&str, Failure>,
    parser: Option<&kron_parser>,
    out: Result<Out<*mut kron_job>, Failure>,
) -> Result<(), Failure> {
    let (name, text, out) = (name?, text?, out?);
    out.give(kron_job::new(parser_of(parser).job(name, text)?));
    Ok(())
}

/// Makes a job from its name, 1 to 1024 bytes, and its text form, such as `0 0 * * * @tz(Europe/Paris) @win(after,3h)`.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_parse(
    name: *const c_char,
    text: *const c_char,
    parser: *const kron_parser,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, text, parser, out, error) = unsafe {
        (
            read_text_z(name, "name"),
            read_text_z(text, "text"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(name, text, parser, out))
}

/// Like kron_job_parse, with the lengths of the texts in bytes.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` and `parser` may be NULL, and a text if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_parse_n(
    name: *const c_char,
    name_length: usize,
    text: *const c_char,
    text_length: usize,
    parser: *const kron_parser,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, text, parser, out, error) = unsafe {
        (
            read_text(name, name_length, "name"),
            read_text(text, text_length, "text"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(name, text, parser, out))
}

fn from_spec_json(
    name: Result<&str, Failure>,
    json: Result<&str, Failure>,
    parser: Option<&kron_parser>,
    out: Result<Out<*mut kron_job>, Failure>,
) -> Result<(), Failure> {
    let (name, json, out) = (name?, json?, out?);
    out.give(kron_job::new(Job::new(name, parser_of(parser).spec_from_json(json)?)?));
    Ok(())
}

/// Makes a job from its name and a JSON object with the fields of a KronJob spec that determine times: `schedule`,
/// `timezone`, `window`, `distribution`, `seed`, `constraints`, `policy`, `algorithm`.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_from_spec_json(
    name: *const c_char,
    json: *const c_char,
    parser: *const kron_parser,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, json, parser, out, error) = unsafe {
        (
            read_text_z(name, "name"),
            read_text_z(json, "json"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_spec_json(name, json, parser, out))
}

/// Like kron_job_from_spec_json, with the lengths of the texts in bytes.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` and `parser` may be NULL, and a text if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_from_spec_json_n(
    name: *const c_char,
    name_length: usize,
    json: *const c_char,
    json_length: usize,
    parser: *const kron_parser,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, json, parser, out, error) = unsafe {
        (
            read_text(name, name_length, "name"),
            read_text(json, json_length, "json"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_spec_json(name, json, parser, out))
}

fn from_kronjob_spec_json(
    name: Result<&str, Failure>,
    json: Result<&str, Failure>,
    parser: Option<&kron_parser>,
    out: Result<Out<*mut kron_job>, Failure>,
) -> Result<(), Failure> {
    let (name, json, out) = (name?, json?, out?);
    out.give(kron_job::new(Job::new(name, KronJob::spec_from_json(&parser_of(parser), json)?)?));
    Ok(())
}

/// Makes a job from its name and the whole `spec` of a KronJob manifest as JSON, with the job template, by the rules
/// for KronJobs. kron_fleet_parse reads whole manifests.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_from_kronjob_spec_json(
    name: *const c_char,
    json: *const c_char,
    parser: *const kron_parser,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, json, parser, out, error) = unsafe {
        (
            read_text_z(name, "name"),
            read_text_z(json, "json"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_kronjob_spec_json(name, json, parser, out))
}

/// Like kron_job_from_kronjob_spec_json, with the lengths of the texts in bytes.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` and `parser` may be NULL, and a text if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_from_kronjob_spec_json_n(
    name: *const c_char,
    name_length: usize,
    json: *const c_char,
    json_length: usize,
    parser: *const kron_parser,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (name, json, parser, out, error) = unsafe {
        (
            read_text(name, name_length, "name"),
            read_text(json, json_length, "json"),
            borrow_optional(parser),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_kronjob_spec_json(name, json, parser, out))
}

/// Makes another handle of the same job. Nothing is copied.
///
/// Ownership: `*out` is a new handle, which the caller frees with kron_job_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_clone(
    job: *const kron_job,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (share(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_clone(error, job, out)
}

/// Frees a handle of a job. Series and fleets that use the job keep it.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_free(job: *mut kron_job) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(job) });
}
