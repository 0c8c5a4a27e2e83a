//! What the pictures of a forecast and its page share: the columns of each side, and the places of ticks.

use kron_fleet::forecast::{Forecast, bucket_for};

use super::picture::{Picture, peak};
use super::words;
use crate::output::drawing::Paint;
use crate::output::ticks::{Tick, TickStep};
use crate::output::time::civil;

/// The most columns: each is some pixels wide. A day has columns of 10 minutes, a week columns of an hour.
const COLUMNS: usize = 180;
/// The most ticks of the axis of time, and the most levels of the axis of starts above 0.
const TICKS: usize = 12;
/// The least share of the axis between two ticks: a label needs it.
const CLOSEST: f64 = 0.06;
const LEVELS: u64 = 5;
/// One part in so many of the full height is the least that the bars of a side have.
const LEAST_PART: f64 = 6.0;

/// The bars of a picture, on one scale.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    pub(super) sides: Vec<ChartSide<'a>>,
    /// The starts of the highest bar.
    pub(super) scale: u64,
    /// The levels of starts that have a line, from 0 on.
    pub(super) levels: Vec<u64>,
    pub(super) ticks: Vec<ChartTick>,
    /// The buckets of a column; the last one may have fewer.
    pub(super) buckets: usize,
    /// Whether bars contain what is there already.
    pub(super) has_base: bool,
}

/// The bars of one side, before or after.
#[derive(Debug)]
pub(super) struct ChartSide<'a> {
    pub(super) name: &'static str,
    pub(super) paint: Paint,
    pub(super) forecast: &'a Forecast,
    pub(super) columns: Vec<Column>,
}

/// A bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// The bucket that it shows: its fullest one.
    pub(super) bucket: usize,
    /// The starts in it, with those of the base.
    pub(super) starts: u64,
    pub(super) base: u64,
}

/// The bars of a side between two ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChartPart {
    /// Where it begins and ends, as ticks say it.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) fullest: Column,
}

/// A tick of the axis of time.
#[derive(Debug, PartialEq)]
pub(super) struct ChartTick {
    /// Where it is: from 0 at the beginning of the range to 1 at its end.
    pub(super) share: f64,
    pub(super) label: String,
}

impl ChartSide<'_> {
    /// The starts of the highest bar.
    pub(super) fn most(&self) -> u64 {
        self.columns.iter().map(|column| column.starts).max().unwrap_or(0)
    }
}

impl<'a> Chart<'a> {
    pub(super) fn new(picture: &Picture<'a>) -> Chart<'a> {
        let range = picture.after.range();
        let column = bucket_for(range.from_timestamp()..range.to_timestamp(), COLUMNS).as_secs();
        // OK because a column is at most 6 hours.
        let times = (column as i64 / range.per_seconds()).max(1) as usize;
        let columns = picture.after.buckets().len().div_ceil(times).min(COLUMNS);
        let scale = picture.before.map_or(0, peak).max(peak(picture.after));
        let side = |(name, paint, forecast): (&'static str, Paint, &'a Forecast)| {
            let column = |bucket: &usize| Column {
                bucket: *bucket,
                starts: forecast.buckets()[*bucket].starts.into(),
                base: picture.base.and_then(|base| base.get(*bucket)).copied().unwrap_or(0).into(),
            };
            let columns = forecast.columns(columns).fullest.iter().map(column).collect();
            ChartSide { name, paint, forecast, columns }
        };
        let length = (range.to_timestamp() - range.from_timestamp()).max(1) as f64;
        let tick = |(tick, step): (Tick, TickStep)| {
            let label = words::tick(tick, step, range, picture.zone);
            ChartTick {
                share: (tick.timestamp - range.from_timestamp()) as f64 / length,
                // An hour alone is hard to tell from a day.
                label: match label.parse::<u8>() {
                    Ok(_) => civil(tick.timestamp, picture.zone, "%H:%M"),
                    Err(_) => label,
                },
            }
        };
        let mut ticks: Vec<ChartTick> =
            words::ticks(range, picture.zone, TICKS).into_iter().map(tick).collect();
        // Where the clocks skip an hour, two ticks can be closer than their labels.
        ticks.dedup_by(|later, kept| later.share - kept.share < CLOSEST);
        let sides = match picture.before {
            Some(before) => vec![
                (picture.sides.before, Paint::Before, before),
                (picture.sides.after, Paint::After, picture.after),
            ],
            None => vec![("starts", Paint::After, picture.after)],
        };
        Chart {
            sides: sides.into_iter().map(side).collect(),
            scale,
            levels: levels(scale),
            ticks,
            buckets: picture.after.columns(columns).buckets,
            has_base: picture.base.is_some(),
        }
    }

    /// The seconds of a bucket.
    pub(super) fn per(&self) -> i64 {
        self.sides.first().map_or(60, |side| side.forecast.range().per_seconds())
    }

    /// What is counted.
    pub(super) fn what(&self) -> &'static str {
        if self.has_base { "starts and base" } else { "starts" }
    }

