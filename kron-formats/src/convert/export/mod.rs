//! Jobs of Kron as crontabs and units of systemd, which wait for the chosen second with `kron wait`.

mod crontab;
mod days;
mod exported;
mod options;
mod shift;
mod systemd;
mod target;
mod wait;

pub use self::exported::Exported;
pub use self::options::{CronProgram, ExportOptions};
pub use self::target::Target;

use crate::load::LoadedJob;

/// Exports the jobs of a job file, whose fields `command`, `cwd`, `env.NAME` and `timeout` say what runs.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::convert::{ExportOptions, Target, export};
/// let file = "0 1 * * * @win(after,3h) @policy(concurrency=allow,deadline=5m) name=db/backup command=backup";
/// let jobs = kron_formats::load(&Parser::new(), file, &kron_formats::LoadOptions::default()).unwrap().jobs;
/// let exported = export(&jobs, &ExportOptions::new(Target::Crontab));
/// assert_eq!(
///     exported.files[0].1,
///     "0 1 * * * kron wait '0 1 * * * @win(after,3h0m0s) @policy(concurrency=allow,deadline=5m0s)' \
///      --name db/backup && backup\n"
/// );
/// ```
#[must_use]
pub fn export(jobs: &[LoadedJob], options: &ExportOptions) -> Exported {
    let mut out = Exported::default();
    match options.target {
        Target::Crontab => crontab::export(jobs, options, &mut out),
        Target::Systemd => systemd::export(jobs, &mut out),
    }
    out
}
