//! Whole lints of one job. Findings about fleets and databases have their tests next to them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kron_core::Severity;

use super::*;
use crate::lint::code::LintCode;

/// 2026-03-01T00:00:00Z.
const AT: i64 = 1_772_323_200;

fn codes(text: &str) -> Vec<(&'static str, Severity)> {
    let job = Job::parse("lint/test", &format!("{text} @policy(deadline=1m)")).unwrap();
    let findings = lint(&job, Some(text), AT, &LintOptions::default());
    findings.iter().map(|finding| (finding.code.as_str(), finding.severity)).collect()
}

fn messages(text: &str) -> Vec<String> {
    let job = Job::parse("lint/test", text).unwrap();
    let findings = lint(&job, Some(text), AT, &LintOptions::default());
    findings.into_iter().map(|finding| finding.message).collect()
}

#[test]
fn nothing_to_say() {
    for text in [
        "0 3 * * *",
        "*/15 * * * * @win(after,10m)",
        "@daily @tz(Europe/Paris) @win(around,2h)",
        "0 0 */1 * ?",
    ] {
        assert_eq!(codes(text), [], "{text}");
    }
}

/// Message and help of the only finding of a code.
fn finding(text: &str, code: LintCode) -> (String, String) {
    let job = Job::parse("lint/test", text).unwrap();
    let findings = lint(&job, Some(text), AT, &LintOptions::default());
    let mut of_code = findings.into_iter().filter(|finding| finding.code == code.into());
    let found = of_code.next().unwrap_or_else(|| panic!("{text}: no {code}"));
    assert!(of_code.next().is_none(), "{text}");
    (found.message, found.help.unwrap_or_default())
}

/// Asserts that the schedule which a help names in backticks has no finding of that code.
fn help_works(text: &str, code: LintCode) {
    let (_, help) = finding(text, code);
    let mut schedule = help.split('`').nth(1).unwrap().to_string();
    if let Some(modifier) = help.split('`').nth(3).filter(|modifier| modifier.starts_with('@')) {
        schedule = format!("{schedule} {modifier}");
    }
    if schedule.split(' ').count() == 1 {
        // The text of one field.
        let old = text.split(' ').find(|field| field.contains('/')).unwrap();
        schedule = text.replacen(old, &schedule, 1);
    }
    // Days that a constraint leaves out are said to be left out.
    let left = codes(&schedule).into_iter().filter(|(code, _)| *code != "unschedulable-periods");
    assert_eq!(left.count(), 0, "{text}: {schedule}");
}

#[test]
fn a_day_that_either_field_matches() {
    assert_eq!(
        finding("0 0 13 * FRI", LintCode::EitherDayField),
        (
            "both day fields are restricted, and a day matches if either of them does: the next days are Fri 2026-03-06, \
             Fri 2026-03-13 and Fri 2026-03-20"
                .to_string(),
            "to start only on days that match both, write `0 0 * * *` and add `@days(dow=FRI;dom=13)`"
                .to_string()
        )
    );
    for text in ["0 0 13 * FRI", "0 4 1-7 * MON", "0 4 1,15 * 1-5", "0 4 13 * 0-6"] {
        assert_eq!(codes(text), [("either-day-field", Severity::Warning)], "{text}");
        help_works(text, LintCode::EitherDayField);
    }
    // The help gives the days that match both, and with constraints that are there, too.
    let days = |text: &str| {
        let job = Job::parse("a", text).unwrap();
        job.starts(AT..AT + 366 * 86_400)
            .map(|start| start.unwrap().period_id().to_string())
            .collect::<Vec<_>>()
    };
    let fridays_13th = days("0 0 * * * @days(dow=5;dom=13)");
    assert_eq!(fridays_13th, ["2026-03-13T00:00:00Z", "2026-11-13T00:00:00Z"]);
    let (_, help) = finding("0 0 13 * FRI @days(months=1-6)", LintCode::EitherDayField);
    assert!(help.contains("write `0 0 13 * *` and add `@nodays(dow=SUN-THU,SAT)`"), "{help}");
    assert_eq!(days("0 0 13 * * @days(months=1-6) @nodays(dow=0-4,6)"), fridays_13th[..1]);
    // A window across midnight starts once for each of these days.
    let mondays = days("0 22 * * * @win(after,3h) @days(dow=1;dom=1-7)");
    assert_eq!((mondays.len(), mondays[0].as_str()), (12, "2026-03-02T22:00:00Z"));
    // Cronie reads a field with a star in another way.
    let (message, _) = finding("0 0 */2 * FRI", LintCode::StepInDayField);
    assert!(
        message.contains("the next days are Tue 2026-03-03, Thu 2026-03-05 and Fri 2026-03-06"),
        "{message}"
    );
    assert!(message.ends_with("cronie requires both fields to match"), "{message}");
    assert_eq!(codes("0 0 */2 * FRI"), [("step-in-day-field", Severity::Warning)]);
    // From a canonical form the finding is the same.
    let job = Job::parse("a", "0 0 13 * FRI @policy(deadline=1m)").unwrap();
    let found = &lint(&job, None, AT, &LintOptions::default())[0];
    assert_eq!((found.code.as_str(), found.span.clone()), ("either-day-field", None));
    for text in ["0 0 13 * *", "0 0 * * FRI", "0 0 13 * ?", "0 0 */1 * FRI"] {
        assert_eq!(codes(text), [], "{text}");
    }
}

