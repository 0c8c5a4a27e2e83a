//! Files of jobs: job files and manifests, distinguished by their content.

mod code;
mod others;
mod yaml_words;

use std::{fmt, format, vec};

use kron_core::error::ErrorList;
use kron_core::text::{JobLine, StrictJson, json_documents};
use kron_core::{Error, Errors, Finding, Job, Parser, Severity};
use serde_json::Value;

use crate::error::ManifestError;
use crate::kronjob::{API_VERSION, JobRequests, KronJob, Primer, repeated};
use crate::limits::{FILE_BYTES, YAML_ALIASES, YAML_DEPTH, YAML_DOCUMENTS, YAML_NODES, YAML_REPEATED};

pub use self::code::LoadCode;
pub(crate) use self::others::Others;

/// How [`load`](crate::load) reads.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    namespace: Option<String>,
}

impl LoadOptions {
    /// The namespace of manifests that name none. The default is `default`, with a warning.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::{LoadOptions, load};
    /// let manifest = "
    /// apiVersion: kron.io/v1alpha1
    /// kind: KronJob
    /// metadata: {name: db-backup}
    /// spec:
    ///   schedule: '@daily'
    ///   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump}]}}}}
    /// ";
    /// let loaded = load(&Parser::new(), manifest, &LoadOptions::default().with_namespace("staging"))?;
    /// assert_eq!(loaded.jobs[0].job.name(), "staging/db-backup");
    /// # Ok::<(), kron_formats::LoadError>(())
    /// ```
    #[must_use]
    pub fn with_namespace(mut self, namespace: &str) -> LoadOptions {
        self.namespace = Some(namespace.to_string());
        self
    }
}

/// What [`load`](crate::load) found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// The jobs, in order.
    pub jobs: Vec<LoadedJob>,
    /// What a reader of the file should know: namespaces that were assumed (`namespace-assumed`, a warning: start times
    /// depend on it), and how many objects are not KronJobs (`foreign-document`, a note).
    pub findings: Vec<Finding>,
}

/// A file with errors: the errors, and the jobs without one. Displays as all errors, one a line.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::{LoadOptions, load};
/// let error = load(&Parser::new(), "@daily name=db/backup\n@daily\n", &LoadOptions::default()).unwrap_err();
/// assert_eq!(error.errors[0].line(), Some(2));
/// assert_eq!(error.loaded.jobs[0].job.name(), "db/backup");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// The errors, in order.
    pub errors: Errors,
    /// The jobs without error, for tools that examine the whole file. A host that runs only these leaves jobs out.
    pub loaded: Loaded,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.errors.fmt(f)
    }
}

impl std::error::Error for LoadError {}

/// A job and where it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedJob {
    /// The job.
    pub job: Job,
    /// The job as it is declared, where the schedule has a declaration of `kron place` and the job is the schedule as it stands. It has
    /// the same name.
    pub declared: Option<Job>,
    /// Its text form as it was written, in a job file.
    pub source: Option<String>,
    /// Its schedule as it was written, in a manifest.
    pub schedule: Option<String>,
    /// Its line in a job file, or that of its schedule in a file of another system, from 1.
    pub line: Option<usize>,
    /// Its document in a manifest file, from 1; the items of a list share one.
    pub document: Option<usize>,
    /// The further fields of its line in a job file.
    pub fields: Vec<(String, String)>,
    /// Its primer, in a manifest.
    pub primer: Option<Primer>,
    /// What its pods request together, in a manifest.
    pub requests: Option<JobRequests>,
    /// The labels of a manifest, `metadata.labels`, in order of their keys.
    pub labels: Vec<(String, String)>,
}

