//! Kron's cron expressions against those of the crates `cron` 0.17 and `croner` 4: the same answers where they mean the
//! same, and a test for each difference. `docs/explain/differences.md` lists the differences and names these tests.

use std::str::FromStr;

use chrono::DateTime;
use chrono_tz::Tz;
use croner::errors::CronError;
use kron_core::{Cron, ErrorCode, Zone};
use proptest::prelude::*;

use crate::generators::*;

const PARIS: Tz = Tz::Europe__Paris;

fn at(text: &str) -> i64 {
    DateTime::parse_from_rfc3339(text).unwrap().timestamp()
}

/// The next occurrences after an instant, by each.
/// Civil time by chrono-tz, which the other crates take.
fn civil(tz: Tz, at: i64) -> chrono::DateTime<Tz> {
    chrono::DateTime::from_timestamp(at, 0).unwrap().with_timezone(&tz)
}

fn ours(text: &str, tz: Tz, after: i64, n: usize) -> Vec<i64> {
    let schedule = Cron::parse(text).unwrap().in_zone(Zone::try_from(tz).unwrap());
    schedule.series(after).take(n).map(|time| time.timestamp()).collect()
}

fn of_cron(text: &str, tz: Tz, after: i64, n: usize) -> Vec<i64> {
    let schedule = cron::Schedule::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    schedule.after(&civil(tz, after)).take(n).map(|time| time.timestamp()).collect()
}

fn of_croner(text: &str, tz: Tz, after: i64, n: usize) -> Vec<i64> {
    let schedule = croner::Cron::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    schedule.iter_after(civil(tz, after)).take(n).map(|time| time.timestamp()).collect()
}

/// Those at or before an instant, latest first.
fn ours_back(text: &str, tz: Tz, at: i64, n: usize) -> Vec<i64> {
    let schedule = Cron::parse(text).unwrap().in_zone(Zone::try_from(tz).unwrap());
    schedule.series_back(at).take(n).map(|time| time.timestamp()).collect()
}

static DOW: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// The same expression with steps that all can read: `cron` refuses those above the field's greatest value.
fn small_steps(mut model: CronModel) -> CronModel {
    for (items, (_, max, _)) in model.fields.iter_mut().zip(FIELDS) {
        for item in items {
            if let Item::Star(step) | Item::From(_, step) | Item::Range(_, _, step) = item {
                *step = (*step).min(max.into());
            }
        }
    }
    model
}

/// An expression in what both `cron` and Kron understand: seconds in front, weekdays as lists of names.
fn for_cron(model: &CronModel) -> String {
    let field = |index: usize| {
        let items = model.fields[index].iter().map(|item| match *item {
            Item::Star(1) => "*".to_string(),
            Item::Star(n) => format!("*/{n}"),
            Item::One(value) => value.to_string(),
            Item::From(low, n) => format!("{low}/{n}"),
            Item::Range(low, high, 1) => format!("{low}-{high}"),
            Item::Range(low, high, n) => format!("{low}-{high}/{n}"),
        });
        items.collect::<Vec<_>>().join(",")
    };
    let mut days: Vec<&str> = Vec::new();
    for item in &model.fields[4] {
        match *item {
            Item::Star(1) => days = DOW.to_vec(),
            Item::Star(n) => days.extend((0..7).filter(|day| day % n == 0).map(|day| DOW[day as usize])),
            Item::One(day) => days.push(DOW[usize::from(day % 7)]),
            Item::From(low, n) => {
                days.extend(
                    (low..=low.max(6))
                        .filter(|day| u64::from(day - low) % n == 0)
                        .map(|day| DOW[usize::from(day % 7)]),
                );
            }
            Item::Range(low, high, n) => {
                days.extend(
                    (low..=high)
                        .filter(|day| u64::from(day - low) % n == 0)
                        .map(|day| DOW[usize::from(day % 7)]),
                );
            }
        }
    }
    let days = if model.fields[4].contains(&Item::Star(1)) { "*".to_string() } else { days.join(",") };
    format!("0 {} {} {} {} {days}", field(0), field(1), field(2), field(3))
}

