//! Random delays that people write before a command: `sleep $((RANDOM % 300)) && backup`.

use super::shell::{Simple, simple_commands};

/// The greatest number of `RANDOM`.
const RANDOM_MAX: u64 = 32_767;
/// The longest delay that is understood, in seconds.
const LONGEST: u64 = 366 * 86_400;

/// A command without its random delay.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Delayed {
    pub(super) command: String,
    /// The delay, as it was written.
    pub(super) text: String,
    /// How many seconds lie between the shortest and the longest delay. The shortest one stays in the command.
    pub(super) window: u64,
}

/// The command without its first random delay, which must come whatever happens before.
pub(super) fn delayed(command: &str) -> Option<Delayed> {
    let commands = simple_commands(command);
    let pairs = commands.iter().zip(commands.iter().skip(1));
    let is_sequence = |separator: &str| ["", "&&", ";"].contains(&separator);
    let mut sequence = pairs.take_while(|(one, _)| is_sequence(&one.separator));
    sequence.find_map(|(sleep, next)| {
        let (least, most) = range(sleep).filter(|_| ["&&", ";"].contains(&&*next.separator))?;
        let window = most.checked_sub(least).filter(|window| (1..=LONGEST).contains(window))?;
        let (before, after) = (command.get(..sleep.place.start)?, command.get(next.place.start..)?);
        let constant = match least {
            0 => String::new(),
            least => format!("sleep {least}{}", command.get(sleep.place.end..next.place.start)?),
        };
        let text = command.get(sleep.place.clone())?.to_string();
        Some(Delayed { command: format!("{before}{constant}{after}"), text, window })
    })
}

/// The least and the greatest number of seconds that a command sleeps.
fn range(command: &Simple) -> Option<(u64, u64)> {
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let (program, arguments) = words.split_first()?;
    let program = program.rsplit('/').next()?;
    match (program, arguments) {
        ("sleep", [length]) => length_of(length),
        ("perl", ["-e" | "-E", code]) => perl(code),
        (python, ["-c", code]) if python.starts_with("python") => of_python(code),
        _ => None,
    }
}

/// The length of `sleep`: a random number and a unit.
fn length_of(text: &str) -> Option<(u64, u64)> {
    let (number, unit) = match text.as_bytes().last()? {
        b's' => (&text[..text.len() - 1], 1),
        b'm' if !text.ends_with("RANDOM") => (&text[..text.len() - 1], 60),
        b'h' => (&text[..text.len() - 1], 3600),
        _ => (text, 1),
    };
    let inner = |open: &str, close: &str| number.strip_prefix(open)?.strip_suffix(close);
    let range = if let Some(sum) = inner("$((", "))").or_else(|| inner("$[", "]")) {
        sum_of(sum)
    } else if let Some(command) = inner("$(", ")").or_else(|| inner("`", "`")) {
        printed(command)
    } else {
        sum_of(number).filter(|_| number.starts_with('$'))
    };
    let (least, most) = range?;
    Some((least.checked_mul(unit)?, most.checked_mul(unit)?))
}

/// What a command prints.
fn printed(command: &str) -> Option<(u64, u64)> {
    let [command] = &simple_commands(command)[..] else { return None };
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let (program, arguments) = words.split_first()?;
    match (program.rsplit('/').next()?, arguments) {
        ("shuf", arguments) => shuf(arguments),
        ("jot", ["-r", "1", from, to]) => Some((from.parse().ok()?, to.parse().ok()?)),
        ("expr", sum) => sum_of(&sum.concat()),
        ("echo", [sum]) if sum.starts_with('$') => length_of(sum),
        _ => None,
    }
}

/// `shuf -i 0-300 -n 1`, in any order.
fn shuf(arguments: &[&str]) -> Option<(u64, u64)> {
    let (mut range, mut one) = (None, false);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let option = argument.get(..2)?;
        let value = match argument.get(2..) {
            None | Some("") => arguments.next()?,
            Some(value) => value,
        };
        match option {
            "-i" => range = value.split_once('-'),
            "-n" => one = value == "1",
            _ => return None,
        }
    }
    let (from, to) = range.filter(|_| one)?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// `RANDOM % 300`, perhaps in brackets, with a number before or behind.
fn sum_of(text: &str) -> Option<(u64, u64)> {
    let text: String = text.chars().filter(|c| !" \t$(){}\\".contains(*c)).collect();
    let (mut range, mut least) = (None, 0_u64);
    for term in text.split('+') {
        match term.strip_prefix("RANDOM") {
            Some(_) if range.is_some() => return None,
            Some("") => range = Some(RANDOM_MAX),
            Some(rest) => {
                let number =
                    |sign| rest.strip_prefix(sign).and_then(|digits: &str| digits.parse::<u64>().ok());
                let most = match (number('%'), number('/')) {
                    (Some(count), _) => count.checked_sub(1)?.min(RANDOM_MAX),
                    (_, Some(divisor)) => RANDOM_MAX.checked_div(divisor)?,
                    _ => return None,
                };
                range = Some(most);
            }
            None => least = least.checked_add(term.parse().ok()?)?,
        }
    }
    Some((least, range?.checked_add(least)?))
}

