//! Crontabs: those of users, and those with a column of users.
//!
//! Read as cronie and Vixie cron read them, with the random ranges and flags of OpenBSD.

use kron_core::Finding;
use kron_core::cron::CronField;
use kron_core::text::quoted_value;

use crate::convert::conversion::{Conversion, Input};
use crate::convert::cron_field::{number, numeric_value, set_of};
use crate::convert::finding::ConvertFinding;
use crate::convert::job_line::{JobLine, RESERVED, Variables, WITHIN_THE_MINUTE, shell_word};
use crate::convert::options::Options;
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::{Days, Times, Values, bits, bounds};
use crate::error::convert::job_line::reserved_variable;
use crate::error::convert::{crontab as messages, source as source_messages, times as wrong};

/// A user's crontab.
pub(super) const OF_A_USER: Reader = Reader {
    evidence: Evidence::Lines,
    recognizes: |text| has_users(text) == Some(false),
    convert: Convert::Each(|input, conversion| convert(input, false, conversion)),
};

/// A crontab with a column of users.
pub(super) const OF_THE_SYSTEM: Reader = Reader {
    evidence: Evidence::Lines,
    recognizes: |text| has_users(text) == Some(true),
    convert: Convert::Each(|input, conversion| convert(input, true, conversion)),
};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/// Settings of mail, which Kron does not send.
const MAIL: [&str; 4] = ["MAILTO", "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING"];

/// Whether the lines of a text have a column of users, if all of them are lines of a crontab and the sixth words show it.
fn has_users(text: &str) -> Option<bool> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rests = lines.filter(|line| !is_setting(line)).filter_map(after_times);
    let pairs: Vec<(&str, &str)> = rests
        .filter(|rest| !rest.is_empty())
        .map(|rest| {
            let mut words = rest.split_whitespace();
            (words.next().unwrap_or_default(), words.next().unwrap_or_default())
        })
        .collect();
    let user = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c))
    };
    let is_command =
        |(first, second): &(&str, &str)| !user(first) || second.is_empty() || second.starts_with('-');
    let is_of_root = |pair: &(&str, &str)| pair.0 == "root" && !is_command(pair);
    if pairs.iter().any(is_command) {
        // One line without its user does not make users commands.
        (!pairs.iter().any(is_of_root)).then_some(false)
    } else {
        (!pairs.is_empty() && pairs.iter().all(is_of_root)).then_some(true)
    }
}

/// Converts the lines of a crontab.
fn convert(
    input: &Input<'_>,
    users: bool,
    conversion: &mut Conversion<'_>,
) -> Result<(), Box<ConvertFinding>> {
    let source = input.index;
    let mut crontab = Crontab { source, users, ..Crontab::default() };
    let start = conversion.out.text.len();
    let before = (conversion.out.converted, conversion.out.refused);
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
            match crontab.job(trimmed, index + 1, conversion) {
                Ok(mut job) => {
                    job.name = conversion.free_name(&job.name);
                    conversion.write(&job, place)?;
                }
                Err(finding) => conversion.report_at(place, finding),
            }
        }
    }
    if conversion.out.converted == before.0 {
        // Comments alone are not a job file.
        conversion.out.text.truncate(start);
        if conversion.out.refused == before.1 {
            conversion.report(source, source_messages::no_schedule());
        }
        return Ok(());
    }
    if crontab.without_zone {
        conversion.report_no_zone(source);
    }
    conversion.report_random(source, crontab.random);
    if crontab.with_user {
        conversion.report(source, messages::users());
    }
    if !crontab.home {
        conversion.report(source, messages::home());
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
        let mut rest = rest;
        let mut fields = Vec::new();
        let mut user = None;
        if self.users {
            let (name, after) = word(rest);
            if name.is_empty() || after.is_empty() {
                return Err(messages::no_user_or_command());
            }
            user = Some(name);
            rest = after;
        }
        let mut concurrency = "allow";
        while let Some(flag) = ["-n ", "-q ", "-s "].into_iter().find(|flag| rest.starts_with(flag)) {
            match flag {
                "-s " => concurrency = "forbid",
                _ => conversion.report_at((self.source, number), messages::flag(flag.trim())),
            }
            rest = rest[flag.len()..].trim_start();
        }
        let (command, input) = split_input(rest);
        if command.trim().is_empty() {
            return Err(messages::no_command());
        }
        let window = self.delay.map_or_else(|| conversion.options.window_seconds(), |delay| delay * 60);
        let kron = times.in_kron(window)?;
        let mut job = JobLine::at(kron);
        self.random += usize::from(job.window.is_some());
        match (job.window, self.delay) {
            (None, Some(delay)) => (job.window, job.fixed) = (Some(delay * 60), true),
            (Some(_), Some(_)) => {
                conversion.report_at((self.source, number), messages::delay_of_random_time());
            }
            (_, None) => {}
        }
        job.timezone = self.timezone.clone().transpose()?;
        self.without_zone |= self.timezone.is_none();
        job.policy = format!("concurrency={concurrency},deadline={WITHIN_THE_MINUTE}");
        if concurrency == "forbid" {
            job.policy = format!("deadline={WITHIN_THE_MINUTE}");
        }
        job.name = name_of(&command);
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
        fields.push(("command".to_string(), command));
        for (name, value) in self.environment.in_order() {
            if name == "HOME" {
                fields.push(("cwd".to_string(), value.to_string()));
            }
            fields.push((format!("env.{name}"), value.to_string()));
        }
        if let Some(user) = user {
            self.with_user = true;
            fields.push(("user".to_string(), user.to_string()));
        }
        job.fields = fields;
        Ok(job)
    }
}

