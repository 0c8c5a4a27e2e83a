//! Tabulates the spans of constant offset of every zone that chrono-tz knows, so that a look-up at run time is a search
//! in a slice. The table holds chrono-tz's own answers: they are asked here, at build time, and `zone.rs` tests that both
//! agree.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};

/// 1968-12-01: a window of 366 days around the first nominal time, 1970-01-01, reaches back to 1968-12-31.
const FIRST: i64 = -34_214_400;
/// 2101-02-01: the same for the last nominal time, 2099-12-31.
const LAST: i64 = 4_136_659_200;
/// Blocks of so many seconds (194 days), as a power of two, say where in its spans a zone's look-up begins.
const BLOCK_BITS: u32 = 24;
const BLOCKS: usize = ((LAST - FIRST) >> BLOCK_BITS) as usize + 1;
/// No zone keeps an offset for less than this since 1968 (an exhaustive test in `zone.rs` would tell).
const PROBE: i64 = 2 * 86_400;

fn offset(zone: Tz, at: i64) -> i32 {
    let utc = DateTime::from_timestamp(at, 0).expect("in chrono's range").naive_utc();
    zone.offset_from_utc_datetime(&utc).fix().local_minus_utc()
}

fn spans(zone: Tz) -> Vec<(i64, i32)> {
    let mut current = offset(zone, FIRST);
    let mut spans = vec![(i64::MIN, current)];
    let mut at = FIRST;
    while at < LAST {
        let probe = at + PROBE;
        let found = offset(zone, probe);
        if found != current {
            // Bisect to the first second of the new offset.
            let (mut low, mut high) = (at, probe);
            while high - low > 1 {
                let mid = low + (high - low) / 2;
                if offset(zone, mid) == current { low = mid } else { high = mid }
            }
            current = offset(zone, high);
            spans.push((high, current));
            at = high;
        } else {
            at = probe;
        }
    }
    spans
}

/// The index of the span that holds the first second of each block.
fn blocks(spans: &[(i64, i32)]) -> Vec<usize> {
    let starts = (0..BLOCKS as i64).map(|block| FIRST + (block << BLOCK_BITS));
    starts.map(|start| spans.partition_point(|span| span.0 <= start) - 1).collect()
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut zones: Vec<Tz> = TZ_VARIANTS.to_vec();
    zones.sort_by_key(|zone| zone.name());
    let mut code = String::new();
    let mut tables: BTreeMap<Vec<(i64, i32)>, usize> = BTreeMap::new();
    let mut rows = String::new();
    for zone in zones {
        let spans = spans(zone);
        let next = tables.len();
        let table = *tables.entry(spans.clone()).or_insert_with(|| {
            write!(code, "static SPANS_{next}: [Span; {}] = [", spans.len()).unwrap();
            for (start, offset) in &spans {
                write!(code, "Span {{ start: {start}, offset: {offset} }},").unwrap();
            }
            code.push_str("];\n");
            writeln!(code, "static BLOCKS_{next}: [u16; {BLOCKS}] = {:?};", blocks(&spans)).unwrap();
            next
        });
        writeln!(
            rows,
            "    ZoneData {{ name: {:?}, spans: &SPANS_{table}, blocks: &BLOCKS_{table} }},",
            zone.name()
        )
        .unwrap();
    }
    writeln!(code, "const FIRST: i64 = {FIRST};").unwrap();
    writeln!(code, "const BLOCK_BITS: u32 = {BLOCK_BITS};").unwrap();
    writeln!(code, "const BLOCKS: usize = {BLOCKS};").unwrap();
    writeln!(code, "static ZONES: [ZoneData; {}] = [\n{rows}];", TZ_VARIANTS.len()).unwrap();
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("zones.rs"), code).expect("OUT_DIR is writable");
}
