//! `kron export`: jobs as a crontab or as units of systemd.

use std::io::Write as _;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueHint};
use kron_convert::{Target, export, recognize};
use kron_core::{LoadError, LoadOptions};

use crate::exit_status::ExitStatus;
use crate::input::read_file;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// Export a job file as a crontab or as timers of systemd
///
/// The commands of jobs with a window or constraints begin with `kron wait`, which sleeps until the chosen second.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron export --to crontab jobs.kron | crontab -
      replace the crontab of this user
  kron export --to systemd jobs.kron --dir /etc/systemd/system
      a timer and a service for each job

Exit codes: 0 success; 1 a job is refused; 2 bad arguments or input"
)]
pub(crate) struct ExportArgs {
    /// A job file; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// What to write
    #[arg(long, value_name = "TARGET", value_parser = targets())]
    pub(crate) to: Target,

    /// The directory for the units of systemd, which must exist; files in it are replaced
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_if_eq("to", "systemd"))]
    pub(crate) dir: Option<PathBuf>,
}

fn targets() -> impl clap::builder::TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::word)).map(|word| {
        // OK because only these words get here.
        Target::ALL.into_iter().find(|target| target.word() == word).unwrap_or(Target::Crontab)
    })
}

pub(crate) fn run(args: &ExportArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if args.to == Target::Crontab && args.dir.is_some() {
        let mut error = Diagnostic::error("--dir is for units of systemd");
        error.help = Some("leave it out: a crontab goes to standard output".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    }
    let source = read_file(&args.file, session).map_err(|error| session.fail(&error, ExitStatus::Error))?;
    let loaded = match session.parser()?.load(&source.text, &LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(LoadError { errors, .. }) => {
            errors.iter().for_each(|error| session.report(&source.problem(error)));
            return Err(Stop::Reported(ExitStatus::Error));
        }
    };
    if loaded.jobs.is_empty() {
        // `kron export ... | crontab -` would otherwise remove all jobs of a user.
        let mut error = Diagnostic::error("there are no jobs in it");
        error.file.clone_from(&source.file);
        error.help = Some(match recognize(&source.text) {
            Some(format) => format!("it looks like the format `{format}`, which `kron convert` reads"),
            None => "export a job file".to_string(),
        });
        return Err(session.fail(&error, ExitStatus::Error));
    }
    if loaded.jobs.iter().any(|job| job.line.is_none()) {
        let mut error = Diagnostic::error("KronJobs have Jobs, not commands");
        error.file.clone_from(&source.file);
        error.help = Some("export a job file".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    }
    let exported = export(&loaded.jobs, args.to);
    for (name, text) in &exported.files {
        match &args.dir {
            None => session.out.write_all(text.as_bytes())?,
            Some(dir) => {
                let path = dir.join(name);
                std::fs::write(&path, text).map_err(|failed| {
                    let mut error = Diagnostic::error(format!("the file cannot be written: {failed}"));
                    error.file = Some(path.display().to_string());
                    session.fail(&error, ExitStatus::Error)
                })?;
            }
        }
    }
    for message in &exported.messages {
        session.report(&Diagnostic::of_conversion(message, source.file.as_deref()));
    }
    Ok(if exported.refused > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}
