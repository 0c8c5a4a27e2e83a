//! Which steps are possible in a state.

use kron_operator::plan::Lane;

use crate::case::UNREADABLE;
use crate::faults::Fault;
use crate::process::Process;
use crate::step::Step;
use crate::wire::InFlight;
use crate::world::{LEASE_SECONDS, World, expires};

/// For how many seconds a process waits for an answer, as `engine::REQUEST_LIMIT` says.
const ANSWER_SECONDS: i64 = 8;

impl World {
    /// Every step that is possible, in a fixed order.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.violation.is_some() {
            return steps;
        }
        self.requests(&mut steps);
        self.answers(&mut steps);
        self.processes(&mut steps);
        for (place, stored) in (0..).zip(&self.server.kronjobs) {
            if stored.view.suspended {
                steps.push(Step::Resume(place));
            }
            if stored.edit == UNREADABLE {
                steps.push(Step::Repair(place));
            }
        }
        self.removals(&mut steps);
        for fault in Fault::ALL.iter().copied().filter(|fault| self.budget.has(*fault)) {
            let places = self.places(fault);
            steps.extend(places.into_iter().map(|(one, other)| Step::Fault(fault, one, other)));
        }
        if self.is_quiet() {
            for (index, job) in (0..).zip(self.server.jobs.values()) {
                if job.view.finished.is_none() && job.genuine {
                    steps.push(Step::Complete(index));
                }
            }
            if self.can_tick() {
                steps.push(Step::Tick);
            }
        }
        steps
    }

    /// Whether nothing more happens in this second by itself.
    pub(crate) fn is_quiet(&self) -> bool {
        self.processes.iter().all(|process| !process.is_ready() && process.behind == [false; 2])
            && self.wire.iter().all(|request| request.late || !request.awaited)
    }

    fn can_tick(&self) -> bool {
        let Some(next) = self.next_instant() else { return false };
        // A process that runs waits for no answer longer than that.
        self.wire.iter().all(|request| {
            let waits = request.awaited && self.processes[request.from].runs();
            !waits || request.sent + ANSWER_SECONDS >= next
        })
    }

    fn requests(&self, steps: &mut Vec<Step>) {
        for (index, process) in (0..).zip(&self.processes) {
            if !process.is_ready() {
                continue;
            }
            for (place, ready) in (0..).zip(&process.ready) {
                for lane in Lane::ALL {
                    if ready.iter().any(|request| request.lane() == lane) {
                        steps.push(Step::Send(index, place, lane as u8));
                    }
                }
            }
        }
    }

    fn answers(&self, steps: &mut Vec<Step>) {
        for (index, request) in (0..).zip(&self.wire) {
            let runs = self.processes[request.from].runs();
            match (request.awaited, request.late, &request.answer) {
                (true, false, _) => steps.push(Step::Serve(index)),
                (true, true, None) => {
                    if request.may_arrive(self.now) {
                        steps.push(Step::Execute(index));
                    }
                    if runs {
                        steps.push(Step::TimeOut(index));
                    }
                }
                (true, true, Some(_)) if runs => steps.extend([Step::Answer(index), Step::TimeOut(index)]),
                (true, true, Some(_)) => {}
                (false, ..) if request.may_arrive(self.now) => steps.push(Step::Execute(index)),
                (false, ..) => {}
            }
        }
    }

    /// Whether a process may have the Lease: no other one has it, or that one was stopped for too long.
    fn may_lead(&self, index: u8) -> bool {
        let other = &self.processes[1 - usize::from(index)];
        !other.leads() || other.paused.is_some_and(|since| self.now - since >= LEASE_SECONDS)
    }

    fn processes(&self, steps: &mut Vec<Step>) {
        for (index, process) in (0..).zip(&self.processes) {
            if process.state.is_none() {
                steps.push(Step::Start(index));
                continue;
            }
            if process.paused.is_some() {
                steps.push(Step::Continue(index));
                continue;
            }
            if process.leads() {
                if process.stalled {
                    steps.push(Step::Unstall(index));
                }
            } else if self.may_lead(index) {
                steps.push(Step::Lead(index));
            }
            for kind in [0, 1] {
                if process.held[usize::from(kind)] && !(self.case.blind && kind == 1) {
                    if !process.behind[usize::from(kind)] && !process.queues[usize::from(kind)].is_empty() {
                        steps.push(Step::Deliver(index, kind));
                    }
                    steps.push(Step::Release(index, kind));
                }
            }
        }
    }

    /// Jobs that the cluster removes by itself.
    fn removals(&self, steps: &mut Vec<Step>) {
        for (index, job) in (0..).zip(self.server.jobs.values()) {
            let ownerless =
                job.genuine && self.server.kronjobs.iter().all(|stored| *stored.view.uid != *job.view.owner);
            if expires(&job.view).is_some_and(|at| at <= self.now) || ownerless {
                steps.push(Step::Expire(index));
            }
        }
    }

    /// Where a fault can happen: the numbers of its [`Step::Fault`].
    pub(crate) fn places(&self, fault: Fault) -> Vec<(u8, u8)> {
        let processes = |may: &dyn Fn(u8, &Process) -> bool| -> Vec<(u8, u8)> {
            let running = (0..).zip(&self.processes).filter(|(_, process)| process.runs());
            running.filter(|(index, process)| may(*index, process)).map(|(index, _)| (index, 0)).collect()
        };
        let leaders = || processes(&|_, process| process.leads());
        let prompt = |may: &dyn Fn(&InFlight) -> bool| -> Vec<(u8, u8)> {
            let prompt = (0..).zip(&self.wire).filter(|(_, request)| request.awaited && !request.late);
            prompt.filter(|(_, request)| may(request)).map(|(index, _)| (index, 0)).collect()
        };
        let kronjobs = || (0..).zip(&self.server.kronjobs);
        let jobs = || (0..).zip(self.server.jobs.values()).filter(|(_, job)| job.genuine);
        let periods = |suffix: &str| -> Vec<(u8, u8)> {
            let all =
                kronjobs().flat_map(|(place, _)| (0..self.case.periods).map(move |period| (place, period)));
            let named = |place, period| format!("{}{suffix}", self.period_job(place, period).0);
            let free =
                |(place, period): &(u8, u8)| !self.server.jobs.contains_key(named(*place, *period).as_str());
            all.filter(free).collect()
        };
        match fault {
            Fault::Crash | Fault::Resign | Fault::Pause => leaders(),
            Fault::Share => processes(&|index, process| {
                let lists =
                    |request: &InFlight| usize::from(index) == request.from && request.call.is_shared();
                process.awaits_lists() && !self.wire.iter().any(|request| lists(request))
            }),
            Fault::Rival => processes(&|index, process| !process.leads() && !self.may_lead(index)),
            Fault::HoldKronJobs => processes(&|_, process| !process.held[0]),
            Fault::HoldJobs => processes(&|_, process| !process.held[1]),
            Fault::RelistKronJobs | Fault::RelistJobs => processes(&|_, _| true),
            Fault::Stall => processes(&|_, process| process.leads() && !process.stalled),
            Fault::Late | Fault::Vanish | Fault::Refuse => prompt(&|_| true),
            Fault::Lost => prompt(&|request| request.call.writes()),
            Fault::Invalid | Fault::Overdue => prompt(&|request| request.call.creates().is_some()),
            Fault::Edit => {
                let edits = |edit: usize| (0..3).filter(move |other| usize::from(*other) != edit);
                let edits = kronjobs().map(|(place, stored)| (place, edits(stored.edit)));
                edits.flat_map(|(place, edits)| edits.map(move |edit| (place, edit))).collect()
            }
            Fault::Unreadable => {
                let readable = kronjobs().filter(|(_, stored)| stored.edit != UNREADABLE);
                readable.map(|(place, _)| (place, 0)).collect()
            }
            Fault::Suspend => {
                let running = kronjobs().filter(|(_, stored)| !stored.view.suspended);
                running.map(|(place, _)| (place, 0)).collect()
            }
            Fault::RunNow | Fault::TakeBack => {
                let taken_back = fault == Fault::TakeBack;
                let may = kronjobs().filter(|(_, stored)| stored.view.run_now.is_some() == taken_back);
                may.map(|(place, _)| (place, 0)).collect()
            }
            Fault::Recreate => kronjobs().map(|(place, _)| (place, 0)).collect(),
            Fault::Foreign => periods(""),
            Fault::Forge => periods("-forged"),
            Fault::Relabel => jobs().flat_map(|(index, _)| (0..4).map(move |how| (index, how))).collect(),
            Fault::Delete => {
                jobs().filter(|(_, job)| self.is_final(job)).map(|(index, _)| (index, 0)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::case::Case;
    use crate::faults::Budget;

    #[test]
    fn each_fault_can_happen_and_is_counted_once() {
        for fault in Fault::ALL.iter().copied() {
            let case = Arc::new(Case::new("forbid", 2, 1).unwrap());
            let mut world = World::new(case, Budget::new(1, &[(fault, 1)]));
            if fault == Fault::TakeBack {
                // There is something to be taken back.
                world.budget = Budget::new(2, &[(fault, 1), (Fault::RunNow, 1)]);
                world.apply(Step::Fault(Fault::RunNow, 0, 0));
            }
            let before = world.budget.spent();
            // The first step that is no fault leads to a state in which it can happen, sooner or later.
            let mut steps = 0;
            while world.places(fault).is_empty() {
                let next = world.steps().into_iter().find(|step| !matches!(step, Step::Fault(..)));
                world.apply(next.unwrap_or_else(|| panic!("{fault:?} cannot happen")));
                steps += 1;
                assert!(steps < 1000, "{fault:?} cannot happen");
            }
            let step = world.steps().into_iter().find(|step| matches!(step, Step::Fault(..))).unwrap();
            assert!(!step.describe(&world).is_empty());
            world.apply(step);
            assert_eq!((world.budget.spent(), world.budget.has(fault)), (before + 1, false), "{step:?}");
        }
    }
}
