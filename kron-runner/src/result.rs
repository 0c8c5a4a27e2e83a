//! How executions end.

use std::fmt::{self, Display};

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionResult {
    /// Whether it succeeded.
    pub status: ExecutionStatus,
    /// The exit code, if a process ran and its code is known.
    pub exit_code: Option<i32>,
    /// Why it failed or why its result is unknown, in a sentence.
    pub message: Option<String>,
}

/// Declares the statuses with their words, so that each word can be read.
macro_rules! statuses {
    ($($(#[$doc:meta])+ $name:ident = $word:literal,)+) => {
        /// Whether an execution succeeded.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ExecutionStatus {
            $($(#[$doc])+ $name,)+
        }

        impl ExecutionStatus {
            /// The word for it: `succeeded`, `failed` or `unknown`.
            ///
            /// ```
            /// assert_eq!(kron_runner::ExecutionStatus::Unknown.as_str(), "unknown");
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ExecutionStatus::$name => $word,)+
                }
            }

            /// The status of that word, if it is one.
            ///
            /// ```
            /// use kron_runner::ExecutionStatus;
            /// assert_eq!(ExecutionStatus::from_word("failed"), Some(ExecutionStatus::Failed));
            /// assert_eq!(ExecutionStatus::from_word("ok"), None);
            /// ```
            pub fn from_word(word: &str) -> Option<ExecutionStatus> {
                match word {
                    $($word => Some(ExecutionStatus::$name),)+
                    _ => None,
                }
            }
        }
    };
}

statuses! {
    /// It succeeded.
    Succeeded = "succeeded",
    /// It failed.
    Failed = "failed",
    /// It ended with an unknown result, because the runner ended before it did.
    Unknown = "unknown",
}

impl Display for ExecutionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ExecutionResult {
    /// It succeeded.
    ///
    /// ```
    /// use kron_runner::{ExecutionResult, ExecutionStatus};
    /// assert_eq!(ExecutionResult::succeeded().status, ExecutionStatus::Succeeded);
    /// ```
    pub const fn succeeded() -> ExecutionResult {
        ExecutionResult { status: ExecutionStatus::Succeeded, exit_code: None, message: None }
    }

    /// It failed, for that reason.
    ///
    /// ```
    /// assert_eq!(kron_runner::ExecutionResult::failed("no disk").message.as_deref(), Some("no disk"));
    /// ```
    pub fn failed(message: impl Into<String>) -> ExecutionResult {
        let message = Some(message.into());
        ExecutionResult { status: ExecutionStatus::Failed, exit_code: None, message }
    }

    /// Its process exited with that code: 0 is success.
    ///
    /// ```
    /// use kron_runner::{ExecutionResult, ExecutionStatus};
    /// assert_eq!(ExecutionResult::exited(0).status, ExecutionStatus::Succeeded);
    /// assert_eq!(ExecutionResult::exited(3).status, ExecutionStatus::Failed);
    /// ```
    pub fn exited(code: i32) -> ExecutionResult {
        let failed = code != 0;
        ExecutionResult {
            status: if failed { ExecutionStatus::Failed } else { ExecutionStatus::Succeeded },
            exit_code: Some(code),
            message: failed.then(|| format!("exit code {code}")),
        }
    }

    /// It ended with an unknown result.
    ///
    /// ```
    /// use kron_runner::{ExecutionResult, ExecutionStatus};
    /// assert_eq!(ExecutionResult::unknown("the runner was killed").status, ExecutionStatus::Unknown);
    /// ```
    pub fn unknown(message: impl Into<String>) -> ExecutionResult {
        let message = Some(message.into());
        ExecutionResult { status: ExecutionStatus::Unknown, exit_code: None, message }
    }
}

impl From<()> for ExecutionResult {
    fn from((): ()) -> ExecutionResult {
        ExecutionResult::succeeded()
    }
}

impl<E: Display> From<Result<(), E>> for ExecutionResult {
    fn from(result: Result<(), E>) -> ExecutionResult {
        match result {
            Ok(()) => ExecutionResult::succeeded(),
            Err(error) => ExecutionResult::failed(error.to_string()),
        }
    }
}
