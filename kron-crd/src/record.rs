//! The status of a KronJob as the record of a host's state machine, and back. The compiler names [`KronJobStatus::record`] for a new
//! field of the status.

use kron_formats::names::{job_name, run_now_job_name};
use kron_host::{Claim, Configuration, HandledPeriod, NextStart, Record, RunNow};

use super::condition::{SUSPENDED, types};
use super::status::{self, KronJobStatus};
use super::time::Time;

impl KronJobStatus {
    /// What a host stores of the job, as the status has it.
    ///
    /// ```
    /// use kron_crd::{KronJobStatus, Outcome, Time};
    /// let last_period_id = Some(Time(1_772_323_200));
    /// let status = KronJobStatus { last_period_id, last_outcome: Some(Outcome::Executed), ..KronJobStatus::default() };
    /// let record = status.record();
    /// assert_eq!((record.last_nominal, record.last_outcome), (Some(1_772_323_200), Some(Outcome::Executed)));
    /// ```
    pub fn record(&self) -> Record {
        let KronJobStatus {
            last_period_id,
            last_chosen_time,
            last_outcome,
            next_period_id,
            next_chosen_time,
            configuration,
            claim,
            periods,
            last_run_now,
            // They say whether it is suspended.
            conditions: _,
            // The core does not store these.
            observed_generation: _,
            last_nominal_time: _,
            next_nominal_time: _,
            active: _,
            last_successful_time: _,
            primer: _,
        } = self;
        let seconds = |time: Option<Time>| time.map(|time| time.0);
        let next = next_period_id.zip(*next_chosen_time);
        Record {
            configuration: configuration.as_ref().map(|configuration| Configuration {
                since: configuration.since.0,
                hash: configuration.hash.clone(),
                handled_through: seconds(configuration.handled_through),
            }),
            suspended: self.is_suspended(),
            last_nominal: seconds(*last_period_id),
            last_chosen: seconds(*last_chosen_time),
            last_outcome: *last_outcome,
            next: next.map(|(period, chosen)| NextStart { nominal: period.0, chosen: chosen.0 }),
            claim: claim.as_ref().map(|claim| Claim {
                nominal: claim.period_id.0,
                holder: claim.holder.clone(),
                time: claim.time.0,
                retention: claim.ttl_seconds,
            }),
            handled: periods.iter().map(handled_period).collect(),
            run_now: last_run_now.as_ref().map(|last| RunNow {
                token: last.token.clone(),
                outcome: last.outcome,
                execution: last.job_name.clone(),
            }),
        }
    }

    /// The status of the KronJob of that name with this record. What it says beyond the record stays.
    ///
    /// ```
    /// use kron_crd::KronJobStatus;
    /// use kron_host::Record;
    /// let record = Record { last_nominal: Some(1_772_323_200), ..Record::default() };
    /// let status = KronJobStatus::default().with_record(record.clone(), "db");
    /// assert_eq!(status.last_period_id.unwrap().to_string(), "2026-03-01T00:00:00Z");
    /// assert_eq!(status.record(), record);
    /// ```
    #[must_use]
    pub fn with_record(self, record: Record, name: &str) -> KronJobStatus {
        let Record {
            configuration,
            // In the conditions.
            suspended: _,
            last_nominal,
            last_chosen,
            last_outcome,
            next,
            claim,
            handled,
            run_now,
        } = record;
        let periods = handled.into_iter().map(|period| status::HandledPeriod {
            period_id: Time(period.nominal),
            outcome: period.outcome,
            chosen_time: period.chosen.map(Time),
            job_name: period.execution,
        });
        let last_run_now = run_now.map(|run| status::RunNow {
            job_name: match run.outcome {
                Some(_) => run.execution,
                // The Job that is being created.
                None => Some(run_now_job_name(name, &run.token)),
            },
            token: run.token,
            outcome: run.outcome,
        });
        KronJobStatus {
            last_period_id: last_nominal.map(Time),
            last_nominal_time: last_nominal.map(Time),
            last_chosen_time: last_chosen.map(Time),
            last_outcome,
            next_period_id: next.map(|next| Time(next.nominal)),
            next_nominal_time: next.map(|next| Time(next.nominal)),
            next_chosen_time: next.map(|next| Time(next.chosen)),
            configuration: configuration.map(|configuration| status::Configuration {
                since: Time(configuration.since),
                hash: configuration.hash,
                handled_through: configuration.handled_through.map(Time),
            }),
            claim: claim.map(|claim| status::Claim {
                period_id: Time(claim.nominal),
                job_name: job_name(name, claim.nominal),
                time: Time(claim.time),
                holder: claim.holder,
                ttl_seconds: claim.retention,
            }),
            periods: periods.collect(),
            last_run_now: last_run_now.map(Box::new),
            ..self
        }
    }

    /// Whether it says that the KronJob is suspended.
    ///
    /// ```
    /// assert!(!kron_crd::KronJobStatus::default().is_suspended());
    /// ```
    pub fn is_suspended(&self) -> bool {
        self.conditions.iter().any(|c| c.type_ == types::READY && c.reason == SUSPENDED.0)
    }
}

fn handled_period(period: &status::HandledPeriod) -> HandledPeriod {
    HandledPeriod {
        nominal: period.period_id.0,
        chosen: period.chosen_time.map(|time| time.0),
        outcome: period.outcome,
        execution: period.job_name.clone(),
    }
}
