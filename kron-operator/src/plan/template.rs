//! Whether the API server accepts the Jobs of a template: asked once for each generation, before its first period.

use super::handled::handled;
use super::memory::{Memory, Template, TemplateVerdict};
use super::periods::next_start;
use super::{Action, Plan, View};
use crate::crd::Time;
use crate::names::job_name;
use crate::template::Purpose;

/// The reason of condition InvalidSpec if the API server refuses the Jobs of the template.
pub(super) const TEMPLATE_REFUSED: &str = "TemplateRefused";
/// The reason of condition InvalidSpec if spec and template are known to be good.
pub(super) const VALID: &str = "Valid";

/// Plans the dry run of a template that was not sent yet.
pub(super) fn plan(view: View<'_>, memory: &mut Memory, plan: &mut Plan) {
    let generation = view.kronjob.generation;
    if memory.template.generation != generation {
        let before = view.status.conditions.iter().find(|condition| condition.type_ == "InvalidSpec");
        // Anything else is asked for again: what refused it may have changed since.
        let accepted = before.is_some_and(|c| c.observed_generation == Some(generation) && c.reason == VALID);
        let verdict = if accepted { TemplateVerdict::Accepted } else { TemplateVerdict::Unknown };
        memory.template = Template { generation, verdict, ..Template::default() };
    }
    if memory.template.verdict != TemplateVerdict::Unknown {
        return;
    }
    if let Some(until) = memory.template.backoff.waits(view.millis) {
        plan.wake_at(Some(until));
        return;
    }
    // A Job as the next period will be, so that labels and name are tried too.
    let handled = handled(view, memory);
    let now = Time(view.now);
    let (period, chosen) = next_start(view, memory, &handled).unwrap_or((now, now));
    let purpose = Purpose::Period { period, chosen };
    let name = job_name(&view.kronjob.key.name, period);
    plan.actions.push(Action::DryRun { generation, purpose, name });
}
