//! Findings about schedules that do not mean what they seem to mean.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use chrono::Datelike as _;
use kron_core::cron::{CronField, CronItem, NominalTimes as _};
use kron_core::days::DayRules;
use kron_core::time::{Rfc3339, to_utc};
use kron_core::{Cron, Finding, Job, Severity, Zone};

use super::LintOptions;
use super::code::LintCode;
use super::days;
use super::periods::has_start;
use super::words::{enumeration, weekday_list};
use crate::{DAY, DAY_MINUTES};

/// Days of the shortest month.
const SHORTEST_MONTH: u8 = 28;
/// Matching times that are searched for a short gap. The end of a field's range comes within a few weeks, if it comes
/// close to a match.
const LOOKED_AT: usize = 2000;
/// Matching times that are looked at for those on days that clauses choose.
const LOOKED_AT_FOR_DAYS: usize = 50 * LOOKED_AT;
/// Months that are looked at for a short gap: those of two years, if all match.
const MONTHS_AHEAD: usize = 24;
/// Five years.
pub(super) const DAYS_AHEAD: i64 = 5 * 366;

/// A schedule and the data of its findings. A schedule without a nominal time has none of these findings.
pub(super) struct Subject<'a> {
    job: &'a Job,
    cron: Cron,
    /// The first nominal time after the lint's instant, and its civil minute.
    first: i64,
    first_minute: i64,
    /// The fields in canonical form.
    fields: [String; 5],
    written: Option<Written<'a>>,
    at: i64,
    options: &'a LintOptions,
}

/// A schedule as it was written: five fields, no macro.
struct Written<'a> {
    text: &'a str,
    items: Vec<CronItem>,
    /// Bytes of the fields.
    fields: [Range<usize>; 5],
}

impl<'a> Subject<'a> {
    /// In `text`, other words may follow the schedule.
    pub(super) fn new(
        job: &'a Job,
        text: Option<&'a str>,
        at: i64,
        options: &'a LintOptions,
    ) -> Option<Subject<'a>> {
        let cron = *job.spec().schedule();
        let first = job.next_nominal_timestamp(at)?;
        let canonical = cron.to_string();
        let mut fields: [String; 5] = Default::default();
        for (field, word) in fields.iter_mut().zip(canonical.split(' ')) {
            *field = word.to_string();
        }
        let civil = first + i64::from(job.spec().timezone().offset_at(first));
        let written = text.and_then(|text| Written::new(text, cron));
        let first_minute = civil.div_euclid(60);
        Some(Subject { job, cron, first, first_minute, fields, written, at, options })
    }

    fn restricts(&self, field: CronField) -> bool {
        self.cron.restricts(field)
    }

    /// The values of a field in ascending order.
    fn values(&self, field: CronField) -> impl Iterator<Item = u8> {
        let set = self.cron.values(field);
        field.range().filter(move |value| set >> value & 1 == 1)
    }

    fn restricts_both_day_fields(&self) -> bool {
        self.restricts(CronField::DayOfMonth) && self.restricts(CronField::DayOfWeek)
    }

    /// The schedule with another text in a field.
    fn with_field(&self, field: CronField, text: &str) -> String {
        if let Some(written) = &self.written {
            let Range { start, end } = written.fields[field as usize].clone();
            let (before, after) = (&written.text[..start], &written.text[end..]);
            return format!("{before}{text}{after}").trim_matches([' ', '\t']).to_string();
        }
        let mut fields = self.fields.each_ref().map(String::as_str);
        fields[field as usize] = text;
        fields.join(" ")
    }

    /// Whether the job has starts with another schedule, and with these rules of days more.
    fn has_start(&self, schedule: &str, rules: &str) -> bool {
        let changed = || {
            let (spec, more) = (self.job.spec(), rules.parse::<DayRules>()?);
            let days = [spec.days().days(), more.days()].concat();
            let rules = DayRules::from_clauses(days, [spec.days().nodays(), more.nodays()].concat())?;
            days::with_rules(self.job, Cron::parse(schedule)?, rules)
        };
        changed().is_ok_and(|job| has_start(&job, self.at, self.options))
    }

    /// The schedule with `*` in both day fields.
    fn with_any_day(&self) -> String {
        let any = |subject: &Subject<'_>, field| subject.with_field(field, "*");
        match &self.written {
            // The later field first, so that the place of the other stays.
            Some(written) => {
                let of_month = written.fields[CronField::DayOfMonth as usize].clone();
                let mut text = any(self, CronField::DayOfWeek);
                // Blanks before the schedule are cut off.
                let cut = written.text.len() - written.text.trim_start_matches([' ', '\t']).len();
                text.replace_range(of_month.start - cut..of_month.end - cut, "*");
                text
            }
            None => {
                let mut fields = self.fields.each_ref().map(String::as_str);
                fields[CronField::DayOfMonth as usize] = "*";
                fields[CronField::DayOfWeek as usize] = "*";
                fields.join(" ")
            }
        }
    }

    /// The place in the text from one field to another.
    fn span(&self, first: CronField, last: CronField) -> Option<Range<usize>> {
        let written = self.written.as_ref()?;
        Some(written.fields[first as usize].start..written.fields[last as usize].end)
    }

    /// The first nominal times in UTC.
    fn next_times(&self, count: usize) -> String {
        let nominals =
            core::iter::successors(Some(self.first), |nominal| self.job.next_nominal_timestamp(*nominal));
        enumeration(&nominals.take(count).map(Rfc3339).collect::<Vec<_>>())
    }

    /// Civil minutes that match an expression, from the first nominal time on.
    fn civil_minutes(&self, cron: &Cron) -> impl Iterator<Item = i64> + use<> {
        let cron = *cron;
        core::iter::successors(at_or_after(&cron, self.first_minute), move |minute| {
            at_or_after(&cron, minute + 1)
        })
    }

    /// The first days that the schedule matches.
    fn next_days(&self, count: usize) -> Vec<i64> {
        let fields = &self.fields;
        let start = self.first_minute.div_euclid(DAY_MINUTES);
        let days = format!("0 0 {}", fields[CronField::DayOfMonth as usize..].join(" "));
        let days = Cron::parse(&days).unwrap_or(self.cron);
        let later = core::iter::successors(Some(start), |day| {
            at_or_after(&days, (day + 1) * DAY_MINUTES).map(|minute| minute.div_euclid(DAY_MINUTES))
        });
        later.take(LOOKED_AT).filter(|day| self.has_day(*day)).take(count).collect()
    }

    /// Whether the clauses of nominal days choose a day, counted from 1970-01-01.
    fn has_day(&self, day: i64) -> bool {
        self.job.spec().days().judge(day * DAY).is_chosen()
    }

    /// Whether the clauses of nominal days choose a day of a month.
    fn has_day_in(&self, month: impl Fn(u8) -> bool) -> bool {
        let first = self.first_minute.div_euclid(DAY_MINUTES);
        let is_in = |day: &i64| u8::try_from(to_utc(day * DAY).month()).is_ok_and(&month);
        (first..first + DAYS_AHEAD).filter(is_in).any(|day| self.has_day(day))
    }
}

