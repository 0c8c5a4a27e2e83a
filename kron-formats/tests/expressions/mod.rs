//! Expressions of other programs become jobs that start on the same days.

mod random;

use chrono::{Datelike, NaiveDate};
use kron_core::Severity;
use kron_formats::convert::{Format, Options, Source, convert, recognize};

use crate::readers::Minute;
use crate::support::{converted, from, loaded, messages, refusal};

fn options(format: Format) -> Options {
    Options { timezone: Some("UTC".to_string()), ..from(format) }
}

/// The job of one line, without the parts that all lines have.
#[track_caller]
fn job(format: Format, line: &str) -> String {
    let converted = converted(line, &options(format));
    assert_eq!(converted.converted, 1, "{line}: {:?}", converted.findings);
    let text = converted.text.trim_end();
    text.strip_suffix(" @policy(deadline=1m) name=file").unwrap_or_else(|| panic!("{text}")).to_string()
}

#[track_caller]
fn refused(format: Format, line: &str) -> String {
    refusal(line, &options(format)).strip_prefix("line 1: ").unwrap().to_string()
}

/// Every day of some years.
fn days(first: i32, last: i32) -> impl Iterator<Item = (NaiveDate, Minute)> {
    let days = NaiveDate::from_ymd_opt(first, 1, 1).unwrap().iter_days();
    days.take_while(move |day| day.year() <= last).map(|day| {
        let minute = Minute {
            minute: 0,
            hour: 0,
            dom: day.day(),
            month: day.month(),
            dow: day.weekday().num_days_from_sunday(),
            year: day.year() as u32,
            length: day.num_days_in_month().into(),
        };
        (day, minute)
    })
}

/// The dates of a job with one start a day, in some years.
fn dates(job: &kron_core::Job, first: i32, last: i32) -> Vec<NaiveDate> {
    let midnight =
        |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap().and_hms_opt(0, 0, 0).unwrap().and_utc();
    let (mut after, end) = (midnight(first).timestamp() - 1, midnight(last + 1).timestamp());
    let mut found = Vec::new();
    while let Some(at) = job.next_nominal_timestamp(after).filter(|at| *at < end) {
        found.push(chrono::DateTime::from_timestamp(at, 0).unwrap().date_naive());
        after = at;
    }
    found
}

