//! The help of errors where rules of days cannot be written.

use kron_core::Error;

/// Errors of texts that stand where `@days` and `@nodays` cannot be written: in a KronJob, or as a schedule of another system.
///
/// ```
/// use kron_formats::WithoutDays;
/// let error = kron_core::Cron::parse("0 9 L * *").unwrap_err();
/// assert_eq!(error.help().as_deref(), Some("write `0 9 * * * @days(last=1)`"));
/// let help = error.without_days().help().unwrap();
/// assert!(help.starts_with("write `0 9 * * *` and check the day in the command, or write a job file with"));
/// ```
pub trait WithoutDays {
    /// The same error. A help that names these modifiers says what takes their place.
    #[must_use]
    fn without_days(self) -> Self;
}

impl WithoutDays for Error {
    fn without_days(self) -> Error {
        match self.help().as_deref().and_then(help_elsewhere) {
            Some(help) => self.with_help(help),
            None => self,
        }
    }
}

/// `None` for a help that names none.
fn help_elsewhere(help: &str) -> Option<String> {
    let is_rule = |word: &&str| word.starts_with("@days(") || word.starts_with("@nodays(");
    let quoted = || help.split('`').skip(1).step_by(2);
    quoted().find(|quoted| quoted.split(' ').any(|word| is_rule(&word)))?;
    let Some(whole) = quoted().find(|quoted| quoted.split(' ').skip(1).any(|word| is_rule(&word))) else {
        return Some("days that cron cannot say are for job files, which Kron runs itself".to_string());
    };
    let plain: Vec<&str> = whole.split(' ').filter(|word| !is_rule(word)).collect();
    let plain = format!("`{}` and check the day in the command, or write a job file with", plain.join(" "));
    Some(help.replacen(&format!("`{whole}`"), &format!("{plain} `{whole}`"), 1))
}

#[cfg(test)]
mod tests {
    use kron_core::JobSpec;

    use super::*;

    #[test]
    fn help_where_rules_of_days_cannot_stand() {
        let help = |text: &str| JobSpec::parse(text).unwrap_err().without_days().help().unwrap();
        assert_eq!(
            help("0 0 L * * @win(after,1h)"),
            "write `0 0 * * * @win(after,1h)` and check the day in the command, or write a job file with \
             `0 0 * * * @days(last=1) @win(after,1h)`"
        );
        assert_eq!(
            help("0 12 ? * 6L *"),
            "seconds and years are not cron; write `0 12 * * *` and check the day in the command, or write a job file \
             with `0 12 * * * @days(dow=FRI;last=1-7)` (6 is Friday in AWS and Quartz)"
        );
        assert_eq!(
            help("@daily @only(last=1)"),
            "days that cron cannot say are for job files, which Kron runs itself"
        );
        assert_eq!(help("0 9 * * FRI-SUN"), "write `FRI-7`");
    }
}
