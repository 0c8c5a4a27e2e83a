//! The labels and the name of each Job, compared with the decision that is computed again.

use kron_core::time::Rfc3339;
use kron_core::{Job, word_enum};

use super::kronjob::{KronJobSnapshot, Purpose};
use super::objects::SnapshotJob;
use crate::names::{
    CHOSEN_TIME_LABEL, NAME_LABEL, PERIOD_ID_LABEL, job_name, label_of_name, label_time, time_of_label,
};
use kron_host::{CLOCK_DIFFERENCE, QUEUE_SECONDS};

word_enum! {
    in "kron_formats::snapshot";
    /// What an audit finds wrong with an object.
    ObjectFindingCode, "code" {
        /// The spec of a KronJob is invalid: nothing of it is started.
        #[default]
        InvalidSpec = "invalidSpec",
        /// A KronJob has no creation time and no status, so nothing shows since when its periods are in force. None is
        /// audited.
        NotFromCluster = "notFromCluster",
        /// The host has not read the present spec of a KronJob.
        StaleStatus = "staleStatus",
        /// The label `kron.io/name` of a Job does not name its KronJob.
        NameLabel = "nameLabel",
        /// A Job has no period id that can be read.
        PeriodLabel = "periodLabel",
        /// The name of a Job is not the one of its period.
        JobName = "jobName",
        /// The period of a Job is not on the schedule, or is still to come.
        NotOnSchedule = "notOnSchedule",
        /// The label `kron.io/chosen-time` of a Job is not the chosen time of its period.
        ChosenTime = "chosenTime",
        /// The labels of the pods of a Job differ from its own.
        PodLabels = "podLabels",
        /// A Job was created before its chosen time.
        Early = "early",
        /// A period has more than one Job.
        TwoJobs = "twoJobs",
        /// A period has a Job, but the outcome that was stored or reported is not `executed`.
        OtherOutcome = "otherOutcome",
    }
}

/// Something wrong with a KronJob or one of its Jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObjectFinding {
    /// What kind of thing it is.
    pub code: ObjectFindingCode,
    /// The name of the Job; `None` if it is about the KronJob.
    pub job: Option<String>,
    /// A sentence for people.
    pub message: String,
}

impl ObjectFinding {
    pub(super) fn of_kronjob(code: ObjectFindingCode, message: String) -> ObjectFinding {
        ObjectFinding { code, job: None, message }
    }
}

/// What is wrong with a Job whose label names a period.
fn check_period(
    kronjob: &KronJobSnapshot,
    job: &Job,
    it: &SnapshotJob,
    nominal: i64,
    now: i64,
) -> Vec<(ObjectFindingCode, String)> {
    let mut found = Vec::new();
    let name = job_name(&kronjob.metadata_name, nominal);
    if it.name != name {
        let message = format!("the Job of period {} is called {name}", Rfc3339(nominal));
        found.push((ObjectFindingCode::JobName, message));
    }
    let label = it.label(CHOSEN_TIME_LABEL);
    match kronjob.expected_chosen(job, it, nominal) {
        Expected::Unknown => {}
        Expected::NotOnSchedule => {
            let message = format!("the schedule has no period {}", Rfc3339(nominal));
            found.push((ObjectFindingCode::NotOnSchedule, message));
        }
        Expected::Unschedulable => {
            let message = format!("period {} has no allowed second", Rfc3339(nominal));
            found.push((ObjectFindingCode::ChosenTime, message));
        }
        Expected::Chosen(chosen) if chosen > now.saturating_add(CLOCK_DIFFERENCE) => {
            let message =
                format!("the start of period {}, {}, is still to come", Rfc3339(nominal), Rfc3339(chosen));
            found.push((ObjectFindingCode::NotOnSchedule, message));
        }
        Expected::Chosen(chosen) => {
            let expected = label_time(chosen);
            if label != Some(&expected) {
                let found_is = differs(CHOSEN_TIME_LABEL, label, &expected);
                let message = format!("{found_is}, unless an edit moved the start since");
                found.push((ObjectFindingCode::ChosenTime, message));
            }
        }
    }
    if let (Some(created), Some(chosen)) = (it.created, label.and_then(time_of_label))
        && created < chosen - CLOCK_DIFFERENCE
    {
        let message =
            format!("it was created at {}, before its chosen time {}", Rfc3339(created), Rfc3339(chosen));
        found.push((ObjectFindingCode::Early, message));
    }
    for key in [NAME_LABEL, PERIOD_ID_LABEL, CHOSEN_TIME_LABEL] {
        if it.pod_labels[key].as_str() != it.label(key) {
            let message = match it.pod_labels[key].as_str() {
                Some(of_pods) => format!("label {key} of its pods is `{of_pods}`, not that of the Job"),
                None => format!("its pods have no label {key}"),
            };
            found.push((ObjectFindingCode::PodLabels, message));
        }
    }
    found
}

