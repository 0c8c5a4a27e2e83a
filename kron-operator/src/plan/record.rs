//! The status of a KronJob as the record of the core's state machine, and back.

use kron_host::names::{job_name, run_now_job_name};
use kron_host::{Claim, Configuration, HandledPeriod, NextStart, Record, RunNow};

use crate::crd::condition::{SUSPENDED, types};
use crate::crd::{self, KronJobStatus, Time};

/// What the core stores, as the status has it.
pub(super) fn record_of(status: &KronJobStatus) -> Record {
    let seconds = |time: Option<Time>| time.map(|time| time.0);
    let next = status.next_period_id.zip(status.next_chosen_time);
    Record {
        configuration: status.configuration.as_ref().map(|configuration| Configuration {
            since: configuration.since.0,
            hash: configuration.hash.clone(),
            handled_through: seconds(configuration.handled_through),
        }),
        suspended: status.conditions.iter().any(|c| c.type_ == types::READY && c.reason == SUSPENDED.0),
        last_nominal: seconds(status.last_period_id),
        last_chosen: seconds(status.last_chosen_time),
        last_outcome: status.last_outcome.map(Into::into),
        next: next.map(|(period, chosen)| NextStart { nominal: period.0, chosen: chosen.0 }),
        claim: status.claim.as_ref().map(|claim| Claim {
            nominal: claim.period_id.0,
            holder: claim.holder.clone(),
            time: claim.time.0,
            retention: claim.ttl_seconds,
        }),
        handled: status.periods.iter().map(handled_period).collect(),
        run_now: status.last_run_now.as_ref().map(|last| RunNow {
            token: last.token.clone(),
            outcome: last.outcome.map(Into::into),
            execution: last.job_name.clone(),
        }),
    }
}

fn handled_period(period: &crd::HandledPeriod) -> HandledPeriod {
    HandledPeriod {
        nominal: period.period_id.0,
        chosen: period.chosen_time.map(|time| time.0),
        outcome: period.outcome.into(),
        execution: period.job_name.clone(),
    }
}

/// Enters a record into the status of the KronJob of that name.
pub(super) fn enter(record: Record, name: &str, status: &mut KronJobStatus) {
    status.configuration = record.configuration.map(|configuration| crd::Configuration {
        since: Time(configuration.since),
        hash: configuration.hash,
        handled_through: configuration.handled_through.map(Time),
    });
    status.last_period_id = record.last_nominal.map(Time);
    status.last_nominal_time = record.last_nominal.map(Time);
    status.last_chosen_time = record.last_chosen.map(Time);
    status.last_outcome = record.last_outcome.map(Into::into);
    status.next_period_id = record.next.map(|next| Time(next.nominal));
    status.next_nominal_time = record.next.map(|next| Time(next.nominal));
    status.next_chosen_time = record.next.map(|next| Time(next.chosen));
    status.claim = record.claim.map(|claim| crd::Claim {
        period_id: Time(claim.nominal),
        job_name: job_name(name, claim.nominal),
        time: Time(claim.time),
        holder: claim.holder,
        ttl_seconds: claim.retention,
    });
    let handled = record.handled.into_iter().map(|period| crd::HandledPeriod {
        period_id: Time(period.nominal),
        outcome: period.outcome.into(),
        chosen_time: period.chosen.map(Time),
        job_name: period.execution,
    });
    status.periods = handled.collect();
    let last_run_now = record.run_now.map(|run| crd::RunNow {
        job_name: match run.outcome {
            Some(_) => run.execution,
            // The Job that is being created.
            None => Some(run_now_job_name(name, &run.token)),
        },
        token: run.token,
        outcome: run.outcome.map(Into::into),
    });
    status.last_run_now = last_run_now.map(Box::new);
}
