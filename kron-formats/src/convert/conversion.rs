//! A conversion while it is made.

use std::collections::BTreeSet;

use kron_core::{Cron, ErrorCode, Finding};

use crate::convert::finding::ConvertFinding;
use crate::convert::format::Format;
use crate::convert::job_line::{JobLine, Names, overlapping};
use crate::convert::options::Options;
use crate::convert::output::Converted;
use crate::error::convert::{ConvertCode, job_line as messages, source};
use crate::limits::{FIELDS_OF_JOB, FILE_BYTES, FURTHER_FIELDS};
use crate::load::LoadedJob;
use crate::without_days::WithoutDays as _;

/// A source in a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'t> {
    /// Its place among all sources.
    pub(crate) index: usize,
    /// The path of its file, as the caller gives it.
    pub(crate) path: &'t str,
    /// The name of its file; that of its directory where files of all jobs have one name.
    pub(crate) name: &'t str,
    /// Its content, without a byte order mark.
    pub(crate) text: &'t str,
}

/// A job that a conversion has made.
#[derive(Debug)]
pub(crate) struct ConvertedJob {
    /// The job, with the line of its schedule.
    pub(crate) loaded: LoadedJob,
    pub(crate) source: usize,
    pub(crate) format: Format,
}

/// What becomes of the jobs of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A text that replaces the sources.
    Text,
    /// Questions about the sources as they are: all of them are read, and a name that is taken gets a number.
    Jobs,
}

/// What is converted so far, and how to convert the rest.
#[derive(Debug)]
pub(crate) struct Conversion<'o> {
    pub(crate) options: &'o Options,
    pub(crate) purpose: Purpose,
    /// The format of the source that is read now.
    pub(crate) format: Format,
    pub(crate) jobs: Vec<ConvertedJob>,
    /// The names of the jobs that are converted.
    pub(crate) names: Names,
    /// Names that several lines of crontabs would have.
    pub(crate) shared_names: BTreeSet<String>,
    pub(crate) out: Converted,
    /// How many jobs never start, and are comments.
    pub(crate) never: usize,
    /// What was said for all sources.
    said: Vec<Finding>,
    /// What is counted for all sources: its code, the place of its finding, and how many there are.
    totals: Vec<(ConvertCode, usize, usize)>,
    /// How many bytes the lines of further jobs can have. Those that are refused count, too.
    room: usize,
    /// How many fields jobs that are kept can have beyond the first ones of each: settings of a crontab are repeated for each job.
    fields: usize,
}

impl<'o> Conversion<'o> {
    pub(crate) fn new(options: &'o Options, purpose: Purpose) -> Conversion<'o> {
        Conversion {
            options,
            purpose,
            format: Format::CronJob,
            jobs: Vec::new(),
            names: Names::default(),
            shared_names: BTreeSet::new(),
            out: Converted::default(),
            never: 0,
            said: Vec::new(),
            totals: Vec::new(),
            room: FILE_BYTES,
            fields: FURTHER_FIELDS,
        }
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
        if self.purpose == Purpose::Jobs {
            let further = job.fields.len().saturating_sub(FIELDS_OF_JOB);
            self.fields = self
                .fields
                .checked_sub(further)
                .ok_or_else(|| Box::new(found(source::too_many_settings(FURTHER_FIELDS))))?;
        }
        match self.options.parser.job_file(&text) {
            Ok(lines) => {
                self.out.converted += 1;
                if self.purpose == Purpose::Text {
                    self.out.line(&text);
                }
                if let Some(warning) = lines.iter().find_map(|line| overlapping(line.job.spec())) {
                    self.out.report(found(warning).of_job(Some(job.name.clone())));
                }
                let line = job.schedule_line.unwrap_or(place.1);
                for read in lines {
                    self.keep(place.0, LoadedJob { line: Some(line), ..LoadedJob::of_line(read) });
                }
            }
            Err(errors) => {
                // The next job may get its name.
                self.names.release(&job.name);
                if errors[0].code() == ErrorCode::CronNeverMatches {
                    self.never += 1;
                    self.out.line(&format!("# It never starts, because no date matches: {text}"));
                    self.out.report(found(messages::never(&job.cron)).of_job(job.object.clone()));
                    return Ok(());
                }
                // Its help has no modifiers, which the other program cannot have.
                let plain = Cron::parse(&job.cron).err().filter(|error| error.code() == errors[0].code());
                let error = plain.unwrap_or_else(|| errors[0].clone()).without_days();
                self.out.report(found(Finding::from_error(&error)).of_job(job.object.clone()));
            }
        }
        Ok(())
    }

    /// Keeps a job of a source.
    pub(crate) fn keep(&mut self, source: usize, loaded: LoadedJob) {
        // A text is written at once, and its jobs are not asked for.
        if self.purpose == Purpose::Jobs {
            self.jobs.push(ConvertedJob { loaded, source, format: self.format });
        }
    }

    /// Reports a finding that holds for all sources, at the first of them.
    pub(crate) fn report_once(&mut self, source: usize, finding: Finding) {
        if !self.said.contains(&finding) {
            self.said.push(finding.clone());
            self.report(source, finding);
        }
    }

    /// Counts something in a source, and reports how many there are in all sources, at the first of them.
    pub(crate) fn report_total(
        &mut self,
        source: usize,
        code: ConvertCode,
        count: usize,
        message: fn(usize) -> Finding,
    ) {
        if count == 0 {
            return;
        }
        match self.totals.iter_mut().find(|(known, ..)| *known == code) {
            Some((_, at, total)) => {
                *total += count;
                if let Some(found) = self.out.findings.get_mut(*at) {
                    found.finding = message(*total);
                }
            }
            None => {
                self.totals.push((code, self.out.findings.len(), count));
                self.report(source, message(count));
            }
        }
    }

    /// The time zone of schedules of a host that name none.
    pub(crate) fn zone_of_host(&self) -> Option<String> {
        self.options.timezone.clone().or_else(|| self.options.host_timezone.clone())
    }

    /// Says once in which time zone schedules of a host are read that name none, unless the options name one.
    pub(crate) fn report_zone_of_host(&mut self, source: usize) {
        match (&self.options.timezone, &self.options.host_timezone) {
            (None, Some(zone)) => self.report_once(source, messages::time_zone_of_host(zone)),
            _ => self.report_no_zone(source),
        }
    }

    /// Says once that sources name no time zone, if the options name none either.
    pub(crate) fn report_no_zone(&mut self, source: usize) {
        if self.options.timezone.is_none() {
            self.report_once(source, messages::no_time_zone());
        }
    }

    /// Says once that random times became windows.
    pub(crate) fn report_random(&mut self, source: usize, jobs: usize) {
        self.report_total(source, ConvertCode::RandomTime, jobs, messages::random_times);
    }
}
