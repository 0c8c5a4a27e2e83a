//! What a host stores of a job, so that another process can go on.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use kron_core::{Decision, Job, Outcome};

use crate::handled::Handled;
use crate::limits::{CLOCK_DIFFERENCE, HANDLED_LISTED};

/// What a host stores of a job: a row of a database, or the status of a resource.
///
/// A write must replace exactly the version that was read (compare and swap). This makes the claim a fence: of two
/// processes that write it, one fails.
///
/// All times are Unix seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default))]
pub struct Record {
    /// The configuration; `None` before the first write.
    pub configuration: Option<Configuration>,
    /// Whether the job was suspended when the record was written.
    pub suspended: bool,
    /// The nominal time of the handled period with the greatest chosen time (window end, if unschedulable).
    pub last_nominal: Option<i64>,
    /// The chosen time of that period, unless it was unschedulable.
    pub last_chosen: Option<i64>,
    /// The outcome of that period.
    pub last_outcome: Option<Outcome>,
    /// The earliest start that is not handled.
    pub next: Option<NextStart>,
    /// Which process may make the next start.
    pub claim: Option<Claim>,
    /// The handled periods after [`handled_through`](Configuration::handled_through), and those with nominal times that are
    /// still to come, by nominal time. At most 100.
    pub handled: Vec<HandledPeriod>,
    /// The last run-now request.
    pub run_now: Option<RunNow>,
}

/// The configuration that a record belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Configuration {
    /// Periods chosen up to this time (whose windows ended up to it, if unschedulable) are not in force.
    pub since: i64,
    /// A hash of schedule, time zone and seed strategy.
    pub hash: String,
    /// Periods with nominal times up to this one are handled or not in force, all of them.
    pub handled_through: Option<i64>,
}

/// A start that is still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct NextStart {
    /// The nominal time of its period.
    pub nominal: i64,
    /// Its chosen time.
    pub chosen: i64,
}

/// The right of one process to make the next start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Claim {
    /// The nominal time of the period.
    pub nominal: i64,
    /// The process. A process that starts again has another name.
    pub holder: String,
    /// When it was claimed.
    pub time: i64,
    /// For how many seconds after its end the execution can be found; `None` if nothing removes it by time.
    pub retention: Option<i64>,
}

/// A period with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct HandledPeriod {
    /// Its nominal time.
    pub nominal: i64,
    /// Its chosen time, unless it was unschedulable.
    pub chosen: Option<i64>,
    /// Its outcome.
    pub outcome: Outcome,
    /// The name of its execution, if it has one.
    pub execution: Option<String>,
}

/// A run-now request. It is written without an outcome before its execution is started, and this write is its claim: no
/// other process starts it unless the execution cannot have been removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct RunNow {
    /// The text that distinguishes this request from others.
    pub token: String,
    /// Its outcome; `None` while it is being started.
    pub outcome: Option<Outcome>,
    /// The name of its execution, if it has one.
    pub execution: Option<String>,
}

impl NextStart {
    /// The start that was decided; `None` if the period is unschedulable.
    pub(super) fn of(decision: &Decision<'_>) -> Option<NextStart> {
        Some(NextStart { nominal: decision.nominal_timestamp(), chosen: decision.chosen_timestamp()? })
    }
}

/// The place of a period in the order of starts, if it can be decided.
pub(super) fn order(job: &Job, nominal: i64) -> Option<i64> {
    job.decide(nominal).ok().map(|decision| decision.order_timestamp())
}

impl Record {
    /// The record as a host takes it that keeps its token beside the job, as an annotation is. Before the first write, a token that is
    /// there is spent, with the outcome [`Skipped`](Outcome::Skipped): a job that is restored from a backup, or made again, must not
    /// be run for a request of the past.
    ///
    /// ```
    /// use kron_core::Outcome;
    /// use kron_host::Record;
    /// let restored = Record::default().without_old_request(Some("monday"));
    /// let spent = restored.run_now.unwrap();
    /// assert_eq!((spent.token.as_str(), spent.outcome), ("monday", Some(Outcome::Skipped)));
    /// assert_eq!(Record::default().without_old_request(None), Record::default());
    /// ```
    #[must_use]
    pub fn without_old_request(self, token: Option<&str>) -> Record {
        match token {
            Some(token) if self.configuration.is_none() => {
                let spent = RunNow { token: token.into(), outcome: Some(Outcome::Skipped), execution: None };
                Record { run_now: Some(spent), ..self }
            }
            _ => self,
        }
    }

