//! Expressions of Quartz, Spring, EventBridge, croner, node-cron and APScheduler, day by day, as their documentation and code
//! describe them. Sets are lists of the numbers that the program uses.

use super::Minute;

/// How a program reads its day fields and its years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    Quartz,
    Spring,
    EventBridge,
    Croner,
    NodeCron,
    ApScheduler,
}

/// The fields that choose days.
#[derive(Clone, Debug)]
pub struct DayFields {
    pub of_month: String,
    pub month: String,
    pub of_week: String,
    pub year: String,
}

impl Program {
    /// Whether the fields choose the day of a minute.
    pub fn chooses(self, fields: &DayFields, at: &Minute) -> bool {
        let months = "jan feb mar apr may jun jul aug sep oct nov dec";
        let month = || fields.month.split(',').any(|item| self.in_item(item, at.month, (1, 12), months));
        let year = || fields.year.split(',').any(|item| self.in_item(item, at.year, (1970, 2199), ""));
        let of_month = || fields.of_month.split(',').any(|item| self.day_of_month(item, at));
        let of_week = || fields.of_week.split(',').any(|item| self.day_of_week(item, at));
        let is_open = |field: &str| field == "*" || field == "?";
        let is_either = self == Program::Croner && !is_open(&fields.of_month) && !is_open(&fields.of_week);
        month() && year() && if is_either { of_month() || of_week() } else { of_month() && of_week() }
    }

    fn day_of_month(self, item: &str, at: &Minute) -> bool {
        if item == "*" {
            return true;
        }
        let item = item.to_uppercase();
        if let Some(day) = item.strip_suffix('W') {
            let day = match day.strip_prefix("L-") {
                Some(offset) => at.length - offset.parse::<u32>().unwrap(),
                None if day == "L" => at.length,
                None => day.parse().unwrap(),
            };
            return nearest_weekday(day, at) == Some(at.dom);
        }
        match item.as_str() {
            "?" => true,
            "L" | "LAST" => at.dom == at.length,
            item if let Some(offset) = item.strip_prefix("L-") => {
                at.dom + offset.parse::<u32>().unwrap() == at.length
            }
            item if let Some((position, name)) = item.split_once(' ') => {
                let is_day = WEEK[at.dow as usize].eq_ignore_ascii_case(name);
                match position {
                    "LAST" => is_day && at.dom + 7 > at.length,
                    nth => is_day && (at.dom - 1) / 7 + 1 == nth[..1].parse::<u32>().unwrap(),
                }
            }
            item => self.in_item(item, at.dom, (1, 31), ""),
        }
    }

    fn day_of_week(self, item: &str, at: &Minute) -> bool {
        if item == "?" || item == "*" {
            return true;
        }
        if item == "L" {
            return at.dow == 6;
        }
        if let Some((days, which)) = item.split_once('#') {
            return self.weekday(days, at.dow)
                && match which {
                    "L" => at.dom + 7 > at.length,
                    nth => (at.dom - 1) / 7 + 1 == nth.parse::<u32>().unwrap(),
                };
        }
        if let Some(day) = item.strip_suffix('L') {
            return self.weekday(day, at.dow) && at.dom + 7 > at.length;
        }
        self.weekday(item, at.dow)
    }

    /// Whether a list item of days of the week has a day, where Sunday is 0.
    fn weekday(self, item: &str, dow: u32) -> bool {
        let from_sunday = "sun mon tue wed thu fri sat";
        let from_monday = "mon tue wed thu fri sat sun";
        match self {
            Program::Quartz | Program::EventBridge => self.in_item(item, dow + 1, (1, 7), from_sunday),
            // Numbers of java.time, and a Sunday before the Monday.
            Program::Spring => {
                let item = item
                    .strip_prefix("7-")
                    .or(item.strip_prefix("SUN-"))
                    .map_or(item.to_string(), |to| format!("0-{to}"));
                let number = if dow == 0 { 7 } else { dow };
                self.in_item(&item, number, (1, 7), from_monday)
                    || dow == 0
                        && item != "*"
                        && !item.starts_with("*/")
                        && self.in_item(&item, 0, (1, 7), from_monday)
            }
            Program::Croner | Program::NodeCron => {
                let sunday = dow == 0 && !item.contains('*') && self.in_item(item, 7, (0, 6), from_sunday);
                sunday || self.in_item(item, dow, (0, 6), from_sunday)
            }
            Program::ApScheduler => self.in_item(item, (dow + 6) % 7, (0, 6), from_monday),
        }
    }

    /// Whether an item of numbers and names has a value.
    fn in_item(self, item: &str, value: u32, (low, high): (u32, u32), names: &str) -> bool {
        let (range, step) = item.split_once('/').map_or((item, None), |(range, step)| (range, Some(step)));
        let first = if low > 1 { 0 } else { low };
        let number = |text: &str| {
            let place = names.split(' ').position(|name| !name.is_empty() && name.eq_ignore_ascii_case(text));
            place.map_or_else(|| text.parse().unwrap(), |place| place as u32 + first)
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (number(from), number(to)),
            None if step.is_some() => (number(range), high),
            None => (number(range), number(range)),
        };
        let step = step.map_or(1, |step| step.parse::<usize>().unwrap());
        let count = high - low + 1;
        if from <= to {
            return (from..=to).step_by(step).any(|number| number == value);
        }
        // Over the end of the field, and on from its lowest value.
        (from..=to + count)
            .step_by(step)
            .any(|number| number == value || number > high && number - count == value)
    }
}

const WEEK: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// The weekday nearest to a day in the month, on the month of a minute.
fn nearest_weekday(day: u32, at: &Minute) -> Option<u32> {
    if day < 1 || day > at.length {
        return None;
    }
    match (at.dow + 70 + day - at.dom) % 7 {
        6 if day == 1 => Some(3),
        6 => Some(day - 1),
        0 if day == at.length => Some(day - 2),
        0 => Some(day + 1),
        _ => Some(day),
    }
}
