//! The effect of clock changes on a primed schedule: on some days it fires at another time before the start, twice, not
//! at all, or for no start.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use chrono::{DateTime, Utc};

use super::super::Schedule;
use super::lead_minutes;
use crate::error::Error;
use crate::limits::NOMINAL_MAX;
use crate::time::calendar_field::{HOUR, MINUTE, MONTH};
use crate::time::civil::ceil_minute;
use crate::time::duration::Duration;
use crate::time::instant::{Instant, to_utc};
use crate::time::rfc3339::Rfc3339;

/// The effect of a clock change on the primed firing of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LeadChangeKind {
    /// The primed schedule fires this many seconds before the start, instead of the lead.
    Moved {
        /// Seconds from the primed firing to the start.
        seconds: i64,
    },
    /// The primed civil time is skipped: nothing fires before the start.
    Skipped,
    /// The primed civil time occurs twice: the first firing is too early.
    Twice {
        /// Seconds from the first primed firing to the start.
        seconds: i64,
    },
    /// The civil time of the start is skipped, but the primed one is not: it fires for no start.
    NoStart,
}

impl LeadChangeKind {
    /// The word of this effect: `moved`, `skipped`, `twice` or `noStart`.
    ///
    /// ```
    /// assert_eq!(kron_core::cron::LeadChangeKind::Skipped.as_str(), "skipped");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            LeadChangeKind::Moved { .. } => "moved",
            LeadChangeKind::Skipped => "skipped",
            LeadChangeKind::Twice { .. } => "twice",
            LeadChangeKind::NoStart => "noStart",
        }
    }

    /// Seconds from the primed firing, or the first of two, to the start; `None` if there is no firing or no start.
    ///
    /// ```
    /// assert_eq!(kron_core::cron::LeadChangeKind::Moved { seconds: 7200 }.seconds(), Some(7200));
    /// ```
    pub const fn seconds(self) -> Option<i64> {
        match self {
            LeadChangeKind::Moved { seconds } | LeadChangeKind::Twice { seconds } => Some(seconds),
            LeadChangeKind::Skipped | LeadChangeKind::NoStart => None,
        }
    }
}

/// A day on which a change of the clocks lies between a primed time and its start. Made by [`Schedule::lead_changes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeadChange {
    /// The Unix second at which the clocks change.
    pub timestamp: i64,
    /// What happens.
    pub kind: LeadChangeKind,
    /// The civil time of the first start that is affected in this way, in seconds since 1970-01-01T00:00 on a clock without
    /// zone.
    pub start: i64,
    /// The primed civil time of that start, counted as `start` is.
    pub primed: i64,
    /// Whether the clocks show the civil time of the start for the second time.
    again: bool,
}

impl LeadChange {
    /// The instant at which the clocks change.
    ///
    /// ```
    /// use kron_core::{Cron, Duration, Zone};
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = schedule.lead_changes(Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
    /// assert_eq!(changes[0].time().to_rfc3339(), "2026-03-29T01:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn time(&self) -> DateTime<Utc> {
        to_utc(self.timestamp)
    }

    /// The civil time of the start, in ISO 8601 to the minute.
    ///
    /// ```
    /// use kron_core::{Cron, Duration, Zone};
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = schedule.lead_changes(Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
    /// assert_eq!(changes[0].start_text(), "2026-03-29T03:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn start_text(&self) -> String {
        civil_text(self.start)
    }

    /// The primed civil time, in ISO 8601 to the minute.
    ///
    /// ```
    /// use kron_core::{Cron, Duration, Zone};
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = schedule.lead_changes(Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
    /// assert_eq!(changes[0].primed_text(), "2026-03-29T02:50");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn primed_text(&self) -> String {
        civil_text(self.primed)
    }
}

fn civil_text(civil: i64) -> String {
    Rfc3339(civil).text().as_str()[..16].into()
}

