//! The tests of the operator: one binary, so that it is linked once.

mod crd;
mod deploy;
mod docs;
mod e2e;
mod pages;
mod socket;
mod tzdb;
