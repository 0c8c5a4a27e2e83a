//! The plan of a KronJob, put together.

use kron_formats::names::name_of;
use kron_host::{HostRequest, HostView};

use super::objects::Objects;
use super::observed::Observed;
use super::request::{Deleted, KronJobPlan, Purpose, Request, Sought};
use super::{conditions, dry_run, history, primer, status};

/// Plans what to do for a KronJob.
pub fn plan(objects: &Objects<'_>, observed: &Observed) -> KronJobPlan {
    let mut plan = KronJobPlan::default();
    let Ok(written) = &objects.kronjob.status else { return plan };
    if objects.kronjob.deleting {
        return plan;
    }
    let mut urgent = false;
    let record = objects.scheduled.as_ref().map(|scheduled| {
        let host_view = scheduled.host_view();
        let record = observed.dispatcher.record(&host_view);
        let next = observed.dispatcher.next(&host_view, &record);
        plan.wake_at(next.wake_up);
        plan.requests.extend(next.request.map(|request| request_of(request, objects, observed, &host_view)));
        dry_run::plan(objects, observed, &mut plan);
        urgent = observed.dispatcher.claim_is_urgent(&host_view, &record);
        plan.list_need = observed.dispatcher.list_need(&host_view);
        record
    });
    primer::plan(objects, observed, record.as_ref(), &mut plan);
    if let Ok(spec) = &objects.kronjob.spec {
        let second = conditions::may_change_at(spec, objects.second());
        plan.wake_at(second.map(|second| second.saturating_mul(1000)));
    }
    let wanted = status::wanted(objects, observed, written, record.as_ref());
    // A claim whose write was not answered may be there already; it is written again to know that it is.
    if status::says_the_same(written, &wanted) && !urgent {
        history::plan(objects, observed, &mut plan);
    } else {
        let backoff = if urgent { &observed.urgent_write } else { &observed.write };
        match backoff.wait(objects.now) {
            Some(until) => plan.wake_at(Some(until)),
            None => {
                let (fence, ended) =
                    (primer::set(written, &wanted), status::ended(written, &wanted, objects));
                let status = Box::new(wanted.clone());
                plan.requests.push(Request::UpdateStatus { status, urgent, fence, ended });
            }
        }
    }
    plan.status = Some(wanted);
    plan.requests.sort_by_key(Request::urgency);
    plan
}

/// A request of the core, as one to the API server.
fn request_of(
    request: HostRequest,
    objects: &Objects<'_>,
    observed: &Observed,
    host_view: &HostView<'_>,
) -> Request {
    let kronjob = &objects.kronjob.key.name;
    match request {
        HostRequest::Start(trigger) => {
            let tried = observed.tried_again.as_deref() == Some(&trigger);
            let repeats = !tried && observed.dispatcher.may_have_started(host_view, &trigger);
            let name = name_of(&trigger, kronjob);
            match repeats {
                true => Request::DryRun { generation: objects.kronjob.generation, trigger, name, repeats },
                false => Request::Create { what: Purpose::Start(trigger), name },
            }
        }
        HostRequest::LookUp(trigger) => {
            Request::Get { name: name_of(&trigger, kronjob), why: Sought::Created(trigger) }
        }
        HostRequest::List => Request::List,
        HostRequest::Check { id, name } => Request::Get { why: Sought::Active(id), name },
        HostRequest::Stop { id, name } => Request::Delete { what: Deleted::Active, name, uid: id },
    }
}