/// An expression in what both `croner` and Kron understand: no `n/s`, and `*` alone in a day field that has it.
fn for_croner(model: &CronModel) -> String {
    let mut model = model.clone();
    for (index, items) in model.fields.iter_mut().enumerate() {
        let (_, max, _) = FIELDS[index];
        if items.contains(&Item::Star(1)) {
            *items = vec![Item::Star(1)];
        }
        for item in items {
            match *item {
                Item::From(low, step) if low <= max => *item = Item::Range(low, max, step),
                Item::From(low, _) => *item = Item::One(low),
                _ => {}
            }
        }
    }
    model.plain()
}

fn restricted_both(model: &CronModel) -> bool {
    !model.fields[2].contains(&Item::Star(1)) && !model.fields[4].contains(&Item::Star(1))
}

/// Zones whose offsets do not change from 1990 on.
fn steady() -> impl Strategy<Value = Tz> {
    proptest::sample::select(vec![
        Tz::UTC,
        Tz::Asia__Kolkata,
        Tz::Asia__Kathmandu,
        Tz::Asia__Tokyo,
        Tz::America__Phoenix,
    ])
}

/// From 1990 to 2090.
fn instant() -> impl Strategy<Value = i64> {
    631_152_000..3_786_912_000i64
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn cron_agrees_without_changes_of_offset(model in cron().prop_map(small_steps), tz in steady(), after in instant()) {
        prop_assume!(!restricted_both(&model));
        let text = for_cron(&model);
        let plain = model.plain();
        prop_assert_eq!(of_cron(&text, tz, after, 8), ours(&plain, tz, after, 8), "{} {} {}", text, tz, after);
        let schedule = cron::Schedule::from_str(&text).unwrap();
        let back = schedule.after(&civil(tz, after + 1)).rev();
        let back: Vec<i64> = back.take(8).map(|time| time.timestamp()).collect();
        prop_assert_eq!(back, ours_back(&plain, tz, after, 8), "{} {} {}", text, tz, after);
    }

    #[test]
    fn croner_agrees_without_changes_of_offset(model in cron().prop_map(small_steps), tz in steady(), after in instant()) {
        let text = for_croner(&model);
        let plain = model.plain();
        prop_assert_eq!(of_croner(&text, tz, after, 8), ours(&plain, tz, after, 8), "{} {} {}", text, tz, after);
        let schedule = croner::Cron::from_str(&text).unwrap();
        let back = schedule.iter_from(civil(tz, after), croner::Direction::Backward);
        let back: Vec<i64> = back.take(8).map(|time| time.timestamp()).collect();
        prop_assert_eq!(back, ours_back(&plain, tz, after, 8), "{} {} {}", text, tz, after);
    }

    /// With both day fields restricted, `cron` takes the days that match both, Kron and croner those that match either.
    #[test]
    fn cron_joins_day_fields_by_and(dom in 1..29u8, dow in 0..7u8, after in instant()) {
        let (name, text) = (DOW[usize::from(dow)], format!("0 0 {dom} * {dow}"));
        let both = of_cron(&format!("0 0 0 {dom} * {name}"), Tz::UTC, after, 3);
        let either = ours(&text, Tz::UTC, after, 200);
        prop_assert_eq!(of_croner(&text, Tz::UTC, after, 200), either.clone());
        prop_assert!(both.iter().all(|time| time % DAY == 0));
        prop_assert!(either[0] <= both[0] && either[1] < both[1]);
        let first = either.iter().copied().find(|time| {
            use chrono::Datelike;
            let civil = civil(Tz::UTC, *time);
            civil.day() == u32::from(dom) && civil.weekday().num_days_from_sunday() == u32::from(dow)
        });
        prop_assert!(first.is_none_or(|first| first == both[0]));
    }
}

/// `cron` numbers the days of the week from 1, which is Sunday; Kron and croner from 0, Sunday being 7 too.
#[test]
fn cron_numbers_weekdays_from_one() {
    let after = at("2026-03-01T00:00:00Z");
    let next = |text| of_cron(text, Tz::UTC, after, 1);
    assert_eq!(next("0 0 0 * * 2"), ours("0 0 * * MON", Tz::UTC, after, 1));
    assert_eq!(of_croner("0 0 * * 2", Tz::UTC, after, 1), ours("0 0 * * 2", Tz::UTC, after, 1));
    assert_ne!(next("0 0 0 * * 2"), ours("0 0 * * 2", Tz::UTC, after, 1));
    assert!(cron::Schedule::from_str("0 0 0 * * 0").is_err());
    assert_eq!(next("0 0 0 * * 7"), ours("0 0 * * SAT", Tz::UTC, after, 1));
    assert_eq!(of_croner("0 0 * * 7", Tz::UTC, after, 1), ours("0 0 * * SUN", Tz::UTC, after, 1));
}

