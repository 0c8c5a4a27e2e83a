//! What an edit of a fleet changes.

use kron_cli::diff_json;
use kron_core::Job;
use kron_core::cron::{NOMINAL_MAX, NOMINAL_MIN};
use kron_fleet::Fleet as Jobs;
use kron_fleet::diff::JobChange;
use serde::Deserialize;

use crate::answers::check_overlap;
use crate::failure::Failure;
use crate::handles::Handles;
use crate::instant::UnixTime;
use crate::limits::{FLEET_OVERLAPPING, LISTED, NOMINAL_TIMES, SEARCHES, TIMES_OF_A_DAY};

use super::jobs::Fleet;
use super::sources::LESS_AT_ONCE;

/// Compares the starts of two fleets: before an edit at the beginning of the range, and after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffRequest {
    old: u32,
    new: u32,
    from: UnixTime,
    until: UnixTime,
}

/// Seconds that a window reaches beyond nominal times, at most.
const REACH: i64 = 367 * 86_400;

pub(super) fn answer(fleets: &Handles<Fleet>, asked: &DiffRequest) -> Result<String, Failure> {
    // Beyond them, nothing starts.
    let instant = |time: UnixTime| time.ceil().clamp(NOMINAL_MIN - REACH, NOMINAL_MAX + REACH);
    let range = instant(asked.from)..instant(asked.until);
    if range.is_empty() {
        return Err(Failure::request("`until` is not after `from`"));
    }
    let jobs = |handle: u32| -> Result<Jobs, Failure> {
        Ok(Jobs::new(fleets.get(handle)?.jobs.iter().map(|read| read.loaded.job.clone()).collect())?)
    };
    let (old, new) = (jobs(asked.old)?, jobs(asked.new)?);
    check(&old, &new, range.start, range.end)?;
    Ok(diff_json(&old, &new, range)?)
}

/// Refuses what takes too long, or lists too much.
fn check(old: &Jobs, new: &Jobs, from: i64, until: i64) -> Result<(), Failure> {
    let (mut all, mut listed, mut searches) = (0_u64, 0_u64, 0_u64);
    for pair in old.pair_with(new) {
        let both: Vec<&Job> = pair.old.into_iter().chain(pair.new).collect();
        both.iter().try_for_each(|job| check_overlap(job.spec(), FLEET_OVERLAPPING))?;
        // What the edit skips and repeats lies in the windows of both.
        let first = both.iter().map(|job| job.spec().reach().first).min().unwrap_or(0);
        let last = both.iter().map(|job| job.spec().reach().last).max().unwrap_or(0);
        let count = |job: &&Job| job.count_nominal_times(from - last, until - first);
        let found = both.iter().map(count).fold(0, u64::saturating_add);
        all = all.saturating_add(found);
        if pair.change() != JobChange::Unchanged {
            listed = listed.saturating_add(found);
            let is_searched =
                |job: &&Job| !job.spec().constraints().is_empty() || !job.spec().days().is_empty();
            let times = |job: &&Job| job.spec().schedule().most_nominal_times_in(86_399);
            let work = |job: &&Job| 1 + times(job) / TIMES_OF_A_DAY;
            searches += both.iter().filter(|job| is_searched(job)).map(work).sum::<u64>();
        }
    }
    if all > NOMINAL_TIMES {
        let message = format!("the jobs have {all} nominal times in the range, more than {NOMINAL_TIMES}");
        return Err(Failure::limit(message, LESS_AT_ONCE));
    }
    if listed > LISTED as u64 {
        let message =
            format!("the jobs that differ have {listed} nominal times in the range, more than {LISTED}");
        return Err(Failure::limit(message, LESS_AT_ONCE));
    }
    if searches > SEARCHES {
        let message = format!(
            "the jobs with constraints or days that differ count as {searches}, those with many starts a day more than once: more than \
             {SEARCHES}"
        );
        return Err(Failure::limit(message, "compare fewer jobs at once, or use the command `kron`"));
    }
    Ok(())
}
