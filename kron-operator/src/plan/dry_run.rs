//! Whether the API server accepts the Jobs of a template: asked once for each generation, before its first period.

use kron_formats::names::name_of;
use kron_host::Trigger;

use super::objects::Objects;
use super::observed::{DryRunResult, Observed};
use super::request::{KronJobPlan, Request};

/// Plans the dry run of a template that was not sent yet.
pub(super) fn plan(objects: &Objects<'_>, observed: &Observed, plan: &mut KronJobPlan) {
    let Some(scheduled) = &objects.scheduled else { return };
    if observed.dry_run.result != DryRunResult::Unknown {
        return;
    }
    if let Some(until) = observed.dry_run.backoff.wait(objects.now) {
        plan.wake_at(Some(until));
        return;
    }
    // A Job as the next period will be, so that labels and name are tried too.
    let next = observed.dispatcher.next_start(&scheduled.host_view());
    let now = objects.second();
    let (nominal, chosen) = next.map_or((now, now), |next| (next.nominal, next.chosen));
    let trigger = Trigger::Period { nominal, chosen };
    let name = name_of(&trigger, &objects.kronjob.key.name);
    let (generation, repeats) = (objects.kronjob.generation, false);
    plan.requests.push(Request::DryRun { generation, trigger, name, repeats });
}
