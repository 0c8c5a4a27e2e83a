//! Converts schedules of other programs into jobs of Kron.
//!
//! [`convert`] takes texts in one of the [`Format`]s, and returns a text and findings. Schedules that Kron cannot express are
//! refused, with the reason; differences are warnings. [`kron_core::Parser`] has read everything that is returned.
//!
//! [`export`] makes crontabs and timers of systemd from jobs, and [`with_seeds`] gives the KronJobs of manifests other seeds.
//!
//! It reads no files, no clock and no environment, and decides nothing about start times.
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
//! # Ok::<(), Box<kron_formats::convert::ConvertFinding>>(())
//! ```

pub(crate) mod conversion;
mod cron_field;
mod days;
mod duration;
mod export;
mod finding;
mod format;
mod formats;
pub(crate) mod job_line;
mod manifest;
mod options;
mod output;
mod reader;
mod seeds;
mod sets;
mod times;
pub(crate) mod yaml;

pub(crate) use self::cron_field::can_be_field;
pub(crate) use self::formats::{candidates, check_unit, convert_sources, crontab, is_job_file, without_mark};

pub use self::export::{CronProgram, ExportOptions, Exported, Target, export};
pub use self::finding::ConvertFinding;
pub use self::format::{Format, Output};
pub use self::formats::{convert, recognize, recognize_file};
pub use self::options::{Options, Source};
pub use self::output::Converted;
pub use self::seeds::with_seeds;
pub use crate::error::convert::ConvertCode;