/// One sentence: `2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00`.
impl fmt::Display for LeadChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, primed) = (self.start_text(), self.primed_text());
        let lead =
            |seconds: i64| Duration::from_nanos(seconds.saturating_mul(1_000_000_000)).unwrap_or_default();
        match self.kind {
            LeadChangeKind::Moved { seconds } => {
                let which = if self.again { "second start" } else { "start" };
                write!(f, "{primed} comes {} before the {which} at {start}", lead(seconds))
            }
            LeadChangeKind::Skipped => {
                write!(f, "{primed} is skipped: nothing fires before the start at {start}")
            }
            LeadChangeKind::Twice { seconds } => write!(
                f,
                "{primed} occurs twice: the first time comes {} before the start at {start}",
                lead(seconds)
            ),
            LeadChangeKind::NoStart => {
                write!(f, "{start} is skipped: {primed} fires for no start")
            }
        }
    }
}

impl Schedule {
    /// The days on which a change of the clocks in the zone makes [`Cron::prime`](crate::Cron::prime) fire at another time
    /// before a start than the lead: for each change after `after` and before `until` the first start affected in each way.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for a lead that is not in whole minutes from one minute to 31 days.
    ///
    /// ```
    /// use kron_core::{Cron, Duration, Zone};
    /// use kron_core::cron::LeadChangeKind;
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = schedule.lead_changes(Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
    /// let sentences: Vec<_> = changes.iter().map(|change| change.to_string()).collect();
    /// assert_eq!(sentences, [
    ///     "2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00",
    ///     "2026-10-25T02:50 occurs twice: the first time comes 1h10m0s before the start at 2026-10-25T03:00",
    /// ]);
    /// assert_eq!(changes[0].kind, LeadChangeKind::Skipped);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn lead_changes(
        &self,
        lead: Duration,
        after: impl Instant,
        until: impl Instant,
    ) -> Result<Vec<LeadChange>, Error> {
        let lead = lead_minutes(lead)? * 60;
        let (after, until) = (after.floor(), until.floor().min(NOMINAL_MAX));
        let zone = self.zone.offsets();
        let mut found: Vec<LeadChange> = Vec::new();
        for pair in zone.spans[zone.span_index(after)..].windows(2) {
            let (before, at, offset) = (i64::from(pair[0].offset), pair[1].start, i64::from(pair[1].offset));
            if at >= until {
                break;
            }
            if before == offset {
                continue;
            }
            let first_of_change = found.len();
            let mut tell = |start: i64, again: bool, kind: LeadChangeKind| {
                let known = &found[first_of_change..];
                if !known.iter().any(|other| same_kind(other.kind, kind)) {
                    found.push(LeadChange { timestamp: at, kind, start, primed: start - lead, again });
                }
            };
            // From here on the primed time and the start are both after the change.
            let end = at + lead + (before - offset).max(0);
            let mut start = at - 1;
            let mut moved_is_known = self.never_moves(at - lead, end);
            while let Some(next) = self.next_timestamp(start).filter(|next| *next < end) {
                start = next;
                if let Some(kind) = self.effect(start, lead) {
                    let civil = self.civil_at(start);
                    let again = self.instants(civil).first().is_some_and(|first| *first < start);
                    tell(civil, again, kind);
                    moved_is_known |= matches!(kind, LeadChangeKind::Moved { .. });
                }
                if moved_is_known {
                    start = start.max(self.before_unusual(start, lead) - 1);
                }
            }
            // Starts that are skipped themselves.
            let mut civil = at + before;
            while let Some(skipped) = self.cron.at_or_after(ceil_minute(civil)).map(|minute| minute * 60) {
                if skipped >= at + offset {
                    break;
                }
                if self.instants(skipped - lead).iter().any(|fires| !self.starts_at(fires + lead)) {
                    tell(skipped, false, LeadChangeKind::NoStart);
                    break;
                }
                civil = skipped + 60;
            }
            found[first_of_change..].sort_by_key(|change| change.start);
        }
        Ok(found)
    }

