//! Jobs from arguments and files, each with the place it came from.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use kron_convert::{Format, Options, convert, recognize};
use kron_core::{
    Error, ErrorCode, FILE_BYTES, FindingCode, Job, JobRequests, LintCode, LoadError, LoadOptions, LoadedJob,
    Parser, PrimerLead, Severity,
};

use crate::args::JobArgs;
use crate::codes;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::{Diagnostic, Excerpt};
use crate::output::table::printable;
use crate::session::{Session, Stop};

/// The most errors that `next` and `explain` show; `lint` shows all.
const ERRORS_SHOWN: usize = 20;
/// The name of a text without a name, where none is needed.
const UNNAMED: &str = "unnamed";

/// What `--name` may contain for the host name.
const HOST: &str = "{host}";

/// Files of a directory that may hold jobs.
const EXTENSIONS: [&str; 4] = ["kron", "yaml", "yml", "json"];
/// The same extensions as a phrase for messages.
const JOB_FILES: &str = "*.kron, *.yaml, *.yml or *.json";

/// When a job of TEXT needs `--name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameFor {
    /// For no job: the answer does not depend on the name.
    None,
    /// For a job with a window, whose start times depend on the name.
    Windows,
    /// For every job: the answer has the seed, which depends on the name.
    Seeds,
}

impl NameFor {
    fn needs(self, job: &Job) -> bool {
        match self {
            NameFor::None => false,
            NameFor::Windows => !job.spec().window().duration().is_zero(),
            NameFor::Seeds => true,
        }
    }
}

/// A text that jobs are read from.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file as the arguments name it; `None` for TEXT.
    pub(crate) file: Option<String>,
    pub(crate) text: String,
    /// Bytes of each line; found when the first error needs them.
    lines: OnceCell<Vec<Range<usize>>>,
}

/// A job and its place.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) job: Job,
    /// Its text form as it was written, or the schedule of a manifest.
    pub(crate) text: Option<String>,
    /// The further fields of its line in a job file, such as `command=`.
    fields: Vec<(String, String)>,
    /// The labels of its manifest.
    labels: Vec<(String, String)>,
    /// Whether the input names it.
    pub(crate) named: bool,
    /// How long before each start its primer is made, in a manifest.
    pub(crate) primer: Option<PrimerLead>,
    /// What its pods request together, in a manifest.
    pub(crate) requests: Option<JobRequests>,
    source: usize,
    line: Option<usize>,
}

/// Everything that the arguments name: jobs and errors.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) entries: Vec<Entry>,
    /// Errors of texts and files, and files without jobs.
    pub(crate) problems: Vec<Diagnostic>,
    /// The reasons for which files could not be read at all; they are on stderr.
    pub(crate) unreadable: Vec<Diagnostic>,
    sources: Vec<Source>,
}

impl Entry {
    /// A further field of its line in a job file.
    pub(crate) fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// All further fields of its line in a job file.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// Whether it is a line of a job file.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn is_line(&self) -> bool {
        self.line.is_some()
    }

    /// A label of its manifest, or a further field of its line in a job file.
    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        let label = self.labels.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str());
        label.or_else(|| self.field(key))
    }
}

impl Source {
    fn new(file: Option<String>, text: String) -> Source {
        // As the core does, so that places in the first line agree.
        let text = text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text);
        Source { file, text, lines: OnceCell::new() }
    }

    /// A line, from 1.
    fn line(&self, number: usize) -> Option<&str> {
        let lines = self.lines.get_or_init(|| {
            let start = |line: &str| line.as_ptr() as usize - self.text.as_ptr() as usize;
            self.text.lines().map(|line| start(line)..start(line) + line.len()).collect()
        });
        lines.get(number.checked_sub(1)?).and_then(|line| self.text.get(line.clone()))
    }

    /// An error of the core about this text, with its place.
    pub(crate) fn problem(&self, error: &Error) -> Diagnostic {
        let mut diagnostic = Diagnostic::of_error(error);
        diagnostic.file.clone_from(&self.file);
        diagnostic.line = error.line();
        let text = match error.line() {
            Some(line) => self.line(line),
            None => self.file.is_none().then_some(&*self.text),
        };
        diagnostic.excerpt = text.zip(error.span()).map(|(text, span)| Excerpt::new(text, span));
        diagnostic
    }
}

