//! The definition of the resource: the committed files are current, its fields only grow, and its schema and rules give the
//! verdicts and the texts that real API servers gave.

pub(crate) mod cases;
mod corpus;
mod definition;
mod fields;
mod removal;
mod words;

/// Whether generated files are to be written again: `KRON_RECORD=1 cargo test -p kron-operator crd::`.
fn recording() -> bool {
    std::env::var_os("KRON_RECORD").is_some()
}