impl<'a> Written<'a> {
    fn new(text: &'a str, cron: Cron) -> Option<Written<'a>> {
        let text = match text.find(" @").or_else(|| text.find("\t@")) {
            Some(end) => &text[..end],
            None => text,
        };
        // A text that is not that of the job has no places.
        let (_, items) = Cron::parse_items(text).ok().filter(|(read, _)| *read == cron)?;
        let mut fields: [Range<usize>; 5] = Default::default();
        for (place, field) in fields.iter_mut().zip(CronField::ALL) {
            let mut of_field = items.iter().filter(|item| item.field == field);
            let first = of_field.next()?;
            *place = first.span.start..of_field.next_back().unwrap_or(first).span.end;
        }
        // All fields of a macro have the same place.
        (fields[0] != fields[1]).then_some(Written { text, items, fields })
    }

    fn item(&self, item: &CronItem) -> &'a str {
        &self.text[item.span.clone()]
    }
}

/// The first civil minute at or after one that matches an expression. Without clock changes, civil times are those of UTC.
fn at_or_after(cron: &Cron, minute: i64) -> Option<i64> {
    cron.next_nominal(&Zone::UTC, minute * 60 - 1).map(|second| second.div_euclid(60))
}

/// `2026-03-01T00:40`.
fn civil_text(minute: i64) -> String {
    Rfc3339(minute * 60).to_string()[..16].to_string()
}

/// `2026-03-01`.
pub(super) fn date_text(day: i64) -> String {
    Rfc3339(day * DAY).to_string()[..10].to_string()
}

/// `Fri 2026-03-06`.
fn weekday_text(day: &i64) -> String {
    format!("{} {}", to_utc(day * DAY).weekday(), date_text(*day))
}

fn is_beyond_range(item: &CronItem) -> bool {
    item.step > 1 && item.step > u32::from(item.high - item.low)
}

