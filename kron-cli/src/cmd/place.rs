//! `kron place`: schedules of other systems in their places, where they stand.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use clap::{Args, FromArgMatches as _, ValueHint};
use kron_core::{Duration, Job};
use kron_fleet::forecast::ForecastRange;
use kron_formats::FILE_BYTES;
use kron_formats::convert::ConvertFinding;
use kron_formats::place::{
    Adopted, Mode, Options, PlaceCode, Placed, PlacedSchedule, Source, adopt, function_config,
    has_declarations, place,
};
use kron_formats::read;
use similar::TextDiff;

use crate::adoption::{AdoptArgs, base, report_left};
use crate::args::SaveArgs;
use crate::args::files::FileArgs;
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs};
use crate::args::reading::{ExcludeArgs, HostArgs};
use crate::args::time::zone_of;
use crate::exit_status::ExitStatus;
use crate::files::{is_stdin, label, stdin_once};
use crate::forecasting::Edit;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::PlaceForm;
use crate::output::plural::plural;
use crate::output::table::printable;
use crate::placing::{number_as_before, print, print_unchanged, write_commands};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::tree::{self, TextFile};

/// The range of the picture.
const SHOWN: DefaultRange =
    DefaultRange { words: "the coming day", begin: Begin::Tomorrow, length: Length::Days(1), days_max: None };

/// The arguments of `place`.
#[derive(Debug, Args)]
pub(crate) struct PlaceArgs {
    #[command(flatten)]
    files: FileArgs,

    /// Write the files back, those that change
    #[arg(short, long, conflicts_with_all = ["check", "save"])]
    in_place: bool,

    /// Change nothing; show the differences, and end with 1 if there are any
    #[arg(long, conflicts_with = "save")]
    check: bool,

    /// How --check shows what differs
    #[arg(short, long, value_name = "FORM", default_value = "text", requires = "check")]
    output: PlaceForm,

    /// Read the ResourceList of a KRM function from standard input, with its configuration, and print it
    #[arg(long, conflicts_with_all = ["in_place", "check"])]
    krm: bool,

    /// Put the declared schedules back, and take the declarations away
    #[arg(long)]
    undo: bool,

    /// Write the schedule of this name although somebody edited it; may be repeated
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    force: Vec<String>,

    #[command(flatten)]
    host: HostArgs,

    #[command(flatten)]
    exclude: ExcludeArgs,

    /// The namespace of objects that name none
    #[arg(short, long, value_name = "NAMESPACE", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    namespace: Option<String>,

    /// The time zone of schedules whose text does not say it
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,

