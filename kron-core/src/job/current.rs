//! The period of a program that cron or another scheduler starts at the beginning of each window.

use crate::cron::nominal_times::NominalTimes;
use crate::decision::Decision;
use crate::draw::distribution::Sampler;
use crate::job::Job;
use crate::limits::NOMINAL_MAX;
use crate::plan::action::Lateness;
use crate::time::instant::Instant;

impl<S: NominalTimes, D: Sampler> Job<S, D> {
    /// The period whose window began last, at or before `now`. `None` if there is none, or if its window has ended and its
    /// deadline has passed.
    ///
    /// This is the period of a program that a crontab starts at the beginning of each window, and that waits for the chosen
    /// time: where windows overlap, there is one such program for each of them.
    /// [`Policy::evaluate`](crate::Policy::evaluate) says what to do with the period.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::Action;
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @policy(deadline=10m)")?;
    /// let midnight = 1_772_323_200;
    /// let period = job.current_period(midnight + 60).unwrap();
    /// assert_eq!(period.nominal_timestamp(), midnight);
    /// let until = period.chosen_timestamp().unwrap();
    /// assert_eq!(job.spec().policy().evaluate(&period, midnight + 60, false, false), Action::Wait { until });
    /// // Three hours later its window has ended.
    /// assert!(job.current_period(midnight + 4 * 3600).is_none());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn current_period(&self, now: impl Instant) -> Option<Decision<'_>> {
        let now = now.floor();
        let rules = self.rules();
        let nominal = self.prev_nominal_timestamp(now.saturating_sub(rules.reach.first))?;
        let period = rules.decide(nominal, &mut ());
        let in_time = |chosen| self.spec().policy().lateness(chosen, now) != Lateness::Past;
        let is_current =
            now <= period.window_end_timestamp() || period.chosen_timestamp().is_some_and(in_time);
        is_current.then_some(period)
    }

    /// Whether a window that would begin in the minute of `now` is of a day that the rules of days leave out; if none would begin, whether
    /// the expression names this civil minute for such a day. A crontab starts its program then as at any other time, and the program
    /// has nothing to do.
    ///
    /// ```
    /// use kron_core::Job;
    /// let job = Job::parse("prod/report", "0 0 * * * @win(after,3h) @days(dow=FRI)")?;
    /// // 1 January 1970 was a Thursday.
    /// assert!(job.is_day_off(0) && job.is_day_off(59) && !job.is_day_off(60));
    /// assert!(!job.is_day_off(86_400));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn is_day_off(&self, now: impl Instant) -> bool {
        let (spec, now) = (self.spec(), now.floor());
        if spec.days().is_empty() {
            return false;
        }
        let minute = now.saturating_sub(now.rem_euclid(60));
        let begins = minute.saturating_sub(self.rules().reach.first);
        let mut nominals = [begins, minute].into_iter().filter_map(|minute| {
            let last = minute.saturating_add(59).min(NOMINAL_MAX);
            spec.schedule().prev_nominal(spec.timezone(), last).filter(|nominal| *nominal >= minute)
        });
        nominals.next().is_some_and(|nominal| {
            let civil = nominal + i64::from(spec.timezone().offset_at(nominal));
            !spec.days().judge(civil).is_chosen()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDNIGHT: i64 = 1_772_323_200;

    fn nominal(text: &str, now: i64) -> Option<i64> {
        let job = Job::parse("current/test", text).unwrap();
        job.current_period(MIDNIGHT + now).map(|period| period.nominal_timestamp() - MIDNIGHT)
    }

    #[test]
    fn the_window_has_begun_and_not_ended() {
        assert_eq!(nominal("0 0 * * *", 0), Some(0));
        assert_eq!(nominal("0 0 * * *", 1), None);
        assert_eq!(nominal("0 0 * * *", -1), None);
        assert_eq!(nominal("0 0 * * * @win(after,1h)", 3600), Some(0));
        assert_eq!(nominal("0 0 * * * @win(after,1h)", 3601), None);
        assert_eq!(nominal("0 1 * * * @win(before,1h)", 0), Some(3600));
        assert_eq!(nominal("0 1 * * * @win(before,1h)", -1), None);
        assert_eq!(nominal("0 1 * * * @win(around,1h)", 5400), Some(3600));
    }

    #[test]
    fn the_deadline_counts_from_the_chosen_time() {
        assert_eq!(nominal("0 0 * * * @policy(deadline=1m)", 60), Some(0));
        assert_eq!(nominal("0 0 * * * @policy(deadline=1m)", 61), None);
        // A period without a start has no deadline.
        let never = "0 0 * * * @win(after,1h) @only(hours=9) @policy(deadline=10h)";
        assert_eq!((nominal(never, 3600), nominal(never, 3601)), (Some(0), None));
    }

    #[test]
    fn of_windows_that_overlap_the_one_that_began_last() {
        let text = "*/10 * * * * @win(after,1h)";
        assert_eq!(
            (nominal(text, 599), nominal(text, 600), nominal(text, 3600)),
            (Some(0), Some(600), Some(3600))
        );
    }

    /// The window of Saturday's first start begins at a time of Friday, which is off, and that of Sunday's at one of Saturday.
    #[test]
    fn a_window_that_begins_on_another_day() {
        let job = Job::parse("current/test", "0 0,23 * * * @win(before,1h) @days(dow=SAT)").unwrap();
        // 1 January 1970 was a Thursday.
        let at = |day: i64, hour: i64| job.is_day_off(day * 86_400 + hour * 3600);
        assert_eq!([at(0, 23), at(1, 22), at(1, 23), at(2, 22), at(2, 23)], [true, true, false, false, true]);
    }

    #[test]
    fn any_instant_is_accepted() {
        let job = Job::parse("current/test", "@daily @win(around,8784h)").unwrap();
        assert!(job.current_period(i64::MIN).is_none() && job.current_period(i64::MAX).is_none());
    }
}