#[test]
fn every_minute_of_single_hours() {
    assert_eq!(
        finding("* 3 * * *", LintCode::EveryMinute),
        (
            "the minute field is `*`, so the job starts 60 times in each of its hours: the next nominal times are \
             2026-03-01T03:00:00Z, 2026-03-01T03:01:00Z and 2026-03-01T03:02:00Z"
                .to_string(),
            "to start once in each of them, write `0 3 * * *`".to_string()
        )
    );
    for text in ["* 3 * * *", "* */2 * * *", "0-59 3,9 * * MON", "*/1 0,23 1 * *"] {
        assert_eq!(codes(text), [("every-minute", Severity::Warning)], "{text}");
        help_works(text, LintCode::EveryMinute);
    }
    for text in ["* * * * *", "* 9-17 * * MON-FRI", "*/5 3 * * *"] {
        assert_eq!(codes(text), [], "{text}");
    }
}

#[test]
fn steps_that_do_not_divide_their_field() {
    assert_eq!(
        finding("*/40 * * * *", LintCode::UnevenStep),
        (
            "`*/40` is not every 40 minutes, because it begins again each hour: 2026-03-01T01:00 is only 20 minutes after \
             2026-03-01T00:40 in UTC"
                .to_string(),
            "write `*/30`, which divides the hour evenly, or `0,40` if the gaps are meant".to_string()
        )
    );
    let message = |text: &str| finding(text, LintCode::UnevenStep).0;
    assert!(message("0 */5 * * *").contains("2026-03-02T00:00 is only 4 hours after 2026-03-01T20:00"));
    assert!(message("0 0 1 */5 *").contains("2027-01-01T00:00 is only 2 months after 2026-11-01T00:00"));
    assert!(
        message("0 0 * * */2 @tz(Europe/Paris)")
            .ends_with("is only 1 day after 2026-03-07T00:00 in Europe/Paris")
    );
    for text in [
        "*/40 * * * *",
        "7/25 * * * *",
        "0 */5 * * *",
        "0 0 1 */5 *",
        "0 0 * * */2",
        "0 0 * * ?/3",
        "*/7 1,2 * * *",
    ] {
        assert_eq!(codes(text), [("uneven-step", Severity::Warning)], "{text}");
        help_works(text, LintCode::UnevenStep);
    }
    // Steps that divide the range, written ranges and lists; and single hours, so that the next minute after the end of
    // the range is far away.
    for text in [
        "*/15 * * * *",
        "5/20 * * * *",
        "0,40 * * * *",
        "0-40/25 * * * *",
        "*/40 3 * * *",
        "0 */6 * * *",
        "0 */5 * * MON",
    ] {
        assert_eq!(codes(text), [], "{text}");
    }
}

