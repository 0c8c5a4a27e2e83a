//! Cron libraries behind two traits. Each call goes from Unix seconds to Unix seconds, by the shortest way that the library
//! offers; generics keep the traits free of cost.

use std::str::FromStr;

use chrono::{DateTime, Datelike, Timelike, Utc};
use chrono_tz::Tz;
use cronexpr::{FallbackTimezoneOption, MakeTimestamp, ParseOptions};
use kron_core::Cron;

use crate::Case;

/// A library that reads cron expressions.
pub trait ExpressionParser: Sized + 'static {
    /// Its name in tables.
    const NAME: &'static str;
    /// What its parser makes.
    type Parsed;

    /// The expression as this library has to read it; `None` if it means something else by it.
    fn expression(expression: &str) -> Option<String>;

    /// Parses an expression in the library's own form.
    fn parse(expression: &str) -> Self::Parsed;
}

/// One that also finds the times of an expression.
pub trait Contender: ExpressionParser {
    /// The expression in the zone; `None` if the library has not got that zone, or means something else.
    fn new(case: Case) -> Option<Self>;

    /// The first occurrence after a Unix second.
    fn next(&self, after: i64) -> Option<i64>;

    /// A checksum of the next `count` occurrences after a Unix second, by the library's iterator.
    fn iterate(&self, after: i64, count: usize) -> u64;
}

fn checksum(occurrences: impl Iterator<Item = i64>, count: usize) -> u64 {
    let mut seen = 0;
    let sum =
        occurrences.take(count).inspect(|_| seen += 1).fold(0u64, |sum, at| sum.rotate_left(1) ^ at as u64);
    assert_eq!(seen, count, "the iterator ended early");
    sum
}

fn utc(timestamp: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(timestamp, 0).expect("in chrono's range")
}

fn tz(case: Case) -> Tz {
    case.zone.parse().expect("a zone of the list")
}

/// Kron on Unix seconds.
#[derive(Debug)]
pub struct Kron(kron_core::Schedule);

impl ExpressionParser for Kron {
    const NAME: &'static str = "kron";
    type Parsed = Cron;

    fn expression(expression: &str) -> Option<String> {
        Some(expression.into())
    }

    fn parse(expression: &str) -> Cron {
        Cron::parse(expression).expect("Kron's own form")
    }
}

impl Contender for Kron {
    fn new(case: Case) -> Option<Kron> {
        Some(Kron(case.schedule()))
    }

    #[inline]
    fn next(&self, after: i64) -> Option<i64> {
        self.0.next_timestamp(after)
    }

    fn iterate(&self, after: i64, count: usize) -> u64 {
        let mut series = self.0.series(after);
        checksum(std::iter::from_fn(|| series.next_timestamp()), count)
    }
}

/// Kron on chrono's times in UTC, from one to the other.
#[derive(Debug)]
pub struct KronChrono(kron_core::Schedule);

impl ExpressionParser for KronChrono {
    const NAME: &'static str = "kron, `DateTime`";
    type Parsed = Cron;

    fn expression(expression: &str) -> Option<String> {
        Kron::expression(expression)
    }

    fn parse(expression: &str) -> Cron {
        Kron::parse(expression)
    }
}

impl Contender for KronChrono {
    fn new(case: Case) -> Option<KronChrono> {
        Some(KronChrono(case.schedule()))
    }

    #[inline]
    fn next(&self, after: i64) -> Option<i64> {
        Some(self.0.next(utc(after))?.timestamp())
    }

    fn iterate(&self, after: i64, count: usize) -> u64 {
        checksum(self.0.series(utc(after)).map(|at| at.timestamp()), count)
    }
}

/// The crate `croner`.
#[derive(Debug)]
pub struct Croner(croner::Cron, Tz);

impl ExpressionParser for Croner {
    const NAME: &'static str = "croner";
    type Parsed = croner::Cron;

    fn expression(expression: &str) -> Option<String> {
        Some(expression.into())
    }

    fn parse(expression: &str) -> croner::Cron {
        croner::Cron::from_str(expression).expect("croner's own form")
    }
}

impl Contender for Croner {
    fn new(case: Case) -> Option<Croner> {
        Some(Croner(Croner::parse(&Croner::expression(case.expression)?), tz(case)))
    }

    fn next(&self, after: i64) -> Option<i64> {
        let after = utc(after).with_timezone(&self.1);
        self.0.find_next_occurrence(&after, false).ok().map(|at| at.timestamp())
    }

    fn iterate(&self, after: i64, count: usize) -> u64 {
        let after = utc(after).with_timezone(&self.1);
        checksum(self.0.iter_after(after).map(|at| at.timestamp()), count)
    }
}

/// The crate `cron`.
#[derive(Debug)]
pub struct CronCrate(cron::Schedule, Tz);

impl ExpressionParser for CronCrate {
    const NAME: &'static str = "cron";
    type Parsed = cron::Schedule;

    /// It wants seconds, counts weekdays from 1 (Sunday), and of two restricted day fields wants both to match.
    fn expression(expression: &str) -> Option<String> {
        let fields: Vec<&str> = expression.split(' ').collect();
        (fields[2] == "*" || fields[4] == "*").then(|| format!("0 {expression}"))
    }

