//! Data about processes from `/proc`.

use std::io;
use std::sync::OnceLock;

use kron_runner::ProcessId;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// When a process was started, in clock ticks since the start of the machine: field 22 of `/proc/PID/stat`.
pub(crate) fn start_time(pid: u32) -> io::Result<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    field(&stat, 22).and_then(|field| field.parse().ok()).ok_or_else(|| malformed("stat"))
}

/// Whether a process has ended and its exit code was not fetched yet.
pub(crate) fn is_zombie(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| matches!(field(&stat, 3), Some("Z" | "X")))
}

/// Whether a process group has only processes that have ended, whose parents have not fetched their exit codes yet.
pub(crate) fn is_group_ended(group: i32) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else { return false };
    let mut found = false;
    for entry in entries.flatten() {
        if !entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        // One that cannot be read has gone since.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if field(&stat, 5).and_then(|group| group.parse().ok()) == Some(group) {
            if !matches!(field(&stat, 3), Some("Z" | "X")) {
                return false;
            }
            found = true;
        }
    }
    // Processes of other users may be hidden.
    found
}

/// The identifier of this boot of the machine.
pub(crate) fn boot_id() -> io::Result<String> {
    static READ: OnceLock<String> = OnceLock::new();
    if let Some(read) = READ.get() {
        return Ok(read.clone());
    }
    let read = std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_string();
    Ok(READ.get_or_init(|| read).clone())
}

/// Whether a process is active.
pub(crate) fn is_active(pid: u32) -> bool {
    start_time(pid).is_ok() && !is_zombie(pid)
}

/// Whether a process is active, and not another one with its number.
pub(crate) fn is_process(id: &ProcessId) -> bool {
    boot_id().is_ok_and(|boot| boot == id.boot_id)
        && start_time(id.pid).is_ok_and(|start| start == id.start_time)
        && !is_zombie(id.pid)
}

/// Whether a process has ended for sure. One that cannot be read, as `/proc` may hide it, has not.
pub(crate) fn has_ended(id: &ProcessId) -> bool {
    let Some(pid) = i32::try_from(id.pid).ok().and_then(Pid::from_raw) else { return false };
    match start_time(id.pid) {
        Ok(start) => start != id.start_time || is_zombie(id.pid),
        Err(_) => test_kill_process(pid) == Err(Errno::SRCH),
    }
}

/// The children of this process that its first thread has: the orphans that it inherits as process 1, which always come to that
/// thread, and those of its own commands whose threads have ended or that this thread started. Commands of other threads are not
/// among them.
///
/// The list is complete as long as none of them is waited for meanwhile.
pub(crate) fn children() -> Vec<i32> {
    let pid = std::process::id();
    let list = std::fs::read_to_string(format!("/proc/self/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// A field of `stat` from 3 on. The name of the program, field 2, may contain blanks and brackets.
fn field(stat: &str, number: usize) -> Option<&str> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(number.checked_sub(3)?)
}

fn malformed(file: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("/proc/PID/{file} has an unknown form"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_after_an_odd_name() {
        let stat = "7 (a b) ) Z 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 0 0";
        assert_eq!((field(stat, 3), field(stat, 22), field(stat, 99)), (Some("Z"), Some("12345"), None));
        assert_eq!(field("", 3), None);
    }

    #[test]
    fn this_process() {
        let pid = std::process::id();
        assert_eq!(start_time(pid).unwrap(), start_time(pid).unwrap());
        assert!(start_time(1).unwrap() <= start_time(pid).unwrap());
        assert!(!is_zombie(pid) && start_time(u32::MAX).is_err());
        let id = |pid, start_time| ProcessId { pid, start_time, boot_id: boot_id().unwrap(), output: None };
        let start = start_time(pid).unwrap();
        assert!(!has_ended(&id(pid, start)) && has_ended(&id(pid, start + 1)));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let ended = id(child.id(), start_time(child.id()).unwrap());
        // Without its exit code being fetched, and after that.
        while !has_ended(&ended) {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(has_ended(&ended) && !has_ended(&id(u32::MAX, 0)));
        assert_eq!(boot_id().unwrap().len(), 36);
    }
}
