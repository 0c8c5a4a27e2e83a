//! What is read, and how.

use kron_core::Parser;

use crate::convert::Format;

/// A text that jobs are read from.
///
/// ```
/// use kron_formats::read::Source;
/// // Any line of cron in any file of a tree would be a guess.
/// let text = "0 3 * * * /usr/bin/backup\n";
/// assert!(!Source::new("notes.txt", text).may_have_jobs());
/// assert!(Source::new("notes.txt", text).named().may_have_jobs());
/// assert!(Source::new("/etc/cron.d/backup", text).may_have_jobs());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Source<'t> {
    /// The path of its file, with `/` between its parts, or another name. It says what the text can be.
    pub path: &'t str,
    /// Its content.
    pub text: &'t str,
    /// Whether somebody names this file, so that its content alone may show what it is.
    pub is_named: bool,
    /// What the names of schedules begin with that have none but their keys, such as `charts/web/values`.
    pub names: &'t str,
    /// The host that `{host}` in the name of a declaration means, if it is known.
    pub host: Option<&'t str>,
}

impl<'t> Source<'t> {
    /// A text that is found in a folder: it is what its path says.
    #[must_use]
    pub const fn new(path: &'t str, text: &'t str) -> Source<'t> {
        Source { path, text, is_named: false, names: "", host: None }
    }

    /// The same text on a host.
    #[must_use]
    pub const fn on_host(mut self, host: Option<&'t str>) -> Source<'t> {
        self.host = host;
        self
    }

    /// The same text, whose schedules without a name but their keys get names that begin so.
    #[must_use]
    pub const fn with_names(mut self, names: &'t str) -> Source<'t> {
        self.names = names;
        self
    }

    /// The same text, as one that somebody names.
    #[must_use]
    pub const fn named(mut self) -> Source<'t> {
        self.is_named = true;
        self
    }
}

/// What a job is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Origin {
    /// A job file, or a KronJob.
    Kron,
    /// A schedule of another system, in this format.
    Schedule(Format),
    /// A schedule under a key that says so, in YAML, TOML or JSON.
    Key,
    /// A schedule that only a declaration of `kron place` shows.
    Declaration,
}

/// Which jobs a reader wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jobs {
    /// All of them: schedules of other systems, too.
    #[default]
    All,
    /// Those of Kron: of job files and KronJobs.
    OfKron,
}

/// Which findings about schedules of other systems a reader wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Differences {
    /// Those about times: what is left out, and what starts at other times than in its system.
    #[default]
    Times,
    /// All that [`convert`](crate::convert::convert) finds.
    All,
}

/// How sources are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format of all sources. Without it, their paths and their content decide.
    pub format: Option<Format>,
    /// The namespace of manifests that name none.
    pub namespace: Option<String>,
    /// The time zone of schedules of other systems that name none.
    pub timezone: Option<String>,
    /// The time zone of this machine, for crontabs and timers that name none. `timezone` overrides it.
    pub host_timezone: Option<String>,
    /// Whether schedules with a declaration of `kron place` are read as it says, with their windows, and not as they stand.
    pub declared: bool,
    /// Which jobs are read.
    pub jobs: Jobs,
    /// Which findings are reported.
    pub differences: Differences,
    /// Looks up zones and calendars.
    pub parser: Parser,
}
