//! Values that functions of several families take or return.

pub(crate) mod version;

pub(crate) mod string;

pub(crate) mod enums;

pub(crate) mod duration;

pub(crate) mod decision;

pub use decision::*;
pub use duration::*;
pub use enums::*;
pub use string::*;
pub use version::*;
