//! Many ordered series merged into one.
//!
//! A heap of all heads would access a few random places of memory in every step, which for a million series costs more
//! than the decisions. So time is divided into blocks: for each block, one pass over the series, in their order in
//! memory, takes the items in the block, and a sort puts them in order. Blocks are made longer or shorter so that one
//! holds about half as many items as there are series, or more; the pass costs a comparison for each series.

use alloc::vec::Vec;

use kron_core::{Decision, Error};

/// Something that has a place in time order.
pub trait Ordered {
    /// Unix seconds, then a number that orders equal seconds; smaller comes first. `None` comes directly after the
    /// previous item of the series.
    fn order(&self) -> Option<(i64, i64)>;
}

impl Ordered for Decision<'_> {
    fn order(&self) -> Option<(i64, i64)> {
        Some((self.nominal_timestamp(), 0))
    }
}

impl Ordered for Result<Decision<'_>, Error> {
    fn order(&self) -> Option<(i64, i64)> {
        self.as_ref().ok().map(|decision| (decision.order_timestamp(), decision.nominal_timestamp()))
    }
}

/// Many ordered series merged into one, lazily. Yields each item with the index of its series.
#[derive(Clone, Debug)]
pub struct Merge<I: Iterator> {
    series: Vec<I>,
    /// Each series' next item.
    heads: Vec<Option<I::Item>>,
    /// The time of each head, stored apart from the heads so that a pass reads little; [`NEVER`] without a head.
    times: Vec<i64>,
    /// The items of the current block in the order of the pass, each with the index of its series; `None` once yielded.
    block: Vec<(u32, Option<I::Item>)>,
    /// Order and place in the block of those not yet yielded, as [`one_number`], the next one last.
    order: Vec<u128>,
    /// Seconds that the next block covers after its first item.
    length: i64,
}

/// A time before every instant, and one after every instant.
const START: i64 = i64::MIN;
const NEVER: i64 = i64::MAX;

impl<I: Iterator> Merge<I>
where
    I::Item: Ordered,
{
    pub(super) fn new(series: impl Iterator<Item = I>) -> Merge<I> {
        let mut series: Vec<I> = series.collect();
        let heads: Vec<Option<I::Item>> = series.iter_mut().map(Iterator::next).collect();
        let times = heads.iter().map(|head| time_of(head, START)).collect();
        Merge { series, heads, times, block: Vec::new(), order: Vec::new(), length: 60 }
    }

    /// Takes the items of the next block. It is empty only if all series have ended.
    fn sweep(&mut self) {
        self.block.clear();
        let first = self.times.iter().copied().min().unwrap_or(NEVER);
        let end = first.saturating_add(self.length).min(NEVER - 1);
        for (index, time) in self.times.iter_mut().enumerate() {
            let mut order = (START, START);
            while *time <= end {
                let next = self.series[index].next();
                *time = time_of(&next, *time);
                let item = core::mem::replace(&mut self.heads[index], next);
                order = item.as_ref().and_then(Ordered::order).unwrap_or(order);
                self.order.push(one_number(order, self.block.len()));
                self.block.push((index as u32, item));
            }
        }
        self.order.sort_unstable_by(|a, b| b.cmp(a));
        let series = self.series.len();
        if self.block.len() < series / 2 {
            self.length = self.length.saturating_mul(2);
        } else if self.block.len() > series.max(64) {
            self.length = (self.length / 2).max(1);
        }
    }
}

/// Bits of a place in a block, and of each number of an order.
const PLACE: u32 = 32;
const ORDER: u32 = 48;

/// An order and a place in the block as one number of the same order, so that a sort moves little data and compares
/// without a branch. A branch would be mispredicted: in a large fleet many first numbers are equal. Places are in the
/// order of series.
#[inline]
fn one_number((first, second): (i64, i64), place: usize) -> u128 {
    // All instants fit into 48 bits, and [`START`] is still before them.
    const HALF: i64 = 1 << (ORDER - 1);
    let unsigned = |number: i64| (number.clamp(-HALF, HALF - 1) + HALF) as u128;
    unsigned(first) << (ORDER + PLACE) | unsigned(second) << PLACE | place as u128
}

/// The time of a head that follows an item of that time.
fn time_of<T: Ordered>(head: &Option<T>, before: i64) -> i64 {
    head.as_ref().map_or(NEVER, |item| item.order().map_or(before, |order| order.0))
}

impl<I: Iterator> Iterator for Merge<I>
where
    I::Item: Ordered,
{
    type Item = (usize, I::Item);

    fn next(&mut self) -> Option<(usize, I::Item)> {
        if self.order.is_empty() {
            self.sweep();
        }
        let place = self.order.pop()? as u32;
        // OK because each item has exactly one place in the order.
        let (index, item) = self.block.get_mut(place as usize)?;
        item.take().map(|item| (*index as usize, item))
    }
}
