//! Some of the jobs that were read: those of `--job`, or the one that a subcommand is about.

use kron_core::{Algorithm, Error, Job};

use super::{Entry, Input};
use crate::args::jobs::PickArgs;
use crate::output::diagnostic::Diagnostic;
use crate::session::Stop;

/// The most names that are listed if no job has the name that was asked for.
const NAMES_SHOWN: usize = 10;

impl Input {
    /// The jobs of these names, in the order of the files; all jobs if no name is given.
    pub(crate) fn pick(mut self, args: &PickArgs) -> Result<Input, Stop> {
        let names = &args.names;
        if names.is_empty() {
            return Ok(self);
        }
        if self.is_text() {
            let error = Diagnostic::error("--job picks jobs of files, and a job text is given");
            return Err(error.help("leave it out, or give the text a name by --name").into());
        }
        if let Some(name) =
            names.iter().find(|name| self.entries.iter().all(|entry| entry.job().name() != **name))
        {
            let error = Diagnostic::error(format!("there is no job `{name}`"));
            let names = self.entries.iter().map(|entry| entry.job().name());
            return Err(error.help(nearest(name, names.clone()).unwrap_or_else(|| names_of(names))).into());
        }
        self.entries.retain(|entry| names.iter().any(|name| name == entry.job().name()));
        Ok(self)
    }

    /// The one job.
    pub(crate) fn one(self) -> Result<Entry, Stop> {
        let mut entries = self.entries;
        let count = entries.len();
        match entries.pop() {
            Some(entry) if count == 1 => Ok(entry),
            last => {
                let error = Diagnostic::error(format!("there are {count} jobs; --job NAME picks one"));
                let names = entries.iter().chain(&last).map(|entry| entry.job().name());
                Err(error.help(names_of(names)).into())
            }
        }
    }
}

/// The jobs, with another algorithm if an option names one.
pub(crate) fn with_algorithm(jobs: Vec<Job>, algorithm: Option<Algorithm>) -> Result<Vec<Job>, Stop> {
    let Some(algorithm) = algorithm else { return Ok(jobs) };
    let changed = jobs.into_iter().map(|job| {
        let spec = job.spec().to_builder().algorithm(algorithm).build();
        spec.and_then(|spec| Job::new(job.name(), spec)).map_err(|error| {
            // The help is left out: it is about the job's text, but an option asked for the algorithm.
            Diagnostic { help: None, ..Diagnostic::of_error(&error).job(job.name()) }.into()
        })
    });
    changed.collect()
}

/// The name that was probably meant.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let distance = |found: &&str| strsim::levenshtein(found, name);
    // At most a third of the letters is wrong, as in the help of the core.
    let near = |found: &&str| name.len() <= 256 && distance(found) <= found.len() / 3;
    names.filter(near).min_by_key(distance).map(|found| format!("did you mean `{found}`?"))
}

/// The first names of jobs in words.
pub(crate) fn names_of<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let shown: Vec<&str> = names.by_ref().take(NAMES_SHOWN).collect();
    let more = if names.next().is_some() { ", ..." } else { "" };
    format!("the names are {}{more}", shown.join(", "))
}

/// The warning about a job whose search for starts ended in an error.
pub(crate) fn search_failed(job: &Job, error: &Error) -> Diagnostic {
    let warning = Diagnostic::warning(error.reason()).job(job.name());
    Diagnostic { help: error.help(), ..warning }
}

/// A note that a job is suspended.
pub(crate) fn suspended(job: &Job) -> Diagnostic {
    Diagnostic::note(format!("{} is suspended: these are its times, but a host starts nothing", job.name()))
}
