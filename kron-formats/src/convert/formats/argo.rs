//! CronWorkflows of Argo Workflows: jobs that submit the workflow.

use kron_core::{Cron, ErrorCode, Finding};

use super::controller_schedule::ControllerSchedule;
use super::objects::Other;
use crate::convert::conversion::{Conversion, Input};
use crate::convert::finding::ConvertFinding;
use crate::convert::job_line::{JobLine, shell_word};
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::{Times, overlap};
use crate::convert::yaml::{Document, Kind, Lines, Node, boolean, has_kind, read};
use crate::error::convert::{
    ConvertCode, argo as messages, cronjob as manifest_messages, source as source_messages,
};
use crate::without_days::WithoutDays as _;

pub(super) const READER: Reader = Reader {
    evidence: Evidence::Kind,
    recognizes: |text| has_kind(text, "CronWorkflow"),
    convert: Convert::Each(convert),
};

/// Fields of a spec that are converted, or belong to the workflow.
const KNOWN: [&str; 10] = [
    "concurrencyPolicy",
    "failedJobsHistoryLimit",
    "schedule",
    "schedules",
    "startingDeadlineSeconds",
    "suspend",
    "timezone",
    "workflowMetadata",
    "workflowSpec",
    "successfulJobsHistoryLimit",
];

/// What the policy of a suspended job has.
const SUSPENDED: &str = "suspend=true";

/// Converts the CronWorkflows of a source.
fn convert(input: &Input<'_>, conversion: &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>> {
    let Input { index: source, text, .. } = *input;
    let documents = read(text).map_err(|broken| broken.of_source(source))?;
    let lines = Lines::new(text);
    let before = conversion.out.converted;
    let (mut without_zone, mut suspended, mut found, mut others) = (false, 0, 0, 0);
    for document in &documents {
        let list = document.root.get("items").and_then(Node::items);
        for object in list.map_or_else(|| vec![&document.root], |items| items.iter().collect()) {
            let kind = object.get("kind").and_then(|kind| document.scalar(kind));
            let line = lines.of(object.start) + 1;
            if kind.is_none_or(|(kind, _)| kind != "CronWorkflow") {
                let other = Other { document, object, place: (source, line), stays: false };
                if !document.is_null(object) && !other.report(conversion) {
                    others += 1;
                }
                continue;
            }
            found += 1;
            let workflow = Workflow { document, object, lines: &lines, place: (source, line) };
            let made = conversion.one_job(|conversion| workflow.write(conversion))?;
            without_zone |= made.iter().any(|job| job.timezone.is_none());
            suspended += usize::from(made.iter().any(|job| job.policy.contains(SUSPENDED)));
        }
    }
    if found == 0 {
        let none = source_messages::none_of_kind("CronWorkflow");
        return Err(Box::new(ConvertFinding::new(source, none)));
    }
    if without_zone {
        conversion.report_no_zone(source);
    }
    conversion.report_total(source, ConvertCode::Suspended, suspended, |count| {
        messages::suspended(count, SUSPENDED)
    });
    conversion.report_total(source, ConvertCode::LeftOut, others, source_messages::other_objects);
    if conversion.out.converted > before {
        conversion.report_once(source, messages::jobs_submit());
    }
    Ok(())
}

/// Whether two of the jobs can start at the same time. Those that Kron cannot read are refused, each with its reason.
fn share_times(jobs: &[JobLine]) -> bool {
    let read = |job: &JobLine| Some((Times::of_cron(&Cron::parse(&job.cron).ok()?), job.timezone.clone()));
    let times: Vec<(Times, Option<String>)> = jobs.iter().filter_map(read).collect();
    times.iter().enumerate().any(|(at, (time, zone))| {
        times[..at].iter().any(|(other, others)| others != zone || overlap(other, time))
    })
}

/// Refuses a merge key: it brings fields from elsewhere, which are not read.
fn without_merge_key(name: &str, map: &Node) -> Result<(), Finding> {
    if map.get("<<").is_some() { Err(manifest_messages::merge_key(name)) } else { Ok(()) }
}

struct Workflow<'a> {
    document: &'a Document,
    object: &'a Node,
    lines: &'a Lines<'a>,
    /// Its source and its line.
    place: (usize, usize),
}

