//! `kron place --adopt`: what is adopted, how it is named, and what is left alone.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use globset::{Glob, GlobSet};
use kron_core::WindowMode;
use kron_core::place::WantedWindow;
use kron_formats::place::{Adoption, LeftAlone, LeftReason};

use crate::args::reading::{parse_pattern, set_of};
use crate::output::diagnostic::Diagnostic;
use crate::output::forecast::words::grouped;
use crate::output::table::printable;
use crate::session::{Session, Stop};
use crate::time_arg::duration;

/// The arguments that choose what is adopted, and how.
#[derive(Debug, Args)]
pub(crate) struct AdoptArgs {
    /// Write declarations beside schedules that have none, and place them
    #[arg(long, conflicts_with = "undo")]
    pub(crate) adopt: bool,

    /// The window of adopted schedules: a length, or a percentage of the time between two runs
    #[arg(long, value_name = "LENGTH|PERCENT%", value_parser = parse_window, requires = "adopt")]
    window: Option<WantedWindow>,

    /// Where the window lies, seen from the time of the schedule
    #[arg(long, value_name = "MODE", default_value = "after", requires = "adopt")]
    mode: ModeArg,

    /// Adopt only schedules whose name fits this pattern, such as `ops/*`; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = parse_pattern, value_hint = ValueHint::Other, requires = "adopt")]
    select: Vec<Glob>,

    /// Leave schedules alone whose name fits this pattern; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = parse_pattern, value_hint = ValueHint::Other, requires = "adopt")]
    skip: Vec<Glob>,

    /// A key that has schedules, too, such as `nightlySchedule`; may be repeated
    #[arg(long, value_name = "KEY", value_hint = ValueHint::Other, requires = "adopt")]
    key: Vec<String>,

    /// What names begin with; default: the name of the repository, or `{host}/` below /etc and /var/spool
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, requires = "adopt")]
    prefix: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArg {
    After,
    Before,
    Around,
}

/// Reads a window. The error is a sentence for the user.
fn parse_window(text: &str) -> Result<WantedWindow, String> {
    const FORMS: &str =
        "expected a length of at least a minute, such as 30m or 2h, or a percentage from 1% to 100%";
    let wanted = match text.strip_suffix('%') {
        Some(percent) => {
            percent.parse().ok().filter(|percent| (1..=100).contains(percent)).map(WantedWindow::Percent)
        }
        None => duration(text).ok().filter(|length| length.as_secs() >= 60).map(WantedWindow::Long),
    };
    wanted.ok_or_else(|| FORMS.to_string())
}

/// What is chosen by name.
pub(crate) struct Chosen {
    select: Option<GlobSet>,
    skip: GlobSet,
}

impl Chosen {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.select.as_ref().is_none_or(|select| select.is_match(name)) && !self.skip.is_match(name)
    }
}

impl AdoptArgs {
    /// The error about an adoption without a window, which would leave every schedule where it is.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if !self.adopt || self.window.is_some() {
            return Ok(());
        }
        let error = Diagnostic::error("--adopt: how far may schedules move? --window is missing");
        Err(error
            .help("add for example `--window 30m`, or `--window 10%` of the time between two runs")
            .into())
    }

    /// What the patterns choose.
    pub(crate) fn chosen(&self) -> Result<Chosen, Stop> {
        let select = set_of("--select", &self.select)?;
        Ok(Chosen {
            select: (!self.select.is_empty()).then_some(select),
            skip: set_of("--skip", &self.skip)?,
        })
    }

    /// The adoption, if one is asked for. `of_cluster`: objects that others keep are left alone.
    pub(crate) fn adoption<'a>(
        &'a self,
        chosen: &'a dyn Fn(&str) -> bool,
        of_cluster: bool,
    ) -> Option<Adoption<'a>> {
        let mode = match self.mode {
            ModeArg::After => WindowMode::After,
            ModeArg::Before => WindowMode::Before,
            ModeArg::Around => WindowMode::Around,
        };
        let window = self.window.filter(|_| self.adopt)?;
        Some(Adoption { mode, window, chosen, keys: &self.key, of_cluster })
    }

    /// What the names of a file's schedules begin with: a prefix, and the path of the file in its repository or below the argument.
    /// `path` is absolute, `base` the directory of the argument.
    pub(crate) fn names(&self, path: &Path, base: &Path, is_of_machine: bool) -> Option<String> {
        let repository = path.ancestors().skip(1).find(|folder| folder.join(".git").exists());
        let prefix = match (&self.prefix, repository) {
            (Some(prefix), _) => prefix.clone(),
            (None, Some(folder)) => folder.file_name()?.to_string_lossy().into_owned(),
            (None, None) if is_of_machine => "{host}".to_string(),
            (None, None) => return None,
        };
        let below = path.strip_prefix(repository.unwrap_or(base)).ok()?.with_extension("");
        let parts = below.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        Some(joined(&prefix, &parts.collect::<Vec<_>>().join("/")))
    }

    /// What the names of the schedules of standard input begin with.
    pub(crate) fn names_of_stdin(&self) -> Option<String> {
        self.prefix.as_ref().map(|prefix| prefix.trim_end_matches('/').to_string())
    }
}