/// Reads jobs from the text of a job file, or of KronJob manifests in YAML or JSON (several documents, and lists as
/// `kubectl get -o yaml` prints them). Objects of other APIs are skipped, and a note counts them. `parser` looks up zones and calendars.
///
/// # Errors
///
/// The errors of the file, in order: what cannot be read, and names that occur twice. Of more than 1,000, the first 1,000 are
/// kept, and a last one says how many more there are.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::{LoadOptions, load};
/// let loaded = load(&Parser::new(), "@daily name=db/backup\n@hourly name=web/ping\n", &LoadOptions::default())?;
/// assert_eq!(loaded.jobs.len(), 2);
/// # Ok::<(), kron_formats::LoadError>(())
/// ```
pub fn load(parser: &Parser, text: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let apart = load_apart(parser, text, options);
    let (mut loaded, errors, others) =
        apart.unwrap_or_else(|error| (Loaded::default(), vec![error], Others::default()));
    loaded.findings.extend(others.not_kronjobs());
    match Errors::new(errors) {
        None => Ok(loaded),
        Some(errors) => Err(LoadError { errors, loaded }),
    }
}

/// What a text has: its jobs, the errors of the others, and the objects that are no KronJobs.
pub(crate) type Parts = (Loaded, Vec<Error>, Others);

/// The same as [`load`], with the objects of other kinds apart. An error is one of the whole text.
pub(crate) fn load_apart(parser: &Parser, text: &str, options: &LoadOptions) -> Result<Parts, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_length(text)?;
    Ok(match Syntax::of(text) {
        Syntax::JobFile => load_lines(parser, text),
        Syntax::Flow => load_manifests(parser, &flow_documents(text)?, options),
        Syntax::Yaml => load_manifests(parser, &yaml_documents(text)?, options),
    })
}

/// The documents of a text in YAML or JSON.
pub(crate) fn documents_of(text: &str) -> Result<Vec<Value>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_length(text)?;
    match Syntax::of(text) {
        Syntax::Flow => flow_documents(text),
        Syntax::Yaml | Syntax::JobFile => yaml_documents(text),
    }
}

/// Whether a text begins as YAML or JSON, and not as a job file.
#[cfg(feature = "convert")]
pub(crate) fn is_yaml_or_json(text: &str) -> bool {
    !matches!(Syntax::of(text), Syntax::JobFile)
}

enum Syntax {
    JobFile,
    /// JSON, or YAML that begins with a bracket.
    Flow,
    Yaml,
}

impl Syntax {
    /// Decides by the first line that is neither blank nor a comment. No line of a job file begins like these.
    fn of(text: &str) -> Syntax {
        let first =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
        let key = first.split_once(':').map(|(key, _)| key.trim_matches(['"', '\'', ' ']));
        let is_key = |key: &str| {
            key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') && !key.is_empty()
        };
        // Document, directive, complex key, list, anchor, tag.
        let yaml = ["---", "%", "? ", "- ", "&", "!"];
        if first.starts_with(['{', '[']) {
            Syntax::Flow
        } else if yaml.iter().any(|start| first.starts_with(start))
            || matches!(first, "?" | "-")
            || key.is_some_and(is_key)
        {
            Syntax::Yaml
        } else {
            Syntax::JobFile
        }
    }
}

fn check_length(text: &str) -> Result<(), Error> {
    match text.len() {
        ..=FILE_BYTES => Ok(()),
        bytes => Err(Error::new("text", ManifestError::FileTooLong { bytes, max: FILE_BYTES })),
    }
}

/// Reads the lines of a job file.
pub(crate) fn load_lines(parser: &Parser, text: &str) -> Parts {
    let (lines, errors) = parser.job_file_lines(text);
    let jobs = lines.into_iter().map(LoadedJob::of_line);
    (Loaded { jobs: jobs.collect(), findings: Vec::new() }, errors, Others::default())
}

impl LoadedJob {
    /// A job that is only a schedule in a file.
    #[cfg(feature = "convert")]
    pub(crate) fn of_schedule(job: Job, schedule: &str, line: usize) -> LoadedJob {
        LoadedJob {
            job,
            declared: None,
            source: None,
            schedule: Some(schedule.to_string()),
            line: Some(line),
            document: None,
            fields: Vec::new(),
            primer: None,
            requests: None,
            labels: Vec::new(),
        }
    }

