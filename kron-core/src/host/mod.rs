//! What a host does: one period by its policy, and all open periods by a plan. Pure functions of decisions and `now`.

pub(crate) mod evaluate;
pub(crate) mod plan;
