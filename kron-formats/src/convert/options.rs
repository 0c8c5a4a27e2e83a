//! What is converted, and how.

use std::fmt;

use kron_core::{Duration, Parser};

/// A text to convert.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// The name of its file without the directory: `nightly.timer`. Units of systemd find each other by it, and jobs of
    /// Jenkins get their names from it: for a `config.xml` or a `Jenkinsfile`, give the name of the directory with an extension,
    /// as in `nightly.xml`.
    pub name: &'t str,
    /// Its content.
    pub text: &'t str,
}

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// CronJobs of Kubernetes, in YAML or JSON.
    CronJob,
    /// A user's crontab.
    Crontab,
    /// A crontab with a column of users: `/etc/crontab` and the files of `/etc/cron.d`.
    CronD,
    /// The schedule of a Jenkins job, its Jenkinsfile or its `config.xml`.
    Jenkins,
    /// Timer units of systemd, and their service units.
    Systemd,
    /// CronWorkflows of Argo Workflows, in YAML or JSON.
    Argo,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::CronJob, Format::Crontab, Format::CronD, Format::Jenkins, Format::Systemd, Format::Argo];

    /// Its word on the command line.
    ///
    /// ```
    /// assert_eq!(kron_formats::convert::Format::CronD.word(), "cron.d");
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Format::CronJob => "cronjob",
            Format::Crontab => "crontab",
            Format::CronD => "cron.d",
            Format::Jenkins => "jenkins",
            Format::Systemd => "systemd",
            Format::Argo => "argo",
        }
    }

    /// Whether KronJob manifests come from it, and not a job file.
    ///
    /// ```
    /// use kron_formats::convert::Format;
    /// assert!(Format::CronJob.makes_manifests() && !Format::Crontab.makes_manifests());
    /// ```
    #[must_use]
    pub fn makes_manifests(self) -> bool {
        self == Format::CronJob
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How sources are converted. The default asks the content for the format, and adds nothing.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format of all sources. Without it, their content decides.
    pub format: Option<Format>,
    /// The length of the window of jobs that get none from their source. Without it, jobs start at the times of their
    /// source.
    pub window: Option<Duration>,
    /// Whether a job keeps its place in the window that [`window`](Options::window) gives it.
    pub fixed: bool,
    /// Whether all jobs are suspended, for a switch-over from their sources one by one.
    pub suspend: bool,
    /// The namespace of manifests that name none, and the part before the `/` of the names in a job file.
    pub namespace: Option<String>,
    /// The time zone of sources that name none: the one of the host that they come from.
    pub timezone: Option<String>,
    /// Reads the result, so that it is known to be valid, and knows the time zones.
    pub parser: Parser,
}

/// A duration as people write it: without units that are zero.
pub(crate) fn short(duration: Duration) -> String {
    let text = duration.to_string();
    let text = text.strip_suffix("m0s").map_or(text.clone(), |rest| format!("{rest}m"));
    text.strip_suffix("h0m").map_or(text.clone(), |rest| format!("{rest}h"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_short_durations() {
        for text in ["0s", "90ms", "1m30s", "30m", "3h", "1h30m", "1h0m5s", "10h10m10s", "20m", "100h"] {
            assert_eq!(short(Duration::parse(text).unwrap()), text);
        }
    }
}
