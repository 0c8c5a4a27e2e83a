//! Words, lists and dates as people write them in the words of other programs.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::WEEKDAYS;

pub(super) fn look_up(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, ours)| *ours)
}

/// A word as the tables have it.
pub(super) fn plain(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// A list with our punctuation.
pub(super) fn list(value: &str) -> String {
    value.replace("..", "-").replace(['|', '+', ' '], ",").replace(",,", ",")
}

/// Weekdays as three letters, from names of them in English and their beginnings.
pub(super) fn days(value: &str) -> Option<String> {
    let mut out = String::new();
    for word in list(value).split_inclusive(['-', ',']) {
        let (day, after) = word.split_at(word.find(['-', ',']).unwrap_or(word.len()));
        let lower = day.to_lowercase();
        let name = WEEKDAYS.iter().find(|name| lower.len() >= 3 && name.starts_with(&*lower));
        let is_number = !day.is_empty() && day.bytes().all(|byte| byte.is_ascii_digit());
        match name {
            Some(name) => out.push_str(&name[..3].to_uppercase()),
            None if is_number => out.push_str(day),
            None => return None,
        }
        out.push_str(after);
    }
    Some(out)
}

/// A date, a range of dates, or a day of each year.
pub(super) fn dates(value: &str) -> Option<String> {
    if let Some((first, last)) = value.split_once("..").or_else(|| value.split_once('/')) {
        return Some(format!("dates={}..{}", first.trim(), last.trim()));
    }
    let numbers: Option<Vec<u32>> = value.split(['-', '.']).map(|number| number.parse().ok()).collect();
    match numbers?[..] {
        [month, day] if value.contains('-') => Some(format!("dom={day}&months={month}")),
        [day, month, year] if value.contains('.') && year > 31 => {
            Some(format!("date={year:04}-{month:02}-{day:02}"))
        }
        [year, month, day] => Some(format!("date={year:04}-{month:02}-{day:02}")),
        _ => None,
    }
}
