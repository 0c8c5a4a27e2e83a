//! `kron convert`: schedules of other programs as jobs of Kron.

use clap::Args;
use kron_core::Duration;
use kron_formats::convert::{ConvertFinding, Format, Options, convert};
use std::io::Write as _;

use crate::args::SaveArgs;
use crate::args::files::FileArgs;
use crate::args::reading::FormatArgs;
use crate::args::time::zone_of;
use crate::exit_status::ExitStatus;
use crate::files::{path_of, read_all};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::duration;

/// The arguments of `convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    files: FileArgs,

    #[command(flatten)]
    format: FormatArgs,

    /// The window of jobs that have none in their source, such as 30m
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true)]
    window: Option<Duration>,

    /// Keep each job at one place in the window of --window
    #[arg(long, requires = "window")]
    fixed: bool,

    /// Suspend all jobs, to switch over from their sources one by one
    #[arg(long)]
    suspend: bool,

    /// The namespace of manifests that name none, and the part before the `/` of names in a job file
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,

    /// The time zone of schedules that name none; default: this machine's for crontabs and timers, else UTC
    ///
    /// CronJobs without a time zone stay without one.
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for ConvertArgs {
    const HELP: Help = Help {
        about: "Turn crontabs, CronJobs, timers and others into jobs of Kron",
        example: "crontab -l | kron convert - --window 30m --save jobs.kron",
        range: None,
        notes: || {
            format!(
                "CronJobs become KronJobs, and everything else becomes a job file; comments are kept. A schedule that Kron cannot \
                 express is refused: it is left out of the output, and the reason is on stderr.\n\n\
                 Formats: {}",
                Format::WORDS.join(", ")
            )
        },
        exit_codes: "0 success; 1 something is refused; 2 bad arguments or input",
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

fn run(args: &ConvertArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let paths = args.files.some(session)?;
    let files = read_all(&paths, session)?;
    let names: Vec<String> = paths.iter().map(|path| path_of(path)).collect();
    let sources =
        files.iter().zip(&names).map(|(file, name)| kron_formats::convert::Source { name, text: &file.text });
    let sources: Vec<kron_formats::convert::Source<'_>> = sources.collect();
    // An unknown zone is an error of the arguments, not of every job.
    zone_of(args.tz.as_deref(), session)?;
    let options = Options {
        format: args.format.format,
        window: args.window,
        fixed: args.fixed,
        suspend: args.suspend,
        namespace: args.namespace.clone(),
        timezone: args.tz.clone(),
        host_timezone: session.zone_of_machine()?,
        parser: session.parser()?,
    };
    let about = |found: &ConvertFinding| {
        let file = files.get(found.source).and_then(|file| file.file.as_deref());
        Diagnostic::of_conversion(found, file)
    };
    let converted = convert(&sources, &options).map_err(|found| about(&found))?;
    session.out.write_all(converted.text.as_bytes())?;
    for found in &converted.findings {
        session.report(&about(found));
    }
    Ok(if converted.refused > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}