#[test]
fn steps_of_days_begin_again_each_month() {
    assert_eq!(
        finding("0 0 */2 * *", LintCode::UnevenMonthEnd),
        (
            "`*/2` begins again on the first day of each month: 2026-04-01 is only 1 day after 2026-03-31"
                .to_string(),
            "write `1-27/2` to leave out the days of the short gap, or `0 0 * * *` and add \
             `@days(every=2d;from=2026-03-03)` for every 2 days"
                .to_string()
        )
    );
    assert_eq!(
        finding("0 0 */15 1,2 *", LintCode::UnevenMonthEnd).1,
        "write `1,16` to leave out the days of the short gap"
    );
    for text in ["0 0 */2 * *", "0 0 */3 * *", "0 0 */10 * *", "0 0 */15 * *", "0 0 2/7 * *", "0 0 ?/5 * *"] {
        assert_eq!(codes(text), [("uneven-month-end", Severity::Note)], "{text}");
        help_works(text, LintCode::UnevenMonthEnd);
    }
    // With February only, the next day after the end of the range is far away.
    for text in ["0 0 */2 2 *", "0 0 1-27/2 * *", "0 0 1,16 * *"] {
        assert_eq!(codes(text), [], "{text}");
    }
}

#[test]
fn days_that_some_months_do_not_have() {
    assert_eq!(
        finding("0 0 31 * *", LintCode::ShortMonthsSkipped),
        (
            "a month without a day 31 has no start: the next days are 2026-03-31, 2026-05-31 and 2026-07-31"
                .to_string(),
            "to start on the last day of each month, write `0 0 * * *` and add `@days(last=1)`".to_string()
        )
    );
    let (message, _) = finding("0 0 29 2 *", LintCode::ShortMonthsSkipped);
    assert!(message.ends_with("2028-02-29, 2032-02-29 and 2036-02-29"), "{message}");
    for text in ["0 0 31 * *", "0 0 30 * *", "0 0 29-31 * *", "0 0 29 2 *", "0 0 31 4,5 *"] {
        assert_eq!(codes(text), [("short-months-skipped", Severity::Warning)], "{text}");
        help_works(text, LintCode::ShortMonthsSkipped);
    }
    for text in ["0 0 28-31 * *", "0 0 31 1,3,5 *", "0 0 28 2 *", "0 0 15,31 * *", "0 0 30 4-12 *"] {
        assert_eq!(codes(text), [], "{text}");
    }
}

#[test]
fn steps_that_fire_once() {
    assert_eq!(
        finding("*/60 * * * *", LintCode::StepBeyondRange),
        (
            "the step of `*/60` is larger than its range, so only minute 0 matches: the next nominal times are \
             2026-03-01T01:00:00Z and 2026-03-01T02:00:00Z"
                .to_string(),
            "write `0 * * * *`".to_string()
        )
    );
    for text in [
        "*/60 * * * *",
        "*/90 * * * *",
        "10-20/15 * * * *",
        "50/30 * * * *",
        "0 */24 * * *",
        "0 0 * * */7",
        "0 0 */31 * *",
    ] {
        assert_eq!(codes(text), [("step-beyond-range", Severity::Warning)], "{text}");
        help_works(text, LintCode::StepBeyondRange);
    }
    let job = Job::parse("a", "  0 0 */2 * *").unwrap();
    let findings = lint(&job, Some("  0 0 */2 * *"), AT, &LintOptions::default());
    assert_eq!(findings[0].span, Some(6..9));
    // The text of another job gives no places in this one.
    assert!(lint(&job, Some("*/60 * * * *"), AT, &LintOptions::default()).iter().all(|it| it.span.is_none()));
}

#[test]
fn windows_and_constraints_at_odds_with_the_schedule() {
    let warning = Severity::Warning;
    assert_eq!(codes("0 9-17 * * * @win(after,1h)"), [("window-longer-than-gap", warning)]);
    assert_eq!(codes("0 * * * * @win(after,59m)"), []);
    assert_eq!(codes("@daily @win(after,1h) @only(hours=12)"), [("never-schedulable", warning)]);
    assert_eq!(codes("@daily @win(after,1h) @avoid(dow=SUN)"), [("unschedulable-periods", Severity::Note)]);
    assert_eq!(
        codes("@daily @win(after,24h) @only(hours=1) @only(dow=MON)")[0],
        ("only-clauses-apart", warning)
    );
    assert_eq!(codes("@daily @win(after,23h) @only(hours=1;dow=1-5) @only(hours=2)"), []);
    assert_eq!(codes("0 0 28 2 * @win(after,1h)"), []);
    let text = "0 0 29 2 *";
    let findings =
        lint(&Job::parse("a", text).unwrap(), Some(text), AT, &LintOptions::default().with_years(1));
    assert!(findings.iter().any(|finding| finding.code == LintCode::NeverFires.into()));
}

