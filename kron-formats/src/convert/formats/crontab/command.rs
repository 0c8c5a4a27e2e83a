//! A name for a command: the program that runs, not those that test whether or how it may run.

use super::interpreter::{Valued, is_interpreter, script};
use super::shell::{Simple, simple_commands};

/// Commands that test or prepare something, and what a line of a shell has beside commands.
const GUARDS: [&str; 31] = [
    "!", ".", ":", "[", "[[", "break", "case", "cd", "continue", "done", "esac", "exit", "export", "false",
    "fi", "for", "function", "in", "pgrep", "pidof", "set", "sleep", "source", "test", "trap", "true",
    "type", "ulimit", "umask", "unset", "which",
];
/// Words before a command.
const KEYWORDS: [&str; 10] = ["!", "{", "}", "do", "elif", "else", "if", "then", "until", "while"];

/// A program that runs another one.
struct Wrapper {
    name: &'static str,
    valued: Valued,
    /// How many words stand before the other program.
    before: usize,
}

/// A wrapper with the letters of its short options that have a value, its long ones, and the words before the other program.
const fn wrapper(name: &'static str, letters: &'static str, long: &'static str, before: usize) -> Wrapper {
    Wrapper { name, valued: Valued { letters, long }, before }
}

/// The programs that run other ones.
const WRAPPERS: [Wrapper; 18] = [
    wrapper("chronic", "", "", 0),
    wrapper("chrt", "TPD", "sched-runtime sched-period sched-deadline", 1),
    wrapper("command", "", "", 0),
    wrapper("eatmydata", "", "", 0),
    wrapper("env", "uSC", "unset split-string chdir", 0),
    wrapper("exec", "a", "", 0),
    wrapper("flock", "wEc", "timeout wait conflict-exit-code command", 1),
    wrapper("ionice", "cnpPu", "class classdata pid pgid uid", 0),
    wrapper("nice", "n", "adjustment", 0),
    wrapper("nohup", "", "", 0),
    wrapper("setlock", "", "", 1),
    wrapper("setsid", "", "", 0),
    wrapper("stdbuf", "ioe", "input output error", 0),
    wrapper(
        "sudo",
        "acugprtCDhRTU",
        "auth-type login-class user group prompt role type close-from chdir host chroot command-timeout other-user",
        0,
    ),
    wrapper("systemd-cat", "tp", "identifier priority stderr-priority level-prefix", 0),
    wrapper("time", "fo", "format output", 0),
    wrapper("timeout", "ks", "kill-after signal", 1),
    wrapper("xargs", "adEIiLlnPs", "arg-file delimiter max-args max-procs max-chars process-slot-var", 0),
];
const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "sh", "zsh"];
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
        let words =
            commands.iter().filter_map(|command| command.words.iter().find(|word| !is_assignment(word)));
        words.filter_map(|word| named(word)).next().map(str::to_string)
    })
}

fn name_of_simple(command: &Simple, depth: usize) -> Option<String> {
    let start = command.words.iter().position(|word| !is_before(word))?;
    let (first, rest) = command.words[start..].split_first()?;
    let program = named(first)?;
    let asks = program == "command" && rest.first().is_some_and(|word| word.starts_with(['-']));
    if GUARDS.contains(&program) || asks {
        return None;
    }
    if depth == 0 {
        return Some(program.to_string());
    }
    let run = if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == program) {
        wrapped(wrapper, rest, depth)
    } else if SHELLS.contains(&program) {
        of_shell(rest, depth)
    } else if is_interpreter(program) {
        script(program, rest).and_then(named).map(str::to_string)
    } else {
        None
    };
    Some(run.unwrap_or_else(|| program.to_string()))
}

