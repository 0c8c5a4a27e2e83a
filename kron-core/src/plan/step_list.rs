//! The list in which a plan is made: a vector that grows, or a slice of the caller, for plans without allocation.

use alloc::vec::Vec;

use crate::decision::Decision;
use crate::decision::period::Period;
use crate::plan::action::Action;
use crate::plan::step::Step;

/// A list of steps.
pub(crate) trait StepList<P> {
    /// A place of the list.
    type Slot;
    /// The places that are used.
    fn slots(&mut self) -> &mut [Self::Slot];
    fn is_full(&self) -> bool;
    /// Adds a step. Says whether there was a place for it.
    fn push(&mut self, period: P, action: Action) -> bool;
    fn truncate(&mut self, len: usize);
    fn read(slot: &Self::Slot) -> (Period, Action);
    fn write(slot: &mut Self::Slot, action: Action, previous_open: Option<i64>);
    fn set_action(slot: &mut Self::Slot, action: Action);
}

impl<P: AsRef<Period>> StepList<P> for Vec<Step<P>> {
    type Slot = Step<P>;

    fn slots(&mut self) -> &mut [Step<P>] {
        self
    }

    fn is_full(&self) -> bool {
        false
    }

    fn push(&mut self, period: P, action: Action) -> bool {
        self.push(Step { period, action, previous_open: None });
        true
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn read(slot: &Step<P>) -> (Period, Action) {
        (*slot.period.as_ref(), slot.action)
    }

    fn write(slot: &mut Step<P>, action: Action, previous_open: Option<i64>) {
        (slot.action, slot.previous_open) = (action, previous_open);
    }

    fn set_action(slot: &mut Step<P>, action: Action) {
        slot.action = action;
    }
}

/// A place for a step in a slice of the caller of [`Job::plan_into`](crate::Job::plan_into): a step, or a type of a host or of
/// another language that holds one. What is written must read back.
///
/// ```
/// use kron_core::Job;
/// use kron_core::plan::{Action, HostState, StepSlot};
/// let job = Job::parse("web/ping", "@hourly @policy(deadline=1m)")?;
/// let mut slots = [None; 2];
/// job.plan_into(&HostState::new(0), 3600, &mut slots).unwrap();
/// assert_eq!(slots[0].step().action, Action::Execute);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub trait StepSlot<'a> {
    /// Writes a step.
    ///
    /// ```
    /// # use kron_core::plan::{Action, HostState, StepSlot};
    /// # let job = kron_core::Job::parse("web/ping", "@hourly")?;
    /// let step = job.plan(&HostState::new(0), 3600).steps[0];
    /// let mut slot = None;
    /// slot.put(step);
    /// assert_eq!(slot, Some(step));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn put(&mut self, step: Step<Decision<'a>>);
    /// The times of the period that was written last, and its action. A place that was never written may give anything.
    ///
    /// ```
    /// # use kron_core::plan::{Action, HostState, StepSlot};
    /// # let job = kron_core::Job::parse("web/ping", "@hourly")?;
    /// let slot = Some(job.plan(&HostState::new(0), 3600).steps[0]);
    /// assert_eq!(slot.step().period.nominal_timestamp(), 3600);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn step(&self) -> Step<Period>;
    /// Replaces the action and the open period before it.
    ///
    /// ```
    /// # use kron_core::plan::{Action, HostState, StepSlot};
    /// # let job = kron_core::Job::parse("web/ping", "@hourly")?;
    /// let mut slot = Some(job.plan(&HostState::new(0), 3600).steps[0]);
    /// slot.change(Action::Nothing, Some(0));
    /// assert_eq!((slot.step().action, slot.step().previous_open), (Action::Nothing, Some(0)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn change(&mut self, action: Action, previous_open: Option<i64>);
}

impl<'a> StepSlot<'a> for Option<Step<Decision<'a>>> {
    fn put(&mut self, step: Step<Decision<'a>>) {
        *self = Some(step);
    }

    fn step(&self) -> Step<Period> {
        let nothing =
            Step { period: Period::new(0, (0, 0), None), action: Action::Nothing, previous_open: None };
        self.map_or(nothing, |step| Step {
            period: step.period.period(),
            action: step.action,
            previous_open: step.previous_open,
        })
    }

    fn change(&mut self, action: Action, previous_open: Option<i64>) {
        if let Some(step) = self {
            (step.action, step.previous_open) = (action, previous_open);
        }
    }
}

/// The first places of a slice.
#[derive(Debug)]
pub(crate) struct Slots<'s, T> {
    slots: &'s mut [T],
    used: usize,
}

impl<'s, T> Slots<'s, T> {
    pub(crate) fn new(slots: &'s mut [T]) -> Slots<'s, T> {
        Slots { slots, used: 0 }
    }
}

impl<'a, T: StepSlot<'a>> StepList<Decision<'a>> for Slots<'_, T> {
    type Slot = T;

    fn slots(&mut self) -> &mut [T] {
        &mut self.slots[..self.used]
    }

    fn is_full(&self) -> bool {
        self.used == self.slots.len()
    }

    fn push(&mut self, period: Decision<'a>, action: Action) -> bool {
        let Some(slot) = self.slots.get_mut(self.used) else { return false };
        slot.put(Step { period, action, previous_open: None });
        self.used += 1;
        true
    }

    fn truncate(&mut self, len: usize) {
        self.used = self.used.min(len);
    }

    fn read(slot: &T) -> (Period, Action) {
        let Step { period, action, .. } = slot.step();
        (period, action)
    }

    fn write(slot: &mut T, action: Action, previous_open: Option<i64>) {
        slot.change(action, previous_open);
    }

    fn set_action(slot: &mut T, action: Action) {
        let previous_open = slot.step().previous_open;
        slot.change(action, previous_open);
    }
}
