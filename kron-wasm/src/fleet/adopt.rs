//! Files of other systems with declarations, and their schedules in their places.

use kron_core::place::WantedWindow;
use kron_core::{Duration, TzDatabase};
use kron_formats::place::{Adoption, Options, Source, adopt};
use kron_formats::read;
use serde::{Deserialize, Serialize};

use crate::answers::json;
use crate::failure::Failure;
use crate::handles::Handles;
use crate::instant::UnixTime;

use super::jobs::Fleet;
use super::sources::{FoundObject, SourceText, check_jobs};
use super::spread::{SpreadRange, placed_apart};

/// Declares the schedules of files that have no declaration, and places all of them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AdoptRequest {
    sources: Vec<SourceText>,
    /// The seconds of a window: at least 60.
    window_seconds: u32,
    /// What names begin with that follow from no object.
    prefix: String,
    timezone: Option<String>,
    namespace: Option<String>,
    /// The range in which starts are kept apart, if salts are chosen for this.
    spread: Option<SpreadRange>,
    /// The instant from which on changes of the clocks are looked at.
    at: Option<UnixTime>,
}

#[derive(Serialize)]
struct AdoptAnswer {
    /// The handle of the jobs of the texts.
    fleet: u32,
    /// A text for each source. If something is refused, they are as they were.
    texts: Vec<String>,
    placed: Vec<PlacedObject>,
    left: Vec<LeftObject>,
    findings: Vec<FoundObject>,
    refused: bool,
}

#[derive(Serialize)]
struct PlacedObject {
    source: usize,
    line: usize,
    name: String,
    declared: String,
    placed: String,
}

#[derive(Serialize)]
struct LeftObject {
    source: usize,
    line: usize,
    text: String,
    reason: &'static str,
}

pub(super) fn answer(fleets: &mut Handles<Fleet>, asked: &AdoptRequest) -> Result<String, Failure> {
    if asked.window_seconds < 60 {
        return Err(Failure::limit(
            format!("a window of {} seconds is shorter than a minute", asked.window_seconds),
            "choose a window of at least 60 seconds: cron starts at whole minutes",
        ));
    }
    let prefix = asked.prefix.trim_end_matches('/');
    let names: Vec<String> = (asked.sources.iter())
        .map(|source| match source.below() {
            "" => prefix.to_string(),
            names => format!("{prefix}/{names}"),
        })
        .collect();
    let timezone = asked.timezone.as_deref().map(|name| TzDatabase::COMPILED_IN.zone(name)).transpose()?;
    let options = Options {
        timezone,
        namespace: asked.namespace.clone(),
        from: asked.at.map(UnixTime::floor),
        ..Options::default()
    };
    let adoption = Adoption::new(WantedWindow::Long(Duration::from_secs(asked.window_seconds)));
    let reading = read::Options {
        timezone: asked.timezone.clone(),
        namespace: asked.namespace.clone(),
        ..read::Options::default()
    };
    // Placing takes far longer than reading, so too many jobs are refused before it.
    let texts: Vec<_> = asked.sources.iter().map(SourceText::to_read).collect();
    check_jobs(read::read(&texts, &reading).jobs.len())?;
    let sources: Vec<Source<'_>> =
        asked.sources.iter().zip(&names).map(|(source, names)| source.to_place(names)).collect();
    let mut adopted = adopt(&sources, &options, &adoption);
    if let Some(range) = asked.spread.filter(|_| !adopted.placed.is_refused()) {
        adopted.placed = placed_apart(&sources, &options, &adopted.placed, range)?;
    }
    let refused = adopted.placed.is_refused();
    if refused {
        adopted.placed.texts = asked.sources.iter().map(|source| source.text.clone()).collect();
        adopted.placed.schedules.clear();
    }
    let texts = asked.sources.iter().zip(&adopted.placed.texts);
    let texts: Vec<_> = texts.map(|(source, text)| source.to_read_as(text)).collect();
    let jobs = read::read(&texts, &reading).jobs;
    check_jobs(jobs.len())?;
    let fleet = fleets.keep(Fleet { jobs })?;
    let findings: Vec<FoundObject> = adopted.placed.findings.into_iter().map(FoundObject::of).collect();
    let placed = adopted.placed.schedules.into_iter().map(|schedule| PlacedObject {
        source: schedule.source,
        line: schedule.line,
        name: schedule.name,
        declared: schedule.declared,
        placed: schedule.placed,
    });
    let left = adopted.left.into_iter().map(|left| LeftObject {
        source: left.source,
        line: left.line,
        text: left.text,
        reason: left.reason.sentence(),
    });
    let (placed, left) = (placed.collect(), left.collect());
    json(&AdoptAnswer { fleet, texts: adopted.placed.texts, placed, left, refused, findings })
}
