//! The named algorithms. A change of any output of one is a new algorithm with a new name, never an edit.

use crate::word_enum;

word_enum! {
    in "kron_core";
    /// Which frozen algorithm makes the decisions.
    ///
    /// ```
    /// use kron_core::Algorithm;
    /// assert_eq!(Algorithm::default().as_str(), "siphash-chacha8/1");
    /// assert_eq!("sha256-splitmix64/1".parse(), Ok(Algorithm::Sha256SplitMix64));
    /// ```
    Algorithm, "algorithm" {
        /// Keyed SipHash-2-4 seeds, a ChaCha8 stream and the closed-up choice: the default.
        #[default]
        SipHashChaCha8 = "siphash-chacha8/1",
        /// SHA-256 seeds and a SplitMix64 stream, bit-compatible with Kron's first implementation in Go. Computes
        /// `uniform`, `skewEarly` and `skewLate` in windows of whole seconds.
        Sha256SplitMix64 = "sha256-splitmix64/1",
    }
}

#[cfg(feature = "serde")]
crate::serde_support::serde_by_text!(Algorithm);
