//! One command as a process: start, output, end, and stop of its whole process group.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use kron_runner::{OutputPipes, ProcessId};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, pidfd_open,
    test_kill_process_group, waitid,
};
use tokio::io::{Interest, unix::AsyncFd};
use tokio::net::unix::pipe;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::children::Children;
use super::fields::CommandFields;
use super::leftovers::Leftovers;
use super::log::Log;
use super::log_line::{Event, Source, Stream};
use super::output::{copy, identity, is_shortage, output_pipe};
use super::shell::Shell;
use super::{proc_fs, service_manager};

/// The time between two checks whether a stopped process group has ended.
const GROUP_CHECK: Duration = Duration::from_millis(50);
/// For how long the output of an ended command is waited for. What comes later, from processes that it left behind, is
/// printed as well.
const OUTPUT_WAIT: Duration = Duration::from_millis(500);

/// For how long a start waits for a file to watch its process with, and the time between two attempts.
const WATCH_WAIT: Duration = Duration::from_secs(5);
const WATCH_AGAIN: Duration = Duration::from_millis(5);

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Unknown, because an earlier runner started it.
    Unknown,
}

/// What became of a start.
#[derive(Debug)]
pub(crate) enum Started {
    /// The command runs.
    Running(Box<Process>),
    /// The command ran for a moment and was killed, because it could not be watched for this reason. It must not run again.
    Killed(io::Error),
}

/// A command that was started. Its process group has its process id.
#[derive(Debug)]
pub(crate) struct Process {
    id: ProcessId,
    pid: Pid,
    pidfd: AsyncFd<OwnedFd>,
    end: Option<End>,
    children: Children,
    /// Whether this runner started it, and not an earlier one.
    own: bool,
    job: String,
    output: Vec<JoinHandle<()>>,
    leftovers: Leftovers,
}

/// From now on nobody waits for its output, which is still read.
impl Drop for Process {
    fn drop(&mut self) {
        self.leftovers.add(&self.job, std::mem::take(&mut self.output));
    }
}

impl Process {
    /// Starts the command line of a job by a shell, in a process group of its own and with these variables. Its output goes
    /// to the log.
    ///
    /// # Errors
    ///
    /// If the shell or the directory does not exist, or the system has no more processes or files. Nothing ran then.
    pub(crate) fn start(
        shell: &Shell,
        fields: &CommandFields,
        variables: &[(&str, String)],
        source: &Source,
        children: &Children,
        leftovers: &Leftovers,
        log: &Log,
    ) -> io::Result<Started> {
        // Its file system may not answer. A process that waited for it would not have begun, would keep the lock of the state file
        // after a crash, and could begin at any time later: so this thread waits.
        if let Some(directory) = &fields.cwd {
            std::fs::metadata(directory).map_err(|error| shell.start_error(error, fields))?;
        }
        // What can fail is done before the start as far as possible: a start that failed is made again, so nothing may have run.
        let boot_id = proc_fs::boot_id()?;
        let (out, child_out) = output_pipe()?;
        let (err, child_err) = output_pipe()?;
        let (stdout, stderr) = (identity(&out)?, identity(&err)?);
        let pipes = OutputPipes { device: stdout.0, stdout: stdout.1, stderr: stderr.1 };
        let (out, err) = (pipe::Receiver::from_owned_fd(out)?, pipe::Receiver::from_owned_fd(err)?);
        let mut command = Command::new(&shell.program);
        command.arg("-c").arg(&fields.command);
        for variable in service_manager::VARIABLES {
            command.env_remove(variable);
        }
        command.envs(fields.env.iter().map(|(name, value)| (name, value)));
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &fields.cwd {
            command.current_dir(directory);
        }
        command.stdin(Stdio::null()).stdout(child_out).stderr(child_err).process_group(0);
        // The pipes of the command are closed here by its end.
        let child = children.spawn(command, &source.job).map_err(|error| shell.start_error(error, fields))?;
        let pid = Pid::from_child(&child);
        let (pidfd, start_time) = match watch(pid) {
            Ok(watched) => watched,
            Err(error) => {
                let _ = kill_process_group(pid, Signal::KILL);
                let mut child = child;
                let _ = children.forget(pid, || child.wait());
                return Ok(Started::Killed(error));
            }
        };
        let raw = pid.as_raw_nonzero().get().unsigned_abs();
        // Before anything that the command prints.
        let text = match &source.period {
            Some(period) => format!("started for {period}, process {raw}"),
            None => format!("started on request, process {raw}"),
        };
        log.event(source, Event::Started { pid: raw }, text);
        let out = copy(out, Stream::Stdout, source.clone(), log.clone());
        let err = copy(err, Stream::Stderr, source.clone(), log.clone());
        let output = vec![tokio::spawn(async { _ = tokio::join!(out, err) })];
        let id = ProcessId { pid: raw, start_time, boot_id, output: Some(pipes) };
        let (children, leftovers, job) = (children.clone(), leftovers.clone(), source.job.clone());
        let process = Process { id, pid, pidfd, end: None, children, own: true, job, output, leftovers };
        Ok(Started::Running(Box::new(process)))
    }

