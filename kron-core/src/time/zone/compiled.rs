//! The zones that are compiled in. The spans of all of them are one short string of bytes, and a zone is made of it when it is
//! first asked for: a program holds the tables of the zones that it uses, and a module for browsers is short.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use super::offsets::{Offsets, Table};
use super::tzif::{FIRST, QUARTER};
use super::{Source, Zone};

// `NAMES`, sorted; for each of them its table in `TABLE_OF`; where a table begins in `PACKED`, in `STARTS`; `UTC_INDEX`, `VERSION`.
include!(concat!(env!("OUT_DIR"), "/zones.rs"));

/// The spans of every table, see `build.rs`.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/zones.bin"));

// What was made of them. If threads make one thing at the same time, the first one stays.
static TABLES: [OnceBox<Table>; STARTS.len()] = [const { OnceBox::new() }; STARTS.len()];
static COMPILED: [OnceBox<CompiledZone>; NAMES.len()] = [const { OnceBox::new() }; NAMES.len()];
static ZONES: [OnceBox<Zone>; NAMES.len()] = [const { OnceBox::new() }; NAMES.len()];

/// A zone of the compiled-in database.
pub(super) struct CompiledZone {
    pub(super) name: &'static str,
    /// Where it is in `NAMES`.
    pub(super) index: u16,
    /// The same for all zones of one table.
    pub(super) offsets: Offsets<'static>,
}

/// `UTC` is a constant, so it is not made.
pub(super) static UTC: CompiledZone =
    CompiledZone { name: NAMES[UTC_INDEX as usize], index: UTC_INDEX, offsets: Offsets::UTC };

/// How many zones there are.
pub(super) const COUNT: usize = NAMES.len();

/// The index of a name.
pub(super) fn find(name: &str) -> Option<usize> {
    NAMES.binary_search(&name).ok()
}

/// The zone of an index.
#[inline]
pub(super) fn zone(index: usize) -> &'static Zone {
    ZONES[index].get().unwrap_or_else(|| make(index))
}

// Apart, so that what is made already is found without a call.
#[cold]
#[inline(never)]
fn make(index: usize) -> &'static Zone {
    let zone = if index == usize::from(UTC_INDEX) {
        &UTC
    } else {
        COMPILED[index].get_or_init(|| {
            let table = usize::from(TABLE_OF[index]);
            let offsets =
                TABLES[table].get_or_init(|| Box::new(unpack(&PACKED[STARTS[table] as usize..]))).offsets();
            // OK because there are fewer names than such numbers.
            Box::new(CompiledZone { name: NAMES[index], index: index as u16, offsets })
        })
    };
    ZONES[index].get_or_init(|| Box::new(Zone(Source::CompiledIn(zone))))
}

/// The table at the beginning of packed data: how many spans it has, the differences of their starts, those of their offsets.
fn unpack(mut packed: &[u8]) -> Table {
    let count = number(&mut packed);
    let mut spans = Vec::with_capacity(count as usize);
    spans.push((i64::MIN, 0));
    let mut start = FIRST;
    for _ in 1..count {
        start += difference(&mut packed);
        spans.push((start, 0));
    }
    let mut offset = 0;
    for span in &mut spans {
        offset += difference(&mut packed);
        // OK because an offset is less than a day.
        span.1 = offset as i32;
    }
    Table::new(spans)
}

/// A number whose bytes hold seven bits each, lowest first. The last byte is below 128.
fn number(packed: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = packed.split_first() {
        *packed = rest;
        number |= u64::from(byte & 127) << shift;
        shift += 7;
        if *byte < 128 {
            break;
        }
    }
    number
}

/// Seconds, or quarters of an hour if the lowest bit says so. The bit above it is the sign.
fn difference(packed: &mut &[u8]) -> i64 {
    let number = number(packed);
    let length = (number >> 2) as i64 * if number & 1 == 1 { QUARTER } else { 1 };
    if number & 2 == 2 { -length } else { length }
}
