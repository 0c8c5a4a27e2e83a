//! `kron prime`: the cron expressions that fire some time before a schedule.

use std::io::Write as _;

use clap::Args;
use kron_core::job::Modifier;
use kron_core::{Duration, ErrorCode, Instant as _, JobSpec, Zone};
use kron_formats::prime::PrimeAnswer;

use crate::args::SaveArgs;
use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::{instant, zone_of};
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::PrimeForm;
use crate::output::grouped::grouped;
use crate::output::json::Array;
use crate::output::plural::plural;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::{TimeArg, duration};

/// At most this many different reasons are printed.
const REFUSALS: usize = 10;

/// The arguments of `prime`.
#[derive(Debug, Args)]
pub(crate) struct PrimeArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    /// How long before each start, in whole minutes from 1m to 31d (required)
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true)]
    lead: Option<Duration>,

    /// Where no expressions fit exactly, print those that also fire at the fewest other times
    #[arg(long)]
    cover: bool,

    /// Warn about clock changes in the three years after this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    at: Option<TimeArg>,

    /// The time zone of a schedule that is given as a text; default: UTC
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,

    /// The form of the answer; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<PrimeForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for PrimeArgs {
    const HELP: Help = Help {
        about: "Print the cron expressions that fire some time before a schedule",
        example: "kron prime '0 9 * * MON-FRI' --lead 10m",
        range: None,
        notes: || {
            "Use the expressions in the time zone of the job. A job with a window or constraints has no such expressions. \
             For the jobs of files, each line has an expression and the name of the job, with a tab between them."
                .to_string()
        },
        exit_codes: "0 success; 1 there are no such expressions; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &PrimeArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let schedules = schedules(args, session)?;
    let lead =
        args.lead.ok_or_else(|| session.missing("--lead says how long before each start, and is missing"))?;
    let from = match args.at {
        Some(at) => instant("--at", at, &Zone::UTC, session)?.floor(),
        None => session.now().floor(),
    };
    let (mut refused, mut warned) = (Vec::new(), Vec::new());
    let mut array = Array::default();
    for (name, spec) in &schedules {
        let answer = match PrimeAnswer::new(spec, lead, args.cover, from) {
            Ok(answer) => answer,
            // A wrong lead is wrong for every job.
            Err(error) if error.code() == ErrorCode::OutOfBounds => return Err(error.into()),
            Err(error) => {
                refused.push(Diagnostic { name: name.clone(), ..Diagnostic::of_error(&error) });
                continue;
            }
        };
        match form {
            PrimeForm::Text => {
                for text in answer.primed.texts() {
                    match name {
                        Some(name) => writeln!(session.out, "{text}\t{name}")?,
                        None => writeln!(session.out, "{text}")?,
                    }
                }
            }
            PrimeForm::Json => array.item(&mut session.out, &answer.object(name.as_deref()))?,
        }
        for mut warning in warnings(&answer) {
            warning.name.clone_from(name);
            warned.push(warning);
        }
    }
    if form == PrimeForm::Json {
        array.end(&mut session.out)?;
    }
    grouped(warned).iter().for_each(|warning| session.report(warning));
    let count = refused.len();
    grouped(refused).iter().take(REFUSALS).for_each(|refusal| session.report(refusal));
    if count > REFUSALS {
        let all = plural(schedules.len(), "job");
        session.report(&Diagnostic::note(format!("{count} of {all} have no such expressions")));
    }
    Ok(if count == 0 { ExitStatus::Success } else { ExitStatus::Failure })
}

/// The schedules to prime: that of a text, without a name, or those of files.
fn schedules(args: &PrimeArgs, session: &mut Session<'_>) -> Result<Vec<(Option<String>, JobSpec)>, Stop> {
    // A schedule with rules of days cannot be primed.
    let request = Request { days: false, ..Request::new(&args.jobs, &args.reading, None, NameFor::None) };
    let input = Input::read(request, session)?.valid(session)?.pick(&args.pick)?;
    let zone = zone_of(args.tz.as_deref(), session)?;
    let is_text = input.is_text();
    if args.tz.is_some() && !is_text {
        let error = Diagnostic::error("--tz is the zone of a schedule that is given as a text");
        return Err(error.help("leave it out: each job of a file names its zone").into());
    }
    let mut schedules = Vec::new();
    for entry in input.entries {
        let name = (!is_text).then(|| entry.job().name().to_string());
        let text = entry.text.clone();
        let mut spec = entry.into_job().into_spec();
        if let (Some(_), Some(text)) = (&args.tz, text) {
            let written = session.parser()?.spec_with_modifiers(&text);
            let names_zone = written.is_ok_and(|(_, modifiers)| modifiers.contains(Modifier::Timezone));
            if names_zone && *spec.timezone() != zone {
                let error =
                    Diagnostic::error(format!("--tz is {zone}, and the text says {}", spec.timezone()));
                return Err(error.help("leave out `--tz`, or `@tz` in the text").into());
            }
            spec = spec.to_builder().timezone(zone.clone()).build()?;
        }
        schedules.push((name, spec));
    }
    Ok(schedules)
}

/// The warnings for users of the expressions.
fn warnings(PrimeAnswer { primed, changes, .. }: &PrimeAnswer) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    if primed.surplus() > 0 {
        let surplus = primed.surplus_per_year();
        warnings.push(Diagnostic::warning(format!(
            "the expressions also fire at {} other times a year on average",
            if surplus < 10.0 { format!("{surplus:.2}") } else { format!("{surplus:.0}") }
        )));
    }
    if !primed.is_minimal() {
        let message = "the search for fewer expressions ended at its limit; there may be a shorter answer";
        warnings.push(Diagnostic::warning(message));
    }
    warnings.extend(changes.iter().map(|change| Diagnostic::warning(change.to_string())));
    warnings
}
