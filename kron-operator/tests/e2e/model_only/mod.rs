//! What takes faults, access rules, another definition of the resource, or hours: on the model only.

use std::time::Duration;

use kron_api_model::{Fault, FaultKind};

mod absence;
mod access;
mod answers;
mod fairness;
mod logs;
mod namespaces;
mod oddities;
mod primers;

/// A fault of this kind after which the operator has no answer to a request, and whether the request was executed. None if there
/// is an answer.
fn without_answer(kind: FaultKind) -> Option<(Fault, bool)> {
    match kind {
        FaultKind::Refuse => Some((Fault::Refuse, false)),
        FaultKind::LoseAnswer => Some((Fault::LoseAnswer, true)),
        // For a second longer than the operator waits.
        FaultKind::DelayAfter => Some((Fault::DelayAfter(Duration::from_secs(9)), true)),
        FaultKind::Hang => Some((Fault::Hang, false)),
        FaultKind::HangAfter => Some((Fault::HangAfter, true)),
        FaultKind::Reject => None,
        // Answered late; after so long that the operator does not wait for it, it is the same as `Hang`.
        FaultKind::DelayBefore => None,
        // Code of a test, which leaves the answer as it is.
        FaultKind::Before | FaultKind::After => None,
    }
}
