//! The answers to requests, entered into the state machine.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use kron_core::planted_bugs::is_planted;
use kron_core::{Outcome, Policy};

use crate::attempt::retry_seconds;
use crate::dispatcher::{ActiveCheck, CheckedExecution, Dispatcher};
use crate::list_proof::{ListKind, OwnList};
use crate::report::Cause;
use crate::request::{Execution, ExecutionState, StartAnswer, Trigger};
use crate::start::Start;
use crate::view::HostView;

impl Dispatcher {
    fn start_mut(&mut self, trigger: &Trigger) -> Option<&mut Start> {
        self.starts_mut().find(|start| start.is(trigger))
    }

    /// Whether that start is due and has no outcome yet.
    ///
    /// ```
    /// use kron_host::{Dispatcher, Trigger};
    /// assert!(!Dispatcher::new("host-1").waits_for(&Trigger::Period { nominal: 0, chosen: 0 }));
    /// ```
    pub fn waits_for(&self, trigger: &Trigger) -> bool {
        self.starts().any(|start| start.is(trigger))
    }

    /// Whether an execution of that start may exist or have existed: a request without an answer was sent, or another
    /// process had claimed it. A host whose executions are removed after a while asks for their retention again before it
    /// sends another request, if the retention can have changed since.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record, Trigger};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 60, run_now: None, now: 10_000,
    /// };
    /// assert!(!Dispatcher::new("host-1").may_have_started(&view, &Trigger::Period { nominal: 0, chosen: 0 }));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn may_have_started(&self, view: &HostView<'_>, trigger: &Trigger) -> bool {
        self.starts().any(|start| start.is(trigger) && start.may_have_started(view))
    }

    /// A request to start an execution is about to be sent: from now on it may take effect. `now` in Unix seconds.
    ///
    /// ```
    /// use kron_host::{Dispatcher, Trigger};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// // A start that nothing waits for changes nothing.
    /// dispatcher.starting(&Trigger::Period { nominal: 0, chosen: 0 }, 0);
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn starting(&mut self, trigger: &Trigger, now: i64) {
        if let Some(start) = self.start_mut(trigger) {
            start.attempt.send(now);
        }
    }

    /// A request to start an execution was answered, or was given up. `now` in Unix seconds. Returns whether this is
    /// the first failure of a start that is tried again.
    ///
    /// ```
    /// use kron_core::Policy;
    /// use kron_host::{Dispatcher, StartAnswer, Trigger};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// let trigger = Trigger::Period { nominal: 0, chosen: 0 };
    /// assert!(!dispatcher.start_answered(&trigger, StartAnswer::NameTaken, 0, &Policy::default()));
    /// ```
    pub fn start_answered(
        &mut self,
        trigger: &Trigger,
        answer: StartAnswer,
        now: i64,
        policy: &Policy,
    ) -> bool {
        self.check = None;
        // The host may have seen the execution before the answer; then the start already has its outcome.
        let Some(start) = self.start_mut(trigger) else { return false };
        let attempt = &mut start.attempt;
        attempt.under_way = false;
        let (outcome, execution, cause) = match answer {
            StartAnswer::Started { execution } => (Outcome::Executed, Some(execution), Cause::Started),
            StartAnswer::NameTaken => (Outcome::Missed, None, Cause::NameTaken),
            StartAnswer::Removed => (Outcome::Missed, None, Cause::Removed),
            StartAnswer::Closed => {
                start.ended = Some(Cause::Closed);
                return false;
            }
            StartAnswer::Failed { error, uncertain, retry_at } => {
                let uncertain = uncertain && !is_planted("uncertain-answer-forgotten");
                if uncertain {
                    attempt.remains_unanswered();
                }
                match retry_at {
                    Some(retry_at) => attempt.fail(error, now, retry_at, Some(retry_seconds(policy))),
                    None => start.ended = Some(Cause::Refused { error }),
                }
                let is_first = retry_at.is_some() && attempt.backoff.failures() == 1;
                // What began before does not show what this request makes. A period has its outcome before another one starts.
                if uncertain && matches!(trigger, Trigger::RunNow { .. }) && !is_planted("token-keeps-list") {
                    self.list.end_for_later_starts();
                }
                return is_first;
            }
        };
        self.finish(trigger, outcome, execution, cause);
        false
    }

    fn finish(&mut self, trigger: &Trigger, outcome: Outcome, execution: Option<String>, cause: Cause) {
        if let Some(start) = self.start_mut(trigger).cloned() {
            self.decide_outcome(&start, start.handled(outcome, execution, cause));
        }
    }

    /// An execution was looked up in the store by its name. `None`: it is not there.
    ///
    /// ```
    /// use kron_host::{Dispatcher, Trigger};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.looked_up(&Trigger::Period { nominal: 0, chosen: 0 }, None);
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn looked_up(&mut self, trigger: &Trigger, execution: Option<&str>) {
        if let Some(name) = execution {
            self.finish(trigger, Outcome::Executed, Some(name.into()), Cause::Started);
        } else if let Some(start) = self.start_mut(trigger) {
            start.attempt.looked_up = true;
        }
    }

    /// A list of executions is about to be asked for in the store. It counts unless something happens before it was read that it
    /// may not show.
    ///
    /// ```
    /// use kron_host::{Dispatcher, ListKind};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.listing(ListKind::Own);
    /// assert_eq!(dispatcher.listed(&[]), None);
    /// ```
    pub fn listing(&mut self, kind: ListKind) {
        self.list.begin(kind);
        if kind == ListKind::Own {
            self.listing_for = self.current().map(Box::new);
        }
    }

    /// The executions of the job were listed in the store, as [`listing`](Dispatcher::listing) announced. Returns the name of
    /// the execution of the current start if it is among them: an answer was lost, or the host sees executions with a delay.
    ///
    /// From now on, the views of this process must contain those of them that are active, even if the host sees other
    /// executions with a delay.
    ///
    /// ```
    /// use kron_host::{Dispatcher, ListKind};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.listing(ListKind::Own);
    /// assert_eq!(dispatcher.listed(&[]), None);
    /// ```
    pub fn listed<'e>(&mut self, executions: &[Execution<'e>]) -> Option<&'e str> {
        let asked_for = self.listing_for.take();
        if self.list.read_own() == OwnList::Nothing {
            return None;
        }
        let current = self.current()?;
        let found = executions.iter().find(|execution| match &current {
            Trigger::Period { nominal, .. } => execution.nominal == Some(*nominal),
            Trigger::RunNow { token } => execution.run_now == Some(token),
        });
        if let Some(found) = found {
            self.looked_up(&current, Some(found.name));
            return Some(found.name);
        }
        // For one that has come since, it may be too old.
        if asked_for.as_deref() == Some(&current) {
            let executions = executions.iter().map(CheckedExecution::of).collect();
            self.check = Some(Box::new(ActiveCheck { before: current, complete: true, executions }));
        }
        None
    }

    /// One list of the executions of many jobs was read in the store, as [`listing`](Dispatcher::listing) announced. From now on,
    /// the views of this process must contain those of this job that are active.
    ///
    /// ```
    /// use kron_host::{Dispatcher, ListKind};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.listing(ListKind::Shared);
    /// dispatcher.listed_with_others();
    /// assert_ne!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn listed_with_others(&mut self) {
        self.list.read_shared();
    }

    /// A list that was announced could not be read, or not all of this job's.
    ///
    /// ```
    /// use kron_host::{Dispatcher, ListKind};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.listing(ListKind::Shared);
    /// dispatcher.list_failed(ListKind::Shared);
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn list_failed(&mut self, kind: ListKind) {
        self.list.fail(kind);
        if kind == ListKind::Own {
            self.listing_for = None;
        }
    }

    /// An execution that the host sees as active was read in the store. One that is gone has ended.
    ///
    /// ```
    /// use kron_host::{Dispatcher, ExecutionState};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// // Nothing is being started.
    /// dispatcher.checked("1", "a", ExecutionState::Active);
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn checked(&mut self, id: &str, name: &str, state: ExecutionState) {
        let Some(current) = self.current() else { return };
        let known = self.check.take().filter(|check| check.before == current);
        let check = self.check.insert(known.unwrap_or_else(|| {
            Box::new(ActiveCheck { before: current, complete: false, executions: Vec::new() })
        }));
        check.executions.retain(|execution| execution.id != id);
        check.executions.push(CheckedExecution { id: id.into(), name: name.into(), state });
    }

    /// An active execution that the next one replaces is being stopped, or is gone.
    ///
    /// ```
    /// use kron_host::Dispatcher;
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.stopped("1");
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn stopped(&mut self, id: &str) {
        let all = self.check.iter_mut().flat_map(|check| &mut check.executions);
        all.filter(|execution| execution.id == id)
            .for_each(|execution| execution.state = ExecutionState::Stopping);
    }

    /// A request other than the one to start failed. It is made again in the millisecond `retry_at` of Unix time; `now` in
    /// Unix seconds.
    ///
    /// ```
    /// use kron_core::Policy;
    /// use kron_host::Dispatcher;
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.request_failed("timeout", 0, 500, &Policy::default());
    /// assert_eq!(dispatcher.current_failures(), 0);
    /// ```
    pub fn request_failed(&mut self, error: &str, now: i64, retry_at: i64, policy: &Policy) {
        if let Some(start) = self.starts_mut().next() {
            let retry_seconds = Some(retry_seconds(policy)).filter(|_| !start.is_missed());
            start.attempt.fail(error.into(), now, retry_at, retry_seconds);
        }
    }
}

impl CheckedExecution {
    fn of(execution: &Execution<'_>) -> CheckedExecution {
        CheckedExecution { id: execution.id.into(), name: execution.name.into(), state: execution.state }
    }
}