fn joined(prefix: &str, path: &str) -> String {
    if prefix.ends_with('/') { format!("{prefix}{path}") } else { format!("{prefix}/{path}") }
}

/// The directory below which the path of a file is its name: the directory of the arguments, or that of the file.
pub(crate) fn base(path: &Path, arguments: &[PathBuf]) -> PathBuf {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folders = arguments.iter().filter(|argument| argument.is_dir()).map(|argument| absolute(argument));
    let above =
        folders.filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
    above.or_else(|| path.parent().map(Path::to_path_buf)).unwrap_or_default()
}

/// Names the schedules that are left alone, in groups.
pub(crate) fn report_left(left: &[LeftAlone], label: impl Fn(usize) -> String, session: &mut Session<'_>) {
    let mut groups: BTreeMap<LeftReason, Vec<&LeftAlone>> = BTreeMap::new();
    for schedule in left {
        groups.entry(schedule.reason).or_default().push(schedule);
    }
    for (reason, schedules) in groups {
        let each = if schedules.len() == 1 { "it" } else { "each" };
        let message =
            format!("{} left alone, because {each} {}", grouped(schedules.len() as u64), reason.sentence());
        // Where they stand is no news, and nobody has to do anything.
        if reason == LeftReason::Declared {
            session.remark(&format!("{message} already"));
            continue;
        }
        session.remark(&format!("{message}:"));
        for LeftAlone { source, line, text, .. } in schedules {
            let place = printable(&label(*source));
            session.remark(format!("  {place}:{line}  {}", printable(text.trim())).trim_end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(prefix: Option<&str>) -> AdoptArgs {
        let prefix = prefix.map(str::to_string);
        AdoptArgs {
            adopt: true,
            window: None,
            mode: ModeArg::After,
            select: vec![],
            skip: vec![],
            key: vec![],
            prefix,
        }
    }

    #[test]
    fn names_outside_of_repositories() {
        let names = |prefix, path: &str, base: &str, is_of_machine| {
            args(prefix).names(Path::new(path), Path::new(base), is_of_machine)
        };
        let (path, base) = ("/no-such-folder/cron.d/web.cron", "/no-such-folder");
        assert_eq!(names(None, path, base, false), None);
        assert_eq!(names(None, path, base, true).as_deref(), Some("{host}/cron.d/web"));
        assert_eq!(names(Some("a"), path, base, true).as_deref(), Some("a/cron.d/web"));
        assert_eq!(
            names(Some("{host}/"), path, "/no-such-folder/cron.d", false).as_deref(),
            Some("{host}/web")
        );
        // A file that is named itself.
        assert_eq!(base_of(path, &[path]), "/no-such-folder/cron.d");
    }

    fn base_of(path: &str, arguments: &[&str]) -> String {
        let arguments: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
        base(Path::new(path), &arguments).to_string_lossy().into_owned()
    }

    #[test]
    fn windows() {
        assert_eq!(parse_window("10%"), Ok(WantedWindow::Percent(10)));
        assert!(matches!(parse_window("1d"), Ok(WantedWindow::Long(day)) if day.as_secs() == 86_400));
        for text in ["", "0%", "101%", "%", "-1%", "59s", "x", "1"] {
            assert!(parse_window(text).is_err(), "{text}");
        }
    }
}
