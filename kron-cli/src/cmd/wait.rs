//! `kron wait`: sleeps until the chosen time of the period whose window is open.

use std::io::Write as _;

use clap::Args;
use kron_core::plan::Action;
use kron_core::{Decision, Instant as _, Job};
use kron_fleet::HumanLength;

use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, at_or_now};
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::TimeArg;

/// The arguments of `wait`.
#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    /// Print the time at which the job starts, and do not sleep
    #[arg(long)]
    print: bool,

    /// With --print: what is printed at this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(requires = "print")]
    at: Option<TimeArg>,

    #[command(flatten)]
    tz: TzArgs,
}

impl Subcommand for WaitArgs {
    const HELP: Help = Help {
        about: "Sleep until the chosen time of the period whose window is open",
        example: "0 1 * * * kron wait '0 1 * * * @win(after,3h)' --name db/backup && backup",
        range: None,
        notes: || {
            "The example is a line of a crontab: the backup starts at some second between 01:00 and 04:00. Start the command \
             at the beginning of each window. If windows overlap, the period is the one whose window began last."
                .to_string()
        },
        exit_codes: "0 it is time to start; 2 bad arguments or input; 3 no window is open; 4 missed: the \
                     chosen time and the deadline have passed; 5 unschedulable: the constraints allow no start; 6 the job is \
                     suspended; 7 the schedule names this minute, on a day that `@days` or `@nodays` leaves out; nothing is \
                     printed then",
    };

    fn save(&self) -> Save<'_> {
        Save::Never
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &WaitArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Windows);
    let input = Input::read(request, session)?.valid(session)?;
    let job = input.pick(&args.pick)?.one()?.into_job();
    let mut now = at_or_now(args.at, &args.tz, session)?;
    let policy = job.spec().policy();
    if policy.suspend() {
        let error = Diagnostic::error(format!("{} is suspended", job.name()));
        return Err(Stop::with(error, ExitStatus::Suspended));
    }
    if job.is_day_off(now) {
        return Ok(ExitStatus::DayOff);
    }
    let Some(period) = job.current_period(now) else {
        return Err(Stop::with(no_window(&job, now), ExitStatus::NoWindow));
    };
    let Some(chosen) = period.chosen_time() else {
        return Err(Stop::with(unschedulable(&period), ExitStatus::Unschedulable));
    };
    // The clock may be set while this sleeps, in either direction.
    loop {
        match policy.evaluate(period, now, false, false) {
            Action::Wait { .. } if !args.print => now = session.sleep_until(chosen).floor(),
            Action::Record(_) | Action::Nothing => {
                return Err(Stop::with(missed(&job, &period, now), ExitStatus::Missed));
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
    let error = Diagnostic::error(format!("no window is open at {}", time::utc_of(now)));
    // Of the periods to come, the first window is that of the first one whose window begins after now.
    let next = job.periods(now.saturating_sub(1)..).find(|period| period.window_start_timestamp() > now);
    error.help(match next {
        Some(next) => format!(
            "the next window begins at {}; start `kron wait` at the beginning of a window, and give the job a deadline \
             if it may be started late",
            time::utc(next.window_start())
        ),
        None => "the schedule has no more periods".to_string(),
    })
}

/// The window is open, and no second of it is allowed.
fn unschedulable(period: &Decision<'_>) -> Diagnostic {
    let error = Diagnostic::error(format!(
        "the period {} is unschedulable: the constraints allow no start from {} to {}",
        period.period_id(),
        time::utc(period.window_start()),
        time::utc(period.window_end())
    ));
    error.help("`kron explain --nominal` shows the allowed times")
}

/// The chosen time has passed, and the deadline too.
fn missed(job: &Job, period: &Decision<'_>, now: i64) -> Diagnostic {
    let chosen = period.order_timestamp();
    let deadline = job.spec().policy().deadline();
    let error = Diagnostic::error(format!(
        "the period {} is missed: its chosen time was {}, {} ago, and its deadline is {}",
        period.period_id(),
        time::utc_of(chosen),
        HumanLength::of_seconds(now - chosen),
        HumanLength::of(deadline)
    ));
    error.help("a deadline allows late starts: `@policy(deadline=10m)`")
}