    #[command(flatten)]
    adopting: AdoptArgs,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for PlaceArgs {
    const HELP: Help = Help {
        about: "Spread schedules that another system runs, where they stand",
        example: "kron place -i .",
        range: None,
        notes: || {
            "A comment on the line above a schedule, or behind it, says what is wanted:\n\
             \n    # kron: 0 0 * * * @win(after,2h) name=ops/backup\n    schedule: 0 0 * * *\n\n\
             The schedule is replaced by one plain expression in the window, which follows from the name alone:\n\
             \n    schedule: 51 0 * * *\n\n\
             Any text file that has comments will do. Without -i and --check, the text of one file is printed.\n\n\
             `kron place --adopt --window 30m -i .` writes such comments first, beside the schedules of CronJobs, \
             crontabs, workflows and values, and says of each schedule that it leaves alone why."
                .to_string()
        },
        exit_codes: "0 success; 1 with --check: a schedule is not in its place; 2 bad arguments or input, and nothing is \
                     written; the text of one file is printed unchanged then",
    };

    fn save(&self) -> Save<'_> {
        Save::Edited(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        self.check
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

/// A text and the name that messages give it.
struct Text {
    label: String,
    /// For what its path says about it.
    path: String,
    text: String,
    by_content: bool,
    host: Option<String>,
    /// What the names of its adopted schedules begin with.
    names: Option<String>,
}

fn run(args: &PlaceArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    args.adopting.check()?;
    if args.krm {
        return function(args, session);
    }
    let paths = args.files.some(session)?;
    let options = options(args, session)?;
    if args.in_place || args.check {
        return of_files(args, &paths, &options, session);
    }
    match paths.as_slice() {
        [path] if is_stdin(path) => {
            let text = stdin_text(session)?;
            filter(args, of_stdin(args, text), &options, session)
        }
        [path] if path.is_dir() => {
            let error = Diagnostic::error("a directory has many files").file(label(path));
            Err(error.help("add `-i` to write them back, or `--check` to see what would change").into())
        }
        [path] => match tree::read(std::slice::from_ref(path))?.files.pop() {
            Some(file) => filter(args, of_file(args, &paths, &file, session), &options, session),
            None => Ok(ExitStatus::Success),
        },
        _ => {
            let error = Diagnostic::error("the text of one file is printed, and several are given");
            Err(error.help("add `-i` to write them back, or `--check` to see what would change").into())
        }
    }
}

fn options(args: &PlaceArgs, session: &mut Session<'_>) -> Result<Options, Stop> {
    Ok(Options {
        mode: if args.undo { Mode::Undo } else { Mode::Place },
        force: args.force.iter().cloned().collect(),
        timezone: match &args.tz {
            Some(zone) => Some(zone_of(Some(zone), session)?),
            None => None,
        },
        namespace: args.namespace.clone(),
        from: Some(session.now().timestamp()),
        parser: session.parser()?,
        ..Options::default()
    })
}

/// Places the objects that kustomize or kpt gives to a function, by the configuration that comes with them.
fn function(args: &PlaceArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if !args.files.all().is_empty() {
        return Err(Diagnostic::error("--krm reads standard input, and no file").into());
    }
    let text = stdin_text(session)?;
    let configured = function_config(&text)
        .map_err(|found| Stop::from(Diagnostic::of_conversion(&found, Some(&label(Path::new("-"))))))
        .and_then(|config| configured(&config))
        .and_then(|args| Ok((options(&args, session)?, args)));
    match configured {
        Ok((options, args)) => filter(&args, of_stdin(&args, text), &options, session),
        Err(stop) => {
            session.out.write_all(text.as_bytes())?;
            Err(stop)
        }
    }
}

/// The arguments that the configuration of a function stands for.
fn configured(config: &BTreeMap<String, String>) -> Result<PlaceArgs, Stop> {
    const KEYS: [&str; 8] = ["host", "mode", "namespace", "prefix", "select", "skip", "tz", "window"];
    let refused = |message: String| Diagnostic::error(message).of_option("functionConfig");
    let mut words = vec!["place".to_string()];
    for (key, value) in config {
        match (key.as_str(), value.as_str()) {
            ("undo", "true") => words.push("--undo".to_string()),
            ("undo", "false") => {}
            ("undo", _) => {
                return Err(
                    refused(format!("`undo` is `{}`, not `true` or `false`", printable(value))).into()
                );
            }
            (key, value) if KEYS.contains(&key) => words.push(format!("--{key}={value}")),
            (key, _) => {
                let keys = KEYS.join(", ");
                let error = refused(format!("unknown key `{}`", printable(key)));
                return Err(error.help(format!("the keys are {keys} and undo")).into());
            }
        }
    }
    if config.contains_key("window") {
        words.push("--adopt".to_string());
    }
    let command = PlaceArgs::augment_args(clap::Command::new("place"));
    let matches =
        command.try_get_matches_from(words).and_then(|matches| PlaceArgs::from_arg_matches(&matches));
    matches.map_err(|error| {
        let text = error.to_string();
        let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
        let message = lines.collect::<Vec<_>>().join(" ");
        refused(message.trim_start_matches("error: ").to_string()).into()
    })
}

/// The whole of standard input. What is no text is printed as it is, so that what reads the output loses nothing.
fn stdin_text(session: &mut Session<'_>) -> Result<String, Stop> {
    let refused = |message: &str| Diagnostic::error(message).file(label(Path::new("-")));
    let mut input = stdin_once(session)?;
    let mut bytes = Vec::new();
    (&mut input).take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > FILE_BYTES {
        session.out.write_all(&bytes)?;
        std::io::copy(&mut input, &mut session.out)?;
        return Err(refused("the text is longer than 64 MiB").into());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(failed) => {
            session.out.write_all(failed.as_bytes())?;
            Err(refused("the text is not UTF-8").into())
        }
    }
}

fn of_stdin(args: &PlaceArgs, text: String) -> Text {
    Text {
        label: label(Path::new("-")),
        path: "-".into(),
        text,
        by_content: true,
        host: args.host.host.clone(),
        names: args.adopting.names_of_stdin(),
    }
}

/// Prints a text with its schedules in their places.
fn filter(
    args: &PlaceArgs,
    text: Text,
    options: &Options,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let texts = [text];
    let placed = placed(args, &texts, options, true, session)?;
    if placed.placed.is_refused() | unknown_names(args, &placed, session) {
        print_unchanged(&texts[0].text, session)?;
        return Ok(ExitStatus::Error);
    }
    let [text] = placed.placed.texts.as_slice() else { return Ok(ExitStatus::Error) };
    print(&texts[0].text, text, session)?;
    show(args, &texts, &placed.placed, options, session)?;
    Ok(ExitStatus::Success)
}

/// Shows on a terminal what the new places make of the coming day, if a schedule moves.
fn show(
    args: &PlaceArgs,
    texts: &[Text],
    placed: &Placed,
    options: &Options,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    if session.terminal_of_err().is_none() || !placed.schedules.iter().any(PlacedSchedule::changes) {
        return Ok(());
    }
    let reading = read::Options {
        namespace: args.namespace.clone(),
        timezone: args.tz.clone(),
        host_timezone: session.zone_of_machine()?,
        parser: options.parser.clone(),
        ..read::Options::default()
    };
    let jobs = |texts: &mut dyn Iterator<Item = (&Text, &str)>| -> Vec<Job> {
        let sources = texts.map(|(found, text)| {
            let source = read::Source::new(&found.path, text)
                .with_names(found.names.as_deref().unwrap_or_default())
                .on_host(found.host.as_deref());
            if found.by_content { source.named() } else { source }
        });
        let found = read::read(&sources.collect::<Vec<_>>(), &reading);
        found.jobs.into_iter().map(|job| job.loaded.job).collect()
    };
    let before = jobs(&mut texts.iter().map(|text| (text, text.text.as_str())));
    let after = jobs(&mut texts.iter().zip(placed.texts.iter().map(String::as_str)));
    let zone = zone_of(args.tz.as_deref(), session)?;
    let day = RangeArgs::default().resolve(None, SHOWN, &zone, session)?;
    // Windows are often no longer than a column, and would change none.
    let range = ForecastRange::new(day.from..day.to, Duration::from_secs(60))?;
    let (before, after) = (before.iter().collect(), after.iter().collect());
    Edit { before, after, base: &[], range, zone: &zone }.show(session)
}

/// Writes files back, or shows what would change.
fn of_files(
    args: &PlaceArgs,
    paths: &[PathBuf],
    options: &Options,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    if let Some(path) = paths.iter().find(|path| is_stdin(path)) {
        let error = Diagnostic::error("standard input cannot be written back or compared").file(label(path));
        return Err(error.help("leave out `-i` and `--check`").into());
    }
    let tree::TextFiles { mut files, mut other_encodings } = tree::read(paths)?;
    let excluded = args.exclude.set()?;
    files.retain(|file| file.named || !excluded.is_match(below(&file.path, paths)));
    other_encodings.retain(|path| !excluded.is_match(below(path, paths)));
    name_other_encodings(&other_encodings, session);
    pass_over_prose(&mut files, session);
    let texts: Vec<Text> = files.iter().map(|file| of_file(args, paths, file, session)).collect();
    let adopted = placed(args, &texts, options, false, session)?;
    let placed = &adopted.placed;
    let is_refused = placed.is_refused() | unknown_names(args, &adopted, session);
    if args.check && args.output == PlaceForm::Github {
        let labels: Vec<&str> = texts.iter().map(|text| text.label.as_str()).collect();
        let help = if args.adopting.adopt || args.undo {
            "run `kron place` with `-i` instead of `--check`"
        } else {
            "run `kron place -i`"
        };
        let wanted = if args.undo { "the declared schedule" } else { "its place" };
        write_commands(&labels, placed, wanted, help, session)?;
    }
    if is_refused {
        session.remark("nothing is written");
        return Ok(ExitStatus::Error);
    }
    let changes = files.iter().zip(&placed.texts).filter(|(file, text)| file.text != **text);
    let changes: Vec<(&TextFile, &str)> = changes.map(|(file, text)| (file, text.as_str())).collect();
    if args.check {
        for (file, text) in changes.iter().filter(|_| args.output == PlaceForm::Text) {
            let name = label(&file.path);
            let diff = TextDiff::from_lines(file.text.as_str(), *text);
            write!(session.out, "{}", diff.unified_diff().header(&name, &name))?;
        }
        if args.output == PlaceForm::Text {
            summarize(args, &adopted, changes.len(), session);
            show(args, &texts, placed, options, session)?;
        }
        return Ok(if changes.is_empty() { ExitStatus::Success } else { ExitStatus::Failure });
    }
    tree::write(&changes)?;
    summarize(args, &adopted, changes.len(), session);
    show(args, &texts, placed, options, session)?;
    Ok(ExitStatus::Success)
}

/// Says how many schedules move, and how many files change.
fn summarize(args: &PlaceArgs, adopted: &Adopted, files: usize, session: &mut Session<'_>) {
    let schedules = &adopted.placed.schedules;
    if schedules.is_empty() && files == 0 && !args.adopting.adopt {
        // A note said so.
        return;
    }
    let changed = schedules.iter().filter(|schedule| schedule.changes()).count();
    let (all, files_of) = (plural(schedules.len(), "schedule"), plural(files, "file"));
    let place = if args.undo { "as declared" } else { "in place" };
    let moved = match args.check {
        true if files == 0 => format!("{all} {place}"),
        false if files == 0 => format!("{all} {place}; nothing to write"),
        true => format!("{changed} of {all} would move; {files_of} would change"),
        false => format!("{all} {place}, {changed} of them changed; {files_of} written"),
    };
    let verb = if args.check { "would be adopted" } else { "adopted" };
    let adopted =
        if args.adopting.adopt { format!("{} {verb}; ", adopted.adopted.len()) } else { String::new() };
    session.remark(&format!("{adopted}{moved}"));
}

/// Names the texts that are not read because of their encoding.
fn name_other_encodings(paths: &[PathBuf], session: &mut Session<'_>) {
    const NAMED: usize = 5;
    if paths.is_empty() {
        return;
    }
    let named: Vec<String> = paths.iter().take(NAMED).map(|path| label(path)).collect();
    let more = match paths.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("texts that are not UTF-8 are passed over: {}{more}", named.join(", "));
    session.report(&Diagnostic::note(message).help("write them in UTF-8"));
}

/// Passes over the documents of directories, and names those that speak of declarations.
fn pass_over_prose(files: &mut Vec<TextFile>, session: &mut Session<'_>) {
    let mut speaking = Vec::new();
    files.retain(|file| {
        let is_prose = !file.named && Source::new(&file.path.to_string_lossy(), "").is_prose();
        if is_prose && has_declarations(&file.text) {
            speaking.push(label(&file.path));
        }
        !is_prose
    });
    if !speaking.is_empty() {
        let message =
            format!("declarations in documents are examples, and are not read: {}", speaking.join(", "));
        session.report(&Diagnostic::note(message).help("name a document to read it all the same"));
    }
}

/// The path of a file below the directory that the arguments name.
fn below<'p>(path: &'p Path, paths: &[PathBuf]) -> &'p Path {
    paths.iter().find_map(|named| path.strip_prefix(named).ok()).unwrap_or(path)
}

/// A path from the root, without `..`: its folders say what kind of file it is, and in which repository.
fn full_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if !absolute.components().any(|part| part == Component::ParentDir) {
        return absolute;
    }
    let found = absolute.parent().zip(absolute.file_name());
    found.and_then(|(folder, name)| Some(folder.canonicalize().ok()?.join(name))).unwrap_or(absolute)
}