impl<'a> Workflow<'a> {
    /// A part of the object, without fields that come from elsewhere.
    fn part(&self, key: &str) -> Result<Option<&'a Node>, Finding> {
        let Some(part) = self.object.get(key) else { return Ok(None) };
        if matches!(part.kind, Kind::Alias(_)) {
            return Err(manifest_messages::is_an_alias(key));
        }
        without_merge_key(key, part)?;
        Ok(Some(part))
    }

    /// The text of a field, unless it is null. `part` is the name of the map.
    fn text(&self, part: &str, map: Option<&'a Node>, key: &str) -> Result<Option<&'a str>, Finding> {
        let node = map.and_then(|map| map.get(key)).filter(|node| !self.document.is_null(node));
        let Some(node) = node else { return Ok(None) };
        let scalar = self.document.scalar(node);
        let (text, _) = scalar.ok_or_else(|| manifest_messages::not_a_scalar(&format!("{part}.{key}")))?;
        Ok(Some(text))
    }

    /// The schedules of a spec with their lines, those of the list first.
    fn schedules(&self, spec: Option<&'a Node>) -> Result<Vec<(&'a str, usize)>, Finding> {
        let mut schedules = Vec::new();
        let line = |node: &Node| self.lines.of(node.start) + 1;
        let list = spec.and_then(|spec| spec.get("schedules")).filter(|list| !self.document.is_null(list));
        if let Some(list) = list {
            if matches!(list.kind, Kind::Alias(_)) {
                return Err(manifest_messages::is_an_alias("spec.schedules"));
            }
            for item in list.items().ok_or_else(messages::schedules_are_no_list)? {
                let scalar = self.document.scalar(item);
                let (text, _) = scalar.ok_or_else(|| manifest_messages::not_a_scalar("spec.schedules"))?;
                schedules.push((text, line(item)));
            }
        }
        if let Some(text) = self.text("spec", spec, "schedule")? {
            let node = spec.and_then(|spec| spec.get("schedule"));
            schedules.push((text, node.map_or(self.place.1, line)));
        }
        if schedules.is_empty() { Err(messages::no_schedule()) } else { Ok(schedules) }
    }

    /// Writes the jobs, and returns those whose schedule can be read.
    fn write(&self, conversion: &mut Conversion<'_>) -> Result<Vec<JobLine>, Box<ConvertFinding>> {
        let (source, line) = self.place;
        let refused = |finding, job| ConvertFinding::new(source, finding).at(line).of_job(job);
        let jobs = match self.jobs(conversion) {
            Ok(jobs) => jobs,
            Err((job, finding)) => {
                conversion.out.report(refused(finding, job));
                return Ok(Vec::new());
            }
        };
        let mut made = Vec::new();
        for mut job in jobs {
            // The line of a job file could have modifiers and fields behind it.
            if let Some(error) =
                Cron::parse(&job.cron).err().filter(|error| error.code() != ErrorCode::CronNeverMatches)
            {
                conversion.out.report(refused(Finding::from_error(&error.without_days()), job.object));
                continue;
            }
            job.name = conversion.free_name(&job.name);
            conversion.write(&job, self.place)?;
            made.push(job);
        }
        Ok(made)
    }

    fn jobs(&self, conversion: &mut Conversion<'_>) -> Result<Vec<JobLine>, (Option<String>, Finding)> {
        let name =
            self.text("metadata", self.object.get("metadata"), "name").map_err(|finding| (None, finding))?;
        let job_name = name.map(str::to_string);
        let refuse = |finding| (job_name.clone(), finding);
        without_merge_key("the CronWorkflow", self.object).map_err(refuse)?;
        let metadata = self.part("metadata").map_err(refuse)?;
        let name = name.ok_or_else(|| refuse(messages::no_name()))?;
        let namespace = self.text("metadata", metadata, "namespace").map_err(refuse)?;
        let namespace = namespace.or(conversion.options.namespace.as_deref());
        let warning =
            |finding| ConvertFinding::new(self.place.0, finding).at(self.place.1).of_job(job_name.clone());
        let spec = self.part("spec").map_err(refuse)?;
        for entry in spec.map(Node::entries).unwrap_or_default() {
            let field = entry.name().unwrap_or("?");
            match field {
                "when" | "stopStrategy" => return Err(refuse(messages::decides_start(field))),
                field if KNOWN.contains(&field) => {}
                field => conversion.out.report(warning(messages::no_effect(field))),
            }
        }
        let schedules = self.schedules(spec).map_err(refuse)?;
        let policy = self.policy(spec).map_err(refuse)?;
        let mut command = format!("argo submit --from {}", shell_word(&format!("cronwf/{name}")));
        if !policy.contains("concurrency=allow") {
            // `forbid` looks at the command, so it waits for the workflow.
            command = command.replacen("submit ", "submit --wait ", 1);
        }
        if let Some(namespace) = namespace {
            command = format!("{command} -n {}", shell_word(namespace));
        }
        let timezone = self.text("spec", spec, "timezone").map_err(refuse)?.filter(|zone| !zone.is_empty());
        let job = |(schedule, line): (&str, usize)| {
            let read = ControllerSchedule::read(schedule);
            let timezone = match read.zone {
                Some("") => return Err(refuse(messages::empty_zone(schedule))),
                Some(zone) => Some(zone),
                None => timezone,
            };
            Ok(JobLine {
                cron: read.cron,
                timezone: timezone.map(str::to_string),
                policy: policy.clone(),
                name: name.to_string(),
                object: job_name.clone(),
                schedule_line: Some(line),
                fields: vec![("command".to_string(), command.clone())],
                ..JobLine::default()
            })
        };
        let jobs = schedules.into_iter().map(job).collect::<Result<Vec<_>, _>>()?;
        if share_times(&jobs) {
            conversion.out.report(warning(messages::same_minute()));
        }
        Ok(jobs)
    }

    fn policy(&self, spec: Option<&'a Node>) -> Result<String, Finding> {
        let mut policy = Vec::new();
        match self.text("spec", spec, "concurrencyPolicy")?.unwrap_or("Allow") {
            "Allow" | "" => policy.push("concurrency=allow".to_string()),
            // The command of the job lasts as long as the workflow.
            "Forbid" => {}
            "Replace" => return Err(messages::replace()),
            other => return Err(messages::concurrency(other)),
        }
        // Without a deadline, Argo makes up for no missed start.
        let seconds = self.text("spec", spec, "startingDeadlineSeconds")?.unwrap_or("0");
        match seconds.parse::<u64>() {
            Ok(seconds) => policy.push(format!("deadline={}s", seconds.max(60))),
            Err(_) => return Err(messages::deadline(seconds)),
        }
        let suspend = spec.and_then(|spec| spec.get("suspend")).filter(|node| !self.document.is_null(node));
        if let Some(node) = suspend {
            let value = self.document.scalar(node);
            let value = value.ok_or_else(messages::suspend_is_no_scalar)?;
            if boolean("spec.suspend", value)? {
                policy.push(SUSPENDED.to_string());
            }
        }
        Ok(policy.join(","))
    }
}
