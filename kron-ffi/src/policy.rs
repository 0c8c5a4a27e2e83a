//! Policies, and what to do with one period now.

use kron_core::{Action, Policy, PolicyKey};

use crate::choices;
use crate::choices::kron_action_kind;
use crate::choices::kron_concurrency;
use crate::choices::kron_outcome;
use crate::decision::kron_decision;
use crate::duration::duration;
use crate::error::{ErrorOut, kron_error};
use crate::fault::Fault;
use crate::handle::borrow;
use crate::job::kron_job;
use crate::memory::{Struct, struct_in, struct_out};
use crate::result::{guard, kron_result};

/// How a host treats a job's periods.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_policy {
    /// How long after its chosen time a period may still start, in nanoseconds from 0 on.
    pub deadline: i64,
    /// What happens when an earlier execution is active: enum kron_concurrency.
    pub concurrency: u32,
    /// 1 if periods are neither started nor recorded, else 0.
    pub suspend: u32,
}

impl Struct for kron_policy {}

impl kron_policy {
    pub(crate) fn to_core(self) -> Result<Policy, Fault> {
        // Every key by name, so that a new one cannot be forgotten here.
        PolicyKey::ALL.iter().try_fold(Policy::default(), |policy, key| {
            Ok(match key {
                PolicyKey::Concurrency => {
                    policy.with_concurrency(choices::concurrency(self.concurrency, "policy.concurrency")?)
                }
                PolicyKey::Deadline => policy.with_deadline(duration(self.deadline, "policy.deadline")?),
                PolicyKey::Suspend => policy.with_suspend(choices::yes(self.suspend, "policy.suspend")?),
            })
        })
    }
}

impl From<&Policy> for kron_policy {
    fn from(policy: &Policy) -> kron_policy {
        kron_policy {
            deadline: policy.deadline().as_nanos(),
            concurrency: kron_concurrency::from(policy.concurrency()) as u32,
            suspend: policy.suspend().into(),
        }
    }
}

/// What to do with one period now.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_action {
    /// When to look again, in Unix seconds, if `kind` is KRON_ACTION_KIND_WAIT; else 0.
    pub until: i64,
    /// What to do: enum kron_action_kind.
    pub kind: u32,
    /// The outcome that this gives the period: enum kron_outcome, KRON_OUTCOME_NONE if it gives none.
    pub outcome: u32,
}

impl Struct for kron_action {}

impl From<Action> for kron_action {
    fn from(action: Action) -> kron_action {
        kron_action {
            until: if let Action::Wait { until } = action { until } else { 0 },
            kind: kron_action_kind::from(action) as u32,
            outcome: action.outcome().map_or(kron_outcome::None, kron_outcome::from) as u32,
        }
    }
}

/// The policy of a job. `out_size` is KRON_POLICY_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_policy(
    job: *const kron_job,
    out: *mut kron_policy,
    out_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (job, out, error) =
        unsafe { (borrow(job, "job"), struct_out(out, out_size, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        out.set(job.job.spec().policy().into());
        Ok(())
    })
}

/// What to do with one period now: `handled` is 1 if the period has its outcome, `active` is 1 if an execution of the
/// job is active, else 0. Of the decision the window, the chosen time and the flags count. The sizes are
/// KRON_POLICY_SIZE, KRON_DECISION_SIZE and KRON_ACTION_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*action` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_policy_evaluate(
    policy: *const kron_policy,
    policy_size: usize,
    decision: *const kron_decision,
    decision_size: usize,
    now: i64,
    handled: u32,
    active: u32,
    action: *mut kron_action,
    action_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (policy, decision, action, error) = unsafe {
        (
            struct_in(policy, policy_size, "policy"),
            struct_in(decision, decision_size, "decision"),
            struct_out(action, action_size, "action"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (policy, decision, action) = (policy?, decision?, action?);
        let (handled, active) = (choices::yes(handled, "handled")?, choices::yes(active, "active")?);
        action.set(policy.to_core()?.evaluate(&decision.known()?, now, handled, active).into());
        Ok(())
    })
}
