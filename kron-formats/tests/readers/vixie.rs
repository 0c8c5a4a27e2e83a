//! The times of crontabs, as Vixie cron's `entry.c` and `cron.c` read them: a bit for each value, and a flag for each day
//! field that begins with a `*`.

use super::Minute;

/// Whether a line's five fields fire in a minute.
pub fn reader(text: &str) -> impl Fn(&Minute) -> bool {
    let fields: Vec<&str> = text.split([' ', '\t']).filter(|field| !field.is_empty()).collect();
    let months = "jan feb mar apr may jun jul aug sep oct nov dec";
    let days = "sun mon tue wed thu fri sat";
    let minute = set(fields[0], 0, 59, "");
    let hour = set(fields[1], 0, 23, "");
    let dom = set(fields[2], 1, 31, "");
    let month = set(fields[3], 1, 12, months);
    let mut dow = set(fields[4], 0, 7, days);
    dow[0] |= dow[7];
    let star = fields[2].starts_with('*') || fields[4].starts_with('*');
    move |at: &Minute| {
        let (dom, dow) = (dom[at.dom as usize], dow[at.dow as usize]);
        let day = if star { dom && dow } else { dom || dow };
        minute[at.minute as usize] && hour[at.hour as usize] && month[at.month as usize] && day
    }
}

fn set(text: &str, low: usize, high: usize, names: &str) -> [bool; 64] {
    let mut set = [false; 64];
    let value = |text: &str| {
        let name = names.split(' ').position(|name| !name.is_empty() && name == text.to_lowercase());
        name.map_or_else(|| text.parse().unwrap(), |index| index + low)
    };
    for item in text.split(',') {
        let (range, step) = item.split_once('/').unwrap_or((item, "1"));
        let (mut at, end) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (value(from), value(to)),
            None => (value(range), value(range)),
        };
        while at <= end {
            set[at] = true;
            at += step.parse::<usize>().unwrap();
        }
    }
    set
}
