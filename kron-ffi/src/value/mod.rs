//! Values that functions of several folders take or return, and versions.

pub(crate) mod version;

pub(crate) mod result_name;

pub(crate) mod string;

pub(crate) mod enums;

pub(crate) mod duration;

pub(crate) mod decision;

pub(crate) mod primed;

pub use decision::*;
pub use duration::*;
pub use enums::*;
pub use primed::*;
pub use result_name::*;
pub use string::*;
pub use version::*;