    /// The process of an earlier runner, if it is still active. What it prints from now on goes to the log.
    pub(crate) fn adopt(
        id: &ProcessId,
        source: &Source,
        children: &Children,
        leftovers: &Leftovers,
        log: &Log,
    ) -> Option<Process> {
        if proc_fs::boot_id().ok()? != id.boot_id {
            return None;
        }
        let pid = Pid::from_raw(i32::try_from(id.pid).ok()?)?;
        let pidfd = pidfd_open(pid, PidfdFlags::NONBLOCK).ok()?;
        // The number may belong to another process by now; from here on the handle refers to this process alone.
        if proc_fs::start_time(id.pid).ok()? != id.start_time || proc_fs::is_zombie(id.pid) {
            return None;
        }
        let pidfd = watched(pidfd).ok()?;
        let pipes = id.output.map(|OutputPipes { device, stdout, stderr }| {
            [(1, Stream::Stdout, (device, stdout)), (2, Stream::Stderr, (device, stderr))]
        });
        let output = pipes.into_iter().flatten().filter_map(|(number, stream, known)| {
            // The pipe that its first runner read from. If the command has redirected its output, this is another file, which
            // belongs to other readers: it is not even opened.
            let path = format!("/proc/{}/fd/{number}", id.pid);
            // Its file system may not answer: only the name of the link is asked for before it is known to be a pipe.
            let name = std::fs::read_link(&path).ok()?;
            if name.to_str() != Some(&format!("pipe:[{}]", known.1)) {
                return None;
            }
            let metadata = std::fs::metadata(&path).ok()?;
            if (metadata.dev(), metadata.ino()) != known {
                return None;
            }
            let pipe = pipe::OpenOptions::new().open_receiver(path).ok()?;
            // It can have changed in between.
            let is_same = identity(&pipe).is_ok_and(|found| found == known);
            is_same.then(|| tokio::spawn(copy(pipe, stream, source.clone(), log.clone())))
        });
        let (output, id, job) = (output.collect(), id.clone(), source.job.clone());
        children.adopt(pid, &job);
        let (children, leftovers) = (children.clone(), leftovers.clone());
        Some(Process { id, pid, pidfd, end: None, children, own: false, job, output, leftovers })
    }

    /// What identifies it.
    pub(crate) fn id(&self) -> &ProcessId {
        &self.id
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    ///
    /// If the system cannot say how it ended.
    pub(crate) async fn ended(&mut self) -> io::Result<End> {
        if let Some(end) = self.end {
            return Ok(end);
        }
        drop(self.pidfd.readable().await?);
        let end = match self.own {
            false => self.children.forget(self.pid, || End::Unknown),
            true => {
                let fetch = || waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED);
                let status = self.children.forget(self.pid, fetch)?;
                let code = status.as_ref().and_then(WaitIdStatus::exit_status);
                let signal = status.as_ref().and_then(WaitIdStatus::terminating_signal);
                code.map(End::Exited).or(signal.map(End::Signalled)).unwrap_or(End::Unknown)
            }
        };
        self.end = Some(end);
        let all = async {
            for copying in &mut self.output {
                let _ = copying.await;
            }
        };
        // Processes that it left behind may keep the pipes open for ever.
        let _ = timeout(OUTPUT_WAIT, all).await;
        Ok(end)
    }

