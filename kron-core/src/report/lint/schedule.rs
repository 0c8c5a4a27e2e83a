//! Findings about schedules that do not mean what they seem to mean.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use crate::cron::{self, Cron, Item};
use crate::job::Job;
use crate::report::finding::{Finding, LintCode, Severity, enumeration};
use crate::time::calendar_field::{self, DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MINUTE, MONTH, values};
use crate::time::civil::{DAY, DAY_MINUTES, Date, days_in_month, weekday};
use crate::time::rfc3339::Rfc3339;

/// The five fields in their order.
static FIELDS: [&Field; 5] = [&MINUTE, &HOUR, &DAY_OF_MONTH, &MONTH, &DAY_OF_WEEK];
const MINUTES: usize = 0;
const HOURS: usize = 1;
const DAYS_OF_MONTH: usize = 2;
const MONTHS: usize = 3;
const DAYS_OF_WEEK: usize = 4;

/// Days of the shortest month.
const SHORTEST_MONTH: u8 = 28;
/// Matching times that are searched for a short gap. The end of a field's range comes within a few weeks, if it comes
/// close to a match.
const LOOKED_AT: usize = 2000;
static WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// A schedule and the data of its findings. A schedule without a nominal time has none of these findings.
pub(super) struct Subject<'a> {
    job: &'a Job,
    cron: Cron,
    /// The first nominal time after the lint's instant, and its civil minute.
    first: i64,
    first_minute: i64,
    /// The fields in canonical form.
    fields: [String; 5],
    /// The values of the fields.
    sets: [u64; 5],
    written: Option<Written<'a>>,
}

/// A schedule as it was written: five fields, no macro.
struct Written<'a> {
    text: &'a str,
    items: Vec<Item>,
    /// Bytes of the fields.
    fields: [Range<usize>; 5],
}

impl<'a> Subject<'a> {
    /// In `text`, other words may follow the schedule.
    pub(super) fn new(job: &'a Job, text: Option<&'a str>, at: i64) -> Option<Subject<'a>> {
        let cron = *job.spec().schedule();
        let first = job.next_nominal(at)?;
        let canonical = cron.to_string();
        let mut fields: [String; 5] = Default::default();
        for (field, word) in fields.iter_mut().zip(canonical.split(' ')) {
            *field = word.to_string();
        }
        let mut sets = [0; 5];
        // OK because the canonical form is an expression.
        let _ = cron::parse(&canonical, &mut |item| sets[index_of(item.field)] |= item.set());
        let civil = first + i64::from(job.spec().timezone().offset_at(first));
        let written = text.and_then(|text| Written::new(text, cron));
        Some(Subject { job, cron, first, first_minute: civil.div_euclid(60), fields, sets, written })
    }

    fn restricts(&self, field: usize) -> bool {
        self.fields[field] != "*"
    }

    fn restricts_both_day_fields(&self) -> bool {
        self.restricts(DAYS_OF_MONTH) && self.restricts(DAYS_OF_WEEK)
    }

    /// The schedule with another text in a field.
    fn with_field(&self, field: usize, text: &str) -> String {
        if let Some(written) = &self.written {
            let Range { start, end } = written.fields[field].clone();
            let (before, after) = (&written.text[..start], &written.text[end..]);
            return format!("{before}{text}{after}").trim_matches([' ', '\t']).to_string();
        }
        let mut fields = self.fields.each_ref().map(String::as_str);
        fields[field] = text;
        fields.join(" ")
    }

    /// The place of fields in the text.
    fn span(&self, fields: Range<usize>) -> Option<Range<usize>> {
        let written = self.written.as_ref()?;
        Some(written.fields[fields.start].start..written.fields[fields.end - 1].end)
    }

    /// The first nominal times in UTC.
    fn next_times(&self, count: usize) -> String {
        let nominals = core::iter::successors(Some(self.first), |nominal| self.job.next_nominal(*nominal));
        enumeration(&nominals.take(count).map(Rfc3339).collect::<Vec<_>>())
    }

    /// Civil minutes that match an expression, from the first nominal time on.
    fn civil_minutes(&self, cron: &Cron) -> impl Iterator<Item = i64> + use<> {
        let cron = *cron;
        core::iter::successors(cron.at_or_after(self.first_minute), move |minute| {
            cron.at_or_after(minute + 1)
        })
    }

    /// The first days that the schedule matches.
    fn next_days(&self, count: usize) -> Vec<i64> {
        let fields = &self.fields;
        let start = self.first_minute.div_euclid(DAY_MINUTES);
        let days = format!("0 0 {} {} {}", fields[DAYS_OF_MONTH], fields[MONTHS], fields[DAYS_OF_WEEK]);
        let days = Cron::parse(&days).unwrap_or(self.cron);
        let later = core::iter::successors(Some(start), |day| {
            days.at_or_after((day + 1) * DAY_MINUTES).map(|minute| minute.div_euclid(DAY_MINUTES))
        });
        later.take(count).collect()
    }
}

