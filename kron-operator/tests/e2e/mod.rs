//! The operator from end to end: replicas of it in this process, an API server, and nothing else in between.
//!
//! The server is the model, on a clock that jumps from one thing to the next, or, with `KRON_TEST_KUBECONFIG=FILE`, a
//! real one, on the time of the machine. Tests talk to either through its API alone; what needs faults, other access
//! rules, another definition of the resource or hours of time is in `model_only`, and is skipped on a real server.
//! `docs/explain/conformance.md` says which test holds which rule.
//!
//! On a real server, each test creates its own namespace, runs the operator in it, ends Jobs by writing their status, and deletes the
//! namespace, in five minutes at most. It needs kube-apiserver and etcd;
//! `jobs::jobs_go_with_their_kronjob_and_none_comes_after` also needs the garbage collector of kube-controller-manager. The tests install
//! the resource, or update an older one unless other KronJobs use it. No other operator may watch their namespaces. They wait more than
//! they compute: `--test-threads 64` runs all of them side by side. `scripts/real_server.sh` starts a server and runs them.
//!
//! | Variable | |
//! |---|---|
//! | `KRON_TEST_KUBECONFIG` | a real API server instead of the model |
//! | `KRON_TEST_OPERATOR_KUBECONFIG` | the credentials of the replicas there, of the ServiceAccount in `deploy/`, which must be installed |
//! | `KRON_TEST_SUFFIX` | the suffix of the namespaces' names, on which chosen times depend; random on real servers |
//! | `KRON_TEST_START` | the time at which tests begin on the model |

mod admission;
pub(crate) mod cluster;
mod edits;
pub(crate) mod freezer;
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
