//! What a window would make of jobs that have none.

use kron_core::{Error, Job, Window};

/// A job with this window; `None` if it has a window already.
///
/// # Errors
///
/// The same as of [`JobSpecBuilder::build`](kron_core::job::JobSpecBuilder::build), for example where a fixed start does not lie in the window.
///
/// ```
/// use kron_core::{Duration, Job, Window};
/// use kron_fleet::forecast::with_window;
/// let hour = Window::after(Duration::from_secs(3600))?;
/// let job = with_window(&Job::parse("db/backup", "@daily")?, hour)?;
/// assert_eq!(job, Some(Job::parse("db/backup", "@daily @win(after,1h)")?));
/// assert_eq!(with_window(&Job::parse("db/backup", "@daily @win(after,3h)")?, hour)?, None);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn with_window(job: &Job, window: Window) -> Result<Option<Job>, Error> {
    if !job.spec().window().duration().is_zero() {
        return Ok(None);
    }
    let spec = job.spec().to_builder().window(window).build()?;
    Job::new(job.name(), spec).map(Some)
}
