//! What a source is, by its path and its content.

use kron_core::{Finding, Parser};

use super::keys::keys_of;
use super::source::{Jobs, Options, Source};
use crate::convert::yaml::{has_kind, may_have_object};
use crate::convert::{Format, candidates, crontab, is_job_file, recognize_file, without_mark};
use crate::error::convert::source as messages;
use crate::kronjob::KIND;
use crate::load::is_yaml_or_json;
use crate::place::has_declarations;

/// The kinds of objects that hold jobs.
const KINDS: [&str; 3] = [KIND, "CronJob", "CronWorkflow"];

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A job file.
    JobFile,
    /// Objects of Kubernetes, each of its own kind.
    Manifests,
    /// Schedules of another system.
    Schedules(Format),
    /// Keys with schedules, in YAML, TOML or JSON.
    Keys,
}

impl Source<'_> {
    /// Whether jobs may be in it, in whatever format. It is not read for this, so files without any can be passed over early.
    #[must_use]
    pub fn may_have_jobs(&self) -> bool {
        !matches!(self.kind(&Options::default()), Ok(None)) || has_declarations(self.text)
    }

    /// Whether it is a job file, in which comments declare nothing.
    #[must_use]
    pub fn is_job_file(&self) -> bool {
        matches!(self.kind(&Options::default()), Ok(Some(Kind::JobFile)))
    }

    /// What it is; nothing if it holds no schedule. An error is one of the whole source.
    pub(super) fn kind(&self, options: &Options) -> Result<Option<Kind>, Finding> {
        let text = without_mark(self.text);
        match options.format {
            Some(format) => Ok(Some(Kind::Schedules(format))),
            None if options.jobs == Jobs::OfKron => {
                Ok(Some(if is_yaml_or_json(text) { Kind::Manifests } else { Kind::JobFile }))
            }
            None if self.is_named => match by_content(self.path, text, &options.parser)? {
                // Objects without a kind are KronJobs with an error, or no objects at all.
                Kind::Manifests
                    if !KINDS.iter().any(|kind| has_kind(text, kind)) && !keys_of(self).is_empty() =>
                {
                    Ok(Some(Kind::Keys))
                }
                kind => Ok(Some(kind)),
            },
            None => by_path(self.path, text),
        }
    }
}

/// What a file is that somebody names.
fn by_content(path: &str, text: &str, parser: &Parser) -> Result<Kind, Finding> {
    if extension_of(path) == "toml" {
        return Ok(Kind::Keys);
    }
    if path.ends_with(".kron") || is_job_file(text, parser) || has_lines_of_fields(text) {
        return Ok(Kind::JobFile);
    }
    if name_of(path) == "anacrontab" || crontab::is_anacrontab(text) {
        return Err(messages::anacrontab());
    }
    // Lines of texts in YAML are none of a crontab.
    let is_yaml = is_yaml_or_json(text) && recognize_file(path, "").is_none();
    let is_line = |format: &Format| matches!(format, Format::Crontab | Format::CronD);
    match recognize_file(path, text).filter(|format| !(is_yaml && is_line(format))) {
        Some(Format::CronJob | Format::Argo) => return Ok(Kind::Manifests),
        Some(format) => return Ok(Kind::Schedules(format)),
        // Declarations can stand in any text.
        None if has_declarations(text) && !KINDS.iter().any(|kind| has_kind(text, kind)) => {
            return Ok(Kind::Keys);
        }
        None if is_yaml_or_json(text) => return Ok(Kind::Manifests),
        None => {}
    }
    // An expression of five fields may be a job whose name is missing.
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let candidates = candidates(text);
    if !candidates.is_empty() && lines.next().is_some_and(|line| parser.spec(line).is_err()) {
        return Err(messages::format_unclear(&candidates, Format::WORDS));
    }
    if crontab::has_lines(text) { Err(messages::users_unclear()) } else { Ok(Kind::JobFile) }
}

/// Whether a line has a name behind its times, and further fields only: a job, even if its times are wrong.
fn has_lines_of_fields(text: &str) -> bool {
    if is_yaml_or_json(text) {
        return false;
    }
    let rests = text.lines().map(str::trim).filter_map(crontab::after_times);
    let mut rests = rests.filter(|rest| rest.starts_with("name="));
    rests.any(|rest| rest.split([' ', '\t']).all(|word| word.contains('=')))
}

/// What a file of a folder is.
fn by_path(path: &str, text: &str) -> Result<Option<Kind>, Finding> {
    let name = name_of(path);
    let extension = &*extension_of(path);
    let recognized = |formats: &[Format]| recognize_file(path, text).filter(|found| formats.contains(found));
    let format = match extension {
        _ if name == "anacrontab" => None,
        "kron" if path.ends_with(".kron") => return Ok(Some(Kind::JobFile)),
        // Patches in it are texts.
        "yaml" | "yml" if name.starts_with("kustomization.") => None,
        "yaml" | "yml" | "json" => {
            // A definition of the kind, or a list of what is watched, names it without an object.
            let has_jobs = KINDS.iter().any(|kind| may_have_object(text, kind));
            return Ok(if has_jobs {
                Some(Kind::Manifests)
            } else {
                may_have_keys(text).then_some(Kind::Keys)
            });
        }
        "toml" | "jsonc" | "json5" => return Ok(may_have_keys(text).then_some(Kind::Keys)),
        "timer" | "service" => recognized(&[Format::Systemd]),
        "xml" | "groovy" | "jenkinsfile" => recognized(&[Format::Jenkins]),
        _ if name == "Jenkinsfile" => recognized(&[Format::Jenkins]),
        _ if extension == "cron" || name == "crontab" || folder_of(path) == "crontabs" => {
            match recognized(&[Format::Crontab, Format::CronD]) {
                None if crontab::has_lines(text) => return Err(messages::users_unclear()),
                found => found,
            }
        }
        _ => crontab::format_of_path(path),
    };
    Ok(format.map(Kind::Schedules))
}

