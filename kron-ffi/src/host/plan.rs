//! Plans: all actions and outcomes of one evaluation of a job.

use kron_core::Period;
use kron_core::plan::{Plan, Step};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::input::{struct_in, structs_in};
use crate::abi::output::{Out, struct_out};
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_set};
use crate::host::state::kron_host_state;
use crate::host::step::kron_step;
use crate::job::create::kron_job;
use crate::job::policy::kron_policy;
use crate::value::decision::kron_decision;
use crate::value::enums;

/// All actions and outcomes of one evaluation, in the order in which to carry them out. Immutable.
#[derive(Debug)]
pub struct kron_plan {
    steps: Vec<kron_step>,
    older_missed: u64,
    wake_up: Option<i64>,
}

impl Handle for kron_plan {
    type Owner = Box<kron_plan>;
}

impl kron_plan {
    /// A plan of the core for C.
    fn new<P>(plan: Plan<P>, decision: impl Fn(P) -> kron_decision) -> Box<kron_plan> {
        let step = |step: Step<P>| kron_step::new(decision(step.period), step.action, step.previous_open);
        let steps = plan.steps.into_iter().map(step).collect();
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
///
/// kron_job_plan_into allocates nothing.
///
/// Ownership: `*out` is a new plan, which the caller frees with kron_plan_free. It needs neither the job nor the state.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_plan(
    job: *const kron_job,
    state: *const kron_host_state,
    now: i64,
    out: *mut *mut kron_plan,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, state, out, error) =
        unsafe { (borrow(job, "job"), borrow(state, "state"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, state, out) = (job?, state?, out?);
        out.give(kron_plan::new(job.job.plan(&state.state, now), Into::into));
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
/// unschedulable), then of nominal time. `step_size` is KRON_STEP_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the output is unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_plan_step(
    plan: *const kron_plan,
    index: usize,
    step: *mut kron_step,
    step_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (plan, step, error) =
        unsafe { (borrow(plan, "plan"), struct_out(step, step_size, "step"), ErrorOut::new(error)) };
    guard(error, || {
        let (plan, step) = (plan?, step?);
        let length = plan.steps.len();
        step.set(*plan.steps.get(index).ok_or_else(|| Failure::Index { name: "index", index, length })?);
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
