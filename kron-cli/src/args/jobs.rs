//! The arguments that name jobs, the same for every subcommand that takes jobs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;

use super::files::pair;
use crate::complete;
use crate::files::is_stdin;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::session::{Session, Stop};

/// The least number of words of a text: a cron expression has five fields.
const FIELDS: usize = 5;
/// How much of an argument a message shows.
const SHOWN: usize = 64;

/// What takes the place of files in a text.
const QUOTES: &str = "a job text is one argument; put it in quotes: '0 3 * * * @win(after,1h)'";

/// The jobs: one text, or files.
#[derive(Clone, Debug, Args)]
pub(crate) struct JobArgs {
    /// Files of jobs in any format, directories, `-` for standard input, or the text of one job in quotes
    ///
    /// An argument with five or more words, or one that begins with `@`, is the text of a job, such as
    /// '0 3 * * * @win(after,1h)'; `kron --help` lists what may stand in it. Any other argument names a file:
    /// a job file, KronJobs in YAML or JSON, or one that `kron convert` reads, such as a crontab. Directories
    /// are read with all below them, except what git ignores. `kron run` reads job files and KronJobs only,
    /// and of a directory the files *.kron, *.yaml, *.yml and *.json in it.
    #[arg(value_name = "JOBS", value_hint = ValueHint::AnyPath)]
    jobs: Vec<OsString>,

    /// A file or directory of jobs, whatever its name looks like; may be repeated
    #[arg(short, long = "file", id = "files", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,

    /// The name of the job whose text is given, such as team/job; its start times depend on the name
    ///
    /// The same name and the same text give the same start times on every machine. `{host}` in the name
    /// stands for the name of this machine, as `uname -n` prints it. In a job file the name is the value
    /// of name=, and the name of a KronJob is namespace/name.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,
}

/// One of the arguments that name jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JobArg {
    /// The text of a job.
    Text(String),
    /// A file, a directory or `-`. The flag is set behind `-f`, where nothing else was meant.
    Path(PathBuf, bool),
}

impl JobArgs {
    /// The text, or the files in their order: at least one.
    pub(crate) fn all(&self, session: &Session<'_>) -> Result<Vec<JobArg>, Stop> {
        let (named, files) = self.read()?;
        if named.len() + files.len() > 1 && named.iter().any(|arg| matches!(arg, JobArg::Text(_))) {
            let error = Diagnostic::error("a job text cannot be given together with other jobs");
            return Err(error.help(QUOTES).into());
        }
        let all: Vec<JobArg> = named.into_iter().chain(files).collect();
        if all.is_empty() {
            return Err(session.missing("no jobs are given").into());
        }
        Ok(all)
    }

    /// The files and directories, for a command that looks at them again. Standard input can be read once only.
    pub(crate) fn paths_to_watch(&self, session: &Session<'_>) -> Result<Vec<PathBuf>, Stop> {
        let mut paths = Vec::new();
        for arg in self.all(session)? {
            match arg {
                JobArg::Path(path, _) if is_stdin(&path) => {
                    let error = Diagnostic::error("--watch cannot follow standard input");
                    return Err(error.help("name the files").into());
                }
                JobArg::Path(path, _) => paths.push(path),
                JobArg::Text(_) => {}
            }
        }
        Ok(paths)
    }

    /// Two versions of jobs: texts, files or directories.
    pub(crate) fn pair(&self, session: &Session<'_>) -> Result<[JobArg; 2], Stop> {
        let (named, files) = self.read()?;
        pair(named, files, session)
    }

    fn read(&self) -> Result<(Vec<JobArg>, Vec<JobArg>), Stop> {
        if self.jobs.len() > 1 && self.jobs.iter().any(|arg| is_field(arg) && !Path::new(arg).exists()) {
            let error = Diagnostic::error("a part of a cron expression is given as an argument of its own");
            return Err(error.help(QUOTES).into());
        }
        let named = self.jobs.iter().map(|arg| JobArg::of(arg)).collect::<Result<_, _>>()?;
        Ok((named, self.files.iter().map(|file| JobArg::Path(file.clone(), true)).collect()))
    }
}

impl JobArg {
    fn of(arg: &OsStr) -> Result<JobArg, Stop> {
        let shown = arg.to_string_lossy();
        if !shown.starts_with('@') && words(&shown) < FIELDS {
            return Ok(JobArg::Path(PathBuf::from(arg), false));
        }
        let text = arg.to_str().ok_or_else(|| Diagnostic::error("the job text is not UTF-8"))?;
        Ok(JobArg::Text(text.to_string()))
    }
}

/// The error about an argument that was probably meant as a text, and is too short for one.
pub(crate) fn neither_text_nor_file(path: &Path) -> Option<Diagnostic> {
    let text = path.to_string_lossy();
    if !text.trim().is_empty() && !is_field(path.as_os_str()) && words(&text) < 2 {
        return None;
    }
    let cut = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    let shown = printable(&text.chars().take(SHOWN).collect::<String>()) + cut;
    let error = Diagnostic::error(format!("`{shown}` is neither a file nor the text of a job"));
    Some(error.help("a text has five fields (minute, hour, day of month, month, day of week), such as '0 3 * * *', or a macro such as @daily"))
}

fn words(text: &str) -> usize {
    text.split([' ', '\t']).filter(|word| !word.is_empty()).count()
}

/// Whether an argument can be a field of a cron expression. `-` is standard input.
fn is_field(arg: &OsStr) -> bool {
    let bytes = arg.as_encoded_bytes();
    bytes != b"-"
        && !bytes.is_empty()
        && bytes.iter().all(|byte| byte.is_ascii_digit() || b"*/,-?".contains(byte))
}

/// The argument that picks jobs of files.
#[derive(Clone, Debug, Args)]
pub(crate) struct PickArgs {
    /// Only the job of this name in the files; may be repeated
    #[arg(long = "job", value_name = "NAME")]
    #[arg(add = ArgValueCompleter::new(complete::job_names))]
    pub(crate) names: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_five_words_or_begin_with_a_macro() {
        let is_text = |arg: &str| matches!(JobArg::of(OsStr::new(arg)), Ok(JobArg::Text(_)));
        for text in [
            "0 0 * * *",
            "0 0 * * * @win(after,1h)",
            "@daily",
            "@",
            " 0\t0 * *  *",
            "TZ=UTC * * * * *",
            "a b c d e",
        ] {
            assert!(is_text(text), "{text}");
        }
        for file in ["", "-", "jobs.kron", "0 0 * *", "my jobs.kron", "0\n0\n*\n*\n*", "./@daily", "a b c d"]
        {
            assert!(!is_text(file), "{file}");
        }
    }

    #[test]
    fn fields_of_cron_are_recognized() {
        for field in ["0", "*", "*/15", "1-5", "1,2", "?"] {
            assert!(is_field(OsStr::new(field)), "{field}");
        }
        for other in ["", "-", "a", "MON", "0.kron"] {
            assert!(!is_field(OsStr::new(other)), "{other}");
        }
    }
}
