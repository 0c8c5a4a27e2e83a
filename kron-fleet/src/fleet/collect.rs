//! Fleets from maps, lists and job files, and their jobs by name.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Index;
use core::slice;
use core::str::FromStr;

use kron_core::text::parse_job_file;
use kron_core::{Error, Errors, Job, JobSpec};

use super::Fleet;

impl Fleet {
    /// The number of jobs.
    ///
    /// ```
    /// let fleet: kron_fleet::Fleet = "@daily name=a\n@hourly name=b".parse()?;
    /// assert_eq!(fleet.len(), 2);
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there are no jobs.
    ///
    /// ```
    /// assert!(kron_fleet::Fleet::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Reads a job file.
    ///
    /// # Errors
    ///
    /// All errors of the file, each with its line.
    ///
    /// ```
    /// let fleet = kron_fleet::Fleet::parse("@daily name=a\n@hourly name=b")?;
    /// assert_eq!(fleet.jobs()[1].name(), "b");
    /// let errors = kron_fleet::Fleet::parse("@dialy name=a").unwrap_err();
    /// assert_eq!(errors[0].line(), Some(1));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn parse(text: &str) -> Result<Fleet, Errors> {
        let lines = parse_job_file(text)?;
        // OK because the names of a job file are distinct.
        Ok(Fleet::of_distinct(lines.into_iter().map(|line| line.job).collect()))
    }

    /// The names, in order of insertion.
    ///
    /// ```
    /// let fleet = kron_fleet::Fleet::parse("@daily name=b\n@hourly name=a")?;
    /// assert!(fleet.names().eq(["b", "a"]));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.jobs.iter().map(Job::name)
    }

    /// The place of a job in [`jobs`](Fleet::jobs), by its name, after about log2 of their number comparisons.
    ///
    /// ```
    /// let fleet = kron_fleet::Fleet::parse("@daily name=b\n@hourly name=a")?;
    /// assert_eq!((fleet.index_of("a"), fleet.index_of("c")), (Some(1), None));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    #[doc(alias = "position")]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.place_of(name).ok().map(|place| self.by_name[place])
    }

    /// The place in `by_name` of a name, or the place that it would have.
    fn place_of(&self, name: &str) -> Result<usize, usize> {
        self.by_name.binary_search_by(|index| self.jobs[*index].name().cmp(name))
    }

    /// The job of a name.
    ///
    /// ```
    /// let fleet: kron_fleet::Fleet = "@daily name=db/backup".parse()?;
    /// assert!(fleet.get("db/backup").is_some() && fleet.get("db/restore").is_none());
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    #[doc(alias = "find")]
    pub fn get(&self, name: &str) -> Option<&Job> {
        self.index_of(name).map(|index| &self.jobs[index])
    }

    /// Whether there is a job of that name.
    ///
    /// ```
    /// let fleet: kron_fleet::Fleet = "@daily name=db/backup".parse()?;
    /// assert!(fleet.contains("db/backup"));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    #[doc(alias = "contains_key")]
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The jobs in order of insertion.
    ///
    /// ```
    /// let fleet: kron_fleet::Fleet = "@daily name=b\n@hourly name=a".parse()?;
    /// assert!(fleet.iter().map(|job| job.name()).eq(["b", "a"]));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn iter(&self) -> slice::Iter<'_, Job> {
        self.jobs.iter()
    }

    /// The same fleet with another job at its end.
    ///
    /// # Errors
    ///
    /// [`FileRepeatedName`](kron_core::ErrorCode::FileRepeatedName) if there is a job of that name.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::default().with_job(Job::parse("db/backup", "@daily")?)?;
    /// assert!(fleet.with_job(Job::parse("db/backup", "@hourly")?).is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[doc(alias = "add")]
    #[doc(alias = "insert")]
    #[doc(alias = "push")]
    pub fn with_job(mut self, job: Job) -> Result<Fleet, Error> {
        let Err(place) = self.place_of(job.name()) else { return Err(Error::repeated_name(job.name())) };
        self.by_name.insert(place, self.jobs.len());
        self.jobs.push(job);
        Ok(self)
    }

    /// The same fleet without the job of a name, if there is one.
    ///
    /// ```
    /// let fleet: kron_fleet::Fleet = "@daily name=a\n@hourly name=b".parse()?;
    /// assert!(fleet.without("a").iter().map(|job| job.name()).eq(["b"]));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    #[must_use]
    #[doc(alias = "remove")]
    pub fn without(mut self, name: &str) -> Fleet {
        if let Some(removed) = self.index_of(name) {
            self.jobs.remove(removed);
            self.by_name.retain(|index| *index != removed);
            self.by_name.iter_mut().filter(|index| **index > removed).for_each(|index| *index -= 1);
        }
        self
    }

    /// A fleet from pairs of a name and a job text or a spec, in their order.
    fn of_pairs<N, T>(pairs: impl IntoIterator<Item = (N, T)>) -> Result<Fleet, Error>
    where
        N: AsRef<str>,
        T: TryInto<JobSpec>,
        Error: From<T::Error>,
    {
        let jobs = pairs.into_iter().map(|(name, text)| {
            let spec: Result<JobSpec, Error> = text.try_into().map_err(Error::from);
            let job = spec.and_then(|spec| Job::new(name.as_ref(), spec));
            job.map_err(|error| error.within(name.as_ref()))
        });
        Fleet::new(jobs.collect::<Result<Vec<Job>, Error>>()?)
    }
}

