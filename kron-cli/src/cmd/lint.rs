//! `kron lint`: errors, warnings and notes about all jobs.

use std::io::{self, Write as _};

use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use kron_core::{
    FindingCode, FleetFinding, FleetJob, LintCode, LintOptions, Severity, Zone, lint, lint_fleet, lint_tzdb,
};

use super::times::at_or_now;
use crate::args::{JobArgs, TzArgs, years};
use crate::codes;
use crate::complete;
use crate::exit_status::ExitStatus;
use crate::input::{Entry, Input, NameFor};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::LintForm;
use crate::output::json::Array;
use crate::output::plural::plural;
use crate::output::{github, sarif};
use crate::session::{Session, Stop};
use crate::time_arg::TimeArg;

/// How many periods are examined for all jobs together, so that a file of many jobs takes seconds.
const PERIODS: usize = 10_000_000;
/// How many periods of one job are examined: the most, and the least.
const PERIODS_OF_JOB: (usize, usize) = (10_000, 50);

/// Find errors and surprises
///
/// Errors are shown with the place in the text. Warnings are for jobs that probably do not do what was
/// intended: they never start, their schedule does not mean what it seems to mean, their windows
/// overlap, many of them start in the same second. Notes are worth knowing, and need no change.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = lint_help()
)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// Drop warnings and notes with this code; may be repeated
    ///
    /// A comment `# kron: allow(code)` on the line before a job does this for that job, even
    /// with --deny; findings about several jobs then leave it out. Errors are always reported.
    #[arg(long, value_name = "CODE", value_parser = codes::parse, verbatim_doc_comment)]
    #[arg(add = ArgValueCandidates::new(complete::lint_codes))]
    pub(crate) allow: Vec<LintCode>,

    /// Report warnings and notes with this code as errors; may be repeated
    #[arg(long, value_name = "CODE", value_parser = codes::parse)]
    #[arg(add = ArgValueCandidates::new(complete::lint_codes))]
    pub(crate) deny: Vec<LintCode>,

    /// Print no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Look this many years ahead
    #[arg(long, value_name = "N", value_parser = years, allow_hyphen_values = true)]
    pub(crate) years: Option<u32>,

    /// Look ahead from this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) at: Option<TimeArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// The form of the findings
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: LintForm,
}

/// What `kron lint --help` shows after the options.
fn lint_help() -> String {
    format!(
        "\
Codes of warnings and notes, for --allow and --deny:
{}
Examples:
  kron lint '0 9 * * FRI-SUN'
      the error and its help
  kron lint -f jobs.kron -f manifests.yaml --years 10
      all findings about two files and the next ten years
  kron lint -f jobs/ --allow no-deadline --deny never-fires -o github
      annotations for a workflow of GitHub Actions

Exit codes: 0 no findings, or only notes; 1 errors or warnings; 2 bad arguments, or a file that cannot be read",
        codes::table()
    )
}

pub(crate) fn run(args: &LintArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if let Some(code) = args.allow.iter().find(|code| args.deny.contains(code)) {
        let message = format!("--allow and --deny both name `{code}`");
        return Err(session.fail(&Diagnostic::error(message), ExitStatus::Error));
    }
    let input = Input::read(&args.jobs, NameFor::None, session)?;
    let (most, least) = PERIODS_OF_JOB;
    let periods = (PERIODS / input.entries.len().max(1)).clamp(least, most);
    let mut options = LintOptions::default().with_periods(periods);
    if let Some(years) = args.years {
        options = options.with_years(years);
    }
    let mut report = Report { args, counts: [0; 3], array: Array::default(), all: Vec::new() };
    // A program that reads the findings does not see stderr.
    let printed = if args.output == LintForm::Table { &[][..] } else { &input.unreadable[..] };
    for problem in printed.iter().chain(&input.problems) {
        report.add(problem.clone(), &[], session)?;
    }
    if !input.entries.is_empty() {
        let at = at_or_now(args.at, &args.tz, session)?;
        let mut entries_allowed = Vec::with_capacity(input.entries.len());
        for entry in &input.entries {
            let allowed = match input.allowed(entry) {
                Ok(allowed) => allowed,
                Err(diagnostic) => {
                    report.add(*diagnostic, &[], session)?;
                    Vec::new()
                }
            };
            for finding in lint(&entry.job, entry.text.as_deref(), at, &options) {
                let span = finding.span.clone();
                let diagnostic = input.locate(entry, Diagnostic::of_finding(finding), span);
                report.add(diagnostic, &allowed, session)?;
            }
            entries_allowed.push(allowed);
        }
        let fleet = input.entries.iter().zip(&entries_allowed).map(|(entry, allowed)| FleetJob {
            job: &entry.job,
            command: entry.field("command"),
            allowed,
        });
        for FleetFinding { finding, jobs, .. } in lint_fleet(fleet, at) {
            let entries: Vec<&Entry> = jobs.into_iter().map(|index| &input.entries[index]).collect();
            let diagnostic = input.locate_fleet(&entries, Diagnostic::of_finding(finding));
            report.add(diagnostic, &[], session)?;
        }
        let zones: Vec<Zone> =
            input.entries.iter().map(|entry| entry.job.spec().timezone().clone()).collect();
        for finding in lint_tzdb(&zones, &session.tz_database()?, at) {
            report.add(Diagnostic::of_finding(finding), &[], session)?;
        }
    }
    let counts = report.end(session)?;

    let of = |severity: Severity| counts[severity as usize];
    let (errors, warnings) =
        (of(Severity::Error) + input.unreadable.len() - printed.len(), of(Severity::Warning));
    let summary = [
        plural(errors, "error"),
        plural(warnings, "warning"),
        plural(of(Severity::Note), "note"),
        format!("{} read", plural(input.entries.len(), "job")),
    ];
    if !args.quiet {
        session.remark(&summary.join(", "));
    }
    Ok(match errors + warnings {
        _ if !input.unreadable.is_empty() => ExitStatus::Error,
        0 => ExitStatus::Success,
        _ => ExitStatus::Failure,
    })
}

/// The findings that are printed.
struct Report<'a> {
    args: &'a LintArgs,
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
        allowed: &[LintCode],
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        if let Some(FindingCode::Lint(code)) = it.code {
            if self.args.allow.contains(&code) || allowed.contains(&code) {
                return Ok(());
            }
            if self.args.deny.contains(&code) {
                it.severity = Severity::Error;
            }
        }
        self.counts[it.severity as usize] += 1;
        match self.args.output {
            LintForm::Json => self.array.item(&mut session.out, &it)?,
            LintForm::Table => writeln!(session.out, "{}\n", it.render(session.colored_out))?,
            LintForm::Github => writeln!(session.out, "{}", github::command(&it))?,
            LintForm::Sarif => self.all.push(it),
        }
        Ok(())
    }

    /// Prints the remaining findings, and returns their numbers.
    fn end(self, session: &mut Session<'_>) -> Result<[usize; 3], Stop> {
        match self.args.output {
            LintForm::Json => self.array.end(&mut session.out)?,
            LintForm::Sarif => {
                let text = serde_json::to_string_pretty(&sarif::log(&self.all)).map_err(io::Error::from)?;
                writeln!(session.out, "{text}")?;
            }
            LintForm::Table | LintForm::Github => {}
        }
        Ok(self.counts)
    }
}
