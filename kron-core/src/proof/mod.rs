//! Proof of a decision: the steps that lead to it, and receipts, from which anyone can compute it again.
//!
//! ```
//! let job = kron_core::Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
//! let explanation = job.explain(1_772_323_200)?;
//! assert_eq!(explanation.decision, job.decide(1_772_323_200)?);
//! # Ok::<(), kron_core::Error>(())
//! ```

pub(crate) mod explain;
#[cfg(feature = "serde")]
mod explain_serialize;
#[cfg(feature = "serde")]
pub(crate) mod receipt;

pub use self::explain::{ClosedUp, DrawStep, Explanation};
#[cfg(feature = "serde")]
pub use self::receipt::{Difference, Receipt, Verification, ZoneRules};
