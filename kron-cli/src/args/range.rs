//! The arguments that name a range of time, the same for every subcommand that has one.

use chrono::{DateTime, Months};
use clap::Args;
use kron_core::cron::{NOMINAL_MAX, NOMINAL_MIN};
use kron_core::{Instant as _, Zone};

use super::time::{civil_day, instant};
use super::years;
use crate::output::diagnostic::Diagnostic;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::{CivilDay, DayArg, LengthArg, TimeArg, days_after};

const DAY: i64 = 86_400;

/// A range of time.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RangeArgs {
    /// Begin at this time, which belongs to the range
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<TimeArg>,

    /// End before this time
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) until: Option<TimeArg>,

    /// The length of the range: 90m, 24h, 7d, 2w; with --until, the range ends there
    #[arg(long = "for", value_name = "LENGTH", value_parser = LengthArg::parse)]
    pub(crate) length: Option<LengthArg>,

    /// One whole day instead, in the zone of --tz; it is shorter or longer than 24 hours if clocks change
    #[arg(long, value_name = "DAY", value_parser = DayArg::parse, conflicts_with_all = ["from", "until", "length"])]
    pub(crate) day: Option<DayArg>,
}

/// A length in years, for subcommands whose range has years.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct YearsArgs {
    /// The length of the range in years
    #[arg(long, value_name = "N", value_parser = years, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["until", "length", "day"])]
    pub(crate) years: Option<u32>,
}

/// The range of a subcommand without options, and what its help says about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DefaultRange {
    /// What the help says after "default:".
    pub(crate) words: &'static str,
    pub(crate) begin: Begin,
    pub(crate) length: Length,
    /// The longest range in days, if a longer one would take too long.
    pub(crate) days_max: Option<i64>,
}

/// Where a range begins by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    Now,
    /// The first instant of today, or of tomorrow, in the zone of `--tz`.
    Today,
    Tomorrow,
}

/// How long a range is by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Endless,
    /// Days on the clocks of `--tz`: it ends at the time of day at which it begins.
    Days(i64),
    Years(u32),
}

/// A range of Unix seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// The first second.
    pub(crate) from: i64,
    /// The second after the last.
    pub(crate) to: i64,
    /// Whether it has an end.
    pub(crate) bounded: bool,
    /// The range in words, to put after "no start".
    pub(crate) words: String,
}

impl DefaultRange {
    /// The default with this number of years as its length.
    pub(crate) fn years(self, args: YearsArgs) -> DefaultRange {
        DefaultRange { length: args.years.map_or(self.length, Length::Years), ..self }
    }
}

impl RangeArgs {
    /// Whether an argument says where the range ends.
    pub(crate) fn has_end(&self) -> bool {
        self.until.is_some() || self.length.is_some() || self.day.is_some()
    }

    /// Whether an argument says where the range begins or ends.
    pub(crate) fn is_given(&self) -> bool {
        self.from.is_some() || self.has_end()
    }

    /// Whether both ends are distances from now, so that the range is about a length of time and not about a second.
    pub(crate) fn is_relative(&self) -> bool {
        let is_relative = |arg: Option<TimeArg>| arg.is_none_or(TimeArg::is_relative);
        let is_named = self.from.is_some() || self.until.is_some();
        is_named && is_relative(self.from) && is_relative(self.until)
    }

