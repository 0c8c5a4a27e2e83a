//! Rules of days against a calendar walked day by day: every date is asked for each part, on its own and without masks.

use crate::generators::config;
use chrono::{Datelike, Days as ChronoDays, NaiveDate};
use kron_core::days::{DayRules, Days};
use kron_core::time::to_utc;
use kron_core::{Calendar, Calendars, Job, Parser};
use proptest::collection::{btree_set, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

type Set = BTreeSet<u32>;

#[derive(Clone, Debug)]
struct Model {
    dow: Option<Set>,
    dom: Option<Set>,
    months: Option<Set>,
    date: Option<NaiveDate>,
    dates: Option<(NaiveDate, NaiveDate)>,
    calendar: bool,
    last: Option<Set>,
    workday: Option<Set>,
    lastworkday: Option<Set>,
    near: Option<Set>,
    every: Option<(u32, char, NaiveDate)>,
    roll: Option<&'static str>,
    week: Option<Set>,
    holidays: bool,
}

fn date(days: i64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2020, 1, 1).unwrap() + chrono::TimeDelta::days(days)
}

fn some_date() -> impl Strategy<Value = NaiveDate> {
    (0i64..1500).prop_map(date)
}

fn set(low: u32, high: u32) -> impl Strategy<Value = Set> {
    btree_set(low..=high, 1..6)
}

fn model() -> impl Strategy<Value = Model> {
    let plain = (
        of(set(0, 6)),
        proptest::option::weighted(0.4, set(1, 31)),
        proptest::option::weighted(0.3, set(1, 12)),
        proptest::option::weighted(0.05, some_date()),
        proptest::option::weighted(0.1, (some_date(), 0i64..400)),
        proptest::bool::weighted(0.1),
    );
    let counted = (
        proptest::option::weighted(0.3, set(1, 31)),
        proptest::option::weighted(0.2, set(1, 23)),
        proptest::option::weighted(0.2, set(1, 23)),
        proptest::option::weighted(0.2, set(1, 31)),
        proptest::option::weighted(0.3, (1u32..40, select(vec!['d', 'w']), some_date())),
    );
    let work = (of(select(vec!["next", "previous", "nearest"])), of(set(0, 6)), any::<bool>());
    (plain, counted, work).prop_map(
        |((dow, dom, months, date, dates, calendar), (last, workday, lastworkday, near, every), work)| {
            let (roll, week, holidays) = work;
            let works = workday.is_some() || lastworkday.is_some() || near.is_some() || roll.is_some();
            let dates = dates.map(|(first, length)| (first, first + ChronoDays::new(length as u64)));
            let mut model = Model {
                dow,
                dom,
                months,
                date,
                dates,
                calendar,
                last,
                workday,
                lastworkday,
                near,
                every,
                roll,
                week: week.filter(|_| works),
                holidays: holidays && works,
            };
            if model.text().is_empty() {
                model.last = Some([1].into());
            }
            model
        },
    )
}

