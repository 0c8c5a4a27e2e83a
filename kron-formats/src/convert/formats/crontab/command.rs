//! A name for a command: the program that runs, not those that test whether or how it may run.

use super::shell::{Simple, simple_commands};

/// Commands that test or prepare something, and what a line of a shell has beside commands.
const GUARDS: [&str; 31] = [
    "!", ".", ":", "[", "[[", "break", "case", "cd", "continue", "done", "esac", "exit", "export", "false",
    "fi", "for", "function", "in", "pgrep", "pidof", "set", "sleep", "source", "test", "trap", "true",
    "type", "ulimit", "umask", "unset", "which",
];
/// Words before a command.
const KEYWORDS: [&str; 10] = ["!", "{", "}", "do", "elif", "else", "if", "then", "until", "while"];
/// Programs that run another one: their options that have a value, and how many words stand before the other program.
const WRAPPERS: [(&str, &str, usize); 18] = [
    ("chronic", "", 0),
    ("chrt", "", 1),
    ("command", "", 0),
    ("eatmydata", "", 0),
    ("env", "uSC", 0),
    ("exec", "a", 0),
    ("flock", "wEc", 1),
    ("ionice", "cnpPu", 0),
    ("nice", "n", 0),
    ("nohup", "", 0),
    ("setlock", "", 1),
    ("setsid", "", 0),
    ("stdbuf", "ioe", 0),
    ("sudo", "ugpCDhRTU", 0),
    ("systemd-cat", "tp", 0),
    ("time", "fo", 0),
    ("timeout", "ks", 1),
    ("xargs", "adEIiLlnPs", 0),
];
const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "sh", "zsh"];
const INTERPRETERS: [&str; 7] = ["node", "perl", "php", "python", "python2", "python3", "ruby"];
/// The most commands within commands.
const DEPTH: usize = 4;

/// A name for a command: its program, without directory and common endings.
pub(super) fn name_of(command: &str) -> String {
    let base = program_of(command, DEPTH).unwrap_or_else(|| "job".to_string());
    let stem = [".sh", ".py", ".pl", ".rb", ".php"].into_iter().find_map(|end| base.strip_suffix(end));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(&base).to_string()
}

/// The first program that does something; without one, the first of all.
fn program_of(text: &str, depth: usize) -> Option<String> {
    let commands = simple_commands(text);
    let mut names = commands.iter().filter_map(|command| name_of_simple(command, depth));
    names.next().or_else(|| {
        let words = commands.iter().filter_map(|command| command.words.first());
        words.map(|word| base(word).to_string()).find(|word| is_name(word))
    })
}

fn name_of_simple(command: &Simple, depth: usize) -> Option<String> {
    let mut words = command.words.as_slice();
    while let Some((first, rest)) = words.split_first() {
        if !(KEYWORDS.contains(&first.as_str()) || is_assignment(first)) {
            break;
        }
        words = rest;
    }
    let (first, rest) = words.split_first()?;
    let program = base(first);
    let asks = program == "command" && rest.first().is_some_and(|word| word.starts_with(['-']));
    if GUARDS.contains(&program) || asks || !is_name(program) {
        return None;
    }
    if depth == 0 {
        return Some(program.to_string());
    }
    let run = if let Some((_, with_value, before)) = WRAPPERS.iter().find(|(name, ..)| *name == program) {
        wrapped(rest, with_value, *before, depth)
    } else if SHELLS.contains(&program) || INTERPRETERS.contains(&program) {
        script(program, rest, depth)
    } else {
        None
    };
    Some(run.unwrap_or_else(|| program.to_string()))
}

