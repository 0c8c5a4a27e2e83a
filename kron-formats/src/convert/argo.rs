//! CronWorkflows of Argo Workflows: jobs that submit the workflow.

use kron_core::Cron;

use crate::convert::export::overlap;
use crate::convert::job_line::{JobFile, JobLine, note_zone, shell_word};
use crate::convert::message::{Message, Refusal, Severity, shown};
use crate::convert::options::Options;
use crate::convert::output::Converted;
use crate::convert::yaml::{Document, Lines, Node, boolean, read};

/// Fields of a spec that are converted, or belong to the workflow.
const KNOWN: [&str; 9] = [
    "concurrencyPolicy",
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
pub(crate) fn convert(
    source: usize,
    text: &str,
    options: &Options,
    file: &mut JobFile,
    out: &mut Converted,
) -> Result<(), Message> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let failed = |reason: String, line| Message { line, ..Message::new(Severity::Refusal, source, reason) };
    let documents = read(text).map_err(|broken| broken.message(source))?;
    let lines = Lines::new(text);
    let before = (out.converted, out.refused);
    let (mut without_zone, mut suspended) = (false, 0);
    for document in &documents {
        let list = document.root.get("items").and_then(Node::items);
        for object in list.map_or_else(|| vec![&document.root], |items| items.iter().collect()) {
            let kind = object.get("kind").and_then(|kind| document.scalar(kind));
            if kind.is_none_or(|(kind, _)| kind != "CronWorkflow") {
                continue;
            }
            let line = lines.of(object.start) + 1;
            let workflow = Workflow { document, object, source, line };
            match workflow.jobs(options, out) {
                Err((job, refusal)) => out.say(Message { job, ..refusal.message(source, line) }),
                Ok(jobs) => {
                    suspended += usize::from(jobs.iter().any(|job| job.policy.contains(SUSPENDED)));
                    for mut job in jobs {
                        without_zone |= job.timezone.is_none();
                        job.name = file.name(options, &job.name);
                        file.write(&job, (source, line), options, out);
                    }
                }
            }
        }
    }
    if (out.converted, out.refused) == before {
        return Err(failed("there is no CronWorkflow in it".to_string(), None));
    }
    if without_zone {
        note_zone(source, options, out);
    }
    if suspended > 0 {
        let are =
            if suspended == 1 { "1 CronWorkflow is" } else { &format!("{suspended} CronWorkflows are") };
        let reason = format!("{are} suspended, and so are the jobs");
        let help = format!("remove `{SUSPENDED}` from a job that is to start");
        out.say(Message::new(Severity::Note, source, reason).help(help));
    }
    if out.converted > before.0 {
        let reason = "the jobs submit the CronWorkflows with `argo submit --from`";
        out.say(
            Message::new(Severity::Note, source, reason)
                .help("set `suspend: true` in the CronWorkflows, so that they do not start by themselves"),
        );
    }
    Ok(())
}

/// Whether two of the jobs can start at the same time. Those that Kron cannot read are refused, each with its reason.
fn share_times(jobs: &[JobLine]) -> bool {
    let read = |job: &JobLine| Some((Cron::parse(&job.cron).ok()?.to_string(), job.timezone.clone()));
    let times: Vec<(String, Option<String>)> = jobs.iter().filter_map(read).collect();
    times.iter().enumerate().any(|(at, (cron, zone))| {
        times[..at].iter().any(|(other, others)| others != zone || overlap(other, cron))
    })
}

struct Workflow<'a> {
    document: &'a Document,
    object: &'a Node,
    source: usize,
    line: usize,
}

