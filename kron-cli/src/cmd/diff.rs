//! `kron diff`: which starts an edit of job files adds, removes or moves.

use std::convert::Infallible;
use std::io::Write as _;

use clap::Args;
use kron_fleet::Fleet;
use kron_fleet::diff::Peak;

use crate::args::SaveArgs;
use crate::args::jobs::JobArgs;
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, check_years};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::exit_status::ExitStatus;
use crate::input::pick::search_failed;
use crate::input::{Input, NameFor, Request};
use crate::output::diff::{FleetDiff, jobs_words, peak_words, starts_words};
use crate::output::forecast::words;
use crate::output::form::ReportForm;
use crate::output::plural::{grouped, plural};
use crate::output::progress::Progress;
use crate::output::terminal::wrapped;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// How many starts of each job are listed as text without `-c`.
const COUNT: usize = 5;

/// The range without options.
const RANGE: DefaultRange = DefaultRange {
    words: "30 days from now",
    begin: Begin::Now,
    length: Length::Days(30),
    days_max: Some(366),
};

/// The arguments of `diff`.
#[derive(Debug, Args)]
#[command(
    override_usage = "kron diff [OPTIONS] <OLD> <NEW>",
    mut_arg("jobs", |jobs| jobs.value_names(["OLD", "NEW"]))
)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// List at most this many starts of each job; default: 5, with -o json all
    #[arg(short, long, value_name = "N")]
    count: Option<usize>,

    /// The form of the answer; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ReportForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for DiffArgs {
    const HELP: Help = Help {
        about: "Show which starts an edit of jobs adds, removes and moves",
        example: "git show HEAD:jobs.kron | kron diff - jobs.kron",
        range: Some(RANGE),
        notes: || {
            "OLD and NEW are the jobs before and after the edit, which is made at the beginning of the range."
                .to_string()
        },
        exit_codes: "0 the same starts; 1 starts differ; 2 bad arguments or input",
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

fn run(args: &DiffArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Windows);
    let [old, new] = Input::read_pair(request, session)?;
    let [old, new] = [fleet(old, session)?, fleet(new, session)?];
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let range = args.range.resolve(None, RANGE, &zone, session)?;
    check_years(&range, session)?;
    let (from, until) = (range.from, range.to);
    let count = args.count.unwrap_or(if form == ReportForm::Json { usize::MAX } else { COUNT });

    // Before anything is printed, because a terminal shows the progress.
    let peaks = peaks([&old, &new], from, until);
    let diff = FleetDiff { old: &old, new: &new, range: from..until };
    // The totals are known after the jobs.
    let mut of_jobs = Vec::new();
    let total = match form {
        ReportForm::Json => diff.write_json(count, &peaks, &mut session.out)?,
        ReportForm::Text => diff.jobs(count, |job| job.write(&mut of_jobs))?,
    };
    if form == ReportForm::Text {
        let [old, new] = &peaks;
        let mut totals = Vec::new();
        let changes = match total.starts {
            [0, 0, 0] => "The same starts".to_string(),
            starts => starts_words(&starts),
        };
        // The second of the call says nothing.
        let minute = |at: i64| at - at.rem_euclid(60);
        let range = words::range(minute(from), minute(until), &zone);
        let columns = session.terminal_size().map_or(usize::MAX, |(columns, _)| usize::from(columns));
        for line in wrapped(&format!("{changes}, {range}, {}", zone.name()), columns, "  ") {
            writeln!(totals, "{line}")?;
        }
        writeln!(totals, "starts  {} -> {}", grouped(old.starts), grouped(new.starts))?;
        writeln!(totals, "peak    {} -> {}", peak_words(old), peak_words(new))?;
        writeln!(totals, "jobs    {}", jobs_words(&total.jobs))?;
        if total.at_edit > 0 {
            writeln!(totals, "edit    {} skipped or repeated", plural(total.at_edit, "period"))?;
        }
        // They stand where a person looks: first, or last on a screen that does not show the beginning.
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        let rows = session.terminal_size().map(|(_, rows)| usize::from(rows));
        let parts = match rows.is_some_and(|rows| lines(&totals) + lines(&of_jobs) >= rows) {
            false => [totals, of_jobs],
            true => [of_jobs.trim_ascii_start().to_vec(), [b"\n", &*totals].concat()],
        };
        session.out.write_all(&parts.concat())?;
    }
    let mut failed = false;
    for (fleet, peak) in [&old, &new].into_iter().zip(&peaks) {
        for (index, error) in &peak.errors {
            session.report(&search_failed(&fleet.jobs()[*index], error));
            failed = true;
        }
    }
    let same = !failed && total.starts == [0; 3] && total.at_edit == 0;
    Ok(if same { ExitStatus::Success } else { ExitStatus::Failure })
}

/// The busiest minutes. Their count shows its progress on a terminal.
fn peaks(fleets: [&Fleet; 2], from: i64, until: i64) -> [Peak; 2] {
    let all = fleets.iter().map(|fleet| fleet.jobs().len()).sum();
    let (progress, mut done) = (Progress::new("the jobs"), 0);
    fleets.map(|fleet| {
        let Ok(peak) = fleet.peak_with(from..until, || {
            progress.show(done, all);
            done += 1;
            Ok::<(), Infallible>(())
        });
        peak
    })
}

/// The jobs of OLD or NEW, which may have none.
fn fleet(input: Input, session: &mut Session<'_>) -> Result<Fleet, Stop> {
    Ok(Fleet::new(input.without_errors(session)?.into_jobs())?)
}
