//! Chosen times of many periods of one job, for programs that need nothing else of their decisions.

use crate::decision::{Rules, Shared};
use crate::draw::distribution::{Quantile, Sampler};
use crate::draw::seed::{PeriodKey, Seed};
use crate::draw::stream::Stream;
use crate::error::Error;
use crate::job::{Job, check_nominal};

/// Chooses the starts of many periods, and shares between them what they have in common: the tables of allowed seconds and the
/// draw of periods with one key. Made by [`Job::chooser`].
///
/// ```
/// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m) @avoid(hours=1)")?;
/// let mut chooser = job.chooser();
/// assert_eq!(chooser.choose(0)?, job.decide(0)?.chosen_timestamp());
/// assert_eq!(chooser.choose(3600)?, None);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chooser<'a, D = Quantile> {
    rules: Rules<'a, D>,
    shared: Shared,
    drawn: Option<(PeriodKey, Stream)>,
}

impl<S, D: Sampler> Job<S, D> {
    /// A chooser of the starts of many periods.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// assert_eq!(job.chooser().choose(7200)?, job.decide(7200)?.chosen_timestamp());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn chooser(&self) -> Chooser<'_, D> {
        Chooser { rules: self.rules(), shared: Shared::default(), drawn: None }
    }
}

impl<'a, D: Sampler> Chooser<'a, D> {
    /// The same chooser for a job with another seed.
    ///
    /// ```
    /// use kron_core::{Job, Seed, SeedStrategy};
    /// let job = Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// let other = Job::parse("web/ping", "@hourly @win(after,10m) @seed(stable,salt=7)")?;
    /// let seed = Seed::new(SeedStrategy::Stable, "7")?;
    /// assert_eq!(job.chooser().with_seed(&seed).choose(0)?, other.decide(0)?.chosen_timestamp());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_seed<'b>(self, seed: &'b Seed) -> Chooser<'b, D>
    where
        'a: 'b,
    {
        // What is shared is about constraints and the distribution; only draws depend on the seed.
        Chooser { rules: Rules { seed, ..self.rules }, shared: self.shared, drawn: None }
    }

    /// The chosen time of the period of a nominal time, both in Unix seconds; `None` if it is unschedulable.
    ///
    /// # Errors
    ///
    /// Those of [`Job::decide`].
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// assert!((0..=600).contains(&job.chooser().choose(0)?.unwrap()));
    /// assert!(job.chooser().choose(-1).is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn choose(&mut self, nominal: i64) -> Result<Option<i64>, Error> {
        check_nominal(nominal)?;
        Ok(self.rules.choice(nominal, &mut self.shared, &mut self.drawn).ok())
    }

    /// Whether the periods of two nominal times, in Unix seconds, share a draw: whether they have one period key.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m) @seed(daily)")?;
    /// assert!(job.chooser().share_draw(0, 3600) && !job.chooser().share_draw(0, 86_400));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn share_draw(&self, one: i64, other: i64) -> bool {
        let key = |nominal| PeriodKey::new(self.rules.seed.strategy(), self.rules.zone, nominal);
        key(one) == key(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Periods that are chosen one by one share what is known of the constraints.
    #[test]
    fn the_work_of_many_periods_is_bounded() {
        let job = Job::parse("chooser/test", "* * * * * @win(after,240h) @only(hours=3)").unwrap();
        let mut chooser = job.chooser();
        let nominals = (0..10_000).map(|minute| 1_772_323_200 + minute * 60);
        assert!(nominals.map(|nominal| chooser.choose(nominal).unwrap()).all(|chosen| chosen.is_some()));
        let work = chooser.shared.work;
        assert!(work.alone < 100 && work.by_table > 2000, "{work:?}");
    }
}
