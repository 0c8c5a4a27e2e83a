//! The words that all forms of a forecast share: its result in one sentence, and times as people read them.

use chrono::{DateTime, Datelike as _, MappedLocalTime, NaiveDateTime, NaiveTime, TimeZone as _};
use kron_core::Zone;
use kron_fleet::HumanLength;
use kron_fleet::forecast::{ForecastBy, ForecastRange, PeakChange};

pub(crate) use crate::output::plural::grouped;
use crate::output::plural::plural;
use crate::output::ticks::{self, Tick, TickStep};
use crate::output::time;

/// The name of the base.
pub(super) const BASE: &str = "there already (--base)";

/// The names of the two sides of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
}

impl Sides {
    /// The schedules, and what their windows make of them.
    pub(crate) const FORECAST: Sides = Sides { before: "as written", after: "as spread" };
    /// Declared schedules, and what `kron place` made of them.
    pub(crate) const PLACED: Sides = Sides { before: "as declared", after: "as placed" };
    /// What a command changes.
    pub(crate) const EDIT: Sides = Sides { before: "before", after: "after" };

    /// The side of nominal times is the first one.
    pub(crate) const fn of(self, by: ForecastBy) -> &'static str {
        match by {
            ForecastBy::NominalTime => self.before,
            ForecastBy::ChosenTime => self.after,
        }
    }
}

/// The result of a forecast, for its first sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Headline {
    /// The seconds of a bucket.
    pub(crate) per: i64,
    /// The range: `Mon 2 March`.
    pub(crate) range: String,
    pub(crate) sides: Sides,
    /// The starts in the fullest bucket before; `None` if no job has a window, so that there is nothing to compare.
    pub(crate) before: Option<u64>,
    /// The starts in the fullest bucket.
    pub(crate) after: u64,
    /// The starts of the whole range.
    pub(crate) starts: u64,
    /// How many jobs there are, without those that are suspended.
    pub(crate) jobs: usize,
    /// Whether all numbers contain what is there already.
    pub(crate) has_base: bool,
    /// The length of `--window`.
    pub(crate) window: Option<String>,
}

impl Headline {
    /// The sentence.
    ///
    /// `Fullest 15 minutes, Mon 2 March: 276 starts as written, 30 as spread (9.2 times fewer)`
    pub(crate) fn sentence(&self) -> String {
        let (range, length) = (&self.range, bucket(self.per));
        match self.before.unwrap_or(0).max(self.after) {
            0 => return format!("No job starts, {range}"),
            1 if self.starts == 1 => return format!("One start, {range}"),
            // One job alone has no herd.
            1 if self.jobs == 1 => return format!("{}, {range}", starts(self.starts)),
            1 => return format!("No two starts within the same {length}, {range}"),
            _ => {}
        }
        let (what, count, fewer): (_, fn(u64) -> String, _) = match self.has_base {
            true => (" of starts and base", grouped, "less"),
            false => ("", starts, "fewer"),
        };
        let result = match self.before {
            None => format!("{}. No job has a window", count(self.after)),
            Some(before) => {
                let by = self.window.as_ref().map(|window| format!(" by --window {window}"));
                compared(before, self.after, count, self.sides, &by.unwrap_or_default(), fewer)
            }
        };
        format!("Fullest {length}{what}, {range}: {result}")
    }
}

/// Two numbers in words: `276 starts as written, 30 as spread (9.2 times fewer)`. `by` stands behind the second side.
pub(crate) fn compared(
    before: u64,
    after: u64,
    what: impl Fn(u64) -> String,
    sides: Sides,
    by: &str,
    fewer: &str,
) -> String {
    let change = match PeakChange::of(before, after) {
        PeakChange::AboutTheSame => " (about the same)".to_string(),
        PeakChange::Fewer(Some(tenths)) => format!(" ({} times {fewer})", times(tenths)),
        PeakChange::More(Some(tenths)) => format!(" ({} times more)", times(tenths)),
        PeakChange::Fewer(None) | PeakChange::More(None) => String::new(),
    };
    let after = if after == 0 { "none".to_string() } else { grouped(after) };
    format!("{} {}, {after} {}{by}{change}", what(before), sides.before, sides.after)
}

/// Tenths as a number: `9.2`, `2`, `14`.
fn times(tenths: u64) -> String {
    match (tenths / 10, tenths % 10) {
        (whole @ ..10, tenth @ 1..) => format!("{whole}.{tenth}"),
        (whole @ ..10, _) => grouped(whole),
        (whole, tenth) => grouped(whole + u64::from(tenth >= 5)),
    }
}