impl<'a> Written<'a> {
    fn new(text: &'a str, cron: Cron) -> Option<Written<'a>> {
        let text = match text.find(" @").or_else(|| text.find("\t@")) {
            Some(end) => &text[..end],
            None => text,
        };
        let mut items: Vec<Item> = Vec::new();
        // A text that is not that of the job has no places.
        cron::parse(text, &mut |item| items.push(item)).ok().filter(|read| *read == cron)?;
        let mut fields: [Range<usize>; 5] = Default::default();
        for (index, field) in fields.iter_mut().enumerate() {
            let mut of_field = items.iter().filter(|item| index_of(item.field) == index);
            let first = of_field.next()?;
            *field = first.span.start..of_field.next_back().unwrap_or(first).span.end;
        }
        // All fields of a macro have the same place.
        (fields[MINUTES] != fields[HOURS]).then_some(Written { text, items, fields })
    }

    fn item(&self, item: &Item) -> &'a str {
        &self.text[item.span.clone()]
    }
}

fn index_of(field: &Field) -> usize {
    FIELDS.iter().position(|it| *it == field).unwrap_or(MINUTES)
}

/// `2026-03-01T00:40`.
fn civil_text(minute: i64) -> String {
    Rfc3339(minute * 60).text().as_str()[..16].to_string()
}

/// `2026-03-01`.
fn date_text(day: i64) -> String {
    Rfc3339(day * DAY).text().as_str()[..10].to_string()
}

/// `Fri 2026-03-06`.
fn weekday_text(day: &i64) -> String {
    format!("{} {}", WEEKDAYS[usize::from(weekday(*day)) % 7], date_text(*day))
}

fn list(field: &Field, set: u64) -> String {
    let mut text = String::new();
    calendar_field::write_list(&mut text, field, set, false);
    text
}

fn is_beyond_range(item: &Item) -> bool {
    item.step > 1 && item.step > u32::from(item.high - item.low)
}

/// Steps that are larger than their range, such as `*/60`, name only its first value.
pub(super) fn steps_beyond_range(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(written) = &subject.written else { return Vec::new() };
    let finding = |item: &Item| {
        let message = format!(
            "the step of `{}` is larger than its range, so only {} {} matches: the next nominal times are {}",
            written.item(item),
            ["minute", "hour", "day", "month", "weekday"][index_of(item.field)],
            item.low,
            subject.next_times(2)
        );
        let (before, after) = (&written.text[..item.span.start], &written.text[item.span.end..]);
        let schedule = format!("{before}{}{after}", item.low);
        Finding::new(Severity::Warning, LintCode::StepBeyondRange, message)
            .at(Some(item.span.clone()))
            .help(format!("write `{}`", schedule.trim_matches([' ', '\t'])))
    };
    written.items.iter().filter(|item| is_beyond_range(item)).map(finding).collect()
}

/// Steps that do not divide the range of their field, so the last one is shorter: `*/40` matches the minutes 0 and 40.
pub(super) fn uneven_steps(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(written) = &subject.written else { return Vec::new() };
    let finding = |item: &Item| {
        let index = index_of(item.field);
        let text = written.item(item);
        // A range that was written out ends there on purpose.
        let open = item.step > 1 && !is_beyond_range(item) && !text.contains('-');
        let alone = written.fields[index] == item.span;
        let days = matches!(index, DAYS_OF_MONTH | DAYS_OF_WEEK);
        if !open || !alone || (days && subject.restricts_both_day_fields()) {
            return None;
        }
        let (earlier, later) = short_gap(subject, index, item.step)?;
        Some(match index {
            DAYS_OF_MONTH => uneven_month_end(subject, item, text, (earlier, later)),
            _ => uneven_step(subject, item, text, (earlier, later)),
        })
    };
    written.items.iter().filter_map(finding).collect()
}

