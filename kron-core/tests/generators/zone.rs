//! Time zones, and instants near their changes.

use std::collections::BTreeMap;
use std::sync::Mutex;

use kron_core::{TzDatabase, Zone};
use proptest::prelude::*;

use super::{DAY, FIRST, LAST};
use crate::oracle;

/// Zones with every kind of trouble.
pub static ZONES: [&str; 24] = [
    "UTC",
    "Europe/Paris",
    "Europe/London",       // stayed on summer time from 1968 to 1971
    "Europe/Dublin",       // winter time is the exception
    "America/New_York",    // rules changed in 1974, 1987, 2007
    "America/St_Johns",    // -3:30; changes at 00:01; two hours in 1988
    "America/Sao_Paulo",   // changes at midnight
    "America/Havana",      // changes at midnight
    "America/Caracas",     // -4:30 for some years
    "Asia/Kolkata",        // +5:30
    "Asia/Kathmandu",      // +5:30, then +5:45
    "Asia/Tehran",         // +3:30, changes at midnight
    "Asia/Pyongyang",      // half an hour off for three years
    "Asia/Gaza",           // Ramadan rules
    "Africa/Casablanca",   // falls back for Ramadan
    "Africa/Monrovia",     // -0:44:30 until 1972
    "Africa/Cairo",        // changes at midnight
    "Antarctica/Troll",    // two hours
    "Australia/Lord_Howe", // half an hour
    "Australia/Eucla",     // +8:45
    "Pacific/Chatham",     // +12:45
    "Pacific/Apia",        // skipped 2011-12-30
    "Pacific/Kwajalein",   // skipped 1993-08-21
    "Pacific/Kiritimati",  // skipped 1994-12-31; +14:00
];

pub fn zone() -> impl Strategy<Value = Zone> {
    let all: Vec<Zone> = TzDatabase::COMPILED_IN.zones().collect();
    let notable: Vec<Zone> = ZONES.iter().map(|name| Zone::parse(name).unwrap()).collect();
    prop_oneof![3 => proptest::sample::select(notable), 1 => proptest::sample::select(all)]
}

/// The instants at which a zone changes its offset, from 1970 to 2100.
pub fn transitions(zone: &Zone) -> Vec<i64> {
    static KNOWN: Mutex<BTreeMap<String, Vec<i64>>> = Mutex::new(BTreeMap::new());
    if let Some(known) = KNOWN.lock().unwrap().get(zone.name()) {
        return known.clone();
    }
    let found = oracle::transitions(&oracle::tz(zone), FIRST, LAST);
    KNOWN.lock().unwrap().insert(zone.name().to_string(), found.clone());
    found
}

/// A zone and an instant in it: often near a change of offset, sometimes near the ends of time.
pub fn place() -> impl Strategy<Value = (Zone, i64)> {
    (zone(), 0..10u8, any::<prop::sample::Index>(), -2 * DAY..2 * DAY, FIRST..LAST).prop_map(
        |(zone, kind, index, near, anywhere)| {
            let changes = if kind < 6 { transitions(&zone) } else { Vec::new() };
            let at = match kind {
                0..6 if !changes.is_empty() => *index.get(&changes) + near,
                6 => FIRST + near.abs(),
                7 => LAST - near.abs(),
                _ => anywhere,
            };
            (zone, at.clamp(FIRST, LAST))
        },
    )
}
