//! `kron audit`: the periods that KronJobs should have started, against the Jobs of a cluster.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use kron_convert::{Format, recognize};
use kron_core::{
    AUDIT_SPAN, AuditSpan, Instant as _, KronJobAudit, KronJobSnapshot, MissCause, ObjectFindingCode,
    Snapshot,
};

use super::times::{instant, zone_of};
use crate::args::TzArgs;
use crate::exit_status::ExitStatus;
use crate::input::{files_of, read_file};
use crate::output::audit::{self as output, Finding, JobReport};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ReportForm;
use crate::output::plural::plural;
use crate::output::progress::Progress;
use crate::session::{Session, Stop};
use crate::time_arg::{LengthArg, TimeArg};

/// Compare the periods of KronJobs with the Jobs of a cluster
///
/// Computes which periods should have been started, looks for the Job of each, and says why those without a
/// Job were not started. Compares the labels and the name of each Job with the decision, computed again.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kubectl get kronjobs,jobs,events -A -o json | kron audit -f -
      everything that the objects of a cluster prove, up to now
  kubectl get kronjobs,jobs,events -A -o json | kron audit -f - --for 1h --allow forbid --allow unschedulable
      an alert: exit code 1 if a start was missed in the last hour for another reason
  kron audit -f examples/audit/cluster.json --until 2026-03-02T12:00:00Z -o json
      objects that were read earlier; --until is the time at which they were read

Exit codes: 0 no findings; 1 findings; 2 bad arguments or input"
)]
pub(crate) struct AuditArgs {
    /// KronJobs, Jobs and Events in JSON or YAML, as `kubectl get kronjobs,jobs,events -A -o json` prints them; `-` is
    /// standard input; may be repeated
    #[arg(short, long = "file", value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Audit periods with chosen times from this time on; default: as far back as the objects prove something
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<TimeArg>,

    /// The time at which the objects were read; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) until: Option<TimeArg>,

    /// Audit so much time before --until instead of --from: 24h, 7d; at most 366d
    #[arg(long = "for", value_name = "LENGTH", value_parser = LengthArg::parse, conflicts_with = "from")]
    pub(crate) length: Option<LengthArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// Leave out the findings with this code; may be repeated
    #[arg(long, value_name = "CODE", value_parser = codes(), hide_possible_values = true)]
    pub(crate) allow: Vec<String>,

    /// The form of the answer
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ReportForm,
}

/// The codes of findings: why a period was not started, and what is wrong with an object.
fn codes() -> PossibleValuesParser {
    let periods = MissCause::WORDS.iter().filter(|word| !NO_FINDINGS.map(MissCause::as_str).contains(word));
    PossibleValuesParser::new(periods.chain(ObjectFindingCode::WORDS).copied())
}

/// Causes of periods that nothing is wrong with.
const NO_FINDINGS: [MissCause; 2] = [MissCause::Suspended, MissCause::NotInForce];

/// How to get an input.
const WRITE_INPUT: &str = "an audit reads what `kubectl get kronjobs,jobs,events -A -o json` writes";

/// Most periods in one answer: they are all in memory.
const PERIODS_MAX: usize = 300_000;

