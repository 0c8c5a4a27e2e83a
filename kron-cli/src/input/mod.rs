//! Jobs from arguments and files, each with the place it came from.

pub(crate) mod pick;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use kron_core::error::FindingCode;
use kron_core::{ErrorCode, Job, Parser, Severity};
use kron_formats::convert::{Format, Options, convert, recognize};
use kron_formats::kronjob::JobRequests;
use kron_formats::{LoadError, LoadOptions, LoadedJob};
use kron_host::PrimerLead;

use crate::args::jobs::{JobArg, JobArgs, neither_text_nor_file};
use crate::codes;
use crate::exit_status::ExitStatus;
use crate::files::{JOB_FILES, Source, files_of, is_stdin, read_file};
use crate::output::diagnostic::{Diagnostic, Excerpt};
use crate::session::{Session, Stop};

/// The most errors that `next` and `explain` show; `lint` shows all.
const ERRORS_SHOWN: usize = 20;
/// The end of a note about errors that are not shown.
const LINT_SHOWS_ALL: &str = "; `kron lint` shows all";
/// The name of a text without a name, where none is needed.
const UNNAMED: &str = "unnamed";

/// What `--name` may contain for the host name.
const HOST: &str = "{host}";

/// When a job whose text is an argument needs `--name`.
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

/// A job and its place.
#[derive(Debug)]
pub(crate) struct Entry {
    origin: Origin,
    /// Its text form as it was written, or the schedule of a manifest.
    pub(crate) text: Option<String>,
    /// Whether the input names it.
    pub(crate) named: bool,
    source: usize,
}

/// Where a job is from.
#[derive(Debug)]
enum Origin {
    /// A text among the arguments.
    Text(Job),
    /// A file, with what its line or manifest says beside the job.
    File(Box<LoadedJob>),
}

/// Everything that the arguments name: jobs and errors.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) entries: Vec<Entry>,
    /// Errors of texts and files, and files without jobs.
    pub(crate) problems: Vec<Diagnostic>,
    /// The reasons for which files could not be read at all.
    pub(crate) unreadable: Vec<Diagnostic>,
    sources: Vec<Source>,
}

impl Entry {
    pub(crate) fn job(&self) -> &Job {
        match &self.origin {
            Origin::Text(job) => job,
            Origin::File(loaded) => &loaded.job,
        }
    }

    pub(crate) fn into_job(self) -> Job {
        match self.origin {
            Origin::Text(job) => job,
            Origin::File(loaded) => loaded.job,
        }
    }

    /// The job with what its line or manifest says beside it; `None` for a text among the arguments.
    pub(crate) fn loaded(&self) -> Option<&LoadedJob> {
        match &self.origin {
            Origin::Text(_) => None,
            Origin::File(loaded) => Some(loaded),
        }
    }

    fn line(&self) -> Option<usize> {
        self.loaded()?.line
    }

    /// How long before each start its primer is made, in a manifest.
    pub(crate) fn primer(&self) -> Option<PrimerLead> {
        self.loaded()?.primer.as_ref().map(|primer| primer.lead)
    }

    /// What its pods request together, in a manifest.
    pub(crate) fn requests(&self) -> Option<&JobRequests> {
        self.loaded()?.requests.as_ref()
    }

    /// The further fields of its line in a job file.
    pub(crate) fn fields(&self) -> &[(String, String)] {
        self.loaded().map_or(&[], |loaded| &loaded.fields)
    }

    /// A further field of its line in a job file.
    pub(crate) fn field(&self, key: &str) -> Option<&str> {
        self.fields().iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// Whether it is a manifest, and not a line of a job file or a text.
    pub(crate) fn is_manifest(&self) -> bool {
        self.loaded().is_some_and(|loaded| loaded.document.is_some())
    }

    /// A label of its manifest, or a further field of its line in a job file.
    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        let label = self.loaded()?.labels.iter().find(|(found, _)| found == key);
        label.map(|(_, value)| value.as_str()).or_else(|| self.field(key))
    }
}

