//! `kron lint`: errors, warnings and notes about all jobs.

use std::io::Write as _;

use kron_core::{LintOptions, Severity, Zone, lint, lint_tzdb};

use super::at_or_now;
use crate::ExitStatus;
use crate::args::{LintArgs, LintForm};
use crate::input::Input;
use crate::output::diagnostic::Diagnostic;
use crate::output::json::Array;
use crate::session::{Session, Stop};

pub(crate) fn run(args: &LintArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let input = Input::read(&args.jobs, false, session)?;
    let mut options = LintOptions::default();
    if let Some(years) = args.years {
        options = options.with_years(years);
    }
    let mut array = Array::default();
    let mut counts = [0; 3];
    let mut print = |diagnostic: &Diagnostic, session: &mut Session<'_>| -> Result<(), Stop> {
        counts[diagnostic.severity as usize] += 1;
        match args.output {
            LintForm::Json => array.item(&mut session.out, diagnostic)?,
            LintForm::Table => writeln!(session.out, "{}\n", diagnostic.render(session.colored_out))?,
        }
        Ok(())
    };
    for problem in &input.problems {
        print(problem, session)?;
    }
    if !input.entries.is_empty() {
        let at = at_or_now(args.at, &args.tz, session)?;
        for entry in &input.entries {
            for finding in lint(&entry.job, entry.text.as_deref(), at, &options) {
                let span = finding.span.clone();
                print(&input.locate(entry, Diagnostic::of_finding(finding), span), session)?;
            }
        }
        let zones: Vec<Zone> =
            input.entries.iter().map(|entry| entry.job.spec().timezone().clone()).collect();
        for finding in lint_tzdb(&zones, &session.tz_database()?, at) {
            print(&Diagnostic::of_finding(finding), session)?;
        }
    }
    if args.output == LintForm::Json {
        array.end(&mut session.out)?;
    }

    let of = |severity: Severity| counts[severity as usize];
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let summary = [
        amount(errors, "error"),
        amount(warnings, "warning"),
        amount(of(Severity::Note), "note"),
        format!("{} read", amount(input.entries.len(), "job")),
    ];
    session.remark(&summary.join(", "));
    Ok(match input.unreadable {
        true => ExitStatus::Error,
        false if errors + warnings > 0 => ExitStatus::Failure,
        false => ExitStatus::Success,
    })
}

fn amount(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