/// Steps that are larger than their range, such as `*/60`, name only its first value.
pub(super) fn steps_beyond_range(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(written) = &subject.written else { return Vec::new() };
    let finding = |item: &CronItem| {
        let message = format!(
            "the step of `{}` is larger than its range, so only {} {} matches: the next nominal times are {}",
            written.item(item),
            match item.field {
                CronField::DayOfMonth => "day",
                CronField::DayOfWeek => "weekday",
                field => field.name(),
            },
            item.low,
            subject.next_times(2)
        );
        let (before, after) = (&written.text[..item.span.start], &written.text[item.span.end..]);
        let schedule = format!("{before}{}{after}", item.low);
        Finding::new(Severity::Warning, LintCode::StepBeyondRange, message)
            .at(Some(item.span.clone()))
            .with_help(format!("write `{}`", schedule.trim_matches([' ', '\t'])))
    };
    written.items.iter().filter(|item| is_beyond_range(item)).map(finding).collect()
}

/// Steps that do not divide the range of their field, so the last one is shorter: `*/40` matches the minutes 0 and 40.
pub(super) fn uneven_steps(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(written) = &subject.written else { return Vec::new() };
    let finding = |item: &CronItem| {
        let text = written.item(item);
        // A range that was written out ends there on purpose.
        let open = item.step > 1 && !is_beyond_range(item) && !text.contains('-');
        let alone = written.fields[item.field as usize] == item.span;
        if !open || !alone || (item.field.is_of_days() && subject.restricts_both_day_fields()) {
            return None;
        }
        let (earlier, later) = short_gap(subject, item.field, item.step)?;
        Some(match item.field {
            CronField::DayOfMonth => uneven_month_end(subject, item, text, (earlier, later)),
            _ => uneven_step(subject, item, text, (earlier, later)),
        })
    };
    written.items.iter().filter_map(finding).collect()
}

fn uneven_step(subject: &Subject<'_>, item: &CronItem, text: &str, (earlier, later): (i64, i64)) -> Finding {
    let (unit, round, divided) = match item.field {
        CronField::Minute => ("minute", "hour", 60),
        CronField::Hour => ("hour", "day", 24),
        CronField::DayOfMonth => ("day", "month", 31),
        CronField::Month => ("month", "year", 12),
        CronField::DayOfWeek => ("day", "week", 7),
    };
    let gap = distance(item.field, earlier, later);
    let message = format!(
        "`{text}` is not every {} {unit}s, because it begins again each {round}: {} is only {gap} {unit}{} after {} in {}",
        item.step,
        civil_text(later),
        if gap == 1 { "" } else { "s" },
        civil_text(earlier),
        subject.job.spec().timezone()
    );
    // Of two that are equally near, the smaller one is taken.
    let begin = if item.star { "*".to_string() } else { item.low.to_string() };
    let even = (2..divided).filter(|step| divided % step == 0).min_by_key(|step| item.step.abs_diff(*step));
    let even = even.map(|even| format!("{begin}/{even}"));
    let values = item.field.list(subject.cron.values(item.field));
    let help = match even.filter(|even| subject.has_start(&subject.with_field(item.field, even), "")) {
        Some(even) => {
            format!("write `{even}`, which divides the {round} evenly, or `{values}` if the gaps are meant")
        }
        None => format!("write `{values}` if the gaps are meant"),
    };
    Finding::new(Severity::Warning, LintCode::UnevenStep, message).at(Some(item.span.clone())).with_help(help)
}

fn uneven_month_end(
    subject: &Subject<'_>,
    item: &CronItem,
    text: &str,
    (earlier, later): (i64, i64),
) -> Finding {
    let gap = distance(CronField::DayOfMonth, earlier, later);
    let message = format!(
        "`{text}` begins again on the first day of each month: {} is only {gap} day{} after {}",
        date_text(later.div_euclid(DAY_MINUTES)),
        if gap == 1 { "" } else { "s" },
        date_text(earlier.div_euclid(DAY_MINUTES))
    );
    let finding = Finding::new(Severity::Note, LintCode::UnevenMonthEnd, message).at(Some(item.span.clone()));
    // Days that leave at least half a step until the first day of any next month.
    let last = u32::from(SHORTEST_MONTH) + u32::from(item.low) - item.step.div_ceil(2);
    let days: Vec<u8> = subject.values(CronField::DayOfMonth).filter(|day| u32::from(*day) <= last).collect();
    let kept = match days.as_slice() {
        [] => return finding,
        [first, .., last] if days.len() > 3 => format!("{first}-{last}/{}", item.step),
        _ => days.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    };
    let mut ways = Vec::new();
    if subject.has_start(&subject.with_field(CronField::DayOfMonth, &kept), "") {
        ways.push(format!("`{kept}` to leave out the days of the short gap"));
    }
    // Another clause of `@days` would be an alternative to the existing ones.
    let can_add = subject.options.has_days && subject.job.spec().days().days().is_empty();
    if can_add && !subject.restricts(CronField::Month) {
        let from = date_text(subject.first_minute.div_euclid(DAY_MINUTES));
        let (schedule, step) = (subject.with_field(CronField::DayOfMonth, "*"), item.step);
        let clause = format!("@days(every={step}d;from={from})");
        if subject.has_start(&schedule, &clause) {
            ways.push(format!("`{schedule}` and add `{clause}` for every {step} days"));
        }
    }
    if ways.is_empty() { finding } else { finding.with_help(format!("write {}", ways.join(", or "))) }
}