    /// Asks all processes of its group to end, and kills those that are left when `force` ends. Returns how it ended.
    ///
    /// # Errors
    ///
    /// If the system cannot say how it ended.
    pub(crate) async fn stop(&mut self, force: impl Future<Output = ()>) -> io::Result<End> {
        let _ = kill_process_group(self.pid, Signal::TERM);
        // A process that is halted hears the signal once it goes on.
        let _ = kill_process_group(self.pid, Signal::CONT);
        let group = async {
            let end = self.ended().await;
            // The number stays taken while a process of the group is left, so the signals reach no other group.
            while self.has_group() {
                sleep(GROUP_CHECK).await;
            }
            end
        };
        tokio::select! {
            end = group => end,
            () = force => {
                let _ = kill_process_group(self.pid, Signal::KILL);
                self.ended().await
            }
        }
    }

    /// Whether a process of the group is left that has not ended.
    fn has_group(&self) -> bool {
        let has_ended = || proc_fs::is_group_ended(self.pid.as_raw_nonzero().get());
        let is_gone = matches!(test_kill_process_group(self.pid), Err(Errno::SRCH));
        // A process that starts another one and ends can hide it from one look, but hardly from two.
        let is_over = is_gone || (has_ended() && has_ended());
        !is_over
    }
}

/// What is needed to watch a process that was just started, and when it was started.
///
/// The start has given back more files than this needs. Another thread may have taken them for its own start, which then fails and
/// gives them back in its turn.
fn watch(pid: Pid) -> io::Result<(AsyncFd<OwnedFd>, u64)> {
    let raw = pid.as_raw_nonzero().get().unsigned_abs();
    let begun = Instant::now();
    loop {
        let pidfd = pidfd_open(pid, PidfdFlags::NONBLOCK).map_err(io::Error::from).and_then(watched);
        match pidfd.and_then(|pidfd| Ok((pidfd, proc_fs::start_time(raw)?))) {
            Err(error) if is_shortage(&error) && begun.elapsed() < WATCH_WAIT => {
                std::thread::sleep(WATCH_AGAIN)
            }
            watched => return watched,
        }
    }
}

