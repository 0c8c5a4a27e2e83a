//! `kron lint`: errors, warnings and notes about all jobs.

use std::io::{self, Write as _};

use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use kron_core::error::FindingCode;
use kron_core::{Severity, Zone};
use kron_fleet::lint::{FleetFinding, FleetJob, LintCode, LintOptions, lint, lint_fleet, lint_tzdb};

use crate::args::SaveArgs;
use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, YearsArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::codes;
use crate::complete;
use crate::exit_status::ExitStatus;
use crate::input::{Entry, Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::LintForm;
use crate::output::grouped::grouped;
use crate::output::json::Array;
use crate::output::plural::plural;
use crate::output::terminal::{Terminal, wrapped};
use crate::output::{github, sarif};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::TimeArg;

/// How many periods are examined for all jobs together, so that a file of many jobs takes seconds.
const PERIODS: usize = 10_000_000;
/// How many periods of one job are examined: the most, and the least.
const PERIODS_OF_JOB: (usize, usize) = (10_000, 50);

/// The range without options.
const RANGE: DefaultRange =
    DefaultRange { words: "5 years from now", begin: Begin::Now, length: Length::Years(5), days_max: None };

/// The arguments of `lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    /// Leave out warnings and notes with this code; may be repeated
    ///
    /// A comment `# kron: allow(code)` on the line before a job does this for that job, even with --deny;
    /// findings about several jobs then leave that job out. Errors are always reported.
    #[arg(long, value_name = "CODE", value_parser = codes::parse)]
    #[arg(add = ArgValueCandidates::new(complete::lint_codes))]
    allow: Vec<FindingCode>,

    /// Report warnings and notes with this code as errors; may be repeated
    #[arg(long, value_name = "CODE", value_parser = codes::parse)]
    #[arg(add = ArgValueCandidates::new(complete::lint_codes))]
    deny: Vec<FindingCode>,

    /// Print no summary
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    range: RangeArgs,

    /// Begin after this time
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["from", "day"])]
    at: Option<TimeArg>,

    #[command(flatten)]
    years: YearsArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// The form of the findings; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<LintForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for LintArgs {
    const HELP: Help = Help {
        about: "Find errors in jobs, and what was probably not intended",
        example: "kron lint jobs.kron",
        range: Some(RANGE),
        notes: || {
            let codes = table_of_codes(Terminal::ANY.columns);
            format!("Codes of warnings and notes, for --allow and --deny:\n{}", codes.trim_end())
        },
        exit_codes: "0 no findings, or only notes; 1 errors or warnings; 2 bad arguments, or a file that cannot be read",
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

/// All codes with their descriptions, in lines of at most so many columns.
fn table_of_codes(columns: usize) -> String {
    let width = codes::all().map(|(code, _)| code.as_str().len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 4);
    let line = |(code, summary): (FindingCode, &str)| {
        let summary = wrapped(summary, columns.saturating_sub(indent.len()), "").join(&format!("\n{indent}"));
        format!("  {:width$}  {summary}\n", code.as_str())
    };
    codes::all().map(line).collect()
}

fn run(args: &LintArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    if let Some(code) = args.allow.iter().find(|code| args.deny.contains(code)) {
        return Err(Diagnostic::error(format!("--allow and --deny both name `{code}`")).into());
    }
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::None);
    let input = Input::read(request, session)?.pick(&args.pick)?;
    input.unreadable.iter().for_each(|error| session.report(error));
    let (most, least) = PERIODS_OF_JOB;
    let periods = (PERIODS / input.entries.len().max(1)).clamp(least, most);
    let mut report = Report { args, form, counts: [0; 3], array: Array::default(), all: Vec::new() };
    // A program that reads the findings does not see stderr.
    let printed = if form == LintForm::Text { &[][..] } else { &input.unreadable[..] };
    for problem in printed.iter().chain(&input.problems).chain(&input.notes) {
        report.add(problem.clone(), &[], session)?;
    }
    if !input.entries.is_empty() {
        let zone = zone_of(args.tz.zone.as_deref(), session)?;
        let range = args.range.resolve(args.at, RANGE.years(args.years), &zone, session)?;
        let at = range.from.saturating_sub(1);
        let options = LintOptions::default().with_periods(periods);
        let options = match args.years.years {
            Some(years) => options.with_years(years),
            None if args.range.has_end() => options.with_end(range.to.saturating_sub(1)),
            None => options,
        };
        let mut entries_allowed = Vec::with_capacity(input.entries.len());
        for entry in &input.entries {
            let allowed = match input.allowed(entry) {
                Ok(allowed) => allowed,
                Err(diagnostic) => {
                    report.add(*diagnostic, &[], session)?;
                    Vec::new()
                }
            };
            let options = if entry.has_days() { options } else { options.without_days() };
            let findings = lint(entry.job(), entry.text.as_deref(), at, &options).into_iter();
            // Another system starts it, whatever Kron does with late starts.
            let is_about_hosts = |code| entry.is_of_other_system() && code == LintCode::NoDeadline.into();
            for finding in findings.filter(|finding| !is_about_hosts(finding.code)) {
                let span = finding.span.clone();
                let diagnostic = input.locate(entry, Diagnostic::of_finding(finding), span);
                report.add(diagnostic, &allowed, session)?;
            }
            entries_allowed.push(allowed);
        }
        let fleet = input.entries.iter().zip(&entries_allowed).map(|(entry, allowed)| FleetJob {
            job: entry.job(),
            command: entry.field("command"),
            allowed,
        });
        for FleetFinding { finding, jobs, .. } in lint_fleet(fleet, at) {
            let entries: Vec<&Entry> = jobs.into_iter().map(|index| &input.entries[index]).collect();
            let diagnostic = input.locate_fleet(&entries, Diagnostic::of_finding(finding));
            report.add(diagnostic, &[], session)?;
        }
        let zones: Vec<Zone> =
            input.entries.iter().map(|entry| entry.job().spec().timezone().clone()).collect();
        for finding in lint_tzdb(&zones, &session.tz_database()?, at) {
            report.add(Diagnostic::of_finding(finding), &[], session)?;
        }
    }
    let counts = report.end(session)?;

    let of = |severity: Severity| counts[severity as usize];
    let (errors, warnings) =
        (of(Severity::Error) + input.unreadable.len() - printed.len(), of(Severity::Warning));
    if !args.quiet {
        let found = [(errors, "error"), (warnings, "warning"), (of(Severity::Note), "note")];
        session.remark(&summary(&found, input.entries.len()));
    }
    Ok(match errors + warnings {
        _ if !input.unreadable.is_empty() => ExitStatus::Error,
        0 => ExitStatus::Success,
        _ => ExitStatus::Failure,
    })
}

