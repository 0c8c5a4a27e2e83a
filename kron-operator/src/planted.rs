//! Errors that tests put in, to see that `kron-check` finds them. Without the feature `planted-bugs` there is none.

#[cfg(feature = "planted-bugs")]
pub(crate) use kron_core::is_planted;

/// Without the feature there is no error.
#[cfg(not(feature = "planted-bugs"))]
pub(crate) const fn is_planted(_: &str) -> bool {
    false
}
