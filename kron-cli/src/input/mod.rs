//! Jobs from arguments and files, each with the place it came from.

mod declared;
mod entry;
mod gather;
pub(crate) mod pick;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kron_core::error::FindingCode;
use kron_core::{ErrorCode, Job, Severity};
use kron_formats::LoadCode;
use kron_formats::convert::{Format, recognize, recognize_file};

use kron_formats::read::{Differences, Jobs, Options, Read, ReadJob, read};

use crate::args::jobs::{JobArg, JobArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::zone_of;
use crate::codes;
use crate::exit_status::ExitStatus;
use crate::files::Source;
use crate::output::diagnostic::{Diagnostic, Excerpt};
use crate::output::grouped::grouped;
use crate::session::{Session, Stop};

pub(crate) use self::entry::Entry;
use self::entry::Origin;
use self::gather::{FileText, Files, Place, Reading, gather};
pub(crate) use self::text::NameFor;

/// The most errors that `next` and `explain` show; `lint` shows all.
const ERRORS_SHOWN: usize = 20;
/// From how many on, repeated names of one file are said together.
const MANY: usize = 4;
/// The end of a note about errors that are not shown.
const LINT_SHOWS_ALL: &str = "; `kron lint` shows all";
/// What to do about a file and about a folder without jobs.
const A_JOB: &str = "write one in a line such as `0 3 * * * @win(after,1h) name=team/job`";
const A_FOLDER: &str = "name a folder with job files, crontabs, manifests or other schedules";

/// Which jobs a subcommand asks for, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) jobs: &'a JobArgs,
    pub(crate) reading: &'a ReadArgs,
    /// The time zone of schedules that name none, if an option names it.
    pub(crate) tz: Option<&'a str>,
    pub(crate) name_for: NameFor,
    pub(crate) differences: Differences,
    /// Whether the job of a text among the arguments may have `@days` and `@nodays`.
    pub(crate) days: bool,
}

impl<'a> Request<'a> {
    /// The jobs of these arguments, with the findings about their times.
    pub(crate) const fn new(
        jobs: &'a JobArgs,
        reading: &'a ReadArgs,
        tz: Option<&'a str>,
        name_for: NameFor,
    ) -> Request<'a> {
        Request { jobs, reading, tz, name_for, differences: Differences::Times, days: true }
    }
}

/// Everything that the arguments name: jobs and errors.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) entries: Vec<Entry>,
    /// Errors of texts and files, and files without jobs.
    pub(crate) problems: Vec<Diagnostic>,
    /// The reasons for which files could not be read at all.
    pub(crate) unreadable: Vec<Diagnostic>,
    /// What holds for all files together.
    pub(crate) notes: Vec<Diagnostic>,
    sources: Vec<Source>,
    /// The places of the sources; none of a text among the arguments.
    places: Vec<Place>,
    options: Options,
}

impl Input {
    /// Reads all jobs, schedules of other systems too.
    pub(crate) fn read(request: Request<'_>, session: &mut Session<'_>) -> Result<Input, Stop> {
        let all = request.jobs.all(session)?;
        Input::of(all, request, session)
    }

    /// Reads the jobs of two versions.
    pub(crate) fn read_pair(request: Request<'_>, session: &mut Session<'_>) -> Result<[Input; 2], Stop> {
        let [old, new] = request.jobs.pair(session)?;
        let old = Input::of(vec![old], request, session)?;
        Ok([old, Input::of(vec![new], request, session)?])
    }

    fn of(all: Vec<JobArg>, request: Request<'_>, session: &mut Session<'_>) -> Result<Input, Stop> {
        let Request { jobs, reading, tz, name_for, differences, days, .. } = request;
        if let [JobArg::Text(text)] = all.as_slice() {
            if reading.is_given() {
                let error = Diagnostic::error(
                    "--format, --exclude, --declared and --host are for files, and a job text is given",
                );
                return Err(error.help("leave them out").into());
            }
            let mut input = Input::default();
            input.add_text(text, jobs, name_for, days, session)?;
            return Ok(input);
        }
        // An unknown zone is an error of the arguments, not of every job.
        zone_of(tz, session)?;
        let options = Options {
            format: reading.format.format,
            namespace: jobs.namespace.clone(),
            timezone: tz.map(str::to_string),
            host_timezone: session.zone_of_machine()?,
            declared: reading.declared,
            jobs: Jobs::All,
            differences,
            parser: session.parser()?,
        };
        let excluded = &reading.exclude.set()?;
        let host = reading.host.host.as_deref();
        let reading = Reading { any_path: options.format.is_some(), excluded, host };
        let files = gather(&all, &reading, session)?;
        Input::of_files(files, &options, jobs)
    }