impl<'a> Workflow<'a> {
    fn text(&self, map: Option<&'a Node>, key: &str) -> Option<&'a str> {
        let node = map?.get(key).filter(|node| !self.document.is_null(node))?;
        self.document.scalar(node).map(|(text, _)| text)
    }

    fn jobs(
        &self,
        options: &Options,
        out: &mut Converted,
    ) -> Result<Vec<JobLine>, (Option<String>, Refusal)> {
        let metadata = self.object.get("metadata");
        let Some(name) = self.text(metadata, "name") else {
            return Err((None, Refusal::new("`metadata.name` is missing")));
        };
        let namespace = self.text(metadata, "namespace").or(options.namespace.as_deref());
        let job_name = name.to_string();
        let refuse = |refusal| (Some(job_name.clone()), refusal);
        let spec = self.object.get("spec");
        for entry in spec.map(Node::entries).unwrap_or_default() {
            let field = entry.name().unwrap_or("?");
            match field {
                "when" | "stopStrategy" => {
                    let refusal = Refusal::new(format!("`spec.{field}` decides whether a workflow starts"));
                    return Err(refuse(refusal.help("keep this CronWorkflow")));
                }
                field if KNOWN.contains(&field) || field == "failedJobsHistoryLimit" => {}
                field => {
                    let reason = format!(
                        "field `spec.{}` has no effect on workflows that are submitted",
                        shown(field)
                    );
                    out.say(Message {
                        job: Some(job_name.clone()),
                        ..Message::new(Severity::Warning, self.source, reason).at(self.line)
                    });
                }
            }
        }
        let mut schedules: Vec<&str> = Vec::new();
        if let Some(items) = spec.and_then(|spec| spec.get("schedules")).and_then(Node::items) {
            schedules
                .extend(items.iter().filter_map(|item| self.document.scalar(item)).map(|(text, _)| text));
        }
        schedules.extend(self.text(spec, "schedule"));
        if schedules.is_empty() {
            return Err(refuse(Refusal::new("`spec.schedule` and `spec.schedules` are missing")));
        }
        let policy = self.policy(spec).map_err(refuse)?;
        let mut command = format!("argo submit --from {}", shell_word(&format!("cronwf/{name}")));
        if !policy.contains("concurrency=allow") {
            // `forbid` looks at the command, so it waits for the workflow.
            command = command.replacen("submit ", "submit --wait ", 1);
        }
        if let Some(namespace) = namespace {
            command = format!("{command} -n {}", shell_word(namespace));
        }
        let job = |schedule: &str| {
            let (timezone, cron) =
                match schedule.strip_prefix("CRON_TZ=").or_else(|| schedule.strip_prefix("TZ=")) {
                    Some(rest) => {
                        let (zone, cron) = rest.split_once(' ').unwrap_or((rest, ""));
                        if zone.is_empty() {
                            let refusal = Refusal::new(format!(
                                "the schedule `{}` has an empty time zone",
                                shown(schedule)
                            ));
                            return Err(refuse(
                                refusal.help("write for example `CRON_TZ=Europe/Paris 0 3 * * *`"),
                            ));
                        }
                        (Some(zone), cron)
                    }
                    None => (self.text(spec, "timezone").filter(|zone| !zone.is_empty()), schedule),
                };
            // The parser of CronJobs: any white space, and `?` in every field.
            let fields = cron.split_whitespace().enumerate().map(|(index, field)| {
                if [0, 1, 3].contains(&index) { field.replace('?', "*") } else { field.to_string() }
            });
            Ok(JobLine {
                cron: fields.collect::<Vec<_>>().join(" "),
                timezone: timezone.map(str::to_string),
                policy: policy.clone(),
                name: name.to_string(),
                object: Some(job_name.clone()),
                fields: vec![("command".to_string(), command.clone())],
                ..JobLine::default()
            })
        };
        let jobs = schedules.into_iter().map(job).collect::<Result<Vec<_>, _>>()?;
        if share_times(&jobs) {
            let reason =
                "Argo starts one workflow where schedules match the same minute, Kron one for each schedule";
            out.say(Message {
                job: Some(job_name.clone()),
                ..Message::new(Severity::Warning, self.source, reason).at(self.line)
            });
        }
        Ok(jobs)
    }

    fn policy(&self, spec: Option<&'a Node>) -> Result<String, Refusal> {
        let mut policy = Vec::new();
        match self.text(spec, "concurrencyPolicy").unwrap_or("Allow") {
            "Allow" | "" => policy.push("concurrency=allow".to_string()),
            // The command of the job lasts as long as the workflow.
            "Forbid" => {}
            "Replace" => {
                let reason = "spec.concurrencyPolicy: `Replace` stops the active workflow, and a job can only stop the command \
                              that submitted it";
                return Err(Refusal::new(reason).help("keep this CronWorkflow, or write `Forbid`"));
            }
            other => {
                let reason = format!(
                    "spec.concurrencyPolicy: `{}` is not `Allow`, `Forbid` or `Replace`",
                    shown(other)
                );
                return Err(Refusal::new(reason));
            }
        }
        // Without a deadline, Argo makes up for no missed start.
        let seconds = self.text(spec, "startingDeadlineSeconds").unwrap_or("0");
        match seconds.parse::<u64>() {
            Ok(seconds) => policy.push(format!("deadline={}s", seconds.max(60))),
            Err(_) => {
                let reason = format!(
                    "spec.startingDeadlineSeconds: `{}` is not a whole number from 0 on",
                    shown(seconds)
                );
                return Err(Refusal::new(reason));
            }
        }
        let suspend = spec.and_then(|spec| spec.get("suspend")).filter(|node| !self.document.is_null(node));
        if let Some(node) = suspend {
            let value = self.document.scalar(node);
            let value = value.ok_or_else(|| Refusal::new("spec.suspend: expected `true` or `false`"))?;
            if boolean("spec.suspend", value)? {
                policy.push(SUSPENDED.to_string());
            }
        }
        Ok(policy.join(","))
    }
}
