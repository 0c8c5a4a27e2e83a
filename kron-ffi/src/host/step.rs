//! Steps of plans as a plain struct that the caller allocates.

use kron_core::plan::{Action, Step, StepSlot};
use kron_core::{Decision, Period};

use crate::abi::failure::Failure;
use crate::abi::output::Out;
use crate::abi::size::Struct;
use crate::host::action::kron_action;
use crate::value::decision::kron_decision;

/// Flag of kron_step: `previous_open` is set.
pub const KRON_STEP_PREVIOUS_OPEN: u32 = 1;

/// A step of a plan: a period, and what to do with it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_step {
    /// The period, with its decision.
    pub period: kron_decision,
    /// What to do with it.
    pub action: kron_action,
    /// The nominal time of the open period before it, if `flags` has KRON_STEP_PREVIOUS_OPEN; else 0.
    /// kron_host_state_record needs it to see that all periods up to one are handled.
    pub previous_open: i64,
    /// KRON_STEP_PREVIOUS_OPEN or 0.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
}

impl Struct for kron_step {}

impl kron_step {
    pub(crate) fn new(period: kron_decision, action: Action, previous_open: Option<i64>) -> kron_step {
        kron_step {
            period,
            action: action.into(),
            previous_open: previous_open.unwrap_or(0),
            flags: if previous_open.is_some() { KRON_STEP_PREVIOUS_OPEN } else { 0 },
            reserved: 0,
        }
    }

    fn previous_open(&self) -> Option<i64> {
        (self.flags & KRON_STEP_PREVIOUS_OPEN != 0).then_some(self.previous_open)
    }

    /// The step of the core.
    pub(crate) fn to_core(self) -> Result<Step<Period>, Failure> {
        if self.flags & !KRON_STEP_PREVIOUS_OPEN != 0 {
            let known = "1 (previous open) or 0";
            return Err(Failure::Flags { name: "step.flags", value: self.flags, known });
        }
        Ok(Step {
            period: self.period.period()?,
            action: self.action.to_core()?,
            previous_open: self.previous_open(),
        })
    }
}

/// A place for a step in an array of the caller.
impl<'a> StepSlot<'a> for kron_step {
    fn put(&mut self, step: Step<Decision<'a>>) {
        Out::to(&mut self.period).set_decision(&step.period);
        self.change(step.action, step.previous_open);
    }

    fn step(&self) -> Step<Period> {
        // Only what `put` and `change` wrote is read, and they write valid steps.
        let nothing =
            Step { period: Period::new(0, (0, 0), None), action: Action::Nothing, previous_open: None };
        self.to_core().unwrap_or(nothing)
    }

    fn change(&mut self, action: Action, previous_open: Option<i64>) {
        (self.action, self.previous_open) = (action.into(), previous_open.unwrap_or(0));
        (self.flags, self.reserved) = (if previous_open.is_some() { KRON_STEP_PREVIOUS_OPEN } else { 0 }, 0);
    }
}