/// A row of a table of examples: the expression, the job, the times of a day (from, to and step in minutes), and its days.
type Example = (&'static str, &'static str, &'static [u32], fn(&Minute) -> bool);

/// The examples of the tutorial of Quartz, with the days that it describes in words.
const QUARTZ: [Example; 19] = [
    ("0 0 12 * * ?", "0 12 * * *", &[720], |_| true),
    ("0 15 10 ? * *", "15 10 * * *", &[615], |_| true),
    ("0 15 10 * * ?", "15 10 * * *", &[615], |_| true),
    ("0 15 10 * * ? *", "15 10 * * *", &[615], |_| true),
    ("0 15 10 * * ? 2005", "15 10 * * * @days(dates=2005-01-01..2005-12-31)", &[615], |at| at.year == 2005),
    ("0 * 14 * * ?", "* 14 * * *", &[840, 841, 842, 899], |_| true),
    ("0 0/5 14 * * ?", "*/5 14 * * *", &[840, 845, 850, 895], |_| true),
    ("0 0/5 14,18 * * ?", "*/5 14,18 * * *", &[840, 845, 895, 1080, 1085, 1135], |_| true),
    ("0 0-5 14 * * ?", "0-5 14 * * *", &[840, 841, 842, 843, 844, 845], |_| true),
    ("0 10,44 14 ? 3 WED", "10,44 14 * 3 3", &[850, 884], |at| at.month == 3 && at.dow == 3),
    ("0 15 10 ? * MON-FRI", "15 10 * * 1-5", &[615], |at| (1..=5).contains(&at.dow)),
    ("0 15 10 15 * ?", "15 10 15 * *", &[615], |at| at.dom == 15),
    ("0 15 10 L * ?", "15 10 * * * @days(last=1)", &[615], |at| at.dom == at.length),
    ("0 15 10 L-2 * ?", "15 10 * * * @days(last=3)", &[615], |at| at.dom == at.length - 2),
    ("0 15 10 ? * 6L", "15 10 * * * @days(dow=5;last=1-7)", &[615], |at| {
        at.dow == 5 && at.dom > at.length - 7
    }),
    (
        "0 15 10 ? * 6L 2002-2005",
        "15 10 * * * @days(dow=5;dates=2002-01-01..2005-12-31;last=1-7)",
        &[615],
        |at| at.dow == 5 && at.dom > at.length - 7 && (2002..=2005).contains(&at.year),
    ),
    ("0 15 10 ? * 6#3", "15 10 * * * @days(dow=5;dom=15-21)", &[615], |at| {
        at.dow == 5 && (15..=21).contains(&at.dom)
    }),
    ("0 0 12 1/5 * ?", "0 12 */5 * *", &[720], |at| at.dom % 5 == 1),
    ("0 11 11 11 11 ?", "11 11 11 11 *", &[671], |at| (at.month, at.dom) == (11, 11)),
];

#[test]
fn examples_of_quartz_convert_line_by_line() {
    let lines: Vec<&str> = QUARTZ.iter().map(|(line, ..)| *line).collect();
    let all = converted(&(lines.join("\n") + "\n"), &options(Format::Quartz));
    assert_eq!((all.converted, all.refused), (QUARTZ.len(), 0), "{:?}", all.findings);
    for ((line, want, minutes, is_day), loaded) in QUARTZ.iter().zip(loaded(&all).jobs) {
        assert_eq!(job(Format::Quartz, line), *want, "{line}");
        let mut found = dates(&loaded.job, 2002, 2011);
        let starts = found.len();
        found.dedup();
        let want: Vec<NaiveDate> =
            days(2002, 2011).filter(|(_, at)| is_day(at)).map(|(day, _)| day).collect();
        assert_eq!(found, want, "{line}");
        // Every time that the row names is one of the first day.
        let of_day = starts / found.len();
        assert!(of_day >= minutes.len(), "{line}");
        let midnight = found[0].and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp();
        for minute in *minutes {
            let at = midnight + i64::from(*minute) * 60;
            assert_eq!(loaded.job.next_nominal_timestamp(at - 1), Some(at), "{line}: {minute}");
        }
        let (first, last) = (i64::from(minutes[0]), i64::from(minutes[minutes.len() - 1]));
        assert_eq!(loaded.job.next_nominal_timestamp(midnight - 1), Some(midnight + first * 60), "{line}");
        let next = loaded.job.next_nominal_timestamp(midnight + last * 60);
        assert!(next.is_none_or(|next| next >= midnight + 86_400), "{line}");
    }
}

#[test]
fn days_of_each_program() {
    for (format, line, want) in [
        (Format::Quartz, "0 0 9 LW * ?", "0 9 * * * @days(lastworkday=1)"),
        (Format::Quartz, "0 0 9 15W * ?", "0 9 * * * @days(near=15)"),
        (Format::Quartz, "0 0 9 l-3w * ?", "0 9 * * * @days(last=4;roll=nearest)"),
        (Format::Quartz, "0 0 9 L-0W * ?", "0 9 * * * @days(lastworkday=1)"),
        (Format::Quartz, "0 0 9 1,15,L,L-1 * ?", "0 9 * * * @days(dom=1,15) @days(last=1,2)"),
        (Format::Quartz, "0 0 9 1W,15W jan-mar ?", "0 9 * 1-3 * @days(near=1,15)"),
        (Format::Quartz, "0 0 22-3/2 ? NOV-FEB FRI-MON", "0 0,2,22 * 1,2,11,12 0,1,5,6"),
        (Format::Quartz, "0 0 9 ? * FRIL", "0 9 * * * @days(dow=5;last=1-7)"),
        (Format::Quartz, "0 0 9 ? * fri#5", "0 9 * * * @days(dow=5;dom=29-31)"),
        (Format::Quartz, "0 0 9 ? * L", "0 9 * * 6"),
        (Format::Quartz, "0 0 9 ? * 2-6/2", "0 9 * * 1-5/2"),
        (Format::Quartz, "0 0 9 ? * */2", "0 9 * * */2"),
        (
            Format::Quartz,
            "0 0 9 ? * MON 2027,2029-2031",
            "0 9 * * 1 @days(dates=2027-01-01..2027-12-31) @days(dates=2029-01-01..2031-12-31)",
        ),
        (Format::Spring, "0 0 9 L * *", "0 9 * * * @days(last=1)"),
        (Format::Spring, "0 0 9 L-3 * ?", "0 9 * * * @days(last=4)"),
        (Format::Spring, "0 0 9 1W * ?", "0 9 * * * @days(near=1)"),
        (Format::Spring, "0 0 9 * * 5L", "0 9 * * * @days(dow=5;last=1-7)"),
        (Format::Spring, "0 0 9 ? * THUL", "0 9 * * * @days(dow=4;last=1-7)"),
        (Format::Spring, "0 0 9 ? * 5#2", "0 9 * * * @days(dow=5;dom=8-14)"),
        (
            Format::Spring,
            "0 0 9 ? * MON#1,mon#3,FRI#1",
            "0 9 * * * @days(dow=1,5;dom=1-7) @days(dow=1;dom=15-21)",
        ),
        (Format::Spring, "0 0 9 13 * FRI", "0 9 * * * @days(dow=5;dom=13)"),
        (Format::Spring, "0 0 9 15W * MON-THU", "0 9 * * * @days(dow=1-4;near=15)"),
        (Format::Spring, "0 0 9 ? * SUN-TUE", "0 9 * * 0-2"),
        (Format::Spring, "0 0 9 ? * MON-FRI/2", "0 9 * * 1-5/2"),
        (Format::Spring, "0 0 9 ? * */2", "0 9 * * 0,1,3,5"),
        (Format::Spring, "@weekly", "0 0 * * 0"),
        (Format::Croner, "0 9 13 * FRI", "0 9 13 * 5"),
        (Format::Croner, "0 9 13 * +FRI", "0 9 * * * @days(dow=5;dom=13)"),
        (Format::Croner, "0 9 L * 5#L", "0 9 * * * @days(last=1) @days(dow=5;last=1-7)"),
        (Format::Croner, "0 0 9 LW,15W * *", "0 9 * * * @days(near=15) @days(lastworkday=1)"),
        (
            Format::Croner,
            "0 0 9 * * MON-FRI#2 2027",
            "0 9 * * * @days(dow=1-5;dom=8-14;dates=2027-01-01..2027-12-31)",
        ),
        (Format::Croner, "0 9 */2 * 1", "0 9 */2 * 1"),
        (Format::NodeCron, "0 9 L-2 * *", "0 9 * * * @days(last=3)"),
        (Format::NodeCron, "0 0 9 1-7 * monday", "0 9 * * * @days(dow=1;dom=1-7)"),
        (Format::NodeCron, "0 9 * january 2#3,5L", "0 9 * 1 * @days(dow=2;dom=15-21) @days(dow=5;last=1-7)"),
        (Format::NodeCron, "0 22-2 * * fri-sun", "0 0-2,22,23 * * 0,5,6"),
        (Format::EventBridge, "cron(0 9 ? * 2#1 *)", "0 9 * * * @days(dow=1;dom=1-7)"),
        (
            Format::EventBridge,
            "cron(0 9 L * ? 2027-2028)",
            "0 9 * * * @days(dates=2027-01-01..2028-12-31;last=1)",
        ),
        (Format::EventBridge, "at(2027-01-31T03:05:00)", "5 3 * * * @days(date=2027-01-31)"),
        (Format::ApScheduler, "day='last'", "0 0 * * * @days(last=1)"),
        (
            Format::ApScheduler,
            "CronTrigger(day='2nd fri, last fri', hour=9,)",
            "0 9 * * * @days(dow=5;dom=8-14) @days(dow=5;last=1-7)",
        ),
        (
            Format::ApScheduler,
            "day=\"1st mon , 15\", hour='9', minute='*/15'",
            "*/15 9 * * * @days(dom=15) @days(dow=1;dom=1-7)",
        ),
        (Format::ApScheduler, "day_of_week='mon-fri', hour=9", "0 9 * * 1-5"),
        (Format::ApScheduler, "day_of_week=6, day='1-7'", "0 0 * * * @days(dow=0;dom=1-7)"),
        (Format::ApScheduler, "minute=5", "5 * * * *"),
        (Format::ApScheduler, "second=0", "* * * * *"),
        (Format::ApScheduler, "month='jan,jul'", "0 0 1 1,7 *"),
        (Format::ApScheduler, "year=2027, week=None", "0 0 1 1 * @days(dates=2027-01-01..2027-12-31)"),
        (Format::ApScheduler, "hour=3, jitter=120", "0 3 * * * @win(after,2m)"),
    ] {
        assert_eq!(job(format, line), want, "{format}: {line}");
    }
    let zone = converted("hour=3, timezone='Asia/Tokyo'\n", &from(Format::ApScheduler));
    assert!(zone.text.starts_with("0 3 * * * @tz(Asia/Tokyo) "), "{}", zone.text);
    assert_eq!(messages(&zone, Severity::Warning), [""; 0]);
}

#[test]
fn what_cannot_be_said_names_what_comes_nearest() {
    for (format, line, want) in [
        (
            Format::Quartz,
            "0/5 * * * * ?",
            "second: `0/5` is not 0, and Kron's expressions have no seconds; write `0`: `* * * * *` starts once in each minute",
        ),
        (
            Format::Quartz,
            "30 0 9 * * ?",
            "second: `30` is not 0, and Kron's expressions have no seconds; write `0`, and the job starts 30 s earlier",
        ),
        (
            Format::Quartz,
            "0 9 * * ?",
            "`0 9 * * ?` does not have 6 or 7 fields; write second, minute, hour, day of month, month and day of week",
        ),
        (Format::Quartz, "0 0 9 * * *", "neither day field is `?`; write `?` in the day of week"),
        (Format::Quartz, "0 0 9 * * MON", "neither day field is `?`; write `?` in the day of month"),
        (
            Format::Quartz,
            "0 0 9 13 * FRI",
            "neither day field is `?`; write `?` in one of them, or an expression for each",
        ),
        (Format::Quartz, "0 0 9 ? * ?", "both day fields are `?`; write `*` in the day of month"),
        (
            Format::Quartz,
            "0 0 9 L-27W * ?",
            "day of month: `L-27W` may be the first day of a month, and a Saturday; `@days(last=28;roll=nearest)` comes nearest: it then chooses the Friday before",
        ),
        (
            Format::Quartz,
            "0 0 9 L-31 * ?",
            "day of month: `L-31` is not a value of this field; write `L` or `L-1` to `L-30`; no month has such a day",
        ),
        (
            Format::Quartz,
            "0 0 9 32W * ?",
            "day of month: `32W` is not a value of this field; write days from 1 to 31, `L`, `LW` or `15W`",
        ),
        (
            Format::Quartz,
            "0 0 9 ? * 2#1,4#1",
            "day of week: `2#1,4#1` is not a value of this field; a day with `L` or `#` stands alone: write an expression for each day",
        ),
        (
            Format::Quartz,
            "0 0 9 ? * 0",
            "day of week: `0` is not a value of this field; write days from 1 (SUN) to 7 (SAT) or names such as `FRI`, for example `FRI`, `MON-FRI`, `FRI#2`",
        ),
        (
            Format::Quartz,
            "0 0 9 ? * FRI#6",
            "day of week: `FRI#6` is not a value of this field; write a number from 1 to 5 after `#`, as in `FRI#2`",
        ),
        (
            Format::Quartz,
            "0 0 9 * * ? 2101",
            "year: `2101` has no year from 1970 to 2099; write `*` for any year",
        ),
        (
            Format::Quartz,
            "0 0 9 * * ? x",
            "year: `x` is not a list of years; write for example `2027`, `2027-2029` or `*`",
        ),
        (
            Format::Spring,
            "0 0 9 L-28 * *",
            "day of month: `L-28` is not a value of this field; write `L` or `L-1` to `L-27`; `@days(last=29)` is this day of the months that have it",
        ),
        (
            Format::Spring,
            "0 0 9 * * L",
            "day of week: `L` is not a value of this field; write days from 1 (MON) to 7 (SUN) or names such as `FRI`, for example `FRI`, `MON-FRI`, `FRI#2`",
        ),
        (
            Format::Spring,
            "0 0 9 L-3W * *",
            "day of month: `L-3W` is not a value of this field; write days from 1 to 31, `L`, `LW` or `15W`",
        ),
        (
            Format::Spring,
            "0 0 22-3 * * *",
            "hour: `22-3` is not a value of this field; the range runs backwards: write two ranges, such as `22-23,0-3` for `22-3`",
        ),
        (
            Format::Spring,
            "0 0 9 L * MON#1",
            "no day matches both day fields, so it never starts; remove it, or change one of the day fields",
        ),
        (
            Format::Croner,
            "0 0 9 1 1 * */4",
            "year: `*/4` counts from another year in another version of croner; name the first year and the last one, from 1970 to 2099: `2028-2099/4`",
        ),
        (
            Format::Spring,
            "0 0 9 31W * *",
            "day of month: for `31W`, Spring finds no day in a month whose last day is day 31 and a Sunday; write `LW` for the last workday; `@days(near=31)` comes nearest: it then chooses the Friday before",
        ),
        (
            Format::Quartz,
            "0 0 9 ? * MON-FRI/2",
            "day of week: `MON-FRI/2` is not a value of this field; a step behind a name is ignored there: write numbers, or leave the step out",
        ),
        (Format::Croner, "0/15 9 * * *", "minute: `0/15` is not a value of this field; write `0-59/15`"),
        (
            Format::Croner,
            "0 9 ? * 1",
            "day of month: `?` is not a value of this field; write `*`: `?` is the day on which the program starts, or any day, by the version of croner",
        ),
        (
            Format::Croner,
            "0 9 L-2 * *",
            "day of month: `L-2` is not a value of this field; write days from 1 to 31, `L`, `LW` or `15W`",
        ),
        (
            Format::NodeCron,
            "0 9 * * 1-5#2",
            "day of week: `1-5#2` is not a value of this field; write days from 0 (SUN) to 6 (SAT) or names such as `FRI`, for example `FRI`, `MON-FRI`, `FRI#2`",
        ),
        (
            Format::EventBridge,
            "rate(7 minutes)",
            "`rate(7 minutes)` counts from the time at which the schedule was made; `*/6 * * * *` comes nearest",
        ),
        (
            Format::EventBridge,
            "rate(1 minute)",
            "`rate(1 minute)` counts from the time at which the schedule was made; `* * * * *` comes nearest",
        ),
        (
            Format::EventBridge,
            "rate(90 minutes)",
            "`rate(90 minutes)` counts from the time at which the schedule was made; `0 * * * *` comes nearest",
        ),
        (
            Format::EventBridge,
            "rate(5 hours)",
            "`rate(5 hours)` counts from the time at which the schedule was made; `0 */4 * * *` comes nearest",
        ),
        (
            Format::EventBridge,
            "rate(10 days)",
            "`rate(10 days)` counts from the time at which the schedule was made; `0 0 * * * @days(every=10d;from=2026-01-01)` comes nearest",
        ),
        (
            Format::EventBridge,
            "rate(0 days)",
            "rate: `0 days` is not a number of minutes, hours or days; write for example `rate(5 minutes)`",
        ),
        (
            Format::EventBridge,
            "at(2027-01-31T03:05:07)",
            "at: the second of `2027-01-31T03:05:07` is not 0, and Kron's expressions have no seconds; write `00` for the second",
        ),
        (
            Format::EventBridge,
            "0 9 ? * 2#1 *",
            "`0 9 ? * 2#1 *` is not a schedule of EventBridge; write for example `cron(0 3 * * ? *)`",
        ),
        (
            Format::ApScheduler,
            "week='*/2', day_of_week='mon'",
            "week: `*/2` counts weeks of the year, of which there are 52 or 53; leave `week` out, and add `@days(every=2w;from=2026-01-05)` to the job for every other week",
        ),
        (
            Format::ApScheduler,
            "hour=3, start_date='2027-01-01'",
            "start_date: an expression has no first and no last time; leave it out, and add `@days(dates=2027-01-01..2027-12-31)` to the job",
        ),
        (
            Format::ApScheduler,
            "hour=x",
            "`hour=x` is not a keyword with a value; write for example `day='last fri', hour=3`, with numbers, and with texts in quotes",
        ),
        (
            Format::ApScheduler,
            "day='6th fri'",
            "day: `6th fri` is not a day of the month; write days from 1 to 31, `last`, or `1st mon` to `5th sun` and `last fri`",
        ),
        (Format::ApScheduler, "hour=3, hour=4", "`hour` is written twice; remove one of them"),
        (Format::ApScheduler, "timezone='UTC'", "the trigger has no time; write for example `hour=3`"),
        (
            Format::ApScheduler,
            "second='*/10'",
            "second: `*/10` is not 0, and Kron's expressions have no seconds; write `0`: `* * * * *` starts once in each minute",
        ),
    ] {
        assert_eq!(refused(format, line), want, "{format}: {line}");
    }
    assert!(
        refused(Format::ApScheduler, "hours=3")
            .starts_with("`hours` is not a keyword of a CronTrigger; write year, month, day, ")
    );
    // A day that no month has is no refusal: the line is left out.
    let never = converted("0 0 9 30 2 ?", &options(Format::Quartz));
    assert_eq!((never.converted, never.refused), (0, 0));
    assert!(never.findings[0].to_string().contains("the job never starts"), "{never:?}");
}

/// What the help says is converted.
#[test]
fn what_comes_nearest_is_a_job() {
    for line in [
        "rate(7 minutes)",
        "rate(59 minutes)",
        "rate(61 minutes)",
        "rate(23 hours)",
        "rate(1 day)",
        "rate(30 hours)",
        "rate(9999 days)",
    ] {
        let text = refused(Format::EventBridge, line);
        let job = text.rsplit('`').nth(1).unwrap();
        assert!(kron_core::JobSpec::parse(job).is_ok(), "{text}");
    }
}

#[test]
fn comments_and_names() {
    let text = "# nightly\n0 0 9 L * ?\n\n0 0 10 ? * MON\n0 0 9 X * ?\n";
    let all = converted(text, &from(Format::Quartz));
    assert_eq!(
        all.text,
        "# nightly\n0 9 * * * @days(last=1) @policy(deadline=1m) name=file\n\n0 10 * * 1 @policy(deadline=1m) name=file-2\n"
    );
    assert_eq!((all.converted, all.refused), (2, 1));
    assert_eq!(messages(&all, Severity::Note).len(), 2, "{:?}", all.findings);
    assert_eq!(messages(&all, Severity::Warning).len(), 1, "{:?}", all.findings);
    let none = converted("# nothing\n", &from(Format::Spring));
    assert_eq!((none.converted, none.text.as_str()), (0, ""));
    assert_eq!(messages(&none, Severity::Warning), ["it has no schedule, so nothing is converted"]);
}

#[test]
fn only_what_leaves_no_doubt_is_recognized() {
    for (text, want) in [
        ("cron(0 9 ? * 2#1 *)\nrate(5 minutes)\n", Some(Format::EventBridge)),
        ("cron(0 9 ? * 2#1)\n", None),
        ("day='last fri', hour=3\n", Some(Format::ApScheduler)),
        ("CronTrigger(hour=3)\n", Some(Format::ApScheduler)),
        ("hour=3\n", None),
        ("0 15 10 ? * 6L\n", None),
        ("0 15 10 ? * 6L 2027\n", None),
        ("0 9 * * 5L\n", None),
        // Five fields and a command for cron, if it were one.
        ("30 0 9 * * ?\n", None),
        ("0 0 12 * * MON-FRI\n", None),
        ("0 0 12 * * 2#1,6L\n/bin/x\n", None),
        ("0 0 12 * * w -h\n", Some(Format::Crontab)),
        ("0 9 L * *\n", None),
    ] {
        assert_eq!(recognize(text), want, "{text}");
    }
    for (text, help) in [
        (
            "# a\n0 15 10 ? * 6L\n",
            "add `--format` with the program that it is for: `quartz`, `spring` or `node-cron`",
        ),
        ("0 15 10 ? * 6L 2027\n", "add `--format quartz`, or another one"),
        (
            "0 0 12 * * MON-FRI\n",
            "add `--format` with the program that it is for: `spring`, `croner` or `node-cron`",
        ),
        ("0 9 L * 1\n", "add `--format` with the program that it is for: `croner` or `node-cron`"),
    ] {
        let error = convert(&[Source { name: "file", text }], &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("the format is not clear; {help}"), "{text}");
    }
}

/// Every row of the table of `docs/guide/convert.md` is what a conversion makes.
#[test]
fn rows_of_the_guide_are_conversions() {
    let page = include_str!("../../../docs/guide/convert.md");
    let section = page.split("\n## Expressions\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut rows = 0;
    for row in section.lines().filter(|line| line.starts_with("| `") && !line.starts_with("| `--")) {
        let cells: Vec<&str> = row.split(" | ").map(|cell| cell.trim_matches(['|', ' ', '`'])).collect();
        let [format, line, want] = cells[..] else { panic!("{row}") };
        let format = *Format::ALL.iter().find(|known| known.as_str() == format).unwrap();
        assert_eq!(job(format, line), want, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 6, "{section}");
}
