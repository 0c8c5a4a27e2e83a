//! The output of a command: the pipe that it writes to, and the lines that are copied from it to the log.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};

use rustix::fs::fstat;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::net::unix::pipe;

use super::lines::Lines;
use super::log::Log;
use super::log_line::{Line, Source, Stream};

/// A pipe for the output of a command: the end that is read, and what the command writes to.
///
/// The command's end is open for reading as well. So the pipe has a reader as long as the command runs: if the runner dies, the
/// command is not killed by SIGPIPE. It waits once the pipe is full, until the next runner reads from it.
pub(super) fn output_pipe() -> io::Result<(OwnedFd, File)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    let path = format!("/proc/self/fd/{}", write.as_raw_fd());
    match OpenOptions::new().read(true).write(true).open(path) {
        Ok(both) => Ok((read, both)),
        Err(error) if is_shortage(&error) => Err(error),
        // There is no `/proc` here.
        Err(_) => Ok((read, File::from(write))),
    }
}

/// The device and the inode of an open file.
pub(super) fn identity(file: &impl AsFd) -> io::Result<(u64, u64)> {
    let stat = fstat(file)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Copies the lines of a stream to the log until it ends.
pub(super) async fn copy(from: pipe::Receiver, stream: Stream, source: Source, log: Log) {
    let mut lines = Lines::default();
    let line = |bytes: &[u8], partial| Line::Output {
        source: source.clone(),
        stream,
        bytes: bytes.to_vec(),
        partial,
    };
    // Thousands of commands that print nothing take no room for what they might print.
    let mut unread = None;
    while from.readable().await.is_ok() {
        unread.get_or_insert_with(|| log.unread());
        let mut whole = Vec::new();
        let read = {
            let mut buffer = [0; 8 * 1024];
            let read = from.try_read(&mut buffer);
            let filled = &buffer[..*read.as_ref().unwrap_or(&0)];
            lines.push(filled, |bytes, partial| whole.push(line(bytes, partial)));
            read
        };
        match read {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => unread = None,
            Ok(_) | Err(_) => break,
        }
        for line in whole {
            log.output(line).await;
        }
    }
    if let Some(last) = lines.end() {
        log.output(line(&last, false)).await;
    }
}

/// Whether the system had no files or no memory left.
pub(super) fn is_shortage(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM))
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::io::Write;
    use std::sync::mpsc;

    use super::*;
    use crate::run::log_line::LogForm;

    /// A stream whose reader reads nothing until the sender is gone.
    struct Stalled(mpsc::Receiver<()>);

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn output_that_a_slow_reader_holds_up_is_not_read_yet() {
        let (go, stalled) = mpsc::channel();
        let (log, writer) = Log::new(LogForm::Text, Stalled(stalled), io::sink());
        let (read, mut write) = output_pipe().unwrap();
        let read = pipe::Receiver::from_owned_fd(read).unwrap();
        let copying = tokio::spawn(copy(read, Stream::Stdout, Source::default(), log.clone()));
        tokio::task::yield_now().await;
        // A command that prints nothing has no output.
        assert_eq!(writer.read(pending()).await, 0);
        // More lines than may wait for the writer.
        write.write_all(&b"a\n".repeat(20_000)).unwrap();
        while writer.read(ready(())).await == 0 {
            tokio::task::yield_now().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        assert_eq!(writer.read(ready(())).await, 1);
        drop(go);
        // The command goes on, and has printed nothing more.
        assert_eq!(writer.read(pending()).await, 0);
        drop(write);
        copying.await.unwrap();
        drop(log);
        assert_eq!(writer.finish(pending()).await, 0);
    }
}
