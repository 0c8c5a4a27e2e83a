//! Explanations and receipts, as JSON.

use std::ffi::c_char;

use kron_core::proof::{Receipt, Verification, ZoneRules};

use crate::abi::failure::Failure;
use crate::abi::handle::{borrow, borrow_optional};
use crate::abi::output::{Out, struct_out};
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::parser::create::{kron_parser, parser_of};
use crate::value::enums::kron_zone_rules;
use crate::value::string::{guard_string, kron_string};

/// Makes a receipt of the decision of a nominal time in Unix seconds: a JSON object with the decision and everything
/// that is needed to compute it again. kron_receipt_verify and the command `kron verify` read it.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "receipt", |job| {
        Ok(Receipt::new(&job.job, &job.job.decide(nominal)?).to_json())
    })
}

/// What kron_receipt_verify found.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_verification {
    /// The number of fields of the receipt that differ from what the library computes; 0 if the receipt agrees.
    pub differences: u64,
    /// The first Unix second, since 1968-12-01, at which the offsets differ between the receipt's rules of the time
    /// zone and those of the database, if `flags` has KRON_VERIFICATION_FIRST_DIFFERENCE; else 0.
    pub first_difference: i64,
    /// How the rules of the time zone compare: enum kron_zone_rules.
    pub zone_rules: u32,
    /// KRON_VERIFICATION_FIRST_DIFFERENCE, or 0.
    pub flags: u32,
}

impl Struct for kron_verification {}

/// Flag of kron_verification: `first_difference` is known. Of different rules, it is known if the compiled-in database
/// has the receipt's rules.
pub const KRON_VERIFICATION_FIRST_DIFFERENCE: u32 = 1;

impl From<&Verification> for kron_verification {
    fn from(found: &Verification) -> kron_verification {
        let first_difference = match &found.zone_rules {
            ZoneRules::Different { first_difference } => *first_difference,
            ZoneRules::Same | ZoneRules::OtherRelease { .. } => None,
        };
        kron_verification {
            differences: found.differences.len() as u64,
            first_difference: first_difference.map_or(0, |time| time.timestamp()),
            zone_rules: kron_zone_rules::from(&found.zone_rules) as u32,
            flags: first_difference.map_or(0, |_| KRON_VERIFICATION_FIRST_DIFFERENCE),
        }
    }
}

fn verify(
    receipt: Result<&str, Failure>,
    parser: Option<&kron_parser>,
    verification: Result<Out<kron_verification>, Failure>,
    out: Result<Out<*mut kron_string>, Failure>,
) -> Result<(), Failure> {
    let (receipt, verification, out) = (receipt?, verification?, out?);
    let parser = parser_of(parser);
    let found = Receipt::from_json(receipt)?.verify(parser.tz_database(), parser.calendars())?;
    let differences = found
        .differences
        .iter()
        .map(|it| serde_json::json!({ "field": it.field, "receipt": it.receipt, "computed": it.computed }));
    let details = serde_json::json!({
        "differences": differences.collect::<Vec<_>>(), "notProven": found.not_proven,
    });
    out.give(kron_string::new(details.to_string(), "details")?);
    verification.set((&found).into());
    Ok(())
}

/// Verifies a receipt: makes its decision again from its text, name and nominal time, with the zones of a time zone
/// database, and compares. `*verification` has the number of differences, 0 if the receipt agrees, and how the rules of
/// the time zone compare; `verification_size` is KRON_VERIFICATION_SIZE. Another version of the database is not a
/// difference if it has the same rules for the zone.
///
/// `*out` has the details as a JSON object. `differences` is an array of objects with the strings `field`, `receipt`
/// and `computed`. `notProven` is an array of strings. Each names something that the text of the receipt says and the
/// decision does not depend on, such as `policy`: if it was changed, the receipt agrees nevertheless.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: the outputs are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_receipt_verify(
    json: *const c_char,
    parser: *const kron_parser,
    verification: *mut kron_verification,
    verification_size: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (json, parser, verification, out, error) = unsafe {
        (
            read_text_z(json, "json"),
            borrow_optional(parser),
            struct_out(verification, verification_size, "verification"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || verify(json, parser, verification, out))
}

/// Like kron_receipt_verify, with the length of the text in bytes.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` and `parser` may be NULL, and `json` if its length is 0.
/// On error: the outputs are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_receipt_verify_n(
    json: *const c_char,
    json_length: usize,
    parser: *const kron_parser,
    verification: *mut kron_verification,
    verification_size: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (json, parser, verification, out, error) = unsafe {
        (
            read_text(json, json_length, "json"),
            borrow_optional(parser),
            struct_out(verification, verification_size, "verification"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || verify(json, parser, verification, out))
}