    /// The record without times in the future, which a clock that was ahead, or another writer, can have written: those
    /// more than a minute after the Unix second `now`. They are set back to `now`, and periods that were handled in the
    /// future are left out. A record without such times is borrowed.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::Record;
    /// let job = Job::parse("prod/sync", "*/5 * * * *")?;
    /// let record = Record { last_chosen: Some(9_000_000), last_nominal: Some(9_000_000), ..Record::default() };
    /// let fixed = record.without_future(&job, 600);
    /// assert_eq!((fixed.last_chosen, fixed.last_nominal), (Some(600), None));
    /// assert_eq!(*record.without_future(&job, 9_000_000), record);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn without_future(&self, job: &Job, now: i64) -> Cow<'_, Record> {
        let limit = now.saturating_add(CLOCK_DIFFERENCE);
        let limit_through = limit.saturating_sub(job.spec().reach().first);
        let since = self.configuration.as_ref().is_some_and(|configuration| configuration.since > limit);
        let through = self.handled_through().is_some_and(|through| through > limit_through);
        let last = self.last_chosen.is_some_and(|chosen| chosen > limit);
        let too_late = |period: &HandledPeriod| {
            period.chosen.or_else(|| order(job, period.nominal)).is_some_and(|chosen| chosen > limit)
        };
        if !since && !through && !last && !self.handled.iter().any(too_late) {
            return Cow::Borrowed(self);
        }
        let mut record = self.clone();
        if let Some(configuration) = &mut record.configuration {
            configuration.since = if since { now } else { configuration.since };
            configuration.handled_through = if through { Some(now) } else { configuration.handled_through };
        }
        if last {
            record.last_chosen = Some(now);
            record.last_nominal = record.last_nominal.filter(|nominal| *nominal <= limit_through);
        }
        record.handled.retain(|period| !too_late(period));
        Cow::Owned(record)
    }

    /// The record after the clock went back, for a host that kept the record `before` the clock was set ahead: what was decided
    /// since is open again, except for periods that this record lists as executed. The host must enter further executions that it
    /// made since by [`enter_executed`](Record::enter_executed) before it starts anything. Requests to run now stay.
    ///
    /// ```
    /// use kron_host::{Configuration, Record};
    /// let through = |through| Record {
    ///     configuration: Some(Configuration { since: 0, hash: "a".into(), handled_through: Some(through) }),
    ///     ..Record::default()
    /// };
    /// // The clock was a day ahead.
    /// assert_eq!(through(90_000).back_to(&through(3600)), through(3600));
    /// ```
    #[must_use]
    pub fn back_to(&self, before: &Record) -> Record {
        let Record { next, claim, run_now, .. } = self.clone();
        let mut record = Record { next, claim, run_now, ..before.clone() };
        for period in &self.handled {
            if let (Outcome::Executed, Some(name)) = (period.outcome, &period.execution) {
                record.enter_executed(period.nominal, period.chosen, name);
            }
        }
        record
    }

    /// Lists a period as executed. Says whether it did: not if the period is handled, and not beyond 50 listed periods. A host
    /// shows further executions in its [views](crate::HostView::executions).
    ///
    /// ```
    /// use kron_host::Record;
    /// let mut record = Record::default();
    /// assert!(record.enter_executed(60, Some(61), "a") && !record.enter_executed(60, Some(61), "a"));
    /// ```
    pub fn enter_executed(&mut self, nominal: i64, chosen: Option<i64>, execution: &str) -> bool {
        let is_over = self.handled_through().is_some_and(|through| nominal <= through);
        // The other half is room for periods that are handled later: a full list would raise the watermark over open ones.
        match self.handled.binary_search_by_key(&nominal, |period| period.nominal) {
            Err(place) if !is_over && self.handled.len() < HANDLED_LISTED / 2 => {
                let (outcome, execution) = (Outcome::Executed, Some(execution.into()));
                self.handled.insert(place, HandledPeriod { nominal, chosen, outcome, execution });
                true
            }
            _ => false,
        }
    }

    /// The handled periods. `created`: when the job was created, which is when its first configuration begins.
    ///
    /// ```
    /// use kron_host::Record;
    /// let record = Record { last_nominal: Some(60), ..Record::default() };
    /// let handled = record.handled(5);
    /// assert!(handled.since() == 5 && handled.contains(60) && !handled.contains(120));
    /// ```
    pub fn handled(&self, created: i64) -> Handled {
        let since = self.configuration.as_ref().map_or(created, |configuration| configuration.since);
        let mut handled = Handled::new(since).with_through(self.handled_through());
        let listed = self.handled.iter().map(|period| period.nominal);
        listed.chain(self.last_nominal).for_each(|nominal| handled.insert(nominal));
        handled
    }

    /// The watermark: see [`Configuration`].
    pub(super) fn handled_through(&self) -> Option<i64> {
        self.configuration.as_ref()?.handled_through
    }

    /// The place of the last handled period in the order of starts.
    pub(super) fn last_order(&self, job: &Job) -> Option<(i64, i64)> {
        let nominal = self.last_nominal?;
        // An unschedulable one has no chosen time, so its window is asked for.
        let at = self.last_chosen.or_else(|| order(job, nominal))?;
        Some((at, nominal))
    }

    /// The handled periods that it names, by their nominal times: the last one, and those that are listed.
    ///
    /// ```
    /// use kron_core::Outcome;
    /// use kron_host::Record;
    /// let record = Record { last_nominal: Some(60), last_outcome: Some(Outcome::Missed), ..Record::default() };
    /// assert_eq!(record.outcomes()[&60].outcome, Outcome::Missed);
    /// ```
    pub fn outcomes(&self) -> BTreeMap<i64, HandledPeriod> {
        let mut known = BTreeMap::new();
        if let (Some(nominal), Some(outcome)) = (self.last_nominal, self.last_outcome) {
            let last = HandledPeriod { nominal, chosen: self.last_chosen, outcome, execution: None };
            known.insert(nominal, last);
        }
        known.extend(self.handled.iter().map(|period| (period.nominal, period.clone())));
        known
    }

    /// Enters the watermark and the handled periods after it.
    pub(super) fn enter(&mut self, mut handled: Handled, known: &BTreeMap<i64, HandledPeriod>, now: i64) {
        let through = handled.through();
        let beyond = |nominal: i64| nominal > now || through.is_none_or(|through| nominal > through);
        let mut listed: Vec<HandledPeriod> =
            known.values().filter(|period| beyond(period.nominal)).cloned().collect();
        if listed.len() > HANDLED_LISTED {
            // No handled period is open again even if windows overlap in this many periods.
            let cut = listed.len() - HANDLED_LISTED;
            handled.raise(Some(listed[cut - 1].nominal));
            listed.drain(..cut);
        }
        self.handled = listed;
        if let Some(configuration) = &mut self.configuration {
            configuration.handled_through = handled.through();
        }
    }
}
