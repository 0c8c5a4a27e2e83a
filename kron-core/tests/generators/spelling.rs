//! Random spellings of values: case, blanks, leading zeros, names and quotes.

use std::fmt::Write as _;

use super::cron::FIELDS;

/// A small generator for the choices that need no shrinking: spellings.
pub struct Pick(u64);

impl Pick {
    pub fn new(seed: u64) -> Pick {
        Pick(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
    }
}

/// Blanks and tabs, at least so many.
pub(super) fn blanks(pick: &mut Pick, least: usize) -> String {
    let more = if pick.below(3) == 0 { pick.below(3) } else { 0 };
    (0..least + more).map(|_| if pick.below(4) == 0 { '\t' } else { ' ' }).collect()
}

fn any_case(word: &str, pick: &mut Pick) -> String {
    word.chars().map(|c| if pick.coin() { c.to_ascii_lowercase() } else { c }).collect()
}

pub(super) fn digits(value: impl std::fmt::Display, pick: &mut Pick) -> String {
    format!("{}{value}", "0".repeat(if pick.below(4) == 0 { pick.below(3) } else { 0 }))
}

/// A value of a field in digits or as a name; `as_is` keeps Sunday's two numbers apart.
pub(super) fn spell_value(index: usize, value: u8, as_is: bool, pick: &mut Pick) -> String {
    let (min, _, names) = FIELDS[index];
    let value = if index == 4 && !as_is && value.is_multiple_of(7) { *pick.of(&[0, 7]) } else { value };
    let name = if index == 4 && !as_is {
        names.get(usize::from(value % 7))
    } else {
        value.checked_sub(min).and_then(|i| names.get(usize::from(i)))
    };
    match name {
        Some(name) if pick.coin() => any_case(name, pick),
        _ => digits(value, pick),
    }
}

/// A value in quotes, some of its characters as escapes.
pub fn quote(value: &str, pick: &mut Pick) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' if pick.coin() => out += "\\n",
            '\t' if pick.coin() => out += "\\t",
            c if c.is_control() || pick.below(20) == 0 => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

pub(super) fn maybe_quote(value: &str, pick: &mut Pick) -> String {
    if pick.below(8) == 0 { quote(value, pick) } else { value.to_string() }
}
