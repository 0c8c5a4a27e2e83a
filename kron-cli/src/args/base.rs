//! The arguments that name what is there already.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kron_core::Zone;
use kron_fleet::forecast::{Base, ForecastRange};
use kron_formats::base::{BaseRows, read_base};

use crate::files::{label, read_file};
use crate::output::diagnostic::Diagnostic;
use crate::output::time;
use crate::session::{Session, Stop};

/// What is there already in each bucket.
#[derive(Debug, Args)]
pub(crate) struct BaseArgs {
    /// Load, price or carbon that is there already, added to every bucket: CSV `time,value`, or Prometheus' JSON
    ///
    /// A value holds until the next row, and a bucket has the greatest value that holds in it. Times are
    /// instants, `HH:MM` of each day or `MON HH:MM` of each week in --tz. JSON is the answer to a range query
    /// with one series.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    base: Option<PathBuf>,

    /// How much of the base counts as one start
    #[arg(long, value_name = "VALUE", value_parser = unit, default_value = "1", requires = "base", allow_hyphen_values = true)]
    base_unit: f64,
}

fn unit(text: &str) -> Result<f64, String> {
    let unit = text.parse().ok().filter(|unit: &f64| unit.is_finite() && *unit > 0.0);
    unit.ok_or_else(|| "expected a number above 0, such as 500 or 0.1".to_string())
}

impl BaseArgs {
    /// The starts that each bucket has already; none without a file.
    pub(crate) fn starts(
        &self,
        range: &ForecastRange,
        zone: &Zone,
        session: &mut Session<'_>,
    ) -> Result<Vec<u32>, Stop> {
        let base = self.read(range, session)?;
        Ok(base.map(|base| self.starts_of(&base, range, zone)).transpose()?.unwrap_or_default())
    }

    /// What is there already, for this range.
    pub(crate) fn read(
        &self,
        range: &ForecastRange,
        session: &mut Session<'_>,
    ) -> Result<Option<Base>, Stop> {
        let Some(path) = &self.base else { return Ok(None) };
        let source = read_file(path, session)?;
        let rows = read_base(&source.text)
            .map_err(|found| Diagnostic::of_conversion(&found, source.file.as_deref()))?;
        let base = match rows {
            BaseRows::Instants(rows) => Base::of_instants(rows),
            BaseRows::OfDay(rows) => Base::of_days(rows),
            BaseRows::OfWeek(rows) => Base::of_weeks(rows),
        };
        self.check_span(&base, path, range, session)?;
        Ok(Some(base))
    }

    /// The starts that it is in each bucket.
    pub(crate) fn starts_of(
        &self,
        base: &Base,
        range: &ForecastRange,
        zone: &Zone,
    ) -> Result<Vec<u32>, Stop> {
        let in_file = |error: kron_core::Error| {
            let error = Diagnostic::of_error(&error);
            match &self.base {
                Some(path) => error.file(label(path)),
                None => error,
            }
        };
        Ok(base.starts(range, zone, self.base_unit).map_err(in_file)?)
    }

    /// Says if instants leave out a part of the range.
    fn check_span(
        &self,
        base: &Base,
        path: &Path,
        range: &ForecastRange,
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        let Some((first, end)) = base.span() else { return Ok(()) };
        let (from, until) = (range.from_timestamp(), range.to_timestamp());
        let spans = |what: &str| {
            let until = if end == i64::MAX { String::new() } else { format!(" until {}", time::utc_of(end)) };
            format!("the base is known from {}{until}, {what}", time::utc_of(first))
        };
        if end <= from || first >= until {
            let error = Diagnostic::error(spans("which is not in the range")).file(label(path));
            let help = "set the range by --from and --for, or write times of a day such as `07:30,12`";
            return Err(error.help(help).into());
        }
        if first > from || end < until {
            let warning = Diagnostic::warning(spans("and counts as 0 in the rest of the range"));
            session.report(&warning.file(label(path)));
        }
        Ok(())
    }
}
