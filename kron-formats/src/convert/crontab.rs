//! Crontabs: those of users, and those with a column of users.
//!
//! Read as cronie and Vixie cron read them, with the random ranges and flags of OpenBSD.

use kron_core::text::quoted_value;

use crate::convert::job_line::{
    JobFile, JobLine, RESERVED, WITHIN_THE_MINUTE, note_random, note_zone, reserved, shell_word,
};
use crate::convert::message::{Message, Refusal, Severity, shown};
use crate::convert::options::Options;
use crate::convert::output::Converted;
use crate::convert::times::{Days, Field, Part, Times, bits};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/// Settings of mail, which Kron does not send.
const MAIL: [&str; 4] = ["MAILTO", "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING"];

/// Converts the lines of a crontab.
pub(crate) fn convert(
    source: usize,
    text: &str,
    users: bool,
    options: &Options,
    file: &mut JobFile,
    out: &mut Converted,
) {
    let mut crontab = Crontab { source, users, ..Crontab::default() };
    let start = out.text.len();
    let before = out.converted;
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_matches([' ', '\t', '\r']);
        if trimmed.is_empty() || trimmed.starts_with('#') {
            out.line(trimmed);
        } else if let Some((name, value)) = setting(trimmed) {
            crontab.set(name, value, options, index + 1, out);
        } else if let Some(name) = odd_setting(trimmed) {
            let reason =
                format!("`{}` is left out: it is not the name of an environment variable", shown(name));
            let message = Message::new(Severity::Warning, source, reason).at(index + 1);
            out.say(message.help("a name has letters, digits and `_`, and begins with a letter or `_`"));
        } else {
            match crontab.job(trimmed, options, index + 1, out) {
                Ok(mut job) => {
                    job.name = file.name(options, &job.name);
                    file.write(&job, (source, index + 1), options, out);
                }
                Err(refusal) => out.say(refusal.message(source, index + 1)),
            }
        }
    }
    if out.converted == before {
        // Comments alone are not a job file.
        out.text.truncate(start);
        return;
    }
    if crontab.without_zone {
        note_zone(source, options, out);
    }
    note_random(source, crontab.random, out);
    if crontab.with_user {
        let reason = "`kron run` starts commands as its own user; the user of each line is kept as `user=`";
        out.say(
            Message::new(Severity::Warning, source, reason).help("give each user a file and a `kron run`"),
        );
    }
    if !crontab.home {
        let reason =
            "cron starts commands in the home directory of the user, `kron run` in its own directory";
        out.say(
            Message::new(Severity::Note, source, reason)
                .help("add `cwd=` to the jobs, or start `kron run` there"),
        );
    }
}

/// What holds for the next lines, and what was seen.
#[derive(Default)]
struct Crontab {
    source: usize,
    users: bool,
    environment: Vec<(String, String)>,
    /// An error is the refusal of jobs after a CRON_TZ that names no time zone.
    timezone: Option<Result<String, Refusal>>,
    shell: Option<String>,
    /// Minutes of RANDOM_DELAY.
    delay: Option<u64>,
    home: bool,
    without_zone: bool,
    with_user: bool,
    random: usize,
}

