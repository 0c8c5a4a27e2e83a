//! What a runner is asked through its handle.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Engine;
use super::slot::Slot;
use crate::error::RunnerError;
use crate::event::RunnerEvent;
use crate::handle::{Command, Reloaded, Report};
use crate::job::RunnerJob;

impl Engine {
    pub(super) fn command(&mut self, command: Command) {
        // If the sender no longer waits, the answer is dropped.
        match command {
            Command::Reload(jobs, answer) => _ = answer.send(Ok(self.reload(jobs))),
            Command::Report(answer) => _ = answer.send(Ok(self.report())),
            Command::Suspend(job, suspend, answer) => {
                let Some((name, slot)) = self.slot_of(&job) else {
                    _ = answer.send(Err(RunnerError::UnknownJob { name: job }));
                    return;
                };
                let changes = slot.suspend_requested != suspend;
                slot.suspend(suspend, answer);
                if changes && suspend {
                    self.emit(&RunnerEvent::Suspended { job });
                }
                self.step(&name);
            }
            Command::RunNow(job, answer) => {
                self.tokens += 1;
                let token = format!("{}-{}", self.runner.started, self.tokens);
                let Some((name, slot)) = self.slot_of(&job) else {
                    _ = answer.send(Err(RunnerError::UnknownJob { name: job }));
                    return;
                };
                match slot.run_now(token, answer) {
                    Ok(()) => self.step(&name),
                    Err((token, answer)) => _ = answer.send(Err(RunnerError::RunNowPending { job, token })),
                }
            }
            Command::StopNow => {}
        }
    }

    /// The job of that name, if the runner has it.
    fn slot_of(&mut self, job: &str) -> Option<(Arc<str>, &mut Slot)> {
        let name = self.slots.get_key_value(job)?.0.clone();
        let slot = self.slots.get_mut(job).filter(|slot| !slot.removed)?;
        Some((name, slot))
    }

    fn report(&self) -> Report {
        Report {
            jobs: self.slots.values().filter(|slot| !slot.removed).count(),
            active: self.tasks.len(),
            next_wake_up: self.next_wake_up(),
            ..self.report.clone()
        }
    }

    fn reload(&mut self, jobs: Vec<RunnerJob>) -> Reloaded {
        let mut reloaded = Reloaded::default();
        let names: BTreeSet<String> = jobs.iter().map(|job| job.name().to_string()).collect();
        for (name, slot) in &mut self.slots {
            if !slot.removed && !names.contains(&**name) {
                slot.remove();
                reloaded.removed.push(name.to_string());
            }
        }
        if !self.ahead.is_empty() {
            // Jobs that are added can have executions of times that come again.
            self.read_early(i64::MAX);
        }
        for job in jobs {
            let name = job.name().to_string();
            match self.slots.get_mut(name.as_str()) {
                Some(slot) => {
                    let removed = slot.removed;
                    match slot.edit(job) {
                        true if removed => reloaded.added.push(name),
                        true => reloaded.changed.push(name),
                        false => {}
                    }
                }
                None => {
                    self.add(job);
                    reloaded.added.push(name);
                }
            }
        }
        let all = [&reloaded.added, &reloaded.changed, &reloaded.removed];
        let all: Vec<Arc<str>> = all.into_iter().flatten().map(|name| Arc::from(&**name)).collect();
        for name in all {
            self.step(&name);
        }
        reloaded
    }
}
