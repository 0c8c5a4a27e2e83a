//! Readings of the formats that share no code with the conversions: the times at which a schedule fires, minute by minute.

pub mod calendar;
pub mod expression;
pub mod robfig;
pub mod vixie;

use chrono::{Datelike, NaiveDate, NaiveDateTime, Timelike};

/// The first minute that tests look at, and the first one after.
pub fn range() -> (NaiveDateTime, NaiveDateTime) {
    let midnight = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap().and_hms_opt(0, 0, 0).unwrap();
    (midnight(2027), midnight(2029))
}

/// The minutes of the range for which a test holds.
pub fn minutes(test: impl Fn(&Minute) -> bool) -> Vec<NaiveDateTime> {
    let (start, end) = range();
    let mut found = Vec::new();
    let mut day = start.date();
    while day < end.date() {
        let (month, dom, dow) = (day.month(), day.day(), day.weekday().num_days_from_sunday());
        let (year, length) = (day.year() as u32, u32::from(day.num_days_in_month()));
        for minute in 0..1440 {
            let now = Minute { minute: minute % 60, hour: minute / 60, dom, month, dow, year, length };
            if test(&now) {
                found.push(day.and_hms_opt(now.hour, now.minute, 0).unwrap());
            }
        }
        day = day.succ_opt().unwrap();
    }
    found
}

/// What schedules look at.
pub struct Minute {
    pub minute: u32,
    pub hour: u32,
    pub dom: u32,
    pub month: u32,
    pub dow: u32,
    pub year: u32,
    /// Of the month.
    pub length: u32,
}

/// The civil times of a converted job's periods, in the same range.
pub fn nominal_times(job: &kron_core::Job) -> Vec<NaiveDateTime> {
    let (start, end) = range();
    let mut times = Vec::new();
    let mut after = start.and_utc().timestamp() - 1;
    while let Some(at) = job.next_nominal_timestamp(after).filter(|at| *at < end.and_utc().timestamp()) {
        times.push(chrono::DateTime::from_timestamp(at, 0).unwrap().naive_utc());
        after = at;
    }
    assert!(times.iter().all(|at| at.second() == 0));
    times
}

/// The starts of a converted job without a window, in the same range: its nominal times but for those that a constraint
/// forbids.
pub fn starts(job: &kron_core::Job) -> Vec<NaiveDateTime> {
    let decide = |at: &NaiveDateTime| job.decide(at.and_utc()).unwrap().chosen_timestamp().is_some();
    assert_eq!(job.spec().timezone().name(), "UTC");
    nominal_times(job).into_iter().filter(decide).collect()
}
