//! The days of a rule of an event (RFC 5545, section 3.3.10), for events of whole days.

use calcard::icalendar::{ICalendarFrequency, ICalendarRecurrenceRule};
use chrono::{Datelike, Days, NaiveDate, Weekday};

/// Numbers from 1 on and from the end, as bits of their distance.
#[derive(Clone, Copy, Debug)]
struct Counted<const WORDS: usize> {
    from_start: [u64; WORDS],
    from_end: [u64; WORDS],
}

impl<const WORDS: usize> Counted<WORDS> {
    fn of(numbers: impl Iterator<Item = i32>) -> Counted<WORDS> {
        let mut set = Counted { from_start: [0; WORDS], from_end: [0; WORDS] };
        for number in numbers {
            let bits = if number > 0 { &mut set.from_start } else { &mut set.from_end };
            let at = number.unsigned_abs() as usize;
            if let Some(word) = bits.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        set
    }

    fn is_empty(&self) -> bool {
        self.from_start.iter().chain(&self.from_end).all(|word| *word == 0)
    }

    /// Whether a place is in the set, which counts from 1 in so many places.
    fn contains(&self, place: u32, places: u32) -> bool {
        let bit = |bits: &[u64; WORDS], at: u32| {
            bits.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
        };
        bit(&self.from_start, place) || (place <= places && bit(&self.from_end, places - place + 1))
    }
}

/// Which days of its periods a rule chooses.
#[derive(Debug)]
struct Filter {
    frequency: ICalendarFrequency,
    week_start: Weekday,
    /// Bits of the months; 0 for all.
    months: u16,
    week_numbers: Counted<1>,
    year_days: Counted<6>,
    month_days: Counted<1>,
    /// Bits of the weekdays without a number, Monday first.
    weekdays: u8,
    /// Those with a number, by weekday. A day that one of both names is chosen.
    numbered: [Counted<1>; 7],
    has_weekdays: bool,
}

impl Filter {
    fn of(rule: &ICalendarRecurrenceRule, first: NaiveDate) -> Filter {
        let number = |weekday: Weekday| weekday.num_days_from_monday();
        let days =
            |weekday: u32| rule.byday.iter().filter(move |day| number(Weekday::from(day.weekday)) == weekday);
        let mut filter = Filter {
            frequency: rule.freq,
            week_start: rule.wkst.map_or(Weekday::Mon, Weekday::from),
            months: rule.bymonth.iter().fold(0, |bits, month| bits | 1 << month.month()),
            week_numbers: Counted::of(rule.byweekno.iter().map(|week| i32::from(*week))),
            year_days: Counted::of(rule.byyearday.iter().map(|day| i32::from(*day))),
            month_days: Counted::of(rule.bymonthday.iter().map(|day| i32::from(*day))),
            weekdays: (0..7)
                .filter(|weekday| days(*weekday).any(|day| day.ordwk.is_none()))
                .fold(0, |bits, day| bits | 1 << day),
            numbered: [0, 1, 2, 3, 4, 5, 6]
                .map(|weekday| Counted::of(days(weekday).filter_map(|day| day.ordwk).map(i32::from))),
            has_weekdays: !rule.byday.is_empty(),
        };
        let chooses_days = filter.has_weekdays
            || !(filter.week_numbers.is_empty()
                && filter.year_days.is_empty()
                && filter.month_days.is_empty());
        if chooses_days {
            return filter;
        }
        // What the rule leaves open is that of the first day.
        match rule.freq {
            ICalendarFrequency::Weekly => {
                (filter.weekdays, filter.has_weekdays) = (1 << number(first.weekday()), true);
            }
            ICalendarFrequency::Monthly | ICalendarFrequency::Yearly => {
                filter.month_days = Counted::of([first.day() as i32].into_iter());
                if rule.freq == ICalendarFrequency::Yearly && filter.months == 0 {
                    filter.months = 1 << first.month();
                }
            }
            _ => {}
        }
        filter
    }

    fn chooses(&self, day: NaiveDate) -> bool {
        let month = u32::from(day.num_days_in_month());
        let year = if day.leap_year() { 366 } else { 365 };
        (self.months == 0 || self.months >> day.month() & 1 == 1)
            && (self.month_days.is_empty() || self.month_days.contains(day.day(), month))
            && (self.year_days.is_empty() || self.year_days.contains(day.ordinal(), year))
            && (self.week_numbers.is_empty() || self.is_in_week(day))
            && (!self.has_weekdays || self.is_weekday(day, month, year))
    }