impl Input {
    /// Reads all jobs, those of CronJobs too. An error of a text is found before its missing name.
    pub(crate) fn read(args: &JobArgs, name_for: NameFor, session: &mut Session<'_>) -> Result<Input, Stop> {
        let all = args.all(session)?;
        Input::of(all, args, name_for, Files::Any, session)
    }

    /// Reads all jobs for a subcommand that needs their commands; CronJobs have none.
    pub(crate) fn read_commands(args: &JobArgs, session: &mut Session<'_>) -> Result<Input, Stop> {
        let all = args.all(session)?;
        Input::of(all, args, NameFor::None, Files::Commands, session)
    }

    /// The same for a runner, which reads its files again while it runs: a file that is not a regular one is an error, because its
    /// text can be read only once, or never comes.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn read_regular(args: &JobArgs, session: &mut Session<'_>) -> Result<Input, Stop> {
        let all = args.all(session)?;
        Input::of(all, args, NameFor::None, Files::RegularCommands, session)
    }

    /// Reads the jobs of two versions.
    pub(crate) fn read_pair(
        args: &JobArgs,
        name_for: NameFor,
        session: &mut Session<'_>,
    ) -> Result<[Input; 2], Stop> {
        let [old, new] = args.pair(session)?;
        let old = Input::of(vec![old], args, name_for, Files::Any, session)?;
        Ok([old, Input::of(vec![new], args, name_for, Files::Any, session)?])
    }

    fn of(
        all: Vec<JobArg>,
        args: &JobArgs,
        name_for: NameFor,
        files: Files,
        session: &mut Session<'_>,
    ) -> Result<Input, Stop> {
        let mut input = Input::default();
        let mut reader = Reader { args, files, options: LoadOptions::default(), seen: BTreeMap::new() };
        if let Some(namespace) = &args.namespace {
            reader.options = reader.options.with_namespace(namespace);
        }
        for arg in all {
            match arg {
                JobArg::Text(text) => input.add_text(&text, args, name_for, session)?,
                JobArg::Path(path, is_file) => reader.add(&path, is_file, &mut input, session)?,
            }
        }
        let is_read = input.unreadable.is_empty() && !input.problems.iter().any(Diagnostic::is_error);
        if args.name.is_some() && is_read && !input.is_text() {
            let error = Diagnostic::error("--name is the name of a job text, and no text is given");
            return Err(error.help("leave it out: jobs in files have names").into());
        }
        input.find_duplicates();
        Ok(input)
    }

    /// The jobs, of which there is at least one; any error ends the command.
    pub(crate) fn valid(self, session: &mut Session<'_>) -> Result<Input, Stop> {
        let input = self.without_errors(session)?;
        if input.entries.is_empty() {
            return Err(Stop::Failed(Vec::new(), ExitStatus::Failure));
        }
        Ok(input)
    }

    /// The jobs; any error ends the command.
    pub(crate) fn without_errors(mut self, session: &mut Session<'_>) -> Result<Input, Stop> {
        if !self.unreadable.is_empty() || self.problems.iter().any(Diagnostic::is_error) {
            self.unreadable.extend(shown(self.problems, LINT_SHOWS_ALL));
            return Err(Stop::Failed(self.unreadable, ExitStatus::Error));
        }
        let problems = std::mem::take(&mut self.problems);
        shown(problems, LINT_SHOWS_ALL).iter().for_each(|problem| session.report(problem));
        Ok(self)
    }

    /// Whether the jobs are one text among the arguments.
    pub(crate) fn is_text(&self) -> bool {
        self.sources.iter().all(|source| source.file.is_none())
    }

    /// The jobs without their places.
    pub(crate) fn into_jobs(self) -> Vec<Job> {
        self.entries.into_iter().map(Entry::into_job).collect()
    }

    /// The codes that comments `# kron: allow(code)` allow for a job: those on the lines directly before it.
    pub(crate) fn allowed(&self, entry: &Entry) -> Result<Vec<FindingCode>, Box<Diagnostic>> {
        let mut allowed = Vec::new();
        let source = &self.sources[entry.source];
        // Jobs of manifests have no line.
        let Some(job_line) = entry.line() else { return Ok(allowed) };
        for number in (1..job_line).rev() {
            let Some(line) = source.line(number).filter(|line| line.trim_start().starts_with('#')) else {
                break;
            };
            match codes::of_comment(line) {
                None => {}
                Some(Ok(codes)) => allowed.extend(codes),
                Some(Err((place, error))) => {
                    return Err(Box::new(Diagnostic {
                        file: source.file.clone(),
                        line: Some(number),
                        help: error.help,
                        excerpt: Some(Excerpt::new(line, place)),
                        ..Diagnostic::error(error.message)
                    }));
                }
            }
        }
        Ok(allowed)
    }

    /// The text of the file and the line of each job in it, if all jobs are from one job file.
    pub(crate) fn job_file(&self) -> Option<(&str, Vec<usize>)> {
        let [source] = &self.sources[..] else { return None };
        let lines: Option<Vec<usize>> = self.entries.iter().map(|entry| entry.line()).collect();
        Some((&source.text, lines?))
    }

    /// The manifests that all jobs are from, if they are in one file.
    pub(crate) fn manifests(&self) -> Option<&Source> {
        let [source] = &self.sources[..] else { return None };
        let are_manifests = source.file.is_some() && self.entries.iter().all(|entry| entry.line().is_none());
        are_manifests.then_some(source)
    }

    /// The file of a job, unless it is a text among the arguments.
    pub(crate) fn file_of(&self, entry: &Entry) -> Option<&str> {
        self.sources.get(entry.source)?.file.as_deref()
    }

    /// A finding of the core about a job, with its place: `text` is the job's text within its line.
    pub(crate) fn locate(
        &self,
        entry: &Entry,
        mut diagnostic: Diagnostic,
        span: Option<Range<usize>>,
    ) -> Diagnostic {
        let source = &self.sources[entry.source];
        diagnostic.name = entry.named.then(|| entry.job().name().to_string());
        diagnostic.file.clone_from(&source.file);
        diagnostic.line = entry.line();
        let place = match (entry.line(), &entry.text) {
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
        diagnostic.name = Some(entry.job().name().to_string());
        diagnostic.file.clone_from(&source.file);
        diagnostic.line = entry.line();
        let line = entry.line().and_then(|number| source.line(number));
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

    fn add_text(
        &mut self,
        text: &str,
        args: &JobArgs,
        name_for: NameFor,
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        let parser = session.parser()?;
        let name = args.name.as_deref().map(|name| with_host(name, session)).transpose()?;
        let source = Source::new(None, text.to_string());
        match parser.spec(text).map(|spec| Job::new(name.as_deref().unwrap_or(UNNAMED), spec)) {
            Err(error) => {
                let problem = source.problem(&error);
                self.problems.push(match Path::new(text).exists() {
                    true => problem.help("there is a file of this name, which `-f` reads"),
                    false => problem,
                });
            }
            // The place in the error is one in the name.
            Ok(Err(error)) => self.problems.push(Diagnostic::of_error(&error)),
            Ok(Ok(job)) => {
                if name.is_none() && name_for.needs(&job) {
                    let error = Diagnostic::error("a job needs a name, because its start times depend on it");
                    return Err(error.help("add --name team/job").into());
                }
                self.entries.push(Entry {
                    origin: Origin::Text(job),
                    text: Some(text.to_string()),
                    named: name.is_some(),
                    source: self.sources.len(),
                });
            }
        }
        if args.namespace.is_some() && self.problems.is_empty() {
            let error = Diagnostic::error("--namespace is for manifests, and a job text is given");
            return Err(error.help("write the namespace into the name: `--name NAMESPACE/NAME`").into());
        }
        self.sources.push(source);
        Ok(())
    }

    fn add_file(&mut self, source: Source, converted: Option<&str>, options: &LoadOptions, parser: &Parser) {
        let index = self.sources.len();
        let text = converted.unwrap_or(&source.text);
        let about = |mut diagnostic: Diagnostic| {
            diagnostic.file.clone_from(&source.file);
            diagnostic
        };
        let loaded = match kron_formats::load(parser, text, options) {
            Ok(loaded) => {
                if loaded.jobs.is_empty() {
                    self.problems.push(about(Diagnostic::warning("there are no jobs in it")));
                }
                loaded
            }
            Err(LoadError { errors, loaded, .. }) => {
                self.problems.extend(errors.iter().map(|error| source.problem(error)));
                if let Some(format) = other_format(&source.text).filter(|_| loaded.jobs.is_empty()) {
                    let note = Diagnostic::note(format!("it looks like the format `{format}`"));
                    self.problems.push(about(note.help("`kron convert FILE` makes jobs of it")));
                }
                loaded
            }
        };
        self.problems
            .extend(loaded.findings.into_iter().map(|finding| about(Diagnostic::of_finding(finding))));
        self.entries.extend(loaded.jobs.into_iter().map(|loaded| {
            let text = loaded.source.clone().or_else(|| loaded.schedule.clone());
            Entry { origin: Origin::File(Box::new(loaded)), text, named: true, source: index }
        }));
        self.sources.push(source);
    }

    /// The names in one file are distinct, which the core checked; the names in several files may repeat.
    fn find_duplicates(&mut self) {
        let mut seen: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut found = Vec::new();
        for entry in &self.entries {
            let first = seen.insert(entry.job().name(), entry).filter(|first| first.source != entry.source);
            let Some(first) = first else { continue };
            let file = self.sources[first.source].file.as_deref().unwrap_or_default();
            let place = first.line().map_or(file.to_string(), |line| format!("{file}:{line}"));
            let mut diagnostic = Diagnostic::error(format!(
                "name: `{}` is already the name of another job ({place})",
                entry.job().name()
            ));
            diagnostic.code = Some(ErrorCode::FileRepeatedName.into());
            diagnostic.file.clone_from(&self.sources[entry.source].file);
            diagnostic.line = entry.line();
            found.push(diagnostic);
        }
        self.problems.extend(found);
    }
}

/// The format of a text that is no job file and has no manifests. A line of a job file has a name.
fn other_format(text: &str) -> Option<Format> {
    recognize(text).filter(|format| *format != Format::CronJob && !text.contains("name="))
}

/// The first of many errors, warnings and notes, and how many there are beside them, with these words at the end.
pub(crate) fn shown(mut all: Vec<Diagnostic>, words: &str) -> Vec<Diagnostic> {
    if let Some(more @ 1..) = all.len().checked_sub(ERRORS_SHOWN) {
        all.truncate(ERRORS_SHOWN);
        all.push(Diagnostic::note(format!("{more} more{words}")));
    }
    all
}

/// Which files have jobs for a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Files {
    /// Those with CronJobs, too, which start at their nominal times.
    Any,
    /// Those with commands.
    Commands,
    /// Those with commands that are regular files.
    #[cfg(all(feature = "run", target_os = "linux"))]
    RegularCommands,
}

