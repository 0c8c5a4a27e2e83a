//! Fleets: many jobs.

pub(crate) mod create;

pub(crate) mod properties;

pub(crate) mod builder;

pub(crate) mod series;

pub use builder::*;
pub use create::*;
pub use properties::*;
pub use series::*;
