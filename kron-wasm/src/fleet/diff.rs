//! What an edit of a fleet changes.

use kron_cli::diff_json;
use kron_core::Job;
use serde::Deserialize;

use crate::failure::Failure;
use crate::handles::Handles;
use crate::instant::UnixTime;
use crate::limits::NOMINAL_TIMES;

use super::jobs::Fleet;

/// Compares the starts of two fleets: before an edit at the beginning of the range, and after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffRequest {
    old: u32,
    new: u32,
    from: UnixTime,
    until: UnixTime,
}

pub(super) fn answer(fleets: &Handles<Fleet>, asked: &DiffRequest) -> Result<String, Failure> {
    let range = asked.from.ceil()..asked.until.ceil();
    if range.is_empty() {
        return Err(Failure::request("`until` is not after `from`"));
    }
    let jobs = |handle: u32| -> Result<Vec<Job>, Failure> {
        Ok(fleets.get(handle)?.jobs.iter().map(|read| read.loaded.job.clone()).collect())
    };
    let (old, new) = (jobs(asked.old)?, jobs(asked.new)?);
    let nominal_times = |job: &Job| {
        let reach = job.spec().reach();
        job.count_nominal_times(range.start.saturating_sub(reach.last), range.end.saturating_sub(reach.first))
    };
    let all = old.iter().chain(&new).map(nominal_times).fold(0, u64::saturating_add);
    if all > NOMINAL_TIMES {
        let message = format!("the jobs have {all} nominal times in the range, more than {NOMINAL_TIMES}");
        return Err(Failure::limit(message, "ask for a shorter range"));
    }
    let (old, new) = (kron_fleet::Fleet::new(old)?, kron_fleet::Fleet::new(new)?);
    Ok(diff_json(&old, &new, range)?)
}
