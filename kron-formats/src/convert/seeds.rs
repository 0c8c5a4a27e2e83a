//! Other seeds for KronJobs: the text of their manifests is edited, and everything but `spec.seed` stays as it is.

use std::collections::BTreeMap;

use crate::LoadOptions;
use kron_core::{Job, Seed, SeedStrategy};

use crate::convert::cronjob::Editor;
use crate::convert::cronjob::place::{Comments, Field, Value, entry};
use crate::convert::message::{Message, Refusal, Severity};
use crate::convert::options::Options;
use crate::convert::yaml::{Edits, Entry, Lines, Node, read};

/// The namespace of manifests that name none.
const NAMESPACE: &str = "default";

/// Gives KronJobs other seeds, in manifests in YAML or JSON. Comments, the order of fields and quotes stay, and so do other objects.
///
/// `seeds` has the names of the KronJobs, `namespace/name`. Of the options, the namespace of manifests that name none and the parser
/// count.
///
/// # Errors
///
/// A text that is not YAML, a name that no KronJob in it has, and a seed that cannot be written there, for example because a merge
/// key or an alias has the fields.
///
/// ```
/// use kron_formats::convert::{Options, with_seeds};
/// let text = "
/// apiVersion: kron.io/v1alpha1
/// kind: KronJob
/// metadata: {name: report, namespace: prod}
/// spec:
///   schedule: '@daily'  # at night
///   window: {duration: 1h}
///   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
/// ";
/// let seed = kron_core::Seed::new(kron_core::SeedStrategy::Fixed, "7")?;
/// let edited = with_seeds(text, &[("prod/report", &seed)], &Options::default())?;
/// assert_eq!(edited, text.replace("  # at night\n", "  # at night\n  seed:\n    strategy: fixed\n    salt: '7'\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_seeds(text: &str, seeds: &[(&str, &Seed)], options: &Options) -> Result<String, Message> {
    // A byte order mark is not part of the YAML, and stays.
    let (mark, text) = text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    let failed = |reason: &str| Message::new(Severity::Refusal, 0, reason);
    if text.replace("\r\n", "\n").contains('\r') {
        return Err(
            failed("the file has carriage returns without line feeds").help("save it with line feeds")
        );
    }
    let documents = read(text).map_err(|broken| broken.message(0))?;
    let namespace = options.namespace.clone().unwrap_or_else(|| NAMESPACE.to_string());
    let options = Options { namespace: Some(namespace), ..options.clone() };
    let lines = Lines::new(text);
    let mut wanted: BTreeMap<&str, &Seed> = seeds.iter().copied().collect();
    let mut edits = Edits::default();
    for document in &documents {
        let editor = Editor { text, lines: &lines, document, options: &options, source: 0 };
        for object in editor.objects().1 {
            let name = editor.name(object).filter(|_| editor.text_of(object, "kind") == Some("KronJob"));
            let Some(name) = name else { continue };
            let Some(seed) = wanted.remove(&*name) else { continue };
            editor.write_seed(object, seed, &mut edits).map_err(|refusal| Message {
                job: Some(name),
                ..refusal.message(0, lines.of(object.start) + 1)
            })?;
        }
    }
    if let Some(name) = wanted.keys().next() {
        let message =
            Message { job: Some((*name).to_string()), ..failed("this file has no KronJob of that name") };
        return Err(message.help("convert CronJobs first: `kron convert FILE`"));
    }
    let edited = edits.apply(text, 0..text.len());
    let edited = edited.filter(|edited| has_seeds(text, edited, seeds, &options));
    edited.map(|edited| format!("{mark}{edited}")).ok_or_else(|| {
        failed("the seeds cannot be written into this text").help("write one field a line, without aliases")
    })
}

