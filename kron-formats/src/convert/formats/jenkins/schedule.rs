//! The five fields of a schedule of Jenkins, in which `H` is a hash of the job's name.

use kron_core::Finding;
use kron_core::cron::{CronField, HashedItemError};

use crate::convert::cron_field::{number, numeric_value, set_of, step_within};
use crate::convert::sets::bounds;
use crate::convert::times::{Days, Times, Values};
use crate::error::convert::{jenkins as messages, times as wrong};

/// Whether a line is one that only Jenkins reads.
pub(super) fn is_jenkins(line: &str) -> bool {
    let words = || line.split_whitespace();
    words().count() == 5
        && words().all(|word| {
            values(word, CronField::Minute).is_ok()
                || word.contains(|c: char| c.is_ascii_digit() || c == 'H' || c == '*')
        })
        && words().any(|word| word.starts_with('H'))
}

/// The times of a line.
pub(super) fn times(line: &str) -> Result<Times, Finding> {
    let text = match line {
        "@yearly" | "@annually" => "H H H H *",
        "@monthly" => "H H H * *",
        "@weekly" => "H H * * H",
        "@daily" => "H H * * *",
        "@midnight" => "H H(0-2) * * *",
        "@hourly" => "H * * * *",
        other => other,
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [minute, hour, day_of_month, month, day_of_week] = fields[..] else {
        return Err(messages::not_five_fields(line));
    };
    let fields = [
        values(minute, CronField::Minute)?,
        values(hour, CronField::Hour)?,
        values(day_of_month, CronField::DayOfMonth)?,
        values(month, CronField::Month)?,
        values(day_of_week, CronField::DayOfWeek)?,
    ];
    // Jenkins asks for both days.
    Ok(Times::of(fields, Days::Both))
}

/// The values of a field.
fn values(text: &str, field: CronField) -> Result<Values, Finding> {
    let mut items = text.split(',');
    if items.clone().count() > 1 && items.any(|item| item.starts_with('H')) {
        return Err(wrong::random_in_list(field, text, "H"));
    }
    if let Some(days) = until_sunday(text).filter(|_| field == CronField::DayOfWeek) {
        return Ok(days);
    }
    if let Some(item) = field.hashed_item(text) {
        let item = item.map_err(|error| match error {
            HashedItemError::Backwards { first, last } => {
                let step = text.split_once('/').and_then(|(_, step)| number(step));
                let (low, high) = bounds(field);
                let span = |from: u32, to: u32| format!("H({from}-{to}){}", step_within(step, from, to));
                let (first, last) = (first.into(), last.into());
                let spans = [span(first, high), span(low, last)];
                wrong::backwards_random(field, text, &spans, &span(last, first))
            }
            HashedItemError::Step { most } => wrong::wrong_step(field, text, most.into()),
            _ => {
                let (low, high) = bounds(field);
                wrong::wrong_with_help(field, text, &format!("write for example `H({low}-{high})`"))
            }
        })?;
        let step = item.step.map(u32::from);
        return Ok(Values::Random { from: item.low.into(), to: item.high.into(), step });
    }
    let step_of_one = |item: &str, first: &str, step| {
        wrong::wrong_with_help(field, item, &format!("write `{first}-{}/{step}`", bounds(field).1))
    };
    set_of(field, text, |text| numeric_value(field, text), step_of_one).map(Values::Set)
}

/// A random day of a range that ends on day 7, which is Sunday.
fn until_sunday(text: &str) -> Option<Values> {
    let (range, step) = text.strip_prefix("H(")?.split_once(')')?;
    let (from, to) = range.split_once('-')?;
    let (from, to) = match (number(from)?, number(to)?) {
        (0, 7) => (0, 6),
        (7, 7) => (0, 0),
        (from @ 1..7, 7) => (from, 7),
        _ => return None,
    };
    let count = to - from + 1;
    let step = match step {
        "" => None,
        step => Some(step.strip_prefix('/').and_then(number).filter(|step| (1..=count).contains(step))?),
    };
    Some(Values::Random { from, to, step: step.filter(|step| *step > 1 && *step < count) })
}