impl Input {
    /// Reads all jobs. An error of TEXT is reported before a missing name.
    pub(crate) fn read(args: &JobArgs, name_for: NameFor, session: &mut Session<'_>) -> Result<Input, Stop> {
        let mut input = Input::default();
        if let Some(text) = &args.text {
            if is_file(text) {
                let mut error = Diagnostic::error(format!("`{}` is a file, not a job text", printable(text)));
                error.help = Some(format!("add -f: `-f {}`", printable(text)));
                return Err(session.fail(&error, ExitStatus::Error));
            }
            let parser = session.parser()?;
            let name = args.name.as_deref().map(|name| with_host(name, session)).transpose()?;
            input.add_text(text, name.as_deref(), &parser);
            if input.entries.iter().any(|entry| !entry.named && name_for.needs(&entry.job)) {
                let mut error = Diagnostic::error("a job needs a name, because its start times depend on it");
                error.help = Some("add --name team/job".to_string());
                return Err(session.fail(&error, ExitStatus::Error));
            }
        }
        let mut options = LoadOptions::default();
        if let Some(namespace) = &args.namespace {
            options = options.with_namespace(namespace);
        }
        let mut seen: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for path in &args.files {
            let parser = session.parser()?;
            let files = match files_of(path) {
                Ok(files) => files,
                Err(diagnostic) => {
                    session.report(&diagnostic);
                    input.unreadable.push(*diagnostic);
                    continue;
                }
            };
            if files.is_empty() {
                let mut warning = Diagnostic::warning(format!("there are no files {JOB_FILES} in it"));
                warning.file = Some(path.display().to_string());
                input.problems.push(warning);
            }
            for file in files {
                let canonical = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
                if let Some(first) = seen.insert(canonical, file.clone()).filter(|_| !is_stdin(&file)) {
                    let mut error =
                        Diagnostic::error(format!("this file was read already, as {}", first.display()));
                    error.file = Some(file.display().to_string());
                    error.help = Some("name each file once, by itself or by its directory".to_string());
                    session.report(&error);
                    input.unreadable.push(error);
                    continue;
                }
                match read_file(&file, session) {
                    Ok(source) => input.add_file(source, args, &options, &parser),
                    Err(diagnostic) => {
                        session.report(&diagnostic);
                        input.unreadable.push(*diagnostic);
                    }
                }
            }
        }
        input.find_duplicates();
        Ok(input)
    }

    /// Reads all jobs; any error ends the command.
    pub(crate) fn read_valid(
        args: &JobArgs,
        name_for: NameFor,
        session: &mut Session<'_>,
    ) -> Result<Vec<Job>, Stop> {
        let input = Input::read(args, name_for, session)?.valid(session)?;
        Ok(input.entries.into_iter().map(|entry| entry.job).collect())
    }

    /// As [`read_valid`](Input::read_valid), but files without jobs are accepted.
    pub(crate) fn read_valid_or_none(
        args: &JobArgs,
        name_for: NameFor,
        session: &mut Session<'_>,
    ) -> Result<Vec<Job>, Stop> {
        let input = Input::read(args, name_for, session)?.without_errors(session)?;
        Ok(input.entries.into_iter().map(|entry| entry.job).collect())
    }

    /// The jobs, of which there is at least one; any error ends the command.
    pub(crate) fn valid(self, session: &mut Session<'_>) -> Result<Input, Stop> {
        let input = self.without_errors(session)?;
        if input.entries.is_empty() {
            return Err(Stop::Reported(ExitStatus::Failure));
        }
        Ok(input)
    }

    /// The jobs; any error ends the command.
    pub(crate) fn without_errors(self, session: &mut Session<'_>) -> Result<Input, Stop> {
        for problem in self.problems.iter().take(ERRORS_SHOWN) {
            session.report(problem);
        }
        if let Some(more @ 1..) = self.problems.len().checked_sub(ERRORS_SHOWN) {
            session.report(&Diagnostic::note(format!("{more} more; `kron lint` shows all")));
        }
        if !self.unreadable.is_empty() || self.problems.iter().any(Diagnostic::is_error) {
            return Err(Stop::Reported(ExitStatus::Error));
        }
        Ok(self)
    }

