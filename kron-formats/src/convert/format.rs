//! The formats that are read.

use kron_core::word_enum;

word_enum! {
    in "kron_formats::convert";
    /// The formats that are read.
    #[non_exhaustive]
    pub Format {
        /// CronJobs of Kubernetes, in YAML or JSON.
        CronJob = "cronjob",
        /// A user's crontab.
        Crontab = "crontab",
        /// A crontab with a column of users: `/etc/crontab` and the files of `/etc/cron.d`.
        CronD = "cron.d",
        /// The schedule of a Jenkins job, its Jenkinsfile or its `config.xml`.
        Jenkins = "jenkins",
        /// Timer units of systemd, and their service units.
        Systemd = "systemd",
        /// CronWorkflows of Argo Workflows, in YAML or JSON.
        Argo = "argo",
        /// Cron expressions of Quartz, one a line.
        Quartz = "quartz",
        /// Cron expressions of Spring, one a line.
        Spring = "spring",
        /// Schedules of AWS EventBridge, one a line.
        EventBridge = "eventbridge",
        /// Patterns of croner, one a line.
        Croner = "croner",
        /// Expressions of node-cron, one a line.
        NodeCron = "node-cron",
        /// Keyword arguments of a `CronTrigger` of APScheduler, one trigger a line.
        ApScheduler = "apscheduler",
    }
}

/// What a conversion makes. One conversion makes one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// KronJob manifests.
    Manifests,
    /// A job file.
    JobFile,
}

impl Format {
    /// What it holds, for lists of formats.
    ///
    /// ```
    /// assert_eq!(kron_formats::convert::Format::Crontab.summary(), "crontabs of users");
    /// ```
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Format::CronJob => "CronJobs of Kubernetes",
            Format::Crontab => "crontabs of users",
            Format::CronD => "`/etc/crontab` and the files of `/etc/cron.d`",
            Format::Jenkins => "schedules of Jenkins with `H`, Jenkinsfiles, `config.xml`",
            Format::Systemd => "timers of systemd, with their services",
            Format::Argo => "CronWorkflows of Argo Workflows",
            Format::Quartz => "cron expressions of Quartz, one a line",
            Format::Spring => "cron expressions of Spring, one a line",
            Format::EventBridge => "schedules of AWS EventBridge, one a line",
            Format::Croner => "patterns of croner, one a line",
            Format::NodeCron => "expressions of node-cron, one a line",
            Format::ApScheduler => "keywords of a `CronTrigger` of APScheduler, one trigger a line",
        }
    }

    /// What is made of it.
    ///
    /// ```
    /// use kron_formats::convert::{Format, Output};
    /// assert_eq!(Format::CronJob.output(), Output::Manifests);
    /// assert_eq!(Format::Crontab.output(), Output::JobFile);
    /// ```
    #[must_use]
    pub const fn output(self) -> Output {
        match self {
            Format::CronJob => Output::Manifests,
            Format::Crontab
            | Format::CronD
            | Format::Jenkins
            | Format::Systemd
            | Format::Argo
            | Format::Quartz
            | Format::Spring
            | Format::EventBridge
            | Format::Croner
            | Format::NodeCron
            | Format::ApScheduler => Output::JobFile,
        }
    }
}