    /// The effect of the zone on the primed firing of a start; `None` if it fires once, a lead before the start.
    fn effect(&self, start: i64, lead: i64) -> Option<LeadChangeKind> {
        let fires = self.instants(self.civil_at(start) - lead);
        let exact = start - lead;
        // The firing a lead before this start may belong to another start.
        if !self.cron_matches(self.civil_at(exact) + lead) {
            return Some(match fires.last() {
                None => LeadChangeKind::Skipped,
                Some(last) => LeadChangeKind::Moved { seconds: start - last },
            });
        }
        let first = fires.first().filter(|first| **first < exact && !self.starts_at(*first + lead))?;
        Some(LeadChangeKind::Twice { seconds: start - first })
    }

    /// Whether no primed firing between these instants comes at another lead than the others, because the expression fires
    /// alike at all times that the clocks can be moved to.
    fn never_moves(&self, from: i64, until: i64) -> bool {
        let zone = self.zone.offsets();
        // The offsets that are in force from a day before to a day after, in which all civil times of the range lie.
        let spans = &zone.spans[zone.span_index(from - DAY)..=zone.span_index(until + DAY)];
        let every_hour = u64::from(self.cron.hours) == HOUR.all()
            && u64::from(self.cron.months) == MONTH.all()
            && !self.cron.day_of_month_restricted()
            && !self.cron.day_of_week_restricted();
        let by_hours = spans.windows(2).all(|pair| (pair[1].offset - pair[0].offset) % 3600 == 0);
        let by_minutes = spans.windows(2).all(|pair| (pair[1].offset - pair[0].offset) % 60 == 0);
        every_hour && (by_hours || by_minutes && self.cron.minutes() == MINUTE.all())
    }

    /// An instant up to which no start after this one has a primed civil time that is skipped or occurs twice.
    fn before_unusual(&self, start: i64, lead: i64) -> i64 {
        let zone = self.zone.offsets();
        let primed = self.civil_at(start) - lead;
        // A change earlier than this is over at that civil time.
        let first = zone.span_index(primed - DAY);
        let mut elapsed = i64::MAX;
        for pair in zone.spans[first..].windows(2) {
            let offsets = [i64::from(pair[0].offset), i64::from(pair[1].offset)];
            if pair[1].start + offsets[0].max(offsets[1]) > primed {
                elapsed = pair[1].start + offsets[0].min(offsets[1]) - primed;
                break;
            }
        }
        if elapsed <= 0 {
            return start;
        }
        // Civil time differs from elapsed time by all changes in between.
        let last = zone.span_index(start.saturating_add(elapsed).saturating_add(DAY));
        let on_the_way = zone.spans[zone.span_index(start)..=last].windows(2);
        let ahead: i64 = on_the_way.map(|pair| i64::from((pair[1].offset - pair[0].offset).max(0))).sum();
        start.saturating_add(elapsed - ahead)
    }

    /// What a clock of the zone shows, in seconds since 1970-01-01T00:00.
    fn civil_at(&self, instant: i64) -> i64 {
        instant + i64::from(self.zone.offsets().at(instant))
    }

    /// Whether the expression fires at a civil second.
    fn cron_matches(&self, civil: i64) -> bool {
        civil.rem_euclid(60) == 0 && self.cron.at_or_after(civil.div_euclid(60)) == Some(civil.div_euclid(60))
    }

    /// Whether an instant is a nominal time.
    fn starts_at(&self, instant: i64) -> bool {
        self.cron_matches(self.civil_at(instant))
    }

    /// The instants at which a clock of the zone shows a civil time, ascending.
    fn instants(&self, civil: i64) -> Vec<i64> {
        let zone = self.zone.offsets();
        let (low, high) = (zone.span_index(civil - DAY), zone.span_index(civil + DAY));
        let mut instants = Vec::new();
        for index in low..=high {
            let instant = civil - i64::from(zone.spans[index].offset);
            if zone.span_index(instant) == index {
                instants.push(instant);
            }
        }
        instants
    }
}