    /// The days of so many that are chosen. Months that are not chosen are passed over as a whole.
    fn chosen(&self, start: NaiveDate, length: u64) -> Vec<NaiveDate> {
        let mut chosen = Vec::new();
        let (mut day, mut at) = (start, 0);
        while at < length {
            if self.chooses(day) {
                chosen.push(day);
            }
            let step = self.days_to_month(day).max(1);
            at += step;
            let Some(next) = day.checked_add_days(Days::new(step)) else { break };
            day = next;
        }
        chosen
    }

    /// How many days there are to the next month, if the day's month is not chosen.
    fn days_to_month(&self, day: NaiveDate) -> u64 {
        let is_chosen = self.months == 0 || self.months >> day.month() & 1 == 1;
        if is_chosen { 0 } else { u64::from(u32::from(day.num_days_in_month()) - day.day() + 1) }
    }

    fn is_weekday(&self, day: NaiveDate, month: u32, year: u32) -> bool {
        let weekday = day.weekday().num_days_from_monday();
        // A number counts in the month, or in the year where a yearly rule names no month.
        let of_year = self.frequency == ICalendarFrequency::Yearly && self.months == 0;
        let (place, days) = if of_year { (day.ordinal(), year) } else { (day.day(), month) };
        let (nth, all) = ((place - 1) / 7 + 1, (place - 1) / 7 + (days - place) / 7 + 1);
        self.weekdays >> weekday & 1 == 1
            || self.numbered.get(weekday as usize).is_some_and(|numbers| numbers.contains(nth, all))
    }

    /// Whether the number of the day's week is chosen. A week belongs to the year of its fourth day.
    fn is_in_week(&self, day: NaiveDate) -> bool {
        let since_start = day.weekday().days_since(self.week_start);
        let fourth = if since_start <= 3 {
            day.checked_add_days(Days::new(u64::from(3 - since_start)))
        } else {
            day.checked_sub_days(Days::new(u64::from(since_start - 3)))
        };
        let Some(fourth) = fourth else { return false };
        let (at, days) = (fourth.ordinal0(), if fourth.leap_year() { 366 } else { 365 });
        self.week_numbers.contains(at / 7 + 1, (days - 1 - at % 7) / 7 + 1)
    }
}

/// The days of a rule from the first day of its event to its end, at most so many. `rule` has an end.
pub(super) fn days_of(
    rule: &ICalendarRecurrenceRule,
    first: NaiveDate,
    last: NaiveDate,
    most: usize,
) -> Vec<NaiveDate> {
    let filter = Filter::of(rule, first);
    let interval = u32::from(rule.interval.unwrap_or(1).max(1));
    let most = rule.count.map_or(most, |count| most.min(usize::try_from(count).unwrap_or(most)));
    let mut positions: Vec<i32> = rule.bysetpos.clone();
    positions.sort_unstable();
    positions.dedup();
    let mut days = Vec::new();
    let mut begin = Some(match rule.freq {
        ICalendarFrequency::Weekly => {
            let since_start = first.weekday().days_since(filter.week_start);
            first.checked_sub_days(Days::new(u64::from(since_start))).unwrap_or(first)
        }
        ICalendarFrequency::Monthly => first.with_day(1).unwrap_or(first),
        ICalendarFrequency::Yearly => first.with_ordinal(1).unwrap_or(first),
        _ => first,
    });
    while let Some(start) = begin.filter(|start| *start <= last && days.len() < most) {
        let length = match rule.freq {
            ICalendarFrequency::Weekly => 7,
            ICalendarFrequency::Monthly => u64::from(start.num_days_in_month()),
            ICalendarFrequency::Yearly if start.leap_year() => 366,
            ICalendarFrequency::Yearly => 365,
            _ => 1,
        };
        let mut chosen = filter.chosen(start, length);
        if !positions.is_empty() {
            chosen = at_positions(&chosen, &positions);
        }
        let within = chosen.into_iter().filter(|day| (first..=last).contains(day));
        days.extend(within.take(most - days.len()));
        begin = match rule.freq {
            ICalendarFrequency::Monthly => start.checked_add_months(chrono::Months::new(interval)),
            ICalendarFrequency::Yearly => start.checked_add_months(chrono::Months::new(12 * interval)),
            ICalendarFrequency::Weekly => start.checked_add_days(Days::new(7 * u64::from(interval))),
            _ => {
                let steps = filter.days_to_month(start).div_ceil(u64::from(interval)).max(1);
                start.checked_add_days(Days::new(steps * u64::from(interval)))
            }
        };
    }
    days
}

/// The days at places of a period, counted from 1, or from the end.
fn at_positions(days: &[NaiveDate], positions: &[i32]) -> Vec<NaiveDate> {
    let places = positions.iter().filter_map(|position| {
        let distance = usize::try_from(position.unsigned_abs()).ok()?.checked_sub(1)?;
        let at = if *position > 0 { distance } else { days.len().checked_sub(distance + 1)? };
        days.get(at).copied()
    });
    let mut chosen: Vec<NaiveDate> = places.collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::string::String;

    use calcard::common::timezone::Tz;
    use calcard::icalendar::{ICalendar, ICalendarProperty, ICalendarValue};
    use calcard::{Entry, Parser};

    use super::*;

    /// Numbers of a linear congruential generator: the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }

        fn one_in(&mut self, cases: u64) -> bool {
            self.below(cases) == 0
        }

        /// One to three different items, with commas.
        fn some(&mut self, item: impl Fn(&mut Random) -> String) -> String {
            let count = 1 + self.below(3);
            let items: BTreeSet<String> = (0..count).map(|_| item(self)).collect();
            items.into_iter().collect::<Vec<_>>().join(",")
        }

        fn signed(&mut self, most: u64) -> String {
            let number = 1 + self.below(most);
            if self.one_in(3) { format!("-{number}") } else { number.to_string() }
        }
    }

