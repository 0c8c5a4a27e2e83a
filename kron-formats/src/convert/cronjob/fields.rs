//! What becomes of the fields of a CronJob.

use crate::kronjob::{API_VERSION, KIND};

use super::place::{Comments, Field, Value, entry};
use super::{Counts, Editor};
use crate::convert::message::{Message, Refusal, Severity, shown};
use crate::convert::options::short;
use crate::convert::yaml::{Edits, Entry, Kind, Node, RENDER};

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
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
        warnings: &mut Vec<Message>,
    ) -> Result<Edits, Refusal> {
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
                    self.warn_dropped("field", name, entry, warnings);
                    gone.extend(name);
                }
            }
        }
        self.remove_entries(object, &gone, &mut edits)?;
        self.remove_comments(object, &gone, &mut edits);
        self.edit_metadata(metadata, &mut edits, warnings)?;
        self.edit_spec(spec, counts, &mut edits, warnings)?;
        Ok(edits)
    }

    fn edit_metadata(
        &self,
        metadata: &'a Node,
        edits: &mut Edits,
        warnings: &mut Vec<Message>,
    ) -> Result<(), Refusal> {
        self.writable("metadata", metadata)?;
        for field in ["name", "namespace"] {
            if let Some(value) = metadata.get(field) {
                self.rendered(&format!("metadata.{field}"), value)?;
            }
        }
        let mut gone: Vec<&str> = SERVER_SET.to_vec();
        for (field, why) in [
            ("ownerReferences", "the owner made a CronJob, and will make it again"),
            ("finalizers", "who set them for the CronJob does not know the KronJob"),
        ] {
            if let Some(entry) = entry(metadata, field) {
                let reason = format!("`metadata.{field}` is left out: {why}");
                warnings.push(self.warning(entry, reason));
                gone.push(field);
            }
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
            let name = entry(metadata, "name").ok_or_else(|| Refusal::new("`metadata.name` is missing"))?;
            let field = Field { name: "namespace", value: Value::Text(namespace.clone()) };
            self.insert(metadata, name, &[field], edits);
        }
        self.remove_comments(metadata, &gone, edits);
        self.remove_entries(metadata, &gone, edits)
    }

    fn edit_spec(
        &self,
        spec: &'a Node,
        counts: &mut Counts,
        edits: &mut Edits,
        warnings: &mut Vec<Message>,
    ) -> Result<(), Refusal> {
        self.writable("spec", spec)?;
        let mut gone: Vec<&str> = Vec::new();
        for entry in spec.entries() {
            let name = entry.name();
            if !name.is_some_and(|name| SPEC_FIELDS.contains(&name)) {
                self.warn_dropped("field `spec` of a CronJob has no", name, entry, warnings);
                gone.extend(name);
            }
        }
        let schedule = entry(spec, "schedule").ok_or_else(|| Refusal::new("`spec.schedule` is missing"))?;
        let zone = self.given(spec, "timeZone");
        let mut fields = Vec::new();
        let in_schedule = self.edit_schedule(spec, schedule, edits)?;
        match (in_schedule, zone) {
            (Some(_), Some(_)) => {
                let refusal = Refusal::new(
                    "the schedule has a `TZ=` as well as a `timeZone`, which the CronJob controller refuses",
                );
                return Err(refusal.help("take one of them out"));
            }
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
            value: Value::Fields(self.policy(spec, counts, edits, warnings)?),
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
        edits: &mut Edits,
    ) -> Result<Option<String>, Refusal> {
        let (text, _) = self.scalar("spec.schedule", &schedule.value)?;
        let (zone, cron) = match text.strip_prefix("CRON_TZ=").or_else(|| text.strip_prefix("TZ=")) {
            None => (None, text),
            Some(rest) => {
                let (zone, cron) = rest.split_once(' ').unwrap_or((rest, ""));
                (Some(zone.to_string()), cron)
            }
        };
        // The CronJob controller separates fields by any white space, and reads `?` as `*` in every field.
        let fields: Vec<String> = cron
            .split_whitespace()
            .enumerate()
            .map(
                |(index, field)| {
                    if [0, 1, 3].contains(&index) { field.replace('?', "*") } else { field.to_string() }
                },
            )
            .collect();
        let blanks = cron.chars().all(|c| !c.is_whitespace() || c == ' ' || c == '\t');
        let same = blanks && cron.split_whitespace().eq(fields.iter().map(String::as_str));
        if !same || zone.is_some() {
            self.changeable("schedule", &schedule.value)?;
            let quoted = self.quoted(spec, &fields.join(" "));
            edits.replace(schedule.value.start..schedule.value.end, quoted);
        }
        Ok(zone)
    }

    /// An entry whose value is not null.
    pub(super) fn given(&self, map: &'a Node, key: &str) -> Option<&'a Entry> {
        entry(map, key).filter(|entry| !self.document.is_null(&entry.value))
    }

    fn map(&self, parent: &'a Node, key: &str) -> Result<&'a Node, Refusal> {
        let value = parent.get(key).ok_or_else(|| Refusal::new(format!("`{key}` is missing")))?;
        if matches!(value.kind, Kind::Alias(_)) {
            return Err(Refusal::new(format!("`{key}` is an alias")).help("write its fields out"));
        }
        if value.is_map() { Ok(value) } else { Err(Refusal::new(format!("`{key}` is not an object"))) }
    }

    pub(super) fn scalar(&self, name: &str, node: &'a Node) -> Result<(&'a str, bool), Refusal> {
        let wrong = || Refusal::new(format!("{name}: expected a text or a number"));
        self.rendered(name, node)?;
        self.document.scalar(node).ok_or_else(wrong)
    }

    /// Refuses a value that a template still has to write: `{{ .Values.schedule }}`, in quotes or not.
    fn rendered(&self, name: &str, node: &'a Node) -> Result<(), Refusal> {
        let source = self.text.get(node.start..node.end).unwrap_or_default();
        if !source.contains("{{") {
            return Ok(());
        }
        Err(Refusal::new(format!("{name}: `{}` is a template", shown(source))).help(RENDER))
    }

    pub(super) fn warning(&self, entry: &Entry, reason: impl Into<String>) -> Message {
        Message::new(Severity::Warning, self.source, reason).at(self.lines.of(entry.key.start) + 1)
    }

    fn warn_dropped(&self, what: &str, name: Option<&str>, entry: &Entry, warnings: &mut Vec<Message>) {
        let name = shown(name.unwrap_or("?"));
        let reason = if what == "field" {
            format!("field `{name}` is left out: objects have no such field")
        } else {
            format!("field `spec.{name}` is left out: KronJobs have no such field")
        };
        warnings.push(self.warning(entry, reason));
    }
}
