//! What becomes of the fields of a CronJob.

use kron_core::{Cron, ErrorCode, Finding};

use super::counts::Counts;
use crate::convert::duration::short;
use crate::convert::finding::ConvertFinding;
use crate::convert::formats::controller_schedule::ControllerSchedule;
use crate::convert::manifest::{Comments, Editor, Field, Value, entry};
use crate::convert::yaml::{Edits, Entry, Kind, Node};
use crate::error::convert::cronjob as messages;
use crate::kronjob::{API_VERSION, KIND};

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The annotation with the schedule of a CronJob that never starts, and the schedule of the suspended KronJob.
const SOURCE_SCHEDULE: &str = "kron.io/source-schedule";
const NEVER: &str = "@yearly";
/// What only an API server sets.
const SERVER_SET: [&str; 8] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];
const SPEC_FIELDS: [&str; 8] = [
    "concurrencyPolicy",
    "failedJobsHistoryLimit",
    "jobTemplate",
    "schedule",
    "startingDeadlineSeconds",
    "successfulJobsHistoryLimit",
    "suspend",
    "timeZone",
];

impl<'a> Editor<'a> {
    /// The edits that make a KronJob of a CronJob.
    pub(super) fn edit(
        &self,
        object: &'a Node,
        counts: &mut Counts,
        warnings: &mut Vec<ConvertFinding>,
    ) -> Result<Edits, Finding> {
        let mut edits = Edits::default();
        for (key, text) in [("apiVersion", API_VERSION), ("kind", KIND)] {
            if let Some(value) = object.get(key) {
                self.changeable(key, value)?;
                edits.replace(value.start..value.end, self.quoted(object, text));
            }
        }
        let metadata = self.map(object, "metadata")?;
        let spec = self.map(object, "spec")?;
        self.writable("the CronJob", object)?;
        let mut gone: Vec<&str> = Vec::new();
        for entry in object.entries() {
            match entry.name() {
                Some("apiVersion" | "kind" | "metadata" | "spec") => {}
                Some("status") => gone.push("status"),
                name => {
                    let finding = messages::field_of_no_object(name.unwrap_or("?"));
                    warnings.push(self.at_key(entry, finding));
                    gone.extend(name);
                }
            }
        }
        self.remove_entries(object, &gone, &mut edits)?;
        self.remove_comments(object, &gone, &mut edits);
        let never = self.never_starts(spec);
        self.edit_metadata(metadata, never, &mut edits, warnings)?;
        self.edit_spec(spec, never.is_some(), counts, &mut edits, warnings)?;
        Ok(edits)
    }

