//! Unknown zone names: what to write instead. A name is suggested only if it means the same.

use alloc::string::{String, ToString};

use super::{TzDatabase, Zone};
use crate::error::{Error, Snippet, ZoneError, ZoneHelp, distance};
use crate::limits::ZONE_BYTES;

/// Abbreviations that people write, and the zones that they usually mean. None is an IANA name.
pub(super) static ABBREVIATIONS: &[(&str, &[&str])] = &[
    ("ACDT", &["Australia/Adelaide"]),
    ("ACST", &["Australia/Adelaide", "Australia/Darwin"]),
    ("ADT", &["America/Halifax"]),
    ("AEDT", &["Australia/Sydney", "Australia/Melbourne"]),
    ("AEST", &["Australia/Sydney", "Australia/Brisbane"]),
    ("AKDT", &["America/Anchorage"]),
    ("AKST", &["America/Anchorage"]),
    ("AST", &["America/Halifax", "America/Puerto_Rico", "Asia/Riyadh"]),
    ("AWST", &["Australia/Perth"]),
    ("BRT", &["America/Sao_Paulo"]),
    ("BST", &["Europe/London", "Asia/Dhaka"]),
    ("CAT", &["Africa/Maputo", "Africa/Harare"]),
    ("CDT", &["America/Chicago", "America/Havana"]),
    ("CEST", &["Europe/Paris", "Europe/Berlin", "Europe/Madrid"]),
    ("CST", &["America/Chicago", "Asia/Shanghai", "America/Havana"]),
    ("EAT", &["Africa/Nairobi"]),
    ("EDT", &["America/New_York", "America/Toronto"]),
    ("EEST", &["Europe/Athens", "Europe/Helsinki", "Europe/Kyiv"]),
    ("GST", &["Asia/Dubai", "Atlantic/South_Georgia"]),
    ("HDT", &["America/Adak"]),
    ("HKT", &["Asia/Hong_Kong"]),
    ("ICT", &["Asia/Bangkok", "Asia/Ho_Chi_Minh"]),
    ("IDT", &["Asia/Jerusalem"]),
    ("IST", &["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]),
    ("JST", &["Asia/Tokyo"]),
    ("KST", &["Asia/Seoul"]),
    ("MDT", &["America/Denver"]),
    ("MSK", &["Europe/Moscow"]),
    ("NDT", &["America/St_Johns"]),
    ("NST", &["America/St_Johns"]),
    ("NZDT", &["Pacific/Auckland"]),
    ("NZST", &["Pacific/Auckland"]),
    ("PDT", &["America/Los_Angeles", "America/Tijuana"]),
    ("PKT", &["Asia/Karachi"]),
    ("PST", &["America/Los_Angeles", "Asia/Manila"]),
    ("SAST", &["Africa/Johannesburg"]),
    ("SGT", &["Asia/Singapore"]),
    ("WAT", &["Africa/Lagos"]),
    ("WEST", &["Europe/Lisbon"]),
    ("WIB", &["Asia/Jakarta"]),
];

/// Names up to this length are too short for a guess by spelling: `PST` is one letter from `EST`.
const SHORT: usize = 4;

#[cold]
pub(super) fn unknown_zone(name: &str, database: &TzDatabase) -> Error {
    let help = if name.len() > ZONE_BYTES { ZoneHelp::General } else { help(name, database) };
    Error::new("timezone", ZoneError::Unknown { text: Snippet::of(name), help })
        .at(0..name.len())
        .located(name)
}

pub(super) fn help(name: &str, database: &TzDatabase) -> ZoneHelp {
    if let Some(help) = offset(name) {
        return help;
    }
    let abbreviation = ABBREVIATIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    if let Some((_, zones)) = abbreviation {
        return ZoneHelp::Abbreviation { zones };
    }
    let wanted = name.replace(' ', "_");
    // `Etc` has nothing that people mean by a name that is not one of its own.
    let places = || database.zones().filter(|zone| !zone.name().starts_with("Etc/"));
    let city = |zone: &Zone| {
        zone.name().rsplit_once('/').is_some_and(|(_, city)| city.eq_ignore_ascii_case(&wanted))
    };
    let found = database.zones().find(|zone| zone.name().eq_ignore_ascii_case(&wanted)).or_else(|| {
        let mut cities = places().filter(city).peekable();
        if cities.peek().is_some() { agreed(cities) } else { nearest(&wanted, places) }
    });
    found.map_or(ZoneHelp::General, |zone| ZoneHelp::Name(zone.name().to_string()))
}

/// The first of some zones, if all have the same rules: `Pacific` is nothing, as `US/Pacific` and `Canada/Pacific` differ.
fn agreed(mut zones: impl Iterator<Item = Zone>) -> Option<Zone> {
    let first = zones.next()?;
    zones.all(|zone| zone.has_same_rules(&first)).then_some(first)
}

/// The zone whose name is a few letters away, if it is the only one that near.
fn nearest<I: Iterator<Item = Zone>>(wanted: &str, places: impl Fn() -> I) -> Option<Zone> {
    if wanted.len() <= SHORT {
        return None;
    }
    let lower = wanted.to_ascii_lowercase();
    let wrong = |zone: &Zone| {
        let known = zone.name().to_ascii_lowercase();
        let most = known.len() / 3;
        // Two cheap bounds before the costly distance. A slip does not change a number: `GMT+2` is not `GMT+3`.
        let (ours, theirs) = (letters(&lower), letters(&known));
        if known.len().abs_diff(lower.len()) > most
            || (ours ^ theirs).count_ones() as usize > 2 * most
            || !digits(&lower).eq(digits(&known))
        {
            return None;
        }
        Some(distance(&lower, &known)).filter(|wrong| *wrong <= most)
    };
    let least = places().filter_map(|zone| wrong(&zone)).min()?;
    agreed(places().filter(|zone| wrong(zone) == Some(least)))
}

/// The letters of a text as a set.
fn letters(text: &str) -> u32 {
    text.bytes().filter(u8::is_ascii_lowercase).fold(0, |set, letter| set | 1 << (letter - b'a'))
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit)
}

/// An offset from UTC: `GMT+2`, `UTC-5`, `+02:00`.
fn offset(name: &str) -> Option<ZoneHelp> {
    let upper = name.trim().to_ascii_uppercase();
    let rest = ["UTC", "GMT", "Z"].iter().find_map(|word| upper.strip_prefix(word)).unwrap_or(&upper).trim();
    let (east, rest) = match rest.split_at_checked(1)? {
        ("+", rest) => (true, rest),
        ("-", rest) => (false, rest),
        _ => return None,
    };
    let digits: String = rest.chars().filter(|c| *c != ':').collect();
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = match digits.len() {
        1 | 2 => (digits.as_str(), "0"),
        length => digits.split_at(length - 2),
    };
    let (hours, minutes): (i8, i8) = (hours.parse().ok()?, minutes.parse().ok()?);
    if (hours, minutes) == (0, 0) {
        return Some(ZoneHelp::Name("UTC".to_string()));
    }
    // The names reach from 12 hours behind UTC to 14 hours ahead of it.
    let named = minutes == 0 && (1..=if east { 14 } else { 12 }).contains(&hours);
    Some(ZoneHelp::Offset { hours_east: named.then_some(if east { hours } else { -hours }) })
}
