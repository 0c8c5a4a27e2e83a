//! What windows do to the fullest bucket.

/// How the starts in the fullest bucket change if jobs are spread over their windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeakChange {
    /// Less than 1.2 times as many, or as few.
    AboutTheSame,
    /// So many tenths of times fewer; `None` if no start is left.
    Fewer(Option<u64>),
    /// So many tenths of times more; `None` if there was no start.
    More(Option<u64>),
}

impl PeakChange {
    /// The change from the starts of the fullest bucket as written to those as spread.
    ///
    /// ```
    /// use kron_fleet::forecast::PeakChange;
    /// assert_eq!(PeakChange::of(276, 30), PeakChange::Fewer(Some(92)));
    /// assert_eq!(PeakChange::of(119, 100), PeakChange::AboutTheSame);
    /// assert_eq!(PeakChange::of(1, 2), PeakChange::More(Some(20)));
    /// ```
    pub fn of(written: u64, spread: u64) -> PeakChange {
        let tenths = |more: u64, less: u64| {
            let (more, less) = (u128::from(more), u128::from(less));
            // OK because the quotient is at most ten times a number of 64 bits, and a peak is far below.
            (less > 0).then(|| u64::try_from((20 * more + less) / (2 * less)).unwrap_or(u64::MAX))
        };
        let is_far = |more: u64, less: u64| 10 * u128::from(more) >= 12 * u128::from(less) && more > less;
        if is_far(written, spread) {
            PeakChange::Fewer(tenths(written, spread))
        } else if is_far(spread, written) {
            PeakChange::More(tenths(spread, written))
        } else {
            PeakChange::AboutTheSame
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_below_a_fifth_are_none() {
        let p = PeakChange::of;
        assert_eq!([p(0, 0), p(12, 12), p(119, 100), p(100, 119)], [PeakChange::AboutTheSame; 4]);
        assert_eq!([p(6, 5), p(120, 100)], [PeakChange::Fewer(Some(12)); 2]);
        assert_eq!(p(100, 120), PeakChange::More(Some(12)));
        assert_eq!([p(3, 0), p(0, 3)], [PeakChange::Fewer(None), PeakChange::More(None)]);
        // Rounded to the nearest tenth.
        assert_eq!([p(125, 100), p(124, 100)], [PeakChange::Fewer(Some(13)), PeakChange::Fewer(Some(12))]);
        assert_eq!(p(u64::MAX, 1), PeakChange::Fewer(Some(u64::MAX)));
    }
}
