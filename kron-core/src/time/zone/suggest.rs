//! Suggestions for unknown zone names. A name is suggested only if it means the same.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::windows::iana_name;
use super::{TzDatabase, Zone};
use crate::error::{Error, Snippet, ZoneError, ZoneHelp, distance_within};
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

/// Names up to this length are too short for a suggestion by spelling: `PST` is one letter from `EST`.
const SHORT: usize = 4;

#[cold]
pub(super) fn unknown_zone(name: &str, database: &TzDatabase, suggest: bool) -> Error {
    let help = if name.len() > ZONE_BYTES || !suggest { ZoneHelp::General } else { help(name, database) };
    Error::of("timezone", ZoneError::Unknown { text: Snippet::of(name), help })
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
    if let Some(name) = iana_name(name) {
        return ZoneHelp::Name(name.to_string());
    }
    let wanted = name.replace(' ', "_");
    // A misspelt name never means a zone in `Etc`.
    let places = || database.zones().filter(|zone| !zone.name().starts_with("Etc/"));
    let city = |zone: &Zone| {
        zone.name().rsplit_once('/').is_some_and(|(_, city)| city.eq_ignore_ascii_case(&wanted))
    };
    let found = database.zones().find(|zone| zone.name().eq_ignore_ascii_case(&wanted)).or_else(|| {
        let mut cities = places().filter(city).peekable();
        if cities.peek().is_some() { agreed(cities) } else { nearest(&wanted, places()) }
    });
    found.map_or(ZoneHelp::General, |zone| ZoneHelp::Name(zone.name().to_string()))
}

/// The first of some zones, if all have the same rules: `Pacific` gives none, because `US/Pacific` and `Canada/Pacific`
/// differ.
fn agreed(mut zones: impl Iterator<Item = Zone>) -> Option<Zone> {
    let first = zones.next()?;
    zones.all(|zone| zone.has_same_rules(&first)).then_some(first)
}

/// The zone whose name is a few letters away, if it is the only one that near.
fn nearest(wanted: &str, places: impl Iterator<Item = Zone>) -> Option<Zone> {
    if wanted.len() <= SHORT {
        return None;
    }
    let chars: Vec<char> = wanted.chars().map(|c| c.to_ascii_lowercase()).collect();
    let ours = letters(wanted);
    let mut row = [0; ZONE_BYTES + 1];
    // The least distance, the first zone at that distance, and whether the others have its rules.
    let mut best: Option<(usize, Zone, bool)> = None;
    for zone in places {
        let known = zone.name();
        let most = best.as_ref().map_or(usize::MAX, |(least, ..)| *least).min(known.len() / 3);
        // Two cheap bounds, before the costly distance is computed. A typing error does not change a number: `GMT+2` is
        // not `GMT+3`.
        if known.len().abs_diff(chars.len()) > most
            || (ours ^ letters(known)).count_ones() as usize > 2 * most
            || !digits(wanted).eq(digits(known))
        {
            continue;
        }
        let Some(row) = row.get_mut(..=known.len()) else { continue };
        let known = known.bytes().map(|byte| char::from(byte.to_ascii_lowercase()));
        let Some(wrong) = distance_within(chars.iter().copied(), known, row, most) else { continue };
        match &mut best {
            Some((least, first, agree)) if *least == wrong => *agree &= zone.has_same_rules(first),
            _ => best = Some((wrong, zone, true)),
        }
    }
    best.filter(|(_, _, agree)| *agree).map(|(_, zone, _)| zone)
}

/// The letters of a text as a set, without their case.
fn letters(text: &str) -> u32 {
    let letters = text.bytes().map(|byte| byte.to_ascii_lowercase()).filter(u8::is_ascii_lowercase);
    letters.fold(0, |set, letter| set | 1 << (letter - b'a'))
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit)
}

/// An offset from UTC: `GMT+2`, `UTC-5`, `+02:00`, `UTC2`, `Z`.
fn offset(name: &str) -> Option<ZoneHelp> {
    let upper = name.trim().to_ascii_uppercase();
    let word = ["UTC", "GMT", "UT", "Z"].into_iter().find(|word| upper.starts_with(word));
    let rest = upper[word.unwrap_or_default().len()..].trim();
    // A word of UTC alone. `UTC` and `GMT` in another case are found by their spelling.
    if rest.is_empty() && matches!(word, Some("UT" | "Z")) {
        return Some(ZoneHelp::Name("UTC".to_string()));
    }
    // `UTC2` is ahead of UTC to some people, and behind it in a variable `TZ`.
    let (sign, rest) = match rest.split_at_checked(1)? {
        ("+", rest) => (Some(true), rest),
        ("-", rest) => (Some(false), rest),
        _ if word.is_some() => (None, rest),
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
    let named = |east: bool| minutes == 0 && (1..=if east { 14 } else { 12 }).contains(&hours);
    Some(match sign {
        Some(east) => {
            ZoneHelp::Offset { hours_east: named(east).then_some(if east { hours } else { -hours }) }
        }
        None if named(false) => ZoneHelp::OffsetWithoutSign { hours },
        None => ZoneHelp::Offset { hours_east: named(true).then_some(hours) },
    })
}
