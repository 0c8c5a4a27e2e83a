//! Jobs: making and building them, decisions, series, explanations and receipts.

pub(crate) mod create;

pub(crate) mod properties;

pub(crate) mod policy;

pub(crate) mod decide;

pub(crate) mod decide_arrays;

pub(crate) mod series;

pub(crate) mod explain;

pub(crate) mod receipt;

pub(crate) mod clause_builder;

pub(crate) mod builder;

pub(crate) mod builder_parts;

pub(crate) mod builder_distribution;

pub use builder::*;
pub use builder_distribution::*;
pub use builder_parts::*;
pub use clause_builder::*;
pub use create::*;
pub use decide::*;
pub use decide_arrays::*;
pub use explain::*;
pub use policy::*;
pub use properties::*;
pub use receipt::*;
pub use series::*;
