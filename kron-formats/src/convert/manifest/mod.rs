//! Manifests whose text is edited: objects are found, and fields are written and removed, with their comments.

mod editor;
mod place;

pub(crate) use self::editor::{Editor, documents};
pub(crate) use self::place::{Comments, Field, Value, entry};