/// The program that another one runs.
fn wrapped(words: &[String], with_value: &str, before: usize, depth: usize) -> Option<String> {
    let (mut rest, mut left) = (words, before);
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if word == "--" || is_assignment(word) {
            continue;
        }
        if let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) {
            let needs_value = option.len() == 1 && with_value.contains(option);
            // `flock FILE -c 'command'`
            if option == "c" && needs_value && before > 0 {
                return program_of(rest.first()?, depth - 1);
            }
            if needs_value {
                rest = rest.get(1..).unwrap_or_default();
            }
        } else if left > 0 {
            left -= 1;
        } else {
            let words = std::iter::once(word).chain(rest).cloned().collect();
            return name_of_simple(&Simple { words, place: 0..0, separator: String::new() }, depth - 1);
        }
    }
    None
}

/// What an interpreter runs: a script, a module of Python, or the command of a shell.
fn script(program: &str, words: &[String], depth: usize) -> Option<String> {
    let is_shell = SHELLS.contains(&program);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix('-') {
            Some("m") if program.starts_with("python") => return words.next().cloned(),
            Some(options) if is_shell && !options.starts_with('-') && options.ends_with('c') => {
                return program_of(words.next()?, depth - 1);
            }
            // The text of a program has no name.
            Some("c" | "e" | "r" | "E" | "ne" | "pe") if !is_shell => return None,
            Some(_) => {}
            None => return Some(base(word).to_string()).filter(|name| is_name(name)),
        }
    }
    None
}

/// A word without its directory.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name).unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_names() {
        for (command, name) in [
            ("/usr/bin/backup --full", "backup"),
            ("cd / && run-parts --report /etc/cron.hourly", "run-parts"),
            ("[ -x /usr/sbin/x.sh ] && /usr/sbin/y", "y"),
            (
                "test -e /run/systemd/system || SERVICE_MODE=1 /usr/lib/e2fsprogs/e2scrub_all_cron",
                "e2scrub_all_cron",
            ),
            ("test -x /usr/bin/certbot -a \\! -d /run/systemd/system && certbot -q renew", "certbot"),
            (
                "[ -f /etc/sanoid/sanoid.conf ] && if [ ! -d /run/systemd/system ]; then TZ=UTC /usr/sbin/sanoid --cron; fi",
                "sanoid",
            ),
            ("if [ -x /etc/munin/plugins/apt_all ]; then munin-run apt_all; fi", "munin-run"),
            ("if [ $(date +%d) -le 7 ]; then /usr/share/mdadm/checkarray --cron; fi", "checkarray"),
            ("cd /srv/app && ./run.sh", "run"),
            ("flock /run/f g", "g"),
            ("flock -n /run/f -c \"TZ=UTC sanoid --take\"", "sanoid"),
            ("flock -w 10 /run/f nice -n 5 g x", "g"),
            ("nice g", "g"),
            ("nice -n10 /usr/sbin/logcheck", "logcheck"),
            ("nice -n 10 ionice -c 3 g", "g"),
            ("env A=b h", "h"),
            ("A=b C='d e' h", "h"),
            ("command -v x > /dev/null && x 1 1", "x"),
            ("command -v debian-sa1 >/dev/null && command debian-sa1 1", "debian-sa1"),
            ("sudo -u ann -- /bin/a", "a"),
            ("timeout -k 5 1h /bin/a", "a"),
            ("PATH=/bin python3 /opt/report.py", "report"),
            ("python3 -m site_tools.report", "site_tools.report"),
            ("python -c 'import x'", "python"),
            ("bash -lc 'cd /srv && ./go.sh'", "go"),
            ("/usr/bin/env bash /opt/a.sh", "a"),
            ("php -f /var/www/cron.php", "cron"),
            ("(a; b)", "a"),
            ("{ cd / && b; }", "b"),
            ("while true; do poll; done", "poll"),
            ("2>/dev/null a", "a"),
            ("$HOME/bin/x", "x"),
            ("$X", "job"),
            ("sleep 5", "sleep"),
            ("", "job"),
            ("7z a b", "7z"),
        ] {
            assert_eq!(name_of(command), name, "{command}");
        }
        // Commands in commands end.
        let mut nested = "a".to_string();
        (0..10).for_each(|_| nested = format!("nice {nested}"));
        assert_eq!(name_of(&nested), "nice");
    }
}
