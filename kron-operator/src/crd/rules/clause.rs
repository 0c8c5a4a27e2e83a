//! Rules of a clause of `spec.constraints`, and of its parts.

use super::rule::Rule;

/// A clause of no parts, or of unknown parts alone, would match always: it is refused.
pub(in crate::crd) const CLAUSE: &[Rule] = &[Rule {
    rule: r#"
            has(self.hours) || has(self.dow) || has(self.dom) || has(self.months) || has(self.between) ||
            has(self.date) || has(self.dates)"#,
    message: "a clause needs at least one of hours, dow, dom, months, between, date, dates",
    ..Rule::NEW
}];

/// `hours`: comma list of hours and ranges of them, which may wrap.
pub(in crate::crd) const HOURS: &[Rule] = &[Rule {
    rule: "(self + ',').matches(r'^(0*(1?[0-9]|2[0-3])(-0*(1?[0-9]|2[0-3]))?,)+$')",
    message: "must be a comma list of hours 0-23 and ranges of them, such as 9-17 or 22-5",
    ..Rule::NEW
}];

/// `dow`: comma list of days of the week and ranges of them, which may wrap.
pub(in crate::crd) const DOW: &[Rule] = &[Rule {
    rule: "(self + ',').matches(r'(?i)^((0*[0-7]|sun|mon|tue|wed|thu|fri|sat)(-(0*[0-7]|sun|mon|tue|wed|thu|fri|sat))?,)+$')",
    message: "must be a comma list of days 0-7 or SUN-SAT and ranges of them, such as MON-FRI",
    ..Rule::NEW
}];

/// `dom`: comma list of days of the month and ranges of them, forwards only.
pub(in crate::crd) const DOM: &[Rule] = &[
    Rule {
        rule: "(self + ',').matches(r'^(0*([1-9]|[12][0-9]|3[01])(-0*([1-9]|[12][0-9]|3[01]))?,)+$')",
        message: "must be a comma list of days 1-31 and ranges of them, such as 1-7,15",
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').all(r,
            [r.split('-')].all(p, int(p[0]) <= int(p[1])))"#,
        message: "a range of days of the month must not run backwards",
        ..Rule::NEW
    },
];

/// `months`: comma list of months and ranges of them, which may wrap.
pub(in crate::crd) const MONTHS: &[Rule] = &[Rule {
    rule: "(self + ',').matches(r'(?i)^((0*([1-9]|1[0-2])|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(-(0*([1-9]|1[0-2])|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))?,)+$')",
    message: "must be a comma list of months 1-12 or JAN-DEC and ranges of them, such as JUN-AUG",
    ..Rule::NEW
}];

/// `between`: comma list of spans of the day, which may wrap.
pub(in crate::crd) const BETWEEN: &[Rule] = &[Rule {
    rule: "(self + ',').matches(r'^(([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9],)+$')",
    message: "must be a comma list of HH:MM-HH:MM, such as 09:00-17:30",
    ..Rule::NEW
}];

/// `date`: one day of the Gregorian calendar.
pub(in crate::crd) const DATE: &[Rule] = &[Rule {
    rule: "self.matches(r'^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)$')",
    message: "must be a day that exists, YYYY-MM-DD",
    ..Rule::NEW
}];

/// `dates`: the first and the last of a span of days.
pub(in crate::crd) const DATES: &[Rule] = &[
    Rule {
        rule: r#"
            self.matches(r'^[0-9-]{10}\.\.[0-9-]{10}$') &&
            [self.substring(0, 10), self.substring(12)].all(d, d.matches(r'^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)$'))"#,
        message: "must be two days that exist, YYYY-MM-DD..YYYY-MM-DD",
        ..Rule::NEW
    },
    Rule {
        rule: r#"!self.matches(r'^[0-9-]{10}\.\.[0-9-]{10}$') || self.substring(0, 10) <= self.substring(12)"#,
        message: "must not run backwards; the earlier day comes first",
        ..Rule::NEW
    },
];
