//! The dates of an iCalendar file (RFC 5545), read by the crate calcard. `rule.rs` follows the rules of events.
//!
//! Each event that is not cancelled adds its days. Events must be whole days, and rules are followed to the end of 2101,
//! when the last window ends. Files that a calendar program would read differently are refused: times of day, rules
//! of hours, several rules, changes to an event and all events after it.

mod lines;
mod rule;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use calcard::common::PartialDateTime;
use calcard::icalendar::{
    ICalendarComponent, ICalendarComponentType, ICalendarEntry, ICalendarFrequency, ICalendarParameterName,
    ICalendarProperty, ICalendarRecurrenceRule, ICalendarStatus, ICalendarValue,
};
use calcard::{Entry, Parser};
use chrono::{Days, NaiveDate};
use kron_core::error::Snippet;
use kron_core::{Calendar, Error, ErrorCode};

use self::lines::check;
use self::rule::days_of;
use crate::error::ICalendarError;
use crate::limits::{CALENDAR_EVENTS, CALENDAR_LAST_YEAR, CALENDAR_OCCURRENCES, CALENDAR_RULES};

/// The calendar of an iCalendar file (`.ics`): the days of all its events. An event is of whole days, one or more, and may
/// repeat by a rule, which is followed to the end of 2101.
///
/// # Errors
///
/// Those of [`Calendar::new`]; [`CalendarSyntax`](kron_core::ErrorCode::CalendarSyntax) for a text that is not a whole
/// iCalendar file; [`CalendarUnsupported`](kron_core::ErrorCode::CalendarUnsupported) for an event with a time of day, or with
/// a rule that is not supported; [`CalendarTooLong`](kron_core::ErrorCode::CalendarTooLong) for more than 10,000 events, 500
/// rules or 100,000 dates.
///
/// ```
/// use kron_core::ErrorCode;
/// use kron_formats::icalendar::calendar_from_icalendar;
/// let text = "\
/// BEGIN:VCALENDAR
/// BEGIN:VEVENT
/// SUMMARY:Christmas
/// DTSTART;VALUE=DATE:20251225
/// DTEND;VALUE=DATE:20251227
/// RRULE:FREQ=YEARLY;COUNT=2
/// END:VEVENT
/// END:VCALENDAR
/// ";
/// let calendar = calendar_from_icalendar("christmas", text)?;
/// assert_eq!(calendar.to_string(), "christmas = 2025-12-25..2025-12-26, 2026-12-25..2026-12-26");
/// let meeting = text.replace(";VALUE=DATE:20251225", ":20251225T100000");
/// let error = calendar_from_icalendar("christmas", &meeting).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::CalendarUnsupported);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn calendar_from_icalendar(name: &str, text: &str) -> Result<Calendar, Error> {
    // The error of the name comes before those of the file.
    if let Err(error) = Calendar::new(name, []).map(drop)
        && error.code() == ErrorCode::Name
    {
        return Err(error);
    }
    let dates = dates(text).map_err(|error| error.within(name))?;
    Calendar::new(name, dates)
}

type Dates = RangeInclusive<NaiveDate>;

/// The days of all events.
fn dates(text: &str) -> Result<Vec<Dates>, Error> {
    let too_many = |what, max| Err(Error::new("", ICalendarError::TooMany { what, max }));
    let lines = check(text)?;
    if lines.len() > CALENDAR_EVENTS {
        return too_many("events", CALENDAR_EVENTS);
    }
    let groups = groups(text, &lines)?;
    let rules = groups.values().flatten().filter(|event| event.has(&ICalendarProperty::Rrule));
    if rules.count() > CALENDAR_RULES {
        return too_many("events with a rule", CALENDAR_RULES);
    }
    let mut dates = Vec::new();
    for group in groups.into_values() {
        expand(group, &mut dates)?;
    }
    Ok(dates)
}

/// An event of a file.
struct Event {
    component: ICalendarComponent,
    /// The number of its first line.
    line: usize,
    /// What messages call it.
    title: Snippet,
}

