//! The times of a job in the time zone of another machine.

use std::collections::BTreeMap;

use kron_core::cron::CronField;
use kron_core::time::Rfc3339;
use kron_core::{Cron, Finding, Zone};

use crate::convert::sets::list;
use crate::error::convert::export as messages;

const DAY: i32 = 1440;
/// How far ahead clock changes are looked for: three years.
const AHEAD: i64 = 3 * 366 * 86_400;

/// The expressions in the time zone of the machine, by the offsets of this time.
pub(super) fn in_zone_of_host(
    starts: &[Cron],
    zone: &Zone,
    host: &Zone,
    now: i64,
) -> Result<Vec<Cron>, Finding> {
    let minutes = ahead(zone, host, now) / 60;
    let refused = || messages::other_days(zone.name(), host.name());
    let mut shifted = Vec::new();
    for cron in starts {
        shifted.extend(later(cron, minutes).ok_or_else(refused)?);
    }
    Ok(shifted)
}

/// The warning about a job whose zone and that of the machine change their clocks at different times: when they do next, and by
/// how many minutes the starts differ then.
pub(super) fn differs(zone: &Zone, host: &Zone, now: i64) -> Option<Finding> {
    let present = ahead(zone, host, now);
    let changes = |zone: &Zone| {
        let next = zone.changes(now).map(|change| change.time().timestamp());
        next.take_while(|at| *at - now <= AHEAD).collect::<Vec<i64>>()
    };
    let mut times = [changes(zone), changes(host)].concat();
    times.sort_unstable();
    let at = times.into_iter().find(|at| ahead(zone, host, *at) != present)?;
    let minutes = (ahead(zone, host, at) - present).unsigned_abs() / 60;
    Some(messages::clocks_differ(zone.name(), host.name(), &Rfc3339(at).to_string(), minutes))
}

/// How many seconds the clocks of the machine are ahead of those of the job.
fn ahead(zone: &Zone, host: &Zone, at: i64) -> i32 {
    host.offset_at(at) - zone.offset_at(at)
}

/// The times of an expression so many minutes later, less than a day. `None` if they fall on days that no expression says.
fn later(cron: &Cron, minutes: i32) -> Option<Vec<Cron>> {
    if minutes == 0 {
        return Some(vec![*cron]);
    }
    let set = |field: CronField| {
        let values = cron.values(field);
        (0..60_i32).filter(move |value| values >> value & 1 == 1)
    };
    // Minutes by day and hour.
    let mut times: BTreeMap<(i32, i32), u64> = BTreeMap::new();
    for hour in set(CronField::Hour) {
        for minute in set(CronField::Minute) {
            let time = hour * 60 + minute + minutes;
            let (day, time) = (time.div_euclid(DAY), time.rem_euclid(DAY));
            *times.entry((day, time / 60)).or_default() |= 1 << (time % 60);
        }
    }
    // Hours by day and minutes.
    let mut groups: BTreeMap<(i32, u64), u64> = BTreeMap::new();
    for ((day, hour), minutes) in times {
        *groups.entry((day, minutes)).or_default() |= 1 << hour;
    }
    groups.into_iter().map(|((day, minutes), hours)| on_day(cron, day, minutes, hours)).collect()
}

/// These minutes and hours on the days of an expression, or on the day before or after each.
fn on_day(cron: &Cron, day: i32, minutes: u64, hours: u64) -> Option<Cron> {
    let [dom, month, dow] =
        [CronField::DayOfMonth, CronField::Month, CronField::DayOfWeek].map(|field| cron.values(field));
    let all = [CronField::DayOfMonth, CronField::Month, CronField::DayOfWeek].map(CronField::all_values);
    let (any_dom, any_month, any_dow) =
        (!cron.restricts(CronField::DayOfMonth), month == all[1], !cron.restricts(CronField::DayOfWeek));
    let by_week = if day > 0 { dow << 1 | dow >> 6 } else { dow >> 1 | dow << 6 } & all[2];
    // The day before the first and the day after the 28th can be of another month.
    let stays_in_month = if day > 0 { dom >> 28 == 0 } else { dom & 0b10 == 0 };
    let by_month = if day > 0 { dom << 1 } else { dom >> 1 };
    let (dom, dow) = match (day, any_dom, any_dow) {
        (0, ..) => (dom, dow),
        (_, true, true) if any_month => (dom, dow),
        (_, true, false) if any_month => (dom, by_week),
        (_, false, true) if stays_in_month => (by_month, dow),
        (_, false, false) if stays_in_month && any_month => (by_month, by_week),
        _ => return None,
    };
    let fields = [minutes, hours, dom, month, dow];
    let fields = CronField::ALL.into_iter().zip(fields).map(|(field, set)| list(field, set));
    let shifted = Cron::parse(&fields.collect::<Vec<_>>().join(" ")).ok()?;
    // A field of all values would count as none.
    let same = |field| shifted.restricts(field) == cron.restricts(field);
    (same(CronField::DayOfMonth) && same(CronField::DayOfWeek)).then_some(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_later() {
        let p = |text: &str, minutes| {
            let shifted = later(&Cron::parse(text).unwrap(), minutes);
            shifted.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let some = |texts: &[&str]| Some(texts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(p("0 3 * * *", -60), some(&["0 2 * * *"]));
        assert_eq!(p("0 3 * * *", 330), some(&["30 8 * * *"]));
        assert_eq!(p("0,40 3 * * *", 30), some(&["10 4 * * *", "30 3 * * *"]));
        assert_eq!(p("0 0,3 * * 1", -60), some(&["0 23 * * 0", "0 2 * * 1"]));
        assert_eq!(p("0 23 * * 6", 120), some(&["0 1 * * 0"]));
        assert_eq!(p("0 23 1-27 * *", 120), some(&["0 1 2-28 * *"]));
        assert_eq!(p("0 0 13 3 *", -60), some(&["0 23 12 3 *"]));
        assert_eq!(p("0 0 13 * 5", -60), some(&["0 23 12 * 4"]));
        assert_eq!(p("0 12 31 12 *", -60), some(&["0 11 31 12 *"]));
        for (text, minutes) in [
            ("0 0 1 * *", -60),
            ("0 23 28 * *", 60),
            ("0 0 * 3 *", -60),
            ("0 0 * 3 1", -60),
            ("0 0 13 3 5", -60),
        ] {
            assert_eq!(p(text, minutes), None, "{text}");
        }
    }
}
