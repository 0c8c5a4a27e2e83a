//! A model checker for the operator: a breadth-first search through every state that a small cluster can reach.
//!
//! The processes in it run the operator's own code: [`State`](kron_operator::engine::state::State) with
//! [`plan`](kron_operator::plan::plan) and [`Observed`](kron_operator::plan::Observed), which says what answers mean, and
//! through them `kron_host::Dispatcher`. The API server, its
//! watches, the network and the users are a model. `docs/explain/proof.md` says what is
//! modelled, what is checked, and within which bounds.

#![forbid(unsafe_code)]

mod apply;
pub mod args;
pub mod case;
mod describe;
mod encode;
pub mod explore;
pub mod faults;
mod ghost;
mod process;
mod property;
mod quiet;
mod requests;
mod server;
pub mod step;
mod steps;
mod times;
mod wire;
pub mod world;

/// The errors that [`kron_core::planted_bugs::plant`] can put in, by name.
#[cfg(feature = "planted-bugs")]
pub const PLANTED_BUGS: [&str; 35] = [
    "deadline-off-by-one",
    "start-early",
    "claim-not-checked",
    "removed-job-forgotten",
    "uncertain-answer-forgotten",
    "early-look-up-trusted",
    "refused-not-looked-up",
    "watermark-passes-open-period",
    "list-forgotten",
    "list-before-claim",
    "earlier-list-trusted",
    "token-keeps-list",
    "missed-keeps-list",
    "taken-back-token-forgotten",
    "own-claim-forgotten",
    "taken-claim-forgotten",
    "suspension-ignored",
    "resume-forgotten",
    "pause-forgotten",
    "edit-ignored",
    "edited-claim-forgotten",
    "unreadable-claim-forgotten",
    "token-claim-forgotten",
    "future-label-trusted",
    "uid-not-checked",
    "run-now-label-trusted",
    "wake-up-lost",
    "stale-object-accepted",
    "deleted-job-returns",
    "answered-job-forgotten",
    "old-list-trusted",
    "term-not-checked",
    "term-knowledge-kept",
    "replaced-job-not-deleted",
    "unsettled-job-replaced",
];
