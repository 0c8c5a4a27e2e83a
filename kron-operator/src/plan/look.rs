//! What a process makes of the objects that it looks at.

use kron_core::error::Snippet;
use kron_crd::Time;
use kron_crd::condition::{VALID, types};
use kron_crd::reason::Reason;
use kron_formats::names::{RUN_NOW, is_label_value, job_name};
use kron_host::{HostReport, Ignored, SearchResult, StartSearch};

use super::messages::{Message, TWO_OPERATORS, of_report};
use super::objects::{Objects, Scheduled};
use super::observed::{DryRun, DryRunResult, Observed, PrimerState, Scheduling};

/// How far ahead of the clock the chosen time of a Job that we made can be: the clock was set back.
const CLOCK_SET_BACK: i64 = 60;

impl Observed {
    /// Decides the periods whose time has come. Gives the Unix second of the next time to decide.
    ///
    /// The timers' lane calls this: it waits for nothing and makes no request.
    pub fn evaluate(&mut self, objects: &Objects<'_>) -> Option<i64> {
        self.dispatcher.advance(&objects.scheduled.as_ref()?.host_view())
    }

    /// Looks at the objects: decides the periods whose time has come, and takes note of what is to be reported. Gives the
    /// search for the next start that the plan needs, if its result is not known: make it, [enter](Observed::searched) its
    /// result, and look again.
    pub fn look(&mut self, objects: &Objects<'_>) -> Option<StartSearch> {
        let kronjob = objects.kronjob;
        if kronjob.deleting {
            return None;
        }
        let error = match (&kronjob.status, &kronjob.spec) {
            // Nothing is started on a status that cannot be read. Only the operator may write it.
            (Err(error), _) => Some((Reason::FailedGet, error)),
            (_, Err(error)) => Some((error.event_reason(), &error.message)),
            (Ok(_), Ok(_)) => None,
        };
        if kronjob.status.is_ok() && kronjob.spec.is_err() {
            self.dispatcher.forget_unsent();
        }
        if self.reported_error.as_deref() != error.map(|(_, text)| text.as_str()) {
            self.reported_error = error.map(|(_, text)| text.as_str().into());
            if let Some((reason, text)) = error {
                self.report(Message::new(reason, text.as_str()));
            }
        }
        if let Some(primer) = &mut self.primer {
            primer.deletions.asked.retain(|uid| objects.primers.iter().any(|job| job.uid == *uid));
            self.primer.take_if(|primer| **primer == PrimerState::default());
        }
        let scheduled = objects.scheduled.as_ref()?;
        if scheduled.had_future {
            let message = "the status had times in the future; they were set back to the present";
            self.failed("FutureStatus", message);
        }
        self.prepare_dry_run(objects, scheduled);
        self.dispatcher.advance(&scheduled.host_view());
        self.report_ignored(objects, scheduled);
        self.report_refused_token(objects, scheduled);
        retain(&mut self.history.asked, objects);
        for report in self.dispatcher.take_reports() {
            self.enter_report(objects, &report);
        }
        self.dispatcher.search(&scheduled.host_view())
    }

    /// Enters the result of a search.
    pub fn searched(&mut self, result: SearchResult) {
        self.dispatcher.searched(result);
    }

    fn enter_report(&mut self, objects: &Objects<'_>, report: &HostReport) {
        if let Some(message) = of_report(objects.kronjob, report) {
            self.report(message);
        }
        match report {
            HostReport::Handled(handled) if handled.nominal().is_some() => {
                self.reports_mut().outcomes.push(handled.outcome);
            }
            HostReport::OlderMissed(count) => self.reports_mut().older_missed += count,
            HostReport::ExecutionFound => self.scheduling = Some(Box::new(Scheduling::Created)),
            HostReport::ClaimedByAnother { .. } => {
                self.failed(Reason::ClaimedByAnother.as_str(), TWO_OPERATORS);
            }
            HostReport::Handled(_) | HostReport::ConfigurationChanged { .. } | HostReport::Resumed { .. } => {
            }
        }
    }

    /// Begins with the template of another generation.
    fn prepare_dry_run(&mut self, objects: &Objects<'_>, scheduled: &Scheduled<'_>) {
        let generation = objects.kronjob.generation;
        if self.dry_run.generation != generation {
            let conditions = &scheduled.status.conditions;
            let before = conditions.iter().find(|condition| condition.type_ == types::INVALID_SPEC);
            // Anything else is asked for again: what refused it may have changed since.
            let accepted =
                before.is_some_and(|c| c.observed_generation == Some(generation) && c.reason == VALID.0);
            let result = if accepted { DryRunResult::Accepted } else { DryRunResult::Unknown };
            self.dry_run = DryRun { generation, result, ..DryRun::default() };
        }
    }

    /// Reports once that the label of a Job is ignored.
    fn report_ignored(&mut self, objects: &Objects<'_>, scheduled: &Scheduled<'_>) {
        retain(&mut self.ignored, objects);
        for (execution, why) in self.dispatcher.ignored(&scheduled.host_view()) {
            let Some(period) = execution.nominal.map(Time) else { continue };
            let ours = execution.name == job_name(&objects.kronjob.key.name, period.0);
            let why = match why {
                // One of ours, from before an edit, or from before the clock was set back.
                Ignored::Unknown if ours => continue,
                Ignored::Coming { chosen } if ours && chosen <= objects.second() + CLOCK_SET_BACK => continue,
                Ignored::Coming { chosen } => {
                    format!("the start of this period, {}, is still to come", Time(chosen))
                }
                Ignored::Unknown => "the schedule has no such period".to_string(),
            };
            if self.ignored.iter().all(|uid| **uid != *execution.id) {
                self.ignored.push(execution.id.into());
                let name = execution.name;
                let note = format!("Job {name}: its label for period {period} is ignored: {why}");
                self.report(Message::new(Reason::LabelsIgnored, note));
            }
        }
    }

    /// Reports once that the annotation makes no Job: it is no label value, or was there before the first status.
    fn report_refused_token(&mut self, objects: &Objects<'_>, scheduled: &Scheduled<'_>) {
        let Some(token) = objects.kronjob.run_now.as_deref() else { return };
        let (reason, note) = if !is_label_value(token) {
            let note = format!(
                "annotation {RUN_NOW}: {} is not a label value: write at most 63 letters, digits, `-`, `_` and `.`, \
                 with a letter or digit at both ends",
                Snippet::of(token)
            );
            (Reason::InvalidRunNow, note)
        } else if scheduled.status.configuration.is_none() {
            let note = format!(
                "annotation {RUN_NOW}: {token} was there before this KronJob had a status, so it makes no Job: to run it \
                 now, write another token"
            );
            (Reason::RunNowSpent, note)
        } else {
            return;
        };
        if self.refused_token.as_deref() != Some(token) {
            self.refused_token = Some(token.into());
            self.report(Message::new(reason, note));
        }
    }
}

/// Forgets the UIDs of Jobs that are gone.
fn retain(uids: &mut Vec<Box<str>>, objects: &Objects<'_>) {
    uids.retain(|uid| objects.jobs.iter().any(|job| job.uid == *uid));
    if uids.is_empty() {
        *uids = Vec::new();
    }
}