fn differs(key: &str, found: Option<&str>, expected: &str) -> String {
    match found {
        Some(found) => format!("label {key} is `{found}`, not {expected}"),
        None => format!("label {key} is missing; it should be {expected}"),
    }
}

/// What is expected of the Job of a period.
enum Expected {
    /// The Job may be from before an edit.
    Unknown,
    NotOnSchedule,
    Unschedulable,
    Chosen(i64),
}

impl KronJobSnapshot {
    /// What is wrong with its Jobs at a Unix second. `proceed` is called for each of them.
    pub(super) fn job_findings<E>(
        &self,
        job: &Job,
        now: i64,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<ObjectFinding>, E> {
        let mut found = Vec::new();
        let mut periods: Vec<(i64, &str)> = Vec::new();
        for it in self.jobs.iter().filter(|it| self.purpose(it) == Purpose::Period) {
            proceed()?;
            let mut report = |code, message| {
                found.push(ObjectFinding { code, job: Some(it.name.clone()), message });
            };
            let expected = label_of_name(&self.metadata_name);
            if it.label(NAME_LABEL) != Some(&expected) {
                report(ObjectFindingCode::NameLabel, differs(NAME_LABEL, it.label(NAME_LABEL), &expected));
            }
            let Some(nominal) = it.period() else {
                let message =
                    differs(PERIOD_ID_LABEL, it.label(PERIOD_ID_LABEL), "a time such as `20260301T000000Z`");
                report(ObjectFindingCode::PeriodLabel, message);
                continue;
            };
            for (code, message) in check_period(self, job, it, nominal, now) {
                report(code, message);
            }
            if self.is_execution(job, it, nominal, now) {
                periods.push((nominal, &it.name));
            }
        }
        periods.sort_unstable();
        for pair in periods.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let message = format!("period {} has another Job, {}", Rfc3339(pair[1].0), pair[0].1);
            found.push(ObjectFinding {
                code: ObjectFindingCode::TwoJobs,
                job: Some(pair[1].1.to_string()),
                message,
            });
        }
        Ok(found)
    }

    /// The chosen time that a Job should have.
    fn expected_chosen(&self, job: &Job, it: &SnapshotJob, nominal: i64) -> Expected {
        let recorded = self.record.outcomes().remove(&nominal).and_then(|entry| entry.chosen);
        if let Some(chosen) = recorded {
            return Expected::Chosen(chosen);
        }
        let Some(since) = self.since() else { return Expected::Unknown };
        if self.edited.is_some_and(|edited| it.may_be_from_before(edited)) {
            return Expected::Unknown;
        }
        if !job.is_on_schedule(nominal) {
            // A start that was decided before the schedule changed may have waited in the queue of its host.
            let earlier = it.may_be_from_before(since.saturating_add(QUEUE_SECONDS));
            return if earlier { Expected::Unknown } else { Expected::NotOnSchedule };
        }
        match job.decide(nominal) {
            Ok(decision) if decision.order_timestamp() <= since => Expected::Unknown,
            Ok(decision) => decision.chosen_timestamp().map_or(Expected::Unschedulable, Expected::Chosen),
            Err(_) => Expected::NotOnSchedule,
        }
    }
}
