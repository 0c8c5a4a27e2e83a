//! Calendar events of systemd, matched component by component as systemd.time(7) describes them. Only what has no seconds.

use super::Minute;

/// Whether a calendar event elapses in a minute.
pub fn reader(text: &str) -> impl Fn(&Minute) -> bool + use<> {
    let text = match text {
        "minutely" => "*-*-* *:*:00",
        "hourly" => "*-*-* *:00:00",
        "daily" => "*-*-* 00:00:00",
        "monthly" => "*-*-01 00:00:00",
        "weekly" => "Mon *-*-* 00:00:00",
        "yearly" | "annually" => "*-01-01 00:00:00",
        "quarterly" => "*-01,04,07,10-01 00:00:00",
        "semiannually" | "semi-annually" | "biannually" | "bi-annually" => "*-01,07-01 00:00:00",
        other => other,
    };
    let (mut days, mut date, mut time) = (String::new(), "*-*-*".to_string(), "00:00:00".to_string());
    for word in text.split(' ') {
        if word.contains(':') {
            time = word.to_string();
        } else if word.starts_with(|c: char| c.is_alphabetic()) {
            days = word.to_lowercase();
        } else {
            date = word.to_string();
        }
    }
    let is_from_end = date.contains('~');
    let date: Vec<String> = date.split(['-', '~']).map(str::to_string).collect();
    let time: Vec<String> = time.split(':').map(str::to_string).collect();
    // From Monday on.
    let week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let day = |name: &str| week.iter().position(|day| name.starts_with(day)).unwrap();
    let day_matches = |today: usize| {
        days.is_empty()
            || days.split(',').any(|item| match item.split_once("..") {
                Some((from, to)) => (day(from)..=day(to)).contains(&today),
                None => day(item) == today,
            })
    };
    let days: Vec<bool> = (0..7).map(day_matches).collect();
    let [month, dom] = &date[date.len() - 2..] else { panic!("{date:?}") };
    let year = if date.len() == 3 { date[0].clone() } else { "*".to_string() };
    let years: Vec<bool> = (0..2100).map(|value| matches(&year, value)).collect();
    let all = |component: &str| (0..60).map(|value| matches(component, value)).collect::<Vec<bool>>();
    let (month, hour, minute) = (all(month), all(&time[0]), all(&time[1]));
    let dom: Vec<bool> = match is_from_end {
        false => all(dom),
        true => (0..60).map(|value| dom.split(',').any(|item| matches_from_end(item, value))).collect(),
    };
    move |at: &Minute| {
        let day = if is_from_end { at.length - at.dom + 1 } else { at.dom };
        days[(at.dow as usize + 6) % 7]
            && years[at.year as usize]
            && month[at.month as usize]
            && dom[day as usize]
            && hour[at.hour as usize]
            && minute[at.minute as usize]
    }
}

/// Whether an item of days before the end of the month, 1 for the last one, has a day. A repetition counts from the first day of its
/// range to the other one, and without a range to the end of the month.
fn matches_from_end(item: &str, value: u32) -> bool {
    match item.split_once('/') {
        Some((from, step)) if !from.contains("..") => {
            let (from, step): (u32, u32) = (from.parse().unwrap(), step.parse().unwrap());
            (1..=from).contains(&value) && (from - value).is_multiple_of(step)
        }
        _ => matches(item, value),
    }
}

/// Whether a component matches a value. The repetition of `*` begins at 0 for times, and at 1 for dates; tests write the
/// latter as `1/n`.
fn matches(component: &str, value: u32) -> bool {
    component.split(',').any(|item| {
        let (range, step) = item.split_once('/').unwrap_or((item, ""));
        let number = |text: &str| text.parse::<u32>().unwrap();
        let (from, to) = match range.split_once("..") {
            _ if range == "*" => (0, u32::MAX),
            Some((from, to)) => (number(from), number(to)),
            None if step.is_empty() => (number(range), number(range)),
            None => (number(range), u32::MAX),
        };
        let step = if step.is_empty() { 1 } else { number(step) };
        (from..=to).contains(&value) && (value - from).is_multiple_of(step)
    })
}