    /// The codes that comments `# kron: allow(code)` allow for a job: those on the lines directly before it.
    pub(crate) fn allowed(&self, entry: &Entry) -> Result<Vec<LintCode>, Box<Diagnostic>> {
        let mut allowed = Vec::new();
        let source = &self.sources[entry.source];
        // Jobs of manifests have no line.
        let Some(job_line) = entry.line else { return Ok(allowed) };
        for number in (1..job_line).rev() {
            let Some(line) = source.line(number).filter(|line| line.trim_start().starts_with('#')) else {
                break;
            };
            match codes::of_comment(line) {
                None => {}
                Some(Ok(codes)) => allowed.extend(codes),
                Some(Err((place, error))) => {
                    let mut diagnostic = Diagnostic::error(error.message);
                    diagnostic.file.clone_from(&source.file);
                    diagnostic.line = Some(number);
                    diagnostic.help = error.help;
                    diagnostic.excerpt = Some(Excerpt::new(line, place));
                    return Err(Box::new(diagnostic));
                }
            }
        }
        Ok(allowed)
    }

    /// The text of the file and the line of each job in it, if all jobs are from one job file.
    pub(crate) fn job_file(&self) -> Option<(&str, Vec<usize>)> {
        let [source] = &self.sources[..] else { return None };
        let lines: Option<Vec<usize>> = self.entries.iter().map(|entry| entry.line).collect();
        Some((&source.text, lines?))
    }

    /// The manifests that all jobs are from, if they are in one file.
    pub(crate) fn manifests(&self) -> Option<&Source> {
        let [source] = &self.sources[..] else { return None };
        self.entries.iter().all(|entry| entry.line.is_none()).then_some(source)
    }

    /// A finding of the core about a job, with its place: `text` is the job's text within its line.
    pub(crate) fn locate(
        &self,
        entry: &Entry,
        mut diagnostic: Diagnostic,
        span: Option<Range<usize>>,
    ) -> Diagnostic {
        let source = &self.sources[entry.source];
        diagnostic.name = entry.named.then(|| entry.job.name().to_string());
        diagnostic.file.clone_from(&source.file);
        diagnostic.line = entry.line;
        let place = match (entry.line, &entry.text) {
            // The text begins where the blanks of its line end.
            (Some(line), Some(_)) => {
                source.line(line).map(|line| (line, line.len() - line.trim_start_matches([' ', '\t']).len()))
            }
            (None, Some(_)) if source.file.is_none() => Some((&*source.text, 0)),
            _ => None,
        };
        diagnostic.excerpt = place
            .zip(span)
            .map(|((text, shift), span)| Excerpt::new(text, span.start + shift..span.end + shift));
        diagnostic
    }

