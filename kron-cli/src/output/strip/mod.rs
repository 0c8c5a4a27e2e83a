//! The window of a period as a strip: its nominal time, its allowed and forbidden parts, how likely each is, the draws and the
//! chosen time.
//!
//! Every number is one of the core: the runs of allowed seconds, the distribution, the draws. The strip cuts the window into cells of
//! whole seconds, so that a terminal and a picture of any width can show it.

pub(crate) mod svg;
pub(crate) mod text;

use kron_core::draw::DistributionName;
use kron_core::proof::Explanation;
use kron_core::{Job, Zone};

use crate::output::ticks::{self, TickStep};
use crate::output::time::civil;

/// A part of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Whether the constraints allow one of its seconds.
    pub(super) is_allowed: bool,
    /// How likely a draw is to be an allowed second of it, per second of the cell, as a share of the likeliest cell: 0 to 1.
    pub(super) likelihood: f64,
}

/// A tick of the axis and what stands at it.
#[derive(Debug)]
pub(super) struct Tick {
    pub(super) timestamp: i64,
    pub(super) label: String,
}

/// The form of a label in chrono's notation, and how many letters it has at most.
fn label(step: TickStep) -> (&'static str, usize) {
    match step {
        TickStep::Seconds(..60) => ("%H:%M:%S", 8),
        TickStep::Seconds(_) => ("%H:%M", 5),
        TickStep::Days(_) => ("%-d %b", 6),
        TickStep::Months(_) => ("%b %Y", 8),
    }
}

/// A window in cells.
#[derive(Debug)]
pub(crate) struct Strip<'a> {
    first: i64,
    seconds: u64,
    pub(super) cells: Vec<Cell>,
    pub(super) nominal: i64,
    pub(super) chosen: Option<i64>,
    /// The forbidden draws, in order.
    pub(super) forbidden: Vec<i64>,
    /// Whether all allowed seconds are equally likely.
    pub(super) is_uniform: bool,
    pub(super) zone: &'a Zone,
}

