//! The search for the next start of a job.

use crate::host::handled::Handled;
use crate::host::record::NextStart;
use crate::job::Job;

/// A search for the next start that is not handled. See [`Dispatcher::search`](crate::Dispatcher::search).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StartSearch {
    pub(super) revision: i64,
    /// Only starts after this Unix second are asked for.
    pub(super) after: i64,
    pub(super) handled: Handled,
}

/// The result of a [`StartSearch`]. It is used as long as it is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct SearchResult {
    pub(super) revision: i64,
    pub(super) after: i64,
    /// `None` if there is no start in the next years.
    pub(super) found: Option<NextStart>,
}

impl StartSearch {
    /// Searches. `job` is that of the view.
    ///
    /// This is the only work of a dispatcher that can take seconds, where constraints allow few starts or none: as much
    /// as [`Job::next_start`](crate::Job::next_start). It needs only the job, so a host with many jobs can search in a
    /// thread on which no other job waits.
    ///
    /// ```
    /// use kron_core::{Dispatcher, HostView, Job, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 10_000,
    /// };
    /// let search = Dispatcher::new("host-1").search(&view).unwrap();
    /// assert_eq!(search.clone().run(&job), search.run(&job));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn run(self, job: &Job) -> SearchResult {
        let StartSearch { revision, after, handled } = self;
        // An error ends the search: there is no start in the next years.
        let starts = job.starts(after.saturating_add(1), i64::MAX).map_while(Result::ok);
        let found = starts
            .filter_map(|decision| {
                Some(NextStart {
                    nominal: decision.nominal_timestamp(),
                    chosen: decision.chosen_timestamp()?,
                })
            })
            .find(|start| !handled.contains(start.nominal));
        SearchResult { revision, after, found }
    }
}