/// The first two matching civil minutes whose distance in a field is less than a step.
fn short_gap(subject: &Subject<'_>, field: CronField, step: u32) -> Option<(i64, i64)> {
    // The field, and those of which it is a part; the first value of the others.
    let first = ["0", "0", "1", "*", "*"];
    let kept = match field {
        CronField::Minute => [true; 5],
        CronField::Hour => [false, true, true, true, true],
        CronField::DayOfMonth => [false, false, true, true, false],
        CronField::Month => [false, false, false, true, false],
        CronField::DayOfWeek => [false, false, false, true, true],
    };
    let mut fields = subject.fields.each_ref().map(String::as_str);
    for (place, text) in fields.iter_mut().enumerate().filter(|(place, _)| !kept[*place]) {
        let any_day = field == CronField::DayOfWeek && place == CronField::DayOfMonth as usize;
        *text = if any_day { "*" } else { first[place] };
    }
    let cron = Cron::parse(&fields.join(" ")).ok()?;
    let minutes: Vec<i64> = match field {
        // A month is there if one of its days is.
        CronField::Month => {
            let has_month = |minute: &i64| {
                let month = to_utc(minute * 60).month();
                subject.has_day_in(|other| u32::from(other) == month)
            };
            subject.civil_minutes(&cron).take(MONTHS_AHEAD).filter(has_month).collect()
        }
        _ => subject
            .civil_minutes(&cron)
            .take(LOOKED_AT_FOR_DAYS)
            .filter(|minute| subject.has_day(minute.div_euclid(DAY_MINUTES)))
            .take(LOOKED_AT)
            .collect(),
    };
    let mut pairs = minutes.iter().copied().zip(minutes.iter().copied().skip(1));
    pairs.find(|(earlier, later)| distance(field, *earlier, *later) < i64::from(step))
}

/// From one civil minute to a later one, in units of a field.
fn distance(field: CronField, earlier: i64, later: i64) -> i64 {
    match field {
        CronField::Minute => later - earlier,
        CronField::Hour => (later - earlier) / 60,
        CronField::Month => {
            let month = |minute: i64| {
                let date = to_utc(minute * 60);
                i64::from(date.year()) * 12 + i64::from(date.month())
            };
            month(later) - month(earlier)
        }
        CronField::DayOfMonth | CronField::DayOfWeek => {
            later.div_euclid(DAY_MINUTES) - earlier.div_euclid(DAY_MINUTES)
        }
    }
}

/// `* 3 * * *`: the hours are single ones, so the minutes were probably forgotten.
pub(super) fn every_minute(subject: &Subject<'_>) -> Option<Finding> {
    let hours = subject.cron.values(CronField::Hour);
    let has_neighbours = hours & hours >> 1 != 0;
    if subject.restricts(CronField::Minute) || has_neighbours {
        return None;
    }
    let message = format!(
        "the minute field is `*`, so the job starts 60 times in each of its hours: the next nominal times are {}",
        subject.next_times(3)
    );
    let finding = Finding::new(Severity::Warning, LintCode::EveryMinute, message);
    let finding = finding.at(subject.span(CronField::Minute, CronField::Hour));
    let once = subject.with_field(CronField::Minute, "0");
    Some(match subject.has_start(&once, "") {
        true => finding.with_help(format!("to start once in each of them, write `{once}`")),
        false => finding,
    })
}

