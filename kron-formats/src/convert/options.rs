//! What is converted, and how.

use kron_core::{Duration, Parser};

use crate::convert::format::Format;

/// A text to convert.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// The path of its file, with `/` between its parts, or its name alone: `/etc/cron.d/backup`, `nightly.timer`. The place
    /// of a crontab shows whether it has a column of users. Units of systemd find each other by their names, and jobs get
    /// theirs from them: those of a `config.xml` or a `Jenkinsfile` from that of its directory.
    pub name: &'t str,
    /// Its content.
    pub text: &'t str,
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
    /// The time zone of this machine, for crontabs and timers that name none. `timezone` overrides it.
    pub host_timezone: Option<String>,
    /// Reads the result, so that it is known to be valid, and knows the time zones.
    pub parser: Parser,
}
