//! Crontabs: those of users, and those with a column of users.
//!
//! Read as cronie and Vixie cron read them, with the random ranges and flags of OpenBSD.

mod command;
mod delay;
mod interpreter;
mod line;
mod recognize;
mod shell;
mod times;

use std::collections::BTreeMap;

use kron_core::Finding;
use kron_core::text::quoted_value;

use self::command::name_of;
use self::delay::delayed;
pub(crate) use self::line::is_setting;
use self::line::{hash, odd_setting, parts, setting};
pub(crate) use self::recognize::{after_times, has_comments_only, has_lines, is_anacrontab};
use self::times::{ranges_to_sunday, times};
use crate::convert::conversion::{Conversion, Input};
use crate::convert::duration::short_seconds;
use crate::convert::finding::ConvertFinding;
use crate::convert::format::Format;
use crate::convert::job_line::{JobLine, RESERVED, Variables, WITHIN_THE_MINUTE, clean_name, shell_word};
use crate::convert::options::Options;
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::error::convert::job_line::reserved_variable;
use crate::error::convert::{crontab as messages, source as source_messages};

/// A user's crontab.
pub(super) const OF_A_USER: Reader = Reader {
    evidence: Evidence::Lines,
    recognizes: |text| recognize::has_users(text) == Some(false),
    convert: Convert::Each(|input, conversion| convert(input, false, conversion)),
};

/// A crontab with a column of users.
pub(super) const OF_THE_SYSTEM: Reader = Reader {
    evidence: Evidence::Lines,
    recognizes: |text| recognize::has_users(text) == Some(true),
    convert: Convert::Each(|input, conversion| convert(input, true, conversion)),
};

/// The format of a crontab, where the place of its file shows it.
pub(crate) fn format_of_path(path: &str) -> Option<Format> {
    recognize::by_path(path).map(|users| if users { Format::CronD } else { Format::Crontab })
}

/// The lines of a crontab's jobs, from 1, with the names that their commands give to them. Several jobs can have one name.
pub(super) fn names(input: &Input<'_>, users: bool) -> Vec<(usize, String)> {
    let lines = input.text.lines().map(|line| line.trim_matches([' ', '\t', '\r'])).zip(1..);
    let is_job = |line: &str| {
        !line.is_empty() && !line.starts_with('#') && setting(line).is_none() && odd_setting(line).is_none()
    };
    let jobs: Vec<(&str, usize)> = lines.filter(|(line, _)| is_job(line)).collect();
    let is_own_file = users && input.path.rsplit('/').nth(1) == Some("cron.d");
    if let (true, [(_, line)]) = (is_own_file, jobs.as_slice()) {
        return vec![(*line, clean_name(input.name))];
    }
    let names = jobs.iter().map(|(line, number)| {
        let rest = after_times(line).unwrap_or_default();
        let command = parts(rest, users).map(|parts| parts.command).unwrap_or_default();
        let command = delayed(&command).map_or(command, |delayed| delayed.command);
        (*number, clean_name(&name_of(&command)))
    });
    names.collect()
}

/// The same of a text, whose column of users its path or its lines show. Lines that would share a name have a hash behind it.
pub(crate) fn names_of_lines(path: &str, text: &str) -> Vec<(usize, String)> {
    let users = has_users(path, text);
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut named = names(&Input { index: 0, path, name, text }, users);
    let mut counts = BTreeMap::new();
    for (_, name) in &named {
        *counts.entry(name.clone()).or_insert(0) += 1;
    }
    let lines: Vec<&str> = text.lines().collect();
    for (line, name) in named.iter_mut().filter(|(_, name)| counts[name] > 1) {
        *name = with_hash(name, lines[*line - 1]);
    }
    named
}

/// Whether the lines of a text have a column of users, by its path or its lines.
pub(crate) fn has_users(path: &str, text: &str) -> bool {
    recognize::by_path(path).or_else(|| recognize::has_users(text)).unwrap_or(false)
}