/// The first word of a text, and what follows.
fn word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches([' ', '\t']))
}

/// A setting of the environment: `NAME = value`, either of them in quotes.
fn setting(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = unquoted(name.trim());
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then(|| (name, unquoted(value.trim())))
}

/// The name of a line that is a setting of the environment but for its name.
fn odd_setting(line: &str) -> Option<&str> {
    let (name, _) = line.split_once('=')?;
    let name = unquoted(name.trim());
    (name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.contains([' ', '\t']))
        .then_some(name)
}

/// What is wrong with the name of a time zone.
fn zone(name: &str, options: &Options) -> Option<Finding> {
    if name.is_empty() {
        return Some(messages::empty_zone());
    }
    let spec = options.parser.spec(&format!("* * * * * @tz({})", quoted_value(name)));
    spec.err().map(|error| messages::unknown_zone(&error))
}

fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// What follows the times of a line.
pub(crate) fn after_times(line: &str) -> Option<&str> {
    times(line.strip_prefix('-').unwrap_or(line)).ok().map(|(_, rest)| rest)
}

/// Whether a line is a setting of the environment.
pub(crate) fn is_setting(line: &str) -> bool {
    setting(line).is_some()
}

/// The times at the beginning of a line, and what follows them.
fn times(line: &str) -> Result<(Times, &str), Finding> {
    if line.starts_with('@') {
        let (name, rest) = word(line);
        let fields = match name {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            "@every_minute" => "* * * * *",
            "@reboot" => return Err(messages::reboot()),
            name => return Err(messages::not_a_time(name)),
        };
        return times(fields).map(|(times, _)| (times, rest));
    }
    let mut rest = line;
    let mut fields = [Values::Set(0); 5];
    let mut stars = [false; 5];
    for (index, field) in CronField::ALL.into_iter().enumerate() {
        let (text, after) = word(rest);
        if text.is_empty() {
            return Err(messages::too_few_fields());
        }
        fields[index] = values(text, field)?;
        // Vixie cron looks at the first character only.
        stars[index] = text.starts_with('*');
        rest = after;
    }
    let days = if stars[2] || stars[4] { Days::Both } else { Days::Either };
    Ok((Times::of(fields, days), rest))
}

/// The values of a field of a crontab.
fn values(text: &str, field: CronField) -> Result<Values, Finding> {
    if text.contains('~') {
        return random(text, field);
    }
    let step_of_one = |item: &str, first: &str, step| messages::step_of_one_value(field, item, first, step);
    set_of(field, text, |text| value(field, text), step_of_one).map(Values::Set)
}

/// A name or a number.
fn value(field: CronField, text: &str) -> Option<u32> {
    let names: &[&str] = match field {
        CronField::Month => &MONTHS,
        CronField::DayOfWeek => &DAYS,
        CronField::Minute | CronField::Hour | CronField::DayOfMonth => &[],
    };
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    named.map(|index| index as u32 + bounds(field).0).or_else(|| numeric_value(field, text))
}

