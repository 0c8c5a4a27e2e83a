//! What `kron prime` answers about one schedule, and its JSON.

use chrono::{DateTime, Months, Utc};
use kron_core::time::{Rfc3339, to_utc};
use kron_core::{Cron, Duration, Error, Instant, JobSpec, Schedule, Zone};
use serde::Serialize;

use super::{LeadChange, Prime as _, PrimedSchedule, lead_changes};

/// Clock changes are searched for this many months ahead.
const MONTHS: Months = Months::new(36);

/// The expressions that fire a lead before a schedule, and what changes of the clocks do to the lead.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrimeAnswer {
    /// The schedule in its zone.
    pub schedule: Schedule,
    /// How long before each start the expressions fire.
    pub lead: Duration,
    /// The expressions.
    pub primed: PrimedSchedule,
    /// The changes of the lead in the three years after an instant.
    pub changes: Vec<LeadChange>,
}

impl PrimeAnswer {
    /// The answer for a job, with expressions that also fire at other times if `cover` allows it.
    ///
    /// # Errors
    ///
    /// Those of [`Prime`](super::Prime).
    ///
    /// ```
    /// use kron_core::{Duration, JobSpec};
    /// use kron_formats::prime::PrimeAnswer;
    /// let spec = JobSpec::parse("0 9 * * MON-FRI @tz(Europe/Paris)")?;
    /// let answer = PrimeAnswer::new(&spec, Duration::parse("10m")?, false, 1_772_323_200)?;
    /// let json = serde_json::to_value(answer.object(None)).unwrap();
    /// assert_eq!(json["expressions"], serde_json::json!(["50 8 * * 1-5"]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(
        spec: &JobSpec,
        lead: Duration,
        cover: bool,
        from: impl Instant,
    ) -> Result<PrimeAnswer, Error> {
        let primed = if cover { spec.prime_cover(lead) } else { spec.prime(lead) }?;
        let (schedule, from) = (spec.in_zone(), from.floor());
        let until = to_utc(from).checked_add_months(MONTHS).unwrap_or(DateTime::<Utc>::MAX_UTC);
        // The lead is valid for the expressions, so it is valid for their changes.
        let changes = lead_changes(&schedule, lead, from, until).unwrap_or_default();
        Ok(PrimeAnswer { schedule, lead, primed, changes })
    }

    /// The object of `kron prime -o json`, with the name of the job if it is one of a file.
    pub fn object<'a>(&'a self, name: Option<&'a str>) -> PrimeObject<'a> {
        PrimeObject {
            name,
            schedule: self.schedule.cron(),
            timezone: self.schedule.zone(),
            lead: self.lead.to_string(),
            expressions: self.primed.texts().collect(),
            minimal: self.primed.is_minimal(),
            surplus_per_year: self.primed.surplus_per_year(),
            clock_changes: self.changes.iter().map(Change::new).collect(),
        }
    }
}

/// A [`PrimeAnswer`] as JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PrimeObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    schedule: Cron,
    timezone: &'a Zone,
    lead: String,
    expressions: Vec<&'a str>,
    /// Whether no smaller number of expressions fires at the same times.
    minimal: bool,
    /// Times in 1970 to 2099 that only a cover has, for each year.
    surplus_per_year: f64,
    clock_changes: Vec<Change>,
}

/// A change of the clocks that changes a lead.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    /// When the clocks change.
    time: String,
    kind: &'static str,
    /// Civil times, without an offset.
    start: String,
    primed: String,
    /// From the primed firing to the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_seconds: Option<i64>,
}

impl Change {
    fn new(change: &LeadChange) -> Change {
        Change {
            time: Rfc3339(change.timestamp).to_string(),
            kind: change.kind.as_str(),
            start: change.start_text(),
            primed: change.primed_text(),
            lead_seconds: change.kind.seconds(),
        }
    }
}
