//! Arguments of subcommands that read files which hold no jobs of Kron: receipts, lists, objects of a cluster, crontabs.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// Files, by themselves or behind `-f`.
#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// The files to read; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    named: Vec<PathBuf>,

    /// A file, as above; may be repeated
    #[arg(short, long = "file", id = "files", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
}

impl FileArgs {
    /// All of them, which may be none.
    pub(crate) fn all(&self) -> Vec<PathBuf> {
        self.named.iter().chain(&self.files).cloned().collect()
    }

    /// At least one file.
    pub(crate) fn some(&self, session: &Session<'_>) -> Result<Vec<PathBuf>, Stop> {
        let all = self.all();
        if all.is_empty() { Err(session.missing("no file is given").into()) } else { Ok(all) }
    }

    /// Two files.
    pub(crate) fn pair(&self, session: &Session<'_>) -> Result<[PathBuf; 2], Stop> {
        pair(self.named.clone(), self.files.clone(), session)
    }
}

/// The two things that are compared: both by themselves, or both behind `-f`.
pub(crate) fn pair<T>(named: Vec<T>, files: Vec<T>, session: &Session<'_>) -> Result<[T; 2], Stop> {
    if !named.is_empty() && !files.is_empty() {
        let error = Diagnostic::error("one is given by -f and one is not, so their order is not clear");
        return Err(error.help("leave out -f").into());
    }
    let both = if named.is_empty() { files } else { named };
    let count = both.len();
    both.try_into().map_err(|_| {
        let message = match count {
            0 => "nothing to compare is given".to_string(),
            1 => "only one of the two to compare is given".to_string(),
            _ => format!("two are compared, and {count} are given"),
        };
        session.missing(message).into()
    })
}
