//! Errors that tests switch on, to check that `kron-check` finds them. Without the feature `planted-bugs` they are not
//! in the library.

#[cfg(all(feature = "planted-bugs", not(debug_assertions)))]
compile_error!("the feature `planted-bugs` is for tests; it is not for release builds");

#[cfg(feature = "planted-bugs")]
use core::sync::atomic::{AtomicUsize, Ordering};

/// The errors that can be switched on, by name.
#[cfg(feature = "planted-bugs")]
pub const PLANTED_BUGS: [&str; 23] = [
    "deadline-off-by-one",
    "start-early",
    "claim-not-checked",
    "removed-job-forgotten",
    "uncertain-answer-forgotten",
    "watermark-passes-open-period",
    "list-forgotten",
    "suspension-ignored",
    "resume-forgotten",
    "pause-forgotten",
    "edit-ignored",
    "token-claim-forgotten",
    "future-label-trusted",
    "uid-not-checked",
    "run-now-label-trusted",
    "wake-up-lost",
    "stale-object-accepted",
    "deleted-job-returns",
    "answered-job-forgotten",
    "term-not-checked",
    "term-knowledge-kept",
    "replaced-job-not-deleted",
    "unsettled-job-replaced",
];

/// The place of the error that is in, counted from 1.
#[cfg(feature = "planted-bugs")]
static PLANTED: AtomicUsize = AtomicUsize::new(0);

/// Switches an error on for the whole program, or all errors off. Returns whether there is an error of that name.
///
/// ```
/// assert!(kron_core::planted_bugs::plant(Some("start-early")) && kron_core::planted_bugs::is_planted("start-early"));
/// assert!(kron_core::planted_bugs::plant(None) && !kron_core::planted_bugs::is_planted("start-early"));
/// assert!(!kron_core::planted_bugs::plant(Some("no such error")));
/// ```
#[cfg(feature = "planted-bugs")]
pub fn plant(bug: Option<&str>) -> bool {
    let place = bug.and_then(|bug| PLANTED_BUGS.iter().position(|name| *name == bug));
    PLANTED.store(place.map_or(0, |place| place + 1), Ordering::Relaxed);
    place.is_some() == bug.is_some()
}

/// Whether an error is on.
///
/// ```
/// assert!(!kron_core::planted_bugs::is_planted("start-early"));
/// ```
#[cfg(feature = "planted-bugs")]
pub fn is_planted(bug: &str) -> bool {
    match PLANTED.load(Ordering::Relaxed) {
        0 => false,
        place => PLANTED_BUGS.get(place - 1) == Some(&bug),
    }
}

/// Without the feature there is no error.
#[cfg(not(feature = "planted-bugs"))]
pub const fn is_planted(_: &str) -> bool {
    false
}