    /// This day, if no argument says anything else.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn or_day(&self, day: DayArg) -> RangeArgs {
        match self.is_given() {
            true => self.clone(),
            false => RangeArgs { day: Some(day), ..RangeArgs::default() },
        }
    }

    /// The error of a range whose end is named twice.
    pub(crate) fn named_twice() -> Stop {
        let error = Diagnostic::error("--from, --until and --for together name the end twice");
        error.help("leave one of them out").into()
    }

    /// The range. `after` is the time of `--at`, if the subcommand has it: the range begins after it.
    pub(crate) fn resolve(
        &self,
        after: Option<TimeArg>,
        default: DefaultRange,
        zone: &Zone,
        session: &mut Session<'_>,
    ) -> Result<Range, Stop> {
        if let Some(day) = self.day {
            let CivilDay { date, first: from, end: to } = civil_day("--day", day, zone, session)?;
            return Ok(Range { from, to, bounded: true, words: format!("on {date} in {zone}") });
        }
        if self.from.is_some() && self.until.is_some() && self.length.is_some() {
            return Err(RangeArgs::named_twice());
        }
        let until = match self.until {
            Some(until) => Some(instant("--until", until, zone, session)?.ceil()),
            None => None,
        };
        let base = match (after, self.from, until, self.length) {
            (Some(at), ..) => instant("--at", at, zone, session)?.floor(),
            (None, Some(from), ..) => instant("--from", from, zone, session)?.ceil(),
            (None, None, Some(until), Some(length)) => {
                until.checked_sub(length.0).ok_or_else(out_of_range)?
            }
            // A range up to 7 days from now begins now.
            (None, None, ..)
                if default.begin == Begin::Tomorrow && self.until.is_some_and(TimeArg::is_relative) =>
            {
                Begin::Now.resolve(zone, session)?
            }
            (None, None, ..) => default.begin.resolve(zone, session)?,
        };
        let (from, mut words) = match after {
            Some(_) => (base.saturating_add(1), format!("after {}", time::utc_of(base))),
            None => (base, format!("from {} on", time::utc_of(base))),
        };
        let to = match (until, self.length) {
            (Some(until), _) => Some(until),
            (None, Some(length)) => Some(base.checked_add(length.0).ok_or_else(out_of_range)?),
            (None, None) => default.length.after(base, zone)?,
        };
        let Some(to) = to else { return Ok(Range { from, to: i64::MAX, bounded: false, words }) };
        if to <= base {
            let message = format!("--until is not after {}, where the range begins", time::utc_of(base));
            return Err(Diagnostic::error(message).help("choose a later --until").into());
        }
        if let Some(days) = default.days_max.filter(|days| to - base > days * DAY) {
            let error = Diagnostic::error(format!("the range is longer than {days} days"));
            return Err(error.help("choose a shorter one by --until or --for").into());
        }
        words += &format!(" and before {}", time::utc_of(to));
        Ok(Range { from, to, bounded: true, words })
    }
}

impl Range {
    /// The same length of time from a whole multiple of so many seconds on, which the clocks show.
    pub(crate) fn aligned(self, seconds: i64) -> Range {
        let before = self.from.rem_euclid(seconds.max(1));
        Range { from: self.from - before, to: self.to.saturating_sub(before), ..self }
    }
}

impl Begin {
    fn resolve(self, zone: &Zone, session: &mut Session<'_>) -> Result<i64, Stop> {
        let day = match self {
            Begin::Now => return Ok(session.now().ceil()),
            Begin::Today => DayArg::FromToday(0),
            Begin::Tomorrow => DayArg::FromToday(1),
        };
        Ok(civil_day("--from", day, zone, session)?.first)
    }
}

impl Length {
    /// The end of a range that begins at a second, if it has one.
    fn after(self, from: i64, zone: &Zone) -> Result<Option<i64>, Stop> {
        let end = match self {
            Length::Endless => return Ok(None),
            Length::Days(days) => days_after(from, days, zone),
            Length::Years(years) => DateTime::from_timestamp(from, 0)
                .and_then(|from| from.checked_add_months(Months::new(12 * years)))
                .map(|end| end.timestamp()),
        };
        end.map(Some).ok_or_else(out_of_range)
    }
}

fn out_of_range() -> Stop {
    Diagnostic::error("the time is out of range").into()
}

/// Refuses a range that has no nominal time, and warns of one that reaches beyond them.
pub(crate) fn check_years(range: &Range, session: &mut Session<'_>) -> Result<(), Stop> {
    const YEARS: &str = "cron times lie in the years 1970 to 2099";
    if range.from > NOMINAL_MAX || range.to <= NOMINAL_MIN {
        let error = Diagnostic::error(format!("no job starts in this range: {YEARS}"));
        return Err(error.help("choose a range in these years").into());
    }
    // The first and the last day begin and end at other times in other zones.
    if range.from < NOMINAL_MIN - DAY || range.to > NOMINAL_MAX + DAY {
        session.report(&Diagnostic::warning(format!("no job starts in the rest of the range: {YEARS}")));
    }
    Ok(())
}
