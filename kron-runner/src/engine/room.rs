//! Room for starts that are announced in the store and have not begun.
//!
//! Of such a start nobody knows whether it ran if the runner is killed now. So there are few of them at a time, however many
//! jobs are due in one second.

use std::sync::Arc;

/// How many starts may be announced. A machine makes as many in less than a second.
const ANNOUNCED: usize = 256;
/// From so many on, more of them begin within a moment.
const BUSY: usize = 64;

/// The room of a runner.
#[derive(Debug, Default)]
pub(super) struct Room(Arc<()>);

/// The place of one start in the room. It is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Announced(#[expect(dead_code, reason = "what counts is that it is held")] Arc<()>);

impl Room {
    /// How many further starts may be announced.
    pub(super) fn left(&self) -> usize {
        (ANNOUNCED + 1).saturating_sub(Arc::strong_count(&self.0))
    }

    /// Whether many starts are announced.
    pub(super) fn is_busy(&self) -> bool {
        self.left() <= ANNOUNCED - BUSY
    }

    /// Takes the place of a start.
    pub(super) fn announce(&self) -> Option<Announced> {
        (self.left() > 0).then(|| Announced(self.0.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again() {
        let room = Room::default();
        let mut all: Vec<Announced> = std::iter::from_fn(|| room.announce()).collect();
        assert_eq!((all.len(), room.left(), room.is_busy()), (ANNOUNCED, 0, true));
        all.truncate(BUSY - 1);
        assert!(!room.is_busy());
        all.extend(std::iter::from_fn(|| room.announce()));
        all.pop();
        assert_eq!(room.left(), 1);
        assert!(room.announce().is_some());
    }
}