    const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

    fn weekday(random: &mut Random) -> String {
        WEEKDAYS[random.below(7) as usize].to_string()
    }

    /// The calendar of an event with a rule from that day on.
    fn read(first: NaiveDate, rule: &str) -> ICalendar {
        let first = first.format("%Y%m%d");
        let text = format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:{first}\nRRULE:{rule}\nEND:VEVENT\nEND:VCALENDAR\n"
        );
        match Parser::new(&text).entry() {
            Entry::ICalendar(calendar) => calendar,
            other => panic!("{rule}: {other:?}"),
        }
    }

    fn rule_of(calendar: &ICalendar) -> &ICalendarRecurrenceRule {
        let entries = calendar.components.iter().flat_map(|component| &component.entries);
        let mut rules =
            entries.filter(|entry| entry.name == ICalendarProperty::Rrule).flat_map(|entry| &entry.values);
        rules
            .find_map(|value| match value {
                ICalendarValue::RecurrenceRule(rule) => Some(&**rule),
                _ => None,
            })
            .expect("a rule")
    }

    fn day(random: &mut Random) -> NaiveDate {
        let first = NaiveDate::from_ymd_opt(2019, 1, 1).expect("a day");
        first + Days::new(random.below(3000))
    }

    const MOST: usize = 400;

    /// A rule that the library follows as RFC 5545 has it. What it misreads is tested below.
    fn random_rule(random: &mut Random, first: NaiveDate) -> String {
        let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][random.below(4) as usize];
        let (yearly, monthly, weekly) =
            (frequency == "YEARLY", frequency == "MONTHLY", frequency == "WEEKLY");
        let mut rule = format!("FREQ={frequency};INTERVAL={}", 1 + random.below(3));
        let end = first + Days::new(random.below(2500));
        rule += &if random.one_in(3) {
            format!(";COUNT={}", 1 + random.below(20))
        } else {
            format!(";UNTIL={}", end.format("%Y%m%d"))
        };
        let mut parts = String::new();
        if random.one_in(3) {
            parts += &format!(";BYMONTH={}", random.some(|random| (1 + random.below(12)).to_string()));
        }
        let by_month = !parts.is_empty();
        let weeks = yearly && !by_month && random.one_in(4);
        if weeks {
            // The library misses days of December in the first week of the next year, where it is counted from the end.
            parts += &format!(";BYWEEKNO={}", random.some(|random| random.signed(51)));
        }
        if yearly && !weeks && random.one_in(5) {
            parts += &format!(";BYYEARDAY={}", random.some(|random| random.signed(366)));
        }
        if !weekly && random.one_in(3) {
            parts += &format!(";BYMONTHDAY={}", random.some(|random| random.signed(31)));
        }
        if random.one_in(2) {
            let numbered = (monthly || yearly && !weeks) && random.one_in(2);
            let most = if monthly || by_month { 4 } else { 52 };
            let days = random.some(|random| {
                let number = if numbered { random.signed(most) } else { String::new() };
                number + &weekday(random)
            });
            parts += &format!(";BYDAY={days}");
        }
        // In a week, the library takes the places from the first day on.
        if !weekly && !parts.is_empty() && random.one_in(4) {
            parts += &format!(";BYSETPOS={}", random.some(|random| random.signed(5)));
        }
        rule += &parts;
        if random.one_in(4) {
            rule += &format!(";WKST={}", weekday(random));
        }
        rule
    }

    /// The last day to which a rule is followed.
    fn last_of(rule: &ICalendarRecurrenceRule) -> NaiveDate {
        match &rule.until {
            Some(until) => until.to_date_time().expect("a day").date_time.date(),
            None => NaiveDate::from_ymd_opt(2101, 12, 31).expect("a day"),
        }
    }

    /// The days of a rule by code of the library, up to that day.
    fn by_library(calendar: &ICalendar, last: NaiveDate) -> Vec<NaiveDate> {
        let expanded = calendar.expand_dates(Tz::Floating, MOST);
        assert!(expanded.errors.is_empty(), "{:?}", expanded.errors);
        let days = expanded.events.iter().map(|event| event.start.naive_local().date());
        days.filter(|day| *day <= last).collect()
    }

    /// The library follows rules by code of its own.
    #[test]
    fn random_rules_agree_with_the_library() {
        let mut random = Random(1);
        let mut compared = 0;
        while compared < 3000 {
            let first = day(&mut random);
            let rule = random_rule(&mut random, first);
            let calendar = read(first, &rule);
            let read = rule_of(&calendar);
            let last = last_of(read);
            let ours = days_of(read, first, last, MOST);
            // The library looks long for days of a rule that has few.
            if ours.len() >= 5 {
                assert_eq!(ours, by_library(&calendar, last), "{first} {rule}");
                compared += 1;
            }
        }
    }

    /// The library asks for a day that has both names. With a number for each, it chooses all of them.
    #[test]
    fn weekdays_with_and_without_a_number_are_one_set() {
        let mut random = Random(3);
        for _ in 0..100 {
            let first = day(&mut random);
            let (plain, number, numbered) = (weekday(&mut random), random.signed(4), weekday(&mut random));
            let (head, most) = match random.below(3) {
                0 => ("FREQ=MONTHLY", 5),
                1 => ("FREQ=YEARLY;BYMONTH=3,11", 5),
                _ => ("FREQ=YEARLY", 53),
            };
            let rule = |days: String| format!("{head};COUNT=40;BYDAY={days},{number}{numbered}");
            let calendar = read(first, &rule(plain.clone()));
            let ours = days_of(rule_of(&calendar), first, last_of(rule_of(&calendar)), MOST);
            let all: Vec<String> = (1..=most).map(|number| format!("{number}{plain}")).collect();
            let theirs = by_library(&read(first, &rule(all.join(","))), last_of(rule_of(&calendar)));
            assert_eq!(ours, theirs, "{first} {}", rule(plain));
        }
    }

    #[test]
    fn a_fifth_weekday_from_the_end_is_one_of_five() {
        let first = NaiveDate::from_ymd_opt(2024, 1, 1).expect("a day");
        let calendar = read(first, "FREQ=MONTHLY;BYDAY=-5SU;UNTIL=20401231");
        let last = last_of(rule_of(&calendar));
        let want = first
            .iter_days()
            .take_while(|day| *day <= last)
            .filter(|day| day.weekday() == Weekday::Sun && (*day + Days::new(28)).month() == day.month());
        assert_eq!(days_of(rule_of(&calendar), first, last, MOST), want.collect::<Vec<_>>());
    }

    /// Rules without a day are followed to the end, and no further.
    #[test]
    fn a_rule_without_a_day_ends() {
        let first = NaiveDate::from_ymd_opt(1, 1, 1).expect("a day");
        for rule in
            ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;INTERVAL=65535;BYMONTHDAY=31;BYMONTH=4"]
        {
            let calendar = read(first, rule);
            assert_eq!(days_of(rule_of(&calendar), first, last_of(rule_of(&calendar)), MOST), []);
        }
    }
}
