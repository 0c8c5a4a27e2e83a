//! PrimedSchedule times as blocks: the times of one cron expression are a block of minutes, hours, months and days.
//!
//! The smallest number of expressions is the smallest number of blocks that hold every primed time and no other. Blocks
//! that cannot grow are enough for that; [`set_cover`](super::set_cover) chooses among them.

use std::collections::BTreeSet;

use super::day_sets::{DaySet, WEEK, existing_days};
use super::set_cover::{Bits, least_cover};

/// The days of a block as a mask: bits 1 to 31 are days of the month, bits from 32 on days of the week from Sunday. A
/// day is in the block if either of its bits is.
pub(super) type Classes = u64;

/// Where the days of the week begin in [`Classes`].
pub(super) const WEEK_AT: u32 = 32;
/// Every day.
pub(super) const ALL_CLASSES: Classes = (WEEK as u64) << WEEK_AT | 0xffff_fffe;

/// The times of one cron expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Bits 0 to 59.
    pub(super) minutes: u64,
    /// Bits 0 to 23.
    pub(super) hours: u32,
    /// Bits 0 to 11.
    pub(super) months: u16,
    pub(super) days: Classes,
}

/// Minutes of the hour that fire in the same hours.
#[derive(Clone, Copy, Debug)]
pub(super) struct MinuteGroup {
    /// Bits 0 to 59.
    pub(super) minutes: u64,
    /// The hours in which they fire on the days of the first and of the second day set. No hour is in both.
    pub(super) hours: [u32; 2],
}

/// PrimedSchedule times: minutes with their hours, on one of two sets of days.
pub(super) struct Times {
    /// One or two, with no minute in common.
    pub(super) groups: Vec<MinuteGroup>,
    pub(super) days: [DaySet; 2],
}

/// Blocks whose times are the primed times.
pub(super) struct Blocks {
    pub(super) blocks: Vec<Block>,
    /// Whether no smaller number of blocks has the same times.
    pub(super) is_least: bool,
}

/// Days that one day set needs in a month: covered by a block of that month that has one of the classes.
struct Need {
    month: usize,
    classes: Classes,
}

impl Times {
    /// The fewest blocks.
    pub(super) fn blocks(&self) -> Blocks {
        let candidates = self.largest_blocks();
        let elements = self.elements(&candidates);
        let cover = least_cover(elements, candidates.len());
        let blocks = cover.sets.into_iter().map(|set| candidates[set]).collect();
        Blocks { blocks, is_least: cover.is_least }
    }

    /// The classes that a block may have in each month, if its hours use these day sets.
    fn allowed(&self, used: [bool; 2]) -> [Classes; 12] {
        let mut rows = [ALL_CLASSES; 12];
        for (_, days) in used.iter().zip(&self.days).filter(|(used, _)| **used) {
            for (month, row) in rows.iter_mut().enumerate() {
                *row &= days.classes(month);
            }
        }
        rows
    }