    /// A finding about a line of a job file, with its place: `find` gives the place in the line.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn locate_in_line(
        &self,
        entry: &Entry,
        mut diagnostic: Diagnostic,
        find: impl FnOnce(&str) -> Option<Range<usize>>,
    ) -> Diagnostic {
        let source = &self.sources[entry.source];
        diagnostic.name = Some(entry.job.name().to_string());
        diagnostic.file.clone_from(&source.file);
        diagnostic.line = entry.line;
        let line = entry.line.and_then(|number| source.line(number));
        diagnostic.excerpt = line.and_then(|line| Some(Excerpt::new(line, find(line)?)));
        diagnostic
    }

    /// A finding of the core about several jobs, with their file if they share one.
    pub(crate) fn locate_fleet(&self, entries: &[&Entry], mut diagnostic: Diagnostic) -> Diagnostic {
        let Some((first, rest)) = entries.split_first() else { return diagnostic };
        if rest.iter().all(|entry| entry.source == first.source) {
            diagnostic.file.clone_from(&self.sources[first.source].file);
        }
        diagnostic
    }

    fn add_text(&mut self, text: &str, name: Option<&str>, parser: &Parser) {
        let source = Source::new(None, text.to_string());
        match parser.spec(text) {
            Err(error) => self.problems.push(source.problem(&error)),
            Ok(spec) => match Job::new(name.unwrap_or(UNNAMED), spec) {
                // The place in the error is one in the name.
                Err(error) => self.problems.push(Diagnostic::of_error(&error)),
                Ok(job) => {
                    let text = Some(text.to_string());
                    let named = name.is_some();
                    self.entries.push(Entry {
                        job,
                        text,
                        fields: Vec::new(),
                        labels: Vec::new(),
                        named,
                        primer: None,
                        requests: None,
                        source: 0,
                        line: None,
                    });
                }
            },
        }
        self.sources.push(source);
    }

    fn add_file(&mut self, source: Source, args: &JobArgs, options: &LoadOptions, parser: &Parser) {
        let index = self.sources.len();
        let converted = self.convert_cronjobs(&source, args, parser);
        let text = converted.as_deref().unwrap_or(&source.text);
        let about = |mut diagnostic: Diagnostic| {
            diagnostic.file.clone_from(&source.file);
            diagnostic
        };
        let loaded = match parser.load(text, options) {
            Ok(loaded) => {
                if loaded.jobs.is_empty() {
                    self.problems.push(about(Diagnostic::warning("there are no jobs in it")));
                }
                loaded
            }
            Err(LoadError { errors, loaded, .. }) => {
                self.problems.extend(errors.iter().map(|error| source.problem(error)));
                loaded
            }
        };
        self.problems
            .extend(loaded.findings.into_iter().map(|finding| about(Diagnostic::of_finding(finding))));
        self.entries.extend(loaded.jobs.into_iter().map(|loaded| {
            let LoadedJob { job, source: text, schedule, line, fields, labels, primer, requests, .. } =
                loaded;
            let primer = primer.map(|primer| primer.lead);
            let text = text.or(schedule);
            Entry { job, text, fields, labels, named: true, primer, requests, source: index, line }
        }));
        self.sources.push(source);
    }

    /// The text of a file with KronJobs for its CronJobs. `None` if it has none, and if they are not jobs for this command.
    fn convert_cronjobs(&mut self, source: &Source, args: &JobArgs, parser: &Parser) -> Option<String> {
        if !args.cronjobs || recognize(&source.text) != Some(Format::CronJob) {
            return None;
        }
        let options = Options {
            format: Some(Format::CronJob),
            // Without a window, start times do not depend on the name.
            namespace: Some(args.namespace.clone().unwrap_or_else(|| "default".to_string())),
            parser: parser.clone(),
            ..Options::default()
        };
        let file = source.file.as_deref();
        let text = kron_convert::Source { name: file.unwrap_or_default(), text: &source.text };
        // A text that cannot be read, or has no CronJob, has the errors of manifests.
        let converted = convert(&[text], &options).ok()?;
        if converted.converted > 0 {
            let jobs = if converted.converted == 1 {
                "1 CronJob is read as a job".to_string()
            } else {
                format!("{} CronJobs are read as jobs", converted.converted)
            };
            let mut note = Diagnostic::note(format!("{jobs} without a window, in UTC without a `timeZone`"));
            note.file.clone_from(&source.file);
            self.problems.push(note);
        }
        let refused =
            converted.messages.iter().filter(|message| message.severity == kron_convert::Severity::Refusal);
        self.problems.extend(refused.map(|message| {
            let reason = Diagnostic::of_conversion(message, file);
            let left_out = format!("this CronJob is left out: {}", reason.message);
            Diagnostic { severity: Severity::Warning, message: left_out, ..reason }
        }));
        Some(converted.text)
    }

    /// The names in one file are distinct, which the core checked; the names in several files may repeat.
    fn find_duplicates(&mut self) {
        let mut seen: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut found = Vec::new();
        for entry in &self.entries {
            let first = seen.insert(entry.job.name(), entry).filter(|first| first.source != entry.source);
            let Some(first) = first else { continue };
            let file = self.sources[first.source].file.as_deref().unwrap_or_default();
            let place = first.line.map_or(file.to_string(), |line| format!("{file}:{line}"));
            let mut diagnostic = Diagnostic::error(format!(
                "name: `{}` is already the name of another job ({place})",
                entry.job.name()
            ));
            diagnostic.code = Some(FindingCode::Error(ErrorCode::FileRepeatedName));
            diagnostic.file.clone_from(&self.sources[entry.source].file);
            diagnostic.line = entry.line;
            found.push(diagnostic);
        }
        self.problems.extend(found);
    }
}

