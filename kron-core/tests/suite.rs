//! Kron's integration tests: the shared vectors, properties against models, differences to other crates.

mod generators;
mod oracle;
mod properties_cron;
mod properties_decide;
mod properties_text;
mod vectors;
