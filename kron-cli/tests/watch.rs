//! Screens that are redrawn: what is refused, and the built binary on a terminal.

use crate::support::{MARCH, file, kron_in, kron_on_terminal, refused};

#[test]
fn a_screen_needs_a_terminal() {
    let no_terminal = "error: --watch needs a terminal that can be redrawn, and standard output is none\n";
    let args = ["next", "@daily @win(after,1h)", "--name", "a", "--watch"];
    assert!(refused(&args).starts_with(no_terminal));
    let ran = kron_on_terminal(&args, &[("TERM", "dumb")], 80);
    assert!(ran.code == 2 && ran.err.starts_with(no_terminal), "{}", ran.err);
    let ran = kron_in(&[], &["next", "-w", "-"], b"@daily name=a");
    assert_eq!(ran.code, 2);
    let ran = kron_on_terminal(&["next", "-w", "-"], &[], 80);
    assert_eq!(ran.err, "error: --watch cannot follow standard input\n = help: name the files\n");
    for other in [["--at", MARCH], ["--from", MARCH], ["--day", "today"], ["--for", "2h"]] {
        let err = refused(&[&args[..], &other].concat());
        assert!(err.starts_with("error: --watch shows the starts from now on, and no other list\n"), "{err}");
    }
    for other in ["--nominal", "--primers"] {
        assert!(refused(&[&args[..], &[other]].concat()).contains("no other list"));
    }
    for other in [["-o", "json"], ["--save", "list"]] {
        let err = refused(&[&args[..], &other].concat());
        assert!(err.contains("cannot be used with"), "{err}");
    }
    // Errors of the jobs end it before the screen begins.
    let ran = kron_on_terminal(&["next", "-w", &file("watched-bad.kron", "@dayly name=a\n")], &[], 80);
    assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains("did you mean `@daily`?"), "{ran:?}");
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use std::fs::File;
    use std::io::Read as _;
    use std::os::fd::OwnedFd;
    use std::process::{Child, Stdio};
    use std::sync::mpsc;
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};

    use crate::support::{binary, directory};

    /// Only a program that hangs takes so long.
    const LONGEST: Duration = Duration::from_secs(600);
    const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

    /// The binary on a terminal of its own.
    struct Screen {
        terminal: OwnedFd,
        child: Child,
        shown: mpsc::Receiver<String>,
        text: String,
    }

    impl Screen {
        fn start(args: &[&str], columns: u16, rows: u16) -> Screen {
            let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
            grantpt(&terminal).expect("the terminal is ours");
            unlockpt(&terminal).expect("the terminal can be used");
            resize(&terminal, columns, rows);
            let name = ptsname(&terminal, Vec::new()).expect("the terminal has a name");
            let name = name.to_str().expect("names of terminals are ASCII");
            let side = File::options().read(true).write(true).open(name).expect("the other side");
            let mut command = binary();
            command.args(args).env("TERM", "xterm").stdin(Stdio::null()).stderr(Stdio::null());
            let child = command.stdout(Stdio::from(side)).spawn().expect("it runs");
            drop(command);
            let mut reader = File::from(terminal.try_clone().expect("a second handle"));
            let (give, shown) = mpsc::channel();
            // A read fails once the program has ended.
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = reader.read(&mut bytes) {
                    let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                    if give.send(text).is_err() {
                        return;
                    }
                }
            });
            Screen { terminal, child, shown, text: String::new() }
        }

        /// Waits until it shows a text, and forgets what was shown up to its end.
        fn until(&mut self, part: &str) -> String {
            loop {
                if let Some(at) = self.text.find(part) {
                    let rest = self.text.split_off(at + part.len());
                    return std::mem::replace(&mut self.text, rest);
                }
                match self.shown.recv_timeout(LONGEST) {
                    // The terminal adds a carriage return to each line feed.
                    Ok(text) => self.text = (self.text.clone() + &text).replace("\r\r", "\r"),
                    Err(_) => panic!("{part:?} is not in {:?}", self.text),
                }
            }
        }

        fn signal(&self, signal: Signal) {
            let pid = Pid::from_raw(self.child.id().try_into().expect("a process id")).expect("a process id");
            kill_process(pid, signal).expect("it runs");
        }

        /// Waits for its end after a signal. The terminal must be as it was.
        fn end(mut self, signal: Signal) {
            self.signal(signal);
            self.until(LEAVE);
            assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
        }
    }

    fn resize(terminal: &OwnedFd, columns: u16, rows: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(terminal, size).expect("terminals have sizes");
    }

    #[test]
    fn coming_starts_follow_files() {
        let folder = directory("watched");
        let path = format!("{folder}/jobs.kron");
        std::fs::write(&path, "@yearly @win(after,1h) name=one/job\n").expect("it can be written");
        let mut screen = Screen::start(&["next", "--watch", &folder], 80, 24);
        screen.until("\x1b[?1049h\x1b[?25l");
        screen.until("The next starts of 1 job at ");
        screen.until("one/job");
        // A file with an error leaves the list as it is.
        std::fs::write(&path, "@yearly @win(after,1x) name=one/job\n").expect("it can be written");
        screen.until("The files cannot be read; this list is from ");
        screen.until("one/job");
        std::fs::write(format!("{folder}/more.kron"), "@monthly name=two/job\n").expect("it can be written");
        std::fs::write(&path, "@yearly @win(after,2h) name=one/job\n").expect("it can be written");
        screen.until("The next starts of 2 jobs at ");
        screen.until("two/job");
        // A narrow terminal has the beginning of each line.
        resize(&screen.terminal, 20, 5);
        screen.signal(Signal::WINCH);
        screen.until("\x1b[H\x1b[1mThe next starts of 2\x1b[0m\x1b[K\r\n");
        screen.end(Signal::TERM);
    }

    #[test]
    fn a_text_is_watched_until_ctrl_c() {
        let mut screen = Screen::start(&["next", "@yearly", "--name", "a", "-w", "-c", "2"], 100, 24);
        let head = screen.until("NOMINAL");
        assert!(head.contains("\x1b[1mThe next starts of 1 job at "), "{head:?}");
        screen.until("-01-01T00:00:00Z\x1b[K\r\n");
        screen.until("-01-01T00:00:00Z\x1b[K\x1b[J");
        screen.end(Signal::INT);
    }
}
