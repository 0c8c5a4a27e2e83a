//! Random expressions, and what other readers of them say.

use chrono::NaiveDate;
use kron_formats::convert::Format;

use super::{dates, days, options};
use crate::readers::Minute;
use crate::readers::expression::{DayFields, Program};
use crate::support::{Random, converted, loaded};

/// Random fields of a program, with what only it reads.
struct Grammar {
    program: Program,
    format: Format,
    days_of_month: &'static [&'static str],
    days_of_week: &'static [&'static str],
    months: &'static [&'static str],
    years: &'static [&'static str],
    /// Whether each day of the week with `L` or `#` stands alone.
    alone: bool,
}

const GRAMMARS: [Grammar; 6] = [
    Grammar {
        program: Program::Quartz,
        format: Format::Quartz,
        days_of_month: &[
            "L", "LW", "L-%n", "%nW", "L-2W", "L-13W", "L-26W", "%n", "%n", "%n-31", "28-3", "%n/5", "*/3",
        ],
        days_of_week: &[
            "L", "%dL", "%d#%o", "%a#%o", "%aL", "%d", "%a", "2-6", "FRI-MON", "6-2", "3/2", "*/3",
        ],
        months: &["*", "*", "*", "1-6", "NOV-FEB", "*/3", "2", "FEB,JUL"],
        years: &["*", "2028", "2027-2030", "2029/3", "*/20", "2027,2031-2033"],
        alone: true,
    },
    Grammar {
        program: Program::Spring,
        format: Format::Spring,
        days_of_month: &["L", "LW", "L-%n", "%nW", "%n", "%n", "%n-31", "%n/5", "*/3"],
        days_of_week: &[
            "%dL", "%d#%o", "%a#%o", "%aL", "%d", "%a", "1-5", "SUN-TUE", "7-2", "FRI-SUN", "0-3", "3/2",
            "0/3", "*/3",
        ],
        months: &["*", "*", "*", "1-6", "*/3", "2", "FEB,JUL"],
        years: &["*"],
        alone: false,
    },
    Grammar {
        program: Program::EventBridge,
        format: Format::EventBridge,
        days_of_month: &["L", "LW", "%nW", "%n", "%n", "%n-31", "%n/5", "*/3"],
        days_of_week: &["L", "%dL", "%d#%o", "%a#%o", "%aL", "%d", "%a", "2-6", "3/2", "*/3"],
        months: &["*", "*", "1-6", "*/3", "FEB,JUL"],
        years: &["*", "2028", "2027-2030", "2029/3"],
        alone: true,
    },
    Grammar {
        program: Program::Croner,
        format: Format::Croner,
        days_of_month: &["L", "LW", "%nW", "%n", "%n", "%n-31", "*/3"],
        days_of_week: &[
            "%dL",
            "%d#L",
            "%d#%o",
            "%a#%o",
            "%aL",
            "%d",
            "%a",
            "1-5",
            "5-7",
            "1-5#2",
            "MON-WED#L",
            "*/3",
        ],
        months: &["*", "*", "*", "1-6", "*/3", "2", "FEB,JUL"],
        years: &["*", "2028", "2027-2030", "2027-2036/4"],
        alone: false,
    },
    Grammar {
        program: Program::NodeCron,
        format: Format::NodeCron,
        days_of_month: &["L", "LW", "L-%n", "%nW", "%n", "%n", "%n-31", "28-3", "*/3"],
        days_of_week: &["%dL", "%d#%o", "%d", "%a", "1-5", "5-7", "fri-mon", "6-2", "*/3"],
        months: &["*", "*", "*", "1-6", "11-2", "*/3", "2", "feb,jul"],
        years: &["*"],
        alone: false,
    },
    Grammar {
        program: Program::ApScheduler,
        format: Format::ApScheduler,
        days_of_month: &["last", "last %a", "2nd %a", "5th %a", "1st %a", "%n", "%n", "%n-31", "%n/5", "*/3"],
        days_of_week: &["%d", "%a", "0-4", "mon-fri", "3/2", "*/3"],
        months: &["*", "*", "*", "1-6", "*/3", "2", "feb,jul"],
        years: &["*", "2028", "2027-2030", "2029/3", "*/20"],
        alone: false,
    },
];

