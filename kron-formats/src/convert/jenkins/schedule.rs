//! The five fields of a schedule of Jenkins, in which `H` is a hash of the job's name.

use crate::convert::message::{Refusal, shown};
use crate::convert::times::{Days, Field, Part, Times, bits};

/// Whether a line is one that only Jenkins reads.
pub(super) fn is_jenkins(line: &str) -> bool {
    let words = || line.split_whitespace();
    words().count() == 5
        && words().all(|word| {
            field(word, Part::Minute).is_ok()
                || word.contains(|c: char| c.is_ascii_digit() || c == 'H' || c == '*')
        })
        && words().any(|word| word.starts_with('H'))
}

/// The times of a line.
pub(super) fn times(line: &str) -> Result<Times, Refusal> {
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
        let reason = format!("`{}` does not have five fields", shown(line));
        return Err(Refusal::new(reason).help("write minute, hour, day of month, month and day of week"));
    };
    let fields = [
        field(minute, Part::Minute)?,
        field(hour, Part::Hour)?,
        field(day_of_month, Part::DayOfMonth)?,
        field(month, Part::Month)?,
        field(day_of_week, Part::DayOfWeek)?,
    ];
    // Jenkins asks for both days.
    Ok(Times::of(fields, Days::Both))
}

fn field(text: &str, part: Part) -> Result<Field, Refusal> {
    let (low, high) = part.range();
    let top = if part == Part::DayOfWeek { 7 } else { high };
    let number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten()
    };
    let value = |text: &str| number(text).filter(|value| (low..=top).contains(value));
    let mut all = 0;
    for item in text.split(',') {
        let (range, step) = match item.split_once('/') {
            None => (item, None),
            Some((range, step)) => {
                let step = number(step).filter(|step| *step > 0);
                (range, Some(step.ok_or_else(|| part.wrong_step(item, high - low + 1))?))
            }
        };
        if let Some(rest) = range.strip_prefix('H') {
            // A hash of the day of month stays below 29, so that all months have it.
            let hashed = if part == Part::DayOfMonth { 28 } else { high };
            let (from, to) = match rest {
                "" => (low, hashed),
                rest => rest
                    .strip_prefix('(')
                    .and_then(|rest| rest.strip_suffix(')')?.split_once('-'))
                    .and_then(|(from, to)| Some((value(from)?, value(to).filter(|to| *to <= high)?)))
                    .ok_or_else(|| part.wrong(item).help(format!("write for example `H({low}-{high})`")))?,
            };
            if from > to {
                return Err(part.backwards(item, &item.replace(rest, &format!("({to}-{from})"))));
            }
            if item != text {
                let refusal = Refusal::new(format!("{}: `{}` has `H` in a list", part.name(), shown(text)));
                return Err(refusal.help("write a line for each item"));
            }
            if step.is_some_and(|step| step > to - from + 1) {
                return Err(part.wrong_step(item, to - from + 1));
            }
            // Jenkins chooses one value for `H/1`, as for `H`.
            return Ok(Field::Random { from, to, step: step.filter(|step| *step > 1) });
        }
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => {
                (value(from).ok_or_else(|| part.wrong(item))?, value(to).ok_or_else(|| part.wrong(item))?)
            }
            None => {
                let from = value(range).ok_or_else(|| part.wrong(item))?;
                if let Some(step) = step {
                    return Err(part.wrong(item).help(format!("write `{range}-{high}/{step}`")));
                }
                (from, from)
            }
        };
        if from > to {
            return Err(part.backwards(item, &part.around(from, to, step.unwrap_or(1))));
        }
        all |= bits(from, to, step.unwrap_or(1));
    }
    Ok(Field::Set(if part == Part::DayOfWeek { (all | all >> 7) & part.all() } else { all }))
}