    /// What a bar counts: `starts per minute`.
    pub(super) fn unit(&self) -> String {
        format!("{} per {}", self.what(), words::bucket(self.per()))
    }

    /// How a bar stands for several buckets; empty if it is one.
    pub(super) fn of_column(&self) -> String {
        match self.buckets {
            1 => String::new(),
            _ => format!("each column: its fullest {}", words::bucket(self.per())),
        }
    }

    /// The part of the full height that the bars of a side need: what is above them, on the scale of the highest, shows nothing.
    pub(super) fn part(&self, side: &ChartSide<'_>) -> f64 {
        self.height(side.most().max(1), LEAST_PART)
    }

    /// The levels within that part, with their places from 0 at the bottom to 1 at the height of the highest bar.
    pub(super) fn levels_of(&self, side: &ChartSide<'_>) -> impl Iterator<Item = (u64, f64)> {
        let part = self.part(side);
        let placed = self.levels.iter().map(|level| (*level, *level as f64 / self.scale.max(1) as f64));
        placed.filter(move |(_, place)| *place <= part)
    }

    /// The words beside the name of a side. The first side has the unit of its bars; the second one has the same scale, and says how high
    /// its highest bar is.
    pub(super) fn legend(&self, side: &ChartSide<'_>) -> String {
        match (std::ptr::eq(side, &self.sides[0]), self.of_column()) {
            (false, _) => format!("same scale, at most {}", words::grouped(side.most())),
            (true, of_column) if of_column.is_empty() => self.unit(),
            (true, of_column) => format!("{}, {of_column}", self.unit()),
        }
    }

    /// The bars of a side from one tick to the next. A bar belongs to the part in which it begins.
    pub(super) fn parts(&self, side: &ChartSide<'_>) -> Vec<ChartPart> {
        let count = side.columns.len();
        let share = |place: usize| place as f64 / count as f64;
        let ends =
            self.ticks.iter().map(|tick| (0..count).filter(|place| share(*place) < tick.share).count());
        let mut begin = 0;
        let mut parts = Vec::new();
        for end in ends.chain([count]) {
            let most = side.columns[begin..end].iter().rev().max_by_key(|column| column.starts);
            if let Some(fullest) = most {
                parts.push(ChartPart { from: share(begin), to: share(end), fullest: *fullest });
                begin = end;
            }
        }
        parts
    }

    /// The height of a number of starts, from 0 to 1. What is there can be seen if 1 is so many pixels high.
    pub(super) fn height(&self, starts: u64, pixels: f64) -> f64 {
        match starts {
            0 => 0.0,
            _ => (starts as f64 / self.scale.max(1) as f64).max(1.0 / pixels),
        }
    }
}

/// A few levels from 0 up to a number: multiples of 1, 2 or 5 times a power of ten.
fn levels(most: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
    // OK because a number has no more digits than the steps.
    let step = steps.find(|step| most / step <= LEVELS).unwrap_or(u64::MAX);
    (0..=most / step).map(|count| count * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_round() {
        assert_eq!([levels(0), levels(1)], [vec![0], vec![0, 1]]);
        assert_eq!(levels(4), [0, 1, 2, 3, 4]);
        assert_eq!(levels(6), [0, 2, 4, 6]);
        assert_eq!(levels(24), [0, 5, 10, 15, 20]);
        assert_eq!(levels(276), [0, 50, 100, 150, 200, 250]);
        assert_eq!(levels(599), [0, 100, 200, 300, 400, 500]);
        assert_eq!(levels(600), [0, 200, 400, 600]);
        assert_eq!(levels(u64::from(u32::MAX)).len(), 5);
    }
}