/// `1 start`, `1,128 starts`.
pub(crate) fn starts(count: u64) -> String {
    plural(count, "start")
}

/// The length of a bucket, to put behind "fullest": `15 minutes`, `hour`.
pub(crate) fn bucket(seconds: i64) -> String {
    const UNITS: [(i64, &str); 4] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    match UNITS.iter().find(|(unit, _)| seconds % unit == 0) {
        Some((unit, noun)) if seconds == *unit => (*noun).to_string(),
        // 90 seconds are easy to read, and 3601 are not.
        Some((1, _)) | None if seconds > 120 => HumanLength::of_seconds(seconds).to_string(),
        Some((unit, noun)) => format!("{} {noun}s", seconds / unit),
        None => HumanLength::of_seconds(seconds).to_string(),
    }
}

/// What the clocks of a zone show.
fn civil(timestamp: i64, zone: &Zone) -> NaiveDateTime {
    let civil = timestamp.saturating_add(zone.offset_at(timestamp).into());
    DateTime::from_timestamp(civil, 0).unwrap_or_default().naive_utc()
}

/// `Mon 2 March`.
pub(crate) fn day(timestamp: i64, zone: &Zone) -> String {
    civil(timestamp, zone).format("%a %-d %B").to_string()
}

/// Whether a day of the clocks begins at this second.
pub(crate) fn begins_day(timestamp: i64, zone: &Zone) -> bool {
    civil(timestamp, zone).date() != civil(timestamp.saturating_sub(1), zone).date()
}

/// A range on the clocks of a zone: `Mon 2 March`, `Mon 2 to Sun 8 March`, or with times of day if it has no whole days. Years
/// stand there if there are two.
pub(crate) fn range(from: i64, to: i64, zone: &Zone) -> String {
    let last = to.saturating_sub(1);
    let (first_day, last_day) = (civil(from, zone), civil(last, zone));
    let year = |at: NaiveDateTime| {
        if first_day.year() == last_day.year() { String::new() } else { format!(" {}", at.year()) }
    };
    let date = |at: NaiveDateTime| format!("{}{}", at.format("%a %-d %B"), year(at));
    let is_one_day = first_day.date() == last_day.date();
    if !begins_day(from, zone) || !begins_day(to, zone) {
        let end = civil(to, zone);
        let seconds = from % 60 != 0 || to % 60 != 0;
        let clock = |at: NaiveDateTime| at.format(if seconds { "%H:%M:%S" } else { "%H:%M" }).to_string();
        return match is_one_day {
            true if begins_day(to, zone) => format!("{}, {} to 24:00", date(first_day), clock(first_day)),
            true => format!("{}, {} to {}", date(first_day), clock(first_day), clock(end)),
            false => format!("{} {} to {} {}", date(first_day), clock(first_day), date(end), clock(end)),
        };
    }
    let has_one_month = (first_day.year(), first_day.month()) == (last_day.year(), last_day.month());
    match (is_one_day, has_one_month) {
        (true, _) => date(first_day),
        (_, true) => format!("{} to {}", first_day.format("%a %-d"), date(last_day)),
        _ => format!("{} to {}", date(first_day), date(last_day)),
    }
}

/// The beginning of a bucket on the clocks of a zone, with as much of the date as the range needs: `00:00`, `Mon 2 00:00`.
pub(crate) fn bucket_time(timestamp: i64, of: &ForecastRange, zone: &Zone) -> String {
    let at = civil(timestamp, zone);
    // A bucket of a day that is a day of the clocks needs no time.
    if of.per_seconds() == 86_400 && at.time() == NaiveTime::MIN {
        let date = date_form(of, zone).unwrap_or(DAY_FORM);
        return at.format(date.trim_end()).to_string();
    }
    let clock = if of.per_seconds() % 60 == 0 && timestamp % 60 == 0 { "%H:%M" } else { "%H:%M:%S" };
    time_in(timestamp, of, zone, clock)
}

/// The second of a start, with as much of the date as the range needs: `03:12:40`, `Mon 2 03:12:40`.
pub(crate) fn start_time(timestamp: i64, of: &ForecastRange, zone: &Zone) -> String {
    time_in(timestamp, of, zone, "%H:%M:%S")
}

/// The date of a day within two weeks.
const DAY_FORM: &str = "%a %-d ";

/// The form of the date that times of this range need, if they need one.
fn date_form(of: &ForecastRange, zone: &Zone) -> Option<&'static str> {
    let (first, last) = (civil(of.from_timestamp(), zone), civil(of.to_timestamp() - 1, zone));
    match (last.date() - first.date()).num_days() {
        0 => None,
        ..=14 => Some(DAY_FORM),
        _ if first.year() == last.year() => Some("%-d %b "),
        _ => Some("%-d %b %Y "),
    }
}

