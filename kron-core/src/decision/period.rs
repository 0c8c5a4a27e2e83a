//! The times of one period: what a host plans with.

use core::fmt;

use alloc::string::String;
use chrono::{DateTime, Utc};

use crate::time::instant::{FromTimestamp, to_utc};
use crate::time::rfc3339::Rfc3339;

/// The times of one period: its nominal time, its window and its chosen time.
///
/// [`Policy::evaluate`](crate::Policy::evaluate) and [`plan`](crate::plan::plan()) need nothing else. Every
/// [`Decision`](crate::Decision) has a period. A host that keeps times elsewhere, for example in the status of a resource,
/// makes a period of them with [`Period::new`].
///
/// Times are chrono's `DateTime<Utc>` or, by `_timestamp`, Unix seconds.
///
/// ```
/// use kron_core::{Job, Period, Policy};
/// use kron_core::plan::Action;
/// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
/// let decision = job.decide(1_772_323_200)?;
/// let kept = Period::new(1_772_323_200, (1_772_323_200, 1_772_334_000), decision.chosen_timestamp());
/// assert_eq!(kept, decision.period());
/// let until = decision.chosen_timestamp().unwrap();
/// assert_eq!(Policy::default().evaluate(kept, 1_772_323_200, false, false), Action::Wait { until });
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    nominal: i64,
    first: i64,
    last: i64,
    /// The chosen time, or the end of the window without one.
    order: i64,
    has_start: bool,
}

impl Period {
    /// A period from its times in Unix seconds. The window is its first and its last candidate; `chosen` is `None` for an
    /// unschedulable period. Any numbers are accepted.
    ///
    /// ```
    /// let period = kron_core::Period::new(0, (0, 3600), None);
    /// assert_eq!((period.chosen_timestamp(), period.order_timestamp()), (None, 3600));
    /// ```
    #[inline]
    pub const fn new(nominal: i64, window: (i64, i64), chosen: Option<i64>) -> Period {
        let (order, has_start) = match chosen {
            Some(chosen) => (chosen, true),
            None => (window.1, false),
        };
        Period { nominal, first: window.0, last: window.1, order, has_start }
    }

    /// The period id: the nominal time in RFC 3339, UTC, for example `2026-03-01T00:00:00Z`.
    ///
    /// ```
    /// // 2026-03-01T02:00:00Z, with a window of an hour around it.
    /// let nominal = 1_772_330_400;
    /// let period = kron_core::Period::new(nominal, (nominal - 1800, nominal + 1800), Some(nominal + 60));
    /// assert_eq!(period.period_id(), "2026-03-01T02:00:00Z");
    /// ```
    pub fn period_id(&self) -> String {
        alloc::format!("{}", Rfc3339(self.nominal))
    }

    /// [`period_id`](Period::period_id) as ASCII, without allocation.
    ///
    /// ```
    /// assert_eq!(&kron_core::Period::new(0, (0, 0), Some(0)).period_id_ascii(), b"1970-01-01T00:00:00Z");
    /// ```
    #[inline]
    pub fn period_id_ascii(&self) -> [u8; 20] {
        Rfc3339(self.nominal).text().padded().0
    }

    /// The instant that the schedule names.
    ///
    /// ```
    /// // 2026-03-01T02:00:00Z, with a window of an hour around it.
    /// let nominal = 1_772_330_400;
    /// let period = kron_core::Period::new(nominal, (nominal - 1800, nominal + 1800), Some(nominal + 60));
    /// assert_eq!(period.nominal_time().to_rfc3339(), "2026-03-01T02:00:00+00:00");
    /// ```
    pub fn nominal_time(&self) -> DateTime<Utc> {
        to_utc(self.nominal)
    }

    /// [`nominal_time`](Period::nominal_time) in Unix seconds.
    #[inline]
    pub const fn nominal_timestamp(&self) -> i64 {
        self.nominal
    }

    /// The first candidate of the window.
    ///
    /// ```
    /// // 2026-03-01T02:00:00Z, with a window of an hour around it.
    /// let nominal = 1_772_330_400;
    /// let period = kron_core::Period::new(nominal, (nominal - 1800, nominal + 1800), Some(nominal + 60));
    /// assert_eq!(period.window_start().to_rfc3339(), "2026-03-01T01:30:00+00:00");
    /// ```
    pub fn window_start(&self) -> DateTime<Utc> {
        to_utc(self.first)
    }