fn uneven_step(subject: &Subject<'_>, item: &Item, text: &str, (earlier, later): (i64, i64)) -> Finding {
    let index = index_of(item.field);
    let (unit, round, divided) = [
        ("minute", "hour", 60),
        ("hour", "day", 24),
        ("day", "month", 31),
        ("month", "year", 12),
        ("day", "week", 7),
    ][index];
    let gap = distance(index, earlier, later);
    let message = format!(
        "`{text}` is not every {} {unit}s, because it begins again each {round}: {} is only {gap} {unit}{} after {} in {}",
        item.step,
        civil_text(later),
        if gap == 1 { "" } else { "s" },
        civil_text(earlier),
        subject.job.spec().timezone()
    );
    // Of two that are equally near, the smaller one is taken.
    let even = (2..divided).filter(|step| divided % step == 0).min_by_key(|step| item.step.abs_diff(*step));
    let values = list(item.field, subject.sets[index]);
    let help = match even {
        Some(even) => {
            let begin = if item.star { "*".to_string() } else { item.low.to_string() };
            format!(
                "write `{begin}/{even}`, which divides the {round} evenly, or `{values}` if the gaps are meant"
            )
        }
        None => format!("write `{values}` if the gaps are meant"),
    };
    Finding::new(Severity::Warning, LintCode::UnevenStep, message).at(Some(item.span.clone())).help(help)
}

fn uneven_month_end(subject: &Subject<'_>, item: &Item, text: &str, (earlier, later): (i64, i64)) -> Finding {
    let gap = distance(DAYS_OF_MONTH, earlier, later);
    let message = format!(
        "`{text}` begins again on the first day of each month: {} is only {gap} day{} after {}",
        date_text(later.div_euclid(DAY_MINUTES)),
        if gap == 1 { "" } else { "s" },
        date_text(earlier.div_euclid(DAY_MINUTES))
    );
    let finding = Finding::new(Severity::Note, LintCode::UnevenMonthEnd, message).at(Some(item.span.clone()));
    // Days that leave at least half a step until the first day of any next month.
    let last = u32::from(SHORTEST_MONTH) + u32::from(item.low) - item.step.div_ceil(2);
    let days: Vec<u8> = values(subject.sets[DAYS_OF_MONTH]).filter(|day| u32::from(*day) <= last).collect();
    match days.as_slice() {
        [first, .., last] if days.len() > 3 => finding
            .help(format!("write `{first}-{last}/{}` to leave out the days of the short gap", item.step)),
        [_, ..] => finding.help(format!("write `{}` to leave out the days of the short gap", {
            let days: Vec<String> = days.iter().map(ToString::to_string).collect();
            days.join(",")
        })),
        [] => finding,
    }
}

/// The first two matching civil minutes whose distance in a field is less than a step.
fn short_gap(subject: &Subject<'_>, index: usize, step: u32) -> Option<(i64, i64)> {
    // The field, and those of which it is a part; the first value of the others.
    let first = ["0", "0", "1", "*", "*"];
    let kept = match index {
        MINUTES => [true; 5],
        HOURS => [false, true, true, true, true],
        DAYS_OF_MONTH => [false, false, true, true, false],
        MONTHS => [false, false, false, true, false],
        _ => [false, false, false, true, true],
    };
    let mut fields = subject.fields.each_ref().map(String::as_str);
    for (place, field) in fields.iter_mut().enumerate().filter(|(place, _)| !kept[*place]) {
        *field = if index == DAYS_OF_WEEK && place == DAYS_OF_MONTH { "*" } else { first[place] };
    }
    let cron = Cron::parse(&fields.join(" ")).ok()?;
    let minutes = subject.civil_minutes(&cron);
    let following = subject.civil_minutes(&cron).skip(1);
    minutes
        .zip(following)
        .take(LOOKED_AT)
        .find(|(earlier, later)| distance(index, *earlier, *later) < i64::from(step))
}

