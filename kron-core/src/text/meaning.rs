//! What people mean who write a modifier in the words of another program: `@window(10m)`, `@avoid(hours=09:00-17:00)`,
//! `@policy(startingDeadlineSeconds=600)`.
//!
//! Called only for a text with an error. A modifier is taken apart, its words are replaced by ours, and what results is offered only
//! if it reads without an error.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{borrow::Cow, format};

use super::day_parts;
use super::modifier::Parts;
use super::scan::Scanner;
use super::whole::{instead_of_field, with_modifiers};
use super::words::{dates, days, list, look_up, plain};
use crate::constraint::PARTS_OF_DAYS;
use crate::error::{Error, ErrorCode, in_known_units};
use crate::job::lookup::Lookup;
use crate::time::duration::Duration;

/// Longer modifiers have no help of this kind.
const CHARS: usize = 200;

/// Names of modifiers, in lower case and without `_` and `-`, and ours.
static MODIFIERS: [(&[&str], &str); 10] = [
    (&["tz", "timezone", "zone", "crontz", "location"], "tz"),
    (
        &[
            "win",
            "window",
            "jitter",
            "splay",
            "delay",
            "randomdelay",
            "randomizeddelaysec",
            "randomize",
            "spread",
            "within",
        ],
        "win",
    ),
    (&["days", "ondays", "day", "onday"], "days"),
    (&["nodays", "notdays", "skipdays", "exceptdays", "noday", "exceptday"], "nodays"),
    (&["dist", "distribution"], "dist"),
    (&["seed", "strategy"], "seed"),
    (&["policy"], "policy"),
    (&["alg", "algorithm"], "alg"),
    (&["only", "on", "allow", "include"], "only"),
    (&["avoid", "skip", "not", "except", "exclude", "without", "never", "deny"], "avoid"),
];

/// Words that stand for a value, in lower case and without `_` and `-`, and ours.
static WORDS: [(&[&str], &str); 13] = [
    (&["uniform", "random", "flat", "equal"], "uniform"),
    (&["normal", "gaussian", "gauss", "bell"], "normal"),
    (&["skewearly", "early"], "skewEarly"),
    (&["skewlate", "late"], "skewLate"),
    (&["exponential", "exp"], "exponential"),
    (&["daily", "day"], "daily"),
    (&["weekly", "week"], "weekly"),
    (&["stable", "each", "every", "none"], "stable"),
    (&["fixed", "constant", "static", "once"], "fixed"),
    (&["after"], "after"),
    (&["before"], "before"),
    (&["around", "center", "centre", "centered", "centred", "middle", "about"], "around"),
    (&["sigma", "sd", "std", "stddev"], "sigma"),
];

/// Names of parts of a clause, in lower case and without `_` and `-`, and ours. `day` is decided by its value.
static PARTS: [(&[&str], &str); 8] = [
    (&["hours", "hour"], "hours"),
    (&["dow", "weekday", "weekdays", "dayofweek", "daysofweek"], "dow"),
    (&["dom", "dayofmonth", "daysofmonth", "monthday", "monthdays"], "dom"),
    (&["day", "days"], "day"),
    (&["months", "month"], "months"),
    (&["between", "time", "times", "timeofday"], "between"),
    (&["date", "dates"], "date"),
    (&["calendar", "calendars"], "calendar"),
];