/// `cron` has no five fields, croner has five, six and seven, Kron five alone.
#[test]
fn numbers_of_fields() {
    assert!(cron::Schedule::from_str("0 0 * * *").is_err());
    assert!(cron::Schedule::from_str("0 0 0 * * * 2030").is_ok());
    for text in ["0 0 * * *", "0 0 0 * * *", "0 0 0 * * * 2030"] {
        assert!(croner::Cron::from_str(text).is_ok());
    }
    for text in ["0 0 0 * * *", "0 0 0 * * * 2030"] {
        assert!(Cron::parse(text).unwrap_err().to_string().contains("five"), "{text}");
    }
}

/// `n/s` runs to the end of the field; croner refuses it.
#[test]
fn croner_refuses_open_steps() {
    let after = at("2026-03-01T00:00:00Z");
    assert!(croner::Cron::from_str("5/15 * * * *").is_err());
    assert_eq!(of_cron("0 5/15 * * * *", Tz::UTC, after, 9), ours("5/15 * * * *", Tz::UTC, after, 9));
    assert_eq!(of_croner("5-59/15 * * * *", Tz::UTC, after, 9), ours("5/15 * * * *", Tz::UTC, after, 9));
}

/// A day field with `*` among others, or `*/1`, is unrestricted; for croner only `*` alone is.
#[test]
fn croner_takes_a_star_among_others_as_a_restriction() {
    let after = at("2026-03-01T00:00:00Z");
    assert!(croner::Cron::from_str("0 0 *,5 * MON").is_err());
    for dom in ["*/1", "?/1"] {
        let text = format!("0 0 {dom} * MON");
        assert_eq!(ours(&text, Tz::UTC, after, 5), ours("0 0 * * MON", Tz::UTC, after, 5));
        assert_eq!(of_croner(&text, Tz::UTC, after, 5), ours("0 0 * * *", Tz::UTC, after, 5));
    }
    // And all agree that `*/2` is a restriction, as the name of the rule says; crontab(5) of cronie differs.
    let either = ours("0 0 */2 * MON", Tz::UTC, after, 9);
    assert_eq!(of_croner("0 0 */2 * MON", Tz::UTC, after, 9), either);
    assert_ne!(either, of_cron("0 0 0 */2 * MON", Tz::UTC, after, 9));
}

/// Expressions that never match are an error in Kron; the others find nothing.
#[test]
fn never_matching_expressions() {
    let after = at("2026-03-01T00:00:00Z");
    assert_eq!(Cron::parse("0 0 30 2 *").unwrap_err().code(), ErrorCode::CronNeverMatches);
    assert!(of_cron("0 0 0 30 2 *", Tz::UTC, after, 1).is_empty());
    let croner = croner::Cron::from_str("0 0 30 2 *").unwrap();
    assert!(matches!(
        croner.find_next_occurrence(&civil(Tz::UTC, after), false),
        Err(CronError::TimeSearchLimitExceeded)
    ));
}

/// `cron` refuses steps above the field's greatest value and names in mixed ranges; Kron and croner read them.
#[test]
fn cron_refuses_large_steps_and_mixed_ranges() {
    assert!(cron::Schedule::from_str("0 */60 * * * *").is_err());
    assert!(croner::Cron::from_str("*/60 * * * *").is_ok());
    assert_eq!(Cron::parse("*/60 * * * *").unwrap().to_string(), "0 * * * *");
    assert!(cron::Schedule::from_str("0 0 0 * * MON-6").is_err());
    assert!(croner::Cron::from_str("0 0 * * MON-5").is_ok());
    assert_eq!(Cron::parse("0 0 * * MON-5").unwrap().to_string(), "0 0 * * 1-5");
    // Names longer than three letters are `cron`'s alone.
    assert!(cron::Schedule::from_str("0 0 0 * JANUARY MONDAY").is_ok());
    assert!(croner::Cron::from_str("0 0 * JANUARY *").is_err());
    assert!(Cron::parse("0 0 * JANUARY *").is_err() && Cron::parse("0 0 * * MONDAY").is_err());
}

