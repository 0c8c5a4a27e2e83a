//! The heat map of a forecast: its starts by weekday and hour.

use kron_core::Zone;

use crate::DAY;
use crate::forecast::summary::Forecast;

/// The starts of a forecast in one hour of one weekday, over all weeks of its range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeatMapCell {
    /// The number of buckets that begin in this hour. It is 0 if the range does not contain the hour.
    pub buckets: u32,
    /// The number of starts in these buckets.
    pub starts: u64,
    /// The most starts in one of them.
    pub peak: u32,
}

/// The starts of a forecast by weekday and hour on the clocks of a zone. Made by [`Forecast::heat_map`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatMap {
    days: [[HeatMapCell; 24]; 7],
}

impl HeatMap {
    /// The hours of each weekday, Monday first.
    pub fn days(&self) -> &[[HeatMapCell; 24]; 7] {
        &self.days
    }

    /// The most starts in one bucket of any hour.
    ///
    /// ```
    /// use kron_core::{Duration, Job, Zone};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, HeatMap, forecast};
    /// let job = Job::parse("web/ping", "0,1,2 4 * * *")?;
    /// let week = ForecastRange::new(0..7 * 86_400, Duration::from_secs(3600))?;
    /// let found = forecast(&[ForecastJob::new(&job)], &week, ForecastBy::NominalTime)?;
    /// assert_eq!(found.heat_map(&Zone::UTC).peak(), 3);
    /// assert_eq!(HeatMap::default().peak(), 0);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn peak(&self) -> u32 {
        self.days.iter().flatten().map(|cell| cell.peak).max().unwrap_or(0)
    }
}

impl Forecast {
    /// The starts by weekday and hour on the clocks of a zone. A bucket counts for the hour in which it begins.
    ///
    /// ```
    /// use kron_core::{Duration, Job, Zone};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "@daily")?;
    /// // 1970-01-01 was a Thursday, and 00:00 in UTC is 01:00 in Paris.
    /// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
    /// let found = forecast(&[ForecastJob::new(&job)], &day, ForecastBy::NominalTime)?;
    /// let map = found.heat_map(&Zone::parse("Europe/Paris")?);
    /// let thursday = map.days()[3];
    /// assert_eq!((thursday[1].buckets, thursday[1].starts, thursday[1].peak), (60, 1, 1));
    /// assert_eq!(map.days()[0][1].buckets, 0);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn heat_map(&self, zone: &Zone) -> HeatMap {
        let mut map = HeatMap::default();
        let mut changes = zone.changes(self.range.from_timestamp()).peekable();
        let mut offset = i64::from(zone.offset_at(self.range.from_timestamp()));
        for (index, bucket) in self.buckets.iter().enumerate() {
            let begin = self.range.bucket(index).0;
            while let Some(change) = changes.next_if(|change| change.timestamp <= begin) {
                offset = i64::from(change.offset_after);
            }
            let civil = begin.saturating_add(offset);
            // OK because both are small and not negative. 1970-01-01 was a Thursday, and a Monday is 0.
            let hour = (civil.rem_euclid(DAY) / 3600) as usize;
            let day = (civil.div_euclid(DAY) + 3).rem_euclid(7) as usize;
            let cell = &mut map.days[day][hour];
            cell.buckets += 1;
            cell.starts += u64::from(bucket.starts);
            cell.peak = cell.peak.max(bucket.starts);
        }
        map
    }
}