/// Whether the edited text has the jobs of the text, with these seeds.
fn has_seeds(text: &str, edited: &str, seeds: &[(&str, &Seed)], options: &Options) -> bool {
    let load = options.namespace.iter().fold(LoadOptions::default(), |load, name| load.with_namespace(name));
    let jobs = |text: &str| {
        // The jobs of a text with errors elsewhere count.
        let loaded = crate::load(&options.parser, text, &load).unwrap_or_else(|error| error.loaded);
        loaded.jobs.into_iter().map(|loaded| loaded.job).collect::<Vec<Job>>()
    };
    let seeds: BTreeMap<&str, &Seed> = seeds.iter().copied().collect();
    let (old, new) = (jobs(text), jobs(edited));
    let agree = |(old, new): (&Job, &Job)| {
        let spec = match seeds.get(old.name()) {
            None => Ok(old.spec().clone()),
            Some(seed) => old.spec().to_builder().seed((*seed).clone()).build(),
        };
        old.name() == new.name() && spec.as_ref() == Ok(new.spec())
    };
    old.len() == new.len() && old.iter().zip(&new).all(agree)
}

impl<'a> Editor<'a> {
    /// Writes the seed of a KronJob.
    fn write_seed(&self, object: &'a Node, seed: &Seed, edits: &mut Edits) -> Result<(), Refusal> {
        let spec = object.get("spec").filter(|spec| spec.is_map());
        let spec = spec.ok_or_else(|| Refusal::new("`spec` is not a map").help("write its fields out"))?;
        self.writable("spec", spec)?;
        let (strategy, salt) = (seed.strategy().as_str(), seed.salt());
        let Some(present) = entry(spec, "seed") else {
            let schedule =
                entry(spec, "schedule").ok_or_else(|| Refusal::new("`spec.schedule` is missing"))?;
            // A block writes these values as they are.
            let salt = if spec.is_flow() { salt.to_string() } else { self.quoted(spec, salt) };
            let mut fields = Vec::new();
            if seed.strategy() != SeedStrategy::Stable {
                fields.push(("strategy", strategy.to_string(), Comments::default()));
            }
            if !seed.salt().is_empty() {
                fields.push(("salt", salt, Comments::default()));
            }
            if !fields.is_empty() {
                let field = Field { name: "seed", value: Value::Fields(fields) };
                self.insert(spec, schedule, &[field], edits);
            }
            return Ok(());
        };
        let map = &present.value;
        self.changeable("seed", map)?;
        self.writable("spec.seed", map)?;
        let Some(last) = map.entries().last() else {
            if !map.is_map() && !self.document.is_null(map) {
                return Err(Refusal::new("`spec.seed` is not a map").help("write its fields out"));
            }
            let mut fields = serde_json::Map::new();
            if seed.strategy() != SeedStrategy::Stable {
                fields.insert("strategy".to_string(), strategy.into());
            }
            if !salt.is_empty() {
                fields.insert("salt".to_string(), salt.into());
            }
            if !fields.is_empty() {
                self.write_value(present, &serde_json::Value::Object(fields).to_string(), edits);
            }
            return Ok(());
        };
        let mut missing = Vec::new();
        for (name, text, default) in
            [("strategy", strategy, SeedStrategy::Stable.as_str()), ("salt", salt, "")]
        {
            match entry(map, name) {
                Some(entry) if self.document.scalar(&entry.value).is_some_and(|(found, _)| found == text) => {
                }
                Some(entry) => self.write_value(entry, &self.quoted(map, text), edits),
                None if text == default => {}
                None => missing.push(Field { name, value: Value::Text(text.to_string()) }),
            }
        }
        if !missing.is_empty() {
            self.insert(map, last, &missing, edits);
        }
        Ok(())
    }

    /// Writes another value of an entry.
    fn write_value(&self, entry: &Entry, text: &str, edits: &mut Edits) {
        let value = &entry.value;
        if value.start < value.end {
            edits.replace(value.start..value.end, text);
            return;
        }
        // An empty value is anywhere behind the colon.
        let colon = self.text[entry.key.end..].find(':').map_or(entry.key.end, |at| entry.key.end + at + 1);
        edits.replace(colon..colon, format!(" {text}"));
    }
}