impl Crontab {
    fn set(&mut self, name: &str, value: &str, options: &Options, line: usize, out: &mut Converted) {
        let warning = |reason: String| Message::new(Severity::Warning, self.source, reason).at(line);
        match name {
            "CRON_TZ" => {
                let zone = zone(value, options);
                let refused = |_: &Refusal| {
                    let reason = format!("`CRON_TZ={}` in line {line} names no time zone", shown(value));
                    Refusal::new(reason).help("correct that line")
                };
                self.timezone = Some(zone.as_ref().map(|()| value.to_string()).map_err(refused));
                // The jobs that follow are refused.
                if let Err(Refusal { reason, help }) = zone {
                    out.say(Message { help, ..warning(reason) });
                }
            }
            "SHELL" if value.is_empty() => {
                self.shell = None;
                out.say(
                    warning("SHELL is empty".to_string())
                        .help("it is ignored, so `/bin/sh` runs the commands"),
                );
            }
            "SHELL" => self.shell = Some(value.to_string()).filter(|shell| shell != "/bin/sh"),
            "RANDOM_DELAY" => match value.parse() {
                Ok(0) => self.delay = None,
                Ok(minutes @ 1..=1440) => self.delay = Some(minutes),
                _ => {
                    let reason =
                        format!("RANDOM_DELAY: `{}` is not a number of minutes up to 1440", shown(value));
                    out.say(warning(reason).help("it is ignored"));
                }
            },
            _ if MAIL.contains(&name) => {
                out.say(warning(format!("{name} is left out: Kron sends no mail")));
            }
            _ if name.starts_with(RESERVED) => out.say(reserved(self.source, name, line)),
            _ => {
                self.home |= name == "HOME";
                self.environment.retain(|(known, _)| known != name);
                self.environment.push((name.to_string(), value.to_string()));
            }
        }
    }

