//! For which times of its clock a runner has made the starts at their times.
//!
//! If the clock was ahead and goes back, the same times come again. Starts of the times that the runner went through are
//! made already. Those of the times that the clock jumped over are not.

use crate::record::ClockAhead;

/// Stretches of time that are kept apart.
const STRETCHES: usize = 16;
/// Starts up to this many seconds before the end of a jump are made: they are late, but not too late for their deadlines.
const STARTED_LATE: i64 = 10;

/// The times that a runner went through, in Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Coverage {
    /// Stretches that a jump of the clock ended, in order.
    earlier: Vec<(i64, i64)>,
    /// When the stretch began that has not ended.
    since: i64,
}

impl Coverage {
    /// A runner that begins now.
    pub(super) fn new(now: i64) -> Coverage {
        Coverage { earlier: Vec::new(), since: now }
    }

    /// When the last jump ended, or the runner began.
    pub(super) fn since(&self) -> i64 {
        self.since
    }

    /// When the first jump began that passed over that time; `to` if there was none.
    pub(super) fn jump_from(&self, to: i64) -> i64 {
        let begins = self.earlier.iter().skip(1).map(|(begin, _)| *begin).chain([self.since]);
        let mut jumps = self.earlier.iter().map(|(_, end)| *end).zip(begins);
        jumps.find(|(_, begin)| *begin > to).map_or(to, |(end, _)| end)
    }

    /// The clock was set forwards.
    pub(super) fn jumped(&mut self, from: i64, to: i64) {
        self.earlier.push((self.since, from));
        if self.earlier.len() > STRETCHES {
            // What was between the two counts as gone through: nothing of it is started twice.
            let (_, end) = self.earlier.remove(1);
            self.earlier[0].1 = end;
        }
        self.since = to;
    }

    /// The clock was set back. Gives the times after it that the runner went through.
    pub(super) fn went_back(&mut self, from: i64, to: i64) -> Vec<ClockAhead> {
        self.earlier.push((self.since, from));
        let second = |millis: i64| millis.div_euclid(1000);
        let later = self.earlier.iter().filter(|(_, end)| *end > to);
        let later = later.map(|(begin, end)| ClockAhead {
            after: second(*begin).saturating_sub(STARTED_LATE).max(second(to)),
            through: second(*end),
        });
        let later = later.filter(|ahead| ahead.after < ahead.through).collect();
        self.earlier.retain_mut(|(begin, end)| {
            *end = (*end).min(to);
            begin < end
        });
        self.since = match self.earlier.last() {
            Some((_, end)) if *end == to => self.earlier.pop().map_or(to, |(begin, _)| begin),
            _ => to,
        };
        later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ahead(after: i64, through: i64) -> ClockAhead {
        ClockAhead { after, through }
    }

    #[test]
    fn what_a_jump_left_out_was_not_gone_through() {
        let mut coverage = Coverage::new(100_000);
        coverage.jumped(200_000, 1_000_000);
        coverage.jumped(1_060_000, 2_000_000);
        assert_eq!(coverage.went_back(2_008_000, 208_000), [ahead(990, 1060), ahead(1990, 2008)]);
        // A second step back, into what was gone through before the jump.
        assert_eq!(coverage.went_back(210_000, 150_000), [ahead(150, 200), ahead(198, 210)]);
        assert_eq!(coverage.went_back(151_000, 149_500), [ahead(149, 151)]);
        assert_eq!(coverage, Coverage { earlier: Vec::new(), since: 100_000 });
    }

    #[test]
    fn many_jumps_take_little_room() {
        let mut coverage = Coverage::new(0);
        for jump in 1..100 {
            coverage.jumped(jump * 100_000 - 50_000, jump * 100_000);
        }
        let found = coverage.went_back(9_950_000, 0);
        assert_eq!((found.len(), found[0].after, found[16].through), (17, 0, 9950));
        assert!(found[0].through > 8000);
    }
}