    /// The job of a line of a job file.
    pub(crate) fn of_line(line: JobLine) -> LoadedJob {
        LoadedJob {
            job: line.job,
            declared: None,
            source: Some(line.text),
            schedule: None,
            line: Some(line.line),
            document: None,
            fields: line.fields,
            primer: None,
            requests: None,
            labels: Vec::new(),
        }
    }
}

/// YAML includes JSON. A text that is not JSON may still be YAML, such as `{a: 1}`, or documents between lines of
/// `---`.
fn flow_documents(text: &str) -> Result<Vec<Value>, Error> {
    json_documents(text).or_else(|error| {
        let rest = text.trim_start().strip_prefix(['{', '[']).unwrap_or_default().trim_start();
        let json = rest.is_empty() || rest.starts_with(['"', '{', '[', '}', ']']);
        yaml_documents(text).map_err(|yaml| if json { error } else { yaml })
    })
}

fn yaml_documents(text: &str) -> Result<Vec<Value>, Error> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            // Every node is one event or two.
            max_events: 3 * YAML_NODES,
            max_nodes: YAML_NODES,
            max_documents: YAML_DOCUMENTS,
            max_depth: YAML_DEPTH,
            max_aliases: YAML_ALIASES,
            max_anchors: YAML_ALIASES,
            max_recorded_anchor_events: YAML_REPEATED,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: YAML_REPEATED },
    };
    serde_saphyr::from_multiple_with_options::<StrictJson>(text, options)
        .map(|values| values.into_iter().map(|StrictJson(value)| value).collect())
        .map_err(|error| match yaml_limit(error.without_snippet()) {
            Some(limit) => Error::new("", limit),
            None if is_template(text) => Error::new("", ManifestError::Template),
            None => yaml_words::of(error.without_snippet(), text),
        })
}

/// Whether a text has lines that are actions of a template, or values that begin with one: neither is YAML.
fn is_template(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_start_matches([' ', '\t', '-']).starts_with("{{") || line.contains(": {{"))
}

/// The limit that a text exceeds, if that is the error.
fn yaml_limit(error: &serde_saphyr::Error) -> Option<ManifestError> {
    use serde_saphyr::budget::BudgetBreach;
    const SPLIT: &str = "split it into several files";
    const WRITE_OUT: &str = "write values out where it has aliases";
    let limit = |what, max, help| Some(ManifestError::Yaml { what, max, help });
    let mut error = error;
    // The error of repeated parts is wrapped in another one.
    while let serde_saphyr::Error::AliasError { error: inner, .. } = error {
        error = inner;
    }
    match error {
        serde_saphyr::Error::Budget { breach, .. } => match breach {
            BudgetBreach::Documents { .. } => limit("documents", YAML_DOCUMENTS, SPLIT),
            BudgetBreach::Nodes { .. } | BudgetBreach::Events { .. } => {
                limit("keys and values", YAML_NODES, SPLIT)
            }
            BudgetBreach::Depth { .. } => {
                limit("levels of lists and objects", YAML_DEPTH, "nest it less deeply")
            }
            BudgetBreach::Aliases { .. } | BudgetBreach::Anchors { .. } => {
                limit("anchors, and as many aliases", YAML_ALIASES, WRITE_OUT)
            }
            BudgetBreach::RecordedAnchorEvents { .. } => {
                limit("parts below anchors", YAML_REPEATED, WRITE_OUT)
            }
            _ => None,
        },
        serde_saphyr::Error::AliasReplayLimitExceeded { .. } => {
            limit("parts that aliases repeat", YAML_REPEATED, WRITE_OUT)
        }
        _ => None,
    }
}

