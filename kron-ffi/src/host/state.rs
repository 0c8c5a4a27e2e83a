//! What a host keeps of a job: which periods are handled, since when the configuration is in force.

use std::ffi::c_char;

use kron_core::plan::HostState;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, borrow_mut, free};
use crate::abi::input::struct_in;
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::host::step::kron_step;
use crate::value::enums;
use crate::value::string::{guard_string, json, kron_string};

/// What a host keeps of a job between its plans and its processes: since when its configuration is in force, which
/// periods are handled, and whether an execution is active. For one thread at a time. Its size depends on how many
/// windows overlap, and not on how long the host runs.
#[derive(Clone, Debug)]
pub struct kron_host_state {
    pub(crate) state: HostState,
}

impl Handle for kron_host_state {
    type Owner = Box<kron_host_state>;
}

/// Makes the state of a host whose configuration of the job begins at a Unix second: a period with a chosen time up to
/// then, `since` included, is not in force. No period is handled, and no execution active.
///
/// Ownership: `*out` is a new state, which the caller frees with kron_host_state_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_new(
    since: i64,
    out: *mut *mut kron_host_state,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (out, error) = unsafe { (Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        out?.give(Box::new(kron_host_state { state: HostState::new(since) }));
        Ok(())
    })
}

/// Makes a copy of a state. Changes of one do not change the other.
///
/// Ownership: `*out` is a new state, which the caller frees with kron_host_state_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_clone(
    state: *const kron_host_state,
    out: *mut *mut kron_host_state,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (state, out, error) = unsafe { (borrow(state, "state"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (state, out) = (state?, out?);
        out.give(Box::new(state.clone()));
        Ok(())
    })
}

/// Notes that a step of a plan is carried out: its period is handled if the action gives it an outcome, and an
/// execution is active if the action starts one. Steps may be recorded in any order. One that is not recorded stays
/// open. Record a step and store the state before you start an execution: then no period is started twice.
/// `step_size` is KRON_STEP_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the state is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_record(
    state: *mut kron_host_state,
    step: *const kron_step,
    step_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (state, step, error) =
        unsafe { (borrow_mut(state, "state"), struct_in(step, step_size, "step"), ErrorOut::new(error)) };
    guard(error, || {
        let (state, step) = (state?, step?);
        state.state.record(&step.to_core()?);
        Ok(())
    })
}

/// Says whether an execution of the job is active: 1 or 0. kron_host_state_record says that one is when it begins; say
/// here that it has ended.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the state is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_set_active(
    state: *mut kron_host_state,
    active: u32,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (state, error) = unsafe { (borrow_mut(state, "state"), ErrorOut::new(error)) };
    guard(error, || {
        let (state, active) = (state?, enums::yes(active, "active")?);
        state.state.set_active(active);
        Ok(())
    })
}

/// Begins another configuration of the job at a Unix second, because its text has changed: a period with a chosen time
/// up to then is not in force any more. No period that is handled is open again.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the state is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_reconfigure(
    state: *mut kron_host_state,
    since: i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (state, error) = unsafe { (borrow_mut(state, "state"), ErrorOut::new(error)) };
    guard(error, || {
        state?.state.reconfigure(since);
        Ok(())
    })
}

/// Returns 1 if the period of a nominal time, in Unix seconds, is handled, else 0.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_is_handled(state: *const kron_host_state, nominal: i64) -> u64 {
    // SAFETY: the caller follows the section above.
    let state = unsafe { borrow(state, "state") };
    guard_get(0, state, |state| state.state.is_handled(nominal).into())
}

/// Returns 1 if an execution of the job is active, else 0.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_is_active(state: *const kron_host_state) -> u64 {
    // SAFETY: the caller follows the section above.
    let state = unsafe { borrow(state, "state") };
    guard_get(0, state, |state| state.state.is_active().into())
}

/// Makes a JSON object of a state, for a file: the fields `since`, `handledThrough`, `handled` and `active`.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_to_json(
    state: *const kron_host_state,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (state, out, error) = unsafe { (borrow(state, "state"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, state, out, "json", |state| json(serde_json::to_string(&state.state)))
}

fn from_json(
    text: Result<&str, Failure>,
    out: Result<Out<*mut kron_host_state>, Failure>,
) -> Result<(), Failure> {
    let (text, out) = (text?, out?);
    let state = serde_json::from_str(text).map_err(|error| Failure::HostState(error.to_string()))?;
    out.give(Box::new(kron_host_state { state }));
    Ok(())
}

/// Reads a state that kron_host_state_to_json wrote. KRON_ERROR_HOST_STATE for any other text.
///
/// Ownership: `*out` is a new state, which the caller frees with kron_host_state_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_from_json(
    json: *const c_char,
    out: *mut *mut kron_host_state,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (json, out, error) =
        unsafe { (read_text_z(json, "json"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || from_json(json, out))
}

/// Like kron_host_state_from_json, with the length of the text in bytes.
///
/// Ownership: `*out` is a new state, which the caller frees with kron_host_state_free.
/// NULL: only `error` may be NULL, and `json` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_from_json_n(
    json: *const c_char,
    json_length: usize,
    out: *mut *mut kron_host_state,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (json, out, error) =
        unsafe { (read_text(json, json_length, "json"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || from_json(json, out))
}

/// Frees a state.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_host_state_free(state: *mut kron_host_state) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(state) });
}