/// The events by their identifiers: those of one identifier are one event and the changes to it. Each begins at a line of
/// `lines`.
fn groups(text: &str, lines: &[usize]) -> Result<BTreeMap<String, Vec<Event>>, Error> {
    let mut groups: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    let mut lines = lines.iter().copied();
    let mut parser = Parser::new(text);
    loop {
        let components = match parser.entry() {
            Entry::ICalendar(calendar) => calendar.components,
            Entry::Eof => break,
            _ => return Err(Error::new("", ICalendarError::NotICalendar)),
        };
        for component in components {
            if component.component_type == ICalendarComponentType::VEvent {
                let number = groups.len();
                let uid = component.text(&ICalendarProperty::Uid);
                // Each event without an identifier is a group of its own.
                let key = uid.map_or_else(|| format!("\0{number}"), ToString::to_string);
                let title =
                    component.text(&ICalendarProperty::Summary).or(uid).unwrap_or("without a summary");
                let title = Snippet::of(title);
                let line = lines.next().unwrap_or(1);
                groups.entry(key).or_default().push(Event { component, line, title });
            }
        }
    }
    if groups.is_empty() { Err(Error::new("", ICalendarError::NoEvents)) } else { Ok(groups) }
}

/// What this file reads from a component of the library.
trait Component {
    fn entries(&self, property: &ICalendarProperty) -> impl Iterator<Item = &ICalendarEntry>;