/// croner reads `L`, `W` and `#`.
#[test]
fn croner_reads_extensions() {
    for text in ["0 0 L * *", "0 0 15W * *", "0 0 * * FRI#2", "0 0 * * 5L"] {
        assert!(croner::Cron::from_str(text).is_ok(), "{text}");
        assert_eq!(Cron::parse(text).unwrap_err().code(), ErrorCode::CronUnsupported, "{text}");
    }
    for text in ["0 0 0 L * *", "0 0 0 15W * *", "0 0 0 * * FRI#2"] {
        assert!(cron::Schedule::from_str(text).is_err(), "{text}");
    }
}

/// Kron has `@midnight` and `@annually` and reads macros in lower case alone.
#[test]
fn macros_differ() {
    for text in ["@yearly", "@monthly", "@weekly", "@daily", "@hourly"] {
        assert!(Cron::parse(text).is_ok() && croner::Cron::from_str(text).is_ok());
        assert!(cron::Schedule::from_str(text).is_ok());
        assert!(Cron::parse(&text.to_uppercase()).is_err());
        assert!(cron::Schedule::from_str(&text.to_uppercase()).is_err());
        assert!(croner::Cron::from_str(&text.to_uppercase()).is_ok());
        let after = at("2026-03-01T00:00:00Z");
        assert_eq!(of_cron(text, Tz::UTC, after, 3), ours(text, Tz::UTC, after, 3), "{text}");
        assert_eq!(of_croner(text, Tz::UTC, after, 3), ours(text, Tz::UTC, after, 3), "{text}");
    }
    assert!(Cron::parse("@midnight").is_ok() && Cron::parse("@annually").is_ok());
    assert!(cron::Schedule::from_str("@midnight").is_err() && cron::Schedule::from_str("@annually").is_err());
    assert!(croner::Cron::from_str("@midnight").is_err() && croner::Cron::from_str("@annually").is_ok());
}

/// Kron separates fields by blanks and tabs, and wants something between commas.
#[test]
fn white_space_and_empty_items() {
    assert!(croner::Cron::from_str("0 0 *\n* *").is_ok() && cron::Schedule::from_str("0 0 0 *\n* *").is_ok());
    assert!(Cron::parse("0 0 *\n* *").is_err());
    assert!(croner::Cron::from_str("1,,2 * * * *").is_ok());
    assert!(cron::Schedule::from_str("0 1,,2 * * * *").is_err() && Cron::parse("1,,2 * * * *").is_err());
}

/// The clocks go forward over the time of the job. Kron and `cron`: no occurrence. croner: a job at one time of the day
/// runs at the first minute after the gap, one with several times does not.
#[test]
fn in_the_gap_croner_moves_fixed_times() {
    // 2026-03-29: 02:00 to 03:00 is skipped in Paris.
    let after = at("2026-03-28T12:00:00Z");
    let next_day = at("2026-03-30T00:30:00Z");
    assert_eq!(ours("30 2 * * *", PARIS, after, 1), [next_day]);
    assert_eq!(of_cron("0 30 2 * * *", PARIS, after, 1), [next_day]);
    assert_eq!(of_croner("30 2 * * *", PARIS, after, 2), [at("2026-03-29T01:00:00Z"), next_day]);
    for text in ["0,30 2 * * *", "*/30 * * * *"] {
        let want = ours(text, PARIS, after, 60);
        assert_eq!(of_croner(text, PARIS, after, 60), want, "{text}");
        assert_eq!(of_cron(&format!("0 {text}"), PARIS, after, 60), want, "{text}");
    }
}

