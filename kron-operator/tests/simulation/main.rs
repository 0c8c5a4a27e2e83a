//! The operator in a world where everything fails now and then: two replicas, several KronJobs, and for 20 minutes or an hour
//! and a half every kind of fault that the model knows, frozen processes, and users who edit, suspend, delete and ask for runs. In
//! some runs users also edit labels of Jobs and machines are suspended, or a thousand KronJobs more start in the same second. Then
//! nothing fails any more. Whatever happened, no period ran twice or too early, and afterwards the state is as if nothing had
//! happened. An audit of the objects agrees with what was observed of every period.
//!
//! A seed decides everything that happens, and a run with the same seed repeats it to the byte.
//!
//! | Variable | Meaning |
//! |---|---|
//! | `KRON_SIM_SEEDS` | how many seeds to run; the default is 60 |
//! | `KRON_SIM_FIRST` | the first of them; the default is 0 |
//! | `KRON_SIM_SEED` | one seed to run, with all that happened in it |
//! | `KRON_SIM_REPEATED` | how many of the seeds to run twice and compare; the default is 10 |
//! | `KRON_SIM_RESULTS` | a file with the seeds that passed: they are not run again, and more are added |

mod audit;
mod chaos;
mod checks;
mod lies;
mod observer;
mod runs;
mod world;

/// The cluster of the end-to-end tests.
#[expect(dead_code, reason = "the end-to-end tests use more of it than the simulation")]
#[path = "../e2e"]
mod e2e {
    pub mod cluster;
    pub mod freezer;
    pub mod manifest;
}

/// A third of the time of a seed goes to the allocator, with that of the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[test]
fn no_period_runs_twice_whatever_fails() {
    runs::run();
}

#[test]
#[ignore = "takes a minute; scripts/test_all.sh runs it"]
fn seeds_that_failed_before_pass() {
    runs::run_failed_before();
}
