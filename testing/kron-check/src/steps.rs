//! Which steps are possible in a state.

use crate::budget::Fault;
use crate::step::Step;
use crate::wire::{Call, InFlight};
use crate::world::{ANSWER_SECONDS, LEASE_SECONDS, World, expires};

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
        self.users(&mut steps);
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
                for lane in World::lanes() {
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
                (true, false, _) => self.prompt_answers(index, request, steps),
                (true, true, None) => {
                    steps.push(Step::Execute(index));
                    if runs {
                        steps.push(Step::TimeOut(index));
                    }
                }
                (true, true, Some(_)) if runs => steps.extend([Step::Answer(index), Step::TimeOut(index)]),
                (true, true, Some(_)) => {}
                (false, ..) => steps.push(Step::Execute(index)),
            }
        }
    }

    fn prompt_answers(&self, index: u8, request: &InFlight, steps: &mut Vec<Step>) {
        steps.push(Step::Serve(index));
        let writes = request.call.writes();
        for (fault, step, possible) in [
            (Fault::Lost, Step::Lose(index), writes),
            (Fault::Vanish, Step::Vanish(index), true),
            (Fault::Refuse, Step::Refuse(index), true),
            (Fault::Invalid, Step::Invalid(index), matches!(request.call, Call::Create { .. })),
            (Fault::Late, Step::Delay(index), true),
        ] {
            if possible && self.budget.has(fault) {
                steps.push(step);
            }
        }
    }

    fn processes(&self, steps: &mut Vec<Step>) {
        for (index, process) in (0..).zip(&self.processes) {
            let other = &self.processes[1 - usize::from(index)];
            let has = |fault| self.budget.has(fault);
            if process.state.is_none() {
                steps.push(Step::Start(index));
                continue;
            }
            if process.paused.is_some() {
                steps.push(Step::Continue(index));
                continue;
            }
            if process.leads() {
                let faults = [
                    (Fault::Crash, Step::Crash(index)),
                    (Fault::Resign, Step::Resign(index)),
                    (Fault::Pause, Step::Pause(index)),
                ];
                steps.extend(faults.into_iter().filter(|(fault, _)| has(*fault)).map(|(_, step)| step));
                if process.stalled {
                    steps.push(Step::Unstall(index));
                } else if has(Fault::Stall) {
                    steps.push(Step::Stall(index));
                }
            } else if !other.leads()
                || other.paused.is_some_and(|since| self.now - since >= LEASE_SECONDS)
                || has(Fault::Rival)
            {
                steps.push(Step::Lead(index));
            }
            for kind in [0, 1] {
                if process.held[usize::from(kind)] {
                    if !process.behind[usize::from(kind)] && !process.queues[usize::from(kind)].is_empty() {
                        steps.push(Step::Deliver(index, kind));
                    }
                    steps.push(Step::Release(index, kind));
                } else if has(Fault::HOLD[usize::from(kind)]) {
                    steps.push(Step::Hold(index, kind));
                }
                if has(Fault::RELIST[usize::from(kind)]) {
                    steps.push(Step::Relist(index, kind));
                }
            }
        }
    }

    fn users(&self, steps: &mut Vec<Step>) {
        let has = |fault| self.budget.has(fault);
        for (place, stored) in (0..).zip(&self.server.kronjobs) {
            if has(Fault::Edit) {
                steps.extend(
                    (0..3)
                        .filter(|edit| usize::from(*edit) != stored.edit)
                        .map(|edit| Step::Edit(place, edit)),
                );
            }
            if stored.view.suspended {
                steps.push(Step::Resume(place));
            } else if has(Fault::Suspend) {
                steps.push(Step::Suspend(place));
            }
            if has(Fault::RunNow) && stored.view.run_now.is_none() {
                steps.push(Step::RunNow(place));
            }
            if has(Fault::Recreate) {
                steps.push(Step::Recreate(place));
            }
            for period in 0..self.case.periods {
                let name = self.period_job(place, period).0;
                if has(Fault::Foreign) && !self.server.jobs.contains_key(name.as_str()) {
                    steps.push(Step::Foreign(place, period));
                }
                if has(Fault::Forge) && !self.server.jobs.contains_key(format!("{name}-forged").as_str()) {
                    steps.push(Step::Forge(place, period));
                }
            }
        }
        for (index, job) in (0..).zip(self.server.jobs.values()) {
            let ownerless =
                job.genuine && self.server.kronjobs.iter().all(|stored| *stored.view.uid != *job.view.owner);
            if expires(&job.view).is_some_and(|at| at <= self.now) || ownerless {
                steps.push(Step::Expire(index));
            }
            if job.genuine && has(Fault::Relabel) {
                steps.extend((0..4).map(|how| Step::Relabel(index, how)));
            }
            if job.genuine && has(Fault::Delete) && self.is_final(job) {
                steps.push(Step::Delete(index));
            }
        }
    }
}
