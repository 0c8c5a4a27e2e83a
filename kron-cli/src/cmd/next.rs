//! `kron next`: the next starts, or periods, of all jobs in order of time.

use kron_core::{Error, Fleet, Instant as _};

use super::{at_or_now, suspended, with_algorithm};
use crate::args::NextArgs;
use crate::input::Input;
use crate::output::diagnostic::Diagnostic;
use crate::output::list::List;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::{BAD_INPUT, FINE, FOUND};

/// How many are listed if nothing says so.
const COUNT: u64 = 10;
/// If nothing at all is found, the reason is printed for so many jobs.
const REASONS: usize = 10;

pub(crate) fn run(args: &NextArgs, session: &mut Session<'_>) -> Result<u8, Stop> {
    let jobs = Input::read_valid(&args.jobs, session)?;
    let jobs = with_algorithm(jobs, args.algorithm.algorithm, session)?;
    let fleet = Fleet::new(jobs).map_err(|error| session.fail(&Diagnostic::of_error(&error), BAD_INPUT))?;
    let jobs = fleet.jobs();

    let at = at_or_now(args.at, session);
    // Ranges of the core include their first second; `--at` is not included.
    let (from, to) = (at.saturating_add(1), args.until.map_or(i64::MAX, |until| until.ceil()));
    if to < from {
        let message = format!("--until is not after {}, where the list begins", time::utc_of(at));
        return Err(session.fail(&Diagnostic::error(message), BAD_INPUT));
    }
    let count = args.count.unwrap_or(if args.until.is_some() { u64::MAX } else { COUNT });

    let mut list = List::begin(args.output, jobs, args.nominal, args.local, &mut session.out)?;
    let mut left = count;
    let mut listed = vec![false; jobs.len()];
    let mut failed = vec![false; jobs.len()];
    // The rest of a series is not looked at once enough is listed.
    let mut take = |index: usize, item: Result<_, Error>, session: &mut Session<'_>| -> Result<bool, Stop> {
        match item {
            Ok(decision) => {
                list.row(&jobs[index], &decision, &mut session.out)?;
                listed[index] = true;
                left -= 1;
            }
            Err(error) => {
                failed[index] = true;
                session.report(&search_failed(jobs[index].name(), &error));
            }
        }
        Ok(left > 0)
    };
    if args.nominal {
        for (index, decision) in fleet.periods(from, to) {
            if !take(index, Ok(decision), session)? {
                break;
            }
        }
    } else {
        for (index, start) in fleet.starts(from, to) {
            if !take(index, start, session)? {
                break;
            }
        }
    }
    list.end(&mut session.out)?;

    for (job, _) in jobs.iter().zip(&listed).filter(|(job, listed)| **listed && job.spec().policy().suspend())
    {
        session.report(&suspended(job));
    }
    // A search that gave up before `--until` leaves the list incomplete.
    let incomplete = args.until.is_some() && failed.contains(&true);
    if left < count && !incomplete {
        return Ok(FINE);
    }
    match args.until {
        // Nothing bounded the search, so the core knows why each job has nothing.
        None => {
            for job in
                jobs.iter().zip(&failed).filter(|(_, failed)| !**failed).map(|(job, _)| job).take(REASONS)
            {
                let found = if args.nominal { job.next_period(at) } else { job.next_start(at) };
                if let Err(error) = found {
                    session.report(&search_failed(job.name(), &error));
                }
            }
        }
        Some(until) if !failed.contains(&true) => {
            let what = if args.nominal { "no nominal time" } else { "no start" };
            let (after, before) = (time::utc_of(at), time::utc(until.to_utc()));
            session.report(&Diagnostic::error(format!("there is {what} after {after} and before {before}")));
        }
        Some(_) => {}
    }
    Ok(FOUND)
}

/// A job whose search ended in an error leaves the list; the others go on.
fn search_failed(name: &str, error: &Error) -> Diagnostic {
    let mut warning = Diagnostic::warning(error.reason());
    warning.name = Some(name.to_string());
    warning.help = error.help();
    warning
}
