//! Events before they are written.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use k8s_openapi::api::core::v1::ObjectReference;
use kron_host::names::{CAUSE_ANNOTATION, OUTCOME_ANNOTATION, PERIOD_ID_LABEL, label_time};

use crate::plan::PeriodResult;
use crate::reason::Reason;
use crate::text::cut;

/// An Event that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingEvent {
    /// The KronJob: apiVersion, kind, namespace, name, uid.
    pub regarding: ObjectReference,
    /// Why.
    pub reason: Reason,
    /// A sentence for people; what is over 1024 bytes is cut.
    pub note: String,
    /// When it happened.
    pub time: DateTime<Utc>,
    /// Annotations of the Event: what programs read.
    pub annotations: BTreeMap<String, String>,
}

impl PendingEvent {
    /// An Event whose note is cut to 1024 bytes at a boundary of characters.
    pub fn new(
        regarding: ObjectReference,
        reason: Reason,
        note: impl Into<String>,
        time: DateTime<Utc>,
    ) -> PendingEvent {
        let mut note = note.into();
        cut(&mut note);
        PendingEvent { regarding, reason, note, time, annotations: BTreeMap::new() }
    }

    /// The same Event, with annotations that say what became of a period.
    #[must_use]
    pub fn about_period(mut self, result: PeriodResult) -> PendingEvent {
        let PeriodResult { period, outcome, cause } = result;
        let mut annotate = |key: &str, value: String| self.annotations.insert(key.to_string(), value);
        annotate(PERIOD_ID_LABEL, label_time(period.0));
        annotate(OUTCOME_ANNOTATION, outcome.as_str().to_string());
        if let Some(cause) = cause {
            annotate(CAUSE_ANNOTATION, cause.to_string());
        }
        self
    }
}
