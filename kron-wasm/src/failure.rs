//! What an answer says that is no success.

use kron_core::Error;
use serde::{Serialize, Serializer};

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the core.
    Core(Error),
    /// An error of this module: `request`, `handle` or `limit`.
    Module { code: &'static str, message: String, help: Option<&'static str> },
}

impl Failure {
    /// A request that is none.
    pub(crate) fn request(why: impl std::fmt::Display) -> Failure {
        Failure::Module { code: "request", message: format!("this is not a request: {why}"), help: None }
    }

    /// A job that a fleet does not have.
    #[cfg(feature = "fleet")]
    pub(crate) fn no_job(number: usize, jobs: usize) -> Failure {
        let jobs = if jobs == 1 { "1 job".to_string() } else { format!("{jobs} jobs") };
        let message = format!("there is no job {number}: the fleet has {jobs}");
        Failure::Module { code: "request", message, help: Some("the first job has the number 0") }
    }

    /// A handle of nothing.
    pub(crate) fn handle(noun: &str, handle: u32) -> Failure {
        let help = if noun == "job" { "parse the job first" } else { "read the fleet first" };
        Failure::Module { code: "handle", message: format!("there is no {noun} {handle}"), help: Some(help) }
    }

    /// A call that would take too long, or whose answer would be too long.
    pub(crate) fn limit(message: String, help: &'static str) -> Failure {
        Failure::Module { code: "limit", message, help: Some(help) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

/// A failure as it stands in the answer.
#[derive(Serialize)]
struct Wire<'a> {
    /// The stable word.
    code: &'static str,
    field: &'a str,
    /// The offending bytes of the text: the first, and the one after the last.
    span: Option<[usize; 2]>,
    line: Option<usize>,
    /// The whole error in one line, as every other package of Kron shows it.
    message: String,
    help: Option<String>,
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let wire = match self {
            Failure::Core(error) => Wire {
                code: error.code().as_str(),
                field: error.field(),
                span: error.span().map(|span| [span.start, span.end]),
                line: error.line(),
                message: error.to_string(),
                help: error.help(),
            },
            Failure::Module { code, message, help } => {
                let message = help.map_or_else(|| message.clone(), |help| format!("{message}; {help}"));
                Wire { code, field: "", span: None, line: None, message, help: help.map(str::to_string) }
            }
        };
        wire.serialize(serializer)
    }
}
