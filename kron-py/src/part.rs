//! Which decisions of a series a slice has: every so many from a place on, up to a number of them.

/// A part of a series. Numbers that exceed 64 bits count as the greatest one: no series is as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The place of its first decision in the series.
    pub(crate) offset: u64,
    /// From each decision to the next one; at least 1.
    pub(crate) step: u64,
    /// The most decisions; `None` for all that follow.
    pub(crate) limit: Option<u64>,
}

impl Part {
    pub(crate) const ALL: Part = Part { offset: 0, step: 1, limit: None };
    pub(crate) const NONE: Part = Part { limit: Some(0), ..Part::ALL };

    pub(crate) fn is_all(self) -> bool {
        self == Part::ALL
    }

    /// The place in the series of the decision of an index, unless the limit excludes it.
    pub(crate) fn place(self, index: u64) -> Option<u64> {
        let is_in = self.limit.is_none_or(|limit| index < limit);
        is_in.then(|| self.offset.saturating_add(index.saturating_mul(self.step)))
    }

    /// How many decisions of the series it needs; `None` for all of them.
    pub(crate) fn needed(self) -> Option<u64> {
        let last = self.limit?.checked_sub(1);
        Some(last.and_then(|last| self.place(last)).map_or(0, |place| place.saturating_add(1)))
    }

    /// Its length, where the series has so many decisions, or at least those that it needs.
    pub(crate) fn length(self, series: u64) -> u64 {
        let length = series.saturating_sub(self.offset).div_ceil(self.step);
        self.limit.map_or(length, |limit| length.min(limit))
    }

    /// Of this part, the decisions from an index on and before another one, `step` apart.
    pub(crate) fn slice(self, start: u64, stop: Option<u64>, step: u64) -> Part {
        let stop = [stop, self.limit].into_iter().flatten().min();
        Part {
            offset: self.offset.saturating_add(start.saturating_mul(self.step)),
            step: self.step.saturating_mul(step),
            limit: stop.map(|stop| stop.saturating_sub(start).div_ceil(step)),
        }
    }

    /// The same decisions, last first, in the series that is reversed. `length` is the length of this part, above zero, and `series`
    /// that of the series.
    pub(crate) fn reversed(self, length: u64, series: u64) -> Part {
        let last = self.offset.saturating_add((length - 1).saturating_mul(self.step));
        Part { offset: series.saturating_sub(last.saturating_add(1)), step: self.step, limit: Some(length) }
    }
}
