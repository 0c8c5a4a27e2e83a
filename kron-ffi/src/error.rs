//! Error handles: the details of what went wrong, for those who ask.

use std::ffi::{CString, c_char};
use std::ops::Range;

use crate::fault::Fault;
use crate::handle::{Handle, borrow, free};
use crate::memory::Out;
use crate::result::{guard, guard_value, kron_result};

/// What went wrong: code, message, field, place and help. Functions make one where their `error` argument is not NULL.
#[derive(Debug)]
pub struct kron_error {
    code: kron_result,
    message: CString,
    field: CString,
    help: CString,
    span: Option<Range<usize>>,
    line: usize,
    document: usize,
    job: Option<usize>,
    /// Further errors of the same file; these have none.
    more: Vec<kron_error>,
}

impl Handle for kron_error {
    type Owner = Box<kron_error>;
}

/// Text of ours for C. Messages escape control characters, so that there is no NUL to cut at but in a field's name of a
/// manifest, where the part before it is what C can hold.
fn c_text(mut text: String) -> CString {
    text.truncate(text.find('\0').unwrap_or(text.len()));
    CString::new(text).unwrap_or_default()
}

impl kron_error {
    fn of_core(error: &kron_core::Error) -> kron_error {
        kron_error {
            code: error.code().into(),
            message: c_text(error.to_string()),
            field: c_text(error.field().to_owned()),
            help: c_text(error.help().unwrap_or_default()),
            span: error.span(),
            line: error.line().unwrap_or(0),
            document: error.document().unwrap_or(0),
            job: None,
            more: Vec::new(),
        }
    }

    fn of(fault: &Fault) -> kron_error {
        match fault {
            Fault::Core(error) => kron_error::of_core(error),
            Fault::OfJob(job, error) => kron_error { job: Some(*job), ..kron_error::of_core(error) },
            Fault::File(errors) if !errors.is_empty() => {
                let more = errors[1..].iter().map(kron_error::of_core).collect();
                kron_error { more, ..kron_error::of_core(&errors[0]) }
            }
            _ => {
                let help = fault.help();
                let message = if help.is_empty() { fault.to_string() } else { format!("{fault}; {help}") };
                kron_error {
                    code: fault.code(),
                    message: c_text(message),
                    field: c_text(fault.argument().to_owned()),
                    help: c_text(help),
                    span: fault.bytes(),
                    line: 0,
                    document: 0,
                    job: None,
                    more: Vec::new(),
                }
            }
        }
    }
}

/// Where a function reports to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorOut(*mut *mut kron_error);

impl ErrorOut {
    /// # Safety
    ///
    /// The pointer is NULL, or valid and holds NULL or a live handle until this is used.
    #[inline]
    pub(crate) const unsafe fn new(error: *mut *mut kron_error) -> ErrorOut {
        ErrorOut(error)
    }

    /// Puts a new handle there and frees the one that was.
    pub(crate) fn set(self, fault: Fault) {
        if self.0.is_null() {
            return;
        }
        let error = Box::into_raw(Box::new(kron_error::of(&fault)));
        // SAFETY: `new` was promised that there is NULL or a live handle.
        unsafe { free(self.0.replace(error)) }
    }
}

/// The code of an error: what the function that made it returned.
///
/// Ownership: none passes.
/// NULL: KRON_RESULT_OK.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_code(error: *const kron_error) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(kron_result::Ok, || error.map_or(kron_result::Ok, |error| error.code))
}

/// The whole message: place, offending text and help, in one lower-case sentence.
///
/// Ownership: the string belongs to the error and lives as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_message(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(c"".as_ptr(), || error.map_or(c"".as_ptr(), |error| error.message.as_ptr()))
}

/// The field by its path in the KronJob spec, such as `schedule.minute` or `window.duration`; the argument's name where an
/// argument is wrong by itself; empty if there is none.
///
/// Ownership: the string belongs to the error and lives as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_field(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(c"".as_ptr(), || error.map_or(c"".as_ptr(), |error| error.field.as_ptr()))
}

/// What to write or do instead; the message contains it too. Empty if there is no advice.
///
/// Ownership: the string belongs to the error and lives as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_help(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(c"".as_ptr(), || error.map_or(c"".as_ptr(), |error| error.help.as_ptr()))
}

/// The offending bytes of the string that was read: of the whole text for a text form, of the line for a job file, of the
/// one value for a manifest. `*end` is the first byte after them.
///
/// Ownership: none passes.
/// NULL: no pointer may be NULL.
/// On error: outputs keep their values. KRON_RESULT_ABSENT if the error speaks of no bytes.
///
/// # Safety
///
/// The handle is NULL or live; the other pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_span(
    error: *const kron_error,
    start: *mut usize,
    end: *mut usize,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (error, start, end, none) = unsafe {
        (
            borrow(error, "error"),
            Out::new(start, "start"),
            Out::new(end, "end"),
            ErrorOut::new(std::ptr::null_mut()),
        )
    };
    guard(none, || {
        let (error, start, end) = (error?, start?, end?);
        let span = error.span.as_ref().ok_or_else(|| Fault::Absent)?;
        start.set(span.start);
        end.set(span.end);
        Ok(())
    })
}

/// The line of a job file, from 1; 0 if the error has none.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_line(error: *const kron_error) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(0, || error.map_or(0, |error| error.line))
}

/// The document of a manifest file, from 1, if the file has several; 0 if the error has none.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_document(error: *const kron_error) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(0, || error.map_or(0, |error| error.document))
}

/// The index of the job that the error is about, in a series of a fleet.
///
/// Ownership: none passes.
/// NULL: no pointer may be NULL.
/// On error: `*index` keeps its value. KRON_RESULT_ABSENT if the error is about no job of a fleet.
///
/// # Safety
///
/// The handle is NULL or live; the other pointer is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_job_index(error: *const kron_error, index: *mut usize) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (error, index, none) =
        unsafe { (borrow(error, "error"), Out::new(index, "index"), ErrorOut::new(std::ptr::null_mut())) };
    guard(none, || {
        let (error, index) = (error?, index?);
        index.set(error.job.ok_or_else(|| Fault::Absent)?);
        Ok(())
    })
}

/// How many errors there are: those of a file of jobs are reported together, all others one by one.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_count(error: *const kron_error) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(0, || error.map_or(0, |error| 1 + error.more.len()))
}

/// One of several errors, in the order of the file; 0 is the error itself.
///
/// Ownership: the result belongs to `error`, lives as long and is not freed by itself.
/// NULL: the result is NULL.
/// On error: the result is NULL at and above the count.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_at(error: *const kron_error, index: usize) -> *const kron_error {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(std::ptr::null(), || match (error, index.checked_sub(1)) {
        (Err(_), _) => std::ptr::null(),
        (Ok(error), None) => error,
        (Ok(error), Some(index)) => error.more.get(index).map_or(std::ptr::null(), |error| error),
    })
}

/// Frees an error.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_free(error: *mut kron_error) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(error) });
}