/// `sleep int(rand(300))`.
fn perl(code: &str) -> Option<(u64, u64)> {
    let code: String = code.chars().filter(|c| !" \t();".contains(*c)).collect();
    let rest = code.strip_prefix("sleep")?;
    let rest = rest.strip_prefix("int").unwrap_or(rest);
    below(rest.strip_prefix("rand")?)
}

/// `import random, time; time.sleep(random.randint(0, 300))`.
fn of_python(code: &str) -> Option<(u64, u64)> {
    let code: String = code.chars().filter(|c| !" \t();".contains(*c)).collect();
    let (_, call) = code.split_once("sleeprandom.")?;
    if let Some(range) = call.strip_prefix("randint") {
        let (from, to) = range.split_once(',')?;
        return Some((from.parse().ok()?, to.parse().ok()?));
    }
    let count = call.strip_prefix("randrange").or_else(|| call.strip_prefix("random*"));
    below(count.or_else(|| call.strip_prefix("uniform0,"))?)
}

/// The whole seconds below a number.
fn below(count: &str) -> Option<(u64, u64)> {
    Some((0, count.parse::<u64>().ok()?.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(command: &str) -> Option<(String, u64)> {
        delayed(command).map(|delayed| (delayed.command, delayed.window))
    }

    #[test]
    fn ok_delays() {
        for (delay, window) in [
            ("sleep $((RANDOM % 300))", 299),
            ("sleep $(( $RANDOM % 300 ))", 299),
            ("sleep $((RANDOM%60))m", 59 * 60),
            ("sleep ${RANDOM}", RANDOM_MAX),
            ("sleep $RANDOM", RANDOM_MAX),
            ("sleep $((RANDOM % 43200))", RANDOM_MAX),
            ("sleep $((RANDOM / 100))", 327),
            ("/bin/sleep `expr $RANDOM % 90`", 89),
            ("/bin/sleep `expr $RANDOM \\% 90`", 89),
            ("sleep $(shuf -i 0-300 -n 1)", 300),
            ("sleep \"$(shuf -n1 -i0-300)\"", 300),
            ("sleep $(jot -r 1 0 120)", 120),
            ("perl -e 'sleep int(rand(300))'", 299),
            ("/usr/bin/perl -e 'sleep rand 300;'", 299),
            ("python3 -c 'import random, time; time.sleep(random.randint(0, 300))'", 300),
            ("python3 -c 'import random,time;time.sleep(random.random()*300)'", 299),
        ] {
            for separator in [" && ", "; ", ";"] {
                let command = format!("{delay}{separator}x --y 'z'");
                assert_eq!(p(&command), Some(("x --y 'z'".into(), window)), "{command}");
            }
        }
    }

    #[test]
    fn what_is_always_slept_stays() {
        for (command, want, window) in [
            ("sleep $(( (RANDOM % 300) + 60 )) && x", "sleep 60 && x", 299),
            ("sleep $(shuf -i 60-300 -n 1); x", "sleep 60; x", 240),
            ("sleep $[ ( $RANDOM % 3600 ) + 1 ]s ; x", "sleep 1 ; x", 3599),
        ] {
            assert_eq!(p(command), Some((want.into(), window)), "{command}");
        }
        let test = "test -x /usr/bin/certbot && perl -e 'sleep int(rand(43200))' && certbot -q renew";
        let want = "test -x /usr/bin/certbot && certbot -q renew";
        assert_eq!(p(test), Some((want.into(), 43_199)));
    }

    #[test]
    fn other_commands_are_left_as_they_are() {
        for command in [
            "sleep 30 && x",
            "sleep $((RANDOM % 300))",
            "sleep $((RANDOM % 300)) || x",
            "sleep $((RANDOM % 300)) | x",
            "sleep $((RANDOM % 300)) & x",
            "test -e y || sleep $((RANDOM % 300)); x",
            "(sleep $((RANDOM % 300)); x)",
            "if a; then sleep $((RANDOM % 300)); fi; x",
            "sleep $((RANDOM % 1)) && x",
            "sleep $((RANDOM % 0)) && x",
            "sleep $((RANDOM - 5)) && x",
            "sleep $((RANDOM % 300 * 2)) && x",
            "sleep $((RANDOM + RANDOM)) && x",
            "sleep $(shuf -i 300-0 -n 1); x",
            "sleep $(shuf -i 0-99999999999999999999 -n 1); x",
            "sleep $(shuf -i 0-300); x",
            "sleep $(shuf -é); x",
            "perl -e 'print 1' && x",
        ] {
            assert_eq!(p(command), None, "{command}");
        }
    }
}
