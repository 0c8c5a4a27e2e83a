//! A picture for a terminal: the result in a sentence, and the starts over time, before and after, on one scale.

use kron_core::Zone;
use kron_fleet::forecast::{Forecast, ForecastJob, PeakChange};
use unicode_width::UnicodeWidthStr as _;

use super::bars::{self, Bar};
use super::words::{self, BASE, Headline, Sides};
use crate::output::plural::plural;
use crate::output::terminal::{Ink, Terminal, wrapped};
use crate::output::time::civil;

/// A bar is at most so many columns wide.
const WIDEST: usize = 8;
/// The columns that a tick needs for its label and some room.
const TICK: usize = 9;

/// What a picture shows. All forecasts have the same buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture<'a> {
    pub(crate) sides: Sides,
    /// `None` if there is nothing to compare.
    pub(crate) before: Option<&'a Forecast>,
    pub(crate) after: &'a Forecast,
    /// The starts that each bucket has already. The forecasts contain them.
    pub(crate) base: Option<&'a [u32]>,
    /// The starts of the jobs before, if there is something to compare, and after, without the base.
    pub(crate) starts: (Option<u64>, u64),
    /// How many jobs there are, without those that are suspended.
    pub(crate) jobs: usize,
    /// The length of `--window`.
    pub(crate) window: Option<&'a str>,
    /// The zone of ticks and times.
    pub(crate) zone: &'a Zone,
}

/// The most starts in one bucket.
pub(crate) fn peak(forecast: &Forecast) -> u64 {
    forecast.buckets().iter().map(|bucket| u64::from(bucket.starts)).max().unwrap_or(0)
}

/// How many jobs are not suspended.
pub(crate) fn in_force(jobs: &[ForecastJob<'_>]) -> usize {
    jobs.iter().filter(|found| !found.job.spec().policy().suspend()).count()
}

/// Whether a job that starts has a window.
pub(crate) fn has_window(jobs: &[ForecastJob<'_>]) -> bool {
    jobs.iter().any(|found| {
        let spec = found.job.spec();
        !spec.policy().suspend() && !spec.window().duration().is_zero()
    })
}

/// Whether windows disperse a herd: the fullest bucket has fewer starts than before.
pub(crate) fn is_dispersed(before: &Forecast, after: &Forecast) -> bool {
    matches!(PeakChange::of(peak(before), peak(after)), PeakChange::Fewer(_))
}

/// Whether all there is is one start: it needs one picture.
pub(crate) fn is_one_start(before: &Forecast, after: &Forecast) -> bool {
    (before.total(), after.total()) == (1, 1)
}

impl Picture<'_> {
    pub(crate) fn headline(&self) -> Headline {
        let range = self.after.range();
        let only = self.after.summary(|bucket| u64::from(bucket.starts));
        let is_one = self.starts.1 == 1 && self.before.map_or(0, peak) <= 1 && range.per_seconds() <= 60;
        let when = if is_one {
            let (at, _) = range.bucket(only.peak_bucket);
            format!("{} {}", words::day(at, self.zone), civil(at, self.zone, "%H:%M"))
        } else {
            words::range(range.from_timestamp(), range.to_timestamp(), self.zone)
        };
        Headline {
            per: range.per_seconds(),
            range: when,
            sides: self.sides,
            before: self.before.map(peak),
            after: peak(self.after),
            starts: self.starts.1,
            jobs: self.jobs,
            has_base: self.base.is_some(),
            window: self.window.map(str::to_string),
        }
    }

    /// The sentence, and how much there is.
    pub(crate) fn head(&self, terminal: &Terminal) -> Vec<String> {
        let sentence = wrapped(&self.headline().sentence(), terminal.columns, "");
        let mut lines: Vec<String> = sentence.iter().map(|line| terminal.paint(Ink::Bold, line)).collect();
        lines.push(self.amount());
        lines
    }

    /// How much there is, and the zone of all times: `300 jobs, 1,128 starts, UTC`. Windows move starts over the ends of a range.
    pub(crate) fn amount(&self) -> String {
        let (jobs, (before, after)) = (plural(self.jobs, "job"), self.starts);
        let starts = match before.filter(|before| *before != after) {
            None => words::starts(after),
            Some(before) => {
                let Sides { before: name, after: name_after } = self.sides;
                format!("{} {name}, {} {name_after}", words::starts(before), words::grouped(after))
            }
        };
        format!("{jobs}, {starts}, {}", self.zone.name())
    }

    /// The bars of each side with its name, and the axis below them.
    pub(crate) fn bars(&self, terminal: &Terminal) -> Vec<String> {
        let scale = self.before.map_or(0, peak).max(peak(self.after));
        if scale == 0 {
            return Vec::new();
        }
        let room = self.after.range().columns_within(terminal.columns);
        let columns = self.after.columns(room);
        let width = (terminal.columns / columns.fullest.len().max(1)).clamp(1, WIDEST);
        let of_column = match columns.buckets {
            1 => String::new(),
            // A column has it or not.
            _ if self.starts == (None, 1) || self.starts == (Some(1), 1) => String::new(),
            _ => format!(", each column: its fullest {}", words::bucket(self.after.range().per_seconds())),
        };
        let starts = |forecast: &Forecast| -> Vec<u32> {
            forecast.buckets().iter().map(|bucket| bucket.starts).collect()
        };
        let is_same = self.before.is_some_and(|before| starts(before) == starts(self.after));
        let Sides { before, after } = self.sides;
        let sides = match self.before {
            Some(_) if is_same => vec![(format!("{before} and {after}{of_column}"), Ink::After, self.after)],
            None => vec![(format!("starts{of_column}"), Ink::After, self.after)],
            Some(forecast) => vec![
                (format!("{before}{of_column}"), Ink::Before, forecast),
                (format!("{after}, same scale"), Ink::After, self.after),
            ],
        };
        let mut lines = Vec::new();
        for (name, ink, forecast) in sides {
            let bar = |index: &usize| Bar {
                starts: forecast.buckets()[*index].starts.into(),
                base: self.base.and_then(|base| base.get(*index)).copied().unwrap_or(0).into(),
            };
            let bars: Vec<Bar> = forecast.columns(room).fullest.iter().map(bar).collect();
            lines.push(name);
            lines.extend(bars::lines(&bars, scale, width, ink, terminal));
        }
        lines.push(self.axis(columns.buckets, width, columns.fullest.len(), terminal));
        if self.base.is_some_and(|base| base.iter().any(|starts| *starts > 0)) {
            lines.push(terminal.paint(Ink::Dim, &format!("{} {BASE}", bars::base(terminal))));
        }
        lines
    }

    /// The labels of the ticks, each at its column.
    fn axis(&self, buckets: usize, width: usize, columns: usize, terminal: &Terminal) -> String {
        let range = self.after.range();
        let column = buckets as i128 * i128::from(range.per_seconds());
        let mut line = String::new();
        for (tick, step) in words::ticks(range, self.zone, (columns * width / TICK).max(1)) {
            let label = words::tick(tick, step, range, self.zone);
            let seconds = i128::from(tick.timestamp) - i128::from(range.from_timestamp());
            // OK because a tick is in the range. A bar that is several columns wide begins at its first one.
            let at = (seconds * width as i128 / column.max(1)) as usize;
            let is_free = line.is_empty() || at > line.width();
            if is_free && at + label.width() <= terminal.columns {
                line.extend(std::iter::repeat_n(' ', at - line.width()));
                line.push_str(&label);
            }
        }
        line
    }
}
