//! The schedules of CronJobs, as the CronJob controller's parser reads them.

use super::Minute;

/// Whether a schedule fires in a minute; `None` if the controller refuses it.
pub fn reader(text: &str) -> Option<impl Fn(&Minute) -> bool> {
    let text = match text.trim() {
        "@yearly" | "@annually" => "0 0 1 1 *",
        "@monthly" => "0 0 1 * *",
        "@weekly" => "0 0 * * 0",
        "@daily" | "@midnight" => "0 0 * * *",
        "@hourly" => "0 * * * *",
        other => other,
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [minute, hour, dom, month, dow] = fields[..] else { return None };
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    let (minute, hour) = (field(minute, 0, 59, &[], 0)?, field(hour, 0, 23, &[], 0)?);
    let (dom, month) = (field(dom, 1, 31, &[], 0)?, field(month, 1, 12, &months, 1)?);
    let dow = field(dow, 0, 6, &days, 0)?;
    Some(move |at: &Minute| {
        let day = if dom.star || dow.star {
            dom.has(at.dom) && dow.has(at.dow)
        } else {
            dom.has(at.dom) || dow.has(at.dow)
        };
        minute.has(at.minute) && hour.has(at.hour) && month.has(at.month) && day
    })
}

struct Field {
    values: u64,
    /// Of any item: a `*` or `?` whose step is at most 1.
    star: bool,
}

impl Field {
    fn has(&self, value: u32) -> bool {
        self.values >> value & 1 == 1
    }
}

fn field(text: &str, low: u32, high: u32, names: &[&str], first: u32) -> Option<Field> {
    let mut all = Field { values: 0, star: false };
    let value = |text: &str| {
        let name = names.iter().position(|name| *name == text.to_lowercase());
        name.map(|at| at as u32 + first).or_else(|| text.parse().ok())
    };
    for item in text.split(',').filter(|item| !item.is_empty()) {
        let (range, step) = item.split_once('/').map_or((item, None), |(range, step)| (range, Some(step)));
        let step: u32 = step.map_or(Some(1), |step| step.parse().ok())?;
        let (start, end) = match range {
            "*" | "?" => {
                all.star |= step <= 1;
                (low, high)
            }
            range => match range.split_once('-') {
                Some((start, end)) => (value(start)?, value(end)?),
                None if item.contains('/') => (value(range)?, high),
                None => (value(range)?, value(range)?),
            },
        };
        if start < low || end > high || start > end || step == 0 {
            return None;
        }
        (start..=end).step_by(step as usize).for_each(|value| all.values |= 1 << value);
    }
    Some(all)
}
