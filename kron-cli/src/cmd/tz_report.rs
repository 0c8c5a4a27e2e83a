//! `kron tz-report`: every occurrence that clock changes skip or double.

use std::io::Write as _;

use clap::Args;
use kron_core::Job;
use kron_core::cron::ClockChange;
use serde::Serialize;

use crate::args::SaveArgs;
use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, YearsArgs, check_years};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor, Request};
use crate::output::form::ReportForm;
use crate::output::json::Array;
use crate::output::plural::plural;
use crate::output::progress::Progress;
use crate::output::table::{Table, printable};
use crate::output::terminal::wrapped;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The range without options.
const RANGE: DefaultRange =
    DefaultRange { words: "3 years from now", begin: Begin::Now, length: Length::Years(3), days_max: None };

/// The arguments of `tz-report`.
#[derive(Debug, Args)]
pub(crate) struct TzReportArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    years: YearsArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// The form of the list; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ReportForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for TzReportArgs {
    const HELP: Help = Help {
        about: "List the times of jobs that clock changes skip or double",
        example: "kron tz-report jobs.kron",
        range: Some(RANGE),
        notes: || {
            "A time that clocks skip has no period. A time that they show twice has two periods, each with a start of its own."
                .to_string()
        },
        exit_codes: "0 nothing is skipped or doubled; 1 something is; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &TzReportArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Windows);
    let input = Input::read(request, session)?.valid(session)?;
    let jobs = input.pick(&args.pick)?.into_jobs();
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let range = args.range.resolve(None, RANGE.years(args.years), &zone, session)?;
    check_years(&range, session)?;

    let mut array = Array::default();
    let columns = session.terminal_size().map(|_| session.terminal().columns);
    let fitted = |headings| {
        let table = Table::new(headings).fit(2, "2026-03-01T00:00").fit(3, "skipped");
        jobs.iter().fold(table, |table, job| {
            table.fit(0, &printable(job.name())).fit(1, job.spec().timezone().name())
        })
    };
    let mut headings = ["JOB", "ZONE", "CIVIL TIME", "EFFECT", "STARTS"];
    let mut table = fitted(headings);
    // Both starts of a time stand in a line of their own where they have no room in a column.
    let two = fitted(headings).fit(4, "2026-03-01T00:00:00Z, 2026-03-01T01:00:00Z");
    let is_below = columns.is_some_and(|columns| two.width() > columns);
    if is_below {
        headings[4] = "";
        table = fitted(headings);
    }
    let mut found = false;
    let progress = Progress::beside_output("the jobs");
    for (done, job) in jobs.iter().enumerate() {
        progress.show(done, jobs.len());
        let schedule = job.spec().in_zone();
        for change in schedule.clock_changes(range.from..range.to) {
            let item = Occurrence::of(job, &change);
            match form {
                ReportForm::Json => array.item(&mut session.out, &item)?,
                ReportForm::Text => {
                    if !found {
                        table.row(&mut session.out, headings)?;
                    }
                    let start = |period: &Period| {
                        period.chosen_time.clone().unwrap_or_else(|| "unschedulable".into())
                    };
                    let starts: Vec<String> = item.periods.iter().map(start).collect();
                    let (name, starts) = (printable(item.name), starts.join(", "));
                    let last = match (is_below, item.periods.is_empty()) {
                        (true, _) => "",
                        (false, true) => "none",
                        (false, false) => &*starts,
                    };
                    let cells = [&*name, item.timezone, &item.civil_time, item.effect, last];
                    table.row(&mut session.out, cells)?;
                    if is_below && !starts.is_empty() {
                        writeln!(session.out, "  starts {starts}")?;
                    }
                }
            }
            found = true;
        }
    }
    match form {
        ReportForm::Json => array.end(&mut session.out)?,
        ReportForm::Text if found => {}
        ReportForm::Text => {
            let (from, until) = (time::utc_of(range.from), time::utc_of(range.to));
            let jobs = plural(jobs.len(), "job");
            let text = format!("no clock change skips or doubles a time of {jobs} from {from} until {until}");
            for line in wrapped(&text, columns.unwrap_or(usize::MAX), "") {
                writeln!(session.out, "{line}")?;
            }
        }
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