/// Whether a line has a command behind its times, and behind a user where lines have one.
pub(crate) fn has_command(line: &str, users: bool) -> bool {
    let line = line.trim_matches([' ', '\t', '\r']);
    after_times(line).is_some_and(|rest| parts(rest, users).is_ok())
}

/// The name of a line that shares it with others. A number would change with the lines above.
fn with_hash(name: &str, line: &str) -> String {
    format!("{name:.55}-{}", hash(line))
}

/// Settings of mail, which Kron does not send.
const MAIL: [&str; 4] = ["MAILTO", "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING"];

/// Converts the lines of a crontab.
fn convert(
    input: &Input<'_>,
    users: bool,
    conversion: &mut Conversion<'_>,
) -> Result<(), Box<ConvertFinding>> {
    let source = input.index;
    let mut names = names(input, users).into_iter().map(|(_, name)| name);
    let mut crontab = Crontab { source, users, ..Crontab::default() };
    let start = conversion.out.text.len();
    let before = (conversion.out.converted, conversion.out.refused, conversion.never);
    for (index, line) in input.text.lines().enumerate() {
        let place = (source, index + 1);
        let trimmed = line.trim_matches([' ', '\t', '\r']);
        if trimmed.is_empty() || trimmed.starts_with('#') {
            conversion.out.line(trimmed);
        } else if let Some((name, value)) = setting(trimmed) {
            crontab.set(name, value, index + 1, conversion);
        } else if let Some(name) = odd_setting(trimmed) {
            conversion.report_at(place, messages::not_a_variable(name));
        } else {
            let mut name = names.next().unwrap_or_default();
            if conversion.shared_names.contains(&name) {
                name = with_hash(&name, trimmed);
            }
            match crontab.job(trimmed, index + 1, conversion) {
                Ok(mut job) => {
                    job.name = conversion.free_name(&name);
                    conversion.write(&job, place)?;
                }
                Err(finding) => conversion.report_at(place, finding),
            }
        }
    }
    if conversion.out.converted == before.0 {
        // Comments alone are not a job file.
        conversion.out.text.truncate(start);
        if (conversion.out.refused, conversion.never) == (before.1, before.2) {
            conversion.report(source, source_messages::no_schedule());
        }
        return Ok(());
    }
    if crontab.without_zone {
        conversion.report_zone_of_host(source);
    }
    conversion.report_random(source, crontab.random);
    if crontab.with_user {
        conversion.report_once(source, messages::users());
    }
    if !crontab.home {
        conversion.report_once(source, messages::home());
    }
    Ok(())
}

/// What holds for the next lines, and what was seen.
#[derive(Default)]
struct Crontab {
    source: usize,
    users: bool,
    environment: Variables,
    /// An error is the refusal of jobs after a CRON_TZ that names no time zone.
    timezone: Option<Result<String, Finding>>,
    shell: Option<String>,
    /// Minutes of RANDOM_DELAY.
    delay: Option<u64>,
    home: bool,
    without_zone: bool,
    with_user: bool,
    random: usize,
}

impl Crontab {
    fn set(&mut self, name: &str, value: &str, line: usize, conversion: &mut Conversion<'_>) {
        let warning = match name {
            "CRON_TZ" => {
                // The jobs that follow are refused if it names none.
                let wrong = zone(value, conversion.options);
                self.timezone = Some(match wrong {
                    None => Ok(value.to_string()),
                    Some(_) => Err(messages::zone_of_line(value, line)),
                });
                wrong
            }
            "SHELL" if value.is_empty() => {
                self.shell = None;
                Some(messages::empty_shell())
            }
            "SHELL" => {
                self.shell = Some(value.to_string()).filter(|shell| shell != "/bin/sh");
                None
            }
            "RANDOM_DELAY" => match value.parse() {
                Ok(0) => {
                    self.delay = None;
                    None
                }
                Ok(minutes @ 1..=1440) => {
                    self.delay = Some(minutes);
                    None
                }
                _ => Some(messages::bad_delay(value)),
            },
            _ if MAIL.contains(&name) => Some(messages::mail(name)),
            _ if name.starts_with(RESERVED) => Some(reserved_variable(name, RESERVED)),
            _ => {
                self.home |= name == "HOME";
                self.environment.set(name, value);
                None
            }
        };
        if let Some(warning) = warning {
            conversion.report_at((self.source, line), warning);
        }
    }

