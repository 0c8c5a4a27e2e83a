//! CronJobs become KronJobs: their text is edited, so that comments, order and job templates stay as they are.
//!
//! `mod.rs` finds the CronJobs in a source; `fields.rs` and `policy.rs` say what becomes of their fields.

mod counts;
mod fields;
mod policy;

use kron_core::{ErrorCode, Finding, Job};

use self::counts::Counts;
use crate::convert::conversion::{Conversion, Input, Purpose};
use crate::convert::finding::ConvertFinding;
use crate::convert::formats::objects::Other;
use crate::convert::job_line::overlapping;
use crate::convert::manifest::{Editor, documents};
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::yaml::{Edits, Lines, Node, has_kind};
use crate::error::convert::job_line::never;
use crate::error::convert::{cronjob as messages, source};
use crate::load::{LoadOptions, LoadedJob, load};

pub(super) const READER: Reader = Reader {
    evidence: Evidence::Kind,
    recognizes: |text| has_kind(text, "CronJob"),
    convert: Convert::Each(convert),
};

/// Converts the CronJobs of a source, and appends the text to what is there.
fn convert(input: &Input<'_>, conversion: &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>> {
    let failed = |finding| Err(Box::new(ConvertFinding::new(input.index, finding)));
    let documents = documents(input.index, input.text)?;
    let lines = Lines::new(input.text);
    let (mut edits, mut counts, mut kept) = (Edits::default(), Counts::default(), 0);
    let before = (conversion.out.converted, conversion.out.refused);
    for document in &documents {
        let (text, options) = (input.text, conversion.options);
        let editor = Editor { text, lines: &lines, document, options, source: input.index };
        kept += editor.convert(&mut edits, &mut counts, conversion)?;
    }
    if (conversion.out.converted, conversion.out.refused) == before {
        let has_patch = documents.iter().any(|document| {
            let (text, options) = (input.text, conversion.options);
            let editor = Editor { text, lines: &lines, document, options, source: input.index };
            editor.objects().1.into_iter().any(|object| editor.is_patch(object))
        });
        if conversion.purpose == Purpose::Jobs && has_patch {
            return Ok(());
        }
        return failed(source::none_of_kind("CronJob"));
    }
    counts.report(input.index, conversion);
    if conversion.purpose == Purpose::Jobs || conversion.out.converted == before.0 && kept == 0 {
        return Ok(());
    }
    let Some(edited) = edits.apply(input.text, 0..input.text.len()) else {
        return failed(messages::edits_overlap());
    };
    let out = &mut conversion.out.text;
    if !out.is_empty() {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        if !edited.starts_with("---") {
            out.push_str("---\n");
        }
    }
    out.push_str(&edited);
    Ok(())
}

