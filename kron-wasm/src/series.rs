//! Series of starts and periods, in pieces whose work is limited.

use std::ops::Range;

use kron_core::cron::{NOMINAL_MAX, NOMINAL_MIN};
use kron_core::{Decision, Job};

use crate::limits::NOMINAL_TIMES;

/// A part of a range that one call may search.
pub(crate) struct Piece {
    pub(crate) range: Range<i64>,
    /// Whether it is the whole range, as far as the job can have starts.
    pub(crate) is_whole: bool,
}

/// The part of a range, from its beginning, in which a search for starts goes through no more nominal times than a call may.
pub(crate) fn first_piece(job: &Job, range: Range<i64>) -> Piece {
    let Range { start, mut end } = within_years(job, range);
    let whole = end;
    while is_too_much(job, start..end) {
        end = start + (end - start) / 2;
    }
    Piece { range: start..end, is_whole: end == whole }
}

/// The part of a range, back from its end, in which a search for starts goes through no more nominal times than a call may.
pub(crate) fn last_piece(job: &Job, range: Range<i64>) -> Piece {
    let Range { mut start, end } = within_years(job, range);
    let whole = start;
    while is_too_much(job, start..end) {
        start = end - (end - start) / 2;
    }
    Piece { range: start..end, is_whole: start == whole }
}

/// The part of a range in which a job can have starts.
fn within_years(job: &Job, range: Range<i64>) -> Range<i64> {
    let reach = job.spec().reach();
    let (first, end) = (NOMINAL_MIN + reach.first, NOMINAL_MAX + reach.last + 1);
    range.start.clamp(first, end)..range.end.clamp(first, end)
}

fn is_too_much(job: &Job, range: Range<i64>) -> bool {
    let reach = job.spec().reach();
    let nominal_times = job.count_nominal_times(range.start - reach.last, range.end - 1 - reach.first);
    nominal_times > NOMINAL_TIMES && range.end - range.start > 1
}

/// Where the starts of a range go on: at a second, after as many starts of this second.
pub(crate) struct Place {
    pub(crate) second: i64,
    pub(crate) passed: u64,
}

impl Place {
    /// The place after a start, which `self` is not behind.
    pub(crate) fn after(self, start: &Decision<'_>) -> Place {
        let second = start.order_timestamp();
        Place { second, passed: if second == self.second { self.passed + 1 } else { 1 } }
    }
}
