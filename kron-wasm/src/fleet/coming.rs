//! The coming starts of a job of a fleet, and why each of them is where it is.

use kron_cli::{explanation_svg, placed_svg};
use kron_core::Job;
use kron_core::time::Rfc3339;
use serde::{Deserialize, Serialize};

use crate::answers::{check_overlap, json};
use crate::failure::Failure;
use crate::instant::UnixTime;
use crate::limits::FLEET_OVERLAPPING;

use super::jobs::Fleet;

/// Most starts of one call.
const MOST: usize = 100;

/// The coming starts of a job of a fleet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ComingRequest {
    pub(crate) fleet: u32,
    /// The number of the job, from 0.
    job: usize,
    after: UnixTime,
    count: usize,
    /// The seconds of a window, if the job has none and is not placed.
    window_seconds: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StartObject {
    chosen: i64,
    chosen_time: String,
    nominal: i64,
    nominal_time: String,
    /// The strip of its window, as `kron explain -o svg` draws it.
    svg: String,
    /// Whether the start is that of a placed schedule; then `nominal` is a time of the declared one.
    is_placed: bool,
}

pub(super) fn answer(fleet: &Fleet, asked: &ComingRequest) -> Result<String, Failure> {
    if asked.count > MOST {
        let message = format!("{} starts are more than {MOST}", asked.count);
        return Err(Failure::limit(message, "ask for fewer"));
    }
    let Some(read) = fleet.jobs.get(asked.job) else {
        return Err(Failure::no_job(asked.job, fleet.jobs.len()));
    };
    let windowed = fleet.windowed(read, asked.window_seconds)?;
    let job = windowed.as_ref().unwrap_or(&read.loaded.job);
    check_overlap(job.spec(), FLEET_OVERLAPPING)?;
    let mut found = Vec::new();
    let mut after = asked.after.floor();
    // One walk decides each period once, however many windows overlap. All its starts have the limits of one search, so behind a start
    // there is another walk.
    let (mut starts, mut is_new) = (job.starts(after.saturating_add(1)..), true);
    while found.len() < asked.count {
        let start = match starts.next() {
            Some(Ok(start)) => start,
            Some(Err(error)) if is_new && found.is_empty() => return Err(error.into()),
            _ if is_new => break,
            _ => {
                (starts, is_new) = (job.starts(after.saturating_add(1)..), true);
                continue;
            }
        };
        is_new = false;
        let chosen = start.order_timestamp();
        if chosen <= after {
            // Another period has the same start.
            continue;
        }
        let period =
            read.loaded.declared.as_ref().and_then(|declared| Some((declared, period_of(declared, chosen)?)));
        let (nominal, svg) = match period {
            Some((declared, nominal)) => (nominal, placed_svg(declared, nominal, chosen)?),
            None => {
                (start.nominal_timestamp(), explanation_svg(job, &job.explain(start.nominal_timestamp())?))
            }
        };
        found.push(StartObject {
            chosen,
            chosen_time: Rfc3339(chosen).to_string(),
            nominal,
            nominal_time: Rfc3339(nominal).to_string(),
            svg,
            is_placed: period.is_some(),
        });
        after = chosen;
    }
    json(&found)
}

/// The nominal time of the declared period in whose window a placed schedule starts: the nearest one, if there are several.
fn period_of(declared: &Job, chosen: i64) -> Option<i64> {
    let reach = declared.spec().reach();
    let (first, last) = (chosen - reach.last, chosen - reach.first);
    let before = declared.prev_nominal_timestamp(chosen).filter(|nominal| *nominal >= first);
    let after = declared.next_nominal_timestamp(chosen).filter(|nominal| *nominal <= last);
    before.into_iter().chain(after).min_by_key(|nominal| chosen.abs_diff(*nominal))
}
