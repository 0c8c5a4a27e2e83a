//! Plans into an array of the caller. Nothing here allocates, but for errors.

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::{struct_out, structs_zeroed};
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::host::state::kron_host_state;
use crate::host::step::kron_step;
use crate::job::create::kron_job;

/// Flag of kron_plan_counts: `wake_up` is set.
pub const KRON_PLAN_WAKE_UP: u32 = 1;

/// What a plan says beside its steps.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_plan_counts {
    /// How many elements of the array have a step, from the first one on.
    pub steps: u64,
    /// The number of missed periods that are older than those that the plan lists.
    pub older_missed: u64,
    /// The wake-up time: the Unix second at which to plan again, if `flags` has KRON_PLAN_WAKE_UP; else 0, and there is
    /// nothing to wait for.
    pub wake_up: i64,
    /// KRON_PLAN_WAKE_UP or 0.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
}

impl Struct for kron_plan_counts {}

/// Plans for a job like kron_job_plan, and writes the steps to an array. It allocates nothing. The sizes are
/// KRON_STEP_SIZE and KRON_PLAN_COUNTS_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL, and the array if its length is 0.
/// On error: `*counts` is unchanged, and the array has steps without a meaning. KRON_ERROR_TOO_SHORT if the steps do not fit; the
/// message says how many there are.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_plan_into(
    job: *const kron_job,
    state: *const kron_host_state,
    now: i64,
    steps: *mut kron_step,
    steps_length: usize,
    step_size: usize,
    counts: *mut kron_plan_counts,
    counts_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, state, steps, counts, error) = unsafe {
        (
            borrow(job, "job"),
            borrow(state, "state"),
            structs_zeroed(steps, steps_length, step_size, "steps"),
            struct_out(counts, counts_size, "counts"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, state, steps, counts) = (job?, state?, steps?, counts?);
        let length = steps.len();
        let found = job.job.plan_into(&state.state, now, steps).map_err(|needed| Failure::TooShort {
            name: "steps",
            length,
            needed: needed.0,
        })?;
        counts.set(kron_plan_counts {
            steps: found.steps as u64,
            older_missed: found.older_missed,
            wake_up: found.wake_up.unwrap_or(0),
            flags: if found.wake_up.is_some() { KRON_PLAN_WAKE_UP } else { 0 },
            reserved: 0,
        });
        Ok(())
    })
}
