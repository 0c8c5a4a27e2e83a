//! What a host has to do: one period by its policy, all open periods by a plan.

pub(crate) mod action;

pub(crate) mod plan;

pub use action::*;
pub use plan::*;