/// A process whose end can be awaited.
#[expect(
    deprecated,
    reason = "the other constructor is unsafe; an owned descriptor is open as long as it is owned"
)]
fn watched(pidfd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(pidfd, Interest::READABLE)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::run::log::LogWriter;
    use crate::run::log_line::LogForm;

    /// What a command printed.
    #[derive(Clone, Default)]
    struct Printed(Arc<Mutex<Vec<u8>>>);

    impl Write for Printed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Printed {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }

        /// Waits until the text has a part.
        async fn until(&self, part: &str) {
            while !self.text().contains(part) {
                sleep(Duration::from_millis(5)).await;
            }
        }
    }

    struct Test {
        log: Log,
        leftovers: Leftovers,
        children: Children,
        writer: LogWriter,
        printed: Printed,
    }

    impl Test {
        fn new() -> Test {
            let printed = Printed::default();
            let (log, writer) = Log::new(LogForm::Text, printed.clone(), printed.clone());
            let leftovers = Leftovers::with_most(2, log.clone());
            Test { log, leftovers, children: Children::default(), writer, printed }
        }

        fn start(&self, command: &str) -> Process {
            self.try_start(command, None).unwrap()
        }

        fn try_start(&self, command: &str, cwd: Option<&str>) -> io::Result<Process> {
            let shell = Shell { program: PathBuf::from("/bin/sh") };
            let fields = CommandFields {
                command: command.to_string(),
                cwd: cwd.map(PathBuf::from),
                env: vec![("GREETING".to_string(), "good day".to_string())],
                timeout: None,
            };
            let variables = [("KRON_JOB", "a".to_string())];
            let (children, leftovers) = (&self.children, &self.leftovers);
            match Process::start(&shell, &fields, &variables, &source(), children, leftovers, &self.log)? {
                Started::Running(process) => Ok(*process),
                Started::Killed(error) => Err(error),
            }
        }

        fn adopt(&self, id: &ProcessId) -> Option<Process> {
            Process::adopt(id, &source(), &self.children, &self.leftovers, &self.log)
        }

        async fn end(self) -> String {
            drop((self.log, self.leftovers));
            self.writer.finish(std::future::pending()).await;
            self.printed.text()
        }
    }

    fn source() -> Source {
        Source { job: "a".to_string(), period: None }
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[tokio::test(flavor = "multi_thread")]
    async fn ends_and_output() {
        let test = Test::new();
        for (command, cwd, end) in [
            ("echo \"$GREETING, $KRON_JOB\"; printf 'no line feed' >&2; exit 3", None, End::Exited(3)),
            ("pwd; kill -9 $$", None, End::Signalled(9)),
            ("pwd", Some("/"), End::Exited(0)),
        ] {
            assert_eq!(test.try_start(command, cwd).unwrap().ended().await.unwrap(), end);
        }
        assert_eq!(test.children.left(), Some(Vec::new()));
        let printed = test.end().await;
        assert!(printed.contains("a | good day, a\n") && printed.contains("a | no line feed\n"), "{printed}");
        assert!(printed.ends_with("a | /\n"), "{printed}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn starts_that_fail_name_the_reason() {
        let test = Test::new();
        let error = test.try_start("true", Some("/no/such/directory")).unwrap_err();
        assert_eq!(error.to_string(), "the directory of `cwd`, /no/such/directory, does not exist");
        let shell = Shell { program: PathBuf::from("/no/such/shell") };
        let fields = CommandFields { command: "true".to_string(), cwd: None, env: Vec::new(), timeout: None };
        let (children, leftovers) = (&test.children, &test.leftovers);
        let error = Process::start(&shell, &fields, &[], &source(), children, leftovers, &test.log);
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("the shell /no/such/shell cannot be started: "), "{error}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_stop_reaches_the_whole_tree() {
        let test = Test::new();
        let mut process = test.start("sleep 3600 & echo child $!; wait");
        test.printed.until("child ").await;
        let pid: u32 = test.printed.text().trim().rsplit(' ').next().unwrap().parse().unwrap();
        assert!(proc_fs::is_active(pid));
        // Far from the grace: all of them end by TERM.
        assert_eq!(process.stop(sleep(LONG)).await.unwrap(), End::Signalled(15));
        assert!(!proc_fs::is_active(pid) && !process.has_group());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_zombie_does_not_keep_a_stopped_group() {
        let test = Test::new();
        // The parent of a process of the group leaves the group, and never fetches its exit code.
        let script = "(sleep 3600 & echo child $!; exec setsid sleep 3600) & sleep 0.2; exec sleep 3600";
        let mut process = test.start(script);
        test.printed.until("child ").await;
        let pid: u32 = test.printed.text().trim().rsplit(' ').next().unwrap().parse().unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let parent = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1).unwrap().to_string();
        // Not before `setsid`, which a signal to the group would end.
        let session = || {
            let stat = std::fs::read_to_string(format!("/proc/{parent}/stat")).unwrap();
            stat.rsplit_once(')').unwrap().1.split_whitespace().nth(3).unwrap() == parent
        };
        while !session() {
            sleep(Duration::from_millis(5)).await;
        }
        let parent = Pid::from_raw(parent.parse().unwrap()).unwrap();
        let stopped = timeout(Duration::from_secs(60), process.stop(sleep(LONG))).await;
        let was_zombie = proc_fs::is_zombie(pid);
        rustix::process::kill_process(parent, Signal::KILL).unwrap();
        assert_eq!(stopped.unwrap().unwrap(), End::Signalled(15));
        assert!(was_zombie);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_does_not_end_in_the_grace_is_killed() {
        let test = Test::new();
        let mut process = test.start("trap '' TERM; echo ready; while :; do sleep 3600; done");
        test.printed.until("ready").await;
        assert_eq!(process.stop(sleep(Duration::from_millis(100))).await.unwrap(), End::Signalled(9));
        // The command itself ends in time, and leaves a process that does not.
        let mut process = test.start("(trap '' TERM; echo second; while :; do sleep 3600; done) & wait");
        test.printed.until("second").await;
        assert_eq!(process.stop(sleep(Duration::from_millis(300))).await.unwrap(), End::Signalled(15));
        while process.has_group() {
            sleep(Duration::from_millis(5)).await;
        }
        // One that is halted.
        let mut process = test.start("echo third; kill -STOP $$; sleep 3600");
        test.printed.until("third").await;
        assert_eq!(process.stop(sleep(LONG)).await.unwrap(), End::Signalled(15));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_process_of_an_earlier_runner() {
        let test = Test::new();
        // A process that its runner does not read from any more.
        let (read, write) = output_pipe().unwrap();
        let pipe = identity(&read).unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "read line < \"$0\"; echo more; exit 7"]);
        let fifo = std::env::temp_dir().join(format!("kron-adopt-{}", std::process::id()));
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        command.arg(&fifo).stdin(Stdio::null()).stdout(write).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn().unwrap();
        drop((command, read));
        let pid = child.id();
        let id = ProcessId {
            pid,
            start_time: proc_fs::start_time(pid).unwrap(),
            boot_id: proc_fs::boot_id().unwrap(),
            output: Some(OutputPipes { device: pipe.0, stdout: pipe.1, stderr: 0 }),
        };
        for other in [
            ProcessId { start_time: id.start_time + 1, ..id.clone() },
            ProcessId { boot_id: "another".to_string(), ..id.clone() },
            ProcessId { pid: u32::MAX, ..id.clone() },
            ProcessId { pid: 0, ..id.clone() },
        ] {
            assert!(test.adopt(&other).is_none(), "{other:?}");
        }
        let mut process = test.adopt(&id).unwrap();
        std::fs::write(&fifo, "go\n").unwrap();
        assert_eq!(process.ended().await.unwrap(), End::Unknown);
        std::fs::remove_file(&fifo).unwrap();
        // It was not killed for writing to a pipe that its runner had left.
        assert_eq!(child.wait().unwrap().code(), Some(7));
        assert!(test.adopt(&id).is_none());
        drop(process);
        assert_eq!(test.end().await, "a | more\n");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_pipe_that_the_command_has_opened_is_left_to_its_readers() {
        let directory = std::env::temp_dir().join(format!("kron-fifo-{}", std::process::id()));
        std::fs::create_dir(&directory).unwrap();
        let (fifo, go) = (directory.join("fifo"), directory.join("go"));
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        // The reader that the lines are for.
        let mut reader = OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
        let test = Test::new();
        let wait = format!("while [ ! -e '{}' ]; do sleep 0.01; done", go.display());
        let command = format!("exec >'{}'; {wait}; printf '%1000s\\n' x; sleep 3600", fifo.display());
        let first = test.start(&command);
        let id = first.id().clone();
        while std::fs::read_link(format!("/proc/{}/fd/1", id.pid)).unwrap() != fifo {
            sleep(Duration::from_millis(5)).await;
        }
        let mut adopted = test.adopt(&id).unwrap();
        assert_eq!(adopted.output.len(), 1, "standard error is still the runner's");
        File::create(&go).unwrap();
        let read = move || std::io::Read::read_exact(&mut reader, &mut [0; 1001]);
        tokio::task::spawn_blocking(read).await.unwrap().unwrap();
        adopted.stop(sleep(LONG)).await.unwrap();
        drop((first, adopted));
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(!test.end().await.contains('x'));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn only_so_many_leftovers_are_read() {
        let test = Test::new();
        // Each prints once its line of the file has come, long after the command has ended.
        let fifos: Vec<PathBuf> = (0..3)
            .map(|number| std::env::temp_dir().join(format!("kron-left-{}-{number}", std::process::id())))
            .collect();
        for (number, fifo) in fifos.iter().enumerate() {
            assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
            let command = format!("(read line < {}; echo later {number}; echo end) &", fifo.display());
            assert_eq!(test.start(&command).ended().await.unwrap(), End::Exited(0));
        }
        test.printed.until("pipe is full").await;
        let warning = "kron run: warning: a: what an ended command left in the background is not read any more, because that of 2 \
                       later ones is; it waits once its pipe is full\n";
        let printed = test.printed.text();
        let after_the_starts: Vec<&str> =
            printed.split_inclusive('\n').filter(|line| !line.contains(": started ")).collect();
        assert_eq!(after_the_starts, [warning]);
        for fifo in &fifos {
            std::fs::write(fifo, "go\n").unwrap();
            std::fs::remove_file(fifo).unwrap();
        }
        let printed = test.end().await;
        assert!(!printed.contains("later 0"), "{printed}");
        for line in ["a | later 1\n", "a | later 2\n"] {
            assert!(printed.contains(line), "{printed}");
        }
    }
}
