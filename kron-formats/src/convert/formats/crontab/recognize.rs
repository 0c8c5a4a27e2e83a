//! Whether a text is a crontab, and whether its lines have a column of users.

use super::line::{is_setting, word};
use crate::convert::cron_field::can_be_field;

/// Directories whose files have a column of users, and those of users.
const OF_THE_SYSTEM: &str = "cron.d";
const OF_USERS: [&str; 3] = ["crontabs", "tabs", "cron"];
/// Users that no command is called after.
const USERS: [&str; 9] =
    ["root", "www-data", "www", "nobody", "daemon", "operator", "apache", "nginx", "postgres"];
/// Words that begin a command, and that no user is called after.
const PROGRAMS: [&str; 64] = [
    "apt",
    "apt-get",
    "awk",
    "bash",
    "cat",
    "cd",
    "certbot",
    "chmod",
    "chown",
    "chronic",
    "command",
    "cp",
    "curl",
    "dash",
    "date",
    "df",
    "docker",
    "du",
    "echo",
    "env",
    "exec",
    "export",
    "false",
    "find",
    "flock",
    "for",
    "grep",
    "gzip",
    "if",
    "ionice",
    "java",
    "kill",
    "ls",
    "mkdir",
    "mv",
    "mysqldump",
    "nice",
    "node",
    "nohup",
    "npm",
    "perl",
    "pg_dump",
    "php",
    "pkill",
    "python",
    "python2",
    "python3",
    "rm",
    "rsync",
    "ruby",
    "run-parts",
    "sed",
    "service",
    "sh",
    "sleep",
    "ssh",
    "sudo",
    "systemctl",
    "tar",
    "test",
    "timeout",
    "touch",
    "true",
    "wget",
];
/// Words that begin a command, and that are no argument of one.
const BEGINNINGS: [&str; 10] = ["[", "[[", "test", "if", "cd", "command", "exec", "nice", "flock", "("];

/// Whether the file of a path has a column of users, where its place shows it.
pub(super) fn by_path(path: &str) -> Option<bool> {
    let mut parts = path.rsplit('/');
    let (name, folder, above) = (parts.next()?, parts.next()?, parts.next());
    if folder == OF_THE_SYSTEM || (folder == "etc" && name == "crontab") {
        return Some(true);
    }
    let is_cron = folder != "cron" || above == Some("spool");
    (OF_USERS.contains(&folder) && is_cron).then_some(false)
}

/// What the word after the times of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sixth {
    Command,
    User,
    /// A word like a user, and what follows is like a command.
    LikelyUser,
    Unclear,
}

/// Whether the lines of a text have a column of users, if the words after their times show it.
pub(super) fn has_users(text: &str) -> Option<bool> {
    // Quartz and others have more than five fields.
    if commands(text).any(|rest| can_be_field(word(rest).0)) {
        return None;
    }
    let found: Vec<Sixth> = commands(text).map(sixth).collect();
    let any = |kind| found.contains(&kind);
    match (any(Sixth::User), any(Sixth::LikelyUser), any(Sixth::Command)) {
        // One line without its user does not make users commands.
        (true, _, true) | (false, false, false) => None,
        (true, _, false) | (false, true, false) => Some(true),
        (false, _, true) => Some(false),
    }
}

/// Whether a text has a line of a crontab.
pub(crate) fn has_lines(text: &str) -> bool {
    commands(text).next().is_some()
}

/// Whether a text has comments and settings alone.
pub(crate) fn has_comments_only(text: &str) -> bool {
    lines(text).all(is_setting)
}

/// Lines that are no comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What follows the times of each line.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    lines(text).filter(|line| !is_setting(line)).filter_map(after_times).filter(|rest| !rest.is_empty())
}

