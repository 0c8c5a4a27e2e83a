//! Explanations and receipts, as JSON.

use std::ffi::c_char;

use kron_core::Receipt;

use crate::error::{ErrorOut, kron_error};
use crate::fault::Fault;
use crate::handle::borrow;
use crate::job::kron_job;
use crate::memory::Out;
use crate::result::{guard, kron_result};
use crate::string::kron_string;
use crate::text::{read_text, read_text_z};

/// What the core and serde_json write, neither of which refuses any value.
pub(crate) fn unfailing(json: serde_json::Result<String>) -> Result<String, Fault> {
    json.map_err(|_| Fault::Panic)
}

/// Decides as kron_job_decide does and tells how: the decision and every step that led to it, as a JSON object on one
/// line.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_explain_json(
    job: *const kron_job,
    nominal: i64,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.give(kron_string::new(
            unfailing(serde_json::to_string(&job.job.explain(nominal)?))?,
            "explanation",
        )?);
        Ok(())
    })
}

/// The receipt of the decision for a nominal time, as JSON: the decision with all that is needed to make it again.
/// `kron verify` and kron_receipt_verify read it.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_receipt_json(
    job: *const kron_job,
    nominal: i64,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        let receipt = Receipt::new(&job.job, &job.job.decide(nominal)?);
        out.give(kron_string::new(receipt.to_json(), "receipt")?);
        Ok(())
    })
}

fn verify(
    json: Result<&str, Fault>,
    differences: Result<Out<usize>, Fault>,
    out: Result<Out<*mut kron_string>, Fault>,
) -> Result<(), Fault> {
    let (json, differences, out) = (json?, differences?, out?);
    let found = Receipt::from_json(json)?.verify(&kron_core::TzDatabase::COMPILED_IN)?.differences;
    let fields = found.iter().map(|difference| {
        serde_json::json!({
            "field": difference.field, "receipt": difference.receipt, "computed": difference.computed,
        })
    });
    let list = unfailing(serde_json::to_string(&fields.collect::<Vec<_>>()))?;
    out.give(kron_string::new(list, "differences")?);
    differences.set(found.len());
    Ok(())
}

/// Makes the decision of a receipt again from its text, name and nominal time alone, and says what differs:
/// `*differences` is how many fields do, 0 if the receipt holds. `*out` is a JSON array of objects with `field`,
/// `receipt` and `computed`.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: outputs keep their values.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_receipt_verify(
    json: *const c_char,
    differences: *mut usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (json, differences, out, error) = unsafe {
        (
            read_text_z(json, "json"),
            Out::new(differences, "differences"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || verify(json, differences, out))
}

/// As kron_receipt_verify, with the length of the text in bytes.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL, and `json` if its length is 0.
/// On error: outputs keep their values.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_receipt_verify_n(
    json: *const c_char,
    json_length: usize,
    differences: *mut usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (json, differences, out, error) = unsafe {
        (
            read_text(json, json_length, "json"),
            Out::new(differences, "differences"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || verify(json, differences, out))
}