/// The same error, with the modifier that was probably meant as its help, unless the help names a way to write it already. `reads`
/// says whether a whole text is one.
#[cold]
pub(crate) fn with_meaning(
    text: &str,
    lookup: Lookup<'_>,
    error: Error,
    reads: impl Fn(&str) -> bool,
) -> Error {
    let help = error.help().unwrap_or_default();
    let of_dialect = error.code() == ErrorCode::CronUnsupported;
    if let Some(help) = of_dialect.then(|| with_modifiers(text, &help, lookup)).flatten() {
        return error.with_help(help);
    }
    let is_open = help.is_empty()
        || [
            "write for example",
            "the modifiers are",
            "write it as",
            "fields such as",
            "write one comma",
            // `weekday=MON` is like `workday`, and is about something else.
            "did you mean `workday`",
            "did you mean `lastworkday`",
            "did you mean `near`",
            // `@ondays` is `@days`.
            "did you mean `@nodays`",
            // Parts of `@nodays` that `;` separates.
            "add for example",
            // Only one part of the clause, and both modifiers.
            "write `@days(",
            "write `2d`",
        ]
        .iter()
        .any(|start| help.starts_with(start));
    if let Some(whole) = rearranged(text).filter(|whole| is_open && reads(whole)) {
        return error.with_help(format!("write `{whole}`"));
    }
    // A clause whose parts stand apart is wrong as a whole.
    let apart = || text.find("@nodays(").filter(|_| error.code() == ErrorCode::ConstraintIncomplete);
    let Some(start) = error.span().map(|span| span.start).or_else(apart) else { return error };
    let word =
        text.get(start..).and_then(|rest| rest.split([' ', '\t', ')', ',']).next()).unwrap_or_default();
    if word.contains('/')
        && text.get(..start).is_some_and(|before| before.ends_with([' ', '\t']))
        && lookup.tz_database.zone(word).is_ok()
    {
        return error.with_help(format!("write `@tz({word})`"));
    }
    let of_field = error.field().starts_with("schedule.");
    let word = Some(word).filter(|word| (1..=CHARS).contains(&word.len()));
    let found = if of_field { word } else { modifier_at(text, start) };
    let Some(found) = found.filter(|_| is_open) else { return error };
    let meant = meant(found, lookup).filter(|meant| meant != found);
    // The last day of the week is one of its own in other programs.
    let of_week = error.field() == "schedule.dayOfWeek" && found.eq_ignore_ascii_case("L");
    if of_field && (of_week || meant.is_some()) {
        let whole =
            meant.filter(|_| !of_week).and_then(|meant| instead_of_field(text, found, &meant, lookup));
        return whole.into_iter().fold(error, Error::with_help);
    }
    match (meant, note(found)) {
        // A modifier that stands in the text already cannot be added.
        (Some(meant), _) if is_there(text, found, &meant) => error,
        (Some(meant), _) => error.with_help(format!("write `{meant}`")),
        (None, Some(note)) => error.with_help(note.to_string()),
        // Its help names both modifiers, and one part.
        (None, None) if help.starts_with("write `@days(") => error
            .with_help("days are chosen by `@days` and `@nodays`, times by `@only` and `@avoid`".to_string()),
        (None, None) => error,
    }
}

/// Whether a modifier that may not repeat stands elsewhere in a text.
fn is_there(text: &str, found: &str, meant: &str) -> bool {
    let open = meant.find('(').map_or(meant, |end| &meant[..=end]);
    let written = usize::from(found.starts_with(open));
    !matches!(open, "@only(" | "@avoid(" | "@days(" | "@nodays(") && text.matches(open).count() > written
}

/// What has no counterpart, and what takes its place.
fn note(found: &str) -> Option<&'static str> {
    let notes = [
        (",holidays=", "`;` joins the parts of a clause: `@days(workday=1;holidays=NAME)`"),
        ("holiday", "to leave out the dates of a calendar, write `@nodays(calendar=NAME)`"),
        ("easter", "name a list of dates: `calendar=NAME`"),
        (
            "first=",
            "the first day is `dom=1`, the first Monday `dow=MON;dom=1-7`, the first workday `workday=1`",
        ),
        ("year", "a year is a range of dates: `dates=2026-01-01..2026-12-31`"),
        ("until=", "a range of dates is `dates=2026-01-01..2026-12-31`"),
        ("to=", "a range of dates is `dates=2026-01-01..2026-12-31`"),
        ("month", "every other month is `months=1,3,5,7,9,11`, every third one `months=1,4,7,10`"),
        ("1y", "once a year is for example `dom=1;months=1`"),
        ("week=odd", "weeks are counted from a date: `every=2w;from=2026-01-05`"),
        ("week=even", "weeks are counted from a date: `every=2w;from=2026-01-05`"),
        ("isoweek", "weeks are counted from a date: `every=2w;from=2026-01-05`"),
        ("!", "days are left out by another modifier: `@nodays(dow=MON)`"),
        ("not=", "days are left out by another modifier: `@nodays(dow=MON)`"),
        ("except=", "days are left out by another modifier: `@nodays(dow=MON)`"),
        ("modified", "the workday nearest to a day, within its month, is `near=25`"),
        ("date=", "a clause has one date; write for example `@days(date=2026-12-24) @days(date=2026-12-25)`"),
        (
            "catchup",
            "write `deadline=10m`: the latest start that was missed within the deadline is made up for",
        ),
        ("host", "the name of the job tells hosts apart, such as `backup/web-1`"),
        ("mean=", "write `mu=nominal`, `mu=start`, `mu=mid` or `mu=end`"),
        ("@name", "the name is not part of the text; in a job file it follows as `name=team/job`"),
        ("@id", "the name is not part of the text; in a job file it follows as `name=team/job`"),
        (
            "~",
            "a random value is a window here: leave the first number, and add for example `@win(after,59m)`",
        ),
    ];
    let found = found.to_lowercase();
    notes.iter().find(|(word, _)| found.contains(word)).map(|(_, note)| *note)
}

