//! What `kron run-now`, `kron suspend` and `kron resume` ask a runner.

use std::io::ErrorKind;
use std::path::Path;

use super::control::{Answer, Request, ask};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::session::Stop;

/// Asks the runner of a state file, and gives the token of a request to run a job now. Fails if the request is not stored.
pub(crate) fn request(state: &Path, request: &Request) -> Result<Option<String>, Stop> {
    let name = printable(request.job());
    let (message, help, status) = match ask(state, request) {
        Ok(Answer::Stored(token)) => return Ok(token),
        Ok(Answer::Waits(token)) => (
            format!("{name} has a request to run now that waits for its turn: run-now-{token}"),
            "wait for its outcome".to_string(),
            ExitStatus::Failure,
        ),
        Ok(Answer::UnknownJob) => (
            format!("the files of the runner have no job `{name}` any more"),
            "`kron status` lists its jobs".to_string(),
            ExitStatus::Error,
        ),
        Ok(Answer::Failed(message)) => (message, String::new(), ExitStatus::Failure),
        Err(error) => {
            let (message, help) = match error.kind() {
                ErrorKind::NotFound | ErrorKind::ConnectionRefused => (
                    "no runner is running".to_string(),
                    format!("start it: `kron run FILE --state {}`", state.display()),
                ),
                ErrorKind::PermissionDenied => (
                    "the runner takes requests of its own user and of root only".to_string(),
                    "run this command as the user of the runner".to_string(),
                ),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => (
                    "the runner closed the connection without an answer".to_string(),
                    "it has ended, has too many requests at once, or is of another user; see its log"
                        .to_string(),
                ),
                ErrorKind::WouldBlock | ErrorKind::TimedOut => (
                    "the runner has not stored the request yet, and may still do so".to_string(),
                    "see its log: its state file may not be writable".to_string(),
                ),
                _ => (format!("the runner cannot be asked: {error}"), String::new()),
            };
            (message, help, ExitStatus::Failure)
        }
    };
    let error = Diagnostic { help: Some(help).filter(|help| !help.is_empty()), ..Diagnostic::error(message) };
    Err(Stop::with(error, status))
}
