//! Errors that tests switch on, to check that `kron-check` finds them. Without the feature `planted-bugs` they are not
//! in the library.

#[cfg(all(feature = "planted-bugs", not(debug_assertions)))]
compile_error!("the feature `planted-bugs` is for tests; it is not for release builds");

#[cfg(feature = "planted-bugs")]
use core::sync::atomic::{AtomicU64, Ordering};

/// The [number](number) of the error that is in, or 0.
#[cfg(feature = "planted-bugs")]
static PLANTED: AtomicU64 = AtomicU64::new(0);

/// A number for a name: its hash by FNV-1a, which is never 0 for a name in use.
#[cfg(feature = "planted-bugs")]
fn number(bug: &str) -> u64 {
    bug.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Switches an error on for the whole program, by its name where [`is_planted`] asks for it, or all errors off.
///
/// ```
/// kron_core::planted_bugs::plant(Some("start-early"));
/// assert!(kron_core::planted_bugs::is_planted("start-early") && !kron_core::planted_bugs::is_planted("other"));
/// kron_core::planted_bugs::plant(None);
/// assert!(!kron_core::planted_bugs::is_planted("start-early"));
/// ```
#[cfg(feature = "planted-bugs")]
pub fn plant(bug: Option<&str>) {
    PLANTED.store(bug.map_or(0, number), Ordering::Relaxed);
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
        planted => planted == number(bug),
    }
}

/// Without the feature there is no error.
#[cfg(not(feature = "planted-bugs"))]
pub const fn is_planted(_: &str) -> bool {
    false
}