/// What follows the times of a line. The times need not be valid, so that an error can name them.
pub(crate) fn after_times(line: &str) -> Option<&str> {
    let line = line.strip_prefix('-').unwrap_or(line);
    if let Some(rest) = line.strip_prefix('@') {
        let (name, rest) = word(rest);
        let fits = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        return fits.then_some(rest);
    }
    let mut rest = line;
    for index in 0..5 {
        let (field, after) = word(rest);
        let is_named = index >= 3;
        let fits =
            |c: char| c.is_ascii_digit() || "*,/-~?#LWH".contains(c) || (is_named && c.is_ascii_alphabetic());
        let begins = is_named || field.starts_with(|c: char| c.is_ascii_digit() || "*~?L".contains(c));
        if field.is_empty() || !begins || !field.chars().all(fits) {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

fn sixth(rest: &str) -> Sixth {
    let (first, rest) = word(rest);
    let (second, _) = word(rest);
    if !is_user_name(first) || second.is_empty() || second.starts_with('-') || PROGRAMS.contains(&first) {
        Sixth::Command
    } else if USERS.contains(&first) {
        Sixth::User
    } else if BEGINNINGS.contains(&second) || is_program(second) {
        Sixth::LikelyUser
    } else {
        Sixth::Unclear
    }
}

/// A name of a user; FreeBSD allows a group and a login class behind it.
fn is_user_name(word: &str) -> bool {
    let name = word.split([':', '/']).next().unwrap_or_default();
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
        && !word.contains(['.', '='])
}

/// A path of a program, as opposed to one of data.
fn is_program(word: &str) -> bool {
    const FOLDERS: [&str; 4] = ["/bin/", "/sbin/", "/libexec/", "/usr/lib/"];
    const ENDINGS: [&str; 5] = [".sh", ".py", ".pl", ".rb", ".php"];
    word.starts_with('/')
        && (FOLDERS.iter().any(|folder| word.contains(folder))
            || ENDINGS.iter().any(|end| word.ends_with(end)))
}

/// Whether a text is an anacrontab, whose lines have a number of days, a delay, a name and a command.
pub(crate) fn is_anacrontab(text: &str) -> bool {
    let mut found = false;
    for line in lines(text) {
        if line.starts_with("START_HOURS_RANGE") {
            return true;
        }
        if is_setting(line) {
            continue;
        }
        let (period, rest) = word(line);
        let (delay, rest) = word(rest);
        let (name, command) = word(rest);
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_period = is_number(period) || ["@daily", "@weekly", "@monthly", "@yearly"].contains(&period);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !can_be_field(name);
        if !(is_period && is_number(delay) && is_name && !command.is_empty()) {
            return false;
        }
        found = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_paths() {
        for (path, want) in [
            ("/etc/cron.d/sysstat", Some(true)),
            ("cron.d/munin", Some(true)),
            ("/usr/local/etc/cron.d/a", Some(true)),
            ("/etc/crontab", Some(true)),
            ("/var/spool/cron/crontabs/ann", Some(false)),
            ("/var/spool/cron/ann", Some(false)),
            ("/var/cron/tabs/ann", Some(false)),
            ("/srv/cron/ann", None),
            ("crontab", None),
            ("/srv/crontab", None),
            ("-", None),
        ] {
            assert_eq!(by_path(path), want, "{path}");
        }
    }

    #[test]
    fn ok_times() {
        assert_eq!(after_times("0 3 * * sat-sun x y"), Some("x y"));
        assert_eq!(after_times("61 3 L * MON#1 x"), Some("x"));
        assert_eq!(after_times("@reboot x"), Some("x"));
        assert_eq!(after_times("5 green bottles hang on the wall"), None);
        assert_eq!(after_times("0 3 * *"), None);
    }

    #[test]
    fn ok_anacrontabs() {
        assert!(is_anacrontab(
            "SHELL=/bin/sh\n1\t5\tcron.daily\trun-parts x\n@monthly 45 cron.monthly run-parts x\n"
        ));
        assert!(is_anacrontab("START_HOURS_RANGE=3-22\n"));
        assert!(!is_anacrontab("0 3 * * * x\n"));
        assert!(!is_anacrontab("@daily 7z a b\n"));
        assert!(!is_anacrontab("# none\n"));
    }
}
