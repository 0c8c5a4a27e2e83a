//! The five fields of a schedule of Jenkins, in which `H` is a hash of the job's name.

use kron_core::Finding;
use kron_core::cron::{CronField, HashedItemError};

use crate::convert::cron_field::{numeric_value, set_of};
use crate::convert::times::{Days, Times, Values, bounds};
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
    if let Some(item) = field.hashed_item(text) {
        let item = item.map_err(|error| match error {
            HashedItemError::Backwards { first, last } => {
                let step = text.find('/').map_or("", |at| &text[at..]);
                wrong::backwards(field, text, &format!("H({last}-{first}){step}"))
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