/// The whole text with its modifiers behind the schedule, each behind a blank, unless they are already.
fn rearranged(text: &str) -> Option<String> {
    let trimmed = text.trim_matches([' ', '\t']);
    if trimmed.len() > CHARS || trimmed.contains(['"', '\n', '\r']) {
        return None;
    }
    let (mut first, mut rest) = (String::new(), trimmed);
    while rest.starts_with('@') && rest.split([' ', '\t']).next().is_some_and(|word| word.contains('(')) {
        let end = rest.find(')')? + 1;
        first.push(' ');
        first.push_str(&rest[..end]);
        rest = rest[end..].trim_start_matches([' ', '\t', ',']);
    }
    let spaced = rest.replace(", @", " @").replace(")@", ") @").replace("*@", "* @");
    let written = format!("{}{first}", spaced.trim_end_matches([',', ' ']));
    (written != trimmed).then_some(written)
}

/// The modifier, or the word that should be one, at a byte of a text.
fn modifier_at(text: &str, at: usize) -> Option<&str> {
    let (before, after) = text.split_at_checked(at)?;
    // The modifier whose brackets are open here, or the word that begins or goes on here.
    let open = before
        .rfind('@')
        .filter(|start| before[*start..].contains(['(', '[']) && !before[*start..].contains(')'));
    let word = before.rfind([' ', '\t']).map_or(0, |blank| blank + 1);
    let start = if after.starts_with('@') { at } else { open.unwrap_or(word) };
    let rest = &text[start..];
    let word = rest.find([' ', '\t']).unwrap_or(rest.len());
    let end = match rest.find([')', ']']) {
        Some(close) if rest[..close].contains(['(', '[']) && rest[..close].rfind('@').unwrap_or(0) == 0 => {
            close + 1
        }
        _ => word,
    };
    let found = rest.get(..end)?.trim_matches([' ', '\t', ',']);
    (!found.is_empty() && found.len() <= CHARS && !found.contains('"')).then_some(found)
}

/// A modifier in Kron's words, if it can be read then.
fn meant(text: &str, lookup: Lookup<'_>) -> Option<String> {
    let text = text.strip_prefix('@').unwrap_or(text);
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let inside = rest.trim_start_matches(['(', '[', '=', ':', ' ']).trim_end_matches([')', ']', ' ']);
    let name = plain(name);
    let written = match look_up(&MODIFIERS, &name) {
        Some("win") => window(inside),
        Some("dist") => distribution(inside),
        Some("seed") => seed(inside),
        Some("policy") => policy(inside),
        Some("days") => chosen_days(inside),
        Some("nodays") => nodays(inside),
        Some(known @ ("only" | "avoid")) if is_of_days(inside) => days_and_times(known, inside),
        Some("only") => clauses("only", inside, ';', meant_part),
        Some("avoid") => clauses("avoid", inside, '&', meant_part),
        Some(known) => Some(format!("@{known}({inside})")),
        None if inside.is_empty() && day_parts::is_word_of_days(&name) => chosen_days(&name),
        None if PARTS_OF_DAYS.contains(&&*name) => chosen_days(&format!("{name}={inside}")),
        None if name == "salt" => Some(format!("@seed(stable,salt={inside})")),
        None => policy(&format!("{name}={inside}")),
    }?;
    let mut scanner = Scanner::new(&written);
    let mut parts = Parts::new(lookup);
    while scanner.rest().starts_with('@') {
        parts.read(&mut scanner).ok()?;
        scanner.skip_blanks();
    }
    scanner.end().is_ok().then_some(written)
}

