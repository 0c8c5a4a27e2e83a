//! What people mean by a part of `@days` in the words of another program: `last=FRI`, `nth=2`, `dow=MON#1`, `every=2 weeks`.

use alloc::format;
use alloc::string::{String, ToString};

use super::words::{dates, days, list, look_up, plain};
use crate::cron::dialects::{extension_of_month, extension_of_week};

/// Names of parts, in lower case and without `_` and `-`, and ours. `day` is decided by its value.
static PARTS: [(&[&str], &str); 20] = [
    (&["dow", "weekday", "weekdays", "dayofweek", "daysofweek", "wday", "byday", "on"], "dow"),
    (&["dom", "dayofmonth", "daysofmonth", "monthday", "monthdays", "mday", "bymonthday"], "dom"),
    (&["day", "days"], "day"),
    (&["months", "month", "bymonth"], "months"),
    (&["date"], "date"),
    (&["dates"], "dates"),
    (&["calendar", "calendars"], "calendar"),
    (&["last", "lastday", "fromend"], "last"),
    (&["workday", "workdays", "businessday", "bday", "bd", "firstworkday", "firstbusinessday"], "workday"),
    (&["lastworkday", "lastworkdays", "lastbusinessday"], "lastworkday"),
    (&["near", "nearest", "nearestworkday", "nearestweekday"], "near"),
    (&["every", "interval", "repeat"], "every"),
    (&["from", "start", "startdate", "starting", "since", "begin", "anchor"], "from"),
    (&["roll", "shift", "adjust", "convention"], "roll"),
    (&["week", "workweek"], "week"),
    (&["holidays", "holiday"], "holidays"),
    (&["nth", "n", "occurrence", "number"], "nth"),
    (&["quarter", "quarters"], "quarter"),
    (&["first", "second", "third", "fourth", "fifth", "1st", "2nd", "3rd", "4th", "5th"], "ordinal"),
    (&["odd", "even", "weeknumber", "isoweek"], "none"),
];

static ROLLS: [(&[&str], &str); 3] = [
    (&["next", "after", "following", "forward", "forwards", "later"], "next"),
    (&["previous", "prev", "before", "preceding", "backward", "backwards", "earlier"], "previous"),
    (&["nearest", "closest", "near"], "nearest"),
];

static ORDINALS: [[&str; 2]; 5] =
    [["first", "1st"], ["second", "2nd"], ["third", "3rd"], ["fourth", "4th"], ["fifth", "5th"]];

/// The number that an ordinal means.
fn ordinal(word: &str) -> Option<usize> {
    ORDINALS.iter().position(|words| words.contains(&&*plain(word))).map(|index| index + 1)
}

/// The days of the month among which the n-th weekday is, from 1 to 5.
fn nth(number: usize) -> Option<String> {
    (1..=5).contains(&number).then(|| format!("dom={}-{}", number * 7 - 6, (number * 7).min(31)))
}

/// The months of a quarter.
fn quarter(number: &str) -> Option<String> {
    let number: usize = number.parse().ok().filter(|number| (1..=4).contains(number))?;
    Some(format!("months={}-{}", number * 3 - 2, number * 3))
}

/// A weekday of a month as iCalendar writes it: `1MO`, `-1FR`.
fn ordinal_weekday(value: &str) -> Option<String> {
    let end = value.find(|c: char| c.is_alphabetic())?;
    let (number, day) = value.split_at(end);
    let place = match number.strip_prefix('-') {
        Some("1") => "last=1-7".to_string(),
        Some(_) => return None,
        None => nth(number.trim_start_matches('+').parse().ok()?)?,
    };
    Some(format!("dow={};{place}", days(day)?))
}