fn list(set: &Set) -> String {
    set.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

impl Model {
    fn text(&self) -> String {
        let sets = [
            ("near", &self.near),
            ("workday", &self.workday),
            ("dow", &self.dow),
            ("week", &self.week),
            ("last", &self.last),
            ("dom", &self.dom),
            ("lastworkday", &self.lastworkday),
            ("months", &self.months),
        ];
        let mut parts: Vec<String> =
            sets.iter().filter_map(|(name, set)| Some(format!("{name}={}", list(set.as_ref()?)))).collect();
        parts.extend(self.date.map(|date| format!("date={date}")));
        parts.extend(self.dates.map(|(first, last)| format!("dates={first}..{last}")));
        parts.extend(self.calendar.then(|| "calendar=some".to_string()));
        parts.extend(self.every.map(|(count, unit, from)| format!("every={count}{unit};from={from}")));
        parts.extend(self.roll.map(|roll| format!("roll={roll}")));
        parts.extend(self.holidays.then(|| "holidays=off".to_string()));
        parts.join(";")
    }

    fn is_workday(&self, day: NaiveDate, off: &BTreeSet<NaiveDate>) -> bool {
        let weekday = day.weekday().num_days_from_sunday();
        let in_week = self.week.as_ref().map_or((1..=5).contains(&weekday), |week| week.contains(&weekday));
        in_week && !(self.holidays && off.contains(&day))
    }

    fn is_due(&self, day: NaiveDate, some: &BTreeSet<NaiveDate>, off: &BTreeSet<NaiveDate>) -> bool {
        let month: Vec<NaiveDate> = (1..=31).filter_map(|number| day.with_day(number)).collect();
        let work: Vec<NaiveDate> = month.iter().copied().filter(|day| self.is_workday(*day, off)).collect();
        let has = |set: &Option<Set>, value: u32| set.as_ref().is_none_or(|set| set.contains(&value));
        let place = |from_end: bool| {
            let index = work.iter().position(|it| *it == day)?;
            Some(if from_end { work.len() - index } else { index + 1 } as u32)
        };
        let placed = |set: &Option<Set>, from_end| {
            set.as_ref().is_none_or(|set| place(from_end).is_some_and(|place| set.contains(&place)))
        };
        let nearest = |number: &u32| {
            let wanted = day.with_day(*number)?;
            // `min_by_key` takes the first of equals, which is the earlier.
            work.iter().copied().min_by_key(|work| (*work - wanted).num_days().abs())
        };
        has(&self.dow, day.weekday().num_days_from_sunday())
            && has(&self.dom, day.day())
            && has(&self.months, day.month())
            && has(&self.last, month.len() as u32 + 1 - day.day())
            && self.date.is_none_or(|date| date == day)
            && self.dates.is_none_or(|(first, last)| first <= day && day <= last)
            && (!self.calendar || some.contains(&day))
            && placed(&self.workday, false)
            && placed(&self.lastworkday, true)
            && self.near.as_ref().is_none_or(|near| near.iter().any(|it| nearest(it) == Some(day)))
            && self.every.is_none_or(|(count, unit, from)| {
                let days = (day - from).num_days();
                let monday =
                    |day: NaiveDate| day - ChronoDays::new(day.weekday().num_days_from_monday().into());
                day >= from
                    && match (unit, &self.dow) {
                        ('d', _) => days % i64::from(count) == 0,
                        (_, None) => days % (7 * i64::from(count)) == 0,
                        _ => (monday(day) - monday(from)).num_days() / 7 % i64::from(count) == 0,
                    }
            })
    }

    fn matches(&self, day: NaiveDate, some: &BTreeSet<NaiveDate>, off: &BTreeSet<NaiveDate>) -> bool {
        let Some(roll) = self.roll else { return self.is_due(day, some, off) };
        if !self.is_workday(day, off) {
            return false;
        }
        (-31i64..=31).any(|distance| {
            let due = day + chrono::TimeDelta::days(distance);
            if !self.is_due(due, some, off) {
                return false;
            }
            if self.is_workday(due, off) {
                return due == day;
            }
            let look = |step: i64| {
                let days = (1..=31).map(|count| due + chrono::TimeDelta::days(step * count));
                days.into_iter().find(|day| self.is_workday(*day, off))
            };
            let (previous, next) = (look(-1), look(1));
            let chosen = match roll {
                "next" => next,
                "previous" => previous,
                _ => match (previous, next) {
                    (Some(previous), Some(next)) if due - previous > next - due => Some(next),
                    (previous, next) => previous.or(next),
                },
            };
            chosen == Some(day)
        })
    }
}

fn holidays() -> impl Strategy<Value = BTreeSet<NaiveDate>> {
    // Stretches of up to seven weeks, in which no workday is near.
    vec((some_date(), 1i64..50), 1..40).prop_map(|stretches| {
        let day = |first: NaiveDate| move |count| first + chrono::TimeDelta::days(count);
        stretches.into_iter().flat_map(|(first, length)| (0..length).map(day(first))).collect()
    })
}

fn parser(some: &BTreeSet<NaiveDate>, off: &BTreeSet<NaiveDate>) -> Parser {
    let mut calendars = Calendars::new();
    for (name, dates) in [("some", some), ("off", off)] {
        calendars.add(Calendar::new(name, dates.iter().map(|date| *date..=*date)).unwrap()).unwrap();
    }
    Parser::new().with_calendars(calendars)
}

fn text(days: &[Model], nodays: &[Model]) -> String {
    let mut text: String = days.iter().map(|clause| format!(" @days({})", clause.text())).collect();
    for clause in nodays {
        text += &format!(" @nodays({})", clause.text().replace(';', "&"));
    }
    text
}

fn chosen(
    days: &[Model],
    nodays: &[Model],
    day: NaiveDate,
    some: &BTreeSet<NaiveDate>,
    off: &BTreeSet<NaiveDate>,
) -> bool {
    (days.is_empty() || days.iter().any(|clause| clause.matches(day, some, off)))
        && !nodays.iter().any(|clause| clause.matches(day, some, off))
}

proptest! {
    #![proptest_config(config(150))]

    /// One verdict for every day of five years, around which the dates of clauses lie.
    #[test]
    fn every_day_is_judged_as_by_the_model(
        days in vec(model(), 0..3), nodays in vec(model(), 0..2), some in holidays(), off in holidays(),
    ) {
        let parser = parser(&some, &off);
        let rules = parser.day_rules(&text(&days, &nodays)).unwrap();
        for number in -100i64..1800 {
            let day = date(number);
            let civil = day.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp();
            let want = chosen(&days, &nodays, day, &some, &off);
            prop_assert_eq!(rules.judge(civil).is_chosen(), want, "{} on {}", rules, day);
        }
    }

    /// Nominal times forwards, backwards and counted are those of the schedule without rules, kept by the model.
    #[test]
    fn searches_and_counts_keep_what_the_model_keeps(
        cron in select(vec!["0 0 * * *", "30 23 * * *", "0 0,12 13 * *", "0 0 * * 1", "15 0-2 1-7 * *", "59 23 31 * *"]),
        zone in select(vec!["UTC", "Europe/Paris", "America/St_Johns", "America/Sao_Paulo", "Pacific/Apia", "Asia/Beirut"]),
        start in 946_684_800i64..1_640_995_200,
        days in vec(model(), 0..3), nodays in vec(model(), 0..2), some in holidays(), off in holidays(),
    ) {
        let parser = parser(&some, &off);
        let plain = parser.job("days/test", &format!("{cron} @tz({zone})")).unwrap();
        let job = parser.job("days/test", &format!("{cron} @tz({zone}){}", text(&days, &nodays))).unwrap();
        let end = start + 700 * 86_400;
        let civil = |nominal: i64| to_utc(nominal).with_timezone(plain.spec().timezone()).date_naive();
        let every: Vec<i64> = core::iter::successors(plain.next_nominal_timestamp(start - 1), |nominal| {
            plain.next_nominal_timestamp(*nominal)
        })
        .take_while(|nominal| *nominal <= end)
        .collect();
        let want: Vec<i64> =
            every.iter().copied().filter(|nominal| chosen(&days, &nodays, civil(*nominal), &some, &off)).collect();
        let found: Vec<i64> = core::iter::successors(job.next_nominal_timestamp(start - 1), |nominal| {
            job.next_nominal_timestamp(*nominal)
        })
        .take_while(|nominal| *nominal <= end)
        .collect();
        prop_assert_eq!(&found, &want, "{}", job.spec());
        let mut back: Vec<i64> = core::iter::successors(job.prev_nominal_timestamp(end), |nominal| {
            job.prev_nominal_timestamp(*nominal - 1)
        })
        .take_while(|nominal| *nominal >= start)
        .collect();
        back.reverse();
        prop_assert_eq!(&back, &want, "{}", job.spec());
        prop_assert_eq!(job.count_nominal_times(start, end), want.len() as u64, "{}", job.spec());
        let schedule = job.spec().in_zone();
        let series: Vec<i64> = schedule.series(start - 1).map(|time| time.timestamp()).take(want.len()).collect();
        prop_assert_eq!(&series, &want);
        let series: Vec<i64> = schedule.series_back(end).map(|time| time.timestamp()).take(want.len()).collect();
        prop_assert!(series.iter().rev().eq(&want));
        // Each is on the schedule, and no other time of the schedule is.
        for nominal in every {
            prop_assert_eq!(job.is_on_schedule(nominal), want.contains(&nominal));
        }
    }

    /// What is printed reads as the same rules, whatever the order in which parts were written.
    #[test]
    fn printed_rules_read_back(
        days in vec(model(), 0..3), nodays in vec(model(), 0..3), some in holidays(), off in holidays(),
    ) {
        let parser = parser(&some, &off);
        let rules = parser.day_rules(&text(&days, &nodays)).unwrap();
        let printed = rules.to_string();
        prop_assert_eq!(&parser.day_rules(&printed).unwrap(), &rules);
        let spec = parser.spec(&format!("0 3 * * *{}", text(&days, &nodays))).unwrap();
        prop_assert_eq!(spec.days(), &rules);
        prop_assert_eq!(parser.spec(&spec.to_string()).unwrap(), spec);
    }
}

/// The contract's own examples, in the form in which they print.
#[test]
fn canonical_forms() {
    let p = |text: &str| text.parse::<Days>().unwrap().to_string();
    assert_eq!(p("dom=1-7;dow=MON"), "dow=1;dom=1-7");
    assert_eq!(p("last=1-7;dow=FRI"), "dow=5;last=1-7");
    assert_eq!(p("roll=previous;dom=25"), "dom=25;roll=previous");
    assert_eq!(p("from=2026-01-05;every=2w;dow=THU,MON"), "dow=1,4;every=2w;from=2026-01-05");
    // As written, though they say the same.
    assert_eq!(p("every=7d;from=2026-01-05"), "every=7d;from=2026-01-05");
    assert_eq!(p("every=1w;from=2026-01-05"), "every=1w;from=2026-01-05");
    assert_eq!(p("workday=1;week=SUN-THU"), "workday=1;week=0-4");
    let rules = |text: &str| text.parse::<DayRules>().unwrap().to_string();
    assert_eq!(
        rules("@nodays(dom=1&dow=1;months=8) @days(last=1)"),
        "@days(last=1) @nodays(dow=1&dom=1;months=8)"
    );
    let spec: kron_core::JobSpec =
        "@daily @win(after,1h) @nodays(dow=0) @days(last=1) @tz(Asia/Tokyo)".parse().unwrap();
    assert_eq!(spec.to_string(), "0 0 * * * @tz(Asia/Tokyo) @days(last=1) @nodays(dow=0) @win(after,1h0m0s)");
    let json = serde_json::to_string(&spec).unwrap();
    assert_eq!(
        json,
        r#"{"schedule":"0 0 * * *","timezone":"Asia/Tokyo","days":[{"last":"1"}],"nodays":[{"dow":"0"}],"window":{"mode":"after","duration":"1h0m0s"}}"#
    );
    assert_eq!(serde_json::from_str::<kron_core::JobSpec>(&json).unwrap(), spec);
}

#[test]
fn err_clauses() {
    let p = |text: &str| text.parse::<Days>().unwrap_err().to_string();
    assert_eq!(
        p("hours=9-17"),
        "`hours` at column 1 is about times of day, and `@days` and `@nodays` choose days; write the hours in the schedule, or \
         `@only(hours=9-17)` or `@avoid(hours=9-17)` for the chosen time"
    );
    let error = "last=1".parse::<kron_core::Clause>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`last` at column 1 chooses days of the schedule, and `@only` and `@avoid` judge the chosen time; write `@days(last=1)`"
    );
    assert_eq!(
        p("every=2w"),
        "every: a clause with `every` also needs `from`; add for example `from=2026-01-05`"
    );
    assert!(p("from=2026-01-05").contains("also needs `every`"));
    assert!(p("dom=1;week=MON-FRI").contains("also needs `workday`, `lastworkday`, `near`, `roll`"));
    for every in ["0d", "3661w", "2", "w", "2m", "-1d", "+1d", "99999999999d"] {
        let error = p(&format!("every={every};from=2026-01-05"));
        assert!(error.contains("is not a number of days or weeks from 1 to 3660"), "{every}: {error}");
    }
    assert!(p("dom=1;roll=nxt").contains("did you mean `next`?"));
    assert!(p("workday=24").contains("`24` at column 9 is not in 1 to 23"));
    assert!(p("last=7-1").contains("runs backwards"));
    assert!(p("last=1;last=2").contains("twice"));
    assert!(p("dow=1&dom=2").contains("&"));
}

