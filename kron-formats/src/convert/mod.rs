//! Converts schedules of other programs into jobs of Kron.
//!
//! | From | Into |
//! |---|---|
//! | CronJobs of Kubernetes | KronJob manifests |
//! | crontabs of users and of `/etc/cron.d` | a job file with commands |
//! | schedules of Jenkins with `H`, Jenkinsfiles, `config.xml` | a job file |
//! | timers of systemd, with their services | a job file with commands |
//! | CronWorkflows of Argo Workflows | a job file with commands |
//!
//! [`with_seeds`] gives the KronJobs of manifests other seeds.
//!
//! [`convert`] takes texts and returns a text and messages. Schedules that Kron cannot express are refused, with the
//! reason; differences are warnings. [`kron_core::Parser`] has read everything that is returned.
//!
//! This crate reads no files, no clock and no environment, and decides nothing about start times.
//!
//! ```
//! use kron_formats::convert::{Options, Source, convert};
//! let text = "
//! apiVersion: batch/v1
//! kind: CronJob
//! metadata: {name: db-backup, namespace: prod}
//! spec:
//!   schedule: 0 3 * * *  # at night
//!   timeZone: Europe/Paris
//!   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump, image: pg}]}}}}
//! ";
//! let converted = convert(&[Source { name: "backup.yaml", text }], &Options::default())?;
//! assert_eq!(converted.text, "
//! apiVersion: kron.io/v1alpha1
//! kind: KronJob
//! metadata: {name: db-backup, namespace: prod}
//! spec:
//!   schedule: 0 3 * * *  # at night
//!   timezone: Europe/Paris
//!   policy:
//!     concurrency: allow
//!     deadline: 8784h
//!   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump, image: pg}]}}}}
//! ");
//! # Ok::<(), kron_formats::convert::Message>(())
//! ```

mod argo;
mod cronjob;
mod crontab;
mod export;
mod jenkins;
mod job_line;
mod message;
mod options;
mod output;
mod recognize;
mod seeds;
mod systemd;
mod times;
mod yaml;

use std::collections::BTreeSet;

use crate::convert::job_line::JobFile;

pub use export::{Exported, Target, export};
pub use message::{Message, Severity};
pub use options::{Format, Options, Source};
pub use output::Converted;
pub use recognize::recognize;
pub use seeds::with_seeds;

/// Converts sources into one text: manifests or a job file.
///
/// # Errors
///
/// A source that is not in its format, or whose format is not clear from its content; manifests and a job file in one
/// call. What is refused in a source that can be read is not an error: see [`Converted::refused`].
pub fn convert(sources: &[Source<'_>], options: &Options) -> Result<Converted, Message> {
    let formats = recognize::formats(sources, options)?;
    let mut out = Converted::default();
    let mut file = JobFile::default();
    let mut names = BTreeSet::new();
    let mut units: Vec<(usize, Source<'_>)> = Vec::new();
    for (index, (source, format)) in sources.iter().zip(formats).enumerate() {
        match format {
            Format::CronJob => cronjob::convert(index, source.text, options, &mut names, &mut out)?,
            Format::Crontab => crontab::convert(index, source.text, false, options, &mut file, &mut out),
            Format::CronD => crontab::convert(index, source.text, true, options, &mut file, &mut out),
            Format::Jenkins => {
                jenkins::convert(index, source.name, source.text, options, &mut file, &mut out)
            }
            Format::Argo => argo::convert(index, source.text, options, &mut file, &mut out)?,
            Format::Systemd => units.push((index, *source)),
        }
    }
    // Timers look for their services among all units.
    systemd::convert(&units, options, &mut file, &mut out)?;
    Ok(out)
}
