//! `kron export`: jobs as a crontab or as units of systemd.

use std::io::Write as _;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use kron_core::Instant as _;
use kron_formats::LoadedJob;
use kron_formats::convert::{CronProgram, ExportOptions, Target, export};
use kron_formats::read::Differences;

use crate::args::SaveArgs;
use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::zone_of;
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop, unwritten};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `export`.
#[derive(Debug, Args)]
#[command(mut_arg("save", |save| {
    save.help("Write the crontab to this file, or the units of systemd to this directory, which must exist")
}))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    /// What to write
    #[arg(short, long, value_name = "FORM", value_parser = targets(), default_value = Target::Crontab.as_str())]
    output: Target,

    /// The cron that reads the crontab, of which only cronie knows CRON_TZ; default: any
    #[arg(long, value_name = "CRON", value_parser = crons())]
    cron: Option<CronProgram>,

    /// The time zone of schedules that name none; default: this machine's for crontabs and timers, else UTC
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for ExportArgs {
    const HELP: Help = Help {
        about: "Write jobs with commands as a crontab, or as timers of systemd",
        example: "kron export jobs.kron | crontab -",
        range: None,
        notes: || {
            "The command of a job with a window or constraints begins with `kron wait`, which sleeps until the chosen second. \
             -o systemd needs --save DIR, where it replaces the units of the same names."
                .to_string()
        },
        exit_codes: "0 success; 1 a job is refused; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        match self.output {
            // A directory.
            Target::Systemd => Save::Never,
            _ => Save::To(self.save.save.as_deref()),
        }
    }

    fn judges(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn targets() -> impl clap::builder::TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::WORDS.iter().copied()).map(|word| {
        // OK because only these words get here.
        Target::ALL.iter().copied().find(|target| target.as_str() == word).unwrap_or(Target::Crontab)
    })
}

fn crons() -> impl clap::builder::TypedValueParser<Value = CronProgram> {
    PossibleValuesParser::new(CronProgram::WORDS.iter().copied()).map(|word| {
        // OK because only these words get here.
        CronProgram::ALL.iter().copied().find(|cron| cron.as_str() == word).unwrap_or(CronProgram::Any)
    })
}

/// How these jobs are exported. The clock is read only where it matters.
fn options(args: &ExportArgs, jobs: &[LoadedJob], session: &mut Session<'_>) -> Result<ExportOptions, Stop> {
    let mut options = ExportOptions::new(args.output);
    options.cron = args.cron.unwrap_or(CronProgram::Any);
    if args.output != Target::Crontab || options.cron == CronProgram::Cronie {
        return Ok(options);
    }
    if let Some(name) = session.zone_of_machine()? {
        options.timezone = zone_of(Some(&name), session)?;
    }
    if jobs.iter().any(|job| *job.job.spec().timezone() != options.timezone) {
        options.now = session.now().floor();
    }
    Ok(options)
}

fn run(args: &ExportArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if args.cron.is_some() && args.output != Target::Crontab {
        return Err(Diagnostic::error("--cron is for `-o crontab`").help("leave it out").into());
    }
    let request = Request::new(&args.jobs, &args.reading, args.tz.as_deref(), NameFor::None);
    // The output is another text in place of the files, so all that it lacks is said.
    let request = Request { differences: Differences::All, ..request };
    let input = Input::read(request, session)?.without_errors(session)?;
    if input.entries.is_empty() {
        // `kron export ... | crontab -` would otherwise remove all jobs of a user.
        return Err(Diagnostic::error("there are no jobs to export").into());
    }
    if input.is_text() {
        let error = Diagnostic::error("a job text has no command, so there is nothing to export");
        return Err(error.help("write it with `command=...` into a job file").into());
    }
    if let Some(entry) = input.entries.iter().find(|entry| entry.is_manifest()) {
        let kind = if entry.is_of_other_system() { "CronJobs" } else { "KronJobs" };
        let error = Diagnostic::error(format!("{kind} have Jobs, not commands")).help("export a job file");
        return Err(input.locate(entry, error, None).into());
    }
    let input = input.pick(&args.pick)?;
    let dir = match args.output {
        Target::Systemd => {
            let missing = "--save says which directory gets the units, and is missing";
            let help = "write for example `kron export jobs.kron -o systemd --save /etc/systemd/system`";
            Some(args.save.save.as_ref().ok_or_else(|| Diagnostic::error(missing).help(help))?)
        }
        _ => None,
    };
    let jobs: Vec<LoadedJob> = input.entries.iter().filter_map(|entry| entry.loaded().cloned()).collect();
    let exported = export(&jobs, &options(args, &jobs, session)?);
    for (name, text) in &exported.files {
        match dir.map(|dir| dir.join(name)) {
            None => session.out.write_all(text.as_bytes())?,
            Some(path) => std::fs::write(&path, text).map_err(|failed| unwritten(&path, &failed))?,
        }
    }
    for found in &exported.findings {
        let file = input.entries.get(found.source).and_then(|entry| input.file_of(entry));
        session.report(&Diagnostic::of_conversion(found, file));
    }
    Ok(if exported.refused > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}
