//! Primed schedules against the schedule itself: every civil time of 130 years.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chrono::{Datelike, NaiveDate};
use kron_core::ErrorCode;

use super::shortest::is_certainly_shortest;
use super::*;

fn lead(text: &str) -> Duration {
    Duration::parse(text).unwrap()
}

fn texts(cron: &str, lead_text: &str) -> Vec<String> {
    Cron::parse(cron).unwrap().prime(lead(lead_text)).unwrap().texts().map(String::from).collect()
}

#[test]
fn the_schedules_of_the_seed() {
    assert_eq!(texts("30 * * * *", "10m"), ["20 * * * *"]);
    assert_eq!(texts("0 * * * *", "10m"), ["50 * * * *"]);
    assert_eq!(texts("0 0 * * *", "10m"), ["50 23 * * *"]);
    assert_eq!(texts("0/30 * * * *", "10m"), ["20,50 * * * *"]);
    assert_eq!(texts("0 14-16 * * *", "10m"), ["50 13-15 * * *"]);
    assert_eq!(texts("0-15 0 * * *", "10m"), ["0-5 0 * * *", "50/1 23 * * *"]);
    assert_eq!(texts("0 0 * * 5", "10m"), ["50 23 * * 4"]);
    // A schedule of the first of the month moves into the evening before, whose date depends on the month's length.
    let error = Cron::parse("0/15 * 1 * *").unwrap().prime(lead("10m")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::PrimeImpossible);
}

#[test]
fn refusals_name_dates() {
    let refused = |cron: &str| Cron::parse(cron).unwrap().prime(lead("10m")).unwrap_err().to_string();
    assert_eq!(
        refused("0 0 1 3 *"),
        "schedule: no cron expressions fire 10m before `0 0 1 3 *`: they would have to fire on 2001-02-28 but not on \
         2000-02-28 (the same day of the month) and not on 2000-02-02 (the same day of the week in that month); ask for a \
         cover (`kron prime --cover`), which also fires at some other times, or use `spec.primer` of a KronJob"
    );
    assert!(refused("0 0 * 5 1").contains("2000-04-30"), "{}", refused("0 0 * 5 1"));
}

#[test]
fn leads_have_bounds() {
    let cron = Cron::parse("0 0 * * *").unwrap();
    for text in ["0", "90s", "744h1m", "1500000h", "59s", "1m1ns"] {
        let error = cron.prime(lead(text)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::OutOfBounds, "{text}");
        assert_eq!(cron.prime_cover(lead(text)).unwrap_err(), error);
    }
    assert_eq!(texts("0 0 * * *", "744h"), ["0 0 * * *"]);
    assert_eq!(texts("0 0 * * *", "1m"), ["59 23 * * *"]);
}

/// What no plain schedule keeps is refused with help that works.
#[test]
fn rules_of_days_are_refused() {
    let job = Job::parse("a/b", "0 9 * * * @days(last=1)").unwrap();
    let error = job.prime(lead("10m")).unwrap_err();
    assert_eq!((error.field(), error.code()), ("days", ErrorCode::PrimeNotOnTime));
    assert!(error.help().unwrap().starts_with("prime the schedule without `@days`"), "{error}");
}

#[test]
fn fewest_expressions() {
    assert_eq!(texts("0 12 * 12,1 *", "24h"), ["0 12 1-30 */11 *", "0 12 30/1 11/1 *"]);
    assert_eq!(texts("0 0 1 1,5 *", "10m"), ["50 23 30 4 *", "50 23 31 12 *"]);
    assert_eq!(texts("0 12 31 1,3,5,7,8,10,12 *", "10m"), ["50 11 31 * *"]);
    assert_eq!(texts("*/10 0-6 * * 1", "30m"), ["30/10 23 * * 0", "*/10 0-5 * * 1", "0,10,20 6 * * 1"]);
}

/// Minutes of a day.
#[derive(Clone, Copy)]
struct Minutes([u64; 24]);

impl Minutes {
    const NONE: Minutes = Minutes([0; 24]);

    fn of(cron: &Cron) -> Minutes {
        let (minutes, hours) = (cron.values(CronField::Minute), cron.values(CronField::Hour));
        Minutes(std::array::from_fn(|hour| if hours >> hour & 1 == 1 { minutes } else { 0 }))
    }

