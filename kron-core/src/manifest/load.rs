//! Files of jobs: job files and manifests, told apart by their content.

use core::fmt;

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use serde_json::Value;

use super::value::{Strict, documents};
use super::{API_VERSION, KIND, KronJob, repeated};
use crate::error::{Error, ManifestError, TextError};
use crate::job::Job;
use crate::limits::FILE_BYTES;
use crate::report::lint::{Finding, Severity};
use crate::text::read_job_file;
use crate::time::zone::TzDatabase;

/// How [`load`](crate::load) reads.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    namespace: Option<String>,
}

impl LoadOptions {
    /// The namespace of manifests that name none. Without it they are taken to be in `default`, with a warning.
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
    /// depend on it) and documents that are no KronJobs (`foreign-document`, a note).
    pub findings: Vec<Finding>,
}

/// A file that does not read as a whole: its errors, and what else stands in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// All errors, in order; at least one.
    pub errors: Vec<Error>,
    /// The jobs without error, for tools that look at the whole file. To run them is to leave jobs out.
    pub loaded: Loaded,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.errors[..] {
            [error] => write!(f, "{error}"),
            [error, more @ ..] => write!(f, "{error} (and {} more errors)", more.len()),
            [] => Ok(()),
        }
    }
}

impl core::error::Error for LoadError {}

/// A job and where it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedJob {
    /// The job.
    pub job: Job,
    /// Its text form as it was written, in a job file.
    pub source: Option<String>,
    /// Its line in a job file, from 1.
    pub line: Option<usize>,
    /// Its document in a manifest file, from 1; the items of a list share one.
    pub document: Option<usize>,
    /// The further fields of its line in a job file.
    pub fields: Vec<(String, String)>,
}

pub(crate) fn load_with(
    text: &str,
    options: &LoadOptions,
    database: &TzDatabase,
) -> Result<Loaded, LoadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (loaded, errors) = if text.len() > FILE_BYTES {
        let kind = TextError::TooLong { bytes: text.len(), max: FILE_BYTES };
        (Loaded::default(), vec![Error::new("text", kind)])
    } else {
        match Format::of(text) {
            Format::JobFile => load_job_file(text, database),
            Format::Json => load_manifests(documents(text), options, database),
            Format::Yaml => load_manifests(yaml_documents(text), options, database),
        }
    };
    if errors.is_empty() { Ok(loaded) } else { Err(LoadError { errors, loaded }) }
}

enum Format {
    JobFile,
    Json,
    Yaml,
}

impl Format {
    /// Tells by the first line that is neither blank nor a comment. No job line begins as these do.
    fn of(text: &str) -> Format {
        let first =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
        let key = first.split_once(':').map(|(key, _)| key.trim_matches(['"', '\'', ' ']));
        let is_key = |key: &str| {
            key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') && !key.is_empty()
        };
        if first.starts_with(['{', '[']) {
            Format::Json
        } else if first.starts_with("---") || first.starts_with("%YAML") || key.is_some_and(is_key) {
            Format::Yaml
        } else {
            Format::JobFile
        }
    }
}

fn load_job_file(text: &str, database: &TzDatabase) -> (Loaded, Vec<Error>) {
    let (lines, errors) = read_job_file(text, database);
    let jobs = lines.into_iter().map(|line| LoadedJob {
        job: line.job,
        source: Some(line.text),
        line: Some(line.line),
        document: None,
        fields: line.fields,
    });
    (Loaded { jobs: jobs.collect(), findings: Vec::new() }, errors)
}

fn yaml_documents(text: &str) -> Result<Vec<Value>, Error> {
    serde_saphyr::from_multiple::<Strict>(text)
        .map(|values| values.into_iter().map(|strict| strict.0).collect())
        .map_err(|error| {
            Error::new("", ManifestError::Syntax { message: error.without_snippet().to_string() })
        })
}

fn load_manifests(
    documents: Result<Vec<Value>, Error>,
    options: &LoadOptions,
    database: &TzDatabase,
) -> (Loaded, Vec<Error>) {
    let documents = match documents {
        Ok(documents) => documents,
        Err(error) => return (Loaded::default(), vec![error]),
    };
    let (mut loaded, mut errors) = (Loaded::default(), Vec::new());
    for (index, document) in documents.iter().enumerate() {
        let number = index + 1;
        for object in objects(document) {
            if let Some(kind) = foreign(object) {
                let message = format!("document {number} is a {kind}, not a {KIND}: passed over");
                loaded.findings.push(Finding::new(Severity::Note, "foreign-document", message));
                continue;
            }
            match load_one(object, options, database, &mut loaded.findings) {
                Ok(job) => {
                    let document = Some(number);
                    loaded.jobs.push(LoadedJob {
                        job,
                        source: None,
                        line: None,
                        document,
                        fields: Vec::new(),
                    });
                }
                Err(error) if documents.len() > 1 => errors.push(error.in_document(number)),
                Err(error) => errors.push(error),
            }
        }
    }
    let names: Vec<(String, Option<usize>)> =
        loaded.jobs.iter().map(|job| (job.job.name().to_string(), job.document)).collect();
    errors.extend(repeated(&names));
    (loaded, errors)
}

