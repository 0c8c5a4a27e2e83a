//! The errors of a file: the first ones, and how many more there are.

use alloc::boxed::Box;
use alloc::vec::{self, Vec};
use core::{fmt, ops::Deref, slice};

use super::{Error, ErrorCode, TextError};
use crate::limits::FILE_ERRORS;

/// The errors of a file, in order: at least one. A slice of [`Error`]s that can be read as one error, for `?`.
///
/// Of more than 1,000 errors, the first 1,000 are kept, and a last one says how many more there are. Displays one error
/// a line.
///
/// ```
/// use kron_core::text::parse_job_file;
/// fn names(text: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
///     Ok(parse_job_file(text)?.iter().map(|line| line.job.name().to_string()).collect())
/// }
/// assert_eq!(names("@daily name=db/backup")?, ["db/backup"]);
/// assert_eq!(
///     names("0 24 * * * name=db/backup\n61 * * * * name=web/ping").unwrap_err().to_string(),
///     "line 1: schedule.hour: `24` at column 3 is not in 0 to 23\n\
///      line 2: schedule.minute: `61` at column 1 is not in 0 to 59",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Errors(Box<[Error]>);

impl Errors {
    /// The errors of that list, if it has any.
    ///
    /// ```
    /// use kron_core::{Error, Errors};
    /// assert_eq!(Errors::new(Vec::new()), None);
    /// assert_eq!(Errors::new(vec![Error::repeated_name("db/backup")]).unwrap().len(), 1);
    /// ```
    pub fn new(list: Vec<Error>) -> Option<Errors> {
        (!list.is_empty()).then(|| Errors(list.into()))
    }
}

impl Deref for Errors {
    type Target = [Error];

    fn deref(&self) -> &[Error] {
        &self.0
    }
}

impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = vec::IntoIter<Error>;

    fn into_iter(self) -> vec::IntoIter<Error> {
        self.0.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Errors {
    type Item = &'a Error;
    type IntoIter = slice::Iter<'a, Error>;

    fn into_iter(self) -> slice::Iter<'a, Error> {
        self.0.iter()
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl core::error::Error for Errors {}

/// Collects the errors of a file. Memory is bounded for every file.
///
/// ```
/// use kron_core::Error;
/// use kron_core::error::{ErrorList, Errors};
/// let mut list = ErrorList::default();
/// (0..2000).for_each(|_| list.push(Error::repeated_name("db/backup")));
/// let errors = Errors::new(list.finish("job")).unwrap();
/// assert_eq!((errors.len(), errors[1000].reason()), (1001, "and 1000 more jobs with errors".to_string()));
/// ```
#[derive(Debug, Default)]
pub struct ErrorList {
    kept: Vec<Error>,
    /// How many are not kept, and the code of the first of them.
    more: usize,
    code: Option<ErrorCode>,
}

impl ErrorList {
    /// Whether the next error is only counted. Its help is then not needed.
    ///
    /// ```
    /// use kron_core::Error;
    /// use kron_core::error::ErrorList;
    /// let mut list = ErrorList::default();
    /// list.push(Error::repeated_name("db/backup"));
    /// assert!(!list.is_full());
    /// ```
    pub fn is_full(&self) -> bool {
        self.kept.len() >= FILE_ERRORS
    }

    /// Adds an error, or counts it if the list is full.
    ///
    /// ```
    /// use kron_core::Error;
    /// use kron_core::error::ErrorList;
    /// let mut list = ErrorList::default();
    /// list.push(Error::repeated_name("db/backup"));
    /// assert!(list.finish("job").len() == 1);
    /// ```
    pub fn push(&mut self, error: Error) {
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

    /// The errors, and a last one for those that are not kept. `what` names what has the errors, in the singular.
    ///
    /// ```
    /// use kron_core::Error;
    /// use kron_core::error::ErrorList;
    /// let mut list = ErrorList::default();
    /// list.push(Error::repeated_name("db/backup"));
    /// assert!(list.finish("job")[0].field() == "name");
    /// ```
    pub fn finish(mut self, what: &'static str) -> Vec<Error> {
        if let Some(code) = self.code {
            self.kept.push(Error::of("", TextError::More { count: self.more, what, code }));
        }
        self.kept
    }
}