    /// Reads the jobs of Kron for a runner, which reads its files again while it runs: a file that is not a regular one is an error,
    /// because its text can be read only once, or never comes.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn read_regular(args: &JobArgs, session: &mut Session<'_>) -> Result<Input, Stop> {
        let all = args.all(session)?;
        if let [JobArg::Text(text)] = all.as_slice() {
            let mut input = Input::default();
            input.add_text(text, args, NameFor::None, true, session)?;
            return Ok(input);
        }
        let options = Options {
            namespace: args.namespace.clone(),
            jobs: Jobs::OfKron,
            parser: session.parser()?,
            ..Options::default()
        };
        let files = gather::regular(&all, session)?;
        let mut input = Input::of_files(files, &options, args)?;
        input.name_other_formats();
        Ok(input)
    }

    /// Of a file in another format, one error says what to do, instead of one for each of its lines.
    #[cfg(all(feature = "run", target_os = "linux"))]
    fn name_other_formats(&mut self) {
        for source in &self.sources {
            let Some(file) = &source.file else { continue };
            let is_of_file = |problem: &Diagnostic| problem.file.as_ref() == Some(file);
            let is_wrong = self.problems.iter().any(|problem| problem.is_error() && is_of_file(problem));
            // A crontab has no names: a job file with a mistake does.
            if !is_wrong || source.text.contains("name=") {
                continue;
            }
            let Some(format) = recognize_file(file, &source.text) else { continue };
            self.problems.retain(|problem| !is_of_file(problem));
            let message = format!("the format is {format}, and a runner reads job files and KronJobs");
            let help = format!("make a job file of it: `kron convert {file} > jobs.kron`");
            self.problems.push(Diagnostic::error(message).file(file).help(help));
        }
    }

    fn of_files(files: Files, options: &Options, args: &JobArgs) -> Result<Input, Stop> {
        let mut input = Input { unreadable: files.unreadable, problems: files.problems, ..Input::default() };
        let (texts, folders, passed_over) = (files.texts, files.folders, files.passed_over);
        let sources: Vec<_> = texts.iter().map(FileText::source).collect();
        let found = read(&sources, options);
        let quiet = input.add(found, &texts, options);
        (input.sources, input.places) = texts.into_iter().map(|text| (text.source, text.place)).unzip();
        input.options = options.clone();
        input.find_empty(&folders, passed_over + quiet);
        let is_read = input.unreadable.is_empty() && !input.problems.iter().any(Diagnostic::is_error);
        if args.name.is_some() && is_read {
            let error = Diagnostic::error("--name is the name of a job text, and no text is given");
            return Err(error.help("leave it out: jobs in files have names").into());
        }
        input.find_duplicates();
        Ok(input)
    }

    /// The jobs, of which there is at least one; any error ends the command.
    pub(crate) fn valid(self, session: &mut Session<'_>) -> Result<Input, Stop> {
        let (input, remarks) = self.valid_with_remarks()?;
        remarks.iter().for_each(|remark| session.report(remark));
        Ok(input)
    }

    /// The same with the warnings and notes, for a command that shows its answer first.
    pub(crate) fn valid_with_remarks(self) -> Result<(Input, Vec<Diagnostic>), Stop> {
        let (input, remarks) = self.apart()?;
        match input.entries.is_empty() {
            true => Err(Stop::Failed(remarks, ExitStatus::Failure)),
            false => Ok((input, remarks)),
        }
    }

    /// The jobs; any error ends the command.
    pub(crate) fn without_errors(self, session: &mut Session<'_>) -> Result<Input, Stop> {
        let (input, remarks) = self.apart()?;
        remarks.iter().for_each(|remark| session.report(remark));
        Ok(input)
    }

    /// The jobs, and apart from them the warnings and notes; any error ends the command.
    fn apart(mut self) -> Result<(Input, Vec<Diagnostic>), Stop> {
        if !self.unreadable.is_empty() || self.problems.iter().any(Diagnostic::is_error) {
            self.unreadable.extend(shown(self.problems, LINT_SHOWS_ALL));
            return Err(Stop::Failed(self.unreadable, ExitStatus::Error));
        }
        let mut remarks = shown(std::mem::take(&mut self.problems), LINT_SHOWS_ALL);
        // Whoever names such files knows it; of folders, it says what was found. `kron lint` always says it.
        if self.places.iter().all(|place| place.is_named) {
            self.notes.retain(|note| note.code != Some(LoadCode::OtherSystem.into()));
        }
        remarks.append(&mut self.notes);
        Ok((self, remarks))
    }

    /// Whether the jobs are one text among the arguments.
    pub(crate) fn is_text(&self) -> bool {
        // A folder without files is no source at all.
        !self.sources.is_empty() && self.sources.iter().all(|source| source.file.is_none())
    }

    /// The jobs without their places.
    pub(crate) fn into_jobs(self) -> Vec<Job> {
        self.entries.into_iter().map(Entry::into_job).collect()
    }

    /// The codes that comments `# kron: allow(code)` allow for a job: those on the lines directly before it.
    pub(crate) fn allowed(&self, entry: &Entry) -> Result<Vec<FindingCode>, Box<Diagnostic>> {
        let mut allowed = Vec::new();
        let source = &self.sources[entry.source];
        // KronJobs have no line.
        let Some(job_line) = entry.line() else { return Ok(allowed) };
        for number in (1..job_line).rev() {
            let Some(line) = source.line(number).filter(|line| line.trim_start().starts_with('#')) else {
                break;
            };
            match codes::of_comment(line) {
                None => {}
                Some(Ok(codes)) => allowed.extend(codes),
                // Beside schedules of other systems, these comments also hold declarations.
                Some(Err(_)) if entry.is_of_other_system() && !line.contains("allow") => {}
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
        let lines: Option<Vec<usize>> = self.entries.iter().map(Entry::line_of_job_file).collect();
        Some((&source.text, lines?))
    }

    /// The manifests that all jobs are from, if they are in one file.
    pub(crate) fn manifests(&self) -> Option<&Source> {
        let [source] = &self.sources[..] else { return None };
        let are_manifests =
            self.entries.iter().all(|entry| entry.is_manifest() && !entry.is_of_other_system());
        (source.file.is_some() && are_manifests).then_some(source)
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
        let place = match (entry.line_of_job_file(), &entry.text) {
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

    /// Takes what was read of these texts. Returns how many of those in folders have nothing.
    fn add(&mut self, found: Read, texts: &[FileText], options: &Options) -> usize {
        let Read { jobs, errors, unread, findings, notes, .. } = found;
        let mut has_something = vec![false; texts.len()];
        let mut problems: Vec<(usize, Diagnostic)> = Vec::new();
        let file = |index: usize| texts[index].source.file.as_deref();
        for (index, error) in &errors {
            problems.push((*index, texts[*index].source.problem(error)));
        }
        for found in &unread {
            let problem = Diagnostic::of_conversion(found, file(found.source));
            has_something[found.source] = true;
            if texts[found.source].place.is_named {
                self.unreadable.push(problem);
            } else {
                problems.push((found.source, Diagnostic { severity: Severity::Note, ..problem }));
            }
        }
        let findings = findings.iter();
        problems.extend(
            findings.map(|found| (found.source, Diagnostic::of_conversion(found, file(found.source)))),
        );
        problems.iter().for_each(|(index, _)| has_something[*index] = true);
        let mut has_jobs = vec![false; texts.len()];
        jobs.iter().for_each(|job| has_jobs[job.source] = true);
        let mut has_errors = vec![false; texts.len()];
        errors.iter().for_each(|(index, _)| has_errors[*index] = true);
        unread.iter().for_each(|found| has_errors[found.source] = true);
        // The timer of a service has its schedule.
        let has_timer = |service: &FileText| {
            let timers = texts.iter().zip(&has_jobs).filter(|(_, has_jobs)| **has_jobs);
            timers.into_iter().any(|(timer, _)| service.place.is_service_of(timer))
        };
        let without_jobs = texts
            .iter()
            .enumerate()
            .filter(|(index, text)| text.place.is_named && !has_jobs[*index] && !has_timer(text));
        for (index, text) in without_jobs {
            let said = match other_format(&text.source.text, options) {
                Some(format) if has_errors[index] => {
                    let note = Diagnostic::note(format!("it looks like the format `{format}`"));
                    note.help("`kron convert FILE` makes jobs of it")
                }
                _ if has_errors[index] => continue,
                // The runner says itself what to do.
                _ if options.jobs == Jobs::OfKron => Diagnostic::warning("there are no jobs"),
                _ => Diagnostic::warning("there are no jobs").help(A_JOB),
            };
            problems.push((index, Diagnostic { file: text.source.file.clone(), ..said }));
        }
        problems.sort_by_key(|(index, _)| *index);
        self.problems.extend(problems.into_iter().map(|(_, problem)| problem));
        // One file is what a note about all of them is about.
        let only = if let [text] = texts { text.source.file.clone() } else { None };
        let notes = notes.into_iter().map(Diagnostic::of_finding);
        self.notes.extend(notes.map(|note| Diagnostic { file: only.clone(), ..note }));
        self.entries.extend(jobs.into_iter().map(|ReadJob { loaded, source, origin, .. }| {
            let text = loaded.source.clone().or_else(|| loaded.schedule.clone());
            Entry { origin: Origin::File(Box::new(loaded), origin), text, named: true, source }
        }));
        let counts = texts.iter().zip(has_jobs).zip(has_something);
        counts.filter(|((text, has_jobs), has)| !text.place.is_named && !has_jobs && !has).count()
    }

    /// Says which folders have no jobs, and how many files of folders have none.
    fn find_empty(&mut self, folders: &[String], passed_over: usize) {
        for folder in folders {
            let is_in =
                |file: Option<&str>| file.is_some_and(|file| std::path::Path::new(file).starts_with(folder));
            let has_jobs = self.entries.iter().any(|entry| is_in(self.file_of(entry)));
            if !has_jobs && !self.problems.iter().any(|problem| is_in(problem.file.as_deref())) {
                let warning = Diagnostic::warning("there are no jobs").help(A_FOLDER);
                self.problems.push(warning.file(folder));
            }
        }
        match passed_over {
            0 => {}
            1 => self.notes.push(Diagnostic::note("1 file holds no schedule")),
            count => self.notes.push(Diagnostic::note(format!("{count} files hold no schedule"))),
        }
    }

    /// The names in one file are distinct, which the core checked; the names in several files may repeat.
    fn find_duplicates(&mut self) {
        let mut seen: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut repeated: Vec<(&Entry, &Entry)> = Vec::new();
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for entry in &self.entries {
            let first = seen.insert(entry.job().name(), entry).filter(|first| first.source != entry.source);
            let Some(first) = first else { continue };
            repeated.push((first, entry));
            *counts.entry((first.source, entry.source)).or_default() += 1;
        }
        let (mut found, mut copies) = (Vec::new(), BTreeSet::new());
        for (first, entry) in repeated {
            let file = self.sources[first.source].file.as_deref().unwrap_or_default();
            let name = entry.job().name();
            let files = (first.source, entry.source);
            let error = match counts.get(&files) {
                // A copy of a file repeats many names, and is one mistake.
                Some(count @ MANY..) => {
                    if !copies.insert(files) {
                        continue;
                    }
                    let message =
                        format!("{count} names are already those of jobs in {file}: `{name}` and others");
                    Diagnostic::error(message)
                        .help("leave one of the files out, or give the jobs other names")
                }
                _ => {
                    let place = first.line().map_or(file.to_string(), |line| format!("{file}:{line}"));
                    let message = format!("name: `{name}` is already the name of another job ({place})");
                    let error = Diagnostic::error(message).help("give one of them another name");
                    Diagnostic { line: entry.line(), ..error }
                }
            };
            let mut diagnostic = Diagnostic { code: Some(ErrorCode::FileRepeatedName.into()), ..error };
            // A patch and the object that it is about share the name.
            if entry.is_of_other_system() && first.is_of_other_system() {
                diagnostic.severity = Severity::Warning;
            }
            diagnostic.file.clone_from(&self.sources[entry.source].file);
            found.push(diagnostic);
        }
        self.problems.extend(found);
    }
}

/// The format of a text that is no job file and has no manifests, where only these are read. A line of a job file has a name.
fn other_format(text: &str, options: &Options) -> Option<Format> {
    if options.jobs == Jobs::All || text.contains("name=") {
        return None;
    }
    recognize(text).filter(|format| *format != Format::CronJob)
}

/// The first of many warnings and notes, the warnings before the notes, and how many there are beside them.
pub(crate) fn first_of(mut remarks: Vec<Diagnostic>, count: usize) -> Vec<Diagnostic> {
    remarks.sort_by_key(|remark| remark.severity == Severity::Note);
    cut(remarks, count, LINT_SHOWS_ALL)
}

/// The first of many errors, warnings and notes, and how many there are beside them, with these words at the end.
pub(crate) fn shown(all: Vec<Diagnostic>, words: &str) -> Vec<Diagnostic> {
    cut(grouped(all), ERRORS_SHOWN, words)
}

fn cut(mut all: Vec<Diagnostic>, count: usize, words: &str) -> Vec<Diagnostic> {
    if let Some(more @ 1..) = all.len().checked_sub(count) {
        all.truncate(count);
        all.push(Diagnostic::note(format!("{more} more{words}")));
    }
    all
}
