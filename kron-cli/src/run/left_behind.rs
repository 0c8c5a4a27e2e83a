//! What the runner could not finish, said by the last message of the process.

use std::io::stderr;
use std::sync::mpsc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::output::table::printable;

/// A pipe with room takes so many bytes at once (PIPE_BUF).
const BYTES: usize = 4096;
/// How many commands are named.
const NAMED: usize = 20;
/// How long a write may take that should not have to wait.
const WRITE: Duration = Duration::from_millis(200);

/// Why a process ends before its runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unended {
    /// A second signal asked for it.
    SecondSignal,
    /// The runner has not ended long after the first signal.
    TooLong,
}

/// What is left at the end of the process.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    /// Why the process ends although the runner has not ended.
    pub(crate) runner: Option<Unended>,
    /// Jobs and process ids of commands whose ends were not seen. `None` if they are not known.
    pub(crate) commands: Option<Vec<(String, i32)>>,
    /// Streams of commands with output that was not read.
    pub(crate) unread: usize,
    /// Lines of the log that were not written.
    pub(crate) lines: usize,
}

impl LeftBehind {
    /// The sentence about it; `None` if nothing is left.
    fn text(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.runner.is_some() {
            parts.push("the state file may not have what happened last".to_string());
        }
        match self.commands.as_deref() {
            None => parts.push("a command is perhaps being started".to_string()),
            Some([]) => {}
            Some(commands) => {
                let named: Vec<String> = commands
                    .iter()
                    .take(NAMED)
                    .map(|(job, pid)| format!("{} (process {pid})", printable(job)))
                    .collect();
                let more = match commands.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                parts.push(format!("perhaps still running: {}{more}", named.join(", ")));
            }
        }
        if self.lines > 0 {
            parts.push(format!("lines of the log that were not written: {}", self.lines));
        }
        if self.unread > 0 {
            parts.push(format!("streams of commands that were not read to their end: {}", self.unread));
        }
        let level = match self.runner {
            Some(Unended::SecondSignal) => "error: ended by a second signal",
            Some(Unended::TooLong) => "error: the end took too long",
            None => "warning: ended",
        };
        (!parts.is_empty()).then(|| format!("kron run: {level}; {}\n", parts.join("; ")))
    }

    /// Says it on standard error, unless that would have to wait for a reader.
    pub(crate) fn report(&self) {
        let Some(mut text) = self.text() else { return };
        if text.len() > BYTES {
            let cut = (0..BYTES).rev().find(|cut| text.is_char_boundary(*cut)).unwrap_or(0);
            text.truncate(cut);
            text.push('\n');
        }
        let stream = stderr();
        let mut polled = [PollFd::new(&stream, PollFlags::OUT)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        if poll(&mut polled, Some(&now)).is_err() || !polled[0].revents().contains(PollFlags::OUT) {
            return;
        }
        // The log may be written to the same pipe, and may have taken the room meanwhile.
        let (written, wait) = mpsc::channel();
        let write = move || written.send(rustix::io::write(stderr(), text.as_bytes()).is_ok());
        // The system may have no thread left.
        let _ = std::thread::Builder::new().spawn(write);
        let _ = wait.recv_timeout(WRITE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_what_is_left() {
        let nothing = LeftBehind { commands: Some(Vec::new()), ..LeftBehind::default() };
        assert_eq!(nothing.text(), None);
        let lines = LeftBehind { unread: 2, lines: 7, commands: Some(Vec::new()), runner: None };
        let expected = "kron run: warning: ended; lines of the log that were not written: 7; streams of commands that were not read to \
                        their end: 2\n";
        assert_eq!(lines.text().as_deref(), Some(expected));
        let commands = (0..22).map(|pid| ("a\x1b".to_string(), pid)).collect();
        let second = Some(Unended::SecondSignal);
        let text =
            LeftBehind { runner: second, commands: Some(commands), ..LeftBehind::default() }.text().unwrap();
        let begin = "kron run: error: ended by a second signal; the state file may not have what happened last; perhaps still \
                     running: a\\u{1b} (process 0), a\\u{1b} (process 1), ";
        assert!(text.starts_with(begin) && text.ends_with(" (process 19) and 2 more\n"), "{text}");
        assert!(LeftBehind::default().text().unwrap().contains("perhaps being started"));
        let long = LeftBehind { runner: Some(Unended::TooLong), ..nothing };
        let expected =
            "kron run: error: the end took too long; the state file may not have what happened last\n";
        assert_eq!(long.text().as_deref(), Some(expected));
    }
}
