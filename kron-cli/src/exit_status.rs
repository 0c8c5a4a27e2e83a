//! How a run ends.

/// How a run of `kron` ends: the exit code of the process. These codes are stable.
///
/// ```
/// use kron_cli::ExitStatus;
/// assert_eq!([ExitStatus::Success, ExitStatus::Failure, ExitStatus::Error].map(u8::from), [0, 1, 2]);
/// assert_eq!(u8::from(ExitStatus::Missed), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExitStatus {
    /// 0: the command did what was asked, and there is nothing to report.
    Success = 0,
    /// 1: the command ran, and the answer is negative: `lint` has warnings, `diff` found a difference, what was asked for does
    /// not exist. The help of each command says what it means there.
    Failure = 1,
    /// 2: the arguments or the input cannot be read, or the output cannot be written.
    Error = 2,
    /// 3: `wait` found no open window.
    NoWindow = 3,
    /// 4: `wait` found, before or after it slept, that the chosen time and the deadline have passed.
    Missed = 4,
    /// 5: `wait` found that the period has no start.
    Unschedulable = 5,
    /// 6: `wait` found that the job is suspended.
    Suspended = 6,
    /// 7: `wait` found that the schedule names this minute, and that its rules of days do not choose the day.
    DayOff = 7,
}

impl From<ExitStatus> for u8 {
    fn from(status: ExitStatus) -> u8 {
        status as u8
    }
}

impl From<ExitStatus> for std::process::ExitCode {
    fn from(status: ExitStatus) -> std::process::ExitCode {
        std::process::ExitCode::from(u8::from(status))
    }
}
