//! Objects of Kubernetes that hold a schedule: which format reads them, and what is said of those that it does not read.

use kron_core::Severity;

use crate::convert::conversion::Conversion;
use crate::convert::finding::ConvertFinding;
use crate::convert::format::Format;
use crate::convert::yaml::{Document, Node, has_object};
use crate::error::convert::source as messages;
use crate::kronjob::KIND;

/// The kinds that are read, and their formats. Where a text has several kinds, the first of these formats has it: manifests can
/// keep the other objects.
const KINDS: [(&str, Format); 2] = [("CronJob", Format::CronJob), ("CronWorkflow", Format::Argo)];

/// The format of a text with objects of several kinds.
pub(super) fn first_format(text: &str) -> Option<Format> {
    let found = KINDS.iter().find(|(kind, _)| has_object(text, kind));
    // A text that cannot be read has the error of its first format.
    found.or(KINDS.first()).map(|(_, format)| *format)
}

/// What a conversion does with an object of another kind.
pub(super) struct Other<'a> {
    pub(super) document: &'a Document,
    pub(super) object: &'a Node,
    /// Its source and its line.
    pub(super) place: (usize, usize),
    /// Whether the result has the object as it is.
    pub(super) stays: bool,
}

impl Other<'_> {
    /// Names an object that is a job and not converted. Returns whether it is one.
    pub(super) fn report(&self, conversion: &mut Conversion<'_>) -> bool {
        let text = |map: &Node, key: &str| {
            map.get(key).and_then(|node| self.document.scalar(node)).map(|(text, _)| text.to_string())
        };
        let Some(kind) = text(self.object, "kind") else { return false };
        let finding = match KINDS.iter().find(|(known, _)| *known == kind) {
            Some((_, format)) => {
                // Who names the format has asked for the others to be left out.
                let chosen = conversion.options.format.is_some();
                let severity = if chosen { Severity::Warning } else { Severity::Error };
                messages::of_another_format(&kind, format.as_str(), self.stays, severity)
            }
            None if kind == KIND && !self.stays => messages::kronjob_left_out(),
            None => return kind == KIND,
        };
        let metadata = self.object.get("metadata");
        let field = |key: &str| metadata.and_then(|metadata| text(metadata, key));
        let namespace = field("namespace").or_else(|| conversion.options.namespace.clone());
        let name = field("name").or_else(|| field("generateName"));
        let job = name.map(|name| namespace.map_or(name.clone(), |namespace| format!("{namespace}/{name}")));
        let (source, line) = self.place;
        conversion.out.report(ConvertFinding::new(source, finding).at(line).of_job(job));
        true
    }
}
