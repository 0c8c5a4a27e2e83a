//! Windows: the closed interval around a nominal time in which the start may be chosen.

use core::fmt;

use crate::draw::algorithm::Algorithm;
use crate::error::{Error, Snippet, ValueError};
use crate::limits::WINDOW_MAX_NANOS;
use crate::time::duration::Duration;
use crate::word_enum;

word_enum! {
    in "kron_core";
    /// The position of a window of duration `D` relative to the nominal time `N`.
    WindowMode, "window.mode" {
        /// `[N, N+D]`, the default.
        #[default]
        After = "after",
        /// `[N-D/2, N+D/2]`, half the duration in whole nanoseconds, rounded down.
        Around = "around",
        /// `[N-D, N]`. Not for KronJob manifests.
        Before = "before",
    }
}

/// A window: a mode and a duration of at most 8784 hours (366 days).
///
/// ```
/// use kron_core::Window;
/// use std::time::Duration;
/// let window = Window::around(Duration::from_secs(5400))?;
/// assert_eq!(window.to_string(), "around,1h30m0s"); // 45 minutes on each side
/// assert_eq!(window, "around,90m".parse()?);
/// assert_eq!(Window::default().to_string(), "after,0s");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Window {
    duration: Duration,
    mode: WindowMode,
}

/// Whole seconds from the nominal time to the first and to the last candidate of a window. Made by
/// [`JobSpec::reach`](crate::JobSpec::reach).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// At most 0.
    pub first: i64,
    /// At least 0.
    pub last: i64,
}

impl Window {
    /// The window `[N, N+D]` after a nominal time `N`. The duration is one of ours, of the standard library, of chrono, a text such
    /// as `2h`, or with the feature `jiff_1` one of jiff.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Window::new).
    ///
    /// ```
    /// let window = kron_core::Window::after(std::time::Duration::from_secs(7200))?;
    /// assert_eq!(window.to_string(), "after,2h0m0s");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn after<T>(duration: T) -> Result<Window, Error>
    where
        T: TryInto<Duration>,
        Error: From<T::Error>,
    {
        Window::new(WindowMode::After, duration)
    }

    /// The window `[N-D/2, N+D/2]` around a nominal time `N`: the duration is that of the whole window.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Window::new).
    ///
    /// ```
    /// let window = kron_core::Window::around(chrono::TimeDelta::minutes(30))?;
    /// assert_eq!(window.to_string(), "around,30m0s");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn around<T>(duration: T) -> Result<Window, Error>
    where
        T: TryInto<Duration>,
        Error: From<T::Error>,
    {
        Window::new(WindowMode::Around, duration)
    }

    /// The window `[N-D, N]` before a nominal time `N`. Not for KronJob manifests.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Window::new).
    ///
    /// ```
    /// assert_eq!(kron_core::Window::before("2h")?.to_string(), "before,2h0m0s");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn before<T>(duration: T) -> Result<Window, Error>
    where
        T: TryInto<Duration>,
        Error: From<T::Error>,
    {
        Window::new(WindowMode::Before, duration)
    }

    /// A window of this mode and duration.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for more than 8784 hours; those of the conversion into a duration.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Window, WindowMode};
    /// let window = Window::new(WindowMode::Before, "2h")?;
    /// assert_eq!(window.to_string(), "before,2h0m0s");
    /// let error = Window::new(WindowMode::After, "9000h").unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::OutOfBounds);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new<T>(mode: WindowMode, duration: T) -> Result<Window, Error>
    where
        T: TryInto<Duration>,
        Error: From<T::Error>,
    {
        let duration = duration.try_into()?;
        if duration.as_nanos() > WINDOW_MAX_NANOS {
            let text = Snippet::of(&duration.short());
            return Err(Error::of("window.duration", ValueError::WindowTooLong { text }));
        }
        Ok(Window { duration, mode })
    }

    /// A window from a mode and a duration that are already valid.
    pub(crate) const fn of_parts(mode: WindowMode, duration: Duration) -> Window {
        Window { duration, mode }
    }

    /// The mode.
    pub const fn mode(self) -> WindowMode {
        self.mode
    }

    /// The duration.
    pub const fn duration(self) -> Duration {
        self.duration
    }

    /// The candidates: the whole seconds inside the window, seen from the nominal time.
    ///
    /// `siphash-chacha8/1` takes those inside the exact bounds. `sha256-splitmix64/1` rounds both bounds down, so that
    /// `around` with an odd number of seconds starts a second early; its windows are whole seconds.
    #[inline]
    pub(crate) fn reach(self, algorithm: Algorithm) -> Reach {
        let whole = self.duration.as_secs();
        let half_nanos = self.duration.as_nanos() / 2;
        let half = half_nanos / 1_000_000_000;
        match self.mode {
            WindowMode::After => Reach { first: 0, last: whole },
            WindowMode::Before => Reach { first: -whole, last: 0 },
            WindowMode::Around if algorithm == Algorithm::Sha256SplitMix64 => {
                Reach { first: half - whole, last: half }
            }
            WindowMode::Around => Reach { first: -half, last: half },
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.mode, self.duration)
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Window({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_lie_inside() {
        let p = |mode, text: &str, algorithm| {
            let reach = Window::new(mode, Duration::parse(text).unwrap()).unwrap().reach(algorithm);
            (reach.first, reach.last)
        };
        let new = Algorithm::SipHashChaCha8;
        assert_eq!(p(WindowMode::After, "3h", new), (0, 10_800));
        assert_eq!(p(WindowMode::After, "1999ms", new), (0, 1));
        assert_eq!(p(WindowMode::Before, "1999ms", new), (-1, 0));
        assert_eq!(p(WindowMode::Around, "1h1m1s", new), (-1830, 1830));
        assert_eq!(p(WindowMode::Around, "1999ms", new), (0, 0));
        assert_eq!(p(WindowMode::Around, "2s", new), (-1, 1));
        let old = Algorithm::Sha256SplitMix64;
        assert_eq!(p(WindowMode::Around, "1h1m1s", old), (-1831, 1830));
        assert_eq!(p(WindowMode::Around, "1h", old), (-1800, 1800));
        assert_eq!(p(WindowMode::Before, "2h", old), (-7200, 0));
    }

    #[test]
    fn bounds() {
        let p = |text: &str| Window::new(WindowMode::Before, Duration::parse(text).unwrap());
        assert!(p("8784h").is_ok());
        let error = p("8784h0m0.000000001s").unwrap_err();
        let text = "window.duration: `8784h0m0.000000001s` is longer than 8784h (366 days)";
        assert_eq!(alloc::string::ToString::to_string(&error), text);
    }
}