/// A duration in Kron's notation.
fn duration(text: &str) -> Option<String> {
    let text = text.trim();
    if Duration::parse(text).is_ok() { Some(text.to_string()) } else { in_known_units(text) }
}

fn window(inside: &str) -> Option<String> {
    let (mut mode, mut length) = (None, None);
    let mut words = inside.split([',', ';', '=', ' ', '\t']).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        if matches!(&*plain(word), "mode" | "duration" | "length") {
            continue;
        }
        let lower = word.to_lowercase();
        if let Some(found) = look_up(&WORDS, &lower) {
            if !matches!(found, "after" | "before" | "around") || mode.replace(found).is_some() {
                return None;
            }
            continue;
        }
        // `90 min`
        let unit = words.next_if(|next| {
            word.ends_with(|c: char| c.is_ascii_digit())
                && next.chars().all(char::is_alphabetic)
                && duration(&format!("{word}{next}")).is_some()
        });
        let lower = lower + unit.unwrap_or_default();
        if length.is_some() {
            return None;
        }
        let signed =
            ["+-", "±", "+", "-"].into_iter().find_map(|sign| Some((sign, lower.strip_prefix(sign)?)));
        let (sign, rest) = signed.unwrap_or(("", &lower));
        let found = duration(rest)?;
        match sign {
            // The window reaches as far on both sides.
            "+-" | "±" => {
                let twice = Duration::parse(&found).ok()?.as_nanos().checked_mul(2)?;
                (mode, length) = (Some("around"), Some(Duration::from_nanos(twice)?.short()));
            }
            "-" => (mode, length) = (Some("before"), Some(found)),
            _ => length = Some(found),
        }
    }
    Some(format!("@win({},{})", mode.unwrap_or("after"), length?))
}

fn distribution(inside: &str) -> Option<String> {
    let mut items = inside.split([',', ';', ' ']).filter(|item| !item.is_empty());
    let mut out = format!("@dist({}", look_up(&WORDS, &plain(items.next()?))?);
    for item in items {
        let (key, value) = item.split_once('=')?;
        let key = look_up(&WORDS, &plain(key)).unwrap_or(key);
        let value = if key == "sigma" { Cow::Owned(duration(value)?) } else { Cow::Borrowed(value) };
        out.push_str(&format!(",{key}={value}"));
    }
    Some(out + ")")
}

fn seed(inside: &str) -> Option<String> {
    let mut words =
        inside.split([',', ';', '=', ' ']).filter(|word| !word.is_empty() && plain(word) != "salt");
    let first = words.next()?;
    let (strategy, salt) = match (look_up(&WORDS, &plain(first)), words.next()) {
        // A draw for each period is what `random` means here.
        (Some("uniform"), salt) => ("stable", salt),
        (Some(strategy), salt) => (strategy, salt),
        (None, None) if first.bytes().all(|byte| byte.is_ascii_digit()) => ("stable", Some(first)),
        (None, _) => return None,
    };
    if words.next().is_some() {
        return None;
    }
    Some(salt.map_or_else(|| format!("@seed({strategy})"), |salt| format!("@seed({strategy},salt={salt})")))
}

fn policy(inside: &str) -> Option<String> {
    let mut out = Vec::new();
    for item in inside.split([',', ';', ' ', '\t']).filter(|item| !item.is_empty()) {
        let (key, value) = item.split_once('=').unwrap_or((item, ""));
        let (key, word) = (plain(key), plain(value));
        out.push(match (&*key, &*word) {
            (
                "deadline" | "startingdeadlineseconds" | "startingdeadline" | "misfiregracetime" | "grace",
                _,
            ) => {
                format!("deadline={}", duration(value)?)
            }
            (
                "concurrency" | "concurrencypolicy" | "maxinstances" | "overlap" | "forbid" | "allow"
                | "replace",
                _,
            ) => {
                let is_yes = matches!(&*word, "" | "true" | "yes" | "on" | "1");
                let word = match &*key {
                    // The key says it.
                    "forbid" | "allow" | "replace" if is_yes => &*key,
                    "allow" if matches!(&*word, "false" | "no" | "off" | "0") => "forbid",
                    "forbid" | "allow" | "replace" => return None,
                    _ => match &*word {
                        "forbid" | "skip" | "no" | "false" | "1" | "never" | "single" => "forbid",
                        "allow" | "yes" | "true" | "parallel" => "allow",
                        "replace" | "restart" | "cancel" | "terminate" => "replace",
                        _ => return None,
                    },
                };
                format!("concurrency={word}")
            }
            ("suspend" | "suspended" | "disabled" | "paused", "" | "yes" | "on" | "1" | "true") => {
                "suspend=true".to_string()
            }
            ("suspend" | "suspended" | "disabled" | "paused", "no" | "off" | "0" | "false") => {
                "suspend=false".to_string()
            }
            _ => return None,
        });
    }
    (!out.is_empty()).then(|| format!("@policy({})", out.join(",")))
}

