//! The effect of clock changes on a primed schedule: on some days it fires at another time before the start, twice, not
//! at all, or for no start.

use std::fmt;

use chrono::{DateTime, Datelike, Timelike, Utc};
use kron_core::cron::{CronField, NOMINAL_MAX};
use kron_core::time::{OffsetChange, to_utc};
use kron_core::{Duration, Error, Instant, Schedule};
use kron_fleet::HumanLength;

use super::lead_minutes;

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
    /// assert_eq!(kron_formats::prime::LeadChangeKind::Skipped.as_str(), "skipped");
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
    /// assert_eq!(kron_formats::prime::LeadChangeKind::Moved { seconds: 7200 }.seconds(), Some(7200));
    /// ```
    pub const fn seconds(self) -> Option<i64> {
        match self {
            LeadChangeKind::Moved { seconds } | LeadChangeKind::Twice { seconds } => Some(seconds),
            LeadChangeKind::Skipped | LeadChangeKind::NoStart => None,
        }
    }
}

/// A day on which a change of the clocks lies between a primed time and its start. Made by [`lead_changes`].
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
    /// use kron_formats::prime::lead_changes;
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = lead_changes(&schedule, Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
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
    /// use kron_formats::prime::lead_changes;
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = lead_changes(&schedule, Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
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
    /// use kron_formats::prime::lead_changes;
    /// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// let changes = lead_changes(&schedule, Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
    /// assert_eq!(changes[0].primed_text(), "2026-03-29T02:50");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn primed_text(&self) -> String {
        civil_text(self.primed)
    }
}

fn civil_text(civil: i64) -> String {
    to_utc(civil).format("%Y-%m-%dT%H:%M").to_string()
}

/// One sentence: `2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00`.
impl fmt::Display for LeadChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, primed) = (self.start_text(), self.primed_text());
        match self.kind {
            LeadChangeKind::Moved { seconds } => {
                let which = if self.again { "second start" } else { "start" };
                write!(f, "{primed} comes {} before the {which} at {start}", HumanLength::of_seconds(seconds))
            }
            LeadChangeKind::Skipped => {
                write!(f, "{primed} is skipped: nothing fires before the start at {start}")
            }
            LeadChangeKind::Twice { seconds } => write!(
                f,
                "{primed} occurs twice: the first time comes {} before the start at {start}",
                HumanLength::of_seconds(seconds)
            ),
            LeadChangeKind::NoStart => {
                write!(f, "{start} is skipped: {primed} fires for no start")
            }
        }
    }
}

/// The days on which a change of the clocks in the zone makes the expressions of [`Prime::prime`](super::Prime::prime) fire at
/// another time before a start than the lead: for each change after `after` and before `until` the first start affected in each
/// way.
///
/// # Errors
///
/// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) for a lead that is not in whole minutes from one minute to 31 days.
///
/// ```
/// use kron_core::{Cron, Duration, Zone};
/// use kron_formats::prime::{LeadChangeKind, lead_changes};
/// let schedule = Cron::parse("0 3 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
/// let changes = lead_changes(&schedule, Duration::parse("10m")?, 1_772_323_200, 1_803_859_200)?;
/// let sentences: Vec<_> = changes.iter().map(|change| change.to_string()).collect();
/// assert_eq!(sentences, [
///     "2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00",
///     "2026-10-25T02:50 occurs twice: the first time comes 1h 10m before the start at 2026-10-25T03:00",
/// ]);
/// assert_eq!(changes[0].kind, LeadChangeKind::Skipped);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn lead_changes(
    schedule: &Schedule,
    lead: Duration,
    after: impl Instant,
    until: impl Instant,
) -> Result<Vec<LeadChange>, Error> {
    let lead = lead_minutes(lead)? * 60;
    let clocks = Clocks(schedule);
    let until = until.floor().min(NOMINAL_MAX);
    let mut found: Vec<LeadChange> = Vec::new();
    for change in schedule.zone().changes(after).take_while(|change| change.timestamp < until) {
        clocks.effects_of(&change, lead, &mut found);
    }
    Ok(found)
}

/// A schedule and the clocks of its zone.
struct Clocks<'s>(&'s Schedule);