    fn text(&self, property: &ICalendarProperty) -> Option<&str> {
        self.entries(property).flat_map(|entry| &entry.values).find_map(|value| match value {
            ICalendarValue::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

impl Component for ICalendarComponent {
    fn entries(&self, property: &ICalendarProperty) -> impl Iterator<Item = &ICalendarEntry> {
        self.entries.iter().filter(move |entry| entry.name == *property)
    }
}

impl Event {
    fn has(&self, property: &ICalendarProperty) -> bool {
        self.component.entries(property).next().is_some()
    }

    fn is_cancelled(&self) -> bool {
        let cancelled = ICalendarValue::Status(ICalendarStatus::Cancelled);
        self.component
            .entries(&ICalendarProperty::Status)
            .any(|entry| entry.values.first() == Some(&cancelled))
    }

    /// The days of a property.
    fn days(&self, property: &ICalendarProperty) -> impl Iterator<Item = NaiveDate> {
        let values = self.component.entries(property).flat_map(|entry| entry.values.iter());
        values.filter_map(|value| match value {
            ICalendarValue::PartialDateTime(date) => Some(date.to_date_time()?.date_time.date()),
            _ => None,
        })
    }

    /// Its first day, and how many it has.
    fn span(&self) -> Result<(NaiveDate, u64), Error> {
        let first = self.days(&ICalendarProperty::Dtstart).next();
        let first = first.ok_or_else(|| self.refused("has a date that cannot be read", ""))?;
        let length = self.component.entries(&ICalendarProperty::Duration).find_map(|entry| {
            match entry.values.first() {
                Some(ICalendarValue::Duration(length)) => {
                    Some(7 * u64::from(length.weeks) + u64::from(length.days))
                }
                _ => None,
            }
        });
        let days = match self.days(&ICalendarProperty::Dtend).next() {
            Some(end) if end < first => return Err(self.refused("ends before it begins", "")),
            // The end is the day after the last one.
            Some(end) => end.signed_duration_since(first).num_days().unsigned_abs(),
            None => length.unwrap_or(1),
        };
        // An event that ends where it begins has one day.
        Ok((first, days.max(1)))
    }

    /// Its rule, and the last day to which it is followed.
    fn rule(&self) -> Option<(&ICalendarRecurrenceRule, NaiveDate)> {
        let rule = self.component.entries(&ICalendarProperty::Rrule).find_map(|entry| {
            match entry.values.first() {
                Some(ICalendarValue::RecurrenceRule(rule)) => Some(&**rule),
                _ => None,
            }
        })?;
        Some((rule, rule.until.as_ref()?.to_date_time()?.date_time.date()))
    }

    /// Whether Outlook marks it as one of whole days, which it writes from midnight to midnight.
    fn is_marked_as_whole_days(&self) -> bool {
        const MARK: &str = "X-MICROSOFT-CDO-ALLDAYEVENT";
        self.component.entries.iter().any(|entry| {
            let is_mark =
                matches!(&entry.name, ICalendarProperty::Other(name) if name.eq_ignore_ascii_case(MARK));
            let is_true = |value: &ICalendarValue| match value {
                ICalendarValue::Text(text) => text.eq_ignore_ascii_case("TRUE"),
                ICalendarValue::Boolean(value) => *value,
                _ => false,
            };
            is_mark && entry.values.first().is_some_and(is_true)
        })
    }

    fn refused(&self, why: &'static str, help: &'static str) -> Error {
        let kind = ICalendarError::Event { event: self.title.clone(), why, help };
        Error::new("", kind).on_line(self.line)
    }

    /// Refuses what would be misread, and ends the rule with the last year.
    fn prepare(&mut self) -> Result<(), Error> {
        let whole_days = "leave it out of the file, or make it an event of whole days";
        let is_marked = self.is_marked_as_whole_days();
        let is_midnight = |date: &PartialDateTime| {
            let time = [date.hour, date.minute, date.second];
            date.tz_hour.is_none() && time.iter().all(|part| part.unwrap_or(0) == 0)
        };
        for property in [
            ICalendarProperty::Dtstart,
            ICalendarProperty::Dtend,
            ICalendarProperty::Exdate,
            ICalendarProperty::Rdate,
            ICalendarProperty::RecurrenceId,
        ] {
            for value in self.component.entries(&property).flat_map(|entry| &entry.values) {
                match value {
                    ICalendarValue::PartialDateTime(date) if date.to_date_time().is_none() => {
                        return Err(self.refused("has a date that does not exist", ""));
                    }
                    ICalendarValue::PartialDateTime(date) if !date.has_time() => {}
                    ICalendarValue::PartialDateTime(date) if is_marked && is_midnight(date) => {}
                    ICalendarValue::PartialDateTime(_) | ICalendarValue::Period(_) => {
                        return Err(self.refused("has a time of day", whole_days));
                    }
                    _ => return Err(self.refused("has a date that cannot be read", "")),
                }
            }
        }
        for entry in self.component.entries(&ICalendarProperty::Duration) {
            match entry.values.first() {
                Some(ICalendarValue::Duration(length))
                    if !length.neg && (length.hours, length.minutes, length.seconds) == (0, 0, 0) => {}
                _ => return Err(self.refused("has a duration that is not of whole days", whole_days)),
            }
        }
        for (property, why) in [
            (ICalendarProperty::Dtstart, "has more than one first day"),
            (ICalendarProperty::Dtend, "has more than one end"),
            (ICalendarProperty::Rrule, "has more than one rule"),
        ] {
            if self.component.entries(&property).nth(1).is_some() {
                return Err(self.refused(why, "write one event for each"));
            }
        }
        if self.has(&ICalendarProperty::Dtend) && self.has(&ICalendarProperty::Duration) {
            return Err(self.refused("has both an end and a duration", "keep one of them"));
        }
        if !self.has(&ICalendarProperty::Dtstart) {
            return Err(self.refused("has no first day", "add `DTSTART;VALUE=DATE:20261225`"));
        }
        if self.has(&ICalendarProperty::Exrule) {
            return Err(self.refused("has a rule of exceptions", "write the exceptions as `EXDATE`"));
        }
        let range = |entry: &ICalendarEntry| {
            entry.params.iter().any(|param| param.name == ICalendarParameterName::Range)
        };
        if self.component.entries(&ICalendarProperty::RecurrenceId).any(range) {
            return Err(self.refused("changes all later events", "write the later events as another event"));
        }
        self.prepare_rule()
    }

    fn prepare_rule(&mut self) -> Result<(), Error> {
        let (title, line) = (self.title.clone(), self.line);
        let refused = |why, help| {
            Err(Error::new("", ICalendarError::Event { event: title.clone(), why, help }).on_line(line))
        };
        let whole_days = "use a rule of days, weeks, months or years";
        let rules = self.component.entries.iter_mut().filter(|entry| entry.name == ICalendarProperty::Rrule);
        for entry in rules {
            let Some(ICalendarValue::RecurrenceRule(rule)) = entry.values.first_mut() else {
                return refused("has a rule that cannot be read", "");
            };
            if rule.freq > ICalendarFrequency::Daily
                || !(rule.byhour.is_empty() && rule.byminute.is_empty() && rule.bysecond.is_empty())
            {
                return refused("has a rule of times of day", whole_days);
            }
            if rule.rscale.is_some() || rule.skip.is_some() {
                return refused("has a rule of another calendar", whole_days);
            }
            if rule.until.as_ref().is_some_and(|until| until.to_date_time().is_none()) {
                return refused("has a rule whose end is not a date", "");
            }
            let last = PartialDateTime {
                year: Some(CALENDAR_LAST_YEAR),
                month: Some(12),
                day: Some(31),
                ..PartialDateTime::default()
            };
            let ends_earlier = |until: &PartialDateTime| until.year <= Some(CALENDAR_LAST_YEAR);
            // Of a time, only the date counts: the events have none.
            let until = rule.until.take().filter(ends_earlier).unwrap_or(last);
            rule.until = Some(PartialDateTime {
                year: until.year,
                month: until.month,
                day: until.day,
                ..PartialDateTime::default()
            });
        }
        Ok(())
    }
}

/// Adds the days of an event, with the changes to it, that are not cancelled.
fn expand(mut group: Vec<Event>, dates: &mut Vec<Dates>) -> Result<(), Error> {
    for event in &mut group {
        event.prepare()?;
    }
    if group.iter().any(|event| event.is_cancelled() && !event.has(&ICalendarProperty::RecurrenceId)) {
        return Ok(());
    }
    // A change takes the place of a day, and one that cancels leaves it out.
    let changed: BTreeSet<NaiveDate> =
        group.iter().flat_map(|event| event.days(&ICalendarProperty::RecurrenceId)).collect();
    for event in group.iter().filter(|event| !event.is_cancelled()) {
        let (first, length) = event.span()?;
        let starts = if event.has(&ICalendarProperty::RecurrenceId) {
            BTreeSet::from([first])
        } else {
            let mut excepted: BTreeSet<NaiveDate> = event.days(&ICalendarProperty::Exdate).collect();
            excepted.extend(&changed);
            let most = (CALENDAR_OCCURRENCES + 1).saturating_sub(dates.len()) + excepted.len();
            let mut starts: BTreeSet<NaiveDate> = match event.rule() {
                Some((rule, last)) => days_of(rule, first, last, most).into_iter().collect(),
                None => BTreeSet::from([first]),
            };
            starts.extend(event.days(&ICalendarProperty::Rdate));
            starts.retain(|day| !excepted.contains(day));
            starts
        };
        for start in starts {
            let last = start.checked_add_days(Days::new(length - 1)).unwrap_or(start);
            dates.push(start..=last);
            if dates.len() > CALENDAR_OCCURRENCES {
                let kind = ICalendarError::TooMany { what: "dates", max: CALENDAR_OCCURRENCES };
                return Err(Error::new("", kind));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(events: &[&str]) -> Result<String, String> {
        let events: String = events
            .iter()
            .map(|event| format!("BEGIN:VEVENT\nSUMMARY:Day off\n{event}\nEND:VEVENT\n"))
            .collect();
        let text = format!("BEGIN:VCALENDAR\nVERSION:2.0\n{events}END:VCALENDAR\n").replace('\n', "\r\n");
        match calendar_from_icalendar("a", &text) {
            Ok(calendar) => Ok(calendar.to_string().replacen("a = ", "", 1)),
            // The line is tested below.
            Err(error) => {
                let text = error.to_string();
                let message = error.line().and_then(|line| text.strip_prefix(&format!("line {line}: ")));
                Err(message.unwrap_or(&text).to_string())
            }
        }
    }

    #[track_caller]
    fn ok(events: &[&str], dates: &str) {
        assert_eq!(read(events).as_deref(), Ok(dates));
    }

    #[test]
    fn ok_events() {
        ok(&["DTSTART;VALUE=DATE:20261225"], "2026-12-25");
        ok(&["DTSTART:20261225"], "2026-12-25");
        ok(&["DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261225"], "2026-12-25");
        ok(&["DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261228"], "2026-12-25..2026-12-27");
        ok(&["DTSTART;VALUE=DATE:20261225\nDURATION:P1W"], "2026-12-25..2026-12-31");
        ok(
            &["DTSTART;VALUE=DATE:20261231\nDURATION:P2D", "DTSTART;VALUE=DATE:20261225"],
            "2026-12-25, 2026-12-31..2027-01-01",
        );
        // Outlook writes whole days from midnight to midnight.
        ok(
            &[
                "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\nDTSTART;TZID=Europe/Paris:20261225T000000\nDTEND;TZID=Europe/Paris:20261227T000000",
            ],
            "2026-12-25..2026-12-26",
        );
        ok(
            &[
                "DTSTART:20261225T000000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261226T000000\nx-microsoft-cdo-alldayevent:true",
            ],
            "2026-12-25, 2026-12-27",
        );
        // Another kind of component, and an alarm in an event.
        ok(
            &[
                "DTSTART;VALUE=DATE:20261225\nBEGIN:VALARM\nTRIGGER:-PT15M\nEND:VALARM\nEND:VEVENT\nBEGIN:VTODO\nDUE:20260101T000000\nEND:VTODO\nBEGIN:VEVENT\nDTSTART:20261226",
            ],
            "2026-12-25..2026-12-26",
        );
        // A line that is folded.
        ok(&["DTSTART;VALUE=DA\n TE:20261225"], "2026-12-25");
    }

    #[test]
    fn ok_rules() {
        ok(&["DTSTART:20261225\nRRULE:FREQ=YEARLY;COUNT=3"], "2026-12-25, 2027-12-25, 2028-12-25");
        ok(&["DTSTART:20261225\nRRULE:FREQ=YEARLY;UNTIL=20271225"], "2026-12-25, 2027-12-25");
        ok(&["DTSTART:20261225\nRRULE:FREQ=YEARLY;UNTIL=20271225T000000Z"], "2026-12-25, 2027-12-25");
        // Thanksgiving, and the last Monday of May.
        ok(&["DTSTART:20261126\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2"], "2026-11-26, 2027-11-25");
        ok(&["DTSTART:20260525\nRRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=2"], "2026-05-25, 2027-05-31");
        ok(
            &[
                "DTSTART:20261224\nDTEND:20261226\nRRULE:FREQ=YEARLY;COUNT=3\nEXDATE;VALUE=DATE:20271224\nRDATE;VALUE=DATE:20270601",
            ],
            "2026-12-24..2026-12-25, 2027-06-01..2027-06-02, 2028-12-24..2028-12-25",
        );
        // Exceptions to dates that no rule makes.
        ok(
            &["DTSTART:20260303\nRDATE;VALUE=DATE:20260305,20260306\nEXDATE;VALUE=DATE:20260305"],
            "2026-03-03, 2026-03-06",
        );
        ok(
            &[
                "DTSTART:20260303\nRRULE:FREQ=WEEKLY;COUNT=2\nRDATE;VALUE=DATE:20260305\nEXDATE;VALUE=DATE:20260305,20260310",
            ],
            "2026-03-03",
        );
        ok(&["DTSTART:20260303\nEXDATE;VALUE=DATE:20260303", "DTSTART:20260304"], "2026-03-04");
        // Days with and without a number are days of one rule, and a month can have five Sundays.
        ok(
            &["DTSTART:20260601\nRRULE:FREQ=MONTHLY;BYDAY=MO,1TH;UNTIL=20260630"],
            "2026-06-01, 2026-06-04, 2026-06-08, 2026-06-15, 2026-06-22, 2026-06-29",
        );
        ok(
            &["DTSTART:20260101\nRRULE:FREQ=MONTHLY;BYDAY=-5SU;COUNT=3"],
            "2026-03-01, 2026-05-03, 2026-08-02",
        );
        // Without an end, to the last window there can be.
        let sundays = read(&["DTSTART:20260104\nRRULE:FREQ=WEEKLY"]).unwrap();
        assert!(sundays.starts_with("2026-01-04, 2026-01-11, "), "{sundays}");
        assert!(sundays.ends_with(", 2101-12-18, 2101-12-25"), "{sundays}");
        ok(&["DTSTART:20260104\nRRULE:FREQ=DAILY"], "2026-01-04..2101-12-31");
        ok(&["DTSTART:20260104\nRRULE:FREQ=DAILY;UNTIL=99991231"], "2026-01-04..2101-12-31");
    }

    #[test]
    fn ok_changes() {
        let rule = "UID:1\nSEQUENCE:2\nDTSTART:20261225\nRRULE:FREQ=YEARLY;COUNT=3";
        ok(
            &[rule, "UID:1\nSEQUENCE:3\nRECURRENCE-ID;VALUE=DATE:20271225\nDTSTART:20271227"],
            "2026-12-25, 2027-12-27, 2028-12-25",
        );
        ok(
            &[rule, "UID:1\nRECURRENCE-ID;VALUE=DATE:20271225\nDTSTART:20271225\nSTATUS:CANCELLED"],
            "2026-12-25, 2028-12-25",
        );
        // A change to another event.
        ok(
            &[rule, "UID:2\nDTSTART:20270101", "UID:2\nRECURRENCE-ID;VALUE=DATE:20271225\nDTSTART:20271227"],
            "2026-12-25, 2027-01-01, 2027-12-25, 2027-12-27, 2028-12-25",
        );
        ok(&[rule, "DTSTART:20270101\nSTATUS:CANCELLED"], "2026-12-25, 2027-12-25, 2028-12-25");
    }

    #[test]
    fn err_events() {
        let p = |event: &str| read(&[event]).unwrap_err();
        let whole = "leave it out of the file, or make it an event of whole days";
        for timed in [
            "DTSTART:20261225T100000Z",
            "DTSTART;TZID=Europe/Paris:20261225T100000",
            "DTSTART:20261225\nDTEND:20261225T100000",
            "DTSTART:20261225T000000\nDTEND:20261226T000000",
            "DTSTART:20261225T000000\nX-MICROSOFT-CDO-ALLDAYEVENT:FALSE",
            "DTSTART:20261224T230000Z\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
        ] {
            assert_eq!(p(timed), format!("a: event `Day off` has a time of day; {whole}"));
        }
        assert_eq!(
            p("DTSTART:20261225\nDURATION:PT1H"),
            format!("a: event `Day off` has a duration that is not of whole days; {whole}")
        );
        assert_eq!(p("UID:1"), "a: event `Day off` has no first day; add `DTSTART;VALUE=DATE:20261225`");
        assert_eq!(p("DTSTART:20260230"), "a: event `Day off` has a date that does not exist");
        assert_eq!(p("DTSTART:tomorrow"), "a: event `Day off` has a date that cannot be read");
        assert_eq!(p("DTSTART:20261225\nDTEND:20261224"), "a: event `Day off` ends before it begins");
        let rule = |rule: &str| p(&format!("DTSTART:20261225\nRRULE:{rule}"));
        let days = "use a rule of days, weeks, months or years";
        assert_eq!(rule("FREQ=HOURLY"), format!("a: event `Day off` has a rule of times of day; {days}"));
        assert_eq!(
            rule("FREQ=DAILY;BYHOUR=3"),
            format!("a: event `Day off` has a rule of times of day; {days}")
        );
        assert_eq!(rule("FREQ=OFTEN"), "a: event `Day off` has a rule that cannot be read");
        assert_eq!(
            rule("FREQ=DAILY\nRRULE:FREQ=WEEKLY"),
            "a: event `Day off` has more than one rule; write one event for each"
        );
        assert_eq!(rule("FREQ=YEARLY;BYMONTH=13"), "a: BYMONTH `13` at column 27 is not in 1 to 12");
        let counted = "has a number, which only monthly and yearly rules without BYWEEKNO have; leave out the number, or use \
                       `FREQ=MONTHLY` or `FREQ=YEARLY`";
        assert_eq!(rule("FREQ=WEEKLY;BYDAY=MO,1TU"), format!("a: `1TU` at column 28 {counted}"));
        assert_eq!(rule("FREQ=DAILY;BYDAY=-1MO"), format!("a: `-1MO` at column 24 {counted}"));
        assert_eq!(rule("FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO"), format!("a: `1MO` at column 36 {counted}"));
        let few = "is not in 1 to 5, or -5 to -1";
        assert_eq!(
            rule("FREQ=MONTHLY;BYDAY=9MO"),
            format!("a: the number of BYDAY `9MO` at column 26 {few}")
        );
        assert_eq!(
            rule("FREQ=YEARLY;BYMONTH=3;BYDAY=6MO"),
            format!("a: the number of BYDAY `6MO` at column 35 {few}")
        );
        for (text, why) in [
            ("FREQ=DAILY;COUNT=2;COUNT=4", "`COUNT` at column 26 is in the rule twice; keep one of them"),
            (
                "FREQ=DAILY;COUNT=2;UNTIL=20270101",
                "`UNTIL` at column 26 is in a rule that has both COUNT and UNTIL; keep one of them",
            ),
            (
                "FREQ=YEARLY;BYSETPOS=1",
                "`BYSETPOS` at column 19 is in a rule without another BY part; add BYDAY or another BY part",
            ),
            (
                "FREQ=DAILY;BYWEEKNO=1",
                "`BYWEEKNO` at column 18 cannot be in a rule with this FREQ; use `FREQ=YEARLY`",
            ),
            (
                "FREQ=WEEKLY;BYMONTHDAY=1",
                "`BYMONTHDAY` at column 19 cannot be in a rule with this FREQ; use `FREQ=MONTHLY`",
            ),
        ] {
            assert_eq!(rule(text), format!("a: {why}"));
        }
        assert_eq!(
            rule("FREQ=DAILY;UNTIL=20260230"),
            "a: event `Day off` has a rule whose end is not a date"
        );
        assert_eq!(
            p("DTSTART:20261225\nDTEND:20261226\nDURATION:P1D"),
            "a: event `Day off` has both an end and a duration; keep one of them"
        );
        assert!(p("DTSTART:20261225\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY").contains("`EXDATE`"));
        assert!(
            p("RECURRENCE-ID;RANGE=THISANDFUTURE:20261225\nDTSTART:20261225").contains("all later events")
        );
    }

    #[test]
    fn err_lines() {
        let event = |lines: &str| format!("BEGIN:VEVENT\n{lines}\nEND:VEVENT\n");
        let (fine, timed) = (event("DTSTART:20261225"), event("UID:x\nDTSTART:20261225T100000"));
        // An alarm is not an event.
        let alarm = event("DTSTART:20261225\nBEGIN:VALARM\nEND:VALARM");
        let text =
            format!("BEGIN:VCALENDAR\n{fine}{alarm}END:VCALENDAR\nBEGIN:VCALENDAR\n{timed}END:VCALENDAR\n");
        let error = calendar_from_icalendar("a", &text).unwrap_err();
        let line = text.lines().take_while(|line| *line != "UID:x").count();
        assert_eq!((error.line(), error.field()), (Some(line), "a"));
    }

    #[test]
    fn err_files() {
        let p = |text: &str| calendar_from_icalendar("a", text).unwrap_err();
        let other =
            "a: the file is not in the iCalendar format; it has to begin with the line `BEGIN:VCALENDAR`";
        assert_eq!(p("").to_string(), other);
        assert_eq!(p("a = 2026-12-25").to_string(), format!("line 1: {other}"));
        assert_eq!(p("BEGIN:VCALENDAR\nEND:VCALENDAR").to_string(), "a: there is no event in the file");
        assert_eq!(
            p("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nEND:VCALENDAR").to_string(),
            "line 4: a: `VEVENT` of line 2 has not ended; add the line `END:VEVENT` before this one"
        );
        assert_eq!(p("BEGIN:VCALENDAR").code(), kron_core::ErrorCode::CalendarSyntax);
        let error = calendar_from_icalendar("a b", "BEGIN:VCALENDAR\nEND:VCALENDAR").unwrap_err();
        assert_eq!(error.code(), kron_core::ErrorCode::Name);
    }

    #[test]
    fn work_is_bounded() {
        // Rules that never match, and too many days.
        let never = "DTSTART:20260101\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30";
        assert_eq!(read(&[never, "DTSTART:20260102"]).as_deref(), Ok("2026-01-02"));
        assert_eq!(
            read(&["DTSTART:00010101\nRRULE:FREQ=DAILY"]).unwrap_err(),
            "a: a calendar has at most 100000 dates"
        );
        assert_eq!(
            read(&["DTSTART:20260104\nRRULE:FREQ=DAILY;INTERVAL=2"]).unwrap_err(),
            "a: a calendar has at most 10000 ranges of dates, but this one has 13878"
        );
        assert_eq!(
            read(&["DTSTART:20260104\nRRULE:FREQ=YEARLY"; 501]).unwrap_err(),
            "a: a calendar has at most 500 events with a rule"
        );
        assert_eq!(
            read(&["DTSTART:20260104"; 10_001]).unwrap_err(),
            "a: a calendar has at most 10000 events"
        );
    }
}
