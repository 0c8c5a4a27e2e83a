//! CronJobs become KronJobs: their text is edited, so that comments, order and job templates stay as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use kron_core::{API_VERSION, Duration, KIND, LoadOptions};

use crate::message::{Message, Refusal, Severity, shown};
use crate::options::{Options, short};
use crate::output::Converted;
use crate::yaml::{Document, Edits, Entry, Kind, Lines, Node, read};

/// The deadline of a CronJob without `startingDeadlineSeconds`, which is never too late: only the newest start that was
/// missed is made, so a deadline longer than any gap between starts is as good as none.
const NO_DEADLINE: &str = "8784h";
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

/// What is said once about all CronJobs of a source.
#[derive(Default)]
struct Counts {
    without_zone: usize,
    forbid: usize,
    without_deadline: usize,
}

/// Converts the CronJobs of a source, and appends the text to what is there. `names` are those of all KronJobs so far.
pub(crate) fn convert(
    source: usize,
    text: &str,
    options: &Options,
    names: &mut BTreeSet<String>,
    out: &mut Converted,
) -> Result<(), Message> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let failed = |reason: &str, line: Option<usize>| Message {
        line,
        ..Message::new(Severity::Refusal, source, reason)
    };
    if text.replace("\r\n", "\n").contains('\r') {
        return Err(
            failed("the file has carriage returns without line feeds", None).help("save it with line feeds")
        );
    }
    let documents =
        read(text).map_err(|broken| failed(&format!("this is not YAML: {}", broken.reason), broken.line))?;
    let lines = Lines::new(text);
    let (mut edits, mut counts, mut kept) = (Edits::default(), Counts::default(), 0);
    let before = (out.converted, out.refused);
    for document in &documents {
        let editor = Editor { text, lines: &lines, document, options, source };
        kept += editor.convert(&mut edits, &mut counts, names, out)?;
    }
    if (out.converted, out.refused) == before {
        return Err(failed("there is no CronJob in it", None));
    }
    editor_notes(source, &counts, out);
    if out.converted == before.0 && kept == 0 {
        return Ok(());
    }
    let edited = edits.apply(text, 0..text.len());
    let edited = edited
        .ok_or_else(|| failed("the edits of this file overlap", None).help("write one object a document"))?;
    if !out.text.is_empty() {
        if !out.text.ends_with('\n') {
            out.text.push('\n');
        }
        if !edited.starts_with("---") {
            out.text.push_str("---\n");
        }
    }
    out.text.push_str(&edited);
    Ok(())
}

fn editor_notes(source: usize, counts: &Counts, out: &mut Converted) {
    let mut note = |count: usize, what: &str, help: &str| {
        if count > 0 {
            let (jobs, have) = if count == 1 { ("CronJob", "has") } else { ("CronJobs", "have") };
            let reason = format!("{count} {jobs} {have} {what}");
            out.say(Message::new(Severity::Note, source, reason).help(help));
        }
    };
    note(
        counts.without_zone,
        "no `timeZone`, which means the time zone of the controller manager",
        "KronJobs without `timezone` are in UTC, as most controller managers are",
    );
    note(
        counts.without_deadline,
        "no `startingDeadlineSeconds`, which means that no start is too late",
        "`policy.deadline: 8784h` means the same; shorten it where a late start does harm",
    );
    note(
        counts.forbid,
        "`concurrencyPolicy: Forbid`",
        "the CronJob controller makes a start up when the active Job ends; a KronJob skips it",
    );
}

struct Editor<'a> {
    text: &'a str,
    lines: &'a Lines<'a>,
    document: &'a Document,
    options: &'a Options,
    source: usize,
}

/// The comments of an entry that moves.
#[derive(Default)]
struct Comments<'a> {
    above: Vec<&'a str>,
    right: Option<&'a str>,
}

/// A field that is written into a spec.
struct Field<'a> {
    name: &'static str,
    value: Value<'a>,
}

enum Value<'a> {
    Text(String),
    Fields(Vec<(&'static str, String, Comments<'a>)>),
}