impl Clocks<'_> {
    /// Adds the first start that a change affects in each way.
    fn effects_of(&self, change: &OffsetChange, lead: i64, found: &mut Vec<LeadChange>) {
        let at = change.timestamp;
        let (before, offset) = (i64::from(change.offset_before), i64::from(change.offset_after));
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
        while let Some(next) = self.0.next_timestamp(start).filter(|next| *next < end) {
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
        // Starts that are skipped themselves, among the minutes of less than two days.
        let first_minute = at + before + (-at - before).rem_euclid(60);
        let mut skipped = (first_minute..at + offset).step_by(60).filter(|civil| self.fires_at_civil(*civil));
        let for_none =
            |civil: &i64| self.instants(civil - lead).iter().any(|fires| !self.fires_at(fires + lead));
        if let Some(civil) = skipped.find(for_none) {
            tell(civil, false, LeadChangeKind::NoStart);
        }
        found[first_of_change..].sort_by_key(|change| change.start);
    }

    /// The effect of the zone on the primed firing of a start; `None` if it fires once, a lead before the start.
    fn effect(&self, start: i64, lead: i64) -> Option<LeadChangeKind> {
        let fires = self.instants(self.civil_at(start) - lead);
        let exact = start - lead;
        // The firing a lead before this start may belong to another start.
        if !self.fires_at_civil(self.civil_at(exact) + lead) {
            return Some(match fires.last() {
                None => LeadChangeKind::Skipped,
                Some(last) => LeadChangeKind::Moved { seconds: start - last },
            });
        }
        let first = fires.first().filter(|first| **first < exact && !self.fires_at(*first + lead))?;
        Some(LeadChangeKind::Twice { seconds: start - first })
    }

    /// Whether no primed firing between these instants comes at another lead than the others, because the expression fires
    /// alike at all times that the clocks can be moved to.
    fn never_moves(&self, from: i64, until: i64) -> bool {
        let cron = self.0.cron();
        let is_free = |field: &CronField| !cron.restricts(*field);
        if !CronField::ALL[1..].iter().all(is_free) {
            return false;
        }
        // The offsets that are in force from a day before to a day after, in which all civil times of the range lie.
        let mut changes = self.changes(from - DAY, until + DAY);
        let unit = if is_free(&CronField::Minute) { 60 } else { 3600 };
        changes.all(|change| (change.offset_after - change.offset_before) % unit == 0)
    }

    /// An instant up to which no start after this one has a primed civil time that is skipped or occurs twice.
    fn before_unusual(&self, start: i64, lead: i64) -> i64 {
        let primed = self.civil_at(start) - lead;
        // A change earlier than this is over at that civil time.
        let next = self.0.zone().changes(primed - DAY).find_map(|change| {
            let offsets = [change.offset_before, change.offset_after].map(i64::from);
            let is_ahead = change.timestamp + offsets[0].max(offsets[1]) > primed;
            is_ahead.then(|| change.timestamp + offsets[0].min(offsets[1]) - primed)
        });
        let elapsed = next.unwrap_or(i64::MAX);
        if elapsed <= 0 {
            return start;
        }
        // Civil time differs from elapsed time by all changes in between.
        let on_the_way = self.changes(start, start.saturating_add(elapsed).saturating_add(DAY));
        let ahead: i64 =
            on_the_way.map(|change| i64::from((change.offset_after - change.offset_before).max(0))).sum();
        start.saturating_add(elapsed - ahead)
    }

    /// The changes after an instant, up to another one.
    fn changes(&self, after: i64, until: i64) -> impl Iterator<Item = OffsetChange> {
        self.0.zone().changes(after).take_while(move |change| change.timestamp <= until)
    }

    /// What a clock of the zone shows, in seconds since 1970-01-01T00:00.
    fn civil_at(&self, instant: i64) -> i64 {
        instant + i64::from(self.0.zone().offset_at(instant))
    }

    /// Whether the expression fires at a civil second.
    fn fires_at_civil(&self, civil: i64) -> bool {
        let (cron, time) = (self.0.cron(), to_utc(civil));
        let has = |field, value: u32| cron.values(field) >> value & 1 == 1;
        let of_month = has(CronField::DayOfMonth, time.day());
        let of_week = has(CronField::DayOfWeek, time.weekday().num_days_from_sunday());
        let both = cron.restricts(CronField::DayOfMonth) && cron.restricts(CronField::DayOfWeek);
        time.second() == 0
            && has(CronField::Minute, time.minute())
            && has(CronField::Hour, time.hour())
            && has(CronField::Month, time.month())
            && if both { of_month || of_week } else { of_month && of_week }
    }

    /// Whether the expression fires at an instant.
    fn fires_at(&self, instant: i64) -> bool {
        self.fires_at_civil(self.civil_at(instant))
    }

    /// The instants at which a clock of the zone shows a civil time, ascending.
    fn instants(&self, civil: i64) -> Vec<i64> {
        let zone = self.0.zone();
        let later = self.changes(civil - DAY, civil + DAY).map(|change| change.offset_after);
        let offsets = std::iter::once(zone.offset_at(civil - DAY)).chain(later);
        let mut instants: Vec<i64> = offsets
            .map(|offset| (civil - i64::from(offset), offset))
            .filter(|(instant, offset)| zone.offset_at(*instant) == *offset)
            .map(|(instant, _)| instant)
            .collect();
        // An offset that holds again within two days gives the same instant twice.
        instants.sort_unstable();
        instants.dedup();
        instants
    }
}

