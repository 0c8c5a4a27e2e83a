//! The metrics that every host has.

/// A metric that every host has: the operator, and `kron run`. They have the same names, so that one dashboard shows both.
///
/// ```
/// use kron_host::HostMetric;
/// let metric = HostMetric::MissedOlder;
/// assert_eq!(format!("{}_{}_total", HostMetric::PREFIX, metric.name()), "kron_missed_older_total");
/// assert_eq!(metric.help(), "Missed periods that were too many to be handled one by one");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostMetric {
    /// Info: the version and the time zone database, with the labels `version` and `tzdb`.
    Build,
    /// Histogram of seconds: from the chosen time to the start.
    SkewFromChosen,
    /// Histogram of seconds: between the nominal time and the start.
    SkewFromNominal,
    /// Counter of periods with the label `outcome`.
    Outcomes,
    /// Counter of missed periods that are not in `Outcomes`.
    MissedOlder,
    /// Counter of failures with the label `code`.
    Errors,
    /// Gauge: 1 if the process may start executions.
    Leader,
    /// Gauge: how many jobs the host has; for the operator, KronJobs.
    Jobs,
    /// Gauge: how many executions the host knows: Jobs or active commands.
    Executions,
    /// Counter: how often the clock was set.
    ClockSteps,
}

impl HostMetric {
    /// What all names begin with. A host's own metrics have a prefix of their own after it: `kron_operator_queue_depth`.
    pub const PREFIX: &'static str = "kron";
    /// The buckets of [`SkewFromChosen`](HostMetric::SkewFromChosen), in seconds.
    pub const CHOSEN_BUCKETS: [f64; 18] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0,
        1024.0,
    ];
    /// The buckets that [`SkewFromNominal`](HostMetric::SkewFromNominal) has in addition, as windows are minutes and hours wide.
    pub const WINDOW_BUCKETS: [f64; 5] = [1800.0, 3600.0, 7200.0, 21600.0, 86400.0];

    /// The name, without the prefix and without the suffixes of units and types.
    ///
    /// ```
    /// use kron_host::HostMetric;
    /// assert_eq!([HostMetric::Jobs, HostMetric::Executions].map(HostMetric::name), ["jobs", "executions"]);
    /// ```
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What it measures, in a sentence without a full stop.
    ///
    /// ```
    /// assert_eq!(kron_host::HostMetric::Outcomes.help(), "Periods by what became of them");
    /// ```
    pub const fn help(self) -> &'static str {
        self.words().1
    }

    /// Name and help.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            HostMetric::Build => ("build", "The version that runs and its tz database"),
            HostMetric::SkewFromChosen => (
                "start_skew_from_chosen",
                "Time from the chosen second to the start: the answer that a Job was created, or the start of a command",
            ),
            HostMetric::SkewFromNominal => (
                "start_skew_from_nominal",
                "Time between the nominal second and the start, whichever came first",
            ),
            HostMetric::Outcomes => ("outcomes", "Periods by what became of them"),
            HostMetric::MissedOlder => {
                ("missed_older", "Missed periods that were too many to be handled one by one")
            }
            HostMetric::Errors => ("errors", "Failures by code"),
            HostMetric::Leader => ("leader", "1 while this process may start executions"),
            HostMetric::Jobs => ("jobs", "KronJobs, or jobs of job files, that are known"),
            HostMetric::Executions => {
                ("executions", "Jobs of KronJobs that are known, or commands that are active")
            }
            HostMetric::ClockSteps => ("clock_steps", "Steps of the wall clock"),
        }
    }
}