fn load_manifests(parser: &Parser, documents: &[Value], options: &LoadOptions) -> Parts {
    let (mut loaded, mut errors, mut others) = (Loaded::default(), ErrorList::default(), Others::default());
    let without_help = parser.without_suggestions();
    for (index, document) in documents.iter().enumerate() {
        let number = index + 1;
        for object in objects(document) {
            if let Some(kind) = foreign(object) {
                others.add(kind);
                continue;
            }
            let parser = if errors.is_full() { &without_help } else { parser };
            match load_one(parser, object, options, &mut loaded.findings) {
                Ok((job, primer)) => {
                    let document = Some(number);
                    loaded.jobs.push(LoadedJob {
                        job,
                        declared: None,
                        source: None,
                        schedule: object["spec"]["schedule"].as_str().map(ToString::to_string),
                        line: None,
                        document,
                        fields: Vec::new(),
                        primer,
                        requests: Some(JobRequests::of_template(&object["spec"]["jobTemplate"])),
                        labels: labels(object),
                    });
                }
                Err(error) if documents.len() > 1 => errors.push(error.in_document(number)),
                Err(error) => errors.push(error),
            }
        }
    }
    let names: Vec<(String, Option<usize>)> =
        loaded.jobs.iter().map(|job| (job.job.name().to_string(), job.document)).collect();
    repeated(&names).for_each(|error| errors.push(error));
    (loaded, errors.finish("KronJob"), others)
}

/// The objects of a document: the items of a list, nothing for an empty document, else the document itself.
pub(crate) fn objects(document: &Value) -> Vec<&Value> {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    match document.get("items").and_then(Value::as_array) {
        Some(items) if kind.ends_with("List") => items.iter().collect(),
        _ if document.is_null() => Vec::new(),
        _ => vec![document],
    }
}

/// The labels of an object. An API server takes no value that is not a string.
fn labels(object: &Value) -> Vec<(String, String)> {
    let labels = object["metadata"]["labels"].as_object().into_iter().flatten();
    labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_string()))).collect()
}

/// The kind of an object that belongs to another API.
fn foreign(object: &Value) -> Option<String> {
    let text = |field| object.get(field).and_then(Value::as_str);
    let (version, kind) = (text("apiVersion")?, text("kind")?);
    let group = |version: &str| version.split_once('/').map(|(group, _)| group.to_string());
    (group(version) != group(API_VERSION)).then(|| format!("{version} {kind}"))
}