/// The clocks go back over the time of the job. Kron: two occurrences. croner: one for a job at one time of the day, both
/// for others. `cron`: both, but several times within the hour are not in order of time.
#[test]
fn in_the_overlap_croner_runs_fixed_times_once() {
    // 2026-10-25: 02:00 to 03:00 comes twice in Paris, at 00:00 and at 01:00 UTC.
    let after = at("2026-10-24T12:00:00Z");
    let (first, second) = (at("2026-10-25T00:30:00Z"), at("2026-10-25T01:30:00Z"));
    let next_day = at("2026-10-26T01:30:00Z");
    assert_eq!(ours("30 2 * * *", PARIS, after, 3), [first, second, next_day]);
    assert_eq!(of_cron("0 30 2 * * *", PARIS, after, 3), [first, second, next_day]);
    assert_eq!(of_croner("30 2 * * *", PARIS, after, 2), [first, next_day]);

    let text = "0,30 2 * * *";
    let want = ours(text, PARIS, after, 4);
    assert_eq!(want, [first - 1800, first, second - 1800, second]);
    assert_eq!(of_croner(text, PARIS, after, 4), want);
    assert_eq!(of_cron("0 0,30 2 * * *", PARIS, after, 4), [first - 1800, second - 1800, first, second]);
    // From within the second of the two hours `cron` even goes back into the first.
    let found = of_cron("0 0,30 2 * * *", PARIS, second - 1800, 1);
    assert_eq!(found, [first]);
    assert_eq!(ours(text, PARIS, second - 1800, 1), [second]);
}

/// A day that a zone skipped. croner's search for the end of a gap gives up after two hours, and its schedule ends there.
#[test]
fn at_a_skipped_day_croner_ends() {
    // Samoa had no 2011-12-30.
    let apia = Tz::Pacific__Apia;
    let after = at("2011-12-29T12:00:00Z");
    let want = [at("2011-12-29T22:00:00Z"), at("2011-12-30T22:00:00Z"), at("2011-12-31T22:00:00Z")];
    assert_eq!(ours("0 12 * * *", apia, after, 3), want);
    assert_eq!(of_cron("0 0 12 * * *", apia, after, 3), want);
    assert_eq!(of_croner("0 12 * * *", apia, after, 3), want[..1]);
    // With several times a day it goes on.
    assert_eq!(of_croner("0,1 12 * * *", apia, after, 3), ours("0,1 12 * * *", apia, after, 3));
}

/// Kron's years end with 2099, `cron`'s with 2100, croner's with 4999.
#[test]
fn last_years() {
    let after = at("2099-12-31T12:00:00Z");
    assert!(ours("0 0 1 1 *", Tz::UTC, after, 9).is_empty());
    assert_eq!(of_cron("0 0 0 1 1 *", Tz::UTC, after, 9).len(), 1);
    assert_eq!(of_croner("0 0 1 1 *", Tz::UTC, after, 9).len(), 9);
}

/// Offsets with seconds: a whole minute of civil time, in all three.
#[test]
fn offsets_with_seconds_are_civil_minutes() {
    let (tz, after) = (Tz::Africa__Monrovia, at("1971-05-05T12:00:00Z"));
    let want = ours("*/20 * * * *", tz, after, 9);
    assert_eq!(want[0] % 60, 30);
    assert_eq!(of_cron("0 */20 * * * *", tz, after, 9), want);
    assert_eq!(of_croner("*/20 * * * *", tz, after, 9), want);
}

/// Jobs on other crates' schedules.
#[cfg(any(feature = "cron_0_17", feature = "croner_4"))]
mod adapters {
    use kron_core::cron::NominalTimes;
    use kron_core::{Decision, Job, JobSpec, Window, WindowMode};

    use super::*;

    /// The same job on another schedule.
    fn on<S: NominalTimes>(schedule: S, job: &Job) -> Job<S> {
        let spec = job.spec();
        let spec = JobSpec::builder_for(schedule)
            .timezone(spec.timezone().clone())
            .window(spec.window())
            .distribution(*spec.distribution())
            .seed(spec.seed().clone())
            .constraints(spec.constraints().clone())
            .policy(*spec.policy())
            .build()
            .unwrap();
        Job::new(job.name(), spec).unwrap()
    }

