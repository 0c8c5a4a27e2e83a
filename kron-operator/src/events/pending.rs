//! Events before they are written.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::object::Key;
use crate::plan::Message;

/// An Event that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingEvent {
    /// The KronJob.
    pub kronjob: Key,
    /// Its UID.
    pub uid: Arc<str>,
    /// What the Event says; what is over 1024 bytes is cut.
    pub message: Message,
    /// When it happened.
    pub time: DateTime<Utc>,
}