fn of_file(args: &PlaceArgs, paths: &[PathBuf], file: &TextFile, session: &Session<'_>) -> Text {
    let path = full_path(&file.path);
    // Crontabs of this machine.
    let is_of_machine = ["/etc", "/var/spool"].iter().any(|folder| path.starts_with(folder));
    let host = args.host.host.clone().or_else(|| is_of_machine.then(|| session.host_name()).flatten());
    let names = args.adopting.names(&path, &base(&path, paths), is_of_machine);
    Text {
        names,
        label: label(&file.path),
        path: path.to_string_lossy().into_owned(),
        text: file.text.clone(),
        by_content: file.named,
        host,
    }
}

/// Places the schedules of texts, adopts those that have no declaration if that is asked for, and reports what is found.
/// `of_cluster`: objects of a cluster that others keep are left alone.
fn placed(
    args: &PlaceArgs,
    texts: &[Text],
    options: &Options,
    of_cluster: bool,
    session: &mut Session<'_>,
) -> Result<Adopted, Stop> {
    let sources = texts.iter().map(|text| {
        let mut source = Source::new(&text.path, &text.text);
        source.by_content = text.by_content;
        source.host = text.host.as_deref();
        source.names = text.names.as_deref();
        source
    });
    let sources: Vec<Source<'_>> = sources.collect();
    let options = &Options { beside: tree::called_files(&sources), ..options.clone() };
    let chosen = args.adopting.chosen()?;
    let is_chosen = |name: &str| chosen.has(name);
    let placed = match args.adopting.adoption(&is_chosen, of_cluster) {
        Some(adoption) => {
            let mut adopted = adopt(&sources, options, &adoption);
            let old: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
            number_as_before(&old, &mut adopted.placed);
            adopted
        }
        None => Adopted::from(place(&sources, options)),
    };
    let waits = |found: &&ConvertFinding| found.finding.code == PlaceCode::HostUnknown.into();
    let waiting = placed.placed.findings.iter().filter(waits).count();
    for found in placed.placed.findings.iter().filter(|found| !waits(found)) {
        let file = texts.get(found.source).map(|text| text.label.as_str());
        session.report(&Diagnostic::of_conversion(found, file));
    }
    if waiting > 0 {
        let message = format!(
            "{} with `{{host}}` in the name: each host has its own places",
            plural(waiting, "schedule")
        );
        session.report(&Diagnostic::note(message).help("place them on a host by `kron place --host NAME`"));
    }
    if args.host.host.is_some() && !placed.placed.texts.iter().any(|text| text.contains("{host}")) {
        let note = Diagnostic::note("no name has `{host}`, so all hosts have the same places");
        session.report(&note.help("begin names with it: `--adopt --prefix '{host}/'`"));
    }
    report_left(&placed.left, |source| texts[source].label.clone(), session);
    if placed.placed.schedules.is_empty() && placed.placed.findings.is_empty() && placed.left.is_empty() {
        let adopt = args.adopting.adopt;
        let note = match adopt {
            true => "no schedule is found",
            false => "no schedule has a declaration",
        };
        let help = match adopt {
            true => {
                "schedules are found in CronJobs, crontabs, and under keys such as `schedule`, `cron` and `cronSchedule`"
            }
            false => {
                "write a comment such as `# kron: 0 0 * * * @win(after,2h) name=team/job` above a schedule, or let `--adopt \
                 --window 30m` write them"
            }
        };
        session.report(&Diagnostic::note(note).help(help));
    }
    Ok(placed)
}

/// Reports names of `--force` that no declaration has, and whether there are any.
fn unknown_names(args: &PlaceArgs, adopted: &Adopted, session: &mut Session<'_>) -> bool {
    let placed = &adopted.placed;
    let mut found = false;
    // A file with an error lists no schedules.
    for name in args.force.iter().filter(|_| !placed.is_refused()) {
        if !placed.schedules.iter().any(|schedule| schedule.name == *name) {
            session.report(&Diagnostic::error(format!("--force: no declaration has the name `{name}`")));
            found = true;
        }
    }
    found
}