    /// [`window_start`](Period::window_start) in Unix seconds.
    #[inline]
    pub const fn window_start_timestamp(&self) -> i64 {
        self.first
    }

    /// The last candidate of the window.
    ///
    /// ```
    /// // 2026-03-01T02:00:00Z, with a window of an hour around it.
    /// let nominal = 1_772_330_400;
    /// let period = kron_core::Period::new(nominal, (nominal - 1800, nominal + 1800), Some(nominal + 60));
    /// assert_eq!(period.window_end().to_rfc3339(), "2026-03-01T02:30:00+00:00");
    /// ```
    pub fn window_end(&self) -> DateTime<Utc> {
        to_utc(self.last)
    }

    /// [`window_end`](Period::window_end) in Unix seconds.
    #[inline]
    pub const fn window_end_timestamp(&self) -> i64 {
        self.last
    }

    /// The start; `None` if the period is unschedulable.
    ///
    /// ```
    /// // 2026-03-01T02:00:00Z, with a window of an hour around it.
    /// let nominal = 1_772_330_400;
    /// let period = kron_core::Period::new(nominal, (nominal - 1800, nominal + 1800), Some(nominal + 60));
    /// assert_eq!(period.chosen_time().unwrap().to_rfc3339(), "2026-03-01T02:01:00+00:00");
    /// let unschedulable = kron_core::Period::new(nominal, (nominal, nominal), None);
    /// assert_eq!(unschedulable.chosen_time(), None);
    /// ```
    pub fn chosen_time(&self) -> Option<DateTime<Utc>> {
        self.chosen_timestamp().map(to_utc)
    }

    /// [`chosen_time`](Period::chosen_time) in Unix seconds.
    ///
    /// ```
    /// // 2026-03-01T02:00:00Z, with a window of an hour around it.
    /// let nominal = 1_772_330_400;
    /// let period = kron_core::Period::new(nominal, (nominal - 1800, nominal + 1800), Some(nominal + 60));
    /// assert_eq!(period.chosen_timestamp(), Some(nominal + 60));
    /// ```
    #[inline]
    pub const fn chosen_timestamp(&self) -> Option<i64> {
        if self.has_start { Some(self.order) } else { None }
    }

    /// All times in a type of the caller's choice: [`SystemTime`](std::time::SystemTime), `DateTime<Utc>`, `i64`, or with the
    /// feature `jiff_1` `jiff::Timestamp`.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// let times = kron_core::Period::new(60, (60, 120), Some(90)).times::<SystemTime>();
    /// assert_eq!(times.chosen_time, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(90)));
    /// ```
    pub fn times<T: FromTimestamp>(&self) -> Times<T> {
        Times {
            nominal_time: T::from_timestamp(self.nominal),
            window_start: T::from_timestamp(self.first),
            window_end: T::from_timestamp(self.last),
            chosen_time: self.chosen_timestamp().map(T::from_timestamp),
        }
    }

    /// The position in the order of starts, in Unix seconds: the chosen time, or the end of the window without one.
    #[inline]
    pub const fn order_timestamp(&self) -> i64 {
        self.order
    }
}

/// The times of a period in a type of the caller's choice. Made by [`Period::times`].
///
/// ```
/// use std::time::SystemTime;
/// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
/// let times = job.next_start(SystemTime::UNIX_EPOCH)?.times::<SystemTime>();
/// assert!(times.chosen_time.unwrap() >= times.window_start && times.window_start == times.nominal_time);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Times<T> {
    /// The instant that the schedule names.
    pub nominal_time: T,
    /// The first candidate of the window.
    pub window_start: T,
    /// The last candidate of the window.
    pub window_end: T,
    /// The start; `None` if the period is unschedulable.
    pub chosen_time: Option<T>,
}

impl AsRef<Period> for Period {
    fn as_ref(&self) -> &Period {
        self
    }
}

impl fmt::Debug for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Period({} -> ", Rfc3339(self.nominal))?;
        match self.chosen_timestamp() {
            Some(chosen) => write!(f, "{})", Rfc3339(chosen)),
            None => write!(f, "none up to {})", Rfc3339(self.last)),
        }
    }
}
