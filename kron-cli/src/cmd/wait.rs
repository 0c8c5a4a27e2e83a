//! `kron wait`: sleeps until the chosen time of the period whose window is open.

use std::io::Write as _;

use clap::Args;
use clap_complete::engine::ArgValueCompleter;
use kron_core::{Action, Decision, Instant as _, Job};

use super::jobs::pick;
use super::times::at_or_now;
use crate::args::{JobArgs, TzArgs};
use crate::complete;
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor};
use crate::output::diagnostic::Diagnostic;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::TimeArg;

/// Sleep until the chosen time of the period whose window is open
///
/// For crontabs and other programs that only have a shell. Start it at the beginning of each window.
/// It ends with 0 when it is time to start the job, and with another exit code if the job is not to
/// start.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  0 1 * * * kron wait '0 1 * * * @win(after,3h) @policy(deadline=1m)' --name db/backup && backup
      in a crontab: the backup starts at some second between 01:00 and 04:00
  0 1 * * * kron wait '0 1 * * * @win(after,3h) @policy(deadline=1m)' --name 'backup/{host}' && backup
      the same crontab on many machines, each of which starts at another second
  kron wait '0 1 * * * @win(after,3h)' --name db/backup --print --at 2026-03-01T01:00:00Z
      the time until which it would sleep

If windows overlap, the period is the one whose window began last.

Exit codes: 0 it is time to start; 2 bad arguments or input; 3 no window is open; 4 missed: the
chosen time and the deadline have passed; 5 unschedulable: the constraints allow no start; 6 the
job is suspended"
)]
pub(crate) struct WaitArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// Which job of the files; needed if they hold several
    #[arg(long, value_name = "NAME", conflicts_with = "text")]
    #[arg(add = ArgValueCompleter::new(complete::job_names))]
    pub(crate) job: Option<String>,

    /// Print the time at which the job starts, and do not sleep
    #[arg(long)]
    pub(crate) print: bool,

    /// With --print: what is printed at this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(requires = "print")]
    pub(crate) at: Option<TimeArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,
}

pub(crate) fn run(args: &WaitArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let jobs = Input::read_valid(&args.jobs, NameFor::Windows, session)?;
    let job =
        pick(jobs, args.job.as_deref()).map_err(|diagnostic| session.fail(&diagnostic, ExitStatus::Error))?;
    let mut now = at_or_now(args.at, &args.tz, session)?;
    let policy = job.spec().policy();
    if policy.suspend() {
        let error = Diagnostic::error(format!("{} is suspended", job.name()));
        return Err(session.fail(&error, ExitStatus::Suspended));
    }
    let Some(period) = job.current_period(now) else {
        return Err(session.fail(&no_window(&job, now), ExitStatus::NoWindow));
    };
    let Some(chosen) = period.chosen_time() else {
        return Err(session.fail(&unschedulable(&period), ExitStatus::Unschedulable));
    };
    // The clock may be set while this sleeps, in either direction.
    loop {
        match policy.evaluate(period, now, false, false) {
            Action::Wait { .. } if !args.print => now = session.sleep_until(chosen).floor(),
            Action::Record(_) | Action::Nothing => {
                return Err(session.fail(&missed(&job, &period, now), ExitStatus::Missed));
            }
            Action::Wait { .. } | Action::Execute | Action::Replace => break,
        }
    }
    if args.print {
        writeln!(session.out, "{}", time::utc(chosen))?;
    }
    Ok(ExitStatus::Success)
}

/// The last window has ended, and the next has not begun.
fn no_window(job: &Job, now: i64) -> Diagnostic {
    let mut error = Diagnostic::error(format!("no window is open at {}", time::utc_of(now)));
    // Of the periods to come, the first window is that of the first one whose window begins after now.
    let next =
        job.periods(now.saturating_sub(1), i64::MAX).find(|period| period.window_start_timestamp() > now);
    error.help = Some(match next {
        Some(next) => format!(
            "the next window begins at {}; start `kron wait` at the beginning of a window, and give the job a deadline \
             if it may be started late",
            time::utc(next.window_start())
        ),
        None => "the schedule has no more periods".to_string(),
    });
    error
}

/// The window is open, and no second of it is allowed.
fn unschedulable(period: &Decision<'_>) -> Diagnostic {
    let mut error = Diagnostic::error(format!(
        "the period {} is unschedulable: the constraints allow no start from {} to {}",
        period.period_id(),
        time::utc(period.window_start()),
        time::utc(period.window_end())
    ));
    error.help = Some("`kron explain --nominal` shows the allowed times".to_string());
    error
}

/// The chosen time has passed, and the deadline too.
fn missed(job: &Job, period: &Decision<'_>, now: i64) -> Diagnostic {
    let chosen = period.order_timestamp();
    let deadline = job.spec().policy().deadline();
    let mut error = Diagnostic::error(format!(
        "the period {} is missed: its chosen time was {}, {} ago, and its deadline is {deadline}",
        period.period_id(),
        time::utc_of(chosen),
        time::span(chosen, now)
    ));
    error.help = Some("a deadline allows late starts: `@policy(deadline=10m)`".to_string());
    error
}