/// A part of a clause of `@days` in our words, or several of them.
pub(super) fn meant_part(part: &str) -> Option<String> {
    let (name, value) = part.split_once('=').map_or((part, ""), |(name, value)| (name, value.trim()));
    let word = plain(name);
    if value.is_empty() {
        return of_word(part.trim(), &word);
    }
    let is_weekday = days(value).is_some_and(|_| value.contains(|c: char| c.is_alphabetic()));
    let asks_for_workday = matches!(&*plain(value), "workday" | "workdays" | "weekday" | "businessday");
    Some(match look_up(&PARTS, &word)? {
        "ordinal" => {
            let number = ordinal(&word)?;
            match asks_for_workday {
                true => format!("workday={number}"),
                // `first=1` is no Monday.
                false if !is_weekday => return None,
                false => format!("dow={};{}", days(value)?, nth(number)?),
            }
        }
        "nth" if plain(value) == "last" => "last=1-7".to_string(),
        "nth" => nth(value.parse().ok()?)?,
        "quarter" => quarter(value)?,
        "months" if value.starts_with(['Q', 'q']) => quarter(&value[1..])?,
        "day" if is_weekday => format!("dow={}", days(value)?),
        "dow" if days(value).is_none() && !value.contains('#') && !value.ends_with(['L', 'l']) => {
            ordinal_weekday(value)?
        }
        "dow" | "day" if value.ends_with(['L', 'l']) || value.contains('#') => extension_of_week(value, 0)?,
        "dow" => format!("dow={}", days(value)?),
        "dom" | "day" => of_month(value)?,
        "last" if asks_for_workday => "lastworkday=1".to_string(),
        "last" if is_weekday => format!("dow={};last=1-7", days(value)?),
        "workday" if is_weekday => format!("dow={}", days(value)?),
        "workday" if matches!(&*plain(value), "last" | "l") => "lastworkday=1".to_string(),
        "workday" if value.starts_with('-') => format!("lastworkday={}", &value[1..]),
        part @ ("workday" | "lastworkday") => {
            format!("{part}={}", ordinal(value).map_or_else(|| list(value), |number| number.to_string()))
        }
        "from" => format!("from={}", dates(value)?.strip_prefix("date=")?),
        "every" => format!("every={}", distance(value)?),
        "roll" => format!("roll={}", look_up(&ROLLS, &plain(value))?),
        "week" => format!("week={}", days(value)?),
        "date" => dates(value)?.replace('&', ";"),
        "none" => return None,
        name => format!("{name}={}", list(value)),
    })
}

/// Whether a word alone says which days, so that it may stand for a modifier.
pub(super) fn is_word_of_days(word: &str) -> bool {
    of_word(word, word).is_some_and(|part| !part.starts_with("dom"))
}

