//! Plans: all actions and outcomes of one evaluation of a job.

use kron_core::Period;
use kron_core::plan::{HostState, Plan};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::input::{array, struct_in, structs_in};
use crate::abi::output::{Out, struct_out};
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_set};
use crate::host::action::kron_action;
use crate::job::create::kron_job;
use crate::job::policy::kron_policy;
use crate::value::decision::kron_decision;
use crate::value::enums;

/// What a host knows about a job when it plans.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_host_state {
    /// Unix second at which the configuration of the job began: a period with a chosen time up to then is not in force.
    pub since: i64,
    /// Periods with nominal times up to this Unix second have their outcome, if `flags` has
    /// KRON_HOST_STATE_HANDLED_THROUGH.
    pub handled_through: i64,
    /// Nominal times of other periods that have their outcome, in Unix seconds, ascending; NULL if there are none.
    pub handled: *const i64,
    /// The number of elements of `handled`.
    pub handled_length: usize,
    /// KRON_HOST_STATE_ACTIVE and KRON_HOST_STATE_HANDLED_THROUGH, or 0.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
}

impl Struct for kron_host_state {}

impl kron_host_state {
    fn to_core(self, handled: &[i64]) -> Result<HostState, Failure> {
        let unknown = self.flags & !(KRON_HOST_STATE_ACTIVE | KRON_HOST_STATE_HANDLED_THROUGH);
        if unknown != 0 {
            let known = "KRON_HOST_STATE_ACTIVE, KRON_HOST_STATE_HANDLED_THROUGH, both or 0";
            return Err(Failure::Flags { name: "state.flags", value: self.flags, known });
        }
        if self.reserved != 0 {
            return Err(Failure::Flags { name: "state.reserved", value: self.reserved, known: "0" });
        }
        if let Some(before) = handled.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(Failure::Order { name: "state.handled", index: before + 1 });
        }
        let through = (self.flags & KRON_HOST_STATE_HANDLED_THROUGH != 0).then_some(self.handled_through);
        let mut state = HostState::new(self.since).with_handled(through, handled.to_vec());
        state.set_active(self.flags & KRON_HOST_STATE_ACTIVE != 0);
        Ok(state)
    }
}

/// Flag of kron_host_state: an execution of the job is active.
pub const KRON_HOST_STATE_ACTIVE: u32 = 1;
/// Flag of kron_host_state: `handled_through` is set.
pub const KRON_HOST_STATE_HANDLED_THROUGH: u32 = 2;

/// All actions and outcomes of one evaluation, in the order in which to carry them out. Immutable.
#[derive(Debug)]
pub struct kron_plan {
    steps: Vec<(kron_decision, kron_action)>,
    older_missed: u64,
    wake_up: Option<i64>,
}

impl Handle for kron_plan {
    type Owner = Box<kron_plan>;
}

impl kron_plan {
    /// A plan of the core for C.
    fn new<P>(plan: Plan<P>, decision: impl Fn(P) -> kron_decision) -> Box<kron_plan> {
        let steps = plan.steps.into_iter().map(|step| (decision(step.period), step.action.into())).collect();
        Box::new(kron_plan { steps, older_missed: plan.older_missed, wake_up: plan.wake_up })
    }
}

/// An open period of the caller's list.
#[derive(Debug)]
struct Open<'c> {
    period: Period,
    decision: &'c kron_decision,
}

impl AsRef<Period> for Open<'_> {
    fn as_ref(&self) -> &Period {
        &self.period
    }
}

/// Plans for a job: finds the open periods, applies the policy and the catch-up rule, and determines the wake-up time.
/// `state_size` is KRON_HOST_STATE_SIZE.
///
/// Ownership: `*out` is a new plan, which the caller frees with kron_plan_free. It does not need the job.
/// NULL: only `error` may be NULL, and `state->handled` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_plan(
    job: *const kron_job,
    state: *const kron_host_state,
    state_size: usize,
    now: i64,
    out: *mut *mut kron_plan,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, state, out, error) = unsafe {
        (
            borrow(job, "job"),
            struct_in(state, state_size, "state"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, state, out) = (job?, state?, out?);
        // SAFETY: valid for as many numbers as it says, as said above.
        let handled = unsafe { array(state.handled, state.handled_length, "state.handled") }?;
        let plan = job.job.plan(&state.to_core(handled)?, now);
        out.give(kron_plan::new(plan, Into::into));
        Ok(())
    })
}

/// Plans for open periods that the caller knows, in any order. `active` is 1 if an execution of the job is active, else
/// 0. Of the decisions, only the times and the flags are used; the
/// steps return the decisions as they were given. The sizes are KRON_POLICY_SIZE and KRON_DECISION_SIZE.
///
/// Ownership: `*out` is a new plan, which the caller frees with kron_plan_free.
/// NULL: only `error` may be NULL, and `decisions` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_policy_plan(
    policy: *const kron_policy,
    policy_size: usize,
    decisions: *const kron_decision,
    decisions_length: usize,
    decision_size: usize,
    now: i64,
    active: u32,
    out: *mut *mut kron_plan,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (policy, decisions, out, error) = unsafe {
        (
            struct_in(policy, policy_size, "policy"),
            structs_in(decisions, decisions_length, decision_size, "decisions"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (policy, decisions, out) = (policy?, decisions?, out?);
        let (policy, active) = (policy.to_core()?, enums::yes(active, "active")?);
        let open = decisions.iter().map(|decision| Ok(Open { period: decision.period()?, decision }));
        let open = open.collect::<Result<Vec<_>, Failure>>()?;
        let plan = kron_core::plan::plan(open, &policy, now, active);
        out.give(kron_plan::new(plan, |open| *open.decision));
        Ok(())
    })
}

/// Returns the number of steps of a plan.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_plan_length(plan: *const kron_plan) -> usize {
    // SAFETY: the caller follows the section above.
    let plan = unsafe { borrow(plan, "plan") };
    guard_get(0, plan, |plan| plan.steps.len())
}

/// Gets a step of a plan: a period and what to do with it. Steps are in order of chosen time (window end if
/// unschedulable), then of nominal time. The sizes are KRON_DECISION_SIZE and KRON_ACTION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the outputs are unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_plan_step(
    plan: *const kron_plan,
    index: usize,
    decision: *mut kron_decision,
    decision_size: usize,
    action: *mut kron_action,
    action_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (plan, decision, action, error) = unsafe {
        (
            borrow(plan, "plan"),
            struct_out(decision, decision_size, "decision"),
            struct_out(action, action_size, "action"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (plan, decision, action) = (plan?, decision?, action?);
        let length = plan.steps.len();
        let step = plan.steps.get(index).ok_or_else(|| Failure::Index { name: "index", index, length })?;
        decision.set(step.0);
        action.set(step.1);
        Ok(())
    })
}

/// Returns the number of missed periods that are older than those that the plan lists.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_plan_older_missed(plan: *const kron_plan) -> u64 {
    // SAFETY: the caller follows the section above.
    let plan = unsafe { borrow(plan, "plan") };
    guard_get(0, plan, |plan| plan.older_missed)
}

/// Gets the wake-up time: the Unix second at which to plan again. KRON_ABSENT if there is nothing to wait for.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*time` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_plan_wake_up(
    plan: *const kron_plan,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (plan, time, error) = unsafe { (borrow(plan, "plan"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard_set(error, plan, time, |plan| plan.wake_up.ok_or_else(|| Failure::Absent))
}

/// Frees a plan.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_plan_free(plan: *mut kron_plan) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(plan) });
}