/// Whether a text has a word of which the keys of schedules consist.
fn may_have_keys(text: &str) -> bool {
    ["schedule", "cron"].iter().any(|word| text.contains(word))
}

/// In lower case.
fn extension_of(path: &str) -> String {
    name_of(path).rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn folder_of(path: &str) -> &str {
    path.rsplit('/').nth(1).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_folders_are_what_their_paths_say() {
        let p = |path: &str, text: &str| Source::new(path, text).kind(&Options::default());
        let line = "0 3 * * * /usr/bin/backup\n";
        for (path, text, want) in [
            ("jobs/a.kron", "anything", Some(Kind::JobFile)),
            ("a.yaml", "kind: KronJob\n", Some(Kind::Manifests)),
            ("a.yml", "kind: CronWorkflow\n", Some(Kind::Manifests)),
            ("a.json", "{\"kind\": \"CronJobList\"}", Some(Kind::Manifests)),
            ("a.yaml", "kind: Service\n", None),
            // Definitions and lists of what is watched name a kind. A template cannot be read.
            ("crd.yaml", "kind: CustomResourceDefinition\nspec: {names: {kind: KronJob}}\n", None),
            ("flux.yaml", "kind: Kustomization\nspec:\n  healthChecks:\n  - kind: KronJob\n", None),
            ("values.yaml", "healthChecks:\n- kind: \"KronJob\"\n", None),
            ("list.yaml", "- kind: KronJob\n  name: a\n", None),
            ("a.yaml", "items:\n- kind: KronJob\n", Some(Kind::Manifests)),
            ("a.yaml", "kind: KronJob\n{{ if }}\n", Some(Kind::Manifests)),
            ("kustomization.yaml", "patches:\n- patch: |\n    kind: CronJob\n", None),
            ("A.YML", "kind: KronJob\n", Some(Kind::Manifests)),
            ("a.yaml", line, None),
            ("values.yaml", "schedule: 0 3 * * *\n", Some(Kind::Keys)),
            ("a.toml", "cron = '0 3 * * *'\n", Some(Kind::Keys)),
            ("README.md", line, None),
            ("etc/cron.d/a", line, Some(Kind::Schedules(Format::CronD))),
            ("crontabs/ann", line, Some(Kind::Schedules(Format::Crontab))),
            ("deploy/crontab", line, Some(Kind::Schedules(Format::Crontab))),
            ("web.cron", "0 3 * * * root /usr/bin/backup\n", Some(Kind::Schedules(Format::CronD))),
            ("web.cron", "# none\n", None),
            ("etc/anacrontab", line, None),
            ("a.timer", "[Timer]\nOnCalendar=daily\n", Some(Kind::Schedules(Format::Systemd))),
            ("a.service", "no unit", None),
            (
                "Jenkinsfile",
                "pipeline { triggers { cron('@daily') } }",
                Some(Kind::Schedules(Format::Jenkins)),
            ),
            ("pom.xml", "<project/>", None),
            ("quartz.txt", "0 0 3 ? * 6L\n", None),
        ] {
            assert_eq!(p(path, text), Ok(want), "{path}: {text}");
        }
        let code = p("web.cron", "0 3 * * * backup full\n").map_err(|finding| finding.code.as_str());
        assert_eq!(code, Err("format-unclear"));
    }

    #[test]
    fn named_files_are_what_their_content_shows() {
        let p = |text: &str| {
            Source::new("-", text).named().kind(&Options::default()).map_err(|it| it.code.as_str())
        };
        for (text, want) in [
            ("0 3 * * * name=a\n", Kind::JobFile),
            ("61 3 * * * name=a\n", Kind::JobFile),
            ("0 3 * * *\n", Kind::JobFile),
            ("@daily\n", Kind::JobFile),
            ("# none\n", Kind::JobFile),
            ("nonsense\n", Kind::JobFile),
            ("0 3 * * * name=x ./run.sh\n", Kind::Schedules(Format::Crontab)),
            ("kind: [", Kind::Manifests),
            ("{}", Kind::Manifests),
            ("backup:\n  schedule: 0 3 * * *\n", Kind::Keys),
            ("schedule: weekly\n", Kind::Manifests),
            // Texts in it are no lines of a job file.
            ("kind: CronJob\nx: >-\n  0 3 * * * @win(after,1h)\n", Kind::Manifests),
            ("x: |\n  0 3 * * * @win(after,1h) name=a\nschedule: 0 3 * * *\n", Kind::Keys),
            ("kind: ConfigMap\ndata:\n  a: |\n    0 3 * * * name=a owner=b\n", Kind::Manifests),
            ("kind: CronJob\n---\nkind: KronJob\n", Kind::Manifests),
            ("[Timer]\nOnCalendar=daily\n", Kind::Schedules(Format::Systemd)),
            ("cron(0 3 ? * 6L *)\n", Kind::Schedules(Format::EventBridge)),
        ] {
            assert_eq!(p(text), Ok(Some(want)), "{text}");
        }
        for text in ["0 0 3 ? * 6L\n", "0 3 * * * backup full\n"] {
            assert_eq!(p(text), Err("format-unclear"), "{text}");
        }
        assert_eq!(p("1\t5\tcron.daily\trun-parts x\n"), Err("not-expressible"));
    }
}