    /// All blocks inside the primed times that cannot grow, and some that can.
    fn largest_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for used in [[true, true], [true, false], [false, true]] {
            let days = largest_rectangles(&self.allowed(used));
            // The largest come first: of blocks that cover the same times, the first is taken.
            for chosen in (1..1u32 << self.groups.len()).rev() {
                let groups = self
                    .groups
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| chosen >> i & 1 == 1)
                    .map(|(_, group)| group);
                let (mut minutes, mut hours) = (0, u32::MAX);
                for group in groups {
                    minutes |= group.minutes;
                    let of_used = |i: usize| if used[i] { group.hours[i] } else { 0 };
                    hours &= of_used(0) | of_used(1);
                }
                if hours != 0 {
                    blocks.extend(days.iter().map(|&(months, days)| Block { minutes, hours, months, days }));
                }
            }
        }
        blocks
    }

    /// For each time that must be covered, the blocks that cover it. Of equal blocks only one is listed.
    fn elements(&self, blocks: &[Block]) -> Vec<Bits> {
        let needs = [0, 1].map(|i| self.needs(i));
        let mut elements = BTreeSet::new();
        for group in &self.groups {
            let mut seen = BTreeSet::new();
            for hour in 0..24 {
                // Hours that are equal in every group need to be covered once.
                let kind = |group: &MinuteGroup| group.hours.map(|hours| hours >> hour & 1);
                if !seen.insert(self.groups.iter().map(kind).collect::<Vec<_>>()) {
                    continue;
                }
                let Some(set) = (0..2).find(|i| kind(group)[*i] == 1) else { continue };
                for need in &needs[set] {
                    let mut covering = Bits::new(blocks.len());
                    for (i, block) in blocks.iter().enumerate() {
                        let covers = block.minutes & group.minutes != 0
                            && block.hours >> hour & 1 == 1
                            && block.months >> need.month & 1 == 1
                            && block.days & need.classes != 0;
                        if covers {
                            covering.insert(i);
                        }
                    }
                    elements.insert(covering);
                }
            }
        }
        elements.into_iter().collect()
    }

    /// What has to be covered of a day set: one of equal months, one of equal days of the month and one of equal days
    /// of the week.
    fn needs(&self, set: usize) -> Vec<Need> {
        let rows = [[true, true], [true, false], [false, true]].map(|used| self.allowed(used));
        let column = |class: u32| rows.map(|row| row.map(|classes| classes >> class & 1));
        let distinct = |classes: std::ops::Range<u32>| {
            let mut seen = BTreeSet::new();
            classes.filter(|class| seen.insert((column(*class), existing_in(*class)))).collect::<Vec<u32>>()
        };
        let (days_of_month, days_of_week) = (distinct(1..32), distinct(WEEK_AT..WEEK_AT + 7));
        let mut seen = BTreeSet::new();
        let mut needs = Vec::new();
        for month in 0..12 {
            if !seen.insert((rows.map(|row| row[month]), existing_days(month))) {
                continue;
            }
            let days = &self.days[set];
            let existing = days_of_month.iter().filter(|day| existing_days(month) >> **day & 1 == 1);
            if days.is_full(month) {
                for day in existing {
                    let both = days_of_week.iter().map(|week| 1 << day | 1 << week);
                    needs.extend(both.map(|classes| Need { month, classes }));
                }
            } else {
                let named = days.classes(month);
                let single = existing.chain(&days_of_week).filter(|class| named >> **class & 1 == 1);
                needs.extend(single.map(|class| Need { month, classes: 1 << class }));
            }
        }
        needs
    }

    /// Leaves out of the blocks, in this order, the values whose times other blocks hold, so that few times are in two
    /// blocks.
    pub(super) fn without_repetition(&self, blocks: &mut [Block], order: impl Iterator<Item = usize>) {
        for i in order {
            let others = blocks.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, block)| block);
            let own = self.only_in(&blocks[i], others);
            let block = &mut blocks[i];
            block.minutes = own.minutes;
            block.hours = own.hours;
            block.months = own.months;
            block.days = own.fewer_classes(block.days);
        }
    }

    /// The times of a block that are in no other.
    fn only_in<'a>(&self, block: &Block, others: impl Iterator<Item = &'a Block> + Clone) -> Own {
        let mut own = Own { minutes: 0, hours: 0, months: 0, days: [0; 31] };
        for group in self.groups.iter().filter(|group| block.minutes & group.minutes != 0) {
            let others = others.clone().filter(|other| other.minutes & group.minutes != 0);
            for hour in (0..24).filter(|hour| block.hours >> hour & 1 == 1) {
                let others = others.clone().filter(|other| other.hours >> hour & 1 == 1);
                for month in (0..12).filter(|month| block.months >> month & 1 == 1) {
                    let held = others.clone().filter(|other| other.months >> month & 1 == 1);
                    let held = held.map(|other| other.days).fold(0, |all, days| all | days);
                    let existing = existing_days(month);
                    for day in (1..32u32).filter(|day| existing >> day & 1 == 1) {
                        let open = days_of_week(block.days, day) & !days_of_week(held, day);
                        if open != 0 {
                            own.minutes |= group.minutes;
                            own.hours |= 1 << hour;
                            own.months |= 1 << month;
                            own.days[day as usize - 1] |= open;
                        }
                    }
                }
            }
        }
        own
    }
}

/// The days of the week on which a day of the month, from 1, is in a block.
fn days_of_week(days: Classes, day: u32) -> u8 {
    // OK because there are seven bits from `WEEK_AT` on.
    if days >> day & 1 == 1 { WEEK } else { (days >> WEEK_AT) as u8 }
}

/// The values of times that no other block holds.
struct Own {
    minutes: u64,
    hours: u32,
    months: u16,
    /// For each day of the month the days of the week.
    days: [u8; 31],
}

impl Own {
    /// The classes that remain after those that are not needed to cover all days are removed.
    fn fewer_classes(&self, mut classes: Classes) -> Classes {
        let held = |classes: Classes| {
            (1..32).zip(&self.days).all(|(day, week)| week & !days_of_week(classes, day) == 0)
        };
        for class in (WEEK_AT..WEEK_AT + 7).chain(1..32) {
            let fewer = classes & !(1 << class);
            if held(fewer) {
                classes = fewer;
            }
        }
        classes
    }
}

impl DaySet {
    /// The classes that lie inside the set in a month. Days that the month never has are free.
    fn classes(&self, month: usize) -> Classes {
        let never = 0xffff_fffe & !existing_days(month);
        u64::from(self.days_of_month[month] | never) | u64::from(self.days_of_week[month]) << WEEK_AT
    }
}

/// The months, as a mask, that have such a class of days.
fn existing_in(class: u32) -> u16 {
    (0..12)
        .filter(|month| class >= WEEK_AT || existing_days(*month) >> class & 1 == 1)
        .map(|month| 1 << month)
        .sum()
}

/// All pairs of months and classes such that every month has every class in its row, and neither can grow.
fn largest_rectangles(rows: &[Classes; 12]) -> Vec<(u16, Classes)> {
    let mut closed = vec![ALL_CLASSES];
    for row in rows {
        let with_row: Vec<Classes> = closed.iter().map(|classes| classes & row).collect();
        closed.extend(with_row);
        closed.sort_unstable();
        closed.dedup();
    }
    let months = |classes: Classes| {
        let held = rows.iter().enumerate().filter(|(_, row)| *row & classes == classes);
        held.map(|(month, _)| 1u16 << month).sum::<u16>()
    };
    closed
        .into_iter()
        .map(|classes| (months(classes), classes))
        .filter(|(months, classes)| *months != 0 && *classes != 0)
        .collect()
}
