//! What a host has to do with one period now.

use kron_core::plan::Action;

use crate::abi::failure::Failure;
use crate::abi::input::struct_in;
use crate::abi::output::struct_out;
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::policy::kron_policy;
use crate::value::decision::kron_decision;
use crate::value::enums::{self, kron_action_kind, kron_outcome};

/// What a host has to do with one period now.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_action {
    /// When to evaluate again, in Unix seconds, if `kind` is KRON_ACTION_WAIT; else 0.
    pub until: i64,
    /// What to do: enum kron_action_kind.
    pub kind: u32,
    /// The outcome that this gives the period: enum kron_outcome. KRON_OUTCOME_NONE if it gives none.
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

impl kron_action {
    /// The action of the core.
    pub(crate) fn to_core(self) -> Result<Action, Failure> {
        const KINDS: [&str; 5] = ["nothing", "wait", "execute", "replace", "record"];
        let same = |kind: kron_action_kind| kind as u32 == self.kind;
        if same(kron_action_kind::Nothing) {
            Ok(Action::Nothing)
        } else if same(kron_action_kind::Wait) {
            Ok(Action::Wait { until: self.until })
        } else if same(kron_action_kind::Execute) {
            Ok(Action::Execute)
        } else if same(kron_action_kind::Replace) {
            Ok(Action::Replace)
        } else if same(kron_action_kind::Record) {
            enums::outcome(self.outcome, "step.action.outcome").map(Action::Record)
        } else {
            Err(Failure::Choice { name: "step.action.kind", value: self.kind, words: &KINDS })
        }
    }
}

/// Determines what to do with one period now. `handled` is 1 if the period has its outcome, else 0; `active` is 1 if an
/// execution of the job is active, else 0. Of the decision, only the window, the chosen time and the flags are used.
/// The sizes are KRON_POLICY_SIZE, KRON_DECISION_SIZE and KRON_ACTION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*action` is unchanged.
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
    // SAFETY: the caller follows the section above.
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
        let (handled, active) = (enums::yes(handled, "handled")?, enums::yes(active, "active")?);
        action.set(policy.to_core()?.evaluate(decision.period()?, now, handled, active).into());
        Ok(())
    })
}
