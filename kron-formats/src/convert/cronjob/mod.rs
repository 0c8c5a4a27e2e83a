//! CronJobs become KronJobs: their text is edited, so that comments, order and job templates stay as they are.
//!
//! `mod.rs` reads sources and finds the CronJobs in them, `fields.rs` and `policy.rs` say what becomes of their fields, and
//! `place.rs` writes and removes fields in the text.

mod fields;
pub(crate) mod place;
mod policy;

use std::collections::BTreeSet;

use crate::LoadOptions;

use crate::convert::job_line::overlapping;
use crate::convert::message::{Message, Refusal, Severity};
use crate::convert::options::Options;
use crate::convert::output::Converted;
use crate::convert::yaml::{Document, Edits, Lines, Node, read};

/// Messages that are given once for all CronJobs of a source.
#[derive(Default)]
struct Counts {
    without_zone: usize,
    forbid: usize,
    without_deadline: usize,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.without_zone += other.without_zone;
        self.forbid += other.forbid;
        self.without_deadline += other.without_deadline;
    }
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
    let documents = read(text).map_err(|broken| broken.message(source))?;
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
        "the CronJob controller makes up for a skipped start when the active Job ends; a KronJob does not",
    );
}

/// A document of a source, whose text is edited.
pub(crate) struct Editor<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) document: &'a Document,
    pub(crate) options: &'a Options,
    pub(crate) source: usize,
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
        let (list, objects) = self.objects();
        let (mut kept, mut converted, mut refused): (usize, usize, Vec<&Node>) = (0, 0, Vec::new());
        for object in objects {
            let kindless = list.is_some() && object.is_map() && object.get("kind").is_none();
            if !self.is_cronjob(object) && !kindless {
                kept += usize::from(!self.document.is_null(object));
                continue;
            }
            let line = self.lines.of(object.start) + 1;
            let job = self.name(object);
            let (mut warnings, mut found) = (Vec::new(), Counts::default());
            let readable = if kindless {
                Err(Refusal::new("it has no `kind`, so it is unclear what it is")
                    .help("write the list by `kubectl get cronjobs -o yaml`"))
            } else if self.document.needs_others(object) {
                Err(Refusal::new("it has an alias of an anchor in another object of the list")
                    .help("write the value out where the alias is"))
            } else {
                Ok(())
            };
            let edited = readable.and_then(|()| self.edit(object, &mut found, &mut warnings));
            match edited.and_then(|edits| self.check(object, edits, names, &mut warnings)) {
                Ok(made) => {
                    counts.add(&found);
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
            message.help(
                "write each object as a separate document, with `---` between them, and without aliases",
            )
        })
    }

    /// The list of the document, if it is one, and its objects.
    pub(crate) fn objects(&self) -> (Option<&'a Node>, Vec<&'a Node>) {
        let root = &self.document.root;
        let list = root
            .get("items")
            .filter(|_| self.text_of(root, "kind").is_some_and(|kind| kind.ends_with("List")));
        let objects = list.and_then(Node::items).map_or_else(|| vec![root], |items| items.iter().collect());
        (list, objects)
    }

    pub(crate) fn text_of(&self, map: &'a Node, key: &str) -> Option<&'a str> {
        self.document.scalar(map.get(key)?).map(|(text, _)| text)
    }

    fn is_cronjob(&self, object: &'a Node) -> bool {
        let version = self.text_of(object, "apiVersion");
        version.is_some_and(|version| version.starts_with("batch/"))
            && self.text_of(object, "kind") == Some("CronJob")
    }

    pub(crate) fn name(&self, object: &'a Node) -> Option<String> {
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
        // The first line of a list's item follows the `- `.
        let text = " ".repeat(self.lines.column(object.start)) + &text;
        let mut options = LoadOptions::default();
        if let Some(namespace) = &self.options.namespace {
            options = options.with_namespace(namespace);
        }
        let loaded = crate::load(&self.options.parser, &text, &options)
            .map_err(|error| Refusal::from(&error.errors[0]))?;
        let [job] = &loaded.jobs[..] else {
            return Err(Refusal::new("it does not read as one KronJob after it is edited"));
        };
        if !names.insert(job.job.name().to_string()) {
            return Err(Refusal::new("another CronJob has the same name").help("convert each CronJob once"));
        }
        let line = self.lines.of(object.start) + 1;
        warnings.extend(overlapping(job.job.spec(), (self.source, line)));
        Ok(edits)
    }
}
