//! Batches: many decisions of one job, written into a slice of the caller without allocation.
//!
//! A slot is anything that can be made from a [`Decision`]: the decision itself, a C struct. Chosen times alone cost
//! less.

use core::ops::RangeBounds;

use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Decision, Shared};
use crate::draw::distribution::Sampler;
use crate::error::Error;
use crate::job::{Job, check_nominal};
use crate::time::instant::Instant;

impl<S, D: Sampler> Job<S, D> {
    /// Decides the periods of many nominal times, given in Unix seconds, into the first slots of a slice. Returns how many
    /// slots were filled: as many as both slices have.
    ///
    /// # Errors
    ///
    /// Those of [`decide`](Job::decide), for the first nominal time that has one; no slot is written then.
    ///
    /// ```
    /// use kron_core::{Decision, Job};
    /// struct Chosen(i64);
    /// impl From<Decision<'_>> for Chosen {
    ///     fn from(decision: Decision<'_>) -> Chosen {
    ///         Chosen(decision.chosen_timestamp().unwrap_or(i64::MIN))
    ///     }
    /// }
    /// let job = Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// let mut slots = [const { Chosen(0) }; 3];
    /// assert_eq!(job.decide_into(&[0, 3600, 7200], &mut slots)?, 3);
    /// assert!((7200..=7800).contains(&slots[2].0));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn decide_into<'a, T: From<Decision<'a>>>(
        &'a self,
        nominals: &[i64],
        slots: &mut [T],
    ) -> Result<usize, Error> {
        let filled = nominals.len().min(slots.len());
        nominals[..filled].iter().try_for_each(|nominal| check_nominal(*nominal).map(drop))?;
        let rules = self.rules();
        for (slot, nominal) in slots.iter_mut().zip(nominals) {
            *slot = rules.decide(*nominal, &mut ()).into();
        }
        Ok(filled)
    }
}

impl<S, D: Sampler> Job<S, D> {
    /// Replaces many nominal times by their chosen times, all in Unix seconds, or by `unschedulable` where there is
    /// none. It costs less than decisions do where windows have one second or periods share their draw.
    ///
    /// # Errors
    ///
    /// Those of [`decide`](Job::decide), for the first nominal time that has one; nothing is replaced then.
    ///
    /// ```
    /// use kron_core::Job;
    /// let job = Job::parse("web/ping", "@hourly @win(after,10m) @avoid(hours=1)")?;
    /// let mut times = [0, 3600, 7200];
    /// job.choose_in_place(&mut times, -1)?;
    /// assert_eq!(times, [0, 3600, 7200].map(|nominal| job.decide(nominal).unwrap().chosen_timestamp().unwrap_or(-1)));
    /// assert_eq!(times[1], -1);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn choose_in_place(&self, times: &mut [i64], unschedulable: i64) -> Result<(), Error> {
        times.iter().try_for_each(|nominal| check_nominal(*nominal).map(drop))?;
        let (rules, mut shared, mut drawn) = (self.rules(), Shared::default(), None);
        for time in times {
            *time = rules.choice(*time, &mut shared, &mut drawn).unwrap_or(unschedulable);
        }
        Ok(())
    }
}

