//! When a request that failed is made again.

/// How often a request has failed in a row, and the time before which it is not made again. The host chooses the times.
///
/// ```
/// use kron_host::Backoff;
/// let mut backoff = Backoff::default();
/// assert_eq!(backoff.wait(1000), None);
/// backoff.failed(3000);
/// assert_eq!((backoff.failures(), backoff.wait(1000), backoff.wait(3000)), (1, Some(3000), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Backoff {
    failures: u32,
    until: i64,
}

impl Backoff {
    /// How often the request has failed in a row.
    pub const fn failures(&self) -> u32 {
        self.failures
    }

    /// The request failed. It is not made again before that time, in milliseconds of Unix time.
    ///
    /// ```
    /// let mut backoff = kron_host::Backoff::default();
    /// backoff.failed(500);
    /// backoff.failed(700);
    /// assert_eq!((backoff.failures(), backoff.wait(600)), (2, Some(700)));
    /// ```
    pub const fn failed(&mut self, until: i64) {
        self.failures = self.failures.saturating_add(1);
        self.until = until;
    }

    /// The request waits until that time, in milliseconds of Unix time, without having failed.
    ///
    /// ```
    /// let mut backoff = kron_host::Backoff::default();
    /// backoff.postpone(500);
    /// assert_eq!((backoff.failures(), backoff.wait(400)), (0, Some(500)));
    /// ```
    pub const fn postpone(&mut self, until: i64) {
        self.until = until;
    }

    /// The time to wait for, if it is after `now`. Both in milliseconds of Unix time.
    ///
    /// ```
    /// let mut backoff = kron_host::Backoff::default();
    /// backoff.failed(500);
    /// assert_eq!((backoff.wait(499), backoff.wait(500)), (Some(500), None));
    /// ```
    pub fn wait(&self, now: i64) -> Option<i64> {
        (self.until > now).then_some(self.until)
    }

    /// The clock was set, so the time to wait for is no longer valid. The failures still count.
    ///
    /// ```
    /// let mut backoff = kron_host::Backoff::default();
    /// backoff.failed(500);
    /// backoff.clock_set();
    /// assert_eq!((backoff.failures(), backoff.wait(0)), (1, None));
    /// ```
    pub const fn clock_set(&mut self) {
        self.until = i64::MIN;
    }
}
