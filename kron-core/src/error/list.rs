//! The errors of a file: the first ones, and how many more there are.

use alloc::vec::Vec;

use super::{Error, ErrorCode, TextError};
use crate::limits::FILE_ERRORS;

/// Collects the errors of a file. Memory stays bounded, whatever the file holds.
#[derive(Debug, Default)]
pub(crate) struct ErrorList {
    kept: Vec<Error>,
    /// How many are not kept, and the code of the first of them.
    more: usize,
    code: Option<ErrorCode>,
}

impl ErrorList {
    /// Whether the next error is only counted, so that nobody reads its help.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= FILE_ERRORS
    }

    pub(crate) fn push(&mut self, error: Error) {
        if self.is_full() { self.count(1, error.code()) } else { self.kept.push(error) }
    }

    /// Counts errors that are not kept.
    pub(crate) fn count(&mut self, more: usize, code: ErrorCode) {
        self.more += more;
        self.code.get_or_insert(code);
    }

    /// Adds errors of lines before and after those of the list, and keeps the first by line.
    pub(crate) fn merge_by_line(&mut self, errors: Vec<Error>) {
        self.kept.extend(errors);
        self.kept.sort_by_key(Error::line);
        if let Some(first) = self.kept.get(FILE_ERRORS) {
            let code = first.code();
            self.count(self.kept.len() - FILE_ERRORS, code);
            self.kept.truncate(FILE_ERRORS);
        }
    }

    /// The errors, and a last one for those that are not kept. `what` is what has them, in the singular.
    pub(crate) fn finish(mut self, what: &'static str) -> Vec<Error> {
        if let Some(code) = self.code {
            self.kept.push(Error::new("", TextError::More { count: self.more, what, code }));
        }
        self.kept
    }
}
