//! A conversion while it is made.

use kron_core::Finding;

use crate::convert::finding::ConvertFinding;
use crate::convert::job_line::{JobLine, Names, overlapping};
use crate::convert::options::Options;
use crate::convert::output::Converted;
use crate::error::convert::{job_line as messages, source};
use crate::limits::FILE_BYTES;

/// A source in a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'t> {
    /// Its place among all sources.
    pub(crate) index: usize,
    /// The name of its file.
    pub(crate) name: &'t str,
    /// Its content, without a byte order mark.
    pub(crate) text: &'t str,
}

/// What is converted so far, and how to convert the rest.
#[derive(Debug)]
pub(crate) struct Conversion<'o> {
    pub(crate) options: &'o Options,
    /// The names of the jobs that are converted.
    pub(crate) names: Names,
    pub(crate) out: Converted,
    /// How many bytes the lines of further jobs can have. Those that are refused count, too.
    room: usize,
}

impl<'o> Conversion<'o> {
    pub(crate) fn new(options: &'o Options) -> Conversion<'o> {
        Conversion { options, names: Names::default(), out: Converted::default(), room: FILE_BYTES }
    }

    /// Reports a finding about a whole source.
    pub(crate) fn report(&mut self, source: usize, finding: Finding) {
        self.out.report(ConvertFinding::new(source, finding));
    }

    /// Reports a finding about a line of a source.
    pub(crate) fn report_at(&mut self, place: (usize, usize), finding: Finding) {
        self.out.report(ConvertFinding::new(place.0, finding).at(place.1));
    }

    /// Reads one job of a source, which counts as refused once, however many reasons there are.
    pub(crate) fn one_job<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.out.refused;
        let result = read(self);
        self.out.refused = self.out.refused.min(before + 1);
        result
    }

    /// A name for a job that no job has yet.
    pub(crate) fn free_name(&mut self, word: &str) -> String {
        self.names.free(self.options, word)
    }

    /// Writes a job that comes from a line of a source, if it is valid. It is an error if the jobs are longer than a job file
    /// can be: lines of the source are repeated for each job.
    pub(crate) fn write(&mut self, job: &JobLine, place: (usize, usize)) -> Result<(), Box<ConvertFinding>> {
        let text = job.text(self.options);
        let found = |finding| ConvertFinding::new(place.0, finding).at(place.1);
        self.room = self
            .room
            .checked_sub(text.len() + 1)
            .ok_or_else(|| Box::new(found(source::jobs_too_long(FILE_BYTES))))?;
        match self.options.parser.job_file(&text) {
            Ok(lines) => {
                self.out.converted += 1;
                self.out.line(&text);
                if let Some(warning) = lines.iter().find_map(|line| overlapping(line.job.spec())) {
                    self.out.report(found(warning).of_job(Some(job.name.clone())));
                }
            }
            Err(errors) => {
                // The next job may get its name.
                self.names.release(&job.name);
                self.out.report(found(Finding::from_error(&errors[0])).of_job(job.object.clone()));
            }
        }
        Ok(())
    }

    /// Says once that a source names no time zone, if the options name none either.
    pub(crate) fn report_no_zone(&mut self, source: usize) {
        if self.options.timezone.is_none() {
            self.report(source, messages::no_time_zone());
        }
    }

    /// Says once that random times became windows.
    pub(crate) fn report_random(&mut self, source: usize, jobs: usize) {
        if jobs > 0 {
            self.report(source, messages::random_times(jobs));
        }
    }
}
