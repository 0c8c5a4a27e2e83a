//! The zones that are compiled in. The spans of all of them are one short string of bytes, and a zone is made of it when it is
//! first asked for: a program holds the tables of the zones that it uses, and a module for browsers is short.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use super::offsets::{Offsets, Table};
use super::tzif::FIRST;
use super::{Source, Zone};

// `NAMES`, sorted; for each of them its table in `TABLE_OF`; where a table begins in `PACKED`, in `STARTS`; `UTC_INDEX`, `VERSION`.
include!(concat!(env!("OUT_DIR"), "/zones.rs"));

/// The spans of every table, see `build.rs`.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/zones.bin"));

// What was made of them. If threads make one thing at the same time, the first one stays.
static TABLES: [OnceBox<Table>; STARTS.len() - 1] = [const { OnceBox::new() }; STARTS.len() - 1];
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

/// `UTC` is a constant, and equal to the one that is made.
pub(super) static UTC: CompiledZone =
    CompiledZone { name: NAMES[UTC_INDEX as usize], index: UTC_INDEX, offsets: Offsets::UTC };

/// The zone of an index.
#[inline]
pub(super) fn zone(index: usize) -> &'static Zone {
    ZONES[index].get().unwrap_or_else(|| make(index))
}

// Apart, so that what is made already is found without a call.
#[cold]
#[inline(never)]
fn make(index: usize) -> &'static Zone {
    let zone = COMPILED[index].get_or_init(|| {
        let table = usize::from(TABLE_OF[index]);
        let packed = &PACKED[STARTS[table] as usize..STARTS[table + 1] as usize];
        let offsets = TABLES[table].get_or_init(|| Box::new(unpack(packed))).offsets();
        // OK because there are fewer names than such numbers.
        Box::new(CompiledZone { name: NAMES[index], index: index as u16, offsets })
    });
    ZONES[index].get_or_init(|| Box::new(Zone(Source::CompiledIn(zone))))
}

/// A table as `build.rs` packs it: the differences of the starts, then the offsets, four bytes each.
fn unpack(packed: &'static [u8]) -> Table {
    let (starts, offsets) = packed.split_at(packed.len() / 2);
    // OK because the pieces have four bytes.
    let words = |bytes: &'static [u8]| bytes.chunks_exact(4).map(|word| word.try_into().unwrap_or_default());
    let mut start = FIRST;
    let mut spans: Vec<(i64, i32)> = Vec::with_capacity(starts.len() / 4);
    for (difference, offset) in words(starts).zip(words(offsets)) {
        start += i64::from(u32::from_le_bytes(difference));
        spans.push((start, i32::from_le_bytes(offset)));
    }
    // The first one has no beginning.
    spans.first_mut().into_iter().for_each(|first| first.0 = i64::MIN);
    Table::new(spans)
}