impl<'a> Editor<'a> {
    /// Converts the CronJobs of the document. Returns how many other objects there are.
    fn convert(
        &self,
        edits: &mut Edits,
        counts: &mut Counts,
        conversion: &mut Conversion<'_>,
    ) -> Result<usize, Box<ConvertFinding>> {
        let root = &self.document.root;
        let (list, objects) = self.objects();
        let (mut kept, mut converted, mut refused): (usize, usize, Vec<&Node>) = (0, 0, Vec::new());
        for object in objects {
            let kindless = list.is_some() && object.is_map() && object.get("kind").is_none();
            if !self.is_cronjob(object) && !kindless {
                kept += usize::from(!self.document.is_null(object));
                let place = (self.source, self.lines.of(object.start) + 1);
                Other { document: self.document, object, place, stays: true }.report(conversion);
                continue;
            }
            if conversion.purpose == Purpose::Jobs && self.is_patch(object) {
                // Its schedule is read by its key.
                continue;
            }
            let line = self.lines.of(object.start) + 1;
            let job = self.name(object);
            let (mut warnings, mut found) = (Vec::new(), Counts::default());
            let readable = if kindless {
                Err(messages::no_kind())
            } else if self.document.needs_others(object) {
                Err(messages::alias_of_another_object())
            } else {
                Ok(())
            };
            let edited = readable.and_then(|()| self.edit(object, &mut found, &mut warnings));
            match edited.and_then(|edits| self.check(object, edits, conversion, &mut warnings)) {
                Ok(made) => {
                    counts.add(&found);
                    edits.append(made);
                    converted += 1;
                    for mut warning in warnings {
                        let is_never = warning.finding.code == ErrorCode::CronNeverMatches.into();
                        if let (Purpose::Jobs, true, Some(schedule)) =
                            (conversion.purpose, is_never, self.schedule(object))
                        {
                            // No KronJob takes its place.
                            warning.finding = never(schedule);
                        }
                        conversion.out.report(warning.of_job(job.clone()));
                    }
                }
                Err(finding) => {
                    refused.push(object);
                    conversion.out.report(ConvertFinding::new(self.source, finding).at(line).of_job(job));
                }
            }
        }
        conversion.out.converted += converted;
        if list.is_some() && converted + kept > 0 {
            self.edit_list(root, list, edits);
        }
        if conversion.purpose == Purpose::Jobs || refused.is_empty() {
            return Ok(kept);
        }
        let removed = if converted + kept == 0 {
            self.remove(root, edits);
            Some(())
        } else {
            list.and_then(|list| self.remove_items(list, &refused, edits))
        };
        let stays = || Box::new(ConvertFinding::new(self.source, messages::stays_in_list()));
        removed.map(|()| kept).ok_or_else(stays)
    }

    fn schedule(&self, object: &'a Node) -> Option<&'a str> {
        self.text_of(object.get("spec")?, "schedule")
    }

    /// Whether an object is a part of a CronJob with its schedule.
    fn is_patch(&self, object: &'a Node) -> bool {
        let spec = object.get("spec").filter(|_| self.is_cronjob(object));
        spec.is_some_and(|spec| spec.get("schedule").is_some() && spec.get("jobTemplate").is_none())
    }

    fn is_cronjob(&self, object: &'a Node) -> bool {
        let version = self.text_of(object, "apiVersion");
        version.is_some_and(|version| version.starts_with("batch/"))
            && self.text_of(object, "kind") == Some("CronJob")
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
        conversion: &mut Conversion<'_>,
        warnings: &mut Vec<ConvertFinding>,
    ) -> Result<Edits, Finding> {
        let text = edits.apply(self.text, self.range(object)).ok_or_else(messages::shared_lines)?;
        // The first line of a list's item follows the `- `. One between brackets can begin anywhere in a long line.
        let text = match object.is_flow() {
            true => text,
            false => " ".repeat(self.lines.column(object.start)) + &text,
        };
        let mut options = LoadOptions::default();
        if let Some(namespace) = &self.options.namespace {
            options = options.with_namespace(namespace);
        }
        let loaded = load(&self.options.parser, &text, &options)
            .map_err(|error| Finding::from_error(&error.errors[0]))?;
        let Ok([mut job]) = <[LoadedJob; 1]>::try_from(loaded.jobs) else {
            return Err(messages::not_one_kronjob());
        };
        if !conversion.names.take(job.job.name()) {
            if conversion.purpose == Purpose::Text {
                return Err(messages::repeated_name());
            }
            let name = conversion.names.numbered(job.job.name().to_string());
            job.job = Job::new(&name, job.job.into_spec()).map_err(|error| Finding::from_error(&error))?;
        }
        let line = self.lines.of(object.start) + 1;
        let warning = overlapping(job.job.spec());
        warnings.extend(warning.map(|warning| ConvertFinding::new(self.source, warning).at(line)));
        let schedule = object.get("spec").and_then(|spec| spec.get("schedule"));
        job.line = Some(schedule.map_or(line, |schedule| self.lines.of(schedule.start) + 1));
        // A CronJob that never starts is a suspended KronJob with another schedule, whose times nobody means.
        if !warnings.iter().any(|found| found.finding.code == ErrorCode::CronNeverMatches.into()) {
            conversion.keep(self.source, job);
        }
        Ok(edits)
    }
}