/// Seconds of a day. No offset is as large.
const DAY: i64 = 86_400;

fn same_kind(a: LeadChangeKind, b: LeadChangeKind) -> bool {
    std::mem::discriminant(&a) == core::mem::discriminant(&b)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kron_core::{Cron, Zone};

    use super::*;
    use crate::prime::Prime as _;

    fn of_2026(cron: &str, zone: &str, lead: &str) -> Vec<String> {
        let schedule = Cron::parse(cron).unwrap().in_zone(Zone::parse(zone).unwrap());
        let changes = lead_changes(&schedule, Duration::parse(lead).unwrap(), 1_767_225_600, 1_798_761_600);
        changes.unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_way_in_which_a_lead_changes() {
        assert_eq!(of_2026("0 12 * * *", "Europe/Paris", "10m"), Vec::<String>::new());
        assert_eq!(of_2026("0 3 * * *", "UTC", "10m"), Vec::<String>::new());
        assert_eq!(
            of_2026("0 4 * * *", "Europe/Paris", "3h"),
            [
                "2026-03-29T01:00 comes 2h before the start at 2026-03-29T04:00",
                "2026-10-25T01:00 comes 4h before the start at 2026-10-25T04:00",
            ]
        );
        assert_eq!(
            of_2026("30 2 * * *", "Europe/Paris", "1h"),
            [
                "2026-03-29T02:30 is skipped: 2026-03-29T01:30 fires for no start",
                "2026-10-25T01:30 comes 2h before the second start at 2026-10-25T02:30",
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
                    let mut found = lead_changes(&schedule, lead, from, until).unwrap();
                    found.retain(|change| change.kind != LeadChangeKind::NoStart);
                    let mut wanted = Vec::new();
                    for change in schedule.zone().changes(from).take_while(|change| change.timestamp < until)
                    {
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
                            let Some(kind) = Clocks(&schedule).effect(start, seconds) else { continue };
                            if !of_change.iter().any(|(_, known)| same_kind(*known, kind)) {
                                of_change.push((Clocks(&schedule).civil_at(start), kind));
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
                let changes = lead_changes(&schedule, Duration::parse(lead).unwrap(), from, until).unwrap();
                let instants = |schedule: &Schedule| {
                    let mut series = schedule.series(from - 40 * 86_400);
                    std::iter::from_fn(|| series.next_timestamp())
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
                        .find(|start| Clocks(&schedule).civil_at(**start) == change.start);
                    let exact = start.is_some_and(|start| fires.contains(&(start - lead_seconds)));
                    match change.kind {
                        LeadChangeKind::NoStart => {
                            let fires_then = |at: &i64| Clocks(&schedule).civil_at(*at) == change.primed;
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
