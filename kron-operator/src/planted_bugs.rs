//! Errors that tests switch on, to check that `kron-check` finds them. Without the feature `planted-bugs` there are none.

#[cfg(feature = "planted-bugs")]
pub(crate) use kron_core::planted_bugs::is_planted;

/// Without the feature there is no error.
#[cfg(not(feature = "planted-bugs"))]
pub(crate) const fn is_planted(_: &str) -> bool {
    false
}
