//! Values of fields as sets of bits.

use kron_core::cron::CronField;

/// The least and the greatest value of a field. Sunday is 0.
pub(crate) fn bounds(field: CronField) -> (u32, u32) {
    let range = field.range();
    ((*range.start()).into(), (*range.end()).into())
}

/// The values of a range that goes on at the lowest value after the highest one, in ranges that do not.
pub(crate) fn around(field: CronField, from: u32, to: u32, step: u32) -> String {
    let (low, high) = bounds(field);
    // Day 7 is Sunday, day 0.
    let from = if from > high { low } else { from };
    if from <= to {
        return list(field, bits(from, to, step));
    }
    let top = bits(from, high, step);
    let next = highest(top).saturating_add(step) - (high + 1 - low);
    let bottom = if next <= to { bits(next, to, step) } else { 0 };
    let sets = [top, bottom].into_iter().filter(|set| *set != 0);
    sets.map(|set| list(field, set)).collect::<Vec<_>>().join(",")
}

/// The values of a set as a list of values and ranges; `*` for all.
pub(crate) fn list(field: CronField, set: u64) -> String {
    if set == field.all_values() { "*".to_string() } else { field.list(set) }
}

/// The bits from one value to another, both included, in steps.
pub(crate) fn bits(from: u32, to: u32, step: u32) -> u64 {
    (from..=to).step_by(step.max(1) as usize).fold(0, |bits, value| bits | 1 << value)
}

/// The greatest value of a set that is not empty.
pub(crate) fn highest(bits: u64) -> u32 {
    bits.checked_ilog2().unwrap_or(0)
}