/// The numbers of findings that are not 0, and of jobs: `2 errors, 300 notes, 58 jobs read`.
fn summary(found: &[(usize, &str)], jobs: usize) -> String {
    let found = found.iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<String> = found.map(|(count, noun)| plural(*count, noun)).collect();
    if parts.is_empty() {
        parts.push("no findings".to_string());
    }
    parts.push(format!("{} read", plural(jobs, "job")));
    parts.join(", ")
}

/// The findings that are printed.
struct Report<'a> {
    args: &'a LintArgs,
    form: LintForm,
    /// How many there are of each severity.
    counts: [usize; 3],
    array: Array,
    /// Findings of a form that is written as a whole.
    all: Vec<Diagnostic>,
}

impl Report<'_> {
    /// Prints a finding, unless it is allowed: for all jobs, or by these codes.
    fn add(
        &mut self,
        mut it: Diagnostic,
        allowed: &[FindingCode],
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        if let Some(code) = it.code.filter(|code| codes::is_of_lint(*code)) {
            if self.args.allow.contains(&code) || allowed.contains(&code) {
                return Ok(());
            }
            if self.args.deny.contains(&code) {
                it.severity = Severity::Error;
            }
        }
        self.counts[it.severity as usize] += 1;
        match self.form {
            LintForm::Json => self.array.item(&mut session.out, &it)?,
            LintForm::Github => writeln!(session.out, "{}", github::command(&it))?,
            LintForm::Text | LintForm::Sarif => self.all.push(it),
        }
        Ok(())
    }

    /// Prints the remaining findings, and returns their numbers.
    fn end(self, session: &mut Session<'_>) -> Result<[usize; 3], Stop> {
        match self.form {
            LintForm::Json => self.array.end(&mut session.out)?,
            LintForm::Sarif => {
                let text = serde_json::to_string_pretty(&sarif::log(&self.all)).map_err(io::Error::from)?;
                writeln!(session.out, "{text}")?;
            }
            LintForm::Text => {
                let columns = session.terminal_size().map(|_| session.terminal().columns);
                for it in grouped(self.all) {
                    writeln!(session.out, "{}\n", it.render(session.colored_out, columns))?;
                }
            }
            LintForm::Github => {}
        }
        Ok(self.counts)
    }
}