    /// Everything that is asked of a job over a range answers alike.
    fn assert_alike<S: NominalTimes>(
        theirs: &Job<S>,
        ours: &Job,
        from: i64,
        to: i64,
    ) -> Result<(), TestCaseError> {
        prop_assert!(theirs.periods(from..to).take(40).eq(ours.periods(from..to).take(40)));
        prop_assert!(theirs.periods_back(from..to).take(40).eq(ours.periods_back(from..to).take(40)));
        prop_assert!(theirs.starts(from..to).take(40).eq(ours.starts(from..to).take(40)));
        prop_assert!(theirs.starts_back(from..to).take(40).eq(ours.starts_back(from..to).take(40)));
        for at in [from, (from + to) / 2, to] {
            prop_assert_eq!(theirs.next_start(at), ours.next_start(at));
            prop_assert_eq!(theirs.prev_start(at), ours.prev_start(at));
            prop_assert_eq!(theirs.next_period(at), ours.next_period(at));
            prop_assert_eq!(theirs.prev_period(at), ours.prev_period(at));
            prop_assert_eq!(theirs.explain(at).unwrap(), ours.explain(at).unwrap());
        }
        Ok(())
    }

    fn case() -> impl Strategy<Value = (CronModel, i64, i64)> {
        (cron().prop_map(small_steps), instant(), prop_oneof![Just(0), 60..7200i64])
            .prop_filter("days by both fields", |(model, ..)| !restricted_both(model))
    }

    fn job(model: &CronModel, tz: Tz, seconds: i64) -> Job {
        let spec = JobSpec::builder(model.cron())
            .timezone(Zone::try_from(tz).unwrap())
            .window(Window::new(WindowMode::Around, duration(seconds * 1_000_000_000)).unwrap());
        Job::new("other/crate", spec.build().unwrap()).unwrap()
    }