    /// The schedule of a CronJob that no date matches: people switch CronJobs off by it.
    fn never_starts(&self, spec: &'a Node) -> Option<&'a str> {
        let (text, _) = self.document.scalar(spec.get("schedule")?)?;
        let error = Cron::parse(&ControllerSchedule::read(text).cron).err()?;
        (error.code() == ErrorCode::CronNeverMatches).then_some(text)
    }

    /// Keeps the schedule of a CronJob that never starts. Returns whether the annotations that are there go.
    fn annotate(&self, metadata: &'a Node, schedule: &str, edits: &mut Edits) -> Result<bool, Finding> {
        let present = self.given(metadata, "annotations");
        let last = present
            .and_then(|entry| entry.value.entries().iter().rev().find(|entry| !entry.is(LAST_APPLIED)));
        match (present, last) {
            (Some(entry), _) if !entry.value.is_map() => Err(messages::is_an_alias("metadata.annotations")),
            (Some(entry), Some(last)) => {
                self.writable("metadata.annotations", &entry.value)?;
                let field = Field { name: SOURCE_SCHEDULE, value: Value::Text(schedule.to_string()) };
                self.insert(&entry.value, last, &[field], edits);
                Ok(false)
            }
            _ => {
                let name = entry(metadata, "name").or_else(|| entry(metadata, "generateName"));
                let name = name.ok_or_else(|| messages::missing("metadata.name"))?;
                // A block writes these values as they are.
                let text =
                    if metadata.is_flow() { schedule.to_string() } else { self.quoted(metadata, schedule) };
                let fields = vec![(SOURCE_SCHEDULE, text, Comments::default())];
                self.insert(
                    metadata,
                    name,
                    &[Field { name: "annotations", value: Value::Fields(fields) }],
                    edits,
                );
                Ok(true)
            }
        }
    }

    fn edit_metadata(
        &self,
        metadata: &'a Node,
        never: Option<&str>,
        edits: &mut Edits,
        warnings: &mut Vec<ConvertFinding>,
    ) -> Result<(), Finding> {
        self.writable("metadata", metadata)?;
        for field in ["name", "namespace"] {
            if let Some(value) = metadata.get(field) {
                self.rendered(&format!("metadata.{field}"), value)?;
            }
        }
        let mut gone: Vec<&str> = SERVER_SET.to_vec();
        for (field, finding) in
            [("ownerReferences", messages::owners()), ("finalizers", messages::finalizers())]
        {
            if let Some(entry) = entry(metadata, field) {
                warnings.push(self.at_key(entry, finding));
                gone.push(field);
            }
        }
        if let Some(schedule) = never
            && self.annotate(metadata, schedule, edits)?
        {
            gone.push("annotations");
        }
        if let Some(annotations) = metadata.get("annotations").filter(|annotations| annotations.is_map()) {
            match annotations.entries() {
                [only] if only.is(LAST_APPLIED) => gone.push("annotations"),
                _ => {
                    self.remove_entries(annotations, &[LAST_APPLIED], edits)?;
                    self.remove_comments(annotations, &[LAST_APPLIED], edits);
                }
            }
        }
        if let (Some(namespace), None) = (&self.options.namespace, metadata.get("namespace")) {
            let name = entry(metadata, "name").ok_or_else(|| messages::missing("metadata.name"))?;
            let field = Field { name: "namespace", value: Value::Text(namespace.clone()) };
            self.insert(metadata, name, &[field], edits);
        }
        self.remove_comments(metadata, &gone, edits);
        self.remove_entries(metadata, &gone, edits)
    }

    fn edit_spec(
        &self,
        spec: &'a Node,
        never: bool,
        counts: &mut Counts,
        edits: &mut Edits,
        warnings: &mut Vec<ConvertFinding>,
    ) -> Result<(), Finding> {
        self.writable("spec", spec)?;
        let mut gone: Vec<&str> = Vec::new();
        for entry in spec.entries() {
            let name = entry.name();
            if !name.is_some_and(|name| SPEC_FIELDS.contains(&name)) {
                let finding = messages::field_of_no_kronjob(name.unwrap_or("?"));
                warnings.push(self.at_key(entry, finding));
                gone.extend(name);
            }
        }
        let schedule = entry(spec, "schedule").ok_or_else(|| messages::missing("spec.schedule"))?;
        let zone = self.given(spec, "timeZone");
        let mut fields = Vec::new();
        let in_schedule = self.edit_schedule(spec, schedule, never, edits)?;
        if never {
            let (text, _) = self.scalar("spec.schedule", &schedule.value)?;
            warnings.push(self.at_key(schedule, messages::never(text, NEVER, SOURCE_SCHEDULE)));
        }
        match (in_schedule, zone) {
            (Some(_), Some(_)) => return Err(messages::two_zones()),
            (Some(zone), None) => {
                gone.push("timeZone");
                fields.push(Field { name: "timezone", value: Value::Text(zone) });
            }
            (None, Some(zone)) => {
                self.changeable("timeZone", &zone.key)?;
                let key = if matches!(&zone.key.kind, Kind::Scalar { plain: true, .. }) {
                    "timezone"
                } else {
                    "\"timezone\""
                };
                edits.replace(zone.key.start..zone.key.end, key);
            }
            (None, None) => {
                gone.push("timeZone");
                counts.without_zone += 1;
            }
        }
        if let Some(window) = self.options.window {
            let duration = vec![("duration", short(window), Comments::default())];
            fields.push(Field { name: "window", value: Value::Fields(duration) });
            if self.options.fixed {
                let strategy = vec![("strategy", "fixed".to_string(), Comments::default())];
                fields.push(Field { name: "seed", value: Value::Fields(strategy) });
            }
        }
        fields.push(Field {
            name: "policy",
            value: Value::Fields(self.policy(spec, never, counts, edits, warnings)?),
        });
        self.insert(spec, zone.unwrap_or(schedule), &fields, edits);
        self.remove_comments(spec, &gone, edits);
        // Their comments go with them into the policy.
        gone.extend(["concurrencyPolicy", "startingDeadlineSeconds", "suspend"]);
        self.remove_entries(spec, &gone, edits)
    }

    /// Writes the schedule as Kron reads it. Returns the zone that it contains.
    fn edit_schedule(
        &self,
        spec: &'a Node,
        schedule: &'a Entry,
        never: bool,
        edits: &mut Edits,
    ) -> Result<Option<String>, Finding> {
        let (text, _) = self.scalar("spec.schedule", &schedule.value)?;
        let read = ControllerSchedule::read(text);
        if read.is_rewritten || never {
            self.changeable("schedule", &schedule.value)?;
            let cron = if never { NEVER } else { &read.cron };
            edits.replace(schedule.value.start..schedule.value.end, self.quoted(spec, cron));
        }
        Ok(read.zone.map(str::to_string))
    }

    /// An entry whose value is not null.
    pub(super) fn given(&self, map: &'a Node, key: &str) -> Option<&'a Entry> {
        entry(map, key).filter(|entry| !self.document.is_null(&entry.value))
    }

    fn map(&self, parent: &'a Node, key: &str) -> Result<&'a Node, Finding> {
        let value = parent.get(key).ok_or_else(|| messages::missing(key))?;
        if matches!(value.kind, Kind::Alias(_)) {
            return Err(messages::is_an_alias(key));
        }
        if value.is_map() { Ok(value) } else { Err(messages::not_an_object(key)) }
    }

    pub(super) fn scalar(&self, name: &str, node: &'a Node) -> Result<(&'a str, bool), Finding> {
        self.rendered(name, node)?;
        self.document.scalar(node).ok_or_else(|| messages::not_a_scalar(name))
    }

    /// Refuses a value that a template still has to write: `{{ .Values.schedule }}`, in quotes or not.
    fn rendered(&self, name: &str, node: &'a Node) -> Result<(), Finding> {
        let source = self.text.get(node.start..node.end).unwrap_or_default();
        if source.contains("{{") { Err(messages::template(name, source)) } else { Ok(()) }
    }

    /// A finding about an entry.
    pub(super) fn at_key(&self, entry: &Entry, finding: Finding) -> ConvertFinding {
        ConvertFinding::new(self.source, finding).at(self.lines.of(entry.key.start) + 1)
    }
}