impl<'a> Strip<'a> {
    /// A strip with at most so many cells. `None` for a window of one second, which has nothing to show.
    pub(super) fn new(job: &'a Job, explanation: &Explanation<'_>, most: usize) -> Option<Strip<'a>> {
        let decision = &explanation.decision;
        let (first, last) = (decision.window_start_timestamp(), decision.window_end_timestamp());
        let seconds = explanation.candidates;
        if seconds < 2 {
            return None;
        }
        let count = usize::try_from(seconds).unwrap_or(most).min(most.max(1));
        let distribution = job.spec().distribution();
        let mut strip = Strip {
            first,
            seconds,
            cells: vec![Cell { is_allowed: false, likelihood: 0.0 }; count],
            nominal: decision.nominal_timestamp(),
            chosen: decision.chosen_timestamp(),
            forbidden: explanation
                .draws
                .iter()
                .filter(|draw| draw.forbidden.is_some())
                .map(|draw| draw.candidate)
                .collect(),
            is_uniform: distribution.name() == DistributionName::Uniform,
            zone: job.spec().timezone(),
        };
        let mut allowed = vec![0; count];
        // An explanation lists the first runs only, and this needs all of them.
        job.spec().constraints().each_allowed_run(strip.zone, first, last, |first, last| {
            strip.add(&mut allowed, first, last);
            true
        });
        let shares: Vec<f64> = (0..count)
            .map(|index| allowed[index] as f64 / (strip.second(index + 1) - strip.second(index)) as f64)
            .collect();
        let before = distribution.cumulative(job.spec().window());
        let mut below = 0.0;
        for (index, allowed) in allowed.into_iter().enumerate() {
            let (begin, end) = (strip.second(index), strip.second(index + 1));
            let until = if index + 1 == count { 1.0 } else { before(end as f64 / seconds as f64) };
            let is_chosen = strip.chosen.is_some_and(|chosen| strip.cell_of(chosen) == index);
            let share = whole_at_an_edge(&shares, index, is_chosen);
            strip.cells[index] = Cell {
                is_allowed: allowed > 0 && share > 0.0,
                likelihood: (until - below).max(0.0) / (end - begin) as f64 * share,
            };
            below = until;
        }
        let most = strip.cells.iter().map(|cell| cell.likelihood).fold(0.0, f64::max);
        if most > 0.0 {
            strip.cells.iter_mut().for_each(|cell| cell.likelihood /= most);
        }
        Some(strip)
    }

    /// The same window with the place of a schedule, which no draw of the job chose.
    pub(super) fn placed(self, chosen: i64) -> Strip<'a> {
        Strip { chosen: Some(chosen), forbidden: Vec::new(), ..self }
    }

    /// Adds a run of allowed seconds to the counts of the cells.
    fn add(&self, counts: &mut [u64], first: i64, last: i64) {
        let cells = self.cell_of(first)..=self.cell_of(last);
        for (index, count) in cells.clone().zip(&mut counts[cells]) {
            let begin = self.first + self.second(index) as i64;
            let end = self.first + self.second(index + 1) as i64 - 1;
            *count += (last.min(end) - first.max(begin) + 1).unsigned_abs();
        }
    }

    /// The first second of a cell, counted from the first of the window.
    fn second(&self, cell: usize) -> u64 {
        // OK because windows have less than 2^25 seconds, and there are fewer cells.
        cell as u64 * self.seconds / self.cells.len() as u64
    }

    /// The cell of a second of the window.
    pub(super) fn cell_of(&self, timestamp: i64) -> usize {
        let second = timestamp.saturating_sub(self.first).max(0).unsigned_abs().min(self.seconds - 1);
        // The inverse of `second`: the last cell that begins at this second or before it.
        (((second + 1) * self.cells.len() as u64 - 1) / self.seconds) as usize
    }

    /// The ticks of its axis: whole times on the clocks of the zone. A label may have so many cells.
    pub(super) fn ticks(&self, cells_of_label: impl Fn(usize) -> f64) -> Vec<Tick> {
        let end = self.first.saturating_add_unsigned(self.seconds);
        let found = ticks::ticks(self.first, end, self.zone, |step| {
            let cells = step.least() as f64 / self.seconds as f64 * self.cells.len() as f64;
            cells >= cells_of_label(label(step).1)
        });
        let Some((step, found)) = found else { return Vec::new() };
        // In ranges of more than a day, midnights are named by their days.
        let is_long = self.seconds > 86_400 && matches!(step, TickStep::Seconds(60..));
        let named = |tick: ticks::Tick| {
            let form = if is_long && tick.begins_day { label(TickStep::Days(1)).0 } else { label(step).0 };
            Tick { timestamp: tick.timestamp, label: civil(tick.timestamp, self.zone, form) }
        };
        found.into_iter().map(named).collect()
    }

    /// The cells of the forbidden draws, each once, in order of time.
    pub(super) fn forbidden_cells(&self) -> Vec<usize> {
        let mut cells: Vec<usize> = self.forbidden.iter().map(|draw| self.cell_of(*draw)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Whether a part of the window is forbidden as a whole, as far as the cells show it.
    pub(super) fn has_forbidden(&self) -> bool {
        self.cells.iter().any(|cell| !cell.is_allowed)
    }
}

/// The share of a cell that is allowed. Between an allowed and a forbidden cell it is all or nothing: a lower bar would look like less
/// likely seconds. The cell of the chosen second is allowed, as that second is.
fn whole_at_an_edge(shares: &[f64], index: usize, is_chosen: bool) -> f64 {
    let at = |index: Option<usize>| index.and_then(|index| shares.get(index)).copied();
    let around = [at(index.checked_sub(1)), at(index.checked_add(1))];
    match around {
        [Some(1.0), Some(0.0)] | [Some(0.0), Some(1.0)] if is_chosen => 1.0,
        [Some(1.0), Some(0.0)] | [Some(0.0), Some(1.0)] => shares[index].round(),
        _ => shares[index],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-02T00:00:00Z, a Monday.
    const MONDAY: i64 = 1_772_409_600;

    fn p(text: &str, most: usize) -> Option<(String, usize, Option<usize>)> {
        let job = Job::parse("a/b", text).unwrap();
        let strip = Strip::new(&job, &job.explain(MONDAY).unwrap(), most)?;
        let cells = strip.cells.iter().map(|cell| match cell {
            Cell { is_allowed: false, .. } => '-',
            // From 0 to 9.
            Cell { likelihood, .. } => char::from(b'0' + (likelihood * 9.0).round() as u8),
        });
        let chosen = strip.chosen.map(|chosen| strip.cell_of(chosen));
        Some((cells.collect(), strip.cell_of(strip.nominal), chosen))
    }

    fn cells(text: &str, most: usize) -> String {
        p(text, most).unwrap().0
    }

    #[test]
    fn cells_have_what_the_constraints_allow() {
        assert_eq!(p("@daily", 10), None);
        assert_eq!(cells("@daily @win(after,1s)", 10), "99");
        assert_eq!(cells("@daily @win(after,10h)", 10), "9999999999");
        assert_eq!(cells("@daily @win(after,10h) @only(hours=0,4-6)", 10), "9---999---");
        // The edges of what is forbidden, in the midst of cells.
        assert_eq!(cells("@daily @win(after,10h) @avoid(between=03:40-06:19)", 10), "9999--9999");
        assert_eq!(cells("@daily @win(after,10h) @avoid(between=03:20-06:39)", 10), "999----999");
        // Two thirds of a cell are allowed.
        assert_eq!(cells("@daily @win(after,10h) @avoid(between=04:00-04:19)", 10), "9999699999");
        assert_eq!(cells("@daily @win(after,10h) @only(hours=12)", 10), "----------");
        // More runs than an explanation lists.
        assert_eq!(cells("@daily @win(after,1440h) @avoid(between=00:00-00:09,00:20-00:29)", 6), "999999");
        let minutes = (0..60).step_by(2).map(|at| format!("{at:02}")).map(|at| format!("00:{at}-00:{at}"));
        let minutes: Vec<String> = minutes.take(9).collect();
        assert_eq!(
            cells(&format!("@daily @win(after,8784h) @only(between={})", minutes.join(",")), 4),
            "9999"
        );
    }

    #[test]
    fn likelihoods_follow_the_distribution() {
        assert_eq!(cells("@daily @win(after,10h) @dist(normal)", 10), "0136996310");
        assert_eq!(cells("@daily @win(after,10h) @dist(exponential,lambda=8)", 10), "9421000000");
        assert_eq!(cells("@daily @win(after,10h) @dist(skewLate)", 10), "1222222349");
        assert_eq!(cells("@daily @win(after,10h) @dist(normal) @avoid(hours=4)", 10), "0136-96310");
        // All of it in one cell.
        assert_eq!(cells("@daily @win(after,10h) @dist(exponential,lambda=1e300)", 4), "9000");
        assert_eq!(cells("@daily @win(after,10h) @dist(exponential,lambda=1e300,dir=late)", 4), "0009");
    }

    #[test]
    fn cells_of_seconds() {
        assert_eq!(p("@daily @win(before,10h)", 10).unwrap().1, 9);
        assert_eq!(p("@daily @win(around,10h)", 11).unwrap().1, 5);
        let job = Job::parse("a/b", "@daily @win(after,100s)").unwrap();
        for most in [1, 2, 3, 7, 64, 100, 101, 500] {
            let strip = Strip::new(&job, &job.explain(MONDAY).unwrap(), most).unwrap();
            for second in 0..=100 {
                let cell = strip.cell_of(MONDAY + second);
                let (begin, end) = (strip.second(cell) as i64, strip.second(cell + 1) as i64);
                assert!((begin..end).contains(&second), "{second} of {most} cells: {cell}");
            }
        }
    }
}