#[test]
fn windows_that_are_closed_but_for_seconds() {
    let text = "0 3 * * * @win(after,1h) @avoid(between=03:00-03:59)";
    let (message, help) = finding(text, LintCode::MostlyForbidden);
    assert_eq!(
        message,
        "the constraints allow 1 second of the 3601 of the window of 2026-03-01T03:00:00Z, so jobs like this one start \
         together"
    );
    assert_eq!(help, "widen the window or loosen the constraints");
    // An hour of a long window is enough, and so is a short window of which all is allowed.
    assert_eq!(codes("@daily @win(after,23h) @only(hours=1)"), []);
    assert_eq!(codes("@daily @win(after,30s) @only(hours=0)"), []);
    assert_eq!(codes("@daily @only(hours=0)"), []);
}

#[test]
fn a_semicolon_where_both_parts_were_meant() {
    let text = "0 * * * * @win(after,10m) @avoid(hours=9-17;dow=MON-FRI)";
    let (message, help) = finding(text, LintCode::AvoidClausesApart);
    assert!(
        message.starts_with("`hours=9-17` and `dow=1-5` each forbid a time by themselves, so 8"),
        "{message}"
    );
    assert_eq!(help, "to forbid only times that meet both, write `@avoid(hours=9-17&dow=1-5)`");
    // As meant, and days that are left out on purpose.
    assert_eq!(
        codes("0 * * * * @win(after,10m) @avoid(hours=9-17&dow=MON-FRI)"),
        [("unschedulable-periods", Severity::Note)]
    );
    assert_eq!(
        codes("0 * * * * @win(after,10m) @avoid(dow=SUN;hours=3)"),
        [("unschedulable-periods", Severity::Note)]
    );
    assert_eq!(
        codes("0 * * * * @win(after,10m) @only(hours=9-17;dow=MON-FRI)"),
        [("unschedulable-periods", Severity::Note)]
    );
}

#[test]
fn clauses_of_days_that_mean_something_else() {
    let warning = Severity::Warning;
    for (text, code, severity, help) in [
        ("0 9 * * * @days(dow=FRI;last=7)", "one-day-from-the-end", warning, "write `last=1-7`"),
        ("0 9 * * * @nodays(last=7)", "one-day-from-the-end", warning, "write `last=1-7`"),
        ("0 9 * * * @days(workday=1-5)", "workday-not-weekday", Severity::Note, "write `dow=MON-FRI`"),
        (
            "0 9 * * MON-FRI @days(dom=25;roll=next)",
            "roll-beside-day-fields",
            warning,
            "write `*` in both day fields",
        ),
        ("0 9 * * * @days(roll=next)", "roll-without-due-days", warning, "`@days(dom=25;roll=next)`"),
        (
            "0 9 * * * @nodays(dom=1;roll=next)",
            "roll-without-due-days",
            warning,
            "write `@nodays(dom=1&roll=next)`",
        ),
        (
            "0 9 * * * @nodays(dow=FRI;last=1-7)",
            "nodays-clauses-apart",
            warning,
            "write `@nodays(dow=5&last=1-7)`",
        ),
        ("0 9 * * * @days(dow=0-6)", "unused-days-clause", warning, "leave it out"),
        ("0 9 * * * @days(dow=MON;dom=1-7) @days(dow=MON)", "unused-days-clause", warning, "leave it out"),
        ("0 9 1 * * @nodays(last=1)", "unused-days-clause", warning, "leave it out"),
        ("0 9 * * MON @nodays(dow=TUE)", "unused-days-clause", warning, "leave it out"),
        ("0 9 * * * @days(dow=MON) @nodays(date=2020-01-06)", "unused-days-clause", warning, "leave it out"),
    ] {
        assert_eq!(codes(text), [(code, severity)], "{text}");
        let job = Job::parse("lint/test", &format!("{text} @policy(deadline=1m)")).unwrap();
        let findings = lint(&job, Some(text), AT, &LintOptions::default());
        assert!(findings[0].help.as_deref().unwrap().contains(help), "{text}: {:?}", findings[0].help);
    }
    for text in [
        "0 9 * * * @days(last=1)",
        "0 9 * * * @days(last=2)",
        "0 9 * * * @days(dow=FRI;last=1-7) @nodays(months=12)",
        "0 9 * * * @days(workday=1-3)",
        "0 9 * * * @days(dom=25;roll=next)",
        "0 9 * * MON @days(dom=1-7)",
        "0 9 * * * @days(dow=MON) @days(dom=1)",
        "0 0 29 2 * @days(dow=MON)",
        // Weekends, and all of August.
        "0 9 * * * @nodays(dow=SAT,SUN;months=8)",
        "0 9 * * * @nodays(dow=FRI&last=1-7)",
    ] {
        let findings = codes(text)
            .into_iter()
            .filter(|(code, _)| !matches!(*code, "never-fires" | "short-months-skipped"));
        assert_eq!(findings.count(), 0, "{text}");
    }
}

