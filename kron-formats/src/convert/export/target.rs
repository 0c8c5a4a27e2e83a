//! What jobs are exported to.

use kron_core::word_enum;

word_enum! {
    in "kron_formats::convert";
    /// What jobs are exported to.
    #[non_exhaustive]
    pub Target {
        /// A user's crontab.
        Crontab = "crontab",
        /// A timer and a service for each job.
        Systemd = "systemd",
    }
}
