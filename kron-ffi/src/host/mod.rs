//! What a host does: one period by its policy, what it keeps, all open periods by a plan.

pub(crate) mod action;

pub(crate) mod step;

pub(crate) mod state;

pub(crate) mod plan;

pub(crate) mod plan_into;

pub use action::*;
pub use plan::*;
pub use plan_into::*;
pub use state::*;
pub use step::*;
