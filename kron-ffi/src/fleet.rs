//! Fleets: many jobs.

use std::ffi::c_char;
use std::sync::Arc;

use kron_core::{Fleet, Job, LoadOptions};

use crate::error::{ErrorOut, kron_error};
use crate::explain::unfailing;
use crate::fault::Fault;
use crate::handle::{Handle, borrow, borrow_optional, free, share};
use crate::job::kron_job;
use crate::memory::Out;
use crate::result::{guard, guard_value, kron_result};
use crate::string::kron_string;
use crate::text::{read_text, read_text_z};
use crate::tzdb::{kron_tzdb, parser};

/// Jobs with distinct names, in order of insertion. Immutable; any number of threads may use it at once.
#[derive(Debug)]
pub struct kron_fleet {
    pub(crate) fleet: Fleet,
    /// The further fields of each job's line in a job file; empty for fleets that were built.
    pub(crate) fields: Vec<Vec<(String, String)>>,
    /// What a reader of the file should know.
    pub(crate) findings: Vec<serde_json::Value>,
}

impl Handle for kron_fleet {
    type Owner = Arc<kron_fleet>;
}

impl kron_fleet {
    fn job(&self, index: usize) -> Result<&Job, Fault> {
        let length = self.fleet.jobs().len();
        self.fleet.jobs().get(index).ok_or_else(|| Fault::Index { name: "index", index, length })
    }
}

fn load(
    text: Result<&str, Fault>,
    ns: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_fleet>, Fault>,
) -> Result<(), Fault> {
    let (text, ns, out) = (text?, ns?, out?);
    let options = LoadOptions::default();
    let options = if ns.is_empty() { options } else { options.with_namespace(ns) };
    let loaded = parser(tzdb).load(text, &options).map_err(|error| Fault::File(error.errors))?;
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
/// manifests that name none; the empty string means `default`.
///
/// Ownership: `*out` becomes a new fleet of the caller, freed with kron_fleet_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value. The error handle holds all errors of the text.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_load(
    text: *const c_char,
    ns: *const c_char,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (text, ns, tzdb, out, error) = unsafe {
        (
            read_text_z(text, "text"),
            read_text_z(ns, "ns"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || load(text, ns, tzdb, out))
}

/// As kron_fleet_load, with the lengths of the texts in bytes.
///
/// Ownership: `*out` becomes a new fleet of the caller, freed with kron_fleet_free.
/// NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
/// On error: `*out` keeps its value. The error handle holds all errors of the text.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_load_n(
    text: *const c_char,
    text_length: usize,
    ns: *const c_char,
    ns_length: usize,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (text, ns, tzdb, out, error) = unsafe {
        (
            read_text(text, text_length, "text"),
            read_text(ns, ns_length, "ns"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || load(text, ns, tzdb, out))
}

/// How many jobs a fleet has.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_length(fleet: *const kron_fleet) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let fleet = unsafe { borrow(fleet, "fleet") };
    guard_value(0, || fleet.map_or(0, |fleet| fleet.fleet.jobs().len()))
}

/// A copy of a job of a fleet, by its index from 0.
///
/// Ownership: `*out` becomes a new job of the caller, freed with kron_job_free. It needs nothing of the fleet.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value. KRON_RESULT_INDEX for an index from the length on.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_job(
    fleet: *const kron_fleet,
    index: usize,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (fleet, out, error) = unsafe { (borrow(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        let job = fleet.job(index)?.clone();
        out.give(Arc::new(kron_job { job }));
        Ok(())
    })
}

fn field(
    fleet: Result<&kron_fleet, Fault>,
    index: usize,
    key: Result<&str, Fault>,
    out: Result<Out<*mut kron_string>, Fault>,
) -> Result<(), Fault> {
    let (fleet, key, out) = (fleet?, key?, out?);
    fleet.job(index)?;
    let fields = fleet.fields.get(index).into_iter().flatten();
    let (_, value) = { fields }.find(|(name, _)| name == key).ok_or_else(|| Fault::Absent)?;
    out.give(kron_string::new(value.clone(), "value")?);
    Ok(())
}

/// A further field of a job's line in a job file, such as `command`. KRON_RESULT_ABSENT if the line has no such
/// field; KRON_RESULT_CONTAINS_NUL if its value holds a NUL.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_field(
    fleet: *const kron_fleet,
    index: usize,
    key: *const c_char,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (fleet, key, out, error) = unsafe {
        (borrow(fleet, "fleet"), read_text_z(key, "key"), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard(error, || field(fleet, index, key, out))
}

/// As kron_fleet_field, with the length of the text in bytes.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL, and `key` if its length is 0.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_field_n(
    fleet: *const kron_fleet,
    index: usize,
    key: *const c_char,
    key_length: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (fleet, key, out, error) = unsafe {
        (
            borrow(fleet, "fleet"),
            read_text(key, key_length, "key"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || field(fleet, index, key, out))
}

/// Another handle of the same fleet, which costs a counter.
///
/// Ownership: `*out` becomes a new handle of the caller, freed with kron_fleet_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (fleet, out, error) = unsafe { (share(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        out.give(fleet);
        Ok(())
    })
}

/// Frees a handle of a fleet. The fleet itself lives as long as another handle or a series needs it.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_free(fleet: *mut kron_fleet) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(fleet) });
}

/// What a reader of a loaded file should know, as a JSON array of objects with `severity`, `code` and `message`: namespaces
/// that were assumed and documents that are no KronJobs.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_findings_json(
    fleet: *const kron_fleet,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (fleet, out, error) = unsafe { (borrow(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        out.give(kron_string::new(unfailing(serde_json::to_string(&fleet.findings))?, "findings")?);
        Ok(())
    })
}
