//! Names of days and months as people write them, and how a schedule or a constraint writes them.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The names that a calendar field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CalendarNames {
    DaysOfWeek,
    Months,
}

/// Days of the week, from Sunday on.
pub(crate) static WEEKDAYS: [&str; 7] =
    ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
static MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl CalendarNames {
    /// The help for a word, or for two words joined by a hyphen: the same with names of three letters. Ranges that run
    /// over the end, as from Friday to Monday, are written only where they may `wrap`.
    pub(super) fn help(self, text: &str, wrap: bool) -> Option<String> {
        let lower = text.to_lowercase();
        let names: &[&str] = match self {
            CalendarNames::DaysOfWeek => match lower.as_str() {
                "weekday" | "weekdays" => return Some("write `MON-FRI`".to_string()),
                "weekend" | "weekends" => return Some("write `SAT,SUN`".to_string()),
                _ => &WEEKDAYS,
            },
            CalendarNames::Months => &MONTHS,
        };
        let place = |word: &str| names.iter().position(|name| *name == word || name.get(..3) == Some(word));
        let places: Option<Vec<usize>> = lower.split('-').map(place).collect();
        let places = places.filter(|places| places.len() <= 2 && (wrap || places.is_sorted()))?;
        let short: Vec<String> = places.iter().map(|place| names[*place][..3].to_uppercase()).collect();
        Some(format!("write `{}`", short.join("-")))
    }
}
