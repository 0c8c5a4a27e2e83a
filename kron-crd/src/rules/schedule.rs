//! Rules of `spec.schedule`: a cron expression of five fields, or a macro.

use super::items::{DAY_OF_MONTH, DAY_OF_WEEK, HOUR, MINUTE, MONTH, RANGE};
use super::rule::Rule;

/// How many fields there are, unless it is five: then other rules say so.
const NOT_FIVE: &str = r"self.findAll(r'[^ \t]+').size() != 5 ||";

/// The names of months as numbers. Each break of a line is a blank.
const MONTH_NUMBERS: &str = ".lowerAscii()
    .replace('jan', '1').replace('feb', '2').replace('mar', '3').replace('apr', '4')
    .replace('may', '5').replace('jun', '6').replace('jul', '7').replace('aug', '8')
    .replace('sep', '9').replace('oct', '10').replace('nov', '11').replace('dec', '12')
    ";
/// The names of days of the week as numbers.
const DAY_NUMBERS: &str = ".lowerAscii()
    .replace('sun', '0').replace('mon', '1').replace('tue', '2').replace('wed', '3')
    .replace('thu', '4').replace('fri', '5').replace('sat', '6')
    ";

/// A field of the expression.
struct Field {
    /// Its place, in a number and in a word.
    place: (usize, &'static str),
    name: &'static str,
    /// What stands for all values, as a regular expression and in words.
    all: (&'static str, &'static str),
    /// A value, as a regular expression, and its flags.
    item: (&'static str, &'static str),
    /// The values in words.
    values: &'static str,
    /// What other programs take, and the regular expression that finds it.
    not_cron: Option<(&'static str, &'static str)>,
    /// Ranges of it: their name, that of the values, and one as a regular expression.
    ranges: (&'static str, &'static str, &'static str),
    /// What makes numbers of names.
    numbers: &'static str,
    /// An expression of the range that runs backwards, as it is to be written.
    forwards: &'static str,
}

const STAR: (&str, &str) = (r"\*", "*");
const STAR_OR_ANY: (&str, &str) = ("[*?]", "*, ?");

const FIELDS: [Field; 5] = [
    Field {
        place: (0, "first"),
        name: "minute",
        all: STAR,
        item: ("", MINUTE),
        values: "0-59",
        not_cron: None,
        ranges: ("minute", "minutes", RANGE),
        numbers: "",
        forwards: r#""-59,0-" + r.split('-')[1]"#,
    },
    Field {
        place: (1, "second"),
        name: "hour",
        all: STAR,
        item: ("", HOUR),
        values: "0-23",
        not_cron: None,
        ranges: ("hour", "hours", RANGE),
        numbers: "",
        forwards: r#""-23,0-" + r.split('-')[1]"#,
    },
    Field {
        place: (2, "third"),
        name: "day of month",
        all: STAR_OR_ANY,
        item: ("", DAY_OF_MONTH),
        values: "1-31",
        not_cron: Some(("L and W", "[LlWw]")),
        ranges: ("day-of-month", "days of the month", RANGE),
        numbers: "",
        forwards: r#""-31,1-" + r.split('-')[1]"#,
    },
    Field {
        place: (3, "fourth"),
        name: "month",
        all: STAR,
        item: ("(?i)", MONTH),
        values: "1-12 or JAN-DEC",
        not_cron: None,
        ranges: ("month", "months", RANGE),
        numbers: MONTH_NUMBERS,
        forwards: r#""-12,1-" + r.split('-')[1]"#,
    },
    Field {
        place: (4, "fifth"),
        name: "day of week",
        all: STAR_OR_ANY,
        item: ("(?i)", DAY_OF_WEEK),
        values: "0-7 or SUN-SAT",
        not_cron: Some(("L and #", "#|[Ll]")),
        ranges: ("day-of-week", "days of the week", r"\b0*[0-9]-0*[0-9]\b"),
        numbers: DAY_NUMBERS,
        forwards: r#"(int(r.split('-')[1]) == 0 ? "-7" : "-6,0-" + r.split('-')[1])"#,
    },
];

impl Field {
    /// The field in an expression.
    fn text(&self) -> String {
        format!(r"self.findAll(r'[^ \t]+')[{}]", self.place.0)
    }

    /// Its grammar: values in range, and steps.
    fn grammar(&self) -> Rule {
        let Field { place: (_, place), name, all: (all, all_words), item: (flags, item), values, .. } = self;
        let text = self.text();
        let rule = format!(
            "{NOT_FIVE} ({text} + ',').matches(
             r'{flags}^(({all}|{item}(-{item})?)(/0*[1-9][0-9]*)?,)+$')"
        );
        let must = format!(
            "must be a comma list of {all_words}, n, a-b, each with an optional /step; values {values}, step at least 1"
        );
        let hint = self.not_cron.map_or(String::new(), |(what, found_by)| {
            format!(r#" + ({text}.matches('{found_by}') ? "; {what} are not cron" : "")"#)
        });
        let says = format!(r#""{name} '" + {text} + "' {must}"{hint}"#);
        Rule::new(&rule, format!("{name} ({place} field) {must}")).saying(&says)
    }

    /// Its ranges run forwards.
    fn ranges(&self) -> Rule {
        let Field { ranges: (name, values, range), numbers, forwards, .. } = self;
        let all = format!("{}{numbers}.findAll(r'{range}')", self.text());
        let rule = format!("{NOT_FIVE} {all}.all(r, int(r.split('-')[0]) <= int(r.split('-')[1]))");
        let says = format!(
            r#"{all}.filter(r, int(r.split('-')[0]) > int(r.split('-')[1])).map(r, "{name} range " + r +
               " runs backwards; write it as " + r.split('-')[0] + {forwards})[0]"#
        );
        let hint = if *name == "day-of-week" { " (SUN is 0; at the end of a range write 7)" } else { "" };
        Rule::new(&rule, format!("a range of {values} must not run backwards{hint}")).saying(&says)
    }
}

/// The shape of the whole expression.
fn shape() -> [Rule; 3] {
    let zone = "a time zone is not part of the schedule; write it in spec.timezone";
    let macros =
        "a schedule with @ must be one of @yearly @annually @monthly @weekly @daily @midnight @hourly";
    let is_macro = r"self.matches(r'^[ \t]*@(yearly|annually|monthly|weekly|daily|midnight|hourly)[ \t]*$')";
    let why_no_macro = format!(
        r#"
        self.matches(r'(?i)^[ \t]*@every')
        ? "@every is not a calendar schedule; write a step, such as */15 * * * * for every 15 minutes"
        : self.matches(r'(?i)^[ \t]*@reboot')
        ? "@reboot has no time; a schedule needs five fields or one of @yearly @annually @monthly @weekly @daily @midnight @hourly"
        : "{macros}""#
    );
    let five = r"
        self.matches(r'^[ \t]*@') || self.matches(r'(?i)^[ \t]*(CRON_)?TZ=') ||
        self.findAll(r'[^ \t]+').size() == 5";
    let how_many = r#"
        "a schedule has five fields (minute hour day-of-month month day-of-week), found " +
        (self.findAll(r'[^ \t]+').size() > 7 ? "more than 7"
        : ['0', '1', '2', '3', '4', '5', '6', '7'][self.findAll(r'[^ \t]+').size()]) +
        (self.findAll(r'[^ \t]+').size() in [6, 7] ? "; seconds and years are not cron" : "")"#;
    [
        Rule::new(r"!self.matches(r'(?i)^[ \t]*(CRON_)?TZ=')", zone),
        Rule::new(&format!(r"!self.matches(r'^[ \t]*@') || {is_macro}"), macros).saying(&why_no_macro),
        Rule::new(five, "a schedule has five fields: minute hour day-of-month month day-of-week")
            .saying(how_many),
    ]
}

/// Some day exists: a 30th needs a month other than February, a 31st one of the long months. Only where the day of week is
/// unrestricted (written *, ? or */1); otherwise the weekday alone matches.
fn some_day() -> Rule {
    let rule = format!(
        r"
        {NOT_FIVE}
        !self.findAll(r'[^ \t]+')[2].matches(r'^(0*3[01](-0*3[01])?(/[0-9]+)?(,|$))+$') ||
        !(',' + self.findAll(r'[^ \t]+')[4] + ',').matches(r',[*?](/0*1)?,') ||
        self.findAll(r'[^ \t]+')[3]{MONTH_NUMBERS}.split(',').exists(m,
        !m.matches(r'^(\*|0*[0-9]{{1,2}}(-0*[0-9]{{1,2}})?)(/[0-9]+)?$') ||
        [[
        m.startsWith('*') ? 1 : int(m.find('^[0-9]+')),
        m.contains('-') ? int(m.find('-[0-9]+').substring(1)) : m.matches('^[0-9]+$') ? int(m) : 12,
        !m.contains('/') ? 1 : m.matches('/0*[0-9]{{1,2}}$') ? int(m.find('[0-9]+$')) : 99
        ]].exists(t, (
        self.findAll(r'[^ \t]+')[2].matches(r'(^|,)0*30(-|/|,|$)')
        ? [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 3, 5, 7, 8, 10, 12]
        ).exists(v, t[0] <= v && v <= t[1] && t[2] > 0 && (v - t[0]) % t[2] == 0)))"
    );
    Rule::new(&rule, "the schedule never matches; none of its months has any of its days of the month")
}

/// Its shape, its fields one by one, its ranges, and that some day of its months exists.
pub(crate) fn schedule() -> Vec<Rule> {
    let (grammar, ranges) = (FIELDS.iter().map(Field::grammar), FIELDS.iter().map(Field::ranges));
    shape().into_iter().chain(grammar).chain(ranges).chain([some_day()]).collect()
}
