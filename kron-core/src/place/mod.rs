//! Places for the schedules of other systems: one plain cron expression near a declared one, the same on every machine.
//!
//! A [`Declaration`] says what is wanted; a [`Placed`] schedule is what the other system runs. [`adopt`] writes the declaration of a schedule
//! that has none. The shifts that are possible are found in `candidates.rs`, expressions are written in `expression.rs`.
//!
//! The rule is `place/1`: of `n` candidates, the one of index `floor(Q(u) * n)` is taken, where `Q` is the quantile function of the
//! distribution over the window and `u` the first uniform number of the job's stream with the period key `fixed`. So a place depends on
//! name, text and salt alone, not on the day, on other jobs or on the zone's database.
//!
//! ```
//! use kron_core::Parser;
//! let declaration = Parser::new().declaration("0 0 * * * @win(after,2h) name=ops/backup", None)?;
//! let placed = declaration.placed()?;
//! assert_eq!(placed.expression(), "51 0 * * *");
//! assert_eq!((placed.shift_minutes(), placed.candidates()), (51, 121));
//! # Ok::<(), kron_core::Error>(())
//! ```

mod adopt;
mod candidates;
mod clocks;
mod declaration;
mod expression;

pub use self::adopt::{NotAdopted, WantedWindow, adopt};
pub use self::candidates::Candidates;
pub use self::clocks::ClockChange;
pub use self::declaration::Declaration;
pub use crate::error::Taken;

use alloc::string::{String, ToString};

use crate::decision::pick;
use crate::draw::seed::{PeriodKey, SeedInput};
use crate::draw::stream::Stream;
use crate::error::Error;
use crate::job::Job;

/// A schedule that has its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    expression: String,
    shift: i16,
    candidates: usize,
}

impl Placed {
    /// The five fields, as every cron reads them.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// How many minutes after the declared times the placed ones are; negative if they are before.
    ///
    /// ```
    /// let placed = kron_core::Job::parse("ops/backup", "30 9 * * * @win(before,9h)")?.placed()?;
    /// assert_eq!(placed.shift_minutes(), -312);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn shift_minutes(&self) -> i64 {
        self.shift as i64
    }

    /// Among how many shifts this one was chosen.
    pub const fn candidates(&self) -> usize {
        self.candidates
    }
}

impl Job {
    /// One plain expression for a system that knows no windows: the schedule of this job, moved to its place in the window. The job's
    /// schedule counts in its canonical form; a [`Declaration`] keeps it as it is written.
    ///
    /// # Errors
    ///
    /// [`PlaceRefused`](crate::ErrorCode::PlaceRefused) for a seed strategy other than `stable`, the default, and `fixed`, which are the
    /// same here, for the algorithm `sha256-splitmix64/1`, for calendars and for rules of days;
    /// [`PlaceNowhere`](crate::ErrorCode::PlaceNowhere) if the constraints leave no minute of the window.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Job};
    /// let placed = Job::parse("ops/backup", "0 0 * * * @win(after,2h)")?.placed()?;
    /// assert_eq!(placed.expression(), "51 0 * * *");
    /// let error = Job::parse("ops/backup", "@daily @days(last=1)")?.placed().unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::PlaceRefused);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    // Compiled where it is called, here and below: one more call of the quantile functions in this crate costs each draw.
    #[inline]
    pub fn placed(&self) -> Result<Placed, Error> {
        let expression = self.spec().schedule().to_string();
        Candidates::new(self.spec(), &expression)?.place(self)
    }
}

impl Candidates {
    /// The candidate that a job takes, by its name, its distribution, its window and its salt.
    ///
    /// # Errors
    ///
    /// [`PlaceNowhere`](crate::ErrorCode::PlaceNowhere) if there is none.
    ///
    /// ```
    /// use kron_core::{Parser, Seed, SeedStrategy};
    /// let declaration = Parser::new().declaration("0 0 * * * @win(after,2h) name=ops/backup", None)?;
    /// let candidates = declaration.candidates()?;
    /// let other_salt = declaration.job().spec().to_builder().seed(Seed::new(SeedStrategy::Fixed, "3")?).build()?;
    /// let job = kron_core::Job::new("ops/backup", other_salt)?;
    /// assert_eq!(candidates.place(&job)?.expression(), "50 0 * * *");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn place(&self, job: &Job) -> Result<Placed, Error> {
        let Some(index) = self.index_with_salt(job, job.spec().seed().salt()) else {
            return Err(self.nowhere());
        };
        let shift = self.shifts()[index];
        Ok(Placed { expression: self.expression(shift.into()), shift, candidates: self.shifts().len() })
    }

    /// Which of [`shifts`](Candidates::shifts) a job would take with a salt, from 0. `None` if there is no candidate.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("0 0 * * * @win(after,2h) name=ops/backup", None)?;
    /// let candidates = declaration.candidates()?;
    /// assert_eq!(candidates.index_with_salt(declaration.job(), ""), Some(51));
    /// assert_eq!(candidates.index_with_salt(declaration.job(), "3"), Some(50));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn index_with_salt(&self, job: &Job, salt: &str) -> Option<usize> {
        if self.shifts().is_empty() {
            return None;
        }
        let seed = SeedInput { name: job.name(), key: PeriodKey::Fixed, salt };
        let algorithm = job.spec().algorithm();
        let u = Stream::new(algorithm, &seed.hash(algorithm)).uniform();
        // OK because there are fewer than 2,880 shifts, and `pick` stays below their number.
        Some(pick(job.position(u), self.shifts().len() as u64) as usize)
    }
}
