//! The effect of changes of offset on a schedule: nominal times that are skipped and nominal times that occur twice.

use core::ops::RangeBounds;

use chrono::{DateTime, Utc};

use super::Schedule;
use crate::limits::NOMINAL_MAX;
use crate::time::instant::{Instant, seconds_of, to_utc};
use crate::time::zone::OffsetChange;

/// A civil minute of a schedule that a change of offset skips or doubles. Made by [`Schedule::next_skipped`],
/// [`Schedule::next_doubled`] and [`Schedule::clock_changes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClockChange {
    /// The Unix second at which the offset changes.
    pub timestamp: i64,
    /// Seconds east of UTC before it.
    pub offset_before: i32,
    /// Seconds east of UTC from it on.
    pub offset_after: i32,
    /// The civil minute of the schedule that is skipped or doubled, in seconds since 1970-01-01T00:00 on a clock without
    /// zone.
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

    /// The two nominal times of a doubled civil minute, in Unix seconds and in order; `None` for a skipped one, which has
    /// none.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let twice = schedule.next_doubled(1_772_323_200).unwrap().nominal_timestamps().unwrap();
    /// assert_eq!(twice[1] - twice[0], 3600);
    /// assert_eq!(schedule.next_skipped(1_772_323_200).unwrap().nominal_timestamps(), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn nominal_timestamps(&self) -> Option<[i64; 2]> {
        let at = |offset: i32| self.civil - i64::from(offset);
        (self.offset_before > self.offset_after).then(|| [at(self.offset_before), at(self.offset_after)])
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

    /// Every civil minute of the schedule that a change of offset skips or doubles, for the changes in `[from, to)` up to
    /// 2099: in order of the changes, then of civil time.
    ///
    /// Lazy: a step costs one search in the calendar.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("0,30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let year = schedule.clock_changes(1_767_225_600..1_798_761_600);
    /// let year: Vec<_> = year.map(|change| (change.civil_text(), change.nominal_timestamps().is_some())).collect();
    /// let want = [("2026-03-29T02:00", false), ("2026-03-29T02:30", false), ("2026-10-25T02:00", true), ("2026-10-25T02:30", true)];
    /// assert_eq!(year, want.map(|(civil, doubled)| (civil.to_string(), doubled)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn clock_changes<I: Instant, R: RangeBounds<I>>(
        &self,
        range: R,
    ) -> impl Iterator<Item = ClockChange> + use<'_, I, R> {
        let seconds = seconds_of(range);
        let (from, to) = (seconds.start, seconds.end.min(NOMINAL_MAX + 1));
        let changes =
            self.zone.changes(from.saturating_sub(1)).take_while(move |change| change.timestamp < to);
        changes.flat_map(|change| self.affected(change))
    }

    /// The next change of this kind that affects the schedule.
    fn next_change(&self, after: i64, kind: impl Fn(i32, i32) -> bool) -> Option<ClockChange> {
        let changes = self.zone.changes(after).take_while(|change| change.timestamp <= NOMINAL_MAX);
        let changes = changes.filter(|change| kind(change.offset_before, change.offset_after));
        changes.flat_map(|change| self.affected(change).next()).next()
    }

    /// The civil minutes of the schedule that a change affects: those between the two offsets.
    fn affected(&self, change: OffsetChange) -> impl Iterator<Item = ClockChange> + '_ {
        let OffsetChange { timestamp, offset_before, offset_after, .. } = change;
        let low = timestamp + i64::from(offset_before.min(offset_after));
        let high = timestamp + i64::from(offset_before.max(offset_after));
        let first = self.cron.at_or_after(-(-low).div_euclid(60));
        let minutes = core::iter::successors(first, |minute| self.cron.at_or_after(minute + 1));
        let civil = minutes.map(|minute| minute * 60).take_while(move |civil| *civil < high);
        let chosen = civil.filter(|civil| self.days.judge(*civil).is_chosen());
        chosen.map(move |civil| ClockChange { timestamp, offset_before, offset_after, civil })
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

    /// Every civil minute around the changes of a zone, counted by chrono's own conversion.
    #[test]
    fn all_minutes_agree_with_chrono() {
        use alloc::vec::Vec;
        use chrono::{MappedLocalTime, TimeZone as _};

        for (zone, from, to) in [
            ("Europe/Paris", 1_767_225_600, 1_798_761_600),
            ("Australia/Lord_Howe", 1_767_225_600, 1_798_761_600),
            ("America/St_Johns", 1_767_225_600, 1_798_761_600),
            // A whole day was skipped.
            ("Pacific/Apia", 1_321_000_000, 1_326_000_000),
        ] {
            let tz: chrono_tz::Tz = zone.parse().unwrap();
            for cron in ["* * * * *", "*/7 1-3 * * *", "0 12 30 12 *", "30 2 * * SUN"] {
                let cron = Cron::parse(cron).unwrap();
                let schedule = cron.in_zone(Zone::parse(zone).unwrap());
                let utc = cron.in_zone(Zone::UTC);
                let (mut skipped, mut doubled) = (Vec::new(), Vec::new());
                for civil in utc.series(from - 1) {
                    if civil.timestamp() >= to {
                        break;
                    }
                    match tz.from_local_datetime(&civil.naive_utc()) {
                        MappedLocalTime::Single(_) => {}
                        MappedLocalTime::None => skipped.push(civil.timestamp()),
                        MappedLocalTime::Ambiguous(a, b) => {
                            doubled.push((civil.timestamp(), [a.timestamp(), b.timestamp()]));
                        }
                    }
                }
                let found: Vec<_> = schedule.clock_changes(from..to).collect();
                let twice =
                    found.iter().filter_map(|change| Some((change.civil, change.nominal_timestamps()?)));
                assert_eq!(twice.collect::<Vec<_>>(), doubled, "{cron} in {zone}");
                let never = found.iter().filter(|change| change.nominal_timestamps().is_none());
                assert_eq!(never.map(|change| change.civil).collect::<Vec<_>>(), skipped, "{cron} in {zone}");
            }
        }
        let paris = Cron::parse("30 2 * * *").unwrap().in_zone(Zone::parse("Europe/Paris").unwrap());
        // The range includes its first second but not its end.
        assert_eq!(paris.clock_changes(1_774_746_000..1_774_746_001).count(), 1);
        assert_eq!(paris.clock_changes(1_774_745_000..1_774_746_000).count(), 0);
        assert_eq!(paris.clock_changes(i64::MIN..i64::MAX).last().unwrap().civil_text(), "2099-10-25T02:30");
    }
}
