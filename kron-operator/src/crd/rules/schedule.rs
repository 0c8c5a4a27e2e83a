//! Rules of `spec.schedule`: a cron expression of five fields, or a macro.

use super::rule::Rule;

/// Its shape, its fields one by one, its ranges, and that some day of its months exists.
pub(in crate::crd) const SCHEDULE: &[Rule] = &[
    // --- the shape of the whole expression
    Rule {
        rule: r#"!self.matches(r'(?i)^[ \t]*(CRON_)?TZ=')"#,
        message: "a time zone is not part of the schedule; write it in spec.timezone",
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            !self.matches(r'^[ \t]*@') ||
            self.matches(r'^[ \t]*@(yearly|annually|monthly|weekly|daily|midnight|hourly)[ \t]*$')"#,
        message: "a schedule with @ must be one of @yearly @annually @monthly @weekly @daily @midnight @hourly",
        message_expression: Some(
            r#"
            self.matches(r'(?i)^[ \t]*@every')
            ? "@every is not a calendar schedule; write a step, such as */15 * * * * for every 15 minutes"
            : self.matches(r'(?i)^[ \t]*@reboot')
            ? "@reboot has no time; a schedule needs five fields or one of @yearly @annually @monthly @weekly @daily @midnight @hourly"
            : "a schedule with @ must be one of @yearly @annually @monthly @weekly @daily @midnight @hourly""#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.matches(r'^[ \t]*@') || self.matches(r'(?i)^[ \t]*(CRON_)?TZ=') ||
            self.findAll(r'[^ \t]+').size() == 5"#,
        message: "a schedule has five fields: minute hour day-of-month month day-of-week",
        message_expression: Some(
            r#"
            "a schedule has five fields (minute hour day-of-month month day-of-week), found " +
            (self.findAll(r'[^ \t]+').size() > 7 ? "more than 7"
            : ['0', '1', '2', '3', '4', '5', '6', '7'][self.findAll(r'[^ \t]+').size()]) +
            (self.findAll(r'[^ \t]+').size() in [6, 7] ? "; seconds and years are not cron" : "")"#,
        ),
        ..Rule::NEW
    },
    // --- one rule per field: grammar, values in range, steps
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            (self.findAll(r'[^ \t]+')[0] + ',').matches(
            r'^((\*|0*[0-5]?[0-9](-0*[0-5]?[0-9])?)(/0*[1-9][0-9]*)?,)+$')"#,
        message: "minute (first field) must be a comma list of *, n, a-b, each with an optional /step; values 0-59, step at least 1",
        message_expression: Some(
            r#"
            "minute '" + self.findAll(r'[^ \t]+')[0] +
            "' must be a comma list of *, n, a-b, each with an optional /step; values 0-59, step at least 1""#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            (self.findAll(r'[^ \t]+')[1] + ',').matches(
            r'^((\*|0*(1?[0-9]|2[0-3])(-0*(1?[0-9]|2[0-3]))?)(/0*[1-9][0-9]*)?,)+$')"#,
        message: "hour (second field) must be a comma list of *, n, a-b, each with an optional /step; values 0-23, step at least 1",
        message_expression: Some(
            r#"
            "hour '" + self.findAll(r'[^ \t]+')[1] +
            "' must be a comma list of *, n, a-b, each with an optional /step; values 0-23, step at least 1""#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            (self.findAll(r'[^ \t]+')[2] + ',').matches(
            r'^(([*?]|0*([1-9]|[12][0-9]|3[01])(-0*([1-9]|[12][0-9]|3[01]))?)(/0*[1-9][0-9]*)?,)+$')"#,
        message: "day of month (third field) must be a comma list of *, ?, n, a-b, each with an optional /step; values 1-31, step at least 1",
        message_expression: Some(
            r#"
            "day of month '" + self.findAll(r'[^ \t]+')[2] +
            "' must be a comma list of *, ?, n, a-b, each with an optional /step; values 1-31, step at least 1" +
            (self.findAll(r'[^ \t]+')[2].matches('[LlWw]') ? "; L and W are not cron" : "")"#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            (self.findAll(r'[^ \t]+')[3] + ',').matches(
            r'(?i)^((\*|(0*([1-9]|1[0-2])|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(-(0*([1-9]|1[0-2])|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))?)(/0*[1-9][0-9]*)?,)+$')"#,
        message: "month (fourth field) must be a comma list of *, n, a-b, each with an optional /step; values 1-12 or JAN-DEC, step at least 1",
        message_expression: Some(
            r#"
            "month '" + self.findAll(r'[^ \t]+')[3] +
            "' must be a comma list of *, n, a-b, each with an optional /step; values 1-12 or JAN-DEC, step at least 1""#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            (self.findAll(r'[^ \t]+')[4] + ',').matches(
            r'(?i)^(([*?]|(0*[0-7]|sun|mon|tue|wed|thu|fri|sat)(-(0*[0-7]|sun|mon|tue|wed|thu|fri|sat))?)(/0*[1-9][0-9]*)?,)+$')"#,
        message: "day of week (fifth field) must be a comma list of *, ?, n, a-b, each with an optional /step; values 0-7 or SUN-SAT, step at least 1",
        message_expression: Some(
            r#"
            "day of week '" + self.findAll(r'[^ \t]+')[4] +
            "' must be a comma list of *, ?, n, a-b, each with an optional /step; values 0-7 or SUN-SAT, step at least 1" +
            (self.findAll(r'[^ \t]+')[4].matches('#|[Ll]') ? "; L and # are not cron" : "")"#,
        ),
        ..Rule::NEW
    },
    // --- ranges run forwards
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            self.findAll(r'[^ \t]+')[0].findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').all(r,
            int(r.split('-')[0]) <= int(r.split('-')[1]))"#,
        message: "a range of minutes must not run backwards",
        message_expression: Some(
            r#"
            self.findAll(r'[^ \t]+')[0].findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').filter(r,
            int(r.split('-')[0]) > int(r.split('-')[1])).map(r, "minute range " + r +
            " runs backwards; write it as " + r.split('-')[0] + "-59,0-" + r.split('-')[1])[0]"#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            self.findAll(r'[^ \t]+')[1].findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').all(r,
            int(r.split('-')[0]) <= int(r.split('-')[1]))"#,
        message: "a range of hours must not run backwards",
        message_expression: Some(
            r#"
            self.findAll(r'[^ \t]+')[1].findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').filter(r,
            int(r.split('-')[0]) > int(r.split('-')[1])).map(r, "hour range " + r +
            " runs backwards; write it as " + r.split('-')[0] + "-23,0-" + r.split('-')[1])[0]"#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            self.findAll(r'[^ \t]+')[2].findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').all(r,
            int(r.split('-')[0]) <= int(r.split('-')[1]))"#,
        message: "a range of days of the month must not run backwards",
        message_expression: Some(
            r#"
            self.findAll(r'[^ \t]+')[2].findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').filter(r,
            int(r.split('-')[0]) > int(r.split('-')[1])).map(r, "day-of-month range " + r +
            " runs backwards; write it as " + r.split('-')[0] + "-31,1-" + r.split('-')[1])[0]"#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            self.findAll(r'[^ \t]+')[3].lowerAscii()
            .replace('jan', '1').replace('feb', '2').replace('mar', '3').replace('apr', '4')
            .replace('may', '5').replace('jun', '6').replace('jul', '7').replace('aug', '8')
            .replace('sep', '9').replace('oct', '10').replace('nov', '11').replace('dec', '12')
            .findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').all(r,
            int(r.split('-')[0]) <= int(r.split('-')[1]))"#,
        message: "a range of months must not run backwards",
        message_expression: Some(
            r#"
            self.findAll(r'[^ \t]+')[3].lowerAscii()
            .replace('jan', '1').replace('feb', '2').replace('mar', '3').replace('apr', '4')
            .replace('may', '5').replace('jun', '6').replace('jul', '7').replace('aug', '8')
            .replace('sep', '9').replace('oct', '10').replace('nov', '11').replace('dec', '12')
            .findAll(r'\b0*[0-9]{1,2}-0*[0-9]{1,2}\b').filter(r,
            int(r.split('-')[0]) > int(r.split('-')[1])).map(r, "month range " + r +
            " runs backwards; write it as " + r.split('-')[0] + "-12,1-" + r.split('-')[1])[0]"#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            self.findAll(r'[^ \t]+')[4].lowerAscii()
            .replace('sun', '0').replace('mon', '1').replace('tue', '2').replace('wed', '3')
            .replace('thu', '4').replace('fri', '5').replace('sat', '6')
            .findAll(r'\b0*[0-9]-0*[0-9]\b').all(r,
            int(r.split('-')[0]) <= int(r.split('-')[1]))"#,
        message: "a range of days of the week must not run backwards (SUN is 0; at the end of a range write 7)",
        message_expression: Some(
            r#"
            self.findAll(r'[^ \t]+')[4].lowerAscii()
            .replace('sun', '0').replace('mon', '1').replace('tue', '2').replace('wed', '3')
            .replace('thu', '4').replace('fri', '5').replace('sat', '6')
            .findAll(r'\b0*[0-9]-0*[0-9]\b').filter(r,
            int(r.split('-')[0]) > int(r.split('-')[1])).map(r, "day-of-week range " + r +
            " runs backwards; write it as " + r.split('-')[0] +
            (int(r.split('-')[1]) == 0 ? "-7" : "-6,0-" + r.split('-')[1]))[0]"#,
        ),
        ..Rule::NEW
    },
    // --- some day exists: a 30th needs a month other than February, a 31st one of the long months. Only
    // where the day of week is unrestricted (written *, ? or */1); otherwise the weekday alone matches.
    Rule {
        rule: r#"
            self.findAll(r'[^ \t]+').size() != 5 ||
            !self.findAll(r'[^ \t]+')[2].matches(r'^(0*3[01](-0*3[01])?(/[0-9]+)?(,|$))+$') ||
            !(',' + self.findAll(r'[^ \t]+')[4] + ',').matches(r',[*?](/0*1)?,') ||
            self.findAll(r'[^ \t]+')[3].lowerAscii()
            .replace('jan', '1').replace('feb', '2').replace('mar', '3').replace('apr', '4')
            .replace('may', '5').replace('jun', '6').replace('jul', '7').replace('aug', '8')
            .replace('sep', '9').replace('oct', '10').replace('nov', '11').replace('dec', '12')
            .split(',').exists(m,
            !m.matches(r'^(\*|0*[0-9]{1,2}(-0*[0-9]{1,2})?)(/[0-9]+)?$') ||
            [[
            m.startsWith('*') ? 1 : int(m.find('^[0-9]+')),
            m.contains('-') ? int(m.find('-[0-9]+').substring(1)) : m.matches('^[0-9]+$') ? int(m) : 12,
            !m.contains('/') ? 1 : m.matches('/0*[0-9]{1,2}$') ? int(m.find('[0-9]+$')) : 99
            ]].exists(t, (
            self.findAll(r'[^ \t]+')[2].matches(r'(^|,)0*30(-|/|,|$)')
            ? [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 3, 5, 7, 8, 10, 12]
            ).exists(v, t[0] <= v && v <= t[1] && t[2] > 0 && (v - t[0]) % t[2] == 0)))"#,
        message: "the schedule never matches; none of its months has any of its days of the month",
        ..Rule::NEW
    },
];
