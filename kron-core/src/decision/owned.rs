//! Decisions that outlive their job.

use alloc::boxed::Box;
use core::fmt;

use crate::decision::period::Period;
use crate::decision::{Decision, Proof};
use crate::draw::seed::Seed;

/// A [`Decision`] with its own copy of the job's name and seed, so that it does not borrow the job.
///
/// [`as_decision`](OwnedDecision::as_decision) gives the decision back; nothing is decided again.
///
/// ```
/// use kron_core::Job;
/// use kron_core::decision::OwnedDecision;
/// let kept: OwnedDecision = {
///     let job = Job::parse("prod/db-backup", "@daily @seed(stable,salt=backup)")?;
///     job.decide(0)?.into()
/// };
/// assert_eq!(kept.as_decision().seed_input(), "prod/db-backup\n1970-01-01T00:00:00Z\nbackup");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct OwnedDecision {
    name: Box<str>,
    seed: Seed,
    period: Period,
    proof: Proof,
}

impl OwnedDecision {
    /// The decision. It costs nothing.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::decision::OwnedDecision;
    /// let owned = OwnedDecision::from(Job::parse("prod/db-backup", "@daily @win(after,3h)")?.decide(0)?);
    /// // The job is gone, the decision is whole.
    /// assert_eq!(owned.as_decision().seed_input(), "prod/db-backup\n1970-01-01T00:00:00Z\n");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn as_decision(&self) -> Decision<'_> {
        Decision { name: &self.name, seed: &self.seed, period: self.period, proof: self.proof }
    }
}

impl From<Decision<'_>> for OwnedDecision {
    fn from(decision: Decision<'_>) -> OwnedDecision {
        let Decision { name, seed, period, proof } = decision;
        OwnedDecision { name: name.into(), seed: seed.clone(), period, proof }
    }
}

impl AsRef<Period> for OwnedDecision {
    fn as_ref(&self) -> &Period {
        &self.period
    }
}

impl fmt::Debug for OwnedDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_decision().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::job::Job;

    #[test]
    fn the_decision_comes_back_whole() {
        let long = "n".repeat(1024);
        for (name, text) in [
            ("a", "@daily"),
            ("prod/db", "@daily @tz(Asia/Tokyo) @win(after,3h) @seed(weekly,salt=blue) @only(hours=12)"),
            (&long, "@daily @win(around,3h) @seed(fixed) @avoid(hours=0)"),
            ("b", "@daily @win(after,3h) @seed(daily) @alg(sha256-splitmix64/1) @only(hours=12)"),
        ] {
            let (kept, want) = {
                let job = Job::parse(name, text).unwrap();
                let decision = job.decide(86_400).unwrap();
                let key = (decision.period_key(), decision.seed_input(), decision.seed_strategy());
                (OwnedDecision::from(decision), (key, format!("{decision:?}"), decision.period()))
            };
            let decision = kept.as_decision();
            let key = (decision.period_key(), decision.seed_input(), decision.seed_strategy());
            assert_eq!((key, format!("{kept:?}"), *kept.as_ref()), want);
            assert_eq!(OwnedDecision::from(decision), kept);
        }
    }
}
