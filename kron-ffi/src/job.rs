//! Jobs: a name and a spec, which together decide start times.

use std::ffi::c_char;
use std::sync::Arc;

use kron_core::Job;

use crate::error::{ErrorOut, kron_error};
use crate::explain::unfailing;
use crate::fault::Fault;
use crate::handle::{Handle, borrow, borrow_optional, free, share};
use crate::memory::Out;
use crate::result::{guard, guard_value, kron_result};
use crate::string::kron_string;
use crate::text::{read_text, read_text_z};
use crate::tzdb::{kron_tzdb, parser};

/// A job. Immutable; any number of threads may use it at once.
#[derive(Debug)]
pub struct kron_job {
    pub(crate) job: Job,
}

impl Handle for kron_job {
    type Owner = Arc<kron_job>;
}

fn parse(
    name: Result<&str, Fault>,
    text: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_job>, Fault>,
) -> Result<(), Fault> {
    let (name, text, out) = (name?, text?, out?);
    out.give(Arc::new(kron_job { job: parser(tzdb).job(name, text)? }));
    Ok(())
}

/// Makes a job from its name, 1 to 1024 bytes, and its text form, such as `0 0 * * * @tz(Europe/Paris)
/// @win(after,3h)`.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_parse(
    name: *const c_char,
    text: *const c_char,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (name, text, tzdb, out, error) = unsafe {
        (
            read_text_z(name, "name"),
            read_text_z(text, "text"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(name, text, tzdb, out))
}

/// As kron_job_parse, with the lengths of the texts in bytes.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
/// NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
/// On error: `*out` keeps its value.
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
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (name, text, tzdb, out, error) = unsafe {
        (
            read_text(name, name_length, "name"),
            read_text(text, text_length, "text"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(name, text, tzdb, out))
}

fn from_spec_json(
    name: Result<&str, Fault>,
    json: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_job>, Fault>,
) -> Result<(), Fault> {
    let (name, json, out) = (name?, json?, out?);
    out.give(Arc::new(kron_job { job: Job::new(name, parser(tzdb).spec_from_json(json)?)? }));
    Ok(())
}

/// Makes a job from its name and a JSON object with the fields of a KronJob spec that decide times: schedule,
/// timezone, window, distribution, seed, constraints, policy, algorithm.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_from_spec_json(
    name: *const c_char,
    json: *const c_char,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (name, json, tzdb, out, error) = unsafe {
        (
            read_text_z(name, "name"),
            read_text_z(json, "json"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_spec_json(name, json, tzdb, out))
}

/// As kron_job_from_spec_json, with the lengths of the texts in bytes.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
/// NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
/// On error: `*out` keeps its value.
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
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (name, json, tzdb, out, error) = unsafe {
        (
            read_text(name, name_length, "name"),
            read_text(json, json_length, "json"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_spec_json(name, json, tzdb, out))
}

fn from_kronjob_spec_json(
    name: Result<&str, Fault>,
    json: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_job>, Fault>,
) -> Result<(), Fault> {
    let (name, json, out) = (name?, json?, out?);
    out.give(Arc::new(kron_job { job: Job::new(name, parser(tzdb).kronjob_spec_from_json(json)?)? }));
    Ok(())
}

/// Makes a job from its name and the whole `spec` of a KronJob manifest as JSON, job template included, by the
/// rules of the resource. Manifests in files are read by kron_fleet_load.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_from_kronjob_spec_json(
    name: *const c_char,
    json: *const c_char,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (name, json, tzdb, out, error) = unsafe {
        (
            read_text_z(name, "name"),
            read_text_z(json, "json"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_kronjob_spec_json(name, json, tzdb, out))
}

/// As kron_job_from_kronjob_spec_json, with the lengths of the texts in bytes.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
/// NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
/// On error: `*out` keeps its value.
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
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (name, json, tzdb, out, error) = unsafe {
        (
            read_text(name, name_length, "name"),
            read_text(json, json_length, "json"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || from_kronjob_spec_json(name, json, tzdb, out))
}

/// The name of a job.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_name(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(kron_string::new(job.job.name().to_owned(), "name")?);
        Ok(())
    })
}

/// The canonical text of a job, which parses to an equal job.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_text(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(kron_string::new(job.job.spec().to_string(), "text")?);
        Ok(())
    })
}

/// The spec of a job as a JSON object, with all that is not default; kron_job_from_spec_json reads it back.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_spec_json(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(kron_string::new(unfailing(serde_json::to_string(job.job.spec()))?, "spec")?);
        Ok(())
    })
}

/// The IANA name of a job's time zone.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_timezone(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(kron_string::new(job.job.spec().timezone().name().to_owned(), "timezone")?);
        Ok(())
    })
}

/// The version of the tz database that a job's time zone is from, such as `2026e`. KRON_RESULT_ABSENT if that database has
/// no version.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_tzdb_version(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        let zone = job.job.spec().timezone();
        let version = zone.tzdb_version().ok_or_else(|| Fault::Absent)?;
        out.give(kron_string::new(version.to_owned(), "version")?);
        Ok(())
    })
}

/// The fingerprint of the rules of a job's time zone, as kron_zone_fingerprint has it. Receipts hold it.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_timezone_fingerprint(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(kron_string::new(job.job.spec().timezone().fingerprint(), "fingerprint")?);
        Ok(())
    })
}

/// Another handle of the same job, which costs a counter.
///
/// Ownership: `*out` becomes a new handle of the caller, freed with kron_job_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (share(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(job);
        Ok(())
    })
}

/// Frees a handle of a job. The job itself lives as long as another handle, a series or a fleet needs it.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_free(job: *mut kron_job) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(job) });
}