/// The objects of a document: the items of a list, nothing for an empty document, else the document itself.
fn objects(document: &Value) -> Vec<&Value> {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    match document.get("items").and_then(Value::as_array) {
        Some(items) if kind.ends_with("List") => items.iter().collect(),
        _ if document.is_null() => Vec::new(),
        _ => vec![document],
    }
}

/// The kind of an object that is plainly of another API.
fn foreign(object: &Value) -> Option<String> {
    let text = |field| object.get(field).and_then(Value::as_str);
    let (version, kind) = (text("apiVersion")?, text("kind")?);
    let group = |version: &str| version.split_once('/').map(|(group, _)| group.to_string());
    (group(version) != group(API_VERSION)).then(|| format!("{version} {kind}"))
}

fn load_one(
    object: &Value,
    options: &LoadOptions,
    database: &TzDatabase,
    findings: &mut Vec<Finding>,
) -> Result<Job, Error> {
    let kronjob = KronJob::read(object, database)?;
    if kronjob.namespace.is_none() && options.namespace.is_none() {
        let message = format!(
            "KronJob `{}` names no namespace; `default` is assumed, and start times depend on it",
            kronjob.name
        );
        findings.push(Finding::new(Severity::Warning, "namespace-assumed", message));
    }
    kronjob.into_job(options.namespace.as_deref().unwrap_or("default"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::load;

    const MANIFEST: &str = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata:\n  name: backup\n  namespace: prod\n\
                            spec:\n  schedule: '@daily'\n  window: {duration: 3h}\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n";

    fn errors(text: &str) -> Vec<String> {
        load(text, &LoadOptions::default()).unwrap_err().errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn ok_manifests() {
        let two = format!(
            "# comment\n{MANIFEST}---\n{}\n---\napiVersion: v1\nkind: Service\n",
            MANIFEST.replace("prod", "test")
        );
        let loaded = load(&two, &LoadOptions::default()).unwrap();
        let names: Vec<&str> = loaded.jobs.iter().map(|job| job.job.name()).collect();
        assert_eq!(names, ["prod/backup", "test/backup"]);
        assert_eq!(loaded.findings[0].message, "document 3 is a v1 Service, not a KronJob: passed over");

        let json = r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"kron.io/v1alpha1","kind":"KronJob",
            "metadata":{"name":"a.b"},"spec":{"schedule":"@daily","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
            "containers":[{}]}}}}}}]}"#;
        let loaded = load(json, &LoadOptions::default()).unwrap();
        assert_eq!(loaded.jobs[0].job.name(), "default/a.b");
        assert_eq!(loaded.findings[0].code, "namespace-assumed");
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
            "spec.window.duration: invalid type: integer `3`, expected a string; write it in quotes"
        );
        assert_eq!(p("v1alpha1", "v1"), "apiVersion: `kron.io/v1` is not `kron.io/v1alpha1`");
        assert_eq!(p("name: backup", "name: Backup").split(" is").next(), Some("metadata.name: `Backup`"));
        assert_eq!(
            p("{duration: 3h}", "{mode: before}"),
            "spec.window.mode: a KronJob's window lies `after` or `around` the nominal time, not `before` it"
        );
        assert_eq!(
            p("'@daily'", "'* * * * *'"),
            "spec.window.duration: windows can overlap in 181 periods, and at most 100 may"
        );
        assert_eq!(p("'@daily'", "'61 * * * *'"), "spec.schedule.minute: `61` at column 1 is not in 0 to 59");
        assert_eq!(
            p("{spec: {template:", "{spec: {manualSelector: true, template:"),
            "spec.jobTemplate.spec.manualSelector: a Job chooses its selector by itself, and Jobs that share one count \
             each other's Pods; leave it out"
        );
        let twice = format!("{MANIFEST}---\n{MANIFEST}");
        assert_eq!(errors(&twice), ["document 2: name: `prod/backup` is already the name of another job"]);
        assert!(p("spec:\n", "spec:\n  schedule: x\n").contains("schedule"));
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