impl<S: NominalTimes, D: Sampler> Job<S, D> {
    /// Decides the periods with nominal times in a range, in order, into the first slots of a slice. Returns how many
    /// slots were filled. If all were, there may be more periods: continue from a second after the last one's nominal time.
    ///
    /// ```
    /// use kron_core::Job;
    /// let job = Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// let mut slots = [job.decide(0)?; 24];
    /// assert_eq!(job.periods_into(0..5 * 3600, &mut slots), 5);
    /// assert!(slots[..5].iter().copied().eq(job.periods(0..5 * 3600)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn periods_into<'a, I: Instant, T: From<Decision<'a>>>(
        &'a self,
        range: impl RangeBounds<I>,
        slots: &mut [T],
    ) -> usize {
        let mut filled = 0;
        for (slot, decision) in slots.iter_mut().zip(self.periods(range)) {
            *slot = decision.into();
            filled += 1;
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn one_bad_nominal_time_leaves_all_slots_alone() {
        let job = Job::parse("web/ping", "@hourly @win(after,10m)").unwrap();
        let unset = job.decide(86_400).unwrap();
        let mut slots = [unset; 3];
        assert!(job.decide_into(&[0, 60, -1], &mut slots).is_err());
        assert_eq!(slots, [unset; 3]);
        // Periods that do not fit are not examined.
        assert_eq!(job.decide_into(&[0, 60, 120, -1], &mut slots), Ok(3));
        assert_eq!(slots[2], job.decide(120).unwrap());
        assert_eq!(job.decide_into(&[600], &mut slots), Ok(1));
        assert_eq!((slots[0], slots[2]), (job.decide(600).unwrap(), job.decide(120).unwrap()));
    }

    #[test]
    fn chosen_times_alone_are_those_of_decisions() {
        // More runs in a window, and more in a week, than a list of runs holds.
        let every = |step| -> String {
            let clock = |at| format!("{:02}:{:02}", at / 60, at % 60);
            let clause = |at| format!(" @only(between={}-{})", clock(at), clock(at + 1));
            (0..720).step_by(step).map(clause).collect()
        };
        let (runs_of_a_window, runs_of_a_week) = (every(7), every(60));
        for text in [
            "* * * * *",
            "* * * * * @only(hours=1-2)",
            "* * * * * @win(after,3h) @only(hours=9-17)",
            &format!("* * * * * @win(after,9h){runs_of_a_window}"),
            &format!("* * * * * @win(after,9h) @dist(exponential){runs_of_a_week}"),
            "* * * * * @win(after,24h) @dist(skewEarly,shape=2.5) @only(hours=1-4)",
            "* * * * * @tz(Europe/Paris) @win(around,720h) @only(dow=SUN;between=23:30-23:35) @avoid(dom=29)",
            "* * * * * @win(after,3h) @only(date=2026-04-02)",
            "* * * * * @win(around,3h)",
            "* * * * * @tz(Europe/Paris) @win(after,2h) @seed(daily) @avoid(hours=3)",
            "*/7 * * * * @tz(Australia/Lord_Howe) @win(before,9h) @dist(normal) @seed(weekly,salt=x) @only(between=02:00-02:03)",
            "* * * * * @win(after,1h) @dist(skewLate) @alg(sha256-splitmix64/1) @seed(daily) @avoid(hours=3-9)",
        ] {
            let job = Job::parse("web/ping", text).unwrap();
            let forwards: Vec<i64> = (0..10_000).map(|i| 1_774_000_000 + i * 97).collect();
            let backwards = forwards.iter().rev().copied();
            // 10,007 is prime: each index comes once, far from the one before.
            let about = (0..10_007).map(|i| i * 7919 % 10_007).filter_map(|i| forwards.get(i).copied());
            let orders = [forwards.clone(), backwards.collect(), about.collect()];
            let want: BTreeMap<i64, Option<i64>> = forwards
                .iter()
                .map(|nominal| (*nominal, job.decide(*nominal).unwrap().chosen_timestamp()))
                .collect();
            for nominals in orders {
                assert_eq!(nominals.len(), want.len());
                let mut times = nominals.clone();
                job.choose_in_place(&mut times, -7).unwrap();
                for (time, nominal) in times.iter().zip(&nominals) {
                    assert_eq!(*time, want[nominal].unwrap_or(-7), "{text} {nominal}");
                }
            }
        }
        let mut times = [0, 60, -1];
        assert!(Job::parse("x", "@daily").unwrap().choose_in_place(&mut times, 0).is_err());
        assert_eq!(times, [0, 60, -1]);
    }

    #[test]
    fn a_range_may_be_read_in_pieces() {
        let job = Job::parse("web/ping", "*/7 * * * * @tz(Europe/Paris) @win(around,1h)").unwrap();
        let (from, to) = (1_774_600_000, 1_774_800_000);
        let all: Vec<Decision<'_>> = job.periods(from..to).collect();
        let mut pieces = Vec::new();
        let mut slots = [job.decide(0).unwrap(); 10];
        let mut at = from;
        loop {
            let filled = job.periods_into(at..to, &mut slots);
            pieces.extend_from_slice(&slots[..filled]);
            if filled < slots.len() {
                break;
            }
            at = slots[filled - 1].nominal_timestamp() + 1;
        }
        assert_eq!(pieces, all);
    }
}