/// The help of the finding with a code, if there is one, of the first such finding.
#[track_caller]
fn help_of(text: &str, code: &str) -> Option<String> {
    let calendars = kron_core::Calendars::parse("de = 2026-12-25, 2031-12-25").unwrap();
    let spec = kron_core::Parser::new().with_calendars(calendars).spec(text).unwrap();
    let job = Job::new("lint/test", spec).unwrap();
    let findings = lint(&job, Some(text), AT, &LintOptions::default());
    let found = findings.iter().find(|finding| finding.code.as_str() == code);
    found.unwrap_or_else(|| panic!("{text}: {findings:?}")).help.clone()
}

/// No advice leads to a text without starts.
#[test]
fn advice_leaves_a_start() {
    for (text, code, help) in [
        (
            "0 9 13 * FRI @days(last=1-7)",
            "either-day-field",
            Some("no start in the years ahead would match both; write `0 9 * * FRI`"),
        ),
        (
            "0 9 13 * FRI @nodays(dow=FRI)",
            "either-day-field",
            Some("no start in the years ahead would match both; write `0 9 13 * *`"),
        ),
        ("0 0 1 */5 * @only(months=11)", "uneven-step", Some("write `1,6,11` if the gaps are meant")),
        ("* 3 * * * @win(after,30s) @only(between=03:10-03:20)", "every-minute", None),
        ("0 9 * * * @days(last=1-7) @nodays(last=7)", "one-day-from-the-end", None),
        (
            "0 3 * * * @only(hours=9-17) @only(dow=1-5)",
            "only-clauses-apart",
            Some("no start would meet both: let the schedule match at such times, or widen the window"),
        ),
        (
            "*/30 9 * * * @win(after,2h) @only(hours=10)",
            "window-longer-than-gap",
            Some("let the schedule match less often: a shorter window would have no start"),
        ),
    ] {
        assert_eq!(help_of(text, code).as_deref(), help, "{text}");
    }
}

#[test]
fn weeks_that_count_from_another_weekday() {
    let code = "every-of-one-weekday";
    for (text, written) in [
        ("0 9 * * FRI @days(every=2w;from=2026-01-07)", "@days(dow=FRI;every=2w;from=2026-01-07)"),
        ("0 9 * * FRI @days(every=14d;from=2026-01-07)", "@days(dow=FRI;every=2w;from=2026-01-07)"),
        ("0 9 * * MON,THU @days(every=3w;from=2026-01-05)", "@days(dow=MON,THU;every=3w;from=2026-01-05)"),
        (
            "0 9 * * FRI @days(months=3;every=2w;from=2026-01-07)",
            "@days(dow=FRI;months=3;every=2w;from=2026-01-07)",
        ),
    ] {
        let help = help_of(text, code).unwrap();
        assert!(help.ends_with(&format!("write `{written}`")), "{text}: {help}");
    }
    for text in [
        "0 9 * * WED @days(every=2w;from=2026-01-07)",
        "0 9 * * * @days(every=2w;from=2026-01-07)",
        "0 9 * * FRI @days(dow=FRI;every=2w;from=2026-01-07)",
        "0 9 * * FRI @days(every=10d;from=2026-01-07)",
    ] {
        assert!(codes(text).iter().all(|(found, _)| *found != code), "{text}");
    }
}