fn load_one(
    parser: &Parser,
    object: &Value,
    options: &LoadOptions,
    findings: &mut Vec<Finding>,
) -> Result<(Job, Option<Primer>), Error> {
    if object.is_array() {
        return Err(Error::new("", ManifestError::List));
    }
    let mut kronjob = KronJob::from_value(parser, object)?;
    let primer = kronjob.primer.take();
    if kronjob.namespace.is_none() && options.namespace.is_none() {
        let message = format!(
            "KronJob `{}` names no namespace; `default` is assumed, and start times depend on it",
            kronjob.name
        );
        findings.push(Finding::new(Severity::Warning, LoadCode::NamespaceAssumed, message));
    }
    Ok((kronjob.into_job(options.namespace.as_deref().unwrap_or("default"))?, primer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kron_core::Parser;

    fn load(text: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
        super::load(&Parser::new(), text, options)
    }

    const MANIFEST: &str = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata:\n  name: backup\n  namespace: prod\n\
                            spec:\n  schedule: '@daily'\n  window: {duration: 3h}\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n";

    fn errors(text: &str) -> Vec<String> {
        load(text, &LoadOptions::default()).unwrap_err().errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn ok_manifests() {
        let two = format!(
            "# comment\n{MANIFEST}---\n{}\n---\napiVersion: v1\nkind: Service\n---\napiVersion: batch/v1\nkind: CronJob\n",
            MANIFEST.replace("prod", "test")
        );
        let loaded = load(&two, &LoadOptions::default()).unwrap();
        let names: Vec<&str> = loaded.jobs.iter().map(|job| job.job.name()).collect();
        assert_eq!(names, ["prod/backup", "test/backup"]);
        let [found] = &loaded.findings[..] else { panic!("{:?}", loaded.findings) };
        assert_eq!(
            found.message,
            "2 objects are not KronJobs, and are ignored: batch/v1 CronJob, v1 Service"
        );
        assert_eq!(found.help.as_deref(), Some("`kron convert` makes KronJobs of CronJobs"));

        let json = r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"kron.io/v1alpha1","kind":"KronJob",
            "metadata":{"name":"a.b"},"spec":{"schedule":"@daily","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
            "containers":[{}]}}}}}}]}"#;
        let loaded = load(json, &LoadOptions::default()).unwrap();
        assert_eq!(loaded.jobs[0].job.name(), "default/a.b");
        assert_eq!(loaded.findings[0].code.as_str(), "namespace-assumed");
        let loaded = load(json, &LoadOptions::default().with_namespace("prod")).unwrap();
        assert_eq!(loaded.jobs[0].job.name(), "prod/a.b");
        assert!(loaded.findings.is_empty());
    }

    #[test]
    fn err_structure() {
        let p = |from: &str, to: &str| errors(&MANIFEST.replace(from, to)).remove(0);
        assert_eq!(p("schedule: ", "schedul: "), "spec: unknown field `schedul`; did you mean `schedule`?");
        assert_eq!(p("duration:", "after:"), "spec.window: unknown field `after`");
        assert_eq!(p("  name: backup\n", ""), "metadata: field `name` is missing");
        assert_eq!(p("  schedule: '@daily'\n", ""), "spec: field `schedule` is missing");
        assert_eq!(p("  jobTemplate:", "  jobTemplate: null\n#"), "spec: field `jobTemplate` is missing");
        assert_eq!(
            p("{duration: 3h}", "{duration: 3}"),
            "spec.window.duration: expected a string, but found a number; write it in quotes"
        );
        assert_eq!(p("{duration: 3h}", "3h"), "spec.window: expected an object, but found a string");
        assert_eq!(p("{duration: 3h}", "[3h]"), "spec.window: expected an object, but found a list");
        let with = |field: &str| p("  jobTemplate:", &format!("  {field}\n  jobTemplate:"));
        for salt in ["12", "012", "1e3", "0x1f"] {
            assert_eq!(
                with(&format!("seed: {{salt: {salt}}}")),
                "spec.seed.salt: expected a string, but found a number; write it in quotes"
            );
        }
        assert_eq!(
            with("seed: {salt: true}"),
            "spec.seed.salt: expected a string, but found a boolean; write it in quotes"
        );
        assert_eq!(
            with("policy: {suspend: 'true'}"),
            "spec.policy.suspend: expected a boolean, but found a string; write `true` or `false`, without quotes"
        );
        assert_eq!(
            with("constraints: {only: {hours: '1'}}"),
            "spec.constraints.only: expected a list, but found an object"
        );
        assert_eq!(
            p("v1alpha1", "v1"),
            "apiVersion: `kron.io/v1` is not `kron.io/v1alpha1`; write `kron.io/v1alpha1`"
        );
        assert_eq!(p("name: backup", "name: Backup").split(" is").next(), Some("metadata.name: `Backup`"));
        assert_eq!(
            p("{duration: 3h}", "{mode: before}"),
            "spec.window.mode: a KronJob's window lies `after` or `around` the nominal time, not `before` it"
        );
        assert_eq!(
            p("'@daily'", "'* * * * *'"),
            "spec.window.duration: windows can overlap in 181 periods, and at most 100 may; shorten the window to 1h39m or less"
        );
        assert_eq!(p("'@daily'", "'61 * * * *'"), "spec.schedule.minute: `61` at column 1 is not in 0 to 59");
        assert_eq!(
            p("{spec: {template:", "{spec: {manualSelector: true, template:"),
            "spec.jobTemplate.spec.manualSelector: a Job chooses its selector by itself, and Jobs that share one count \
             each other's Pods; leave it out"
        );
        for (limit, want) in [
            ("1.5", "one with a fraction or an exponent"),
            ("1e3", "one with a fraction or an exponent"),
            ("-1", "a negative one"),
            ("2147483648", "a greater one"),
            ("18446744073709551615", "a greater one"),
            ("'1'", "a string; write it in decimal digits, without quotes"),
            ("true", "a boolean"),
        ] {
            assert_eq!(
                p("spec:\n", &format!("spec:\n  failedJobsHistoryLimit: {limit}\n")),
                format!(
                    "spec.failedJobsHistoryLimit: expected a whole number from 0 to 2147483647, but found {want}"
                )
            );
        }
        let twice = format!("{MANIFEST}---\n{MANIFEST}");
        assert_eq!(
            errors(&twice),
            [
                "document 2: name: `prod/backup` is already the name of another job; give one of them another name"
            ]
        );
        assert!(p("spec:\n", "spec:\n  schedule: x\n").contains("schedule"));
    }

    #[test]
    fn ok_other_forms_of_yaml() {
        let p = |text: &str| {
            let loaded = load(text, &LoadOptions::default()).unwrap();
            loaded.jobs.iter().map(|job| job.job.name().to_string()).collect::<Vec<_>>()
        };
        let json = serde_json::to_string(&yaml_documents(MANIFEST).unwrap()[0]).unwrap();
        let other = json.replace("backup", "other");
        assert_eq!(p(&json), ["prod/backup"]);
        assert_eq!(p(&format!("{json}\n---\n{other}\n")), ["prod/backup", "prod/other"]);
        assert_eq!(p(&format!("{json}\n{other}\n")), ["prod/backup", "prod/other"]);
        assert_eq!(p(&format!("---\n{json}\n---\n{other}\n")), ["prod/backup", "prod/other"]);
        let flow = "{apiVersion: kron.io/v1alpha1, kind: KronJob, metadata: {name: backup, namespace: prod}, spec: {schedule: \
                    '@daily', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}}}";
        assert_eq!(p(flow), ["prod/backup"]);
        assert_eq!(p(&format!("# comment\n{flow}\n")), ["prod/backup"]);
        for start in [
            "? apiVersion\n: kron",
            "&a apiVersion: kron",
            "!!str apiVersion: kron",
            "%YAML 1.2\n---\napiVersion: kron",
        ] {
            assert_eq!(p(&MANIFEST.replacen("apiVersion: kron", start, 1)), ["prod/backup"], "{start}");
        }
        assert_eq!(p(&format!("&a\n{MANIFEST}")), ["prod/backup"]);
    }

    #[test]
    fn err_other_forms_of_yaml() {
        let list = "expected an object, but found a list; write each KronJob as a separate document, with `---` between \
                    them, or the list as `items` of a `List`";
        let indented = MANIFEST.trim_end().replace('\n', "\n  ");
        assert_eq!(errors(&format!("- {indented}\n")), [list]);
        assert_eq!(errors(&format!("-\n  {indented}\n")), [list]);
        assert_eq!(errors("[{}]"), [list]);
        assert_eq!(
            errors("{apiversion: kron.io/v1alpha1, kind: KronJob}"),
            ["field `apiVersion` is missing"]
        );
        // The error of broken JSON is that of the JSON parser, the error of broken YAML that of the YAML parser.
        assert!(errors("{\"a\": 1")[0].starts_with("line 1: the JSON ends too early"));
        assert!(errors("{a: 1")[0].starts_with("line 1: the bracket `{` is not closed"));
        let salt = |salt: &str| {
            errors(&MANIFEST.replace("  window:", &format!("  seed: {{salt: {salt}}}\n  window:"))).remove(0)
        };
        let quotes = "expected a string, but found a number; write it in quotes";
        assert_eq!(salt("012"), format!("spec.seed.salt: {quotes}"));
        assert_eq!(salt("1.50"), format!("spec.seed.salt: {quotes}"));
    }

    #[test]
    fn many_documents_and_items() {
        let jobs = |text: &str| load(text, &LoadOptions::default()).unwrap().jobs.len();
        let named = |i: usize| MANIFEST.replace("name: backup", &format!("name: b{i}"));
        let documents: Vec<String> = (0..2000).map(named).collect();
        assert_eq!(jobs(&documents.join("---\n")), 2000);
        let item = |i: usize| format!("- {}\n", named(i).trim_end().replace('\n', "\n  "));
        let items: String = (0..6_000).map(item).collect();
        assert_eq!(jobs(&format!("apiVersion: v1\nkind: List\nitems:\n{items}")), 6_000);
        let small = |count: usize| yaml_documents(&"---\na\n".repeat(count)).map(|documents| documents.len());
        assert_eq!(small(100_001), Ok(100_001));
        let list = yaml_documents(&"- a: b\n".repeat(100_001)).unwrap();
        assert_eq!(list[0].as_array().map(Vec::len), Some(100_001));
        assert_eq!(
            small(YAML_DOCUMENTS + 1).unwrap_err().to_string(),
            "a YAML file has at most 250000 documents; split it into several files"
        );
    }

    #[test]
    fn err_templates() {
        for name in ["{{ .Release.Name }}", "{{ .Release.Name }}-backup"] {
            let error = &errors(&MANIFEST.replace("name: backup", &format!("name: {name}")))[0];
            assert!(error.ends_with("; render templates first, for example by `helm template`"), "{error}");
        }
    }

    #[test]
    fn err_limits_of_yaml() {
        let p = |text: &str| errors(text).remove(0);
        let out = "write values out where it has aliases";
        let laughs: String = (0..30).fold("a0: &a0 [x]\n".to_string(), |text, i| {
            format!("{text}a{}: &a{} [*a{i}, *a{i}, *a{i}, *a{i}]\n", i + 1, i + 1)
        });
        let bomb = p(&laughs);
        assert!(bomb.starts_with("a YAML file has at most 1000000 parts") && bomb.ends_with(out), "{bomb}");
        let deep = format!("a: {}{}", "[".repeat(65), "]".repeat(65));
        assert_eq!(p(&deep), "a YAML file has at most 64 levels of lists and objects; nest it less deeply");
        let anchors: String = (0..YAML_ALIASES + 1).map(|i| format!("a{i}: &a{i} x\n")).collect();
        assert_eq!(p(&anchors), format!("a YAML file has at most 50000 anchors, and as many aliases; {out}"));
    }

    #[test]
    fn err_manifests_are_bounded() {
        let many = errors(&"---\nkind: KronJob\n".repeat(1500));
        assert_eq!((many.len(), many[1000].as_str()), (1001, "and 500 more KronJobs with errors"));
        let same = errors(&format!("{MANIFEST}---\n").repeat(1500));
        assert_eq!((same.len(), same[1000].as_str()), (1001, "and 499 more KronJobs with errors"));
    }

    #[test]
    fn err_syntax() {
        for text in ["{", "[1,", "{\"a\":1,\"a\":2}", "kind: [", "kind: &a [*a]", "---\n\tx: 1", "\u{0}: x"] {
            assert!(!errors(text).is_empty(), "{text:?}");
        }
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(!errors(&nested).is_empty());
        let laughs: String = (0..30).fold("a0: &a0 [x]\n".to_string(), |text, i| {
            format!("{text}a{}: &a{} [*a{i}, *a{i}, *a{i}, *a{i}]\n", i + 1, i + 1)
        });
        assert!(!errors(&laughs).is_empty());
    }
}
