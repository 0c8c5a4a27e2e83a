//! Jobs: making and building them, decisions, series, explanations, receipts, primed schedules and places.

pub(crate) mod create;

pub(crate) mod properties;

pub(crate) mod copy;

pub(crate) mod policy;

pub(crate) mod decide;

pub(crate) mod decide_arrays;

pub(crate) mod series;

pub(crate) mod explain;

pub(crate) mod receipt;

pub(crate) mod prime;

pub(crate) mod placed;

pub(crate) mod clause_builder;

pub(crate) mod builder;

pub(crate) mod builder_parts;

pub(crate) mod builder_distribution;

pub(crate) mod builder_text;

pub use builder::*;
pub use builder_distribution::*;
pub use builder_parts::*;
pub use builder_text::*;
pub use clause_builder::*;
pub use copy::*;
pub use create::*;
pub use decide::*;
pub use decide_arrays::*;
pub use explain::*;
pub use placed::*;
pub use policy::*;
pub use prime::*;
pub use properties::*;
pub use receipt::*;
pub use series::*;