    fn job(
        &mut self,
        line: &str,
        options: &Options,
        number: usize,
        out: &mut Converted,
    ) -> Result<JobLine, Refusal> {
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
                return Err(Refusal::new("the line has no user or no command")
                    .help("convert it with `--format crontab` if it has no column of users"));
            }
            user = Some(name);
            rest = after;
        }
        let mut concurrency = "allow";
        while let Some(flag) = ["-n ", "-q ", "-s "].into_iter().find(|flag| rest.starts_with(flag)) {
            match flag {
                "-s " => concurrency = "forbid",
                _ => {
                    let reason = format!(
                        "the flag `{}` is left out: Kron sends no mail and has its own log",
                        flag.trim()
                    );
                    out.say(Message::new(Severity::Warning, self.source, reason).at(number));
                }
            }
            rest = rest[flag.len()..].trim_start();
        }
        let (command, input) = split_input(rest);
        if command.trim().is_empty() {
            return Err(Refusal::new("the line has no command"));
        }
        let window = self.delay.map_or_else(
            || options.window.map_or(0, |window| window.as_secs().max(0) as u64),
            |delay| delay * 60,
        );
        let kron = times.in_kron(window)?;
        let mut job = JobLine::at(kron);
        self.random += usize::from(job.window.is_some());
        match (job.window, self.delay) {
            (None, Some(delay)) => (job.window, job.fixed) = (Some(delay * 60), true),
            (Some(_), Some(_)) => {
                let reason = "RANDOM_DELAY is left out here: the line has a random time already";
                out.say(Message::new(Severity::Warning, self.source, reason).at(number));
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
        for (name, value) in &self.environment {
            if name == "HOME" {
                fields.push(("cwd".to_string(), value.clone()));
            }
            fields.push((format!("env.{name}"), value.clone()));
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

/// Whether a name is one of a time zone.
fn zone(name: &str, options: &Options) -> Result<(), Refusal> {
    if name.is_empty() {
        let refusal = Refusal::new("CRON_TZ is empty");
        return Err(refusal.help("write for example `CRON_TZ=Europe/Paris`, or remove the line"));
    }
    let spec = options.parser.spec(&format!("* * * * * @tz({})", quoted_value(name)));
    spec.map(drop)
        .map_err(|error| Refusal { reason: format!("CRON_TZ: {}", error.reason()), help: error.help() })
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
fn times(line: &str) -> Result<(Times, &str), Refusal> {
    if line.starts_with('@') {
        let (name, rest) = word(line);
        let fields = match name {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            "@every_minute" => "* * * * *",
            "@reboot" => {
                let refusal = Refusal::new("`@reboot` is not a time");
                return Err(refusal.help("start the command by the system's service manager"));
            }
            name => return Err(Refusal::new(format!("`{}` is not a time", shown(name)))),
        };
        return times(fields).map(|(times, _)| (times, rest));
    }
    let mut rest = line;
    let mut fields = [Field::Set(0); 5];
    let mut stars = [false; 5];
    for (index, part) in Part::ALL.into_iter().enumerate() {
        let (text, after) = word(rest);
        if text.is_empty() {
            return Err(Refusal::new("the line has fewer than five fields"));
        }
        fields[index] = field(text, part)?;
        // Vixie cron looks at the first character only.
        stars[index] = text.starts_with('*');
        rest = after;
    }
    let days = if stars[2] || stars[4] { Days::Both } else { Days::Either };
    Ok((Times::of(fields, days), rest))
}

/// A field of a crontab.
fn field(text: &str, part: Part) -> Result<Field, Refusal> {
    if text.contains('~') {
        return random(text, part);
    }
    let (low, high) = part.range();
    let value = |text: &str, item: &str| value(text, part).ok_or_else(|| part.wrong(item));
    let mut all = 0;
    for item in text.split(',') {
        let (range, step) = match item.split_once('/') {
            None => (item, 1),
            Some((range, step)) => {
                let step = number(step).filter(|step| *step > 0);
                (range, step.ok_or_else(|| part.wrong_step(item, high - low + 1))?)
            }
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (value(from, item)?, value(to, item)?),
            None => {
                let value = value(range, item)?;
                if item.contains('/') {
                    let refusal = Refusal::new(format!(
                        "{}: crons read `{}` in different ways",
                        part.name(),
                        shown(item)
                    ));
                    let high = if part == Part::DayOfWeek { 6 } else { high };
                    return Err(refusal.help(format!("write `{range}-{high}/{step}` or `{range}`")));
                }
                (value, value)
            }
        };
        if from > to {
            return Err(part.backwards(item, &part.around(from, to, step)));
        }
        all |= bits(from, to, step);
    }
    Ok(Field::Set(sunday(all, part)))
}

/// Day 7 is Sunday, day 0.
fn sunday(bits: u64, part: Part) -> u64 {
    if part == Part::DayOfWeek { (bits | bits >> 7) & part.all() } else { bits }
}

fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn value(text: &str, part: Part) -> Option<u32> {
    let names: &[&str] = match part {
        Part::Month => &MONTHS,
        Part::DayOfWeek => &DAYS,
        _ => &[],
    };
    let (low, high) = part.range();
    let high = if part == Part::DayOfWeek { 7 } else { high };
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text)).map(|index| index as u32 + low);
    named.or_else(|| number(text)).filter(|value| (low..=high).contains(value))
}

/// A random value of OpenBSD and cronie: `~`, `a~b`, and `a~b/step` with a random offset.
fn random(text: &str, part: Part) -> Result<Field, Refusal> {
    if text.contains(',') {
        let refusal = Refusal::new(format!("{}: `{}` has `~` in a list", part.name(), shown(text)));
        return Err(refusal.help("write a line for each item"));
    }
    let (low, high) = part.range();
    let (range, step) = match text.split_once('/') {
        None => (text, None),
        Some((range, step)) => (range, Some(step)),
    };
    let (from, to) = range.split_once('~').ok_or_else(|| part.wrong(text))?;
    let end = |end: &str, open: u32| match end {
        "" => Ok(open),
        end => value(end, part).filter(|value| *value <= high).ok_or_else(|| part.wrong(text)),
    };
    let (first, last) = (end(from, low)?, end(to, high)?);
    let most = first.abs_diff(last) + 1;
    let fits = |step: &u32| (1..=most).contains(step);
    let read = |step| number(step).filter(fits).ok_or_else(|| part.wrong_step(text, most));
    let step = step.map(read).transpose()?;
    if first > last {
        let step = step.map_or(String::new(), |step| format!("/{step}"));
        return Err(part.backwards(text, &format!("{to}~{from}{step}")));
    }
    // Every value of a step of 1 is there, whatever the offset.
    Ok(match step {
        Some(1) => Field::Set(bits(first, last, 1)),
        step => Field::Random { from: first, to: last, step },
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
