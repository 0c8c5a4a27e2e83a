//! Tests.

mod crd;
