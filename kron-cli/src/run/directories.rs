//! Whether directories exist, asked by a thread that nothing has to wait for: a file system may never answer.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

/// How long the answer about one directory is waited for.
const LIMIT: Duration = Duration::from_secs(1);

/// What is known of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It exists.
    Yes,
    /// There is no such directory.
    No,
    /// Its file system does not answer.
    Silent,
    /// It was not looked at, because another one does not answer.
    Unknown,
}

/// Looks for directories, one after the other, until one of them does not answer.
#[derive(Debug)]
pub(crate) struct Directories(Option<(Sender<PathBuf>, Receiver<bool>)>);

impl Directories {
    /// Begins. If the system has no thread for it, nothing is looked at.
    pub(crate) fn new() -> Directories {
        Directories::with(Path::is_dir)
    }

    fn with(is_directory: impl Fn(&Path) -> bool + Send + 'static) -> Directories {
        let (ask, asked) = channel::<PathBuf>();
        let (answer, answers) = channel();
        let look = move || asked.into_iter().all(|path| answer.send(is_directory(&path)).is_ok());
        let begun = Builder::new().spawn(look).is_ok();
        Directories(begun.then_some((ask, answers)))
    }

    /// Looks for one.
    pub(crate) fn find(&mut self, directory: &Path) -> Found {
        let Some((ask, answers)) = &self.0 else { return Found::Unknown };
        let answer = ask.send(directory.to_path_buf()).ok().and_then(|()| answers.recv_timeout(LIMIT).ok());
        match answer {
            Some(true) => Found::Yes,
            Some(false) => Found::No,
            None => {
                self.0 = None;
                Found::Silent
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_does_not_answer_is_the_last() {
        // The answer comes once the sender is gone, at the end of the test.
        let (_hold, held) = channel::<()>();
        let mut directories = Directories::with(move |path| match path.to_str() {
            Some("silent") => held.recv().is_ok(),
            _ => path.is_dir(),
        });
        let find = |directories: &mut Directories, path: &str| directories.find(Path::new(path));
        assert_eq!(find(&mut directories, "/"), Found::Yes);
        assert_eq!(find(&mut directories, "/etc/passwd"), Found::No);
        assert_eq!(find(&mut directories, "silent"), Found::Silent);
        assert_eq!(find(&mut directories, "/"), Found::Unknown);
    }
}
