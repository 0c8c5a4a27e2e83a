//! Kron's integration tests: the shared vectors, properties against models, differences to other crates.

mod vectors;