/// The program that another one runs.
fn wrapped(wrapper: &Wrapper, words: &[String], depth: usize) -> Option<String> {
    let (mut rest, mut left) = (words, wrapper.before);
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if word == "--" || is_assignment(word) {
            continue;
        }
        if word.starts_with('-') && word != "-" {
            if wrapper.valued.has_next(word) {
                // `flock FILE -c 'command'`
                let is_command = word == "--command" || !word.starts_with("--") && word.ends_with('c');
                if wrapper.name == "flock" && is_command {
                    return program_of(rest.first()?, depth - 1);
                }
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

/// What a shell runs: a script, or the program of a command. Letters of one word can have several values: those of `-eo pipefail -c`.
fn of_shell(words: &[String], depth: usize) -> Option<String> {
    let (mut is_command, mut words) = (false, words.iter());
    let mut word = words.next()?;
    while word.starts_with(['-', '+']) {
        if word == "--" || word == "-" {
            word = words.next()?;
            break;
        }
        let values = if word.starts_with("--") {
            usize::from(word == "--rcfile" || word == "--init-file")
        } else {
            let is_set = |letter| word.starts_with('-') && word.contains(letter);
            // The commands come from the input; what follows are values for them.
            if is_set('s') {
                return None;
            }
            is_command |= is_set('c');
            word.matches(['o', 'O']).count()
        };
        word = words.nth(values)?;
    }
    if is_command { program_of(word, depth - 1) } else { named(word).map(str::to_string) }
}

/// What can stand before a program.
fn is_before(word: &str) -> bool {
    KEYWORDS.contains(&word) || is_assignment(word)
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name).unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A word without its directory, if it can be nothing but a program or a script. Names stand in places that others see, and pieces of
/// code and values of settings can be secret.
fn named(word: &str) -> Option<&str> {
    let base = word.rsplit('/').next().unwrap_or_default();
    let is_name = base.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && !base.contains('=')
        && !word.split('/').next().unwrap_or_default().contains('=')
        && !base.contains(|c: char| "'\"`$(){}[]<>|;&*?#!\\:\n".contains(c));
    is_name.then_some(base)
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
            // Options and their values.
            ("sudo --user root x", "x"),
            ("sudo --login x", "x"),
            ("node --enable-source-maps dist/main", "main"),
            ("node --no-warnings --trace-warnings /srv/job", "job"),
            ("/data/year=2024/run.sh", "run"),
            ("/opt/backup@home.sh", "backup@home"),
            ("/opt/a,b.sh", "a,b"),
            ("bash - /x.sh", "x"),
            ("perl -d:Trace x.pl", "x"),
            ("/opt/a # b; c", "a"),
            ("sudo --prompt hunter2 x", "x"),
            ("sudo -nu root x", "x"),
            ("nice --adjustment 5 x", "x"),
            ("time --format hunter2 y", "y"),
            ("flock --timeout 5 /run/f --command 'z --all'", "z"),
            ("bash -o pipefail -c 'x | y'", "x"),
            ("bash -eo pipefail /opt/a.sh", "a"),
            ("bash +x -ce 'x'", "x"),
            ("bash --rcfile /etc/rc -- /opt/b.sh", "b"),
            ("python3 -W ignore -X dev x.py", "x"),
            ("python3 -um tools.report", "tools.report"),
            ("php -d memory_limit=1G -c /etc/php.ini /x.php", "x"),
            ("php -f/var/www/cron.php quiet", "cron"),
            ("php /srv/artisan schedule:run", "artisan"),
            ("node --expose-gc --env-file /etc/env server.js", "server.js"),
            ("ruby -I lib -r json tool.rb", "tool"),
            ("perl -I /lib -Mstrict -w tool.pl", "tool"),
        ] {
            assert_eq!(name_of(command), name, "{command}");
        }
        // Commands in commands end.
        let mut nested = "a".to_string();
        (0..10).for_each(|_| nested = format!("nice {nested}"));
        assert_eq!(name_of(&nested), "nice");
    }

    /// Names are seen by others: no value of a setting, and no piece of code, becomes one.
    #[test]
    fn ok_names_of_secrets() {
        for (command, name) in [
            ("TOKEN=hunter2 \"$SCRIPT\"", "job"),
            ("SECRET=hunter2 ; $RUN", "job"),
            ("A=hunter2 [ -f x ]", "job"),
            ("PW='hunter2 a' $X", "job"),
            ("x=`echo \\`a hunter2 b\\`` $Y", "job"),
            ("x=${Y:-'a } hunter2 b'} $Z", "job"),
            ("A=(hunter2 b) $X", "job"),
            ("$X # token; hunter2", "job"),
            ("php -- hunter2 < /x.php", "php"),
            ("PW=/a/hunter2 $X", "job"),
            ("A+=/a/hunter2 $X", "job"),
            ("x=$(echo hunter2) $Y", "job"),
            ("x=$(echo ')' hunter2) $Y", "job"),
            ("x=$(echo \\) hunter2 b) $Y", "job"),
            ("x=\"$(echo \"a hunter2 b\")\" $Y", "job"),
            ("x=\"`echo \"a hunter2 b\"`\" $Y", "job"),
            ("x=${Y:-a hunter2 b} $Z", "job"),
            ("sh -c 'TOKEN=hunter2'", "sh"),
            ("bash -s hunter2", "bash"),
            ("bash -xs -- hunter2", "bash"),
            ("env 'A B=hunter2' x", "env"),
            ("php -d mysqli.default_pw=hunter2 /x.php", "x"),
            ("php --run 'login(\"hunter2\");'", "php"),
            ("php -nr 'hunter2();'", "php"),
            ("php --file=/x.php hunter2", "x"),
            ("node --eval 'fetch(\"https://u:hunter2@x\")'", "node"),
            ("node --eval=hunter2", "node"),
            ("node -pe hunter2", "node"),
            ("node --unknown hunter2 x.js", "node"),
            ("python3 -uc 'login(\"hunter2\")'", "python3"),
            ("python3 -uc hunter2", "python3"),
            ("python3 - hunter2", "python3"),
            ("python3 -W hunter2 x.py", "x"),
            ("perl -le 'print \"hunter2\"'", "perl"),
            ("perl -lane hunter2", "perl"),
            ("perl -pi -e s/a/hunter2/ f", "perl"),
            ("ruby -ne hunter2", "ruby"),
        ] {
            assert_eq!(name_of(command), name, "{command}");
        }
    }
}