    fn job(
        &mut self,
        line: &str,
        number: usize,
        conversion: &mut Conversion<'_>,
    ) -> Result<JobLine, Finding> {
        // cronie: root's jobs with a `-` are not logged.
        let line = line
            .strip_prefix('-')
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || "*@~".contains(c)))
            .unwrap_or(line);
        let (times, rest) = times(line)?;
        let parts = parts(rest, self.users)?;
        for (range, days) in ranges_to_sunday(line) {
            conversion.report_at((self.source, number), messages::range_to_sunday(range, &days));
        }
        let (mut command, input) = (parts.command, parts.input);
        let mut concurrency = "allow";
        for flag in parts.flags {
            match flag {
                "-s" => concurrency = "forbid",
                _ => conversion.report_at((self.source, number), messages::flag(flag)),
            }
        }
        let own = delayed(&command);
        let mut job = JobLine::at(times.in_kron()?);
        self.random += usize::from(job.window.is_some());
        match (job.window, self.delay) {
            (None, Some(delay)) => (job.window, job.fixed) = (Some(delay * 60), true),
            (Some(_), Some(_)) => {
                conversion.report_at((self.source, number), messages::delay_of_random_time());
            }
            (_, None) => {}
        }
        // A line has one window; a second delay stays in its command.
        if let (None, Some(delayed)) = (job.window, own) {
            let window = short_seconds(delayed.window);
            conversion
                .report_at((self.source, number), messages::delay_became_window(&delayed.text, &window));
            job.window = Some(delayed.window);
            command = delayed.command;
        }
        job.timezone = self.timezone.clone().transpose()?.or_else(|| conversion.zone_of_host());
        self.without_zone |= self.timezone.is_none();
        job.policy = format!("concurrency={concurrency},deadline={WITHIN_THE_MINUTE}");
        if concurrency == "forbid" {
            job.policy = format!("deadline={WITHIN_THE_MINUTE}");
        }
        let mut command = match input {
            None => command,
            Some(input) => {
                let lines: Vec<String> =
                    input.lines().map(|line| format!("'{}'", line.replace('\'', r"'\''"))).collect();
                let print = if lines.is_empty() {
                    ":".to_string()
                } else {
                    format!("printf '%s\\n' {}", lines.join(" "))
                };
                format!("{print} | (\n{command}\n)")
            }
        };
        if let Some(shell) = &self.shell {
            command = format!("exec {} -c {}", shell_word(shell), shell_word(&command));
        }
        let mut fields = vec![("command".to_string(), command)];
        for (name, value) in self.environment.in_order() {
            if name == "HOME" {
                fields.push(("cwd".to_string(), value.to_string()));
            }
            fields.push((format!("env.{name}"), value.to_string()));
        }
        if let Some(user) = parts.user {
            self.with_user = true;
            if let Some(class) = parts.class {
                conversion.report_at((self.source, number), messages::login_class(class));
            }
            fields.push(("user".to_string(), user.to_string()));
        }
        job.fields = fields;
        Ok(job)
    }
}

/// What is wrong with the name of a time zone.
fn zone(name: &str, options: &Options) -> Option<Finding> {
    if name.is_empty() {
        return Some(messages::empty_zone());
    }
    let spec = options.parser.spec(&format!("* * * * * @tz({})", quoted_value(name)));
    spec.err().map(|error| messages::unknown_zone(&error))
}
