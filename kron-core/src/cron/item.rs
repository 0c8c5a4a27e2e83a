//! Items: what stands between the commas of a field.

use core::ops::Range;

use crate::time::calendar_field::{Field, read_number};

/// One item of a field as it was written, for callers that check the text and not only its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(super) field: &'static Field,
    /// Bytes of the item in the input.
    pub(super) span: Range<usize>,
    /// `*` or `?`.
    pub(super) star: bool,
    pub(super) low: u8,
    pub(super) high: u8,
    pub(super) step: u32,
}

/// Reads the item that begins at `at`, and moves `at` to its end.
#[inline]
pub(super) fn read_item(field: &'static Field, bytes: &[u8], at: &mut usize) -> Option<Item> {
    let start = *at;
    let star = match bytes.get(start)? {
        b'*' => true,
        b'?' => field.is_of_days,
        _ => false,
    };
    let (low, mut high);
    let mut range = star;
    if star {
        *at += 1;
        (low, high) = (field.min, field.max);
    } else {
        low = field.read_value(bytes, at)?;
        high = low;
        if bytes.get(*at) == Some(&b'-') {
            *at += 1;
            high = field.read_value(bytes, at).filter(|high| low <= *high)?;
            range = true;
        }
    }
    let mut step = 1;
    if bytes.get(*at) == Some(&b'/') {
        *at += 1;
        step = read_number(bytes, at).filter(|step| *step > 0)?;
        // `n/s` runs to the end of the field; where `n` is the Sunday written 7, it is that Sunday alone.
        high = if range { high } else { field.max.max(low) };
    }
    Some(Item { field, span: start..*at, star, low, high, step })
}

impl Item {
    /// The values this item names, day of the week 7 folded to 0.
    #[inline]
    pub(crate) fn set(&self) -> u64 {
        if self.step == 1 {
            return self.field.span(self.low, self.high);
        }
        let mut set = 0;
        let mut value = u32::from(self.low);
        while value <= u32::from(self.high) {
            set |= 1 << value;
            value = value.saturating_add(self.step);
        }
        self.field.fold(set)
    }
}
