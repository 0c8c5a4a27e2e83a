//! Tests.

mod deploy;
