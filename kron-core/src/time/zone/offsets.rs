//! The offsets of a zone as spans, with a coarse index, so that a look-up is an index and a few steps.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::tzif::{END, FIRST};

/// An index over blocks of this many seconds (194 days), as a power of two, says where in its spans a look-up begins.
const BLOCK_BITS: u32 = 24;
/// How many blocks there are.
const BLOCKS: usize = ((END - FIRST) >> BLOCK_BITS) as usize + 1;

/// A stretch of time with one offset from UTC. It ends where the next one in its slice starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    /// First Unix second; `i64::MIN` for the first span of a zone.
    pub(crate) start: i64,
    /// Seconds east of UTC.
    pub(crate) offset: i32,
}

/// The spans of a zone with their index.
pub(super) struct Table {
    /// In order, at least one.
    spans: Box<[Span]>,
    /// The index of the span that holds the first second of each block of `1 << BLOCK_BITS` seconds from `FIRST` on.
    blocks: [u16; BLOCKS],
}

impl Table {
    /// A table of the spans that `tzif::spans` returned.
    pub(super) fn new(spans: Vec<(i64, i32)>) -> Table {
        let mut index: u16 = 0;
        let blocks = core::array::from_fn(|block| {
            let start = FIRST + ((block as i64) << BLOCK_BITS);
            while spans.get(usize::from(index) + 1).is_some_and(|next| next.0 <= start) {
                index += 1;
            }
            index
        });
        Table { spans: spans.into_iter().map(|(start, offset)| Span { start, offset }).collect(), blocks }
    }

    #[inline]
    pub(super) fn offsets(&self) -> Offsets<'_> {
        Offsets { spans: &self.spans, blocks: &self.blocks }
    }
}

/// The offsets of a zone over time, as its table has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets<'z> {
    pub(crate) spans: &'z [Span],
    pub(super) blocks: &'z [u16; BLOCKS],
}

impl Offsets<'_> {
    /// Those of `UTC`.
    pub(super) const UTC: Offsets<'static> =
        Offsets { spans: &[Span { start: i64::MIN, offset: 0 }], blocks: &[0; BLOCKS] };

    /// Index of the span that holds a Unix time.
    #[inline]
    pub(crate) fn span_index(&self, timestamp: i64) -> usize {
        if self.spans.len() == 1 {
            return 0;
        }
        // The last second of 64 bits is after the tables, where it means "never".
        let timestamp = timestamp.min(i64::MAX - 1);
        let block = timestamp.saturating_sub(FIRST).max(0) >> BLOCK_BITS;
        // OK because the number of blocks fits any integer.
        let mut index = usize::from(self.blocks[(block as usize).min(BLOCKS - 1)]);
        // Two steps without a branch that could be mispredicted: few blocks have more changes.
        index += usize::from(timestamp >= self.span_end(index));
        index += usize::from(timestamp >= self.span_end(index));
        while timestamp >= self.span_end(index) {
            index += 1;
        }
        index
    }

    /// First Unix second after span `index`; the greatest number for the last span.
    #[inline]
    pub(crate) fn span_end(&self, index: usize) -> i64 {
        self.spans.get(index + 1).map_or(i64::MAX, |next| next.start)
    }

    /// Seconds east of UTC at a Unix time.
    #[inline]
    pub(crate) fn at(&self, timestamp: i64) -> i32 {
        self.spans[self.span_index(timestamp)].offset
    }
}
