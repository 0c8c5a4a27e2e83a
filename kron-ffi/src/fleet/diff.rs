//! What an edit of a fleet changes.

use std::collections::HashMap;

use ::kron_fleet::Fleet;
use ::kron_fleet::diff::{StartChange, StartChangeKind};
use kron_core::Job;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::output::{Out, struct_out};
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::fleet::create::kron_fleet;
use crate::value::enums::kron_change_kind;

/// A period whose start an edit changes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_change {
    /// The nominal time of the period, in Unix seconds.
    pub nominal_time: i64,
    /// The start before the edit, in Unix seconds, if `flags` has KRON_CHANGE_OLD_START; else 0.
    pub old_start: i64,
    /// The start after the edit, in Unix seconds, if `flags` has KRON_CHANGE_NEW_START; else 0.
    pub new_start: i64,
    /// The index of the job in the old fleet, if `flags` has KRON_CHANGE_OLD_JOB; else 0.
    pub old_job: u64,
    /// The index of the job in the new fleet, if `flags` has KRON_CHANGE_NEW_JOB; else 0.
    pub new_job: u64,
    /// What happens to the period: enum kron_change_kind.
    pub kind: u32,
    /// KRON_CHANGE_OLD_START, KRON_CHANGE_NEW_START, KRON_CHANGE_OLD_JOB and KRON_CHANGE_NEW_JOB.
    pub flags: u32,
}

impl Struct for kron_change {}

/// Flag of kron_change: `old_start` is set.
pub const KRON_CHANGE_OLD_START: u32 = 1;
/// Flag of kron_change: `new_start` is set.
pub const KRON_CHANGE_NEW_START: u32 = 2;
/// Flag of kron_change: `old_job` is set; the job was not added.
pub const KRON_CHANGE_OLD_JOB: u32 = 4;
/// Flag of kron_change: `new_job` is set; the job was not removed.
pub const KRON_CHANGE_NEW_JOB: u32 = 8;

/// What an edit of a fleet changes. Immutable.
#[derive(Debug)]
pub struct kron_diff {
    changes: Vec<kron_change>,
}

impl Handle for kron_diff {
    type Owner = Box<kron_diff>;
}

fn change(kind: kron_change_kind, change: &StartChange, jobs: [Option<usize>; 2]) -> kron_change {
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    kron_change {
        nominal_time: change.nominal,
        old_start: change.old.unwrap_or(0),
        new_start: change.new.unwrap_or(0),
        old_job: jobs[0].unwrap_or(0) as u64,
        new_job: jobs[1].unwrap_or(0) as u64,
        kind: kind as u32,
        flags: flag(change.old.is_some(), KRON_CHANGE_OLD_START)
            | flag(change.new.is_some(), KRON_CHANGE_NEW_START)
            | flag(jobs[0].is_some(), KRON_CHANGE_OLD_JOB)
            | flag(jobs[1].is_some(), KRON_CHANGE_NEW_JOB),
    }
}

fn changes(old: &Fleet, new: &Fleet, from: i64, to: i64) -> Result<Vec<kron_change>, Failure> {
    let [old_places, new_places] = [old, new].map(|fleet| {
        fleet.jobs().iter().enumerate().map(|(index, job)| (job.name(), index)).collect::<HashMap<_, _>>()
    });
    let place = |places: &HashMap<&str, usize>, job: Option<&Job>| {
        job.and_then(|job| places.get(job.name()).copied())
    };
    // From the first second of the range on, starts are those of the new job.
    let at = from.saturating_sub(1);
    let mut found = Vec::new();
    for pair in old.pair_with(new) {
        let jobs = [place(&old_places, pair.old), place(&new_places, pair.new)];
        for start in pair.start_changes(from..to) {
            let start = start?;
            let kind = match start.kind() {
                StartChangeKind::Appears => kron_change_kind::Appears,
                StartChangeKind::Vanishes => kron_change_kind::Vanishes,
                StartChangeKind::Moves => kron_change_kind::Moves,
            };
            found.push(change(kind, &start, jobs));
        }
        for period in pair.at_edit(at) {
            let was_started = period.old.is_some_and(|old| old <= at);
            let kind = if was_started { kron_change_kind::Repeated } else { kron_change_kind::Skipped };
            found.push(change(kind, &period, jobs));
        }
    }
    Ok(found)
}

/// Finds which starts an edit of a fleet adds, removes or moves in [from, to), in Unix seconds, and which periods the edit
/// at `from` skips or repeats. Jobs of one name belong together, and so do two jobs of one text if exactly one name is
/// gone and one is new. Suspended jobs start nothing.
///
/// Ownership: `*out` is new, and the caller frees it with kron_diff_free. It does not need the fleets.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. If the search for the starts of a job fails, its error is returned.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_diff(
    old_fleet: *const kron_fleet,
    new_fleet: *const kron_fleet,
    from: i64,
    to: i64,
    out: *mut *mut kron_diff,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (old, new, out, error) = unsafe {
        (
            borrow(old_fleet, "old_fleet"),
            borrow(new_fleet, "new_fleet"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (old, new, out) = (old?, new?, out?);
        out.give(Box::new(kron_diff { changes: changes(&old.fleet, &new.fleet, from, to)? }));
        Ok(())
    })
}

/// Returns the number of changes.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_diff_length(diff: *const kron_diff) -> usize {
    // SAFETY: the caller follows the section above.
    let diff = unsafe { borrow(diff, "diff") };
    guard_get(0, diff, |diff| diff.changes.len())
}

/// Gets a change, by its index from 0. Jobs are in order of their names. Of each job, the starts that appear, vanish or
/// move come first, in order of time, then the periods that the edit skips or repeats, in order of nominal time.
/// `change_size` is KRON_CHANGE_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*change` is unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_diff_change(
    diff: *const kron_diff,
    index: usize,
    change: *mut kron_change,
    change_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (diff, change, error) =
        unsafe { (borrow(diff, "diff"), struct_out(change, change_size, "change"), ErrorOut::new(error)) };
    guard(error, || {
        let (diff, change) = (diff?, change?);
        let length = diff.changes.len();
        let found = diff.changes.get(index).ok_or_else(|| Failure::Index { name: "index", index, length })?;
        change.set(*found);
        Ok(())
    })
}

/// Frees a diff.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_diff_free(diff: *mut kron_diff) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(diff) });
}
