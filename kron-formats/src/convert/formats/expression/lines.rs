//! Files with one schedule a line.

use kron_core::Finding;

use crate::convert::conversion::{Conversion, Input};
use crate::convert::finding::ConvertFinding;
use crate::convert::job_line::{JobLine, WITHIN_THE_MINUTE};
use crate::convert::times::KronTimes;
use crate::error::convert::{expression as messages, source as source_messages};

/// What a line says.
pub(super) struct Line {
    pub(super) times: KronTimes,
    pub(super) timezone: Option<String>,
    /// The length of a window in seconds, in which each start is at another place.
    pub(super) window: Option<u64>,
}

impl Line {
    pub(super) fn at(times: KronTimes) -> Line {
        Line { times, timezone: None, window: None }
    }
}

/// Converts the lines of a file, which `read` reads. Comments are kept, and the jobs are named after the file.
pub(super) fn convert(
    input: &Input<'_>,
    conversion: &mut Conversion<'_>,
    read: impl Fn(&str) -> Result<Line, Finding>,
) -> Result<(), Box<ConvertFinding>> {
    let Input { index: source, name, text, path: _ } = *input;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let start = conversion.out.text.len();
    let before = (conversion.out.converted, conversion.out.refused);
    let mut without_zone = false;
    for (index, line) in text.lines().enumerate() {
        let (line, place) = (line.trim(), (source, index + 1));
        if line.is_empty() || line.starts_with('#') {
            conversion.out.line(line);
            continue;
        }
        match read(line) {
            Ok(Line { times, timezone, window }) => {
                let mut job = JobLine::at(times);
                job.window = window;
                without_zone |= timezone.is_none();
                job.timezone = timezone;
                job.policy = format!("deadline={WITHIN_THE_MINUTE}");
                job.name = conversion.free_name(stem);
                conversion.write(&job, place)?;
            }
            Err(finding) => conversion.report_at(place, finding),
        }
    }
    if conversion.out.converted == before.0 {
        conversion.out.text.truncate(start);
        if conversion.out.refused == before.1 {
            conversion.report(source, source_messages::no_schedule());
        }
        return Ok(());
    }
    if without_zone {
        conversion.report_no_zone(source);
    }
    conversion.report(source, messages::late_starts());
    conversion.report(source, messages::no_command());
    Ok(())
}