/// `0 0 13 * FRI`: every 13th and every Friday. With a step in a day field, other crons read it differently.
pub(super) fn either_day_field(subject: &Subject<'_>) -> Option<Finding> {
    if !subject.restricts_both_day_fields() {
        return None;
    }
    let days: Vec<String> = subject.next_days(3).iter().map(weekday_text).collect();
    let stepped = subject.written.as_ref().and_then(|written| {
        let of_days = |item: &&CronItem| item.field.is_of_days() && item.star && item.step > 1;
        written.items.iter().find(of_days).map(|item| written.item(item))
    });
    let mut message = format!(
        "both day fields are restricted, and a day matches if either of them does: the next days are {}",
        enumeration(&days)
    );
    let mut code = LintCode::EitherDayField;
    if let Some(stepped) = stepped {
        code = LintCode::StepInDayField;
        message += &format!(
            "; Kubernetes reads `{stepped}` in the same way, but cronie requires both fields to match"
        );
    }
    let finding = Finding::new(Severity::Warning, code, message)
        .at(subject.span(CronField::DayOfMonth, CronField::DayOfWeek));
    let weekdays = subject.cron.values(CronField::DayOfWeek);
    let schedule = subject.with_field(CronField::DayOfWeek, "*");
    let other = 0b111_1111 & !weekdays;
    // Whether the months have such days is asked only of a schedule of days of the month.
    if Cron::parse(&schedule).is_err() {
        return Some(finding.with_help("no day matches both, because these months have no such day"));
    }
    let days = CronField::DayOfMonth.list(subject.cron.values(CronField::DayOfMonth));
    let both = format!("@days(dow={};dom={days})", weekday_list(weekdays));
    let (schedule, rule) = if other == 0 {
        (schedule, String::new())
    } else if !subject.job.spec().days().days().is_empty() {
        // Another clause of `@days` would be an alternative to the existing ones.
        (schedule, format!("@nodays(dow={})", weekday_list(other)))
    } else if code == LintCode::StepInDayField && subject.options.has_days {
        (schedule, format!("@days(dow={})", weekday_list(weekdays)))
    } else {
        (subject.with_any_day(), both.clone())
    };
    Some(finding.with_help(if !subject.has_start(&schedule, &rule) {
        let alone = |field| Some(subject.with_field(field, "*")).filter(|text| subject.has_start(text, ""));
        let alone = [CronField::DayOfMonth, CronField::DayOfWeek].into_iter().filter_map(alone);
        let alone: Vec<String> = alone.map(|schedule| format!("`{schedule}`")).collect();
        let none = "no start in the years ahead would match both";
        if alone.is_empty() { none.into() } else { format!("{none}; write {}", alone.join(" or ")) }
    } else if rule.is_empty() {
        format!("write `{schedule}` to start only on these days of the month")
    } else if subject.options.has_days {
        format!("to start only on days that match both, write `{schedule}` and add `{rule}`")
    } else {
        format!("check one of them in the command, or write a job file with `{both}`")
    }))
}

/// The days that a month has in every year.
pub(super) fn days_of_month(month: u8) -> u8 {
    match month {
        2 => SHORTEST_MONTH,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `0 0 31 * *`: most months have it, some do not. A list with a day that every month has is intended.
pub(super) fn short_months_skipped(subject: &Subject<'_>) -> Option<Finding> {
    if !subject.restricts(CronField::DayOfMonth) || subject.restricts(CronField::DayOfWeek) {
        return None;
    }
    let first = subject.values(CronField::DayOfMonth).next()?;
    let is_short =
        |month| days_of_month(month) < first && subject.cron.values(CronField::Month) >> month & 1 == 1;
    // Clauses may leave these months out anyway.
    if first <= SHORTEST_MONTH || !subject.has_day_in(is_short) {
        return None;
    }
    let days: Vec<String> = subject.next_days(3).into_iter().map(date_text).collect();
    let message =
        format!("a month without a day {first} has no start: the next days are {}", enumeration(&days));
    let finding = Finding::new(Severity::Warning, LintCode::ShortMonthsSkipped, message)
        .at(subject.span(CronField::DayOfMonth, CronField::DayOfMonth));
    // Other days may be none of those that the clauses choose.
    if !subject.job.spec().days().is_empty() {
        return Some(finding);
    }
    let months = if subject.restricts(CronField::Month) { "of these months" } else { "month" };
    let write = |text| subject.with_field(CronField::DayOfMonth, text);
    let (early, any) = (write("28"), write("*"));
    Some(if first == 31 && subject.options.has_days && subject.has_start(&any, "@days(last=1)") {
        finding.with_help(format!(
            "to start on the last day of each {months}, write `{any}` and add `@days(last=1)`"
        ))
    } else if subject.has_start(&early, "") {
        finding.with_help(format!("to start in each {months}, write `{early}`"))
    } else {
        finding
    })
}
