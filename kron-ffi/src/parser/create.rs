//! Parsers: what the names in a text mean.

use std::sync::Arc;

use kron_core::{Calendars, Parser};

use crate::abi::handle::{Handle, borrow_optional, free};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::parser::calendars::kron_calendars;
use crate::tzdb::database::{database, kron_tzdb};

/// A parser: the time zone database and the calendars in which the names of a text are looked up. Immutable; any number
/// of threads may use it at once. NULL means the compiled-in database and no calendars.
#[derive(Debug)]
pub struct kron_parser {
    parser: Parser,
}

impl Handle for kron_parser {
    type Owner = Arc<kron_parser>;
}

/// The parser that an argument means. A clone costs a counter for each calendar.
pub(crate) fn parser_of(parser: Option<&kron_parser>) -> Parser {
    parser.map_or_else(Parser::new, |parser| parser.parser.clone())
}

/// Makes a parser, which functions that read texts take.
///
/// Ownership: `*out` is a new parser, which the caller frees with kron_parser_free. It keeps the database and the
/// calendars.
/// NULL: only `error`, `tzdb` and `calendars` may be NULL; a NULL `tzdb` is the compiled-in database, and NULL
/// `calendars` are none.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_parser_new(
    tzdb: *const kron_tzdb,
    calendars: *const kron_calendars,
    out: *mut *mut kron_parser,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (tzdb, calendars, out, error) = unsafe {
        (borrow_optional(tzdb), borrow_optional(calendars), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard(error, || {
        let out = out?;
        let calendars = calendars.map_or_else(Calendars::new, |calendars| calendars.calendars.clone());
        let parser = Parser::new().with_tz_database(database(tzdb)).with_calendars(calendars);
        out.give(Arc::new(kron_parser { parser }));
        Ok(())
    })
}

/// Frees a parser. What was read with it is independent of it.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_parser_free(parser: *mut kron_parser) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(parser) });
}
