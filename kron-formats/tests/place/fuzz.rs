//! The fuzz target on stable: the files of the corpus, changed a few times by a deterministic mutator.

#[path = "../../../testing/fuzz/targets_place.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Random;

const WORDS: [&str; 40] = [
    "*",
    "/",
    "-",
    ",",
    "~",
    "%",
    "\\",
    "\"",
    "'",
    "\n",
    "\r\n",
    "  ",
    "- ",
    ": ",
    "#",
    "# kron: keep\n",
    "{",
    "}",
    "[",
    "]",
    "&a ",
    "*a",
    "|\n",
    ">-\n",
    "---\n",
    "@daily",
    "= ",
    "0 3 * * *",
    "59 23 * * 1-5",
    "é",
    "\u{2028}",
    "\u{feff}",
    "null",
    "<<: ",
    "kind: CronJob\n",
    "schedule: ",
    "{{ x }}",
    "CRON_TZ=Asia/Tokyo\n",
    "?",
    "annotations:\n",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

#[test]
fn changed_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/data/adopt");
    let seeds: Vec<Vec<u8>> = files(&folder).iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() >= 100);
    for choice in 0..=u8::MAX {
        targets::place_text(&[&[choice], &*seeds[usize::from(choice) % seeds.len()]].concat());
    }
    let mut random = Random::new(variable("KRON_FUZZ_SEED").unwrap_or(1));
    for _ in 0..variable("KRON_FUZZ_INPUTS").unwrap_or(3000) {
        let mut text = random.changed(&seeds, &WORDS);
        // Short texts are tried ten times as fast. They begin with any line.
        if random.below(8) > 0 {
            let starts: Vec<usize> = (0..text.len()).filter(|at| *at == 0 || text[at - 1] == b'\n').collect();
            if !starts.is_empty() {
                text.drain(..starts[random.below(starts.len() as u32) as usize]);
            }
            text.truncate(400);
        }
        text.truncate(4096);
        text.insert(0, random.below(256) as u8);
        targets::place_text(&text);
    }
    // Nothing is quadratic in what it refuses, or names.
    for line in ["0 3 * * * x\\n", "- {op: add, path: /spec/schedule, value: '@daily'}\\n"] {
        targets::place_text(format!("\u{0}x: \"{}\"\n", line.repeat(5_000)).as_bytes());
    }
    for word in WORDS {
        for choice in 0..8 {
            targets::place_text(&[&[choice], word.repeat(20_000 / word.len()).as_bytes()].concat());
        }
    }
}

/// A number that a variable gives: `KRON_FUZZ_INPUTS`, how many changed texts are tried; `KRON_FUZZ_SEED`, which ones.
fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}
