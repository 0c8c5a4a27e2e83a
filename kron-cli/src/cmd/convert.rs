//! `kron convert`: schedules of other programs as jobs of Kron.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueHint};
use kron_convert::{Format, Message, Options, convert};
use kron_core::Duration;

use super::times::zone_of;
use crate::args::TzArgs;
use crate::exit_status::ExitStatus;
use crate::input::{Source, read_file};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};
use crate::time_arg::duration;

/// Convert CronJobs, crontabs, Jenkins schedules, systemd timers and CronWorkflows
///
/// Prints KronJob manifests for CronJobs, and a job file for everything else. Schedules that Kron cannot
/// express are refused: they are left out of the output, and the reason is on stderr. Comments of YAML
/// files and crontabs are kept.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kubectl get cronjobs -A -o yaml | kron convert - > kronjobs.yaml
      all CronJobs of a cluster; they start at the same times as before
  kron convert backup.yaml --window 30m --fixed
      the same second of the 30 minutes after the time of the schedule, each time
  crontab -l | kron convert - --from crontab --tz Europe/Paris -n web-1 > web-1.kron
      a user's crontab; its jobs are named web-1/...
  kron convert --from cron.d /etc/crontab /etc/cron.d/* --tz Europe/Paris > system.kron
      crontabs with a column of users
  kron convert jobs/*/config.xml --tz Europe/Paris
      the timers of jobs in Jenkins, named after their directories
  kron convert backup.timer backup.service --tz Europe/Paris
      a timer of systemd; the service gives the command

Exit codes: 0 success; 1 something is refused; 2 bad arguments or input"
)]
pub(crate) struct ConvertArgs {
    /// Files to convert; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// The format of the files; default: what their content shows
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,

    /// The length of the window of jobs that get none from their source, such as 30m
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) window: Option<Duration>,

    /// Keep each job at its place in the window of --window
    #[arg(long, requires = "window")]
    pub(crate) fixed: bool,

    /// Suspend all jobs, to switch over from their sources one by one
    ///
    /// docs/guide/kubernetes-migrate.md describes the switch-over from CronJobs.
    #[arg(long)]
    pub(crate) suspend: bool,

    /// The namespace of manifests that name none, and the part before the `/` of names in a job file
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,

    /// The time zone of schedules that name none: the one of the host they come from; default: UTC
    ///
    /// CronJobs without a time zone stay without one.
    #[arg(long, value_name = "ZONE")]
    pub(crate) tz: Option<String>,
}

fn formats() -> impl clap::builder::TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::word)).map(|word| {
        // OK because only these words get here.
        Format::ALL.into_iter().find(|format| format.word() == word).unwrap_or(Format::ALL[0])
    })
}

/// The name of a file. Jobs of Jenkins have their names in those of their directories.
fn name(path: &Path) -> String {
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = last(path).unwrap_or_default();
    let extension = match &name[..] {
        "config.xml" => "xml",
        "Jenkinsfile" => "groovy",
        _ => return name,
    };
    let directory = std::path::absolute(path).ok().and_then(|path| last(path.parent()?));
    directory.map_or(name, |directory| format!("{directory}.{extension}"))
}

pub(crate) fn run(args: &ConvertArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let mut files: Vec<Source> = Vec::new();
    for path in &args.files {
        let file = read_file(path, session).map_err(|error| session.fail(&error, ExitStatus::Error))?;
        files.push(file);
    }
    let names: Vec<String> = args.files.iter().map(|path| name(path)).collect();
    let sources =
        files.iter().zip(&names).map(|(file, name)| kron_convert::Source { name, text: &file.text });
    let sources: Vec<kron_convert::Source<'_>> = sources.collect();
    // An unknown zone is an error of the arguments, not of every job.
    zone_of(&TzArgs { zone: args.tz.clone() }, session)?;
    let options = Options {
        format: args.from,
        window: args.window,
        fixed: args.fixed,
        suspend: args.suspend,
        namespace: args.namespace.clone(),
        timezone: args.tz.clone(),
        parser: session.parser()?,
    };
    let about = |message: &Message| {
        let file = files.get(message.source).and_then(|file| file.file.as_deref());
        Diagnostic::of_conversion(message, file)
    };
    let converted =
        convert(&sources, &options).map_err(|message| session.fail(&about(&message), ExitStatus::Error))?;
    session.out.write_all(converted.text.as_bytes())?;
    for message in &converted.messages {
        session.report(&about(message));
    }
    Ok(if converted.refused > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}
