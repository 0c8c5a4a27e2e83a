//! The times of a line, as cronie and Vixie cron read them, with the random ranges of OpenBSD.

use kron_core::cron::CronField;
use kron_core::{Cron, Finding};

use super::line::word;
use crate::convert::cron_field::{number, numeric_value, set_of, step_within};
use crate::convert::sets::{bits, bounds};
use crate::convert::times::{Days, Times, Values};
use crate::error::convert::{crontab as messages, times as wrong};
use crate::without_days::WithoutDays as _;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// The times at the beginning of a line, and what follows them.
pub(super) fn times(line: &str) -> Result<(Times, &str), Finding> {
    if line.starts_with('@') {
        let (name, rest) = word(line);
        let fields = match name {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            "@every_minute" => "* * * * *",
            "@reboot" => return Err(messages::reboot()),
            name => return Err(messages::not_a_time(name)),
        };
        return times(fields).map(|(times, _)| (times, rest));
    }
    let mut rest = line;
    let mut fields = [Values::Set(0); 5];
    let mut stars = [false; 5];
    for (index, field) in CronField::ALL.into_iter().enumerate() {
        let (text, after) = word(rest);
        if text.is_empty() {
            return Err(messages::too_few_fields());
        }
        fields[index] = values(text, field).map_err(|finding| with_rule_of_days(finding, line))?;
        // Vixie cron looks at the first character only.
        stars[index] = text.starts_with('*');
        rest = after;
    }
    let days = if stars[2] || stars[4] { Days::Both } else { Days::Either };
    Ok((Times::of(fields, days), rest))
}

/// A finding about a field of a line, whose help has the rule of days where other programs' letters are meant, as in `5L`.
fn with_rule_of_days(finding: Finding, line: &str) -> Finding {
    let fields = (0..5).scan(line, |rest, _| {
        let (field, after) = word(rest);
        *rest = after;
        Some(field)
    });
    let error = Cron::parse(&fields.collect::<Vec<_>>().join(" ")).err();
    let help = error.and_then(|error| error.without_days().help()).filter(|help| help.contains("@days("));
    match help {
        Some(help) => finding.with_help(help),
        None => finding,
    }
}

/// The ranges of weekdays of a line that end on `sun`, with the days that they mean.
pub(super) fn ranges_to_sunday(line: &str) -> Vec<(&str, String)> {
    let field = (0..4).fold(line, |rest, _| word(rest).1);
    let ranges = word(field).0.split(',').filter_map(|item| {
        let rewritten = to_sunday(item)?;
        let set = values(&rewritten, CronField::DayOfWeek).ok()?;
        let Values::Set(bits) = set else { return None };
        // Sunday last, as it was written.
        let days = (1..=7).filter(|day| bits >> (day % 7) & 1 == 1).map(|day| (day % 7).to_string());
        Some((item, days.collect::<Vec<_>>().join(",")))
    });
    ranges.collect()
}

/// A range of weekdays that ends on `sun`, with 7 for it; cronie and systemd-cron read it so.
fn to_sunday(item: &str) -> Option<String> {
    let (range, step) = item.find('/').map_or((item, ""), |at| item.split_at(at));
    let (from, to) = range.split_once('-')?;
    let begins_later = value(CronField::DayOfWeek, from).is_some_and(|from| from > 0);
    (begins_later && to.eq_ignore_ascii_case("sun")).then(|| format!("{from}-7{step}"))
}

/// The values of a field of a crontab.
fn values(text: &str, field: CronField) -> Result<Values, Finding> {
    if text.contains('~') {
        return random(text, field);
    }
    if field == CronField::DayOfWeek && text.split(',').any(|item| to_sunday(item).is_some()) {
        let items = text.split(',').map(|item| to_sunday(item).unwrap_or_else(|| item.to_string()));
        return values(&items.collect::<Vec<_>>().join(","), field);
    }
    let step_of_one = |item: &str, first: &str, step| messages::step_of_one_value(field, item, first, step);
    set_of(field, text, |text| value(field, text), step_of_one).map(Values::Set)
}

/// A name or a number.
fn value(field: CronField, text: &str) -> Option<u32> {
    let names: &[&str] = match field {
        CronField::Month => &MONTHS,
        CronField::DayOfWeek => &DAYS,
        CronField::Minute | CronField::Hour | CronField::DayOfMonth => &[],
    };
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    named.map(|index| index as u32 + bounds(field).0).or_else(|| numeric_value(field, text))
}

/// A random value of OpenBSD and cronie: `~`, `a~b`, and `a~b/step` with a random offset.
fn random(text: &str, field: CronField) -> Result<Values, Finding> {
    if text.contains(',') {
        return Err(wrong::random_in_list(field, text, "~"));
    }
    let (low, high) = bounds(field);
    let (range, step) = match text.split_once('/') {
        None => (text, None),
        Some((range, step)) => (range, Some(step)),
    };
    let (from, to) = range.split_once('~').ok_or_else(|| wrong::wrong(field, text))?;
    let end = |end: &str, open: u32| match end {
        "" => Ok(open),
        end => value(field, end).filter(|value| *value <= high).ok_or_else(|| wrong::wrong(field, text)),
    };
    let (first, last) = (end(from, low)?, end(to, high)?);
    let most = first.abs_diff(last) + 1;
    let fits = |step: &u32| (1..=most).contains(step);
    let read = |step| number(step).filter(fits).ok_or_else(|| wrong::wrong_step(field, text, most));
    let step = step.map(read).transpose()?;
    if first > last {
        let span = |from: u32, to: u32| format!("{from}~{to}{}", step_within(step, from, to));
        let spans = [span(first, high), span(low, last)];
        return Err(wrong::backwards_random(field, text, &spans, &span(last, first)));
    }
    Ok(match step {
        // Every value of a step of 1 is there, whatever the offset.
        Some(1) => Values::Set(bits(first, last, 1)),
        // Any offset leaves one value.
        step => Values::Random { from: first, to: last, step: step.filter(|step| *step < most) },
    })
}