fn time_in(timestamp: i64, of: &ForecastRange, zone: &Zone, clock: &str) -> String {
    let (at, date) = (civil(timestamp, zone), date_form(of, zone).unwrap_or_default());
    // A time that the clocks show twice.
    let offset = match zone.from_local_datetime(&at) {
        MappedLocalTime::Ambiguous(..) => time::offset(zone.offset_at(timestamp)),
        _ => String::new(),
    };
    format!("{}{offset}", at.format(&format!("{date}{clock}")))
}

/// The fullest bucket of some, with its time: `Fullest minute: 00:00, 276 starts`. With a base: `..., 276 with the base`.
pub(crate) fn fullest_of(
    bucket: usize,
    starts: u64,
    has_base: bool,
    of: &ForecastRange,
    zone: &Zone,
) -> String {
    if starts == 0 {
        return "No job starts".to_string();
    }
    let (length, at) = (self::bucket(of.per_seconds()), bucket_time(of.bucket(bucket).0, of, zone));
    format!("Fullest {length}: {at}, {}", starts_of(starts, has_base))
}

/// `276 starts`, or `276 with the base`: a base may be any load, so that its sum with starts is no number of starts.
pub(crate) fn starts_of(count: u64, has_base: bool) -> String {
    if has_base { format!("{} with the base", grouped(count)) } else { starts(count) }
}

/// The ticks of a range: at most `most`, except those of years.
pub(crate) fn ticks(of: &ForecastRange, zone: &Zone, most: usize) -> Vec<(Tick, TickStep)> {
    let (from, to) = (of.from_timestamp(), of.to_timestamp());
    let fits = |step: TickStep| to.abs_diff(from) / step.least().unsigned_abs() <= most as u64;
    let found = ticks::ticks(from, to, zone, |step| step == TickStep::YEAR || fits(step));
    let (step, found) = found.unwrap_or((TickStep::YEAR, Vec::new()));
    found.into_iter().map(|tick| (tick, step)).collect()
}