    fn parse(expression: &str) -> cron::Schedule {
        cron::Schedule::from_str(expression).expect("cron's own form")
    }
}

impl Contender for CronCrate {
    fn new(case: Case) -> Option<CronCrate> {
        Some(CronCrate(CronCrate::parse(&CronCrate::expression(case.expression)?), tz(case)))
    }

    fn next(&self, after: i64) -> Option<i64> {
        self.0.after(&utc(after).with_timezone(&self.1)).next().map(|at| at.timestamp())
    }

    fn iterate(&self, after: i64, count: usize) -> u64 {
        checksum(self.0.after(&utc(after).with_timezone(&self.1)).map(|at| at.timestamp()), count)
    }
}

/// The crate `saffron`, which knows UTC only.
#[derive(Debug)]
pub struct Saffron(saffron::Cron);

impl ExpressionParser for Saffron {
    const NAME: &'static str = "saffron";
    type Parsed = saffron::Cron;

    /// It counts weekdays from 1 (Sunday).
    fn expression(expression: &str) -> Option<String> {
        Some(expression.strip_suffix(" 5").map_or(expression.into(), |rest| format!("{rest} FRI")))
    }

    fn parse(expression: &str) -> saffron::Cron {
        saffron::Cron::from_str(expression).expect("saffron's own form")
    }
}

impl Contender for Saffron {
    fn new(case: Case) -> Option<Saffron> {
        (case.zone == "UTC").then(|| Some(Saffron(Saffron::parse(&Saffron::expression(case.expression)?))))?
    }

    fn next(&self, after: i64) -> Option<i64> {
        self.0.next_after(utc(after)).map(|at| at.timestamp())
    }

    fn iterate(&self, after: i64, count: usize) -> u64 {
        checksum(self.0.clone().iter_after(utc(after)).map(|at| at.timestamp()), count)
    }
}

/// The crate `cronexpr`.
#[derive(Debug)]
pub struct Cronexpr(cronexpr::Crontab);

impl ExpressionParser for Cronexpr {
    const NAME: &'static str = "cronexpr";
    type Parsed = cronexpr::Crontab;

    fn expression(expression: &str) -> Option<String> {
        Some(expression.into())
    }

    /// Without a zone, so that looking it up is not part of parsing.
    fn parse(expression: &str) -> cronexpr::Crontab {
        let mut options = ParseOptions::default();
        options.fallback_timezone_option = FallbackTimezoneOption::UTC;
        cronexpr::parse_crontab_with(expression, options).expect("cronexpr's own form")
    }
}

impl Contender for Cronexpr {
    /// Not in Australia/Lord_Howe unless every hour matches: for `0 3 * * *` after 2020-04-04T11:11:22Z, the day before the
    /// clocks go back by half an hour, it had not returned after 20 seconds.
    fn new(case: Case) -> Option<Cronexpr> {
        if case.zone == "Australia/Lord_Howe" && case.expression.split(' ').nth(1) != Some("*") {
            return None;
        }
        Some(Cronexpr(Cronexpr::parse(&format!("{} {}", Cronexpr::expression(case.expression)?, case.zone))))
    }

    fn next(&self, after: i64) -> Option<i64> {
        let after = MakeTimestamp::from_second(after).ok()?;
        self.0.find_next(after).ok().map(|at| at.timestamp().as_second())
    }

    fn iterate(&self, after: i64, count: usize) -> u64 {
        let after = MakeTimestamp::from_second(after).expect("in jiff's range");
        let series = self.0.iter_after(after).expect("an instant");
        checksum(series.map(|at| at.expect("an occurrence").timestamp().as_second()), count)
    }
}

/// The crate `cronp`, which parses and says whether a civil time matches, and does not search.
#[derive(Debug)]
pub struct Cronp(cronp::Schedule<cronp::Vixie>);

impl ExpressionParser for Cronp {
    const NAME: &'static str = "cronp";
    type Parsed = cronp::Schedule<cronp::Vixie>;

    fn expression(expression: &str) -> Option<String> {
        Some(expression.into())
    }

    fn parse(expression: &str) -> cronp::Schedule<cronp::Vixie> {
        cronp::Schedule::parse(expression).expect("cronp's own form")
    }
}

impl Cronp {
    /// An expression of Kron.
    pub fn new(expression: &str) -> Option<Cronp> {
        Some(Cronp(Cronp::parse(&Cronp::expression(expression)?)))
    }

    /// Whether the expression matches that Unix second in UTC.
    pub fn matches(&self, at: i64) -> bool {
        let at = utc(at);
        let year = u16::try_from(at.year()).expect("a year of the list");
        let [month, day, hour, minute, second] = [at.month(), at.day(), at.hour(), at.minute(), at.second()]
            .map(|part| u8::try_from(part).expect("a part of a time"));
        let civil = cronp::CivilDateTime::new(year, month, day, hour, minute, second);
        self.0.matches(civil.expect("a time that exists"))
    }
}