#[test]
fn months_without_the_day_of_a_clause() {
    let code = "short-months-skipped";
    for (text, written) in [
        ("0 0 * * * @days(dom=31)", Some("@days(last=1)")),
        ("0 0 * * * @days(near=31)", Some("@days(lastworkday=1)")),
        ("0 0 * * * @days(dom=31;months=4-6;roll=next)", Some("@days(last=1;months=4-6;roll=next)")),
        ("0 0 * * * @days(dom=30)", None),
        ("0 0 * * * @days(last=29)", None),
        ("0 0 * * * @days(dom=30) @days(last=1;months=MAR)", None),
    ] {
        let help = help_of(text, code);
        let found = help.as_deref().and_then(|help| help.split_once("write `")).map(|(_, rest)| rest);
        assert_eq!(found.map(|rest| rest.trim_end_matches('`')), written, "{text}: {help:?}");
    }
    for text in [
        "0 0 * * * @days(dom=30) @days(last=1;months=FEB)",
        "0 0 * * * @days(dom=31;months=1,3,5)",
        "0 0 * 1,3 * @days(dom=31)",
        "0 0 * * * @days(dom=30) @nodays(months=2)",
        "0 0 * * * @days(dom=15,31)",
        "0 0 * * * @days(dow=MON;dom=29-31)",
        "0 0 * * * @days(last=28)",
        "0 0 * * MON @days(dom=31)",
    ] {
        assert!(codes(text).iter().all(|(found, _)| *found != code), "{text}");
    }
}

#[test]
fn months_of_few_workdays() {
    let code = "short-months-skipped";
    for (text, written) in [
        ("0 9 * * * @days(workday=23)", "`@days(lastworkday=1)`"),
        ("0 9 * * * @days(workday=21)", "`@days(lastworkday=1)`"),
        ("0 9 * * * @days(lastworkday=22)", "`@days(workday=1)`"),
        ("0 9 * * * @days(workday=22) @nodays(months=2)", "`@days(lastworkday=1)`"),
    ] {
        let help = help_of(text, code);
        assert!(help.as_deref().is_some_and(|help| help.ends_with(written)), "{text}: {help:?}");
    }
    for text in [
        "0 9 * * * @days(workday=20)",
        "0 9 * * * @days(workday=1,22)",
        "0 9 * * * @days(lastworkday=1)",
        "0 9 * * * @days(workday=21;months=1)",
        "0 9 * 1 * @days(workday=21)",
        "0 9 * * MON @days(workday=21)",
        "0 9 * * * @days(workday=21) @days(lastworkday=1)",
    ] {
        assert!(codes(text).iter().all(|(found, _)| *found != code), "{text}");
    }
}

/// Dates of a calendar roll only if they are no workdays.
#[test]
fn calendars_that_roll() {
    let code = "holidays-as-workdays";
    assert_eq!(
        help_of("0 9 * * * @days(calendar=de;roll=previous)", code).as_deref(),
        Some("to roll from each of its dates, write `@days(calendar=de;roll=previous;holidays=de)`")
    );
    assert_eq!(
        help_of("0 9 * * * @nodays(calendar=de&roll=next)", code).as_deref(),
        Some("to roll from each of its dates, write `@nodays(calendar=de&roll=next&holidays=de)`")
    );
}