/// The label of a tick: `03`, `03:30`, `Tue 3`, `2 Mar`, `Mar`, `2027`.
pub(crate) fn tick(tick: Tick, step: TickStep, of: &ForecastRange, zone: &Zone) -> String {
    let at = civil(tick.timestamp, zone);
    let days = (of.to_timestamp() - of.from_timestamp()) / 86_400;
    let form = match step {
        TickStep::Seconds(60..) if tick.begins_day && days > 1 => "%a %-d",
        TickStep::Seconds(seconds) if seconds % 3600 == 0 => "%H",
        TickStep::Seconds(60..) => "%H:%M",
        TickStep::Seconds(_) => "%H:%M:%S",
        TickStep::Days(_) if days <= 14 => "%a %-d",
        TickStep::Days(_) => "%-d %b",
        TickStep::Months(_) if at.month() == 1 => "%Y",
        TickStep::Months(_) => "%b",
    };
    at.format(form).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kron_core::Duration;

    /// 2026-03-02T00:00:00Z, a Monday.
    const MONDAY: i64 = 1_772_409_600;
    const DAY: i64 = 86_400;

    fn headline(before: Option<u64>, after: u64) -> Headline {
        Headline {
            per: 900,
            range: "Mon 2 March".to_string(),
            sides: Sides::FORECAST,
            before,
            after,
            starts: 1128,
            jobs: 300,
            has_base: false,
            window: None,
        }
    }

    #[test]
    fn the_sentence_says_what_windows_do() {
        let p = |before, after| headline(before, after).sentence();
        let fullest = |rest: &str| format!("Fullest 15 minutes, Mon 2 March: {rest}");
        assert_eq!(p(Some(276), 30), fullest("276 starts as written, 30 as spread (9.2 times fewer)"));
        assert_eq!(p(Some(30), 28), fullest("30 starts as written, 28 as spread (about the same)"));
        assert_eq!(p(Some(2), 4), fullest("2 starts as written, 4 as spread (2 times more)"));
        assert_eq!(p(Some(2000), 13), fullest("2,000 starts as written, 13 as spread (154 times fewer)"));
        assert_eq!(p(Some(3), 0), fullest("3 starts as written, none as spread"));
        assert_eq!(p(None, 276), fullest("276 starts. No job has a window"));
        assert_eq!(p(Some(1), 1), "No two starts within the same 15 minutes, Mon 2 March");
        assert_eq!(Headline { starts: 1, ..headline(None, 1) }.sentence(), "One start, Mon 2 March");
        assert_eq!(Headline { jobs: 1, ..headline(Some(1), 1) }.sentence(), "1,128 starts, Mon 2 March");
        assert_eq!(p(None, 0), "No job starts, Mon 2 March");
        let all = Headline { has_base: true, window: Some("1h".to_string()), ..headline(Some(9), 3) };
        assert_eq!(
            all.sentence(),
            "Fullest 15 minutes of starts and base, Mon 2 March: 9 as written, 3 as spread by --window 1h (3 times less)"
        );
        let edit = Headline { sides: Sides::EDIT, ..headline(Some(12), 5) };
        assert_eq!(edit.sentence(), fullest("12 starts before, 5 after (2.4 times fewer)"));
    }

    #[test]
    fn buckets_and_numbers_as_people_say_them() {
        let lengths = [60, 900, 3600, 7200, 86_400, 1, 90, 3601].map(bucket);
        let words = ["minute", "15 minutes", "hour", "2 hours", "day", "second", "90 seconds", "1h 1s"];
        assert_eq!(lengths, words);
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [12, 20, 92, 99, 104, 105, 21_000].map(times),
            ["1.2", "2", "9.2", "9.9", "10", "11", "2,100"]
        );
    }

    #[test]
    fn ranges_are_days_where_they_can_be() {
        let p = |from, to, zone: &str| range(from, to, &Zone::parse(zone).unwrap());
        assert_eq!(p(MONDAY, MONDAY + DAY, "UTC"), "Mon 2 March");
        assert_eq!(p(MONDAY, MONDAY + 7 * DAY, "UTC"), "Mon 2 to Sun 8 March");
        assert_eq!(p(MONDAY - DAY, MONDAY + 31 * DAY, "UTC"), "Sun 1 March to Wed 1 April");
        let year = MONDAY + 303 * DAY;
        assert_eq!(p(year, year + 2 * DAY, "UTC"), "Wed 30 to Thu 31 December");
        assert_eq!(p(year, year + 3 * DAY, "UTC"), "Wed 30 December 2026 to Fri 1 January 2027");
        assert_eq!(p(MONDAY, MONDAY + DAY, "Europe/Paris"), "Mon 2 March 01:00 to Tue 3 March 01:00");
        assert_eq!(p(MONDAY + 32_400, MONDAY + 61_200, "UTC"), "Mon 2 March, 09:00 to 17:00");
        assert_eq!(p(MONDAY + 32_400, MONDAY + DAY, "UTC"), "Mon 2 March, 09:00 to 24:00");
        assert_eq!(p(MONDAY, MONDAY + 61, "UTC"), "Mon 2 March, 00:00:00 to 00:01:01");
        // The day on which Beirut's clocks skip midnight: 29 March, from 01:00 on.
        let beirut = MONDAY + 27 * DAY - 7200;
        assert_eq!(p(beirut, beirut + 23 * 3600, "Asia/Beirut"), "Sun 29 March");
    }

    #[test]
    fn times_of_buckets_have_the_date_that_the_range_needs() {
        let p = |at, days: i64, per, zone: &str| {
            let range = ForecastRange::new(MONDAY..MONDAY + days * DAY, Duration::from_secs(per)).unwrap();
            bucket_time(at, &range, &Zone::parse(zone).unwrap())
        };
        let at = MONDAY + 3600;
        assert_eq!([p(at, 1, 60, "UTC"), p(at, 7, 60, "UTC")], ["01:00", "Mon 2 01:00"]);
        assert_eq!([p(at, 1, 7, "UTC"), p(at, 40, 60, "UTC")], ["01:00:00", "2 Mar 01:00"]);
        assert_eq!(p(at, 365, 3600, "UTC"), "2 Mar 2026 01:00");
        // Whole days, and one that begins at another time in a zone.
        let day = 86_400;
        assert_eq!([p(MONDAY, 1, day, "UTC"), p(MONDAY, 7, day, "UTC")], ["Mon 2", "Mon 2"]);
        assert_eq!([p(MONDAY, 31, day, "UTC"), p(MONDAY, 365, day, "UTC")], ["2 Mar", "2 Mar 2026"]);
        assert_eq!(p(MONDAY, 7, day, "Europe/Paris"), "Mon 2 01:00");
        // 02:30 on 25 October occurs twice in Paris.
        let october = MONDAY + 237 * DAY + 1800;
        assert_eq!(p(october, 1, 60, "Europe/Paris"), "Sun 25 02:30+02:00");
        assert_eq!(p(october + 3600, 300, 60, "Europe/Paris"), "25 Oct 02:30+01:00");
    }
}
