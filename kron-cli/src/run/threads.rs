//! Whether the system has threads for the runner.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Makes so many threads at once, which end again: tokio and the log panic if they find none for themselves.
///
/// # Errors
///
/// If the system has not so many more.
pub(crate) fn check(count: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    let wait = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    scope(|scope| {
        let made = (0..count).try_for_each(|_| Builder::new().spawn_scoped(scope, wait).map(drop));
        drop(closed);
        made
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_few_threads() {
        super::check(0).unwrap();
        super::check(3).unwrap();
    }
}