impl Grammar {
    /// A list of items, in which `%n`, `%d`, `%o` and `%a` are a day of the month, a day of the week, a number from 1 to 5, and a name.
    fn list(&self, random: &mut Random, items: &[&str]) -> String {
        let count = if random.one_in(3) { 2 + random.below(2) } else { 1 };
        let mut list: Vec<String> = Vec::new();
        for _ in 0..count {
            let name = *random.pick(&["MON", "tue", "WED", "THU", "fri", "SAT", "SUN"]);
            let name =
                if self.program == Program::ApScheduler { name.to_lowercase() } else { name.to_uppercase() };
            let item = *random.pick(items);
            // Those that Spring finds in each month.
            let is_near = self.program == Program::Spring && item == "%nW";
            let day = match item {
                "L-%n" => random.below(28),
                _ if is_near => 1 + random.below(27),
                _ => 1 + random.below(31),
            };
            let (weekday, which) = (1 + random.below(6), 1 + random.below(5));
            let item = item.replace("%n", &day.to_string()).replace("%d", &weekday.to_string());
            list.push(item.replace("%o", &which.to_string()).replace("%a", &name));
        }
        if self.alone
            && list.iter().any(|item| item.contains('#') || item.ends_with('L'))
            && items == self.days_of_week
        {
            list.truncate(1);
        }
        list.join(",")
    }

    fn fields(&self, random: &mut Random) -> DayFields {
        let mut fields = DayFields {
            of_month: self.list(random, self.days_of_month),
            month: random.pick(self.months).to_string(),
            of_week: self.list(random, self.days_of_week),
            year: random.pick(self.years).to_string(),
        };
        let one = matches!(self.program, Program::Quartz | Program::EventBridge);
        match random.below(if one { 2 } else { 3 }) {
            0 => fields.of_month = if one { "?" } else { "*" }.to_string(),
            1 => fields.of_week = if one { "?" } else { "*" }.to_string(),
            _ => {}
        }
        fields
    }

    fn line(&self, fields: &DayFields) -> String {
        let DayFields { of_month, month, of_week, year } = fields;
        match self.program {
            Program::Quartz | Program::Croner => format!("0 30 3 {of_month} {month} {of_week} {year}"),
            Program::Spring => format!("0 30 3 {of_month} {month} {of_week}"),
            Program::NodeCron => format!("30 3 {of_month} {month} {of_week}"),
            Program::EventBridge => format!("cron(30 3 {of_month} {month} {of_week} {year})"),
            Program::ApScheduler => format!(
                "year='{year}', month='{month}', day='{of_month}', day_of_week='{of_week}', hour=3, minute=30"
            ),
        }
    }
}

#[test]
fn random_expressions_start_on_the_days_of_their_programs() {
    let all: Vec<(NaiveDate, Minute)> = days(2027, 2036).collect();
    for grammar in &GRAMMARS {
        let mut random = Random::new(49);
        let (mut with_clauses, mut refused) = (0, 0);
        for _ in 0..350 {
            let fields = grammar.fields(&mut random);
            let line = grammar.line(&fields);
            let converted = converted(&line, &options(grammar.format));
            let want: Vec<NaiveDate> = all
                .iter()
                .filter(|(_, at)| grammar.program.chooses(&fields, at))
                .map(|(day, _)| *day)
                .collect();
            if converted.converted == 0 {
                assert!(want.is_empty(), "{line}: {:?}", converted.findings);
                refused += 1;
                continue;
            }
            with_clauses += usize::from(converted.text.contains("@days"));
            let found = dates(&loaded(&converted).jobs[0].job, 2027, 2036);
            assert_eq!(found, want, "{:?}: {line}\n{}", grammar.program, converted.text);
        }
        assert!(with_clauses > 100 && refused < 35, "{:?}: {with_clauses}, {refused}", grammar.program);
    }
}

/// The crate `croner` itself reads the patterns.
#[test]
fn patterns_start_on_the_days_of_the_crate_croner() {
    let grammar = GRAMMARS.iter().find(|grammar| grammar.format == Format::Croner).unwrap();
    let mut random = Random::new(50);
    let mut compared = 0;
    for _ in 0..300 {
        let fields = grammar.fields(&mut random);
        // The crate reads `LW` beside `L` as `LW` alone.
        let items: Vec<&str> = fields.of_month.split(',').collect();
        if items.contains(&"L") && items.contains(&"LW") {
            continue;
        }
        let line = grammar.line(&fields);
        let cron: croner::Cron = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let at = |day: NaiveDate| day.and_hms_opt(3, 30, 0).unwrap().and_utc();
        let want: Vec<NaiveDate> = days(2027, 2036)
            .map(|(day, _)| day)
            .filter(|day| cron.is_time_matching(&at(*day)).unwrap())
            .collect();
        let converted = converted(&line, &options(Format::Croner));
        if converted.converted == 0 {
            assert!(want.is_empty(), "{line}: {:?}", converted.findings);
            continue;
        }
        assert_eq!(dates(&loaded(&converted).jobs[0].job, 2027, 2036), want, "{line}\n{}", converted.text);
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}
