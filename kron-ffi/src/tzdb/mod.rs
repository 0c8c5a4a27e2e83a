//! Time zone databases and their zones.

pub(crate) mod database;

pub(crate) mod tzif;

pub(crate) mod zone;

pub use database::*;
pub use tzif::*;
pub use zone::*;