/// Whether a clause of `@only` or `@avoid` has a part that only `@days` has.
fn is_of_days(inside: &str) -> bool {
    let mut parts = inside.split([';', '&', ',']).filter_map(|part| part.split_once('='));
    parts.any(|(name, _)| PARTS_OF_DAYS.contains(&name.trim()))
}

/// Parts of days in `@only` and `@avoid` stand in modifiers of their own, and parts of times stay.
fn days_and_times(name: &str, inside: &str) -> Option<String> {
    let is_of_time = |part: &&str| {
        part.split_once('=').is_some_and(|(name, _)| matches!(name.trim(), "hours" | "between"))
    };
    let (times, days): (Vec<&str>, Vec<&str>) = inside.split(';').partition(is_of_time);
    let days = days.join(";");
    // A time on certain days only cannot be said.
    if days.split('&').any(|part| is_of_time(&part)) {
        return None;
    }
    let days = if name == "only" { chosen_days(&days) } else { nodays(&days) }?;
    if times.is_empty() {
        return Some(days);
    }
    let glue = if name == "only" { ';' } else { '&' };
    Some(format!("{days} {}", clauses(name, &times.join(";"), glue, meant_part)?))
}

/// The clause of `@days`. A distance needs a date to count from.
fn chosen_days(inside: &str) -> Option<String> {
    let written = clauses("days", inside, ';', day_parts::meant_part)?;
    let counts = written.contains("every=") && !written.contains("from=");
    Some(if counts { written.replace(')', ";from=2026-01-05)") } else { written })
}

/// The clauses of `@nodays`, in which `;` begins another clause: parts that mean something together only are joined by `&`.
fn nodays(inside: &str) -> Option<String> {
    let joined = |part: &str| day_parts::meant_part(part).map(|part| part.replace(';', "&"));
    let written = clauses("nodays", inside, '&', joined)?;
    let needs_others = ["every=", "from=", "roll=", "week=", "holidays="];
    // The dates of a calendar alone are no holidays of workdays.
    let asks = ["workday=", "near=", "roll="].iter().any(|part| written.contains(part));
    let written = if asks { written } else { written.replace("holidays=", "calendar=") };
    let is_apart = needs_others.iter().any(|part| written.contains(part)) || plain(inside).contains("nth=");
    Some(if is_apart { written.replace(';', "&") } else { written })
}

/// Clauses with their parts in our words. Where a blank or a comma is before another part, `glue` was meant.
fn clauses(
    name: &str,
    inside: &str,
    glue: char,
    meant_part: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut out = format!("@{name}(");
    let mut before = None;
    let mut rest = inside;
    while !rest.is_empty() {
        let end = part_end(rest);
        let (part, after) = rest.split_at(end);
        out.extend(before);
        out.push_str(&meant_part(part.trim())?);
        let punctuation = after.chars().next();
        before = Some(match punctuation {
            Some(';') => ';',
            // In `@only`, all parts of a clause hold, and `;` joins them.
            _ => glue,
        });
        rest = after.trim_start_matches([';', '&', ',', ' ', '\t']);
    }
    (before.is_some()).then_some(out + ")")
}

/// Where a part of a clause ends: before `;` or `&`, or before a blank or a comma behind which another `key=` begins.
fn part_end(text: &str) -> usize {
    for (index, c) in text.char_indices() {
        let after = &text[index + c.len_utf8()..];
        let key = after.trim_start_matches([' ', '\t', ',']);
        let letters = key.find(|c: char| !c.is_alphabetic() && c != '_').unwrap_or(key.len());
        let is_key = letters > 0 && key[letters..].starts_with('=');
        if matches!(c, ';' | '&') || matches!(c, ' ' | '\t' | ',') && is_key {
            return index;
        }
    }
    text.len()
}