impl<'a> Editor<'a> {
    /// Converts the CronJobs of the document. Returns how many other objects there are.
    fn convert(
        &self,
        edits: &mut Edits,
        counts: &mut Counts,
        names: &mut BTreeSet<String>,
        out: &mut Converted,
    ) -> Result<usize, Message> {
        let root = &self.document.root;
        let list = root
            .get("items")
            .filter(|_| self.text_of(root, "kind").is_some_and(|kind| kind.ends_with("List")));
        let objects: Vec<&Node> = match list.and_then(Node::items) {
            Some(items) => items.iter().collect(),
            None => vec![root],
        };
        let (mut kept, mut converted, mut refused): (usize, usize, Vec<&Node>) = (0, 0, Vec::new());
        for object in objects {
            if !self.is_cronjob(object) {
                kept += usize::from(!self.document.is_null(object));
                continue;
            }
            let line = self.lines.of(object.start) + 1;
            let job = self.name(object);
            let mut warnings = Vec::new();
            match self
                .edit(object, counts, &mut warnings)
                .and_then(|edits| self.check(object, edits, names, &mut warnings))
            {
                Ok(made) => {
                    edits.append(made);
                    converted += 1;
                    for warning in warnings {
                        out.say(Message { job: job.clone(), ..warning });
                    }
                }
                Err(refusal) => {
                    refused.push(object);
                    out.say(Message { job, ..refusal.message(self.source, line) });
                }
            }
        }
        out.converted += converted;
        if list.is_some() && converted + kept > 0 {
            self.edit_list(root, list, edits);
        }
        if refused.is_empty() {
            return Ok(kept);
        }
        let removed = if converted + kept == 0 {
            self.remove(root, edits);
            Some(())
        } else {
            list.and_then(|list| self.remove_items(list, &refused, edits))
        };
        removed.map(|()| kept).ok_or_else(|| {
            let message = Message::new(
                Severity::Refusal,
                self.source,
                "a CronJob that is refused cannot be taken out of this list",
            );
            message.help("write each object as a separate document, with `---` between them")
        })
    }

    fn text_of(&self, map: &'a Node, key: &str) -> Option<&'a str> {
        self.document.scalar(map.get(key)?).map(|(text, _)| text)
    }

    fn is_cronjob(&self, object: &'a Node) -> bool {
        let version = self.text_of(object, "apiVersion");
        version.is_some_and(|version| version.starts_with("batch/"))
            && self.text_of(object, "kind") == Some("CronJob")
    }

    fn name(&self, object: &'a Node) -> Option<String> {
        let metadata = object.get("metadata")?;
        let name = self.text_of(metadata, "name").or_else(|| self.text_of(metadata, "generateName"))?;
        let namespace = self.text_of(metadata, "namespace").or(self.options.namespace.as_deref());
        Some(namespace.map_or(name.to_string(), |namespace| format!("{namespace}/{name}")))
    }

    /// A list of CronJobs has a kind of its own.
    fn edit_list(&self, root: &Node, list: Option<&Node>, edits: &mut Edits) {
        if self.text_of(root, "kind") != Some("CronJobList") || list.is_none() {
            return;
        }
        for (key, text) in [("kind", "List"), ("apiVersion", "v1")] {
            if let Some(value) = root.get(key) {
                edits.replace(value.start..value.end, self.quoted(root, text));
            }
        }
    }

    /// A text as a value of a map: in JSON it has quotes.
    fn quoted(&self, map: &Node, text: &str) -> String {
        let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "_/.-+".contains(c));
        if map.is_flow() || text.contains(|c: char| c.is_control()) {
            // OK because a string is always JSON.
            serde_json::to_string(text).unwrap_or_default()
        } else if plain {
            text.to_string()
        } else {
            format!("'{}'", text.replace('\'', "''"))
        }
    }

    /// Takes a node out: its lines, or its bytes.
    fn remove(&self, node: &Node, edits: &mut Edits) {
        edits.replace(self.range(node), "");
    }

    /// The bytes of an object, with the rest of its last line if it is a block.
    fn range(&self, object: &Node) -> Range<usize> {
        let end = if object.is_flow() { object.end } else { self.lines.range(self.lines.of(object.end)).end };
        object.start..end
    }