/// A random value of OpenBSD and cronie: `~`, `a~b`, and `a~b/step` with a random offset.
fn random(text: &str, field: CronField) -> Result<Values, Finding> {
    if text.contains(',') {
        return Err(wrong::random_in_list(field, text, "~"));
    }
    let (low, high) = bounds(field);
    let (range, step) = match text.split_once('/') {
        None => (text, None),
        Some((range, step)) => (range, Some(step)),
    };
    let (from, to) = range.split_once('~').ok_or_else(|| wrong::wrong(field, text))?;
    let end = |end: &str, open: u32| match end {
        "" => Ok(open),
        end => value(field, end).filter(|value| *value <= high).ok_or_else(|| wrong::wrong(field, text)),
    };
    let (first, last) = (end(from, low)?, end(to, high)?);
    let most = first.abs_diff(last) + 1;
    let fits = |step: &u32| (1..=most).contains(step);
    let read = |step| number(step).filter(fits).ok_or_else(|| wrong::wrong_step(field, text, most));
    let step = step.map(read).transpose()?;
    if first > last {
        let step = step.map_or(String::new(), |step| format!("/{step}"));
        return Err(wrong::backwards(field, text, &format!("{to}~{from}{step}")));
    }
    Ok(match step {
        // Every value of a step of 1 is there, whatever the offset.
        Some(1) => Values::Set(bits(first, last, 1)),
        // Any offset leaves one value.
        step => Values::Random { from: first, to: last, step: step.filter(|step| *step < most) },
    })
}

/// The command of a line and its standard input, which follows the first `%` without a backslash.
fn split_input(text: &str) -> (String, Option<String>) {
    let mut command = String::new();
    let mut chars = text.chars();
    let mut escaped = false;
    let mut found = false;
    for c in chars.by_ref() {
        if escaped && c == '%' {
            command.pop();
        } else if c == '%' {
            found = true;
            break;
        }
        escaped = !escaped && c == '\\';
        command.push(c);
    }
    if !found {
        return (command, None);
    }
    let (mut input, mut escaped) = (String::new(), false);
    for c in chars {
        let c = match (escaped, c) {
            (true, '%') => '%',
            (true, c) => {
                input.push('\\');
                c
            }
            (false, '%') => '\n',
            (false, c) => c,
        };
        escaped = c == '\\';
        if !escaped {
            input.push(c);
        }
    }
    if escaped {
        input.push('\\');
    }
    (command, Some(input))
}

/// A name for a command: its program, without directory and common endings.
pub(crate) fn name_of(command: &str) -> String {
    const WRAPPERS: [&str; 22] = [
        "[", "bash", "chronic", "command", "dash", "env", "exec", "flock", "if", "ionice", "nice", "nohup",
        "perl", "php", "python", "python3", "ruby", "sh", "sudo", "test", "then", "timeout",
    ];
    let mut skip = false;
    let mut found = None;
    for word in
        command.split([' ', '\t', '\n', ';', '&', '|', '(', ')', '{', '}']).filter(|word| !word.is_empty())
    {
        let word = unquoted(word);
        let base = word.rsplit('/').next().unwrap_or_default();
        if std::mem::take(&mut skip) {
            continue;
        }
        if base == "cd" {
            skip = true;
        } else if !(base.is_empty()
            || word.starts_with(['-', '!', '<', '>', '$'])
            || word.contains('=')
            || base.starts_with(|c: char| c.is_ascii_digit())
            || WRAPPERS.contains(&base))
        {
            found = Some(base);
            break;
        }
    }
    let base = found.unwrap_or("job");
    let stem = [".sh", ".py", ".pl", ".rb", ".php"].into_iter().find_map(|end| base.strip_suffix(end));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(base).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_input() {
        let p = |text: &str| {
            let (command, input) = split_input(text);
            (command, input.unwrap_or("none".into()))
        };
        let pair = |command: &str, input: &str| (command.to_string(), input.to_string());
        assert_eq!(p("date +\\%F"), pair("date +%F", "none"));
        assert_eq!(p("cat%one%two\\%"), pair("cat", "one\ntwo%"));
        assert_eq!(p("a \\\\%b"), pair("a \\\\", "b"));
        assert_eq!(p("a%"), pair("a", ""));
        assert_eq!(p("a%x\\y\\"), pair("a", "x\\y\\"));
    }

    #[test]
    fn ok_names() {
        for (command, name) in [
            ("/usr/bin/backup --full", "backup"),
            ("cd / && run-parts --report /etc/cron.hourly", "run-parts"),
            ("[ -x /usr/sbin/x.sh ] && /usr/sbin/y", "x"),
            ("PATH=/bin python3 /opt/report.py", "report"),
            ("$HOME/bin/x", "job"),
        ] {
            assert_eq!(name_of(command), name, "{command}");
        }
    }

    #[test]
    fn ok_settings() {
        assert_eq!(setting("A = 'b c' "), Some(("A", "b c")));
        assert_eq!(setting("\"A\"=x=y"), Some(("A", "x=y")));
        assert_eq!(setting("* * * * * A=b c"), None);
        assert_eq!(setting("@daily A=b"), None);
    }
}
