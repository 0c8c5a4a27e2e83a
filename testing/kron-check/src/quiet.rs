//! What happens if nothing disturbs the operator any more: one process leads, requests are answered, and time goes on.

use std::sync::Arc;

use crate::encode::Hash128;
use crate::faults::Fault;
use crate::step::Step;
use crate::world::World;

/// For how many seconds a run goes on without faults: a token waits for as long as a start, ten minutes at most.
const SECONDS: i64 = 700;
/// More steps than any run without faults has.
const STEPS: usize = 2000;

impl World {
    /// Goes on without faults to the end, and says what is wrong then. Ends early in a state that `known` knows. `note` gets each
    /// step with the state in which it happens, and `None` where time goes on.
    pub(crate) fn run_quietly(
        &self,
        mut known: impl FnMut(Hash128) -> bool,
        mut note: impl FnMut(&World, Option<Step>),
    ) -> Result<(), String> {
        let mut world = self.clone();
        world.budget.end();
        world.end_disturbances();
        let end = self.case.end + SECONDS;
        for _ in 0..STEPS {
            if known(world.hash()) {
                return Ok(());
            }
            if let Some(violation) = &world.violation {
                return Err(format!("{violation} (without further faults)"));
            }
            let Some(step) = world.quiet_step(end) else { return world.check_handled() };
            note(&world, step);
            match step {
                Some(step) => world.apply(step),
                None => world.quiet_tick(end),
            }
        }
        Err("requests go on for ever, though nothing disturbs any more".to_string())
    }

    /// Makes watches deliver in time and processes run, and drops requests whose sender no longer waits.
    fn end_disturbances(&mut self) {
        self.wire.retain(|request| request.awaited);
        self.wire.iter_mut().for_each(|request| Arc::make_mut(request).overdue = false);
        for index in [0, 1] {
            if self.processes[usize::from(index)].paused.is_some() {
                self.apply(Step::Continue(index));
            }
            if self.processes[usize::from(index)].stalled {
                self.apply(Step::Unstall(index));
            }
            for kind in [0, 1] {
                if self.processes[usize::from(index)].held[usize::from(kind)] {
                    self.apply(Step::Release(index, kind));
                }
            }
        }
    }

    /// The next step without faults; `Some(None)` if time goes on, and `None` at the end.
    fn quiet_step(&self, end: i64) -> Option<Option<Step>> {
        let leaders: Vec<u8> = (0..2).filter(|index| self.processes[usize::from(*index)].leads()).collect();
        let running = (0..2).find(|index| self.processes[usize::from(*index)].state.is_some());
        match (&leaders[..], running) {
            ([], None) => return Some(Some(Step::Start(0))),
            ([], Some(index)) => return Some(Some(Step::Lead(index))),
            ([_, other, ..], _) => return Some(Some(Step::Fault(Fault::Resign, *other, 0))),
            ([_], _) => {}
        }
        if let Some((index, request)) = (0..).zip(&self.wire).next() {
            return Some(Some(match (&request.answer, request.late) {
                (Some(_), _) => Step::Answer(index),
                (None, true) => Step::Execute(index),
                (None, false) => Step::Serve(index),
            }));
        }
        let steps = self.steps();
        if let Some(send) = steps.iter().find(|step| matches!(step, Step::Send(..))) {
            return Some(Some(*send));
        }
        (self.now < end).then_some(None)
    }

    /// Time goes on to the next timer, also after the end of the case.
    fn quiet_tick(&mut self, end: i64) {
        let timers = self.processes.iter().filter_map(|process| process.next_timer());
        let next = timers.map(|timer| timer.max(self.now + 1)).chain([end]).min().unwrap_or(end);
        self.now = next.min(end);
        for index in [0, 1] {
            let now = self.now;
            self.process(index).tick(now);
        }
    }
}
