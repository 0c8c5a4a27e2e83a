//! The parser of whole texts: a cron expression and its modifiers.
//!
//! ```text
//! text     = cron { blanks modifier } blanks
//! ```
//!
//! The rest of the grammar is in `modifier.rs`.

use crate::cron;
use crate::error::{Error, TextError};
use crate::job::lookup::Lookup;
use crate::job::modifier::Modifiers;
use crate::job::spec::JobSpec;
use crate::limits::TEXT_BYTES;
use crate::text::meaning::with_meaning;
use crate::text::modifier::Parts;
use crate::text::scan::{Scanner, error};

/// The longest canonical text: the most clauses with the longest parts.
#[cfg(feature = "serde")]
const CANONICAL_BYTES: usize = 2 * TEXT_BYTES;

/// Parses a job's text form. Returns the modifiers that it has, too.
pub(crate) fn parse(text: &str, lookup: Lookup<'_>) -> Result<(JobSpec, Modifiers), Error> {
    parse_within(text, TEXT_BYTES, lookup)
}

/// Parses a canonical text, which may be longer than one that people write, because the clauses of a manifest can be.
#[cfg(feature = "serde")]
pub(crate) fn parse_canonical(text: &str, lookup: Lookup<'_>) -> Result<JobSpec, Error> {
    parse_within(text, CANONICAL_BYTES, lookup).map(|(spec, _)| spec)
}

fn parse_within(text: &str, max: usize, lookup: Lookup<'_>) -> Result<(JobSpec, Modifiers), Error> {
    if text.len() > max {
        let kind = TextError::TooLong { bytes: text.len(), max };
        return Err(error(kind, 0..text.len()));
    }
    let mut scanner = Scanner::new(text);
    parse_spec(&mut scanner, lookup)
        .and_then(|parsed| {
            scanner.skip_blanks();
            scanner.end().map(|()| parsed)
        })
        .map_err(|error| {
            let meant = |error| with_meaning(text, lookup, error, |text| reads(text, lookup));
            several_lines(text).unwrap_or_else(|| meant(error)).located(text)
        })
}

/// Whether a text is a job's.
fn reads(text: &str, lookup: Lookup<'_>) -> bool {
    let mut scanner = Scanner::new(text);
    parse_spec(&mut scanner, lookup).and_then(|_| scanner.end()).is_ok()
}

/// The error of a text with line breaks, such as that of a job file. Quotes may contain line breaks, so this is checked
/// only after another error.
#[cold]
fn several_lines(text: &str) -> Option<Error> {
    let first = text.find(['\n', '\r'])?;
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    Some(error(TextError::Lines { lines }, first..first + 1))
}

/// Parses cron and modifiers, and stops at the end of the text or at the first word that is not a modifier.
pub(super) fn parse_spec(
    scanner: &mut Scanner<'_>,
    lookup: Lookup<'_>,
) -> Result<(JobSpec, Modifiers), Error> {
    let (schedule, parts) = parse_parts(scanner, lookup)?;
    let modifiers = parts.seen;
    Ok((parts.build(JobSpec::builder(schedule))?, modifiers))
}

/// The same, as a cron expression and parts.
pub(super) fn parse_parts<'d>(
    scanner: &mut Scanner<'_>,
    lookup: Lookup<'d>,
) -> Result<(cron::Cron, Parts<'d>), Error> {
    let schedule = parse_cron(scanner)?;
    let mut parts = Parts::new(lookup);
    loop {
        let before = scanner.at;
        scanner.skip_blanks();
        if scanner.peek() != Some('@') {
            scanner.at = before;
            break;
        }
        if before == scanner.at {
            return Err(scanner.stray());
        }
        parts.read(scanner)?;
    }
    Ok((schedule, parts))
}

/// The expression runs up to the first modifier: an `@` word with a bracket, or any `@` word after another word.
fn parse_cron(scanner: &mut Scanner<'_>) -> Result<cron::Cron, Error> {
    scanner.skip_blanks();
    let start = scanner.at;
    let mut end = start;
    let mut words = 0;
    loop {
        let (word, span) = scanner.until(|c| matches!(c, ' ' | '\t'));
        let modifier = word.starts_with('@') && (words > 0 || word.contains('('));
        // Fields of a job file may follow. They are not part of the expression, but `TZ=` at its start is.
        let field = words > 0 && word.contains('=');
        if word.is_empty() || modifier || field {
            scanner.at = end;
            break;
        }
        // After the last field only: `#` may also be an attempt at the n-th weekday, or a part of a crontab's command.
        let fields = if scanner.text[start..].starts_with('@') { 1 } else { 5 };
        let place =
            if word.starts_with('#') { words == fields } else { words >= fields || word.contains('(') };
        if place && let Some(error) = (Scanner { text: scanner.text, at: span.start }).misplaced() {
            return Err(error);
        }
        words += 1;
        end = span.end;
        scanner.skip_blanks();
    }
    cron::parse(&scanner.text[start..end], &mut |_| {}).map_err(|error| {
        // An expression without fields has no bytes of its own.
        let no_fields = start == end;
        if no_fields { error.at(start..scanner.text.len().min(start + 1)) } else { error.shifted(start) }
    })
}