    fn insert(&mut self, minute: i64) {
        self.0[(minute / 60) as usize] |= 1 << (minute % 60);
    }

    fn all(&self) -> impl Iterator<Item = i64> + '_ {
        (0..24)
            .zip(&self.0)
            .flat_map(|(hour, minutes)| values(*minutes).map(move |minute| hour * 60 + i64::from(minute)))
    }

    fn has(&self, minute: i64) -> bool {
        self.0[(minute / 60) as usize] >> (minute % 60) & 1 == 1
    }
}

/// The days of 1970 to 2099, and of January 2100, as bits.
const DAYS: usize = 130 * 1461 / 4 + 31;

/// For each value of a field of days, the days that have it.
fn days_by(field: fn(NaiveDate) -> u32) -> Vec<Vec<u64>> {
    let mut days = vec![vec![0; DAYS.div_ceil(64) + 1]; 32];
    let dates = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap().iter_days().take(DAYS);
    for (day, date) in dates.enumerate() {
        days[field(date) as usize][day / 64] |= 1 << (day % 64);
    }
    days
}

/// The days on which an expression fires.
fn days_of(cron: &Cron) -> Vec<u64> {
    static DAYS_BY: LazyLock<[(CronField, Vec<Vec<u64>>); 3]> = LazyLock::new(|| {
        [
            (CronField::Month, days_by(|date| date.month())),
            (CronField::DayOfMonth, days_by(|date| date.day())),
            (CronField::DayOfWeek, days_by(|date| date.weekday().num_days_from_sunday())),
        ]
    });
    let [months, of_month, of_week] = DAYS_BY.each_ref().map(|(field, days)| {
        let mut union = vec![0; days[0].len()];
        for value in values(cron.values(*field)) {
            union.iter_mut().zip(&days[usize::from(value)]).for_each(|(all, day)| *all |= day);
        }
        union
    });
    let either = cron.restricts(CronField::DayOfMonth) && cron.restricts(CronField::DayOfWeek);
    let days = of_month.iter().zip(&of_week).map(|(a, b)| if either { a | b } else { a & b });
    days.zip(&months).map(|(days, months)| days & months).collect()
}

/// The days that lie this many days before others.
fn moved_back(days: &[u64], by: usize) -> Vec<u64> {
    // OK because a lead has at most 31 days.
    let low = |i: usize| days[i] >> by;
    let high = |i: usize| days.get(i + 1).filter(|_| by > 0).map_or(0, |next| next << (64 - by));
    (0..days.len()).map(|i| low(i) | high(i)).collect()
}