/// From one civil minute to a later one, in units of a field.
fn distance(index: usize, earlier: i64, later: i64) -> i64 {
    let days = later.div_euclid(DAY_MINUTES) - earlier.div_euclid(DAY_MINUTES);
    match index {
        MINUTES => later - earlier,
        HOURS => (later - earlier) / 60,
        MONTHS => {
            let month = |minute: i64| {
                let date = Date::from_day(minute.div_euclid(DAY_MINUTES));
                i64::from(date.year) * 12 + i64::from(date.month)
            };
            month(later) - month(earlier)
        }
        _ => days,
    }
}

/// `* 3 * * *`: the hours are single ones, so the minutes were probably forgotten.
pub(super) fn every_minute(subject: &Subject<'_>) -> Option<Finding> {
    let hours = subject.sets[HOURS];
    let has_neighbours = hours & hours >> 1 != 0;
    if subject.sets[MINUTES] != MINUTE.all() || has_neighbours {
        return None;
    }
    let message = format!(
        "the minute field is `*`, so the job starts 60 times in each of its hours: the next nominal times are {}",
        subject.next_times(3)
    );
    let finding = Finding::new(Severity::Warning, LintCode::EveryMinute, message);
    let help = format!("to start once in each of them, write `{}`", subject.with_field(MINUTES, "0"));
    Some(finding.at(subject.span(MINUTES..HOURS + 1)).help(help))
}

/// `0 0 13 * FRI`: every 13th and every Friday. With a step in a day field, other crons read it differently.
pub(super) fn either_day_field(subject: &Subject<'_>) -> Option<Finding> {
    if !subject.restricts_both_day_fields() {
        return None;
    }
    let days: Vec<String> = subject.next_days(3).iter().map(weekday_text).collect();
    let stepped = subject.written.as_ref().and_then(|written| {
        let of_days = |item: &&Item| item.field.is_of_days && item.star && item.step > 1;
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
    let finding =
        Finding::new(Severity::Warning, code, message).at(subject.span(DAYS_OF_MONTH..DAYS_OF_WEEK + 1));
    let weekdays = subject.sets[DAYS_OF_WEEK];
    let schedule = subject.with_field(DAYS_OF_WEEK, "*");
    let other = DAY_OF_WEEK.all() & !weekdays;
    Some(finding.help(if other == 0 {
        format!("write `{schedule}` to start only on these days of the month")
    } else if subject.job.spec().constraints().only().is_empty() {
        format!(
            "to start only on days that match both, write `{schedule}` and add `@only(dow={})`; periods on \
             other days are then unschedulable",
            list(&DAY_OF_WEEK, weekdays)
        )
    } else {
        // Another `only` clause would be an alternative to the existing ones.
        format!(
            "to start only on days that match both, write `{schedule}` and add `@avoid(dow={})`; periods on \
             those days are then unschedulable",
            list(&DAY_OF_WEEK, other)
        )
    }))
}

/// `0 0 31 * *`: most months have it, some do not. A list with a day that every month has is intended.
pub(super) fn short_months_skipped(subject: &Subject<'_>) -> Option<Finding> {
    if !subject.restricts(DAYS_OF_MONTH) || subject.restricts(DAYS_OF_WEEK) {
        return None;
    }
    let first = values(subject.sets[DAYS_OF_MONTH]).next()?;
    // 2001 is not a leap year: February has its fewest days.
    let short = values(subject.sets[MONTHS]).any(|month| days_in_month(2001, month) < first);
    if first <= SHORTEST_MONTH || !short {
        return None;
    }
    let days: Vec<String> = subject.next_days(3).into_iter().map(date_text).collect();
    let message =
        format!("a month without a day {first} has no start: the next days are {}", enumeration(&days));
    let finding = Finding::new(Severity::Warning, LintCode::ShortMonthsSkipped, message);
    let months = if subject.restricts(MONTHS) { "of these months" } else { "month" };
    let help = format!("to start in each {months}, write `{}`", subject.with_field(DAYS_OF_MONTH, "28"));
    Some(finding.at(subject.span(DAYS_OF_MONTH..MONTHS)).help(help))
}
