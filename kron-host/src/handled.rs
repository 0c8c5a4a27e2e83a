//! Which periods are handled: a watermark, and the handled periods beyond it.
//!
//! A host keeps this between its evaluations, and a text form of it between its processes. Its size depends on the
//! number of windows that overlap, not on time: the watermark follows the handled periods.
//!
//! The watermark does not tell periods that were handled from those that were not in force when it passed them. So neither
//! are ever open again: an edit that moves the start of such a period to a later time does not start it.

use alloc::vec::Vec;

use kron_core::Job;
use kron_core::cron::NominalTimes;
use kron_core::draw::Sampler;
use kron_core::plan::HostState;
use kron_core::planted_bugs::is_planted;

/// The handled periods of a job. Periods are named by their nominal times in Unix seconds.
///
/// ```
/// use kron_core::Job;
/// use kron_host::Handled;
/// let job = Job::parse("prod/sync", "*/5 * * * *")?;
/// let mut handled = Handled::new(0);
/// handled.insert(300);
/// handled.insert(900);
/// handled.advance(&job);
/// // The period at 600 is open, so the watermark cannot pass it.
/// assert_eq!((handled.through(), handled.contains(600), handled.contains(900)), (Some(300), false, true));
///
/// handled.insert(600);
/// handled.advance(&job);
/// assert_eq!(handled.through(), Some(900));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Handled {
    since: i64,
    through: Option<i64>,
    /// Ascending, each once.
    listed: Vec<i64>,
}

impl Handled {
    /// Nothing is handled yet. Periods chosen up to the Unix second `since` (whose windows ended up to then, if
    /// unschedulable) are not in force.
    ///
    /// ```
    /// let handled = kron_host::Handled::new(3600);
    /// assert_eq!((handled.since(), handled.through()), (3600, None));
    /// ```
    pub const fn new(since: i64) -> Handled {
        Handled { since, through: None, listed: Vec::new() }
    }

    /// The same, with a watermark: all periods with nominal times up to that Unix second are handled or not in force.
    ///
    /// ```
    /// let handled = kron_host::Handled::new(0).with_through(Some(7200));
    /// assert!(handled.contains(7200) && !handled.contains(7201));
    /// ```
    #[must_use]
    pub const fn with_through(mut self, through: Option<i64>) -> Handled {
        self.through = through;
        self
    }

    /// The same after a new configuration has begun: the watermark is not beyond its beginning.
    pub(super) fn restarted(self, since: i64) -> Handled {
        Handled { since, through: self.through.map(|through| through.min(since)), ..self }
    }

    /// The second after which a period must be chosen to be in force.
    pub const fn since(&self) -> i64 {
        self.since
    }

    /// The watermark: all periods with nominal times up to it are handled, or were not in force when it passed them.
    pub const fn through(&self) -> Option<i64> {
        self.through
    }

    /// The first nominal time that a period can have that is in force and not handled.
    pub(super) fn first_open<S: NominalTimes, D: Sampler>(&self, job: &Job<S, D>) -> i64 {
        let in_force = self.since.saturating_sub(job.spec().reach().last);
        self.through.map_or(in_force, |through| in_force.max(through.saturating_add(1)))
    }

    /// Whether a period is handled.
    ///
    /// ```
    /// let mut handled = kron_host::Handled::new(0).with_through(Some(600));
    /// handled.insert(1200);
    /// assert!([0, 600, 1200].iter().all(|nominal| handled.contains(*nominal)) && !handled.contains(900));
    /// ```
    pub fn contains(&self, nominal: i64) -> bool {
        self.through.is_some_and(|through| nominal <= through) || self.listed.binary_search(&nominal).is_ok()
    }

    /// Lists a period as handled.
    ///
    /// ```
    /// let mut handled = kron_host::Handled::new(0);
    /// handled.insert(1200);
    /// handled.insert(600);
    /// handled.insert(600);
    /// assert!(handled.contains(600) && handled.contains(1200) && !handled.contains(900));
    /// ```
    pub fn insert(&mut self, nominal: i64) {
        if let Err(place) = self.listed.binary_search(&nominal) {
            self.listed.insert(place, nominal);
        }
    }

    /// Raises the watermark to a nominal time, if it is lower.
    ///
    /// ```
    /// let mut handled = kron_host::Handled::new(0).with_through(Some(600));
    /// handled.raise(Some(300));
    /// assert_eq!(handled.through(), Some(600));
    /// handled.raise(Some(900));
    /// assert_eq!(handled.through(), Some(900));
    /// ```
    pub fn raise(&mut self, through: Option<i64>) {
        self.through = self.through.max(through);
    }

    /// Raises the watermark to the last listed period before the first open one: the first that is in force and not
    /// handled.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "*/5 * * * *")?;
    /// let mut handled = kron_host::Handled::new(0);
    /// handled.insert(300);
    /// handled.insert(900);
    /// handled.advance(&job);
    /// // The period at 600 is open.
    /// assert_eq!(handled.through(), Some(300));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn advance<S: NominalTimes, D: Sampler>(&mut self, job: &Job<S, D>) {
        let Some(last) = self.listed.last().copied() else { return };
        let open = job
            .periods(self.first_open(job)..last.saturating_add(1))
            .find(|period| {
                period.order_timestamp() > self.since && !self.contains(period.nominal_timestamp())
            })
            .map(|period| period.nominal_timestamp());
        let open = open.filter(|_| !is_planted("watermark-passes-open-period"));
        let before =
            open.map_or(self.listed.len(), |open| self.listed.partition_point(|period| *period < open));
        self.raise(self.listed[..before].last().copied());
    }

    /// The argument of [`Job::plan`]: no execution of the job is active.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::Handled;
    /// let job = Job::parse("web/ping", "*/5 * * * * @policy(deadline=1m)")?;
    /// let handled = Handled::new(0).with_through(Some(300));
    /// let plan = job.plan(&handled.host_state(), 600);
    /// assert_eq!(plan.steps.len(), 1);
    /// assert_eq!(plan.steps[0].period.nominal_timestamp(), 600);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn host_state(&self) -> HostState {
        HostState::new(self.since).with_handled(self.through, self.listed.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watermark_passes_what_is_not_in_force() {
        // The chosen times of the first two are before the configuration; only the third is in force.
        let job = Job::parse("handled/test", "0 * * * * @win(after,90m)").unwrap();
        let chosen = |hour: i64| job.decide(hour * 3600).unwrap().order_timestamp();
        let mut handled = Handled::new(chosen(11).max(chosen(12)));
        let first = (13..).find(|hour| chosen(*hour) > handled.since()).unwrap();
        handled.insert(first * 3600);
        handled.advance(&job);
        assert_eq!(handled.through(), Some(first * 3600));
    }

    #[test]
    fn the_watermark_is_raised_over_a_long_absence() {
        let job = Job::parse("handled/test", "* * * * *").unwrap();
        let mut handled = Handled::new(0).with_through(Some(0));
        (1000..1200).for_each(|minute| handled.insert(minute * 60));
        handled.raise(Some(999 * 60));
        handled.advance(&job);
        assert_eq!(handled.through(), Some(1199 * 60));
    }
}
