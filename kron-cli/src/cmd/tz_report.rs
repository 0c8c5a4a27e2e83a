//! `kron tz-report`: every occurrence that clock changes skip or double.

use std::path::PathBuf;

use chrono::{DateTime, Months};
use clap::{Args, ValueHint};
use kron_core::{ClockChange, Job};
use serde::Serialize;

use super::times::{check_range, from_or_now, zone_of};
use crate::args::{JobArgs, TzArgs, years};
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ReportForm;
use crate::output::json::Array;
use crate::output::progress::Progress;
use crate::output::table::{Table, printable};
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::TimeArg;

/// List the occurrences that clock changes skip or double
///
/// A time that clocks skip yields no period. A time that they show twice yields two periods, each with a
/// start of its own. The list has every such time of every job.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Example:
  kron tz-report jobs.kron --from 2026-01-01 --years 3
      all jobs of a file, three years ahead

Exit codes: 0 nothing is skipped or doubled; 1 something is; 2 bad arguments or input"
)]
pub(crate) struct TzReportArgs {
    /// A job file, manifests, a directory of them, or `-` for standard input; may be repeated
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath, required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Begin at this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<TimeArg>,

    /// Look this many years ahead
    #[arg(long, value_name = "N", value_parser = years, allow_hyphen_values = true, default_value = "3")]
    pub(crate) years: u32,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ReportForm,
}

pub(crate) fn run(args: &TzReportArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let jobs = JobArgs::of_files(args.files.clone(), args.namespace.clone()).and_cronjobs();
    let jobs = Input::read_valid(&jobs, NameFor::Seeds, session)?;
    let zone = zone_of(&args.tz, session)?;
    let from = from_or_now(args.from, &zone, session)?;
    let until = DateTime::from_timestamp(from, 0)
        .and_then(|from| from.checked_add_months(Months::new(12 * args.years)));
    let until = match until {
        Some(until) => until.timestamp(),
        None => return Err(session.fail(&Diagnostic::error("the time is out of range"), ExitStatus::Error)),
    };
    check_range(from, until, session)?;

    let mut array = Array::default();
    let headings = ["JOB", "ZONE", "CIVIL TIME", "EFFECT", "STARTS"];
    let mut table = Table::new(headings).fit(2, "2026-03-01T00:00").fit(3, "skipped");
    for job in &jobs {
        table = table.fit(0, &printable(job.name())).fit(1, job.spec().timezone().name());
    }
    let mut found = false;
    let progress = Progress::beside_output("the jobs");
    for (done, job) in jobs.iter().enumerate() {
        progress.show(done, jobs.len());
        let schedule = job.spec().schedule().in_zone(job.spec().timezone().clone());
        for change in schedule.clock_changes(from, until) {
            let item = Occurrence::of(job, &change);
            match args.output {
                ReportForm::Json => array.item(&mut session.out, &item)?,
                ReportForm::Text => {
                    if !found {
                        table.row(&mut session.out, headings)?;
                    }
                    let start = |period: &Period| {
                        period.chosen_time.clone().unwrap_or_else(|| "unschedulable".into())
                    };
                    let starts: Vec<String> = item.periods.iter().map(start).collect();
                    let name = printable(item.name);
                    table.row(
                        &mut session.out,
                        [&name, item.timezone, &item.civil_time, item.effect, &starts.join(", ")],
                    )?;
                }
            }
            found = true;
        }
    }
    if args.output == ReportForm::Json {
        array.end(&mut session.out)?;
    }
    Ok(if found { ExitStatus::Failure } else { ExitStatus::Success })
}

/// A skipped or doubled occurrence, as an object of JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Occurrence<'a> {
    name: &'a str,
    timezone: &'a str,
    effect: &'static str,
    /// On the clocks of the zone, without an offset.
    civil_time: String,
    /// When the clocks change.
    change_time: String,
    offset_before: String,
    offset_after: String,
    /// The two periods of a doubled occurrence.
    periods: Vec<Period>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Period {
    period_id: String,
    /// Null if the constraints allow no start.
    chosen_time: Option<String>,
}

impl<'a> Occurrence<'a> {
    fn of(job: &'a Job, change: &ClockChange) -> Occurrence<'a> {
        let nominal = change.nominal_timestamps();
        // Every nominal time of a schedule can be decided.
        let decisions = nominal.into_iter().flatten().filter_map(|nominal| job.decide(nominal).ok());
        Occurrence {
            name: job.name(),
            timezone: job.spec().timezone().name(),
            effect: if nominal.is_some() { "doubled" } else { "skipped" },
            civil_time: change.civil_text(),
            change_time: time::utc(change.time()),
            offset_before: time::offset(change.offset_before),
            offset_after: time::offset(change.offset_after),
            periods: decisions
                .map(|decision| Period {
                    period_id: decision.period_id(),
                    chosen_time: decision.chosen_time().map(time::utc),
                })
                .collect(),
        }
    }
}
