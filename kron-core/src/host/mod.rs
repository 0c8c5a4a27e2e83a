//! What a host does: one period by its policy, all open periods by a plan, and which of them are handled. Pure functions of decisions and `now`.

pub(crate) mod evaluate;
pub(crate) mod handled;
pub(crate) mod plan;
