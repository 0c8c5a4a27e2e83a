//! Every piece of advice that lint gives is followed, and the starts before and after are compared.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDateTime, Timelike};
use kron_core::time::to_utc;
use kron_core::{Calendars, Finding, Job, JobSpec, Parser};
use kron_fleet::lint::{LintOptions, lint};
use proptest::prelude::*;
use proptest::sample::select;

/// 2026-03-01T00:00:00Z, and three years later.
const AT: i64 = 1_772_323_200;
const UNTIL: i64 = AT + 3 * 366 * 86_400;
/// Nominal times that are compared at most.
const MOST: usize = 4000;
/// Periods that lint examines.
const PERIODS: usize = 500;

fn parser() -> Parser {
    Parser::new()
        .with_calendars(Calendars::parse("de = 2026-04-03, 2026-05-01, 2028-12-25, 2031-01-01").unwrap())
}

fn spec(text: &str) -> JobSpec {
    parser().spec(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn job(text: &str) -> Job {
    Job::new("lint/advice", spec(text)).unwrap()
}

fn findings(text: &str) -> Vec<Finding> {
    lint(&job(text), Some(text), AT, &LintOptions::default().with_periods(PERIODS))
}

fn nominals(text: &str) -> Vec<i64> {
    let job = job(text);
    let all = std::iter::successors(job.next_nominal_timestamp(AT - 1), |at| job.next_nominal_timestamp(*at));
    all.take_while(|at| *at < UNTIL).take(MOST).collect()
}

/// Whether a job has a start in the time that lint looks at.
fn has_start(text: &str) -> bool {
    let (job, end) = (job(text), AT + 5 * 366 * 86_400);
    let all = std::iter::successors(job.next_nominal_timestamp(AT), |at| job.next_nominal_timestamp(*at));
    all.take_while(|at| *at <= end).take(PERIODS).any(|at| job.unschedulable(at).unwrap().is_none())
}

/// The last instant of a list of nominal times.
fn reach(times: &[i64]) -> i64 {
    if times.len() < MOST { UNTIL } else { times[MOST - 1] }
}

fn civil(at: &i64) -> NaiveDateTime {
    to_utc(*at).naive_utc()
}

/// The texts that follow from a help: the schedule or a field, a modifier or a part are replaced, a modifier is added.
fn followed(text: &str, finding: &Finding, help: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut before, mut rest) = ("", help);
    while let Some((words, quoted)) = rest.split_once('`') {
        before = if words.trim().is_empty() { before } else { words.trim() };
        let (quoted, after) = quoted.split_once('`').unwrap();
        let verb = before.rsplit([' ', ',']).next().unwrap();
        match verb {
            "write" | "or" => out.push(replaced(text, finding, quoted)),
            "add" => {
                // Words that belong to what was written before, if anything was.
                let whole = out.pop().unwrap_or_else(|| text.to_string());
                out.push(format!("{whole} {quoted}"));
            }
            _ => {}
        }
        rest = after;
    }
    out
}

fn replaced(text: &str, finding: &Finding, quoted: &str) -> String {
    let end = text.find(" @").unwrap_or(text.len());
    let (schedule, modifiers) = text.split_at(end);
    if quoted.split(' ').count() == 5 && !quoted.starts_with('@') {
        return format!("{quoted}{modifiers}");
    }
    if let Some((name, _)) = quoted.strip_prefix('@').and_then(|rest| rest.split_once('(')) {
        let same = |modifier: &&str| modifier.split('(').next() == Some(&format!("@{name}"));
        let kept: Vec<&str> = modifiers.split(' ').filter(|modifier| !same(modifier)).collect();
        return format!("{schedule}{} {quoted}", kept.join(" "));
    }
    if let Some((part, _)) = quoted.split_once('=') {
        // The message quotes the part that is replaced.
        let old = match finding.code.as_str() {
            "workday-not-weekday" => "workday=1-5",
            _ => finding.message.split('`').nth(1).unwrap(),
        };
        assert!(text.contains(old), "{text}: {old}, {part}");
        return text.replacen(&format!("{old})"), &format!("{quoted})"), 1);
    }
    let span = finding.span.clone().unwrap_or_else(|| panic!("{text}: `{quoted}` has no place"));
    format!("{}{quoted}{}", &text[..span.start], &text[span.end..])
}

/// What must hold for the nominal times before and after. `index` counts the ways that one help names.
fn check(finding: &Finding, index: usize, text: &str, after: &str) {
    let (mut old, mut new) = (nominals(text), nominals(after));
    // Lists that are cut are compared as far as both go.
    let end = reach(&old).min(reach(&new));
    [&mut old, &mut new].into_iter().for_each(|times| times.retain(|at| *at <= end));
    let context = format!("{text}\n{after}\n{}", finding.code.as_str());
    let days = |times: &[i64]| times.iter().map(|at| civil(at).date()).collect::<BTreeSet<_>>();
    let help = finding.help.as_deref().unwrap_or_default();
    assert!(has_start(after) || !has_start(text), "{context}: no start is left");
    match finding.code.as_str() {
        // Only said otherwise.
        "step-beyond-range"
        | "no-deadline"
        | "window-longer-than-gap"
        | "only-clauses-apart"
        | "avoid-clauses-apart" => {
            assert_eq!(old, new, "{context}");
        }
        "uneven-step" if after_keeps_values(finding, index) => assert_eq!(old, new, "{context}"),
        // Other values; that a start is left is checked above.
        "uneven-step" => {}
        "uneven-month-end" if index == 0 && help.contains("to leave out") => {
            assert!(new.iter().all(|at| old.binary_search(at).is_ok()), "{context}");
        }
        "uneven-month-end" => {
            let all: Vec<_> = days(&new).into_iter().collect();
            let gaps: BTreeSet<i64> = all.windows(2).map(|pair| (pair[1] - pair[0]).num_days()).collect();
            // Days that another rule leaves out make longer gaps.
            let step = gaps.first().copied().unwrap_or(1);
            assert!(step > 1 && gaps.iter().all(|gap| gap % step == 0), "{context}: {gaps:?}");
        }
        "every-minute" => {
            let hours = |times: &[i64]| times.iter().map(|at| at.div_euclid(3600)).collect::<BTreeSet<_>>();
            let (old, new, new_times) = (hours(&old), hours(&new), new);
            let both = old.iter().zip(&new).all(|(old, new)| old == new);
            assert!(both && new_times.iter().all(|at| civil(at).minute() == 0), "{context}");
        }
        "either-day-field" | "step-in-day-field" if help.starts_with("no start") => {
            assert!(new.iter().all(|at| old.binary_search(at).is_ok()), "{context}");
        }
        "either-day-field" | "step-in-day-field" => {
            let fields: Vec<&str> = text.split(' ').collect();
            let alone = |dom: &str, dow: &str| {
                let [minute, hour, month] = [fields[0], fields[1], fields[3]];
                let rest = fields[5..].join(" ");
                let text = format!("{minute} {hour} {dom} {month} {dow} {rest}");
                // Months without such a day are no schedule.
                if parser().spec(&text).is_err() {
                    BTreeSet::new()
                } else {
                    nominals(&text).into_iter().collect::<BTreeSet<_>>()
                }
            };
            let (by_month, by_week) = (alone(fields[2], "*"), alone("*", fields[4]));
            let of = |times: &BTreeSet<i64>| reach(&times.iter().copied().collect::<Vec<_>>());
            let end = end.min(of(&by_month)).min(of(&by_week));
            let both: Vec<i64> = by_month.intersection(&by_week).copied().filter(|at| *at <= end).collect();
            let new: Vec<i64> = new.into_iter().filter(|at| *at <= end).collect();
            assert_eq!(both, new, "{context}");
        }
        "short-months-skipped" => {
            let months = |times: &[i64]| {
                times.iter().map(|at| (civil(at).year(), civil(at).month())).collect::<BTreeSet<_>>()
            };
            assert!(months(&new).len() >= months(&old).len(), "{context}");
        }
        "one-day-from-the-end" if finding.message.contains("`last=5`") => {
            assert!(new.iter().all(|at| old.binary_search(at).is_ok()), "{context}");
        }
        "one-day-from-the-end" => {
            let length = old.len().min(new.len());
            assert!(
                old[..length].iter().all(|at| *at > *new.last().unwrap() || new.contains(at)),
                "{context}"
            );
        }
        "workday-not-weekday" => {
            assert!(new.iter().all(|at| civil(at).weekday().num_days_from_monday() < 5), "{context}");
        }
        "every-of-one-weekday" => {
            assert!(old.iter().all(|at| new.binary_search(at).is_ok()), "{context}");
            let weeks: BTreeSet<i64> = new.iter().map(|at| (at / 86_400 + 3).div_euclid(7)).collect();
            assert!(weeks.iter().zip(weeks.iter().skip(1)).all(|(a, b)| (b - a) % 2 == 0), "{context}");
        }
        // Dates in a row roll to the same workday.
        "holidays-as-workdays" if text.contains("roll=") => {}
        "holidays-as-workdays" => {
            // A day that was left out altogether has another day in its place.
            assert!(new.len() >= old.len(), "{context}");
        }
        code => panic!("{code}: {context}: what does its advice lead to?"),
    }
}

/// Whether the way of this index keeps the values of the field.
fn after_keeps_values(finding: &Finding, index: usize) -> bool {
    let help = finding.help.as_deref().unwrap_or_default();
    index > 0 || !help.contains("divides")
}

fn text() -> impl Strategy<Value = String> {
    let fields = (
        select(vec!["0", "15", "*", "*/15", "*/40", "5/7", "0,30", "*/60"]),
        select(vec!["3", "0", "*", "*/5", "9-17", "22"]),
        select(vec!["*", "*", "*", "13", "31", "*/2", "*/10", "29-31", "1-7", "1/3", "30"]),
        select(vec!["*", "*", "2", "1,4", "6-9", "*/5"]),
        select(vec!["*", "*", "*", "FRI", "MON-FRI", "1,3", "*/2"]),
    );
    let modifiers = (
        select(vec!["", "", " @win(after,30m)", " @win(around,5h)", " @win(after,26h)"]),
        select(vec![
            "",
            "",
            "",
            " @days(dow=MON;dom=1-7)",
            " @days(dow=FRI;last=7)",
            " @days(workday=1-5)",
            " @days(near=25)",
            " @days(last=1) @days(dom=15)",
            " @days(workday=1)",
            " @days(dow=0-6)",
            " @days(last=1-7)",
            " @days(months=6)",
            " @days(dom=31)",
            " @days(dom=30)",
            " @days(near=31)",
            " @days(dom=29-31;months=2,4)",
            " @days(every=2w;from=2026-01-07)",
            " @days(every=14d;from=2026-01-09)",
            " @days(calendar=de;roll=previous)",
        ]),
        select(vec![
            "",
            "",
            "",
            " @nodays(calendar=de)",
            " @nodays(months=8)",
            " @nodays(dow=SUN)",
            " @nodays(dow=FRI)",
            " @nodays(dow=SAT&last=5)",
        ]),
        select(vec![
            "",
            "",
            "",
            " @only(hours=9-17) @only(dow=1-5)",
            " @only(hours=9-17)",
            " @only(hours=10) @only(dow=1-5)",
            " @only(between=03:10-03:20)",
            " @only(months=6)",
            " @avoid(hours=9-17;dow=MON-FRI)",
            " @policy(deadline=1m)",
        ]),
    );
    let text = (fields, modifiers).prop_map(|((a, b, c, d, e), (win, days, nodays, rest))| {
        format!("{a} {b} {c} {d} {e}{days}{nodays}{win}{rest}")
    });
    text.prop_filter("a schedule that never matches", |text| parser().spec(text).is_ok())
}

proptest! {
    #![proptest_config(crate::generators::config(400))]

    /// What lint advises reads, its finding is gone, and the starts are those that the advice names.
    #[test]
    fn advice_leads_to_what_it_says(text in text()) {
        for finding in findings(&text) {
            let Some(help) = finding.help.clone() else { continue };
            if !help.contains("write `") && !help.contains("add `") || help.contains("write `*` in both") {
                continue;
            }
            let ways = followed(&text, &finding, &help);
            prop_assert!(!ways.is_empty(), "{text}: {help}");
            for (index, after) in ways.into_iter().enumerate() {
                let left = findings(&after).into_iter().find(|it| it.code == finding.code && it.message == finding.message);
                // A step that is written out has no step any more, and a clause has another meaning.
                prop_assert!(left.is_none(), "{text}\n{after}\n{:?}", left);
                check(&finding, index, &text, &after);
            }
        }
    }
}
