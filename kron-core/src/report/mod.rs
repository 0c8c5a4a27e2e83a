//! Reports on jobs and decisions for people: explanations, receipts, findings, certificates, and what an edit changes.

#[cfg(feature = "manifest")]
mod certificate;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod explain;
#[cfg(feature = "serde")]
mod explain_serialize;
pub(crate) mod finding;
pub(crate) mod lint;
#[cfg(feature = "serde")]
pub(crate) mod receipt;
