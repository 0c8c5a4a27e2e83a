//! Explanations: every step of a decision as data.

use alloc::vec::Vec;

use crate::constraint::{Allowed, Forbidden};
use crate::cron::nominal_times::NominalTimes;
use crate::days::DayMatch;
use crate::decision::{Decision, Observer};
use crate::draw::distribution::{Draw, Sampler};
use crate::error::Error;
use crate::job::{Job, check_nominal};
use crate::time::instant::Instant;

/// Most runs that an explanation lists; a window may have hundreds of thousands.
const RUNS_LISTED: usize = 1000;

/// One draw of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawStep {
    /// The uniform number from the stream, in [0, 1); `None` for custom distributions.
    pub u: Option<f64>,
    /// The position in the window, `Q(u)`, from 0 to 1.
    pub quantile: f64,
    /// The candidate: a Unix second.
    pub candidate: i64,
    /// The rule that forbade it; `None` if it was chosen.
    pub forbidden: Option<Forbidden>,
}

/// The closed-up choice: the draw among the allowed seconds only, after 64 draws met none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedUp {
    /// The uniform number from the stream, in [0, 1); `None` for custom distributions.
    pub u: Option<f64>,
    /// The position among the allowed seconds, `Q(u)`, from 0 to 1.
    pub quantile: f64,
    /// The chosen Unix second.
    pub chosen: i64,
}

/// A decision and every step that led to it. Made by [`Job::explain`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation<'a> {
    /// The decision explained.
    pub decision: Decision<'a>,
    /// Whether the nominal time is on the schedule.
    pub on_schedule: bool,
    /// What the rules of days say of the nominal time's civil date in the zone.
    pub day: DayMatch,
    /// Seconds in the window.
    pub candidates: u64,
    /// The draws, in order.
    pub draws: Vec<DrawStep>,
    /// The closed-up choice, if it was made.
    pub closed_up: Option<ClosedUp>,
    /// Seconds of the window that the constraints allow.
    pub allowed: u64,
    /// Maximal runs of allowed seconds, first and last included, in order: the first 1000.
    pub allowed_runs: Vec<(i64, i64)>,
}

#[derive(Default)]
struct Recorder {
    draws: Vec<DrawStep>,
    closed_up: Option<ClosedUp>,
}

impl Observer for Recorder {
    const LOOKS_ON: bool = true;

    fn draw(&mut self, draw: Draw, candidate: i64, forbidden: Option<Forbidden>) {
        self.draws.push(DrawStep { u: draw.u, quantile: draw.position, candidate, forbidden });
    }

    fn closed_up(&mut self, draw: Draw, _: u64, chosen: i64) {
        self.closed_up = Some(ClosedUp { u: draw.u, quantile: draw.position, chosen });
    }
}

impl<S: NominalTimes, D: Sampler> Job<S, D> {
    /// Decides as [`decide`](Job::decide) does, and returns every step.
    ///
    /// # Errors
    ///
    /// Those of [`decide`](Job::decide).
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::constraint::Forbidden;
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @seed(stable,salt=backup) @avoid(hours=0)")?;
    /// let explanation = job.explain(1_772_323_200)?;
    /// assert_eq!(explanation.draws[0].forbidden, Some(Forbidden::AvoidClause(0)));
    /// assert_eq!(explanation.draws.len(), usize::from(explanation.decision.draws()));
    /// assert_eq!(explanation.allowed, 7201);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn explain(&self, nominal: impl Instant) -> Result<Explanation<'_>, Error> {
        let nominal = check_nominal(nominal)?;
        let rules = self.rules();
        let mut recorder = Recorder::default();
        let decision = rules.decide(nominal, &mut recorder);
        let (first, last) = (decision.window_start_timestamp(), decision.window_end_timestamp());
        let allowed = Allowed { constraints: rules.constraints, zone: rules.zone, first, last };
        let mut allowed_runs = Vec::new();
        allowed.each_run(|run| {
            allowed_runs.push((run.first, run.last));
            allowed_runs.len() < RUNS_LISTED
        });
        Ok(Explanation {
            decision,
            on_schedule: self.is_on_schedule(nominal),
            day: self.spec().days().judge(nominal + i64::from(self.spec().timezone().offset_at(nominal))),
            // OK because the window's end is not before its start.
            candidates: (last - first + 1) as u64,
            draws: recorder.draws,
            closed_up: recorder.closed_up,
            allowed: allowed.count(),
            allowed_runs,
        })
    }
}
