//! A stream that the log is written to.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};

/// A stream that takes whole lines.
#[derive(Debug)]
pub(super) struct LogStream<W> {
    to: W,
    /// Whether the last line is not whole, as its write failed in the middle.
    cut: bool,
}

impl<W: Write> LogStream<W> {
    pub(super) fn new(to: W) -> LogStream<W> {
        LogStream { to, cut: false }
    }

    /// Writes whole lines, and says how many of their bytes the stream has; all of them if nobody reads it any more. A line that was cut
    /// before them stays one of its own.
    pub(super) fn write(&mut self, lines: &[u8]) -> usize {
        let mut end = if self.cut { &b"\n"[..] } else { &[] };
        let mut left = lines;
        let written = self.write_all(&mut end).and_then(|()| self.write_all(&mut left));
        match written.and_then(|()| self.to.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => lines.len(),
            Ok(()) | Err(_) => lines.len() - left.len(),
        }
    }

    fn write_all(&mut self, left: &mut &[u8]) -> io::Result<()> {
        while !left.is_empty() {
            match self.to.write(left) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => {
                    let (written, rest) = left.split_at(count);
                    self.cut = !written.ends_with(b"\n");
                    *left = rest;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Waits where a write would block. A program that shares the stream with the runner can have set it to `O_NONBLOCK`.
#[derive(Debug)]
pub(crate) struct Waiting<S>(pub(crate) S);

impl<S: Write + AsFd> Write for Waiting<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    match poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], None) {
                        Ok(_) | Err(rustix::io::Errno::INTR) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read as _;

    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;

    /// A disk with room for so many bytes.
    #[derive(Default)]
    struct Disk {
        room: usize,
        has: Vec<u8>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.room);
            if count == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            self.room -= count;
            self.has.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_was_cut_stays_one_of_its_own() {
        let mut stream = LogStream::new(Disk { room: 6, has: Vec::new() });
        assert_eq!((stream.write(b"one\ntwo\nthree\n"), stream.write(b"four\n")), (6, 0));
        stream.to.room = 1;
        assert_eq!(stream.write(b"five\n"), 0);
        stream.to.room = 100;
        assert_eq!((stream.write(b"six\n"), stream.write(b"seven\n")), (4, 6));
        assert_eq!(String::from_utf8_lossy(&stream.to.has), "one\ntw\nsix\nseven\n");
    }

    #[test]
    fn a_stream_that_must_not_block_gets_everything() {
        let (read, write) = pipe_with(PipeFlags::NONBLOCK).unwrap();
        let lines = b"a line of the log\n".repeat(10_000);
        let all = lines.clone();
        let writing = std::thread::spawn(move || LogStream::new(Waiting(File::from(write))).write(&all));
        let (mut read, mut found) = (File::from(read), Vec::new());
        loop {
            match read.read(&mut [0; 4096]) {
                Ok(0) => break,
                Ok(count) => found.push(count),
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            std::thread::yield_now();
        }
        assert_eq!((writing.join().unwrap(), found.iter().sum()), (lines.len(), lines.len()));
    }
}