pub(crate) fn run(args: &AuditArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let snapshot = read(args, session)?;
    let zone = zone_of(&args.tz, session)?;
    let until = match args.until {
        Some(until) => instant("--until", until, &zone, session)?.floor(),
        None => session.now().floor(),
    };
    let from = match (args.from, args.length) {
        (Some(from), _) => Some(instant("--from", from, &zone, session)?.ceil()),
        (None, Some(length)) => {
            let from = length.before(until, &zone);
            Some(from.map_err(|error| session.fail(&error, ExitStatus::Error))?)
        }
        (None, None) => None,
    };
    let wrong = match from {
        Some(from) if from >= until => Some("--from is not before --until"),
        Some(from) if from < until.saturating_sub(AUDIT_SPAN) => Some("an audit spans at most 366 days"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        let mut error = Diagnostic::error(wrong);
        error.help = Some("choose a later --from, or use --for".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    }
    let (mut reports, mut periods) = (Vec::new(), 0);
    let progress = Progress::new("the KronJobs");
    for (done, kronjob) in snapshot.kronjobs.iter().enumerate() {
        progress.show(done, snapshot.kronjobs.len());
        let report = report(kronjob, from, until, &args.allow);
        periods += report.periods.len();
        if periods > PERIODS_MAX {
            progress.end();
            let mut error = Diagnostic::error(format!("the span has more than {PERIODS_MAX} periods"));
            error.help = Some("choose a shorter span, such as `--for 24h`, or fewer KronJobs".to_string());
            return Err(session.fail(&error, ExitStatus::Error));
        }
        reports.push(report);
    }
    progress.end();
    match args.output {
        ReportForm::Text => output::text(&mut session.out, &reports, until)?,
        ReportForm::Json => output::json(&mut session.out, &reports, until)?,
    }
    let mut audited = reports.iter().flat_map(|report| &report.periods);
    if audited.any(|period| period.cause == Some(MissCause::NoJobs)) {
        let mut note = Diagnostic::note("the input has no Job: nothing shows which periods were executed");
        note.help = Some("read Jobs, too: `kubectl get kronjobs,jobs,events -A -o json`".to_string());
        session.report(&note);
    }
    if snapshot.other_jobs > 0 {
        let jobs = plural(snapshot.other_jobs, "Job");
        session.report(&Diagnostic::note(format!("{jobs} of KronJobs that are not in the input")));
    }
    let found = reports.iter().any(|report| !report.findings.is_empty());
    Ok(if found { ExitStatus::Failure } else { ExitStatus::Success })
}

/// The objects of all files.
fn read(args: &AuditArgs, session: &mut Session<'_>) -> Result<Snapshot, Stop> {
    let parser = session.parser()?;
    let mut sources = Vec::new();
    for path in &args.files {
        let files = files_of(path).map_err(|error| session.fail(&error, ExitStatus::Error))?;
        for file in files {
            let source = read_file(&file, session);
            sources.push((file, source.map_err(|error| session.fail(&error, ExitStatus::Error))?));
        }
    }
    let texts: Vec<&str> = sources.iter().map(|(_, source)| &*source.text).collect();
    let snapshot = parser.snapshot(&texts).map_err(|error| {
        let mut diagnostic = Diagnostic::of_error(&error);
        // The file that is wrong by itself.
        let wrong = sources.iter().find(|(_, source)| parser.snapshot(&[&source.text]).is_err());
        diagnostic.file = wrong.map(|(file, _)| file.display().to_string());
        // A job file, for instance, is not YAML: what is wrong in it does not say what to read instead.
        diagnostic.help.get_or_insert_with(|| WRITE_INPUT.to_string());
        session.fail(&diagnostic, ExitStatus::Error)
    })?;
    if snapshot.kronjobs.is_empty() {
        let mut error = Diagnostic::error("there is no KronJob in the input");
        let cronjobs = texts.iter().any(|text| recognize(text) == Some(Format::CronJob));
        error.help = Some(if cronjobs {
            "an audit is about KronJobs, not CronJobs: `kron convert` makes KronJobs of CronJobs".to_string()
        } else {
            WRITE_INPUT.to_string()
        });
        return Err(session.fail(&error, ExitStatus::Error));
    }
    Ok(snapshot)
}

/// The audit of a KronJob, with the findings that are not allowed.
fn report<'a>(
    kronjob: &'a KronJobSnapshot,
    from: Option<i64>,
    until: i64,
    allow: &[String],
) -> JobReport<'a> {
    let span = AuditSpan { from, now: until, has_all_jobs: false };
    let KronJobAudit { from, periods, findings, .. } = kronjob.audit(span);
    let misses = periods.iter().filter_map(Finding::of_period);
    let findings = misses.chain(findings.into_iter().map(Finding::of_object));
    let findings = findings.filter(|finding| allow.iter().all(|code| *code != finding.code)).collect();
    JobReport { name: kronjob.name(), from, periods, findings }
}