impl Files {
    fn read(self, path: &Path, session: &mut Session<'_>) -> Result<Source, Box<Diagnostic>> {
        match self {
            Files::Any | Files::Commands => read_file(path, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Files::RegularCommands => crate::files::read_regular_file(path, session),
        }
    }
}

/// Reads files into an input.
struct Reader<'a> {
    args: &'a JobArgs,
    files: Files,
    options: LoadOptions,
    /// The files that were read, and how the arguments name them.
    seen: BTreeMap<PathBuf, PathBuf>,
}

impl Reader<'_> {
    /// Reads a file, or those of a directory. `is_file`: the argument cannot be meant as anything else.
    fn add(
        &mut self,
        path: &Path,
        is_file: bool,
        input: &mut Input,
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        let parser = session.parser()?;
        session.reading.is_at(path);
        let files = match files_of(path) {
            Ok(files) => files,
            Err(error) => {
                input.unreadable.push(*error);
                return Ok(());
            }
        };
        if files.is_empty() {
            let warning = Diagnostic::warning(format!("there are no files {JOB_FILES} in it"));
            input.problems.push(warning.file(path.display()));
        }
        for file in files {
            session.reading.is_at(&file);
            let canonical = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if let Some(first) = self.seen.insert(canonical, file.clone()).filter(|_| !is_stdin(&file)) {
                let error = Diagnostic::error(format!("this file was read already, as {}", first.display()));
                let error = error.file(file.display());
                input.unreadable.push(error.help("name each file once, by itself or by its directory"));
                continue;
            }
            match self.files.read(&file, session) {
                Ok(source) => {
                    let converted = self.convert_cronjobs(&source, input, &parser);
                    input.add_file(source, converted.as_deref(), &self.options, &parser);
                }
                Err(error) => {
                    let meant_as_text = || neither_text_nor_file(path).filter(|_| !is_file && !path.exists());
                    input.unreadable.push(meant_as_text().unwrap_or(*error));
                }
            }
        }
        Ok(())
    }

    /// The text of a file with KronJobs for its CronJobs. `None` if it has none, or if they are not jobs for this subcommand.
    fn convert_cronjobs(&self, source: &Source, input: &mut Input, parser: &Parser) -> Option<String> {
        if self.files != Files::Any || recognize(&source.text) != Some(Format::CronJob) {
            return None;
        }
        let options = Options {
            format: Some(Format::CronJob),
            // Without a window, start times do not depend on the name.
            namespace: Some(self.args.namespace.clone().unwrap_or_else(|| "default".to_string())),
            parser: parser.clone(),
            ..Options::default()
        };
        let file = source.file.as_deref();
        let text = kron_formats::convert::Source { name: file.unwrap_or_default(), text: &source.text };
        // A text that cannot be read, or has no CronJob, has the errors of manifests.
        let converted = convert(&[text], &options).ok()?;
        if converted.converted > 0 {
            let jobs = if converted.converted == 1 {
                "1 CronJob is read as a job".to_string()
            } else {
                format!("{} CronJobs are read as jobs", converted.converted)
            };
            let note = Diagnostic::note(format!("{jobs} without a window, in UTC without a `timeZone`"));
            input.problems.push(Diagnostic { file: source.file.clone(), ..note });
        }
        let refused = converted.findings.iter().filter(|found| found.finding.severity == Severity::Error);
        input.problems.extend(refused.map(|found| {
            let reason = Diagnostic::of_conversion(found, file);
            let left_out = format!("this CronJob is left out: {}", reason.message);
            Diagnostic { severity: Severity::Warning, message: left_out, ..reason }
        }));
        Some(converted.text)
    }
}

/// A name of `--name` in which `{host}` is replaced.
fn with_host(name: &str, session: &mut Session<'_>) -> Result<String, Stop> {
    if let Some(word) = misspelled_host(name) {
        let warning = Diagnostic::warning(format!("`{{{word}}}` in --name is not replaced"));
        session.report(&warning.help("write `{host}` for the name of this machine"));
    }
    if !name.contains(HOST) {
        return Ok(name.to_string());
    }
    let Some(host) = session.host_name() else {
        let error =
            Diagnostic::error("`{host}` in --name has no value, because this machine has no host name");
        return Err(error.help("write the name without `{host}`").into());
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
