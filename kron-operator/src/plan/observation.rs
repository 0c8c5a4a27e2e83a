//! What happens to the requests of a plan before they are answered, and to the process.

use kron_host::ListKind;

use super::observed::Observed;
use super::request::{Purpose, Request};

/// Something that happens.
#[derive(Clone, Copy, Debug)]
pub enum Observation<'a> {
    /// A request is about to be sent: from now on it may have been carried out.
    Sending(&'a Request),
    /// A request has to wait for its turn, until that millisecond of Unix time.
    Postponed(&'a Request, i64),
    /// A list of Jobs is about to be asked for at the server.
    Listing(ListKind),
    /// One list of the Jobs of many KronJobs was read at the server, and all of this one's are known.
    ListedWithOthers,
    /// It failed, or not all Jobs of this KronJob could be read.
    SharedListFailed,
    /// The process did not run for a while: another one may have done its work, and the cache does not show it yet.
    Paused,
    /// The clock was set.
    ClockSet,
}

impl Observed {
    /// Enters what happened in the Unix second `now`.
    pub fn observe(&mut self, observation: Observation<'_>, now: i64) {
        match observation {
            Observation::Sending(request) => self.sending(request, now),
            Observation::Postponed(Request::DryRun { generation, .. }, until) => {
                if self.dry_run.generation == *generation {
                    self.dry_run.backoff.postpone(until);
                }
            }
            Observation::Postponed(_, until) => {
                self.write.postpone(until);
                self.urgent_write.postpone(until);
            }
            Observation::Listing(kind) => self.dispatcher.listing(kind),
            Observation::ListedWithOthers => self.dispatcher.listed_with_others(),
            Observation::SharedListFailed => self.dispatcher.list_failed(ListKind::Shared),
            Observation::Paused => {
                self.tried_again = None;
                self.dispatcher.paused();
            }
            Observation::ClockSet => {
                self.tried_again = None;
                self.dispatcher.clock_set();
                if let Some(primer) = &mut self.primer {
                    primer.create.clock_set();
                    primer.deletions.backoff.clock_set();
                }
                let others = [
                    &mut self.write,
                    &mut self.urgent_write,
                    &mut self.history.backoff,
                    &mut self.dry_run.backoff,
                ];
                others.into_iter().for_each(kron_host::Backoff::clock_set);
            }
        }
    }

    fn sending(&mut self, request: &Request, now: i64) {
        match request {
            Request::List => self.dispatcher.listing(ListKind::Own),
            Request::Create { what: Purpose::Start(trigger), .. } => {
                self.tried_again = None;
                self.dispatcher.starting(trigger, now);
            }
            Request::Create { what: Purpose::Primer(_), .. } => self.primer_mut().may_create = None,
            Request::UpdateStatus { status, fence, ended, .. } => {
                self.ended.clone_from(ended);
                self.dispatcher.writing(&status.record());
                self.scheduling_writing.clone_from(&self.scheduling);
                self.writing_fence(*fence);
            }
            Request::Get { .. } | Request::Delete { .. } | Request::DryRun { .. } | Request::GetKronJob => {}
        }
    }
}