    /// Takes items out of a list, of which at least one stays. `None` if their places are not clear.
    fn remove_items(&self, list: &Node, gone: &[&Node], edits: &mut Edits) -> Option<()> {
        let items = list.items()?;
        let gone = |item: &Node| gone.iter().any(|node| std::ptr::eq(*node, item));
        if list.is_flow() {
            let last_kept = items.iter().rposition(|item| !gone(item))?;
            for pair in items[..=last_kept].windows(2).filter(|pair| gone(&pair[0])) {
                edits.replace(pair[0].start..pair[1].start, "");
            }
            if last_kept + 1 < items.len() {
                edits.replace(items[last_kept].end..items.last()?.end, "");
            }
            return Some(());
        }
        for item in items.iter().filter(|item| gone(item)) {
            let dash = self.text[..item.start].trim_end_matches(' ').strip_suffix('-')?.len();
            if !self.lines.is_first(dash) {
                return None;
            }
            edits.replace(
                self.lines.range(self.lines.of(dash)).start..self.lines.range(self.lines.of(item.end)).end,
                "",
            );
        }
        Some(())
    }

    /// The edits that make a KronJob of a CronJob.
    fn edit(
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
                _ => self.remove_entries(annotations, &[LAST_APPLIED], edits)?,
            }
        }
        if let (Some(namespace), None) = (&self.options.namespace, metadata.get("namespace")) {
            let name = entry(metadata, "name").ok_or_else(|| Refusal::new("`metadata.name` is missing"))?;
            let field = Field { name: "namespace", value: Value::Text(namespace.clone()) };
            self.insert(metadata, name, &[field], edits);
        }
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
        let mut gone: Vec<&str> = vec!["concurrencyPolicy", "startingDeadlineSeconds", "suspend"];
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
        self.remove_entries(spec, &gone, edits)
    }

    /// Writes the schedule as Kron reads it. Returns the zone that stands in it.
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

    fn policy(
        &self,
        spec: &'a Node,
        counts: &mut Counts,
        edits: &mut Edits,
        warnings: &mut Vec<Message>,
    ) -> Result<Vec<(&'static str, String, Comments<'a>)>, Refusal> {
        let mut policy = Vec::new();
        let comments = |entry: Option<&'a Entry>, edits: &mut Edits| {
            entry.map_or_else(Comments::default, |entry| self.take_comments(spec, entry, edits))
        };
        let concurrency = entry(spec, "concurrencyPolicy");
        let word = match self.given(spec, "concurrencyPolicy") {
            None => "allow",
            Some(entry) => match self.scalar("spec.concurrencyPolicy", &entry.value)?.0 {
                "Allow" | "" => "allow",
                "Replace" => "replace",
                "Forbid" => {
                    counts.forbid += 1;
                    "forbid"
                }
                other => {
                    let reason = format!(
                        "spec.concurrencyPolicy: `{}` is not `Allow`, `Forbid` or `Replace`",
                        shown(other)
                    );
                    return Err(Refusal::new(reason));
                }
            },
        };
        policy.push(("concurrency", word.to_string(), comments(concurrency, edits)));
        let deadline = match self.given(spec, "startingDeadlineSeconds") {
            None => {
                counts.without_deadline += 1;
                NO_DEADLINE.to_string()
            }
            Some(entry) => self.deadline(entry, warnings)?,
        };
        policy.push(("deadline", deadline, comments(entry(spec, "startingDeadlineSeconds"), edits)));
        let suspend = entry(spec, "suspend");
        let suspended = match self.given(spec, "suspend") {
            None => false,
            Some(entry) => match self.scalar("spec.suspend", &entry.value)? {
                ("true" | "True" | "TRUE", true) => true,
                ("false" | "False" | "FALSE", true) => false,
                (other, _) => {
                    let reason = format!("spec.suspend: `{}` is not `true` or `false`", shown(other));
                    return Err(Refusal::new(reason).help("write it without quotes"));
                }
            },
        };
        let suspended = suspended || self.options.suspend;
        let comments = comments(suspend, edits);
        if suspended || !comments.above.is_empty() || comments.right.is_some() {
            policy.push(("suspend", suspended.to_string(), comments));
        }
        Ok(policy)
    }

    fn deadline(&self, entry: &'a Entry, warnings: &mut Vec<Message>) -> Result<String, Refusal> {
        let (text, plain) = self.scalar("spec.startingDeadlineSeconds", &entry.value)?;
        let wrong = || {
            let reason =
                format!("spec.startingDeadlineSeconds: `{}` is not a whole number from 0 on", shown(text));
            Refusal::new(reason).help("write it in decimal digits, without quotes")
        };
        let digits =
            text.bytes().all(|byte| byte.is_ascii_digit()) && !(text.len() > 1 && text.starts_with('0'));
        let seconds: u64 = text.parse().ok().filter(|_| plain && digits).ok_or_else(wrong)?;
        if seconds == 0 {
            let reason = "a CronJob with `startingDeadlineSeconds: 0` never starts; the KronJob starts in its second or not at all";
            warnings.push(self.warning(entry, reason));
        }
        let deadline = format!("{seconds}s");
        Duration::parse(&deadline)
            .map_err(|error| Refusal::new(format!("spec.startingDeadlineSeconds: {}", error.reason())))?;
        Ok(deadline)
    }

    /// The comments of an entry that is taken out. Those above it are taken out here; the one on its right goes with it.
    fn take_comments(&self, map: &'a Node, entry: &'a Entry, edits: &mut Edits) -> Comments<'a> {
        if map.is_flow() || !self.lines.is_first(entry.key.start) {
            return Comments::default();
        }
        let before = map.entries().iter().rev().find(|other| other.key.start < entry.key.start);
        let floor = before.map_or(self.lines.of(map.start), |before| {
            self.lines.of(before.value.end.max(before.key.end)) + 1
        });
        let line = self.lines.of(entry.key.start);
        let column = self.lines.column(entry.key.start);
        let is_comment = |line: usize| {
            let text = self.lines.text(line);
            let trimmed = text.trim_start_matches(' ');
            trimmed.starts_with('#') && text.len() - trimmed.len() == column
        };
        // The comments above the first entry are also those of the map.
        let floor = if before.is_some() { floor } else { line };
        let first = (floor..line).rev().take_while(|line| is_comment(*line)).last().unwrap_or(line);
        if first < line {
            edits.replace(self.lines.range(first).start..self.lines.range(line).start, "");
        }
        let end = entry.value.end.max(entry.key.end);
        let last = self.lines.range(self.lines.of(end));
        let right = self.text.get(end..last.end).map(str::trim).filter(|text| text.starts_with('#'));
        Comments { above: (first..line).map(|line| self.lines.text(line).trim()).collect(), right }
    }

    /// Writes fields after an entry of a map.
    fn insert(&self, map: &Node, after: &Entry, fields: &[Field<'_>], edits: &mut Edits) {
        let end = after.value.end.max(after.key.end);
        let line_break = self.lines.line_break();
        let column = self.lines.column(after.key.start);
        let indent = " ".repeat(column);
        if map.is_flow() {
            let separator = if self.lines.is_first(after.key.start) {
                format!(",{line_break}{indent}")
            } else {
                ", ".to_string()
            };
            let text: String =
                fields.iter().map(|field| format!("{separator}{}", field.flow(self, map))).collect();
            edits.replace(end..end, text);
            return;
        }
        let at = self.lines.range(self.lines.of(end)).end;
        let mut text = String::new();
        if !self.text[..at].ends_with('\n') {
            text.push_str(line_break);
        }
        for line in fields.iter().flat_map(|field| field.block(self, map)) {
            text = text + &indent + &line + line_break;
        }
        edits.replace(at..at, text);
    }

    fn remove_entries(&self, map: &Node, names: &[&str], edits: &mut Edits) -> Result<(), Refusal> {
        let gone = |entry: &Entry| entry.name().is_some_and(|name| names.contains(&name));
        for entry in map.entries().iter().filter(|entry| gone(entry)) {
            self.changeable(entry.name().unwrap_or_default(), &entry.value)?;
        }
        edits.remove_entries(map, self.lines, gone);
        Ok(())
    }

    /// An entry whose value is not null.
    fn given(&self, map: &'a Node, key: &str) -> Option<&'a Entry> {
        entry(map, key).filter(|entry| !self.document.is_null(&entry.value))
    }

    fn map(&self, parent: &'a Node, key: &str) -> Result<&'a Node, Refusal> {
        let value = parent.get(key).ok_or_else(|| Refusal::new(format!("`{key}` is missing")))?;
        if matches!(value.kind, Kind::Alias(_)) {
            return Err(Refusal::new(format!("`{key}` is an alias")).help("write its fields out"));
        }
        if value.is_map() { Ok(value) } else { Err(Refusal::new(format!("`{key}` is not an object"))) }
    }

    /// Merge keys bring fields from elsewhere, which edits do not reach.
    fn writable(&self, name: &str, map: &Node) -> Result<(), Refusal> {
        match entry(map, "<<") {
            None => Ok(()),
            Some(_) => Err(Refusal::new(format!("{name} has a merge key `<<`")).help("write its fields out")),
        }
    }

    fn changeable(&self, name: &str, node: &Node) -> Result<(), Refusal> {
        if self.document.is_shared(node) {
            let refusal = Refusal::new(format!("`{name}` changes, and an alias elsewhere repeats its value"));
            return Err(refusal.help("write the value out where the alias is"));
        }
        Ok(())
    }

    fn scalar(&self, name: &str, node: &'a Node) -> Result<(&'a str, bool), Refusal> {
        self.document.scalar(node).ok_or_else(|| Refusal::new(format!("{name}: expected a text or a number")))
    }

    fn warning(&self, entry: &Entry, reason: impl Into<String>) -> Message {
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

    /// Reads the KronJob that the edits make.
    fn check(
        &self,
        object: &Node,
        edits: Edits,
        names: &mut BTreeSet<String>,
        warnings: &mut Vec<Message>,
    ) -> Result<Edits, Refusal> {
        let text = edits.apply(self.text, self.range(object)).ok_or_else(|| {
            Refusal::new("its fields share lines in a way that cannot be edited")
                .help("write one field a line")
        })?;
        // The first line of a list's item stands behind the `- `.
        let text = " ".repeat(self.lines.column(object.start)) + &text;
        let mut options = LoadOptions::default();
        if let Some(namespace) = &self.options.namespace {
            options = options.with_namespace(namespace);
        }
        let loaded =
            self.options.parser.load(&text, &options).map_err(|error| Refusal::from(&error.errors[0]))?;
        let [job] = &loaded.jobs[..] else {
            return Err(Refusal::new("it does not read as one KronJob after it is edited"));
        };
        if !names.insert(job.job.name().to_string()) {
            return Err(Refusal::new("another CronJob has the same name").help("convert each CronJob once"));
        }
        let window = job.job.spec().window().duration().as_secs();
        // OK because durations are never negative.
        let most = job.job.spec().schedule().most_nominal_times_in(window as u64);
        if most > 1 && !job.job.spec().window().duration().is_zero() {
            let reason = format!(
                "a window of {} is longer than a gap of its schedule, so starts can change their order",
                short(job.job.spec().window().duration())
            );
            let line = self.lines.of(object.start) + 1;
            warnings.push(
                Message::new(Severity::Warning, self.source, reason)
                    .at(line)
                    .help("give it a shorter window"),
            );
        }
        Ok(edits)
    }
}

impl Field<'_> {
    fn block(&self, editor: &Editor<'_>, map: &Node) -> Vec<String> {
        match &self.value {
            Value::Text(text) => vec![format!("{}: {}", self.name, editor.quoted(map, text))],
            Value::Fields(fields) => {
                let mut lines = vec![format!("{}:", self.name)];
                for (name, text, comments) in fields {
                    lines.extend(comments.above.iter().map(|comment| format!("  {comment}")));
                    let right = comments.right.map_or(String::new(), |comment| format!("  {comment}"));
                    // Booleans and durations need no quotes in a block.
                    lines.push(format!("  {name}: {text}{right}"));
                }
                lines
            }
        }
    }

    fn flow(&self, editor: &Editor<'_>, map: &Node) -> String {
        match &self.value {
            Value::Text(text) => format!("\"{}\": {}", self.name, editor.quoted(map, text)),
            Value::Fields(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, text, _)| {
                        let text = if *name == "suspend" { text.clone() } else { editor.quoted(map, text) };
                        format!("\"{name}\": {text}")
                    })
                    .collect();
                format!("\"{}\": {{{}}}", self.name, fields.join(", "))
            }
        }
    }
}

fn entry<'n>(map: &'n Node, key: &str) -> Option<&'n Entry> {
    map.entries().iter().find(|entry| entry.is(key))
}
