//! Whether a text is a schedule that could be adopted.

use kron_core::{Cron, ErrorCode};

use crate::convert::can_be_field;
use crate::error::place::LeftReason;
use crate::place::comment::words;

/// What a text is: no schedule, one that is left alone, or a plain expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    NoSchedule,
    Left(LeftReason),
    Plain,
}

/// Judges the whole value of a key.
pub(super) fn of_value(text: &str) -> Judged {
    // A block ends with a line break.
    let text = text.trim_matches(['\n', '\r', ' ', '\t']);
    if is_template(text) {
        return Judged::Left(LeftReason::Template);
    }
    match Cron::parse(text) {
        Ok(_) => Judged::Plain,
        Err(error) => match of_words(text) {
            Some(_) if error.code() == ErrorCode::CronNeverMatches => Judged::Left(LeftReason::Never),
            Some(reason) => Judged::Left(reason),
            None => Judged::NoSchedule,
        },
    }
}

/// Why the words of a text are no plain expression, if they are a schedule at all.
pub(super) fn of_words(text: &str) -> Option<LeftReason> {
    let first = words(text).next()?;
    let is_macro =
        first.strip_prefix('@').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    let is_other = is_macro || first.starts_with("TZ=") || first.starts_with("CRON_TZ=");
    let fields = words(text).take(7).filter(|word| is_like_field(word)).count();
    if is_other || fields >= 5 {
        let five: Vec<&str> = words(text).take(5).collect();
        let never =
            Cron::parse(&five.join(" ")).is_err_and(|error| error.code() == ErrorCode::CronNeverMatches);
        return Some(if never { LeftReason::Never } else { LeftReason::NotPlain });
    }
    None
}

/// Whether a word is like a field of some cron: also `H`, `~` and `L-2`.
fn is_like_field(word: &str) -> bool {
    let is_random = |c: char| matches!(c, 'H' | '~' | '(' | ')');
    can_be_field(word)
        || word.contains(is_random)
            && word.chars().all(|c| is_random(c) || c.is_ascii_digit() || "*/-,".contains(c))
        || word.strip_prefix("L-").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text has a part of a template. That of a workflow's expression is `${{`.
pub(super) fn is_template(text: &str) -> bool {
    text.match_indices("{{").any(|(at, _)| !text[..at].ends_with('$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_and_other_values() {
        use LeftReason::{Never, NotPlain, Template};
        for (text, want) in [
            ("0 0 * * *", Judged::Plain),
            ("@daily", Judged::Plain),
            ("0  8-18/2 * jan mon", Judged::Plain),
            ("@every 1h", Judged::Left(NotPlain)),
            ("@reboot", Judged::Left(NotPlain)),
            ("TZ=UTC 0 0 * * *", Judged::Left(NotPlain)),
            ("H 0 * * *", Judged::Left(NotPlain)),
            ("0~10 0 * * *", Judged::Left(NotPlain)),
            ("0 0 L * ?", Judged::Left(NotPlain)),
            ("0 0 0 * * ?", Judged::Left(NotPlain)),
            ("61 0 * * *", Judged::Left(NotPlain)),
            ("0 0 31 2 *", Judged::Left(Never)),
            ("{{ .Values.schedule }}", Judged::Left(Template)),
            ("{{ randInt 0 59 }} 0 * * *", Judged::Left(Template)),
            ("weekly", Judged::NoSchedule),
            ("before 5am on monday", Judged::NoSchedule),
            ("every weekday at 3 am please", Judged::NoSchedule),
            ("", Judged::NoSchedule),
            ("${{ inputs.x }}", Judged::NoSchedule),
            ("@daily-random", Judged::Left(NotPlain)),
            ("@", Judged::NoSchedule),
            ("0 0 * * *\n", Judged::Plain),
        ] {
            assert_eq!(of_value(text), want, "{text}");
        }
    }
}
