//! Fleets: many jobs.

pub(crate) mod create;

pub(crate) mod load_file;

pub(crate) mod properties;

pub(crate) mod builder;

pub(crate) mod series;

pub(crate) mod spread;

pub(crate) mod diff;

pub use builder::*;
pub use create::*;
pub use diff::*;
pub use load_file::*;
pub use properties::*;
pub use series::*;
pub use spread::*;
