//! The job whose text is an argument, and its name.

use std::path::Path;

use kron_core::Job;
use kron_formats::WithoutDays as _;

use super::Input;
use super::entry::{Entry, Origin};
use crate::args::jobs::JobArgs;
use crate::files::Source;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

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

impl Input {
    /// Reads a job text, which may have rules of days or not. An error of the text is found before its missing name.
    pub(super) fn add_text(
        &mut self,
        text: &str,
        args: &JobArgs,
        name_for: NameFor,
        days: bool,
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        let parser = session.parser()?;
        let name = args.name.as_deref().map(|name| with_host(name, session)).transpose()?;
        let source = Source::new(None, text.to_string());
        match parser.spec(text).map(|spec| Job::new(name.as_deref().unwrap_or(UNNAMED), spec)) {
            Err(error) => {
                let error = if days { error } else { error.without_days() };
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
