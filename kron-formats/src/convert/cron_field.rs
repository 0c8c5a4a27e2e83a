//! Fields in the grammar that crons have in common.

use kron_core::Finding;
use kron_core::cron::CronField;

use crate::convert::sets::{around, bits, bounds};
use crate::error::convert::times as messages;

/// Digits, as a number.
pub(crate) fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The step of a span of so many values, as it is written; nothing if it is longer than the span.
pub(crate) fn step_within(step: Option<u32>, from: u32, to: u32) -> String {
    let fits = step.filter(|step| *step <= to.abs_diff(from) + 1);
    fits.map_or(String::new(), |step| format!("/{step}"))
}

/// A number in the range of a field. Day 7 is a second Sunday.
pub(crate) fn numeric_value(field: CronField, text: &str) -> Option<u32> {
    let (low, high) = bounds(field);
    let high = if field == CronField::DayOfWeek { 7 } else { high };
    number(text).filter(|value| (low..=high).contains(value))
}

/// The set of a list of `*`, values and ranges; `*` and ranges may have a step. `value` reads a value, and `step_of_one` says what
/// is wrong with an item of one value and a step.
pub(crate) fn set_of(
    field: CronField,
    text: &str,
    value: impl Fn(&str) -> Option<u32>,
    step_of_one: impl Fn(&str, &str, u32) -> Finding,
) -> Result<u64, Finding> {
    let (low, high) = bounds(field);
    let value = |text: &str, item: &str| value(text).ok_or_else(|| messages::wrong(field, item));
    let mut set = 0;
    for item in text.split(',') {
        let (range, step) = match item.split_once('/') {
            None => (item, None),
            Some((range, step)) => {
                let step = number(step).filter(|step| *step > 0);
                (range, Some(step.ok_or_else(|| messages::wrong_step(field, item, high - low + 1))?))
            }
        };
        let (from, to) = match (range.split_once('-'), step) {
            _ if range == "*" => (low, high),
            (Some((from, to)), _) => (value(from, item)?, value(to, item)?),
            (None, step) => {
                let value = value(range, item)?;
                if let Some(step) = step {
                    return Err(step_of_one(item, range, step));
                }
                (value, value)
            }
        };
        let step = step.unwrap_or(1);
        if from > to {
            return Err(messages::backwards(field, item, &around(field, from, to, step)));
        }
        set |= bits(from, to, step);
    }
    // Day 7 is Sunday, day 0.
    Ok(if field == CronField::DayOfWeek { (set | set >> 7) & field.all_values() } else { set })
}

/// Whether a word can be a field of an expression of more than five fields, with `?`, `L`, `W` and `#`.
pub(crate) fn can_be_field(word: &str) -> bool {
    const NAMES: [&str; 19] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "sun", "mon",
        "tue", "wed", "thu", "fri", "sat",
    ];
    let is_name = |part: &str| NAMES.iter().any(|name| name.eq_ignore_ascii_case(part));
    let is_value = |part: &str| {
        let part = part.trim_end_matches(['L', 'W']);
        matches!(part, "*" | "?") || part.bytes().all(|byte| byte.is_ascii_digit()) || is_name(part)
    };
    word.split(',').all(|item| !item.is_empty() && item.split(['-', '/', '#']).all(is_value))
}