/// A part of a clause in our words.
fn meant_part(part: &str) -> Option<String> {
    let (key, value) = match part.split_once('=') {
        Some((key, value)) => (look_up(&PARTS, &plain(key))?, value.trim()),
        // A value alone says what it is about.
        None => match &*plain(part) {
            "weekdays" | "workdays" | "weekday" | "workday" => return Some("dow=MON-FRI".to_string()),
            "weekends" | "weekend" => return Some("dow=SAT,SUN".to_string()),
            _ if part.contains(':') => ("between", part),
            _ if !part.contains(|c: char| c.is_ascii_digit()) => ("dow", part),
            _ => return None,
        },
    };
    let has_letters = value.contains(|c: char| c.is_alphabetic());
    Some(match key {
        "day" if has_letters => format!("dow={}", days(value)?),
        "day" => format!("dom={}", list(value)),
        "dow" => format!("dow={}", days(value)?),
        "hours" | "between" if value.contains(':') || has_letters => format!("between={}", times(value)?),
        // The hour that ends at midnight is 23.
        "hours" => format!("hours={}", list(value).replace("-24", "-23")),
        "date" => dates(value)?,
        "months" if !has_letters => format!("months={}", list(value)),
        key => format!("{key}={value}"),
    })
}

/// Times of day with two digits, from `9:00`, `9am` and the like.
fn times(value: &str) -> Option<String> {
    let one = |text: &str| -> Option<String> {
        let text = text.trim().to_lowercase();
        let (text, noon) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
            (Some(text), _) => (text.trim().to_string(), Some(0)),
            (_, Some(text)) => (text.trim().to_string(), Some(12)),
            _ => (text, None),
        };
        let (hour, minute) = text.split_once(':').unwrap_or((&text, "00"));
        let hour: u32 = hour.parse().ok()?;
        let hour = noon.map_or(hour, |noon| hour % 12 + noon);
        Some(if hour == 24 { "23:59".to_string() } else { format!("{hour:02}:{minute}") })
    };
    let ranges: Option<Vec<String>> = list(value)
        .split(',')
        .map(|range| {
            let (first, last) = range.split_once('-')?;
            // `1-5pm` is the afternoon.
            let half = ["am", "pm"].into_iter().find(|half| last.trim().to_lowercase().ends_with(half));
            if half.is_some() && first.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            Some(format!("{}-{}", one(first)?, one(last)?))
        })
        .collect();
    Some(ranges?.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A modifier elsewhere in the text is no part of what is wrong.
    #[test]
    fn a_schedule_without_days_gets_no_help_for_its_modifiers() {
        for text in ["0 0 31 9 * @days(date=2026-01-01)", "0 0 30 2 * @win(after,10m)"] {
            assert_eq!(crate::JobSpec::parse(text).unwrap_err().help(), None, "{text}");
        }
    }

    /// Whatever is offered reads, and no text makes it panic.
    #[test]
    fn what_is_offered_reads() {
        let words = [
            "@win", "@avoid", "only", "@policy", "@seed(", "@dist", "(", ")", "=", "-", ",", ";", "&", "9",
            "24", "MON", "é", "±", "10m", "PT", "..", " ", "\"", "@",
        ];
        for (i, a) in words.iter().enumerate() {
            for (j, b) in words.iter().enumerate() {
                for c in words.iter().skip((i + j) % 3).step_by(3) {
                    let text = format!("@daily {a}{b}{c}{a})");
                    let Err(error) = crate::JobSpec::parse(&text) else { continue };
                    let help = error.help().unwrap_or_default();
                    // These show the same text without blanks, or with its sign.
                    if ["contains a blank", "has no `@`"].iter().any(|reason| error.reason().contains(reason))
                    {
                        continue;
                    }
                    if let Some(offered) =
                        help.strip_prefix("write `@").and_then(|help| help.strip_suffix('`'))
                    {
                        assert!(
                            crate::JobSpec::parse(&format!("@daily @{offered}")).is_ok(),
                            "{text}: {help}"
                        );
                    }
                }
            }
        }
    }
}
