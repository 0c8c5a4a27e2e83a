//! Jobs of Kron as crontabs and units of systemd, which wait for the chosen second with `kron wait`.

mod crontab;
mod exported;
mod systemd;
mod target;
mod wait;

pub use self::exported::Exported;
pub use self::target::Target;

use crate::load::LoadedJob;

/// Exports the jobs of a job file, whose fields `command`, `cwd`, `env.NAME` and `timeout` say what runs.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::convert::{Target, export};
/// let file = "0 1 * * * @tz(Europe/Paris) @win(after,3h) @policy(concurrency=allow,deadline=5m) name=db/backup command=backup";
/// let jobs = kron_formats::load(&Parser::new(), file, &kron_formats::LoadOptions::default()).unwrap().jobs;
/// let exported = export(&jobs, Target::Crontab);
/// assert_eq!(
///     exported.files[0].1,
///     "CRON_TZ=Europe/Paris\n\
///      0 1 * * * kron wait '0 1 * * * @tz(Europe/Paris) @win(after,3h0m0s) @policy(concurrency=allow,deadline=5m0s)' \
///      --name db/backup && backup\n"
/// );
/// ```
#[must_use]
pub fn export(jobs: &[LoadedJob], target: Target) -> Exported {
    let mut out = Exported::default();
    match target {
        Target::Crontab => crontab::export(jobs, &mut out),
        Target::Systemd => systemd::export(jobs, &mut out),
    }
    out
}
