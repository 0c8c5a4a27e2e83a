//! The messages of conversions and exports: each is a function that returns the whole finding. The caller adds its place.

pub(crate) mod apscheduler;
pub(crate) mod argo;
mod code;
pub(crate) mod cronjob;
pub(crate) mod crontab;
pub(crate) mod days;
pub(crate) mod eventbridge;
pub(crate) mod export;
pub(crate) mod expression;
pub(crate) mod jenkins;
pub(crate) mod job_line;
pub(crate) mod seeds;
pub(crate) mod source;
pub(crate) mod systemd;
pub(crate) mod times;
pub(crate) mod yaml;

use kron_core::{Finding, Severity};

pub use self::code::ConvertCode;

/// Something is not converted.
fn refusal(code: ConvertCode, message: impl Into<String>) -> Finding {
    Finding::new(Severity::Error, code, message)
}

/// Something is converted, and something of it is lost or different.
fn warning(code: ConvertCode, message: impl Into<String>) -> Finding {
    Finding::new(Severity::Warning, code, message)
}

/// Something is converted, and this says how.
fn note(code: ConvertCode, message: impl Into<String>) -> Finding {
    Finding::new(Severity::Note, code, message)
}

/// A text of the user for a message: one line, without control characters, at most 64 characters.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 64;
    let mut out: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}
