//! Other seeds for KronJobs: the text of their manifests is edited, and everything but `spec.seed` stays as it is.

use std::collections::BTreeMap;

use kron_core::{Finding, Job, Seed, SeedStrategy};

use crate::convert::finding::ConvertFinding;
use crate::convert::manifest::{Comments, Editor, Field, Value, documents, entry};
use crate::convert::options::Options;
use crate::convert::yaml::{Edits, Entry, Lines, Node};
use crate::error::convert::{cronjob, seeds as messages};
use crate::load::{LoadOptions, load};

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
pub fn with_seeds(
    text: &str,
    seeds: &[(&str, &Seed)],
    options: &Options,
) -> Result<String, Box<ConvertFinding>> {
    // A byte order mark is not part of the YAML, and stays.
    let (mark, text) = text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    let documents = documents(0, text)?;
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
            let line = lines.of(object.start) + 1;
            editor
                .write_seed(object, seed, &mut edits)
                .map_err(|finding| Box::new(ConvertFinding::new(0, finding).at(line).of_job(Some(name))))?;
        }
    }
    if let Some(name) = wanted.keys().next() {
        let missing = ConvertFinding::new(0, messages::no_such_kronjob());
        return Err(Box::new(missing.of_job(Some((*name).to_string()))));
    }
    let edited = edits.apply(text, 0..text.len());
    let edited = edited.filter(|edited| has_seeds(text, edited, seeds, &options));
    let edited = edited.map(|edited| format!("{mark}{edited}"));
    edited.ok_or_else(|| Box::new(ConvertFinding::new(0, messages::not_written())))
}

/// Whether the edited text has the jobs of the text, with these seeds.
fn has_seeds(text: &str, edited: &str, seeds: &[(&str, &Seed)], options: &Options) -> bool {
    let names = options.namespace.iter();
    let reading = names.fold(LoadOptions::default(), |reading, name| reading.with_namespace(name));
    let jobs = |text: &str| {
        // The jobs of a text with errors elsewhere count.
        let loaded = load(&options.parser, text, &reading).unwrap_or_else(|error| error.loaded);
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
    fn write_seed(&self, object: &'a Node, seed: &Seed, edits: &mut Edits) -> Result<(), Finding> {
        let spec = object.get("spec").filter(|spec| spec.is_map());
        let spec = spec.ok_or_else(|| messages::not_a_map("spec"))?;
        self.writable("spec", spec)?;
        let (strategy, salt) = (seed.strategy().as_str(), seed.salt());
        let Some(present) = entry(spec, "seed") else {
            let schedule = entry(spec, "schedule").ok_or_else(|| cronjob::missing("spec.schedule"))?;
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
                return Err(messages::not_a_map("spec.seed"));
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
