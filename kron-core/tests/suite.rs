//! Kron's integration tests: the shared vectors, properties against models, differences to other crates.

#[cfg(feature = "manifest")]
mod corpus;
#[cfg(feature = "manifest")]
mod fuzz;
mod generators;
mod oracle;
mod properties_cron;
mod properties_decide;
mod properties_starts;
mod properties_text;
mod vectors;
