//! What changes of offset do to a schedule: nominal times that are skipped and nominal times that occur twice.

use chrono::{DateTime, Utc};

use super::Schedule;
use crate::limits::NOMINAL_MAX;
use crate::time::instant::{Instant, to_utc};

/// A change of offset that meets a schedule. Made by [`Schedule::next_skipped`] and [`Schedule::next_doubled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClockChange {
    /// The Unix second at which the offset changes.
    pub timestamp: i64,
    /// Seconds east of UTC before it.
    pub offset_before: i32,
    /// Seconds east of UTC from it on.
    pub offset_after: i32,
    /// The first civil minute of the schedule that is skipped or doubled, in seconds since 1970-01-01T00:00 on a clock
    /// without zone.
    pub civil: i64,
}

impl ClockChange {
    /// The instant of the change.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let skipped = schedule.next_skipped(1_772_323_200).unwrap();
    /// assert_eq!(skipped.time().to_rfc3339(), "2026-03-29T01:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn time(&self) -> DateTime<Utc> {
        to_utc(self.timestamp)
    }

    /// The civil minute that is skipped or doubled, as it would be written: `2026-03-29T02:30`.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// assert_eq!(schedule.next_doubled(1_772_323_200).unwrap().civil_text(), "2026-10-25T02:30");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn civil_text(&self) -> alloc::string::String {
        let text = crate::time::rfc3339::Rfc3339(self.civil).text();
        text.as_str()[..16].into()
    }
}

impl Schedule {
    /// The next change of offset after an instant that skips a civil time of the schedule, which yields no period.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let skipped = schedule.next_skipped(1_772_323_200).unwrap();
    /// assert_eq!(skipped.civil_text(), "2026-03-29T02:30");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_skipped(&self, after: impl Instant) -> Option<ClockChange> {
        self.next_change(after.floor(), |before, after| before < after)
    }

    /// The next change of offset after an instant that doubles a civil time of the schedule, which yields two periods.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let doubled = schedule.next_doubled(1_772_323_200).unwrap();
    /// assert_eq!(doubled.civil_text(), "2026-10-25T02:30");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_doubled(&self, after: impl Instant) -> Option<ClockChange> {
        self.next_change(after.floor(), |before, after| before > after)
    }

    /// The next change of that kind that meets the schedule: the civil times between the two offsets are those affected.
    fn next_change(&self, after: i64, kind: impl Fn(i32, i32) -> bool) -> Option<ClockChange> {
        let zone = self.zone.offsets();
        zone.spans[zone.span_index(after)..].windows(2).find_map(|pair| {
            let (offset_before, offset_after, timestamp) = (pair[0].offset, pair[1].offset, pair[1].start);
            if !kind(offset_before, offset_after) || timestamp > NOMINAL_MAX {
                return None;
            }
            let low = timestamp + i64::from(offset_before.min(offset_after));
            let high = timestamp + i64::from(offset_before.max(offset_after));
            let civil = self.cron.at_or_after(-(-low).div_euclid(60))? * 60;
            (civil < high).then_some(ClockChange { timestamp, offset_before, offset_after, civil })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::cron::Cron;
    use crate::time::zone::Zone;

    #[test]
    fn changes_that_do_not_meet_the_schedule_are_passed_over() {
        let schedule =
            |cron: &str, zone: &str| Cron::parse(cron).unwrap().in_zone(Zone::parse(zone).unwrap());
        let at = 1_772_323_200;
        assert_eq!(schedule("0 12 * * *", "Europe/Paris").next_skipped(at), None);
        assert_eq!(schedule("30 2 * * *", "UTC").next_doubled(at), None);
        // Half an hour is skipped on Lord Howe.
        assert_eq!(
            schedule("15 2 * * *", "Australia/Lord_Howe").next_skipped(at).unwrap().civil_text(),
            "2026-10-04T02:15"
        );
        assert_eq!(schedule("45 2 * * *", "Australia/Lord_Howe").next_skipped(at), None);
        // A whole day in Samoa.
        assert_eq!(
            schedule("0 12 30 12 *", "Pacific/Apia").next_skipped(0).unwrap().civil_text(),
            "2011-12-30T12:00"
        );
        let twice = schedule("30 1 * * *", "America/New_York").next_doubled(at).unwrap();
        assert_eq!((twice.offset_before, twice.offset_after), (-14_400, -18_000));
    }
}