/// Gaps and short months are judged by the days that the clauses choose.
#[test]
fn gaps_on_the_days_of_clauses() {
    for (text, without) in [
        // Sunday's last start has none on Monday after it.
        ("0 */5 * * * @days(dow=MON)", "uneven-step"),
        ("0 0 */5 * * @nodays(dom=31;months=2)", "uneven-month-end"),
        ("0 0 31 * * @days(months=1,3,5)", "short-months-skipped"),
        ("0 0 1 */5 * @nodays(months=1)", "uneven-step"),
        ("0 0 * * */2 @days(dow=MON-FRI)", "uneven-step"),
    ] {
        let (schedule, _) = text.split_once(" @").unwrap();
        assert!(
            codes(schedule).iter().any(|(code, _)| *code == without),
            "{schedule}: {:?}",
            codes(schedule)
        );
        assert!(codes(text).iter().all(|(code, _)| *code != without), "{text}: {:?}", codes(text));
    }
    // The days that are left have the gap still.
    for (text, code) in [
        ("0 */5 * * * @days(dow=MON,TUE)", "uneven-step"),
        ("*/40 * * * * @days(dow=MON;dom=1-7)", "uneven-step"),
        ("0 0 31 * * @days(months=1,4)", "short-months-skipped"),
    ] {
        assert!(codes(text).iter().any(|(found, _)| *found == code), "{text}: {:?}", codes(text));
    }
}

/// Where `@days` cannot stand, no help says that it should be added.
#[test]
fn help_without_days() {
    for text in ["0 0 13 * FRI", "0 0 */2 * FRI", "0 0 31 * *", "0 0 */5 * *", "0 0 1-31 * MON"] {
        let job = Job::parse("lint/test", text).unwrap();
        for finding in lint(&job, Some(text), AT, &LintOptions::default().without_days()) {
            let help = finding.help.unwrap_or_default();
            assert!(!help.contains("add `@days") && !help.contains("add `@nodays"), "{text}: {help}");
        }
    }
}

#[test]
fn calendars_of_days() {
    let codes = |text: &str| {
        let calendars = kron_core::Calendars::parse(
            "short = 2026-12-25\nlong = 2026-12-25, 2029-12-25\npast = 2025-12-25",
        )
        .unwrap();
        let spec = kron_core::Parser::new().with_calendars(calendars).spec(text).unwrap();
        let job = Job::new("lint/test", spec).unwrap();
        let findings = lint(&job, Some(text), AT, &LintOptions::default());
        let found = findings.into_iter().filter(|finding| finding.severity == Severity::Warning);
        found.map(|finding| (finding.code.as_str(), finding.message)).collect::<Vec<_>>()
    };
    assert_eq!(
        codes("0 9 * * * @days(workday=1;holidays=short)"),
        [("calendar-ends", "calendar `short` ends within a year, on 2026-12-25".to_string())]
    );
    assert_eq!(
        codes("0 9 * * * @days(workday=1;holidays=past)"),
        [("calendar-ends", "calendar `past` has no date after 2025-12-25".to_string())]
    );
    assert_eq!(codes("0 9 * * * @days(workday=1;holidays=long)"), []);
    assert_eq!(
        codes("0 9 * * * @days(near=25) @nodays(calendar=long)"),
        [(
            "holidays-as-workdays",
            "`@days(near=25)` counts the dates of `long` as workdays, and `@nodays(calendar=long)` then leaves them out"
                .to_string()
        )]
    );
    assert_eq!(codes("0 9 * * * @days(near=25;holidays=long)"), []);
    // Without workdays, leaving dates out is all that is meant.
    assert_eq!(codes("0 9 * * * @days(dom=25) @nodays(calendar=long)"), []);
}

#[test]
fn clock_changes_ahead() {
    let (warning, note) = (Severity::Warning, Severity::Note);
    assert_eq!(
        codes("30 2 * * * @tz(Europe/Paris)"),
        [("skipped-by-clock-change", warning), ("doubled-by-clock-change", warning)]
    );
    assert_eq!(
        codes("0 * * * * @tz(Europe/Paris)"),
        [("skipped-by-clock-change", note), ("doubled-by-clock-change", note)]
    );
    assert_eq!(
        messages("30 2 * * * @tz(Europe/Paris) @policy(deadline=1s)")[0],
        "2026-03-29T02:30 does not exist and yields no period in Europe/Paris when clocks change at 2026-03-29T01:00:00Z"
    );
}

#[test]
fn a_deadline_of_nothing_is_a_note() {
    let job = Job::parse("a", "@daily").unwrap();
    let findings = lint(&job, None, AT, &LintOptions::default());
    assert_eq!((findings[0].code.as_str(), findings[0].severity), ("no-deadline", Severity::Note));
}