/// Seconds of a day. No offset is as large.
const DAY: i64 = 86_400;

fn same_kind(a: LeadChangeKind, b: LeadChangeKind) -> bool {
    core::mem::discriminant(&a) == core::mem::discriminant(&b)
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;

    use super::*;
    use crate::cron::Cron;
    use crate::time::zone::Zone;

    fn of_2026(cron: &str, zone: &str, lead: &str) -> Vec<String> {
        let schedule = Cron::parse(cron).unwrap().in_zone(Zone::parse(zone).unwrap());
        let changes = schedule.lead_changes(Duration::parse(lead).unwrap(), 1_767_225_600, 1_798_761_600);
        changes.unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_way_in_which_a_lead_changes() {
        assert_eq!(of_2026("0 12 * * *", "Europe/Paris", "10m"), Vec::<String>::new());
        assert_eq!(of_2026("0 3 * * *", "UTC", "10m"), Vec::<String>::new());
        assert_eq!(
            of_2026("0 4 * * *", "Europe/Paris", "3h"),
            [
                "2026-03-29T01:00 comes 2h0m0s before the start at 2026-03-29T04:00",
                "2026-10-25T01:00 comes 4h0m0s before the start at 2026-10-25T04:00",
            ]
        );
        assert_eq!(
            of_2026("30 2 * * *", "Europe/Paris", "1h"),
            [
                "2026-03-29T02:30 is skipped: 2026-03-29T01:30 fires for no start",
                "2026-10-25T01:30 comes 2h0m0s before the second start at 2026-10-25T02:30",
            ]
        );
        // Start and primed time both occur twice.
        assert_eq!(of_2026("30 2 * * *", "Europe/Paris", "10m"), Vec::<String>::new());
        // A change that lies between two others inside the lead.
        assert_eq!(of_2026("0 12 1 4 *", "Europe/Paris", "744h").len(), 1);
    }

    /// Starts that the search skips have no effect that is not in the list.
    #[test]
    fn the_first_start_of_each_kind_is_that_of_a_look_at_all_starts() {
        let zones =
            ["Europe/Paris", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "America/St_Johns"];
        // From years with changes of a day, of half an hour and without a rule, to years with regular changes.
        let spans = [(1_296_000_000, 1_330_000_000), (1_767_225_600, 1_798_761_600)];
        for (cron, lead) in [
            ("* * * * *", "744h"),
            ("*/30 * * * *", "30h"),
            ("*/7 * * * *", "100h30m"),
            ("0 */2 * * *", "744h"),
            ("15,45 2 * * *", "700h17m"),
            ("0 3 1,15 * *", "744h"),
            ("* 1-3 * * 0", "1h"),
        ] {
            for zone in zones {
                let schedule = Cron::parse(cron).unwrap().in_zone(Zone::parse(zone).unwrap());
                let lead = Duration::parse(lead).unwrap();
                let seconds = lead.as_secs();
                for (from, until) in spans {
                    let mut found = schedule.lead_changes(lead, from, until).unwrap();
                    found.retain(|change| change.kind != LeadChangeKind::NoStart);
                    let mut wanted = Vec::new();
                    for change in schedule.zone.changes(from).take_while(|change| change.timestamp < until) {
                        let at = change.timestamp;
                        let back = i64::from(change.offset_before - change.offset_after).max(0);
                        if change.offset_before == change.offset_after {
                            continue;
                        }
                        let mut of_change: Vec<(i64, LeadChangeKind)> = Vec::new();
                        let mut series = schedule.series(at - 1);
                        while let Some(start) =
                            series.next_timestamp().filter(|start| *start < at + seconds + back)
                        {
                            let Some(kind) = schedule.effect(start, seconds) else { continue };
                            if !of_change.iter().any(|(_, known)| same_kind(*known, kind)) {
                                of_change.push((schedule.civil_at(start), kind));
                            }
                        }
                        of_change.sort_by_key(|(start, _)| *start);
                        wanted.extend(of_change.into_iter().map(|(start, kind)| (at, start, kind)));
                    }
                    let found: Vec<_> =
                        found.iter().map(|change| (change.timestamp, change.start, change.kind)).collect();
                    assert_eq!(found, wanted, "{cron} {zone} {lead}");
                }
            }
        }
    }

    /// Each start and each primed firing of three years, compared one by one.
    #[test]
    fn the_changes_are_those_of_a_comparison_of_all_instants() {
        let cases = [
            ("*/30 * * * *", "Europe/Paris"),
            ("15 1-3 * * *", "Australia/Lord_Howe"),
            ("0 */5 * * *", "Africa/Casablanca"),
            ("0 3 * * *", "America/New_York"),
        ];
        for (cron, zone) in cases {
            let (zone, cron) = (Zone::parse(zone).unwrap(), Cron::parse(cron).unwrap());
            let schedule = cron.in_zone(zone.clone());
            for lead in ["1m", "30m", "2h", "26h"] {
                let lead_seconds = Duration::parse(lead).unwrap().as_secs();
                let (from, until) = (1_767_225_600, 1_767_225_600 + 3 * 365 * 86_400);
                let changes = schedule.lead_changes(Duration::parse(lead).unwrap(), from, until).unwrap();
                let instants = |schedule: &Schedule| {
                    let mut series = schedule.series(from - 40 * 86_400);
                    core::iter::from_fn(|| series.next_timestamp())
                        .take_while(|at| *at < until + 40 * 86_400)
                        .collect::<BTreeSet<i64>>()
                };
                let primed = cron.prime(Duration::parse(lead).unwrap()).unwrap();
                let fires: BTreeSet<i64> = primed
                    .expressions()
                    .iter()
                    .flat_map(|cron| instants(&cron.in_zone(zone.clone())))
                    .collect();
                let starts = instants(&schedule);
                let clocks = |at: i64| {
                    let change = zone.changes(at - lead_seconds - 1).next();
                    change.map(|change| change.timestamp).filter(|change| *change <= at + 3 * 3600)
                };
                // Every start and every firing without its partner is near a change that is in the list.
                let named = |change: Option<i64>| {
                    let change = change.unwrap_or_else(|| panic!("{cron} {lead}: no change of the clocks"));
                    changes.iter().any(|named| named.timestamp == change)
                };
                let inside = |at: &&i64| (from + 3 * 86_400..until - 3 * 86_400).contains(*at);
                for start in starts.iter().filter(inside) {
                    assert!(
                        fires.contains(&(start - lead_seconds)) || named(clocks(*start)),
                        "{cron} {lead} {start}"
                    );
                }
                for at in fires.iter().filter(inside) {
                    assert!(
                        starts.contains(&(at + lead_seconds)) || named(clocks(at + lead_seconds)),
                        "{cron} {lead} {at}"
                    );
                }
                // Each entry of the list describes what happens.
                for change in &changes {
                    let start = starts
                        .range(change.timestamp..)
                        .find(|start| schedule.civil_at(**start) == change.start);
                    let exact = start.is_some_and(|start| fires.contains(&(start - lead_seconds)));
                    match change.kind {
                        LeadChangeKind::NoStart => {
                            let fires_then = |at: &i64| schedule.civil_at(*at) == change.primed;
                            let at = fires
                                .range(change.timestamp - 40 * 86_400..)
                                .find(|at| fires_then(at))
                                .unwrap();
                            assert!(!starts.contains(&(at + lead_seconds)));
                        }
                        LeadChangeKind::Twice { seconds } => {
                            assert!(exact && fires.contains(&(start.unwrap() - seconds)));
                            assert!(!starts.contains(&(start.unwrap() - seconds + lead_seconds)));
                        }
                        LeadChangeKind::Moved { seconds } => {
                            assert!(!exact && fires.contains(&(start.unwrap() - seconds)));
                        }
                        LeadChangeKind::Skipped => assert!(!exact && start.is_some()),
                    }
                }
            }
        }
    }
}
