//! A strict model of a Kubernetes API server.

pub mod schema;