/// The job of a name.
///
/// # Panics
///
/// If there is none; [`get`](Fleet::get) does not panic.
impl Index<&str> for Fleet {
    type Output = Job;

    fn index(&self, name: &str) -> &Job {
        match self.get(name) {
            Some(job) => job,
            None => panic!("the fleet has no job `{name}`"),
        }
    }
}

impl<'a> IntoIterator for &'a Fleet {
    type Item = &'a Job;
    type IntoIter = slice::Iter<'a, Job>;

    fn into_iter(self) -> slice::Iter<'a, Job> {
        self.jobs.iter()
    }
}

impl IntoIterator for Fleet {
    type Item = Job;
    type IntoIter = alloc::vec::IntoIter<Job>;

    fn into_iter(self) -> alloc::vec::IntoIter<Job> {
        self.jobs.into_iter()
    }
}

/// Reads a job file, as [`Fleet::parse`].
impl FromStr for Fleet {
    type Err = Errors;

    fn from_str(text: &str) -> Result<Fleet, Errors> {
        Fleet::parse(text)
    }
}

/// Jobs with distinct names.
impl TryFrom<Vec<Job>> for Fleet {
    type Error = Error;

    fn try_from(jobs: Vec<Job>) -> Result<Fleet, Error> {
        Fleet::new(jobs)
    }
}

/// Pairs of a name and a job text or a spec. An error names the job that it is about.
///
/// ```
/// use kron_fleet::Fleet;
/// let fleet = Fleet::try_from([("web/ping", "@hourly"), ("db/backup", "@daily @win(after,1h)")])?;
/// assert_eq!(fleet.len(), 2);
/// let error = Fleet::try_from([("web/ping", "61 * * * *")]).unwrap_err();
/// assert_eq!(error.field(), "web/ping.schedule.minute");
/// # Ok::<(), kron_core::Error>(())
/// ```
impl<N: AsRef<str>, T, const K: usize> TryFrom<[(N, T); K]> for Fleet
where
    T: TryInto<JobSpec>,
    Error: From<T::Error>,
{
    type Error = Error;

    fn try_from(pairs: [(N, T); K]) -> Result<Fleet, Error> {
        Fleet::of_pairs(pairs)
    }
}

/// Names and job texts or specs, in order of the names.
impl<N: AsRef<str>, T> TryFrom<BTreeMap<N, T>> for Fleet
where
    T: TryInto<JobSpec>,
    Error: From<T::Error>,
{
    type Error = Error;

    fn try_from(pairs: BTreeMap<N, T>) -> Result<Fleet, Error> {
        Fleet::of_pairs(pairs)
    }
}

/// Names and job texts or specs, in order of the names.
#[cfg(feature = "std")]
#[expect(clippy::disallowed_types, reason = "the pairs are sorted")]
impl<N: AsRef<str> + Ord, T, H> TryFrom<std::collections::HashMap<N, T, H>> for Fleet
where
    T: TryInto<JobSpec>,
    Error: From<T::Error>,
{
    type Error = Error;

    fn try_from(pairs: std::collections::HashMap<N, T, H>) -> Result<Fleet, Error> {
        let sorted: BTreeMap<N, T> = pairs.into_iter().collect();
        Fleet::of_pairs(sorted)
    }
}