/// A part without `=`.
fn of_word(text: &str, word: &str) -> Option<String> {
    let mut words = text.split([' ', '-', '_']).filter(|word| !word.is_empty());
    // `last friday`, `first workday`
    if let (Some(which), Some(what), None) = (words.next(), words.next(), words.next())
        && (ordinal(which).is_some() || plain(which) == "last")
    {
        return match &*plain(what) {
            "day" if plain(which) == "last" => Some("last=1".to_string()),
            "day" => ordinal(which).map(|number| format!("dom={number}")),
            _ => meant_part(&format!("{which}={what}")),
        };
    }
    match word {
        "last" | "lastday" | "eom" | "endofmonth" => return Some("last=1".to_string()),
        "first" | "firstday" => return Some("dom=1".to_string()),
        "workday" | "workdays" | "weekday" | "weekdays" | "businessday" | "businessdays" => {
            return Some("dow=MON-FRI".to_string());
        }
        "weekend" | "weekends" => return Some("dow=SAT,SUN".to_string()),
        "lastworkday" => return Some("lastworkday=1".to_string()),
        "firstworkday" => return Some("workday=1".to_string()),
        "biweekly" | "fortnightly" | "fortnight" => return Some("every=2w".to_string()),
        _ => {}
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains('#') {
        return if text.len() == 10 { dates(text) } else { of_month(text) };
    }
    extension_of_month(text)
        .or_else(|| extension_of_week(text, 0))
        .or_else(|| Some(format!("dow={}", days(text)?)))
}

/// Days of the month; `-1` is the last one.
fn of_month(value: &str) -> Option<String> {
    if matches!(&*plain(value), "last" | "lastday") {
        return Some("last=1".to_string());
    }
    if let Some(number) = value.strip_prefix('-').and_then(|number| number.parse::<u8>().ok()) {
        return Some(format!("last={number}"));
    }
    Some(extension_of_month(value).unwrap_or_else(|| format!("dom={}", list(value))))
}

/// A number of days or weeks: `2 weeks`, `14days`, `P2W`.
fn distance(value: &str) -> Option<String> {
    let lower = value.to_lowercase();
    let text = lower.strip_prefix('p').unwrap_or(&lower).trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim() {
        "d" | "day" | "days" => "d",
        "w" | "wk" | "week" | "weeks" => "w",
        _ => return None,
    };
    (!number.is_empty()).then(|| format!("{number}{unit}"))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use crate::JobSpec;

    #[test]
    fn guesses_lead_to_the_part_that_was_meant() {
        let mut wrong = Vec::new();
        for (text, want) in [
            ("@days(MON)", "@days(dow=MON)"),
            ("@days(monday,thursday)", "@days(dow=MON,THU)"),
            ("@days(1-7)", "@days(dom=1-7)"),
            ("@days(last)", "@days(last=1)"),
            ("@days(last friday)", "@days(dow=FRI;last=1-7)"),
            ("@days(first workday)", "@days(workday=1)"),
            ("@days(last day)", "@days(last=1)"),
            ("@days(L)", "@days(last=1)"),
            ("@days(LW)", "@days(lastworkday=1)"),
            ("@days(FRIL)", "@days(dow=FRI;last=1-7)"),
            ("@days(last=FRI)", "@days(dow=FRI;last=1-7)"),
            ("@days(workday=MON-FRI)", "@days(dow=MON-FRI)"),
            ("@days(workday=last)", "@days(lastworkday=1)"),
            ("@days(workday=first)", "@days(workday=1)"),
            ("@days(first=MON)", "@days(dow=MON;dom=1-7)"),
            ("@days(nth=2;dow=TUE)", "@days(dom=8-14;dow=TUE)"),
            ("@days(dow=MON#1)", "@days(dow=MON;dom=1-7)"),
            ("@days(dow=5L)", "@days(dow=FRI;last=1-7)"),
            ("@days(weekday=MON)", "@days(dow=MON)"),
            ("@days(day=MON)", "@days(dow=MON)"),
            ("@days(day=15)", "@days(dom=15)"),
            ("@days(dom=L)", "@days(last=1)"),
            ("@days(dom=-1)", "@days(last=1)"),
            ("@days(dom=15W)", "@days(near=15)"),
            ("@days(every=2 weeks;from=2026-01-05)", "@days(every=2w;from=2026-01-05)"),
            ("@days(every=14days;since=2026-01-05)", "@days(every=14d;from=2026-01-05)"),
            ("@days(every=2w;start=2026-01-05)", "@days(every=2w;from=2026-01-05)"),
            ("@days(dom=25;roll=before)", "@days(dom=25;roll=previous)"),
            ("@days(dom=25;roll=following)", "@days(dom=25;roll=next)"),
            ("@days(date=2026-12-24..2026-12-26)", "@days(dates=2026-12-24..2026-12-26)"),
            ("@nodays(weekend)", "@nodays(dow=SAT,SUN)"),
            ("@nodays(last=FRI)", "@nodays(dow=FRI&last=1-7)"),
            ("@nodays(dow=MON#1)", "@nodays(dow=MON&dom=1-7)"),
            ("@nodays(first monday)", "@nodays(dow=MON&dom=1-7)"),
            ("@nodays(nth=2;dow=TUE)", "@nodays(dom=8-14&dow=TUE)"),
            ("@nodays(roll=prev;dom=1)", "@nodays(roll=previous&dom=1)"),
            ("@nodays(every=2w;from=2026-01-05)", "@nodays(every=2w&from=2026-01-05)"),
            ("@days(firstworkday=1)", "@days(workday=1)"),
            ("@days(1st monday)", "@days(dow=MON;dom=1-7)"),
            ("@days(3rd=tue)", "@days(dow=TUE;dom=15-21)"),
            ("@days(2nd workday)", "@days(workday=2)"),
            ("@days(workday=L)", "@days(lastworkday=1)"),
            ("@days(every=2w;on=MON;from=2026-1-5)", "@days(every=2w;dow=MON;from=2026-01-05)"),
            ("@days(every=2w;from=05.01.2026)", "@days(every=2w;from=2026-01-05)"),
            ("@days(fortnightly)", "@days(every=2w;from=2026-01-05)"),
            ("@last(1)", "@days(last=1)"),
            ("@workday(1-3)", "@days(workday=1-3)"),
            ("@every(2w)", "@days(every=2w;from=2026-01-05)"),
            ("@ondays(dow=MON)", "@days(dow=MON)"),
            ("@avoid(last=1;hours=3)", "@nodays(last=1) @avoid(hours=3)"),
            ("@only(last=1;hours=3)", "@days(last=1) @only(hours=3)"),
            ("@days(quarter=1)", "@days(months=1-3)"),
            ("@days(last=1;months=Q4)", "@days(last=1;months=10-12)"),
            ("@days(nth=last;dow=FRI)", "@days(last=1-7;dow=FRI)"),
            ("@days(byday=1MO)", "@days(dow=MON;dom=1-7)"),
            ("@days(dow=-1FR)", "@days(dow=FRI;last=1-7)"),
            ("@nodays(dow=+2TUE)", "@nodays(dow=TUE&dom=8-14)"),
            ("@days(bymonthday=-1)", "@days(last=1)"),
            ("@days(eom)", "@days(last=1)"),
            ("@days(businessdays)", "@days(dow=MON-FRI)"),
            ("@days(date=12-25)", "@days(dom=25;months=12)"),
            ("@days(every=2 weeks)", "@days(every=2w;from=2026-01-05)"),
            ("@days(dow=TUE every=2w)", "@days(dow=TUE;every=2w;from=2026-01-05)"),
            ("@weekdays", "@days(dow=MON-FRI)"),
            ("@lastday", "@days(last=1)"),
            ("@last-workday", "@days(lastworkday=1)"),
            ("@only(last=1)", "@days(last=1)"),
            ("@only(dow=FRI;last=1-7)", "@days(dow=FRI;last=1-7)"),
            ("@avoid(last=1)", "@nodays(last=1)"),
            ("@avoid(dow=FRI&last=1-7)", "@nodays(dow=FRI&last=1-7)"),
            ("@only(every=2w;from=2026-01-05)", "@days(every=2w;from=2026-01-05)"),
            ("@avoid(roll=next&dom=1)", "@nodays(roll=next&dom=1)"),
            ("@nodays(months=8,date=2026-12-25)", "@nodays(months=8&date=2026-12-25)"),
            ("@onday(last=1)", "@days(last=1)"),
            ("@skip_days(last=1)", "@nodays(last=1)"),
        ] {
            let error = JobSpec::parse(&format!("0 9 * * * {text}")).unwrap_err();
            if error.help() != Some(format!("write `{want}`")) {
                wrong.push(format!("{text}: {error}: {:?}", error.help()));
            }
            JobSpec::parse(&format!("0 9 * * * {want}")).unwrap();
        }
        // What has several meanings, or none, is explained.
        for (text, want) in [
            ("@days(first=1)", "`dom=1`"),
            ("@days(year=2026)", "dates=2026-01-01..2026-12-31"),
            ("@days(until=2026-12-31)", "dates=2026-01-01..2026-12-31"),
            ("@days(every=2)", "`2d` or `2w`"),
            ("@days(every=2 months)", "months=1,3,5,7,9,11"),
            ("@days(every=1y;from=2026-01-01)", "months=1"),
            ("@days(date=2026-12-24,2026-12-25)", "@days(date=2026-12-24) @days(date=2026-12-25)"),
            ("@days(dow=!MON)", "@nodays("),
            ("@days(not=MON)", "@nodays("),
            ("@days(isoweek=odd)", "every=2w"),
            ("@days(week=even)", "every=2w"),
            ("@days(workday=1,holidays=xx)", "workday=1;holidays=NAME"),
            ("@days(easter)", "calendar=NAME"),
            ("@days(dom=25;roll=modifiedfollowing)", "near=25"),
            ("@avoid(holidays=de)", "@nodays(calendar=NAME)"),
        ] {
            let error = JobSpec::parse(&format!("0 9 * * * {text}")).unwrap_err();
            let help = error.help().unwrap_or_default();
            if !help.contains(want) {
                wrong.push(format!("{text}: {help}"));
            }
        }
        // What cannot be said has no offer.
        for text in [
            "@avoid(last=1&hours=3)",
            "@days(odd=week)",
            "@days(dow=MON#6)",
            "@days(every=2)",
            "@days(every=2 months)",
        ] {
            let error = JobSpec::parse(&format!("0 9 * * * {text}")).unwrap_err();
            if error.help().unwrap_or_default().starts_with("write `@") {
                wrong.push(format!("{text}: {error}: {:?}", error.help()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
