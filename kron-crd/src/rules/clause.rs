//! Rules of a clause of `spec.constraints`, and of its parts.

use super::items::{DATE, DAY_OF_MONTH, DAY_OF_WEEK, HOUR, MONTH, RANGE};
use super::rule::Rule;

/// A clause of no parts, or of unknown parts alone, would match always: it is refused.
pub(crate) fn clause() -> [Rule; 1] {
    let rule = "has(self.hours) || has(self.dow) || has(self.dom) || has(self.months) || has(self.between) ||
                has(self.date) || has(self.dates)";
    [Rule::new(rule, "a clause needs at least one of hours, dow, dom, months, between, date, dates")]
}

/// A comma list of items and of ranges of them.
fn list(flags: &str, item: &str, what: &str) -> Rule {
    let rule = format!("(self + ',').matches(r'{flags}^({item}(-{item})?,)+$')");
    Rule::new(&rule, format!("must be a comma list of {what}"))
}

/// `hours`: comma list of hours and ranges of them, which may wrap.
pub(crate) fn hours() -> [Rule; 1] {
    [list("", HOUR, "hours 0-23 and ranges of them, such as 9-17 or 22-5")]
}

/// `dow`: comma list of days of the week and ranges of them, which may wrap.
pub(crate) fn dow() -> [Rule; 1] {
    [list("(?i)", DAY_OF_WEEK, "days 0-7 or SUN-SAT and ranges of them, such as MON-FRI")]
}

/// `dom`: comma list of days of the month and ranges of them, forwards only.
pub(crate) fn dom() -> [Rule; 2] {
    let forwards = format!("self.findAll(r'{RANGE}').all(r, [r.split('-')].all(p, int(p[0]) <= int(p[1])))");
    [
        list("", DAY_OF_MONTH, "days 1-31 and ranges of them, such as 1-7,15"),
        Rule::new(&forwards, "a range of days of the month must not run backwards"),
    ]
}

/// `months`: comma list of months and ranges of them, which may wrap.
pub(crate) fn months() -> [Rule; 1] {
    [list("(?i)", MONTH, "months 1-12 or JAN-DEC and ranges of them, such as JUN-AUG")]
}

/// `between`: comma list of spans of the day, which may wrap.
pub(crate) fn between() -> [Rule; 1] {
    let rule = "(self + ',').matches(r'^(([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9],)+$')";
    [Rule::new(rule, "must be a comma list of HH:MM-HH:MM, such as 09:00-17:30")]
}

/// `date`: one day of the Gregorian calendar.
pub(crate) fn date() -> [Rule; 1] {
    [Rule::new(&format!("self.matches(r'^{DATE}$')"), "must be a day that exists, YYYY-MM-DD")]
}

/// `dates`: the first and the last of a span of days.
pub(crate) fn dates() -> [Rule; 2] {
    let shape = r"self.matches(r'^[0-9-]{10}\.\.[0-9-]{10}$')";
    let exist =
        format!("{shape} && [self.substring(0, 10), self.substring(12)].all(d, d.matches(r'^{DATE}$'))");
    let forwards = format!("!{shape} || self.substring(0, 10) <= self.substring(12)");
    [
        Rule::new(&exist, "must be two days that exist, YYYY-MM-DD..YYYY-MM-DD"),
        Rule::new(&forwards, "must not run backwards; the earlier day comes first"),
    ]
}
