//! The content of an error handle.

use std::ffi::CString;
use std::ops::Range;

use crate::abi::failure::Failure;
use crate::abi::handle::Handle;
use crate::abi::result::kron_result;

/// An error: code, message, field, place and help. A function that fails makes one if its `error` argument is not NULL.
#[derive(Debug)]
pub struct kron_error {
    pub(crate) code: kron_result,
    pub(crate) message: CString,
    pub(crate) field: CString,
    pub(crate) help: CString,
    pub(crate) span: Option<Range<usize>>,
    pub(crate) line: usize,
    pub(crate) document: usize,
    pub(crate) job: Option<usize>,
    /// The other errors of the same file; their lists are empty.
    pub(crate) more: Vec<kron_error>,
}

impl Handle for kron_error {
    type Owner = Box<kron_error>;
}

/// A text of an error for C. It ends before its first NUL character. Messages escape control characters, so that only the
/// name of a manifest's field can have one.
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

    pub(crate) fn of(failure: &Failure) -> kron_error {
        match failure {
            Failure::Core(error) => kron_error::of_core(error),
            Failure::OfJob(job, error) => kron_error { job: Some(*job), ..kron_error::of_core(error) },
            Failure::File(errors) if !errors.is_empty() => {
                let more = errors[1..].iter().map(kron_error::of_core).collect();
                kron_error { more, ..kron_error::of_core(&errors[0]) }
            }
            _ => {
                let help = failure.help();
                let message =
                    if help.is_empty() { failure.to_string() } else { format!("{failure}; {help}") };
                kron_error {
                    code: failure.code(),
                    message: c_text(message),
                    field: c_text(failure.argument().to_owned()),
                    help: c_text(help),
                    span: failure.bytes(),
                    line: 0,
                    document: 0,
                    job: None,
                    more: Vec::new(),
                }
            }
        }
    }
}
