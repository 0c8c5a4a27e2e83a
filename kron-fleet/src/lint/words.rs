//! Lists of words in messages.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kron_core::cron::CronField;

/// Words as an enumeration: `a`, `a and b`, `a, b and c`.
pub(super) fn enumeration(words: &[impl ToString]) -> String {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => word.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// Days of the week as a list of names, in which three or more consecutive days are a range: `MON-WED,SAT`. `days` has bit 0 for Sunday.
pub(super) fn weekday_list(days: u64) -> String {
    const NAMES: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
    let list = CronField::DayOfWeek.list(days);
    let name =
        |c: char| c.to_digit(10).and_then(|digit| NAMES.get(digit as usize)).map(|name| name.to_string());
    list.chars().map(|c| name(c).unwrap_or_else(|| c.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerations_read_as_sentences_do() {
        assert_eq!(enumeration(&["a"]), "a");
        assert_eq!(enumeration(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn weekdays_have_names() {
        assert_eq!(weekday_list(0b100_1110), "MON-WED,SAT");
    }
}
