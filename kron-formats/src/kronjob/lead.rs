//! Primers: when a host makes the extra execution that keeps a node ready for a start.

use std::fmt;

use kron_core::error::Snippet;
use kron_core::{Duration, Error, Instant};

use crate::error::ManifestError;
use crate::limits::{PRIMER_LEAD_MAX_NANOS, PRIMER_LEFT};

/// How long before a start its primer is made: more than 0, at most 24 hours.
///
/// Only the earliest start that is not handled has a primer, so the primer is made `lead` before the chosen time, or when the
/// start before is handled, if that is later. If less than 30 seconds are left then, no primer is made for this start.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_formats::kronjob::PrimerLead;
/// let job = Job::parse("prod/report", "0 6 * * * @win(after,1h)")?;
/// let start = job.next_start(1_772_323_200)?;
/// let lead = PrimerLead::new(Duration::parse("10m")?)?;
/// let chosen = start.chosen_time().unwrap();
/// assert_eq!(lead.time(chosen, None), Some(chosen.timestamp() - 600));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrimerLead {
    duration: Duration,
}

/// What to do about the primer of the earliest start that is not handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrimerAction {
    /// Look again at this Unix second, at which the primer is due.
    Wait {
        /// Unix seconds.
        until: i64,
    },
    /// Make the primer.
    Create,
    /// Make none: less than 30 seconds are left until the start.
    PassOver,
}

impl PrimerLead {
    /// A lead of that duration.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) for 0 and for more than 24 hours.
    ///
    /// ```
    /// use kron_core::{Duration, ErrorCode};
    /// use kron_formats::kronjob::PrimerLead;
    /// assert_eq!(PrimerLead::new(Duration::parse("24h")?)?.to_string(), "24h0m0s");
    /// let error = PrimerLead::new(Duration::ZERO).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::OutOfBounds);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(duration: Duration) -> Result<PrimerLead, Error> {
        if duration.is_zero() || duration.as_nanos() > PRIMER_LEAD_MAX_NANOS {
            let text = Snippet::of(&format!("{duration}"));
            return Err(Error::new("primer.lead", ManifestError::LongLead(text)));
        }
        Ok(PrimerLead { duration })
    }

    /// The duration.
    pub const fn duration(self) -> Duration {
        self.duration
    }

    /// What to do now about the primer of a start, given its chosen time. The start is the earliest that is not handled.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_formats::kronjob::{PrimerAction, PrimerLead};
    /// let lead = PrimerLead::new(Duration::parse("10m")?)?;
    /// assert_eq!(lead.action(7200, 6599), PrimerAction::Wait { until: 6600 });
    /// assert_eq!(lead.action(7200, 6600), PrimerAction::Create);
    /// assert_eq!(lead.action(7200, 7170), PrimerAction::Create);
    /// assert_eq!(lead.action(7200, 7171), PrimerAction::PassOver);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn action(self, chosen: impl Instant, now: impl Instant) -> PrimerAction {
        let (chosen, now) = (chosen.floor(), now.floor());
        let due = chosen.saturating_sub(self.duration.as_secs());
        if chosen.saturating_sub(due.max(now)) < PRIMER_LEFT {
            PrimerAction::PassOver
        } else if now < due {
            PrimerAction::Wait { until: due }
        } else {
            PrimerAction::Create
        }
    }

    /// The Unix second at which the primer of a start is made, given the chosen time of the start before it, if there is one.
    /// `None` if no primer is made. A host that handles the start before later makes the primer later.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_formats::kronjob::PrimerLead;
    /// let lead = PrimerLead::new(Duration::parse("10m")?)?;
    /// assert_eq!(lead.time(7200, Some(3600)), Some(6600));
    /// assert_eq!(lead.time(7200, Some(6900)), Some(6900));
    /// assert_eq!(lead.time(7200, Some(7190)), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn time(self, chosen: impl Instant, before: Option<i64>) -> Option<i64> {
        let chosen = chosen.floor();
        let due = chosen.saturating_sub(self.duration.as_secs());
        let at = before.map_or(due, |before| before.max(due));
        (self.action(chosen, at) == PrimerAction::Create).then_some(at)
    }
}

impl fmt::Display for PrimerLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.duration.fmt(f)
    }
}

impl fmt::Debug for PrimerLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrimerLead({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(text: &str) -> PrimerLead {
        PrimerLead::new(Duration::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn bounds() {
        for text in ["1ns", "1s", "30s", "24h"] {
            lead(text);
        }
        for (text, message) in [
            ("0s", "primer.lead: `0s` is not above 0s and at most 24h; write for example `10m`"),
            (
                "24h1ns",
                "primer.lead: `24h0m0.000000001s` is not above 0s and at most 24h; write for example `10m`",
            ),
        ] {
            let error = PrimerLead::new(Duration::parse(text).unwrap()).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn thirty_seconds_are_enough_and_less_are_not() {
        assert_eq!(lead("30s").time(1000, None), Some(970));
        assert_eq!(lead("29.9s").time(1000, None), None);
        assert_eq!(
            lead("29.9s").action(1000, 0),
            PrimerAction::PassOver,
            "it does not wait for what never comes"
        );
        assert_eq!(lead("30.9s").time(1000, None), Some(970), "whole seconds");
        assert_eq!(lead("1h").time(1000, Some(970)), Some(970));
        assert_eq!(lead("1h").time(1000, Some(971)), None);
        assert_eq!(lead("1h").time(1000, Some(1000)), None, "two starts in one second");
    }

    #[test]
    fn no_input_overflows() {
        for chosen in [i64::MIN, -1, 0, i64::MAX] {
            for now in [i64::MIN, 0, i64::MAX] {
                lead("24h").action(chosen, now);
                lead("24h").time(chosen, Some(now));
            }
        }
    }

    /// The action and the time agree: a host that looks at every second makes the primer at that second or not at all.
    #[test]
    fn the_first_second_of_create_is_the_time() {
        for seconds in [1, 29, 30, 31, 90, 600] {
            let lead = PrimerLead::new(Duration::from_secs(seconds)).unwrap();
            for before in [0, 300, 899, 970, 971, 1000] {
                let first = (before..1000).find(|now| lead.action(1000, *now) == PrimerAction::Create);
                assert_eq!(lead.time(1000, Some(before)), first, "{seconds} s, {before}");
            }
        }
    }
}
