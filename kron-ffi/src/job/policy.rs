//! Policies, and what to do with one period now.

use kron_core::Policy;
use kron_core::plan::PolicyKey;

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::struct_out;
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard_set};
use crate::job::create::kron_job;
use crate::value::duration::duration;
use crate::value::enums::{self, kron_concurrency};

/// How a host treats the periods of a job. KRON_POLICY_INIT has the defaults: deadline 0, forbid, not suspended.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_policy {
    /// How late a start may be, in nanoseconds, 0 or more: `10 * KRON_MINUTE`. With 0, the default, a start that is a
    /// second late is missed.
    pub deadline_ns: i64,
    /// What happens while an earlier execution is active: enum kron_concurrency.
    pub concurrency: u32,
    /// 1 to start nothing and record nothing, else 0.
    pub suspend: u32,
}

impl Struct for kron_policy {}

impl kron_policy {
    pub(crate) fn to_core(self) -> Result<Policy, Failure> {
        // Every key by name, so that the compiler reports a new one here.
        PolicyKey::ALL.iter().try_fold(Policy::default(), |policy, key| {
            Ok(match key {
                PolicyKey::Concurrency => {
                    policy.with_concurrency(enums::concurrency(self.concurrency, "policy.concurrency")?)
                }
                PolicyKey::Deadline => {
                    policy.with_deadline(duration(self.deadline_ns, "policy.deadline_ns")?)?
                }
                PolicyKey::Suspend => policy.with_suspend(enums::yes(self.suspend, "policy.suspend")?),
            })
        })
    }
}

impl From<&Policy> for kron_policy {
    fn from(policy: &Policy) -> kron_policy {
        kron_policy {
            deadline_ns: policy.deadline().as_nanos(),
            concurrency: kron_concurrency::from(policy.concurrency()) as u32,
            suspend: policy.suspend().into(),
        }
    }
}

/// Gets the policy of a job. `out_size` is KRON_POLICY_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (job, out, error) =
        unsafe { (borrow(job, "job"), struct_out(out, out_size, "out"), ErrorOut::new(error)) };
    guard_set(error, job, out, |job| Ok(job.job.spec().policy().into()))
}