/// Compares primed expressions with the schedule moved back, minute by minute in the years 1970 to 2099: nothing may be
/// missing. Returns how many minutes are added.
fn check(cron: &Cron, lead: Duration, primed: &PrimedSchedule) -> u64 {
    let lead = lead_minutes(lead).unwrap();
    let whole = (lead / DAY_MINUTES) as usize;
    // The minutes that stay in the day after `whole` days, and those that move into the day before.
    let mut moved = [Minutes::NONE; 2];
    for minute in Minutes::of(cron).all() {
        let minute = minute - lead % DAY_MINUTES;
        moved[usize::from(minute < 0)].insert(minute.rem_euclid(DAY_MINUTES));
    }
    let days = days_of(cron);
    let due = [moved_back(&days, whole), moved_back(&days, whole + 1)];
    let of_each: Vec<(Minutes, Vec<u64>)> =
        primed.expressions().iter().map(|cron| (Minutes::of(cron), days_of(cron))).collect();
    // Minutes at which the same days are due and the same expressions fire are compared once.
    let mut kinds: BTreeMap<Vec<bool>, u64> = BTreeMap::new();
    for minute in 0..DAY_MINUTES {
        let sets = moved.iter().chain(of_each.iter().map(|(minutes, _)| minutes));
        *kinds.entry(sets.map(|minutes| minutes.has(minute)).collect()).or_default() += 1;
    }
    let mut surplus = 0;
    for (kind, minutes) in kinds {
        let union = |sets: &mut dyn Iterator<Item = (&bool, &Vec<u64>)>| {
            let mut all = vec![0; days.len()];
            for (_, set) in sets.filter(|(is_in, _)| **is_in) {
                all.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
            }
            // January 2100 is there for the schedule only.
            (DAYS - 31..all.len() * 64).for_each(|day| all[day / 64] &= !(1 << (day % 64)));
            all
        };
        let due = union(&mut kind.iter().zip(&due));
        let fired = union(&mut kind[2..].iter().zip(of_each.iter().map(|(_, days)| days)));
        for (i, (due, fired)) in due.iter().zip(&fired).enumerate() {
            assert_eq!(due & !fired, 0, "{cron} {lead}m {:?} {primed:?}", i * 64);
            surplus += u64::from((fired & !due).count_ones()) * minutes;
        }
    }
    surplus
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn field(&mut self, min: u64, max: u64) -> String {
        let n = max - min + 1;
        match self.below(8) {
            0..3 => String::from("*"),
            3 => format!("*/{}", 1 + self.below(n)),
            4 => {
                let low = min + self.below(n);
                format!("{low}-{}", low + self.below(max - low + 1))
            }
            5 => {
                let low = min + self.below(n);
                format!("{low}-{}/{}", low + self.below(max - low + 1), 1 + self.below(7))
            }
            6 => (0..1 + self.below(5))
                .map(|_| format!("{}", min + self.below(n)))
                .collect::<Vec<_>>()
                .join(","),
            _ => format!("{}", min + self.below(n)),
        }
    }

    fn cron(&mut self) -> Cron {
        loop {
            let fields = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)].map(|(min, max)| self.field(min, max));
            if let Ok(cron) = Cron::parse(&fields.join(" ")) {
                return cron;
            }
        }
    }

    fn lead(&mut self) -> Duration {
        let minutes = match self.below(3) {
            0 => 1 + self.below(60),
            1 => 1 + self.below(1440),
            _ => 1 + self.below(31 * 1440),
        };
        Duration::from_secs(minutes as u32 * 60)
    }
}

/// The values of each field.
fn sets_of(cron: &Cron) -> impl Iterator<Item = (CronField, u64)> {
    CronField::ALL.into_iter().map(|field| (field, cron.values(field)))
}

#[test]
fn random_schedules_move_exactly() {
    let mut random = Random(11);
    let (mut exact, mut covers, mut fields) = (0, 0, BTreeSet::new());
    for _ in 0..20_000 {
        let (cron, lead) = (random.cron(), random.lead());
        let primed = match cron.prime(lead) {
            Ok(primed) => {
                exact += 1;
                assert_eq!(primed, cron.prime_cover(lead).unwrap());
                primed
            }
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::PrimeImpossible);
                covers += 1;
                let cover = cron.prime_cover(lead).unwrap();
                assert!(cover.surplus() > 0, "{cron} {lead}");
                cover
            }
        };
        assert_eq!(check(&cron, lead, &primed), primed.surplus(), "{cron} {lead}");
        assert!(primed.is_minimal(), "{cron} {lead}");
        for (text, expression) in primed.texts().zip(primed.expressions()) {
            assert_eq!(Cron::parse(text).as_ref(), Ok(expression));
            assert_eq!(shortest_text(expression), text);
            fields.extend(sets_of(expression));
        }
    }
    // In none of them the search for the shortest text ends at its limit.
    assert!(fields.iter().all(|(field, set)| is_certainly_shortest(*field, *set)));
    assert!(fields.len() > 5000, "{}", fields.len());
    assert!(exact > 5000 && covers > 5000, "{exact} {covers}");
}

/// The cases that `testing/data/prime/brute_force.py` checks without this crate: that the expressions fire at the right times,
/// that no fewer do, and that none exist where none are given.
#[test]
fn the_committed_cases() {
    let cases = include_str!("../../../testing/data/prime/cases.txt");
    let mut count = 0;
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let [cron, lead, expected] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let lead = Duration::parse(lead).unwrap();
        let primed = match Cron::parse(cron).unwrap().prime(lead) {
            Ok(primed) => primed.texts().collect::<Vec<_>>().join("; "),
            Err(_) => String::from("none"),
        };
        assert_eq!(primed, expected, "{line}");
        count += 1;
    }
    assert!(count >= 300);
}