/// A name of `--name` in which `{host}` is replaced.
fn with_host(name: &str, session: &mut Session<'_>) -> Result<String, Stop> {
    if let Some(word) = misspelled_host(name) {
        let mut warning = Diagnostic::warning(format!("`{{{word}}}` in --name is not replaced"));
        warning.help = Some("write `{host}` for the name of this machine".to_string());
        session.report(&warning);
    }
    if !name.contains(HOST) {
        return Ok(name.to_string());
    }
    let Some(host) = session.host_name() else {
        let mut error =
            Diagnostic::error("`{host}` in --name has no value, because this machine has no host name");
        error.help = Some("write the name without `{host}`".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    };
    Ok(name.replace(HOST, &host))
}

/// A word in braces with which the host name was probably meant.
fn misspelled_host(name: &str) -> Option<&str> {
    let words = name.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(word, _)| word);
    let is_meant = |word: &&str| {
        let word = word.to_ascii_lowercase();
        ["host", "hostname", "host_name", "host-name", "machine", "machine-id", "machine_id", "node"]
            .contains(&word.as_str())
    };
    words.filter(|word| *word != "host").find(is_meant)
}

/// Whether a TEXT is a file, by its name or because it exists. Of all job texts, only macros are one word.
fn is_file(text: &str) -> bool {
    let path = Path::new(text);
    let one_word = !text.starts_with('@') && !text.contains(char::is_whitespace);
    one_word && (text == "-" || has_extension(path) || path.exists())
}

fn has_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// The files that an argument means: those of a directory that may hold jobs, in order of their names, or the path
/// itself.
pub(crate) fn files_of(path: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    // A path that is not a directory, or cannot be examined, is read as a file; reading reports what is wrong.
    if is_stdin(path) || !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let holds_jobs = |file: &PathBuf| has_extension(file) && !file.is_dir();
    let entries = std::fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
    });
    let mut files = entries.map_err(|failed| {
        let mut error = Diagnostic::error(format!("the directory cannot be read: {failed}"));
        error.file = Some(path.display().to_string());
        Box::new(error)
    })?;
    files.retain(holds_jobs);
    // The system lists them in any order.
    files.sort_unstable();
    Ok(files)
}

/// Refuses a file to write that is also read.
pub(crate) fn refuse_input(option: &str, output: &Path, inputs: &[PathBuf]) -> Result<(), Box<Diagnostic>> {
    let Ok(real) = output.canonicalize() else { return Ok(()) };
    if inputs.iter().all(|input| input.canonicalize().ok().is_none_or(|input| input != real)) {
        return Ok(());
    }
    let mut error = Diagnostic::error(format!("{option} would replace a file that is read"));
    error.file = Some(output.display().to_string());
    error.help = Some("choose another file".to_string());
    Err(Box::new(error))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a text from a file or, for `-`, from standard input.
pub(crate) fn read_file(path: &Path, session: &mut Session<'_>) -> Result<Source, Box<Diagnostic>> {
    let stdin = is_stdin(path);
    let label = if stdin { "<stdin>".to_string() } else { path.display().to_string() };
    let error = |message: &str| {
        let mut diagnostic = Diagnostic::error(message);
        diagnostic.file = Some(label.clone());
        Box::new(diagnostic)
    };
    let mut bytes = Vec::new();
    let read = if stdin {
        match session.stdin() {
            None => return Err(error("standard input can be read once only")),
            Some(stdin) => stdin.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes),
        }
    } else {
        File::open(path).and_then(|file| file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
    };
    read.map_err(|failed| match failed.kind() {
        io::ErrorKind::NotFound => error("there is no such file"),
        io::ErrorKind::PermissionDenied => error("permission denied"),
        io::ErrorKind::IsADirectory => error("this is a directory, not a file"),
        _ => error(&format!("the file cannot be read: {failed}")),
    })?;
    // Reads no more than the core's limit, so that a device without an end is refused.
    if bytes.len() > FILE_BYTES {
        return Err(error("the file is longer than 64 MiB"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(Some(label), text)),
        Err(failed) => {
            let bytes = failed.as_bytes();
            let valid = failed.utf8_error().valid_up_to();
            let line = bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
            let mut diagnostic =
                error(&format!("the file is not UTF-8: byte {:#04x} at offset {valid}", bytes[valid]));
            diagnostic.line = Some(line);
            if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
                diagnostic.help = Some("it looks like UTF-16; save it as UTF-8".to_string());
            }
            Err(diagnostic)
        }
    }
}