    /// Over a change of offset: a strictly ascending series that goes on, from wherever it is asked.
    fn assert_goes_on<S: NominalTimes>(job: &Job<S>, from: i64, to: i64, step: usize) {
        for at in (from..to).step_by(step) {
            let next = job.next_period(at).unwrap_or_else(|error| panic!("after {at}: {error}"));
            let prev = job.prev_period(at).unwrap_or_else(|error| panic!("at {at}: {error}"));
            assert!(next.nominal_timestamp() > at && prev.nominal_timestamp() <= at);
        }
        let periods: Vec<i64> = job.periods(from..to).map(|period| period.nominal_timestamp()).collect();
        assert!(periods.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(periods.last().unwrap() + DAY >= to);
        let mut back: Vec<i64> =
            job.periods_back(from..to).map(|period| period.nominal_timestamp()).collect();
        back.reverse();
        // Both ways the same periods.
        assert_eq!(back, periods);
    }

    #[cfg(feature = "cron_0_17")]
    mod cron_0_17 {
        use super::*;

        proptest! {
            #![proptest_config(config(60))]

            #[test]
            fn jobs_on_its_schedules_decide_alike((model, from, seconds) in case(), tz in steady()) {
                let ours = job(&model, tz, seconds);
                let theirs = on(cron::Schedule::from_str(&for_cron(&model)).unwrap(), &ours);
                assert_alike(&theirs, &ours, from, from + 40 * DAY)?;
            }
        }

        proptest! {
            #![proptest_config(config(100))]

            /// Around changes of offset too, where its own iterator leaves the order of time.
            #[test]
            fn its_nominal_times_are_ours_in_every_zone(
                model in dense_cron().prop_map(small_steps).prop_filter("days by both fields", |model| !restricted_both(model)),
                (zone, at) in place(),
            ) {
                let theirs = cron::Schedule::from_str(&for_cron(&model)).unwrap();
                let ours = model.cron();
                // Its first year is 1970 on the zone's clocks, ours in UTC.
                let years = DAY..LAST - DAY;
                let (mut up, mut down) = (at - 6 * 3600, at + 6 * 3600);
                for _ in 0..60 {
                    let next = ours.next_nominal(&zone, up).filter(|next| years.contains(&up) && years.contains(next));
                    if let Some(next) = next {
                        prop_assert_eq!(theirs.next_nominal(&zone, up), Some(next), "{} after {} in {}", model.plain(), up, zone);
                        up = next;
                    }
                    let prev = ours.prev_nominal(&zone, down).filter(|prev| years.contains(&down) && years.contains(prev));
                    if let Some(prev) = prev {
                        prop_assert_eq!(theirs.prev_nominal(&zone, down), Some(prev), "{} at {} in {}", model.plain(), down, zone);
                        down = prev - 1;
                    }
                }
            }
        }

        /// Its own seconds are nominal times too.
        #[test]
        fn seconds_are_nominal_times() {
            let schedule = cron::Schedule::from_str("*/20 * * * * *").unwrap();
            let job = on(schedule, &Job::parse("a/b", "* * * * * @win(after,9s)").unwrap());
            let nominals: Vec<i64> = job.periods(0..100).map(|period| period.nominal_timestamp()).collect();
            assert_eq!(nominals, [0, 20, 40, 60, 80]);
            assert_eq!(job.prev_period(59).unwrap().nominal_timestamp(), 40);
        }

        #[test]
        fn it_goes_on_over_changes_of_offset() {
            for (text, day) in [
                ("0 */10 * * * *", "2026-10-25T00:00:00Z"),
                ("0 30 2 * * *", "2026-10-25T00:00:00Z"),
                ("0 */10 * * * *", "2026-03-29T00:00:00Z"),
                ("0 30 2 * * *", "2026-03-29T00:00:00Z"),
            ] {
                let schedule = cron::Schedule::from_str(text).unwrap();
                let job = on(schedule, &Job::parse("a/b", "* * * * * @tz(Europe/Paris)").unwrap());
                assert_goes_on(&job, at(day) - 2 * DAY, at(day) + 2 * DAY, 599);
            }
        }

        #[test]
        fn it_ends_with_the_years_of_nominal_times() {
            let schedule = cron::Schedule::from_str("0 0 0 1 1 *").unwrap();
            let job = on(schedule, &Job::parse("a/b", "@daily").unwrap());
            assert!(job.next_period(at("2099-06-01T00:00:00Z")).is_err());
            assert_eq!(
                job.prev_period(i64::MAX).map(|d: Decision<'_>| d.nominal_timestamp()),
                Ok(at("2099-01-01T00:00:00Z"))
            );
            assert_eq!(job.next_period(i64::MIN).map(|d| d.nominal_timestamp()), Ok(0));
            assert!(job.prev_period(-1).is_err() && job.next_period(i64::MAX).is_err());
        }
    }

    #[cfg(feature = "croner_4")]
    mod croner_4 {
        use super::*;

        proptest! {
            #![proptest_config(config(60))]

            #[test]
            fn jobs_on_its_schedules_decide_alike((model, from, seconds) in case(), tz in steady()) {
                let ours = job(&model, tz, seconds);
                let theirs = on(croner::Cron::from_str(&for_croner(&model)).unwrap(), &ours);
                assert_alike(&theirs, &ours, from, from + 40 * DAY)?;
            }
        }

        #[test]
        fn it_goes_on_over_changes_of_offset() {
            for (text, day) in [
                ("*/10 * * * *", "2026-10-25T00:00:00Z"),
                ("30 2 * * *", "2026-10-25T00:00:00Z"),
                ("*/10 * * * *", "2026-03-29T00:00:00Z"),
                ("30 2 * * *", "2026-03-29T00:00:00Z"),
            ] {
                let schedule = croner::Cron::from_str(text).unwrap();
                let job = on(schedule, &Job::parse("a/b", "* * * * * @tz(Europe/Paris)").unwrap());
                assert_goes_on(&job, at(day) - 2 * DAY, at(day) + 2 * DAY, 599);
            }
        }

        #[test]
        fn its_extensions_work() {
            let schedule = croner::Cron::from_str("0 0 L * *").unwrap();
            let job = on(schedule, &Job::parse("a/b", "@daily").unwrap());
            let next = job.next_start(at("2028-02-01T00:00:00Z")).map(|d: Decision<'_>| d.chosen_timestamp());
            assert_eq!(next, Ok(Some(at("2028-02-29T00:00:00Z"))));
        }

        #[test]
        fn it_ends_with_the_years_of_nominal_times() {
            let schedule = croner::Cron::from_str("0 0 1 1 *").unwrap();
            let job = on(schedule, &Job::parse("a/b", "@daily").unwrap());
            assert!(job.next_period(at("2099-06-01T00:00:00Z")).is_err());
            assert_eq!(
                job.prev_period(i64::MAX).map(|d| d.nominal_timestamp()),
                Ok(at("2099-01-01T00:00:00Z"))
            );
            assert_eq!(job.next_period(i64::MIN).map(|d| d.nominal_timestamp()), Ok(0));
            assert!(job.prev_period(-1).is_err() && job.next_period(i64::MAX).is_err());
        }
    }
}
