//! `kron next`: the next starts, or periods, of all jobs in order of time.

use std::io::Write as _;

use kron_core::{Decision, Error, Fleet, Instant as _, Job};

use super::{at_or_now, civil_day, instant, no_such_job, suspended, with_algorithm, zone_of};
use crate::ExitStatus;
use crate::args::{ListForm, NextArgs};
use crate::input::Input;
use crate::output::diagnostic::Diagnostic;
use crate::output::list::List;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::CivilDay;

/// How many are listed if nothing says so.
const COUNT: u64 = 10;
/// If nothing at all is found, the reason is printed for so many jobs.
const REASONS: usize = 10;

pub(crate) fn run(args: &NextArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if !args.columns.is_empty() && args.output != ListForm::Csv {
        return Err(session.fail(&Diagnostic::error("--columns is only for -o csv"), ExitStatus::Error));
    }
    let jobs = Input::read_valid(&args.jobs, true, session)?;
    let jobs = of_names(jobs, &args.names).map_err(|error| session.fail(&error, ExitStatus::Error))?;
    let jobs = with_algorithm(jobs, args.algorithm.algorithm, session)?;
    let fleet =
        Fleet::new(jobs).map_err(|error| session.fail(&Diagnostic::of_error(&error), ExitStatus::Error))?;
    let jobs = fleet.jobs();
    let range = Range::of(args, session)?;

    let mut list = List::begin(args, jobs, &mut session.out)?;
    let count = args.count.unwrap_or(if range.bounded { u64::MAX } else { COUNT });
    let mut left = count;
    let mut listed = vec![false; jobs.len()];
    let mut failed = vec![false; jobs.len()];
    let mut last = range.from;
    let mut series: Box<dyn Iterator<Item = (usize, Result<Decision<'_>, Error>)>> = if args.nominal {
        Box::new(fleet.periods(range.from, range.to).map(|(index, decision)| (index, Ok(decision))))
    } else {
        Box::new(fleet.starts(range.from, range.to))
    };
    // The rest of a series is not looked at once enough is listed.
    while left > 0 {
        let Some((index, item)) = series.next() else { break };
        match item {
            Ok(decision) => {
                list.row(&jobs[index], &decision, &mut session.out)?;
                listed[index] = true;
                last = decision.order_timestamp();
                left -= 1;
            }
            Err(error) => {
                failed[index] = true;
                session.report(&search_failed(jobs[index].name(), &error));
            }
        }
    }
    list.end(&mut session.out)?;
    // A count on an endless list is what was asked for; otherwise the count cut it.
    if left == 0 && (range.bounded || args.count.is_none()) && series.any(|(_, item)| item.is_ok()) {
        // If nobody reads the list, nobody needs the remark.
        session.out.flush()?;
        let what = if args.nominal { "periods" } else { "starts" };
        session.remark(&format!("more {what} follow; use -c N"));
    }

    if !args.nominal {
        // Jobs whose search failed have a message of their own.
        let end = if range.bounded && left > 0 { range.to } else { last };
        let searched = jobs.iter().zip(&failed).filter(|(_, failed)| !**failed).map(|(job, _)| job);
        // If nobody reads the list, nobody needs the note.
        session.out.flush()?;
        let note = passed_over(searched.map(|job| job.unschedulable_in(range.from, end)).sum());
        if let Some(note) = note {
            session.report(&note);
        }
    }
    for (job, _) in jobs.iter().zip(&listed).filter(|(job, listed)| **listed && job.spec().policy().suspend())
    {
        session.report(&suspended(job));
    }
    // A search that gave up before the end of the range leaves the list incomplete.
    let incomplete = range.bounded && failed.contains(&true);
    if left < count && !incomplete {
        return Ok(ExitStatus::Success);
    }
    if !range.bounded {
        // Nothing bounded the search, so the core knows why each job has nothing.
        let at = range.from.saturating_sub(1);
        for job in jobs.iter().zip(&failed).filter(|(_, failed)| !**failed).map(|(job, _)| job).take(REASONS)
        {
            let found = if args.nominal { job.next_period(at) } else { job.next_start(at) };
            if let Err(error) = found {
                session.report(&search_failed(job.name(), &error));
            }
        }
    } else if !failed.contains(&true) {
        let what = if args.nominal { "no nominal time" } else { "no start" };
        session.report(&Diagnostic::error(format!("there is {what} {}", range.words)));
    }
    Ok(ExitStatus::Failure)
}

/// The jobs of these names, in the order of the files; without names, all jobs.
fn of_names(mut jobs: Vec<Job>, names: &[String]) -> Result<Vec<Job>, Box<Diagnostic>> {
    if names.is_empty() {
        return Ok(jobs);
    }
    if let Some(name) = names.iter().find(|name| jobs.iter().all(|job| job.name() != name.as_str())) {
        return Err(no_such_job(&jobs, name));
    }
    jobs.retain(|job| names.iter().any(|name| name == job.name()));
    Ok(jobs)
}

/// The range of a list.
struct Range {
    /// The first Unix second.
    from: i64,
    /// The Unix second after the last.
    to: i64,
    /// Whether the arguments say where it ends.
    bounded: bool,
    /// The range in words, to put after "no start".
    words: String,
}

impl Range {
    fn of(args: &NextArgs, session: &mut Session<'_>) -> Result<Range, Stop> {
        let zone = zone_of(&args.tz, session)?;
        if let Some(day) = args.day {
            let CivilDay { date, first: from, end: to } = civil_day(day, &zone, session)?;
            return Ok(Range { from, to, bounded: true, words: format!("on {date} in {zone}") });
        }
        // Ranges of the core include their first second; `--at` is not included.
        let (from, begin, mut words) = match args.from {
            Some(from) => {
                let from = instant("--from", from, &zone, session)?;
                (from.ceil(), from.ceil(), format!("from {} on", time::utc(from)))
            }
            None => {
                let at = at_or_now(args.at, &args.tz, session)?;
                (at.saturating_add(1), at, format!("after {}", time::utc_of(at)))
            }
        };
        let Some(until) = args.until else {
            return Ok(Range { from, to: i64::MAX, bounded: false, words });
        };
        let until = instant("--until", until, &zone, session)?;
        let to = until.ceil();
        if to <= begin {
            let message = format!("--until is not after {}, where the list begins", time::utc_of(begin));
            return Err(session.fail(&Diagnostic::error(message), ExitStatus::Error));
        }
        words += &format!(" and before {}", time::utc(until));
        Ok(Range { from, to, bounded: true, words })
    }
}

/// A note on periods that are not listed, as they have no start.
fn passed_over(count: u64) -> Option<Diagnostic> {
    let periods = match count {
        0 => return None,
        1 => "1 unschedulable period is".to_string(),
        _ => format!("{count} unschedulable periods are"),
    };
    let mut note = Diagnostic::note(format!("{periods} not listed, because the constraints allow no start"));
    note.help = Some("--nominal lists all periods".to_string());
    Some(note)
}

/// A job whose search ended in an error leaves the list; the others go on.
fn search_failed(name: &str, error: &Error) -> Diagnostic {
    let mut warning = Diagnostic::warning(error.reason());
    warning.name = Some(name.to_string());
    warning.help = error.help();
    warning
}
