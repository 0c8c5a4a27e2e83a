//! `kron audit`: the periods that KronJobs should have started, against the Jobs of a cluster.

use clap::Args;
use clap::builder::PossibleValuesParser;
use kron_core::Instant as _;
use kron_formats::audit::MissCause;
use kron_formats::convert::{Format, recognize};
use kron_formats::snapshot::{
    AUDIT_SPAN, AuditSpan, KronJobAudit, KronJobSnapshot, ObjectFindingCode, Snapshot,
};

use crate::args::SaveArgs;
use crate::args::files::FileArgs;
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs};
use crate::args::time::{TzArgs, civil_day, instant, zone_of};
use crate::exit_status::ExitStatus;
use crate::files::{Source, files_of, read_all};
use crate::output::audit::{self as output, Finding, JobReport};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ReportForm;
use crate::output::plural::plural;
use crate::output::progress::Progress;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The range without options. It ends now, and its beginning is different for each KronJob.
const RANGE: DefaultRange = DefaultRange {
    words: "all that the objects prove, up to now",
    begin: Begin::Now,
    length: Length::Endless,
    days_max: Some(366),
};

/// The arguments of `audit`.
#[derive(Debug, Args)]
#[command(
    mut_arg("named", |named| named.help("KronJobs, Jobs and Events in JSON or YAML, as kubectl prints them; `-` is standard input")),
    mut_arg("until", |until| until.help("End at this time: when the objects were read"))
)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    files: FileArgs,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// Leave out the findings with this code; may be repeated
    #[arg(long, value_name = "CODE", value_parser = codes(), hide_possible_values = true)]
    allow: Vec<String>,

    /// The form of the answer; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ReportForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for AuditArgs {
    const HELP: Help = Help {
        about: "Find the starts that a cluster missed, and say why",
        example: "kubectl get kronjobs,jobs,events -A -o json | kron audit -",
        range: Some(RANGE),
        notes: || {
            "Kron computes which periods should have been started, and looks for the Job of each among the objects. It also \
             computes each decision again, and compares the labels and the name of the Job with it."
                .to_string()
        },
        exit_codes: "0 no findings; 1 findings; 2 bad arguments or input",
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

/// The codes of findings: why a period was not started, and what is wrong with an object.
fn codes() -> PossibleValuesParser {
    let periods = MissCause::WORDS.iter().filter(|word| !NO_FINDINGS.map(MissCause::as_str).contains(word));
    PossibleValuesParser::new(periods.chain(ObjectFindingCode::WORDS).copied())
}

/// Causes of periods that nothing is wrong with.
const NO_FINDINGS: [MissCause; 2] = [MissCause::Suspended, MissCause::NotInForce];

/// How to get an input.
const WRITE_INPUT: &str = "an audit reads what `kubectl get kronjobs,jobs,events -A -o json` writes";

/// The age in seconds from which on the newest object suggests that the input is old.
const OLD: i64 = 86_400;

/// Most periods in one answer: they are all in memory.
const PERIODS_MAX: usize = 300_000;

fn run(args: &AuditArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let snapshot = read(args, session)?;
    let (from, until) = span(args, session)?;
    let (mut reports, mut periods) = (Vec::new(), 0);
    let progress = Progress::new("the KronJobs");
    for (done, kronjob) in snapshot.kronjobs.iter().enumerate() {
        progress.show(done, snapshot.kronjobs.len());
        let report = report(kronjob, from, until, &args.allow);
        periods += report.periods.len();
        if periods > PERIODS_MAX {
            progress.end();
            let error = Diagnostic::error(format!("the range has more than {PERIODS_MAX} periods"));
            return Err(error.help("choose a shorter range, such as `--for 24h`, or fewer KronJobs").into());
        }
        reports.push(report);
    }
    progress.end();
    match form {
        ReportForm::Text => {
            let columns = session.terminal_size().map(|_| session.terminal().columns);
            output::text(&mut session.out, &reports, until, columns)?;
        }
        ReportForm::Json => output::json(&mut session.out, &reports, until)?,
    }
    let mut audited = reports.iter().flat_map(|report| &report.periods);
    if audited.any(|period| period.cause == Some(MissCause::NoJobs)) {
        let note = Diagnostic::note("the input has no Job: nothing shows which periods were executed");
        session.report(&note.help("read Jobs, too: `kubectl get kronjobs,jobs,events -A -o json`"));
    }
    if snapshot.other_jobs > 0 {
        let jobs = plural(snapshot.other_jobs, "Job");
        session.report(&Diagnostic::note(format!("{jobs} of KronJobs that are not in the input")));
    }
    // Who reads a file of last month asks about last month.
    let is_old = |newest: &i64| args.range.until.is_none() && until.saturating_sub(*newest) > OLD;
    if let Some(newest) = snapshot.newest.filter(is_old) {
        let newest = time::utc_of(newest);
        let note = Diagnostic::note(format!("the newest object of the input was created at {newest}"));
        let help = format!("if the input was read then, add `--until {newest}`");
        session.report(&note.help(help));
    }
    let found = reports.iter().any(|report| !report.findings.is_empty());
    Ok(if found { ExitStatus::Failure } else { ExitStatus::Success })
}

/// The first second of the range, if an argument gives it, and the second at which the objects were read.
fn span(args: &AuditArgs, session: &mut Session<'_>) -> Result<(Option<i64>, i64), Stop> {
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let RangeArgs { from, until, length, day } = args.range;
    if let Some(day) = day {
        let day = civil_day("--day", day, &zone, session)?;
        return Ok((Some(day.first), day.end));
    }
    let instant = |option, time, session: &mut Session<'_>| instant(option, time, &zone, session);
    let (from, until) = match (from, until, length) {
        (Some(_), Some(_), Some(_)) => return Err(RangeArgs::named_twice()),
        (Some(from), None, Some(length)) => {
            let from = instant("--from", from, session)?.ceil();
            (Some(from), from.saturating_add(length.0))
        }
        (from, until, length) => {
            let until = match until {
                Some(until) => instant("--until", until, session)?.floor(),
                None => session.now().floor(),
            };
            let from = from.map(|from| instant("--from", from, session)).transpose()?;
            (from.map(|from| from.ceil()).or_else(|| Some(until.saturating_sub(length?.0))), until)
        }
    };
    let wrong = match from {
        Some(from) if from >= until => {
            ("--from is not before --until", "choose an earlier --from, or use --for")
        }
        Some(from) if from < until.saturating_sub(AUDIT_SPAN) => {
            ("an audit spans at most 366 days", "choose a later --from, or use --for")
        }
        _ => return Ok((from, until)),
    };
    Err(Diagnostic::error(wrong.0).help(wrong.1).into())
}

/// The objects of all files.
fn read(args: &AuditArgs, session: &mut Session<'_>) -> Result<Snapshot, Stop> {
    let parser = session.parser()?;
    let mut files = Vec::new();
    for path in &args.files.some(session)? {
        files.extend(files_of(path)?);
    }
    let sources = read_all(&files, session)?;
    let texts: Vec<&str> = sources.iter().map(|source| &*source.text).collect();
    let snapshot = Snapshot::read(&parser, &texts).map_err(|error| {
        // The file that is wrong by itself.
        let wrong = sources.iter().find(|source| Snapshot::read(&parser, &[&source.text]).is_err());
        let is_job_file = |source: &&Source| parser.job_file(&source.text).is_ok();
        if let Some(source) = wrong.filter(is_job_file) {
            let error = Diagnostic::error("this is a job file, and an audit is of KronJobs in a cluster");
            let help = "for jobs of `kron run`, use `kron status` and `kron history`; an audit reads what `kubectl get \
                        kronjobs,jobs,events -A -o json` writes";
            return Diagnostic { file: source.file.clone(), ..error.help(help) };
        }
        let mut found = wrong.map_or_else(|| Diagnostic::of_error(&error), |source| source.problem(&error));
        // A text of another kind, for instance: what is wrong in it does not say what to read instead.
        found.help.get_or_insert_with(|| WRITE_INPUT.to_string());
        found
    })?;
    if snapshot.kronjobs.is_empty() {
        let error = Diagnostic::error("there is no KronJob in the input");
        let cronjobs = texts.iter().any(|text| recognize(text) == Some(Format::CronJob));
        return Err(error
            .help(if cronjobs {
                "an audit is about KronJobs, not CronJobs: `kron convert` makes KronJobs of CronJobs"
            } else {
                WRITE_INPUT
            })
            .into());
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
