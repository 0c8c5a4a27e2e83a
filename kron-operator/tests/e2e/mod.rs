//! The operator from end to end: replicas of it in this process, an API server, and nothing else in between.
//!
//! The server is the model, on a clock that jumps from one thing to the next, or, with `KRON_TEST_KUBECONFIG=FILE`, a
//! real one, on the time of the machine. Tests talk to either through its API alone; what needs faults, other access
//! rules, another definition of the resource or hours of time is in `model_only`, and is skipped on a real server. `docs/explain/conformance.md` says which test holds which rule.

mod admission;
pub(crate) mod cluster;
mod edits;
mod history;
mod jobs;
mod manifest;
mod migration;
mod outcomes;
mod primers;
mod replicas;
mod run_now;
mod status;
mod zones;

mod model_only;