#[test]
fn any_civil_second_is_judged() {
    let rules: DayRules = "@days(dates=9990-01-01..9999-12-31) @nodays(date=9999-12-31)".parse().unwrap();
    let day = |day: i64| rules.judge(day * 86_400).is_chosen();
    // 9999-12-31 is day 2,932,896.
    assert!(day(2_932_895) && !day(2_932_896) && !day(2_932_897));
    assert!(!rules.judge(i64::MAX).is_chosen() && !rules.judge(i64::MIN).is_chosen());
}

/// A search ends where no day is left, whatever the clauses.
#[test]
fn the_work_of_hostile_rules_is_bounded() {
    let clause = |number: u32| format!(" @days(date=19{:02}-02-28;roll=nearest;week=0)", number % 70);
    let text: String = (0..128).map(clause).collect();
    let job = Job::parse("days/hostile", &format!("* * * * *{text}")).unwrap();
    assert_eq!(job.next_nominal_timestamp(0), None);
    assert_eq!(job.count_nominal_times(i64::MIN, i64::MAX), 0);
    let never = Job::parse("days/never", "0 0 29 2 * @days(dow=MON) @nodays(months=2)").unwrap();
    assert_eq!((never.next_nominal_timestamp(0), never.prev_nominal_timestamp(i64::MAX)), (None, None));
    let rare = Job::parse("days/rare", "0 0 29 2 * @days(dow=MON)").unwrap();
    assert_eq!(
        to_utc(rare.next_nominal_timestamp(1_772_323_200).unwrap()).to_rfc3339(),
        "2044-02-29T00:00:00+00:00"
    );
}
