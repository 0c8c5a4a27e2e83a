//! Jobs of files in any format, read together.

use std::collections::BTreeSet;

use kron_core::{Parser, Severity};
use kron_formats::convert::{self, Format, convert};
use kron_formats::read::{Differences, Jobs, Options, Origin, Read, Source, read};
use kron_formats::{LoadOptions, load};
use proptest::prelude::*;

use crate::formats::CASES;
use crate::support::loaded;

fn names(read: &Read) -> Vec<&str> {
    read.jobs.iter().map(|job| job.loaded.job.name()).collect()
}

fn messages(read: &Read) -> Vec<String> {
    read.findings.iter().map(ToString::to_string).collect()
}

const KRONJOB: &str = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: first, namespace: prod}\nspec:\n  schedule: '0 0 * * *'\n  \
                       jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n";
const CRONJOB: &str = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: second, namespace: prod}\nspec:\n  schedule: '0 1 * * *'\n  \
                       jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n";
const WORKFLOW: &str = "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: third}\nspec:\n  timezone: UTC\n  schedules:\n  \
                        - 0 2 * * *\n  - 0 3 * * *\n  workflowSpec: {}\n";
const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n";

/// The second reading: the text that `convert` makes is loaded as any file of Kron.
#[test]
fn every_format_is_read_as_it_is_converted() {
    for (format, text, _) in CASES {
        let options = convert::Options { format: Some(*format), ..convert::Options::default() };
        let converted = convert(&[convert::Source { name: "-", text }], &options).expect("a conversion");
        let wanted = loaded(&converted);
        let options = Options { format: Some(*format), ..Options::default() };
        let read = read(&[Source::new("-", text).named()], &options);
        assert!(read.errors.is_empty() && read.unread.is_empty(), "{format}: {read:?}");
        let canonical = |job: &kron_core::Job| (job.name().to_string(), job.spec().to_string());
        let found: Vec<_> = read.jobs.iter().map(|job| canonical(&job.loaded.job)).collect();
        let wanted: Vec<_> = wanted.jobs.iter().map(|job| canonical(&job.job)).collect();
        assert_eq!(found, wanted, "{format}");
        assert_eq!(read.jobs[0].origin, Origin::Schedule(*format));
    }
}

#[test]
fn each_document_is_read_by_its_own_kind() {
    let text = [SERVICE, WORKFLOW, CRONJOB, SERVICE, KRONJOB].join("---\n");
    let read = read(&[Source::new("all.yaml", &text)], &Options::default());
    assert_eq!(names(&read), ["third", "third-2", "prod/second", "prod/first"]);
    let places: Vec<_> =
        read.jobs.iter().map(|job| (job.loaded.line, job.loaded.document, job.origin)).collect();
    let line = |part: &str| Some(text.lines().position(|line| line.contains(part)).expect("a line") + 1);
    assert_eq!(
        places,
        [
            (line("0 2"), None, Origin::Schedule(Format::Argo)),
            (line("0 3"), None, Origin::Schedule(Format::Argo)),
            (line("0 1"), Some(1), Origin::Schedule(Format::CronJob)),
            (None, Some(5), Origin::Kron)
        ]
    );
    let notes: Vec<&str> = read.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(
        notes,
        [
            "3 schedules of other systems are read as jobs: cronjob (1), argo (2)",
            "2 objects are not jobs, and are ignored: v1 Service (2)"
        ]
    );
    assert!(
        read.findings.iter().all(|found| found.finding.severity == Severity::Note),
        "{:?}",
        messages(&read)
    );
    let of_kron = Options { jobs: Jobs::OfKron, ..Options::default() };
    let read = kron_formats::read::read(&[Source::new("all.yaml", &text)], &of_kron);
    assert_eq!(names(&read), ["prod/first"]);
    assert_eq!(
        read.notes[0].message,
        "4 objects are not KronJobs, and are ignored: argoproj.io/v1alpha1 CronWorkflow, batch/v1 CronJob, v1 Service (2)"
    );
}

#[test]
fn a_source_that_cannot_be_read_leaves_the_others() {
    let template = CRONJOB.replace("name: second", "name: {{ .Release.Name }}");
    let sources = [
        Source::new("chart/templates/a.yaml", &template),
        Source::new("a.target", "[Unit]\nDescription=none\n").named(),
        Source::new("a.timer", "[Timer]\nOnCalendar=daily\nUnit=b.service\n"),
        Source::new("b.service", "[Service]\nExecStart=/usr/bin/b\n"),
        Source::new("all.yaml", CRONJOB),
        Source::new("notes.md", "0 3 * * * /usr/bin/backup\n"),
    ];
    let read = read(&sources, &Options::default());
    assert_eq!(names(&read), ["a", "prod/second"]);
    let unread: Vec<usize> = read.unread.iter().map(|found| found.source).collect();
    assert_eq!(unread, [0, 1]);
    assert_eq!(
        read.unread[0].finding.help.as_deref(),
        Some("render templates first, for example by `helm template`")
    );
    assert!(read.jobs[0].loaded.fields.iter().any(|(key, value)| key == "command" && value == "/usr/bin/b"));
}

#[test]
fn what_is_left_out_says_so() {
    let texts = [
        ("crontab", "MAILTO=ops\n@reboot /bin/a\n0 0 30 2 * /bin/b\n0 3 * * * /bin/c\n".to_string()),
        ("cronjob.yaml", CRONJOB.replace("0 1 * * *", "0 0 30 2 *")),
        ("other.yaml", CRONJOB.replace("0 1 * * *", "@every 1h").replace("second", "other")),
        ("patch.yaml", CRONJOB.replace("  schedule: '0 1 * * *'\n", "")),
    ];
    let sources: Vec<Source<'_>> = texts.iter().map(|(path, text)| Source::new(path, text)).collect();
    let options = Options { timezone: Some("UTC".to_string()), ..Options::default() };
    let found = read(&sources, &options);
    assert_eq!(names(&found), ["c"]);
    let said: Vec<(Severity, String)> =
        found.findings.iter().map(|found| (found.finding.severity, found.to_string())).collect();
    let said: Vec<(Severity, &str)> =
        said.iter().map(|(severity, text)| (*severity, text.as_str())).collect();
    let never = "`0 0 30 2 *` matches no date, so the job never starts, and is left out";
    assert_eq!(
        said,
        [
            (
                Severity::Warning,
                "line 2: this schedule is left out: `@reboot` is not a time; start the command by the system's service manager"
            ),
            (Severity::Warning, &*format!("line 3: {never}")),
            (Severity::Warning, &*format!("line 5: prod/second: {never}")),
            (
                Severity::Note,
                "1 CronJob has no `timeZone`, which means the time zone of the controller manager; they are read in UTC, as \
                 most controller managers are"
            ),
            (
                Severity::Warning,
                "line 1: prod/other: this schedule is left out: spec.schedule: `@every` is not a calendar schedule; write \
                 `0 * * * *`"
            ),
            (Severity::Note, "line 1: prod/second: this schedule is left out: `spec.schedule` is missing"),
        ]
    );
    let all = read(&sources, &Options { differences: Differences::All, ..options });
    assert!(messages(&all).iter().any(|message| message.contains("MAILTO")), "{:?}", messages(&all));
}

/// Each job of a crontab has all settings above it.
#[test]
fn settings_hold_for_a_most_number_of_jobs() {
    let text = |settings: usize, jobs: usize| {
        let settings: String = (0..settings).map(|i| format!("A{i}=b\n")).collect();
        format!("{settings}{}", "0 3 * * * /bin/a\n".repeat(jobs))
    };
    let (few, many) = (text(12, 2000), text(1000, 300));
    let found = read(&[Source::new("crontab", &few), Source::new("web.cron", &many)], &Options::default());
    assert_eq!(found.jobs.iter().filter(|job| job.source == 0).count(), 2000);
    // A job has a command beside its settings: each counts with 985 fields.
    assert_eq!(found.jobs.iter().filter(|job| job.source == 1).count(), 250_000 / 985);
    let unread: Vec<String> = found.unread.iter().map(ToString::to_string).collect();
    let message = "the jobs up to here have more than 250000 settings in all; read the files in parts, or set fewer variables";
    assert_eq!(unread, [format!("line 1254: {message}")]);
}

/// All of them have one name, so they get numbers.
#[test]
fn declarations_of_one_name_are_told_apart() {
    let text = "# kron: 0 0 * * * @win(after,1h) name=my/a\n52 0 * * * /bin/a\n".repeat(3);
    let found = read(&[Source::new("crontab", &text)], &Options::default());
    assert_eq!(names(&found), ["my/a", "my/a-2", "my/a-3"]);
    let options = Options { declared: true, ..Options::default() };
    assert_eq!(names(&read(&[Source::new("crontab", &text)], &options)), ["my/a"; 3]);
}

/// The same base with two overlays, and a KronJob of the same name.
#[test]
fn schedules_of_other_systems_get_free_names() {
    let kronjob = KRONJOB.replace("first", "second");
    let sources = [
        Source::new("a/x.yaml", CRONJOB),
        Source::new("b/x.yaml", CRONJOB),
        Source::new("c/x.yaml", &kronjob),
    ];
    let read = read(&sources, &Options::default());
    assert_eq!(names(&read), ["prod/second-2", "prod/second-3", "prod/second"]);
    assert!(read.errors.is_empty() && read.unread.is_empty());
}

#[test]
fn the_zone_of_the_machine_is_said_once() {
    let text = "0 3 * * * root /usr/bin/backup\n";
    let sources = [Source::new("/etc/cron.d/a", text), Source::new("/etc/cron.d/b", text)];
    let zones = |timezone: Option<&str>| {
        let zone = |name: &str| Some(name.to_string());
        let options = Options {
            timezone: timezone.and_then(zone),
            host_timezone: zone("Europe/Paris"),
            ..Options::default()
        };
        let read = read(&sources, &options);
        let zones: BTreeSet<String> =
            read.jobs.iter().map(|job| job.loaded.job.spec().timezone().to_string()).collect();
        (zones.into_iter().collect::<Vec<_>>(), read.findings.len())
    };
    assert_eq!(zones(None), (vec!["Europe/Paris".to_string()], 1));
    assert_eq!(zones(Some("Asia/Tokyo")), (vec!["Asia/Tokyo".to_string()], 0));
}

/// Schedules that are only a text in a file.
#[test]
fn schedules_under_keys_are_jobs() {
    let release = "apiVersion: velero.io/v1\nkind: Schedule\nmetadata: {name: nightly}\nspec: {schedule: '@daily'}\n---\napiVersion: \
                   argoproj.io/v1alpha1\nkind: AppProject\nspec:\n  syncWindows:\n  - {schedule: 0 1 * * *, duration: 1h}\n";
    let workflow = "on:\n  schedule:\n    - cron: '0 3 * * 1'\n    - cron: '0 3 * * 1'\njobs: {}\n";
    let values = "# Values.\nbackup:\n  schedule: 0 2 * * *\n  timeZone: Europe/Paris\nother:\n  schedule: '{{ x }}'\n  cron: weekly\nlate: \
                  {cronSchedule: 0 0 30 2 *}\n";
    let sources = [
        Source::new("velero/all.yaml", release).with_names("velero/all"),
        Source::new("repo/.github/workflows/nightly.yml", workflow).with_names(".github/workflows/nightly"),
        Source::new("values.yaml", values).with_names("values"),
        Source::new("tool.toml", "[job]\ncron = '0 4 * * *'\n").with_names("tool"),
        Source::new("tool.json5", "// jobs\n{job: {cron: '0 5 * * *'}}\n"),
        Source::new("also.jsonc", "{\"crons\": [\"0 7 * * *\", // in, \"0 8 * * *\"\n]}").with_names("also"),
        Source::new("odd.yaml", "\"a\\nb\":\n  cron: 0 6 * * *\n").with_names("odd"),
    ];
    let options = Options { timezone: Some("Asia/Tokyo".to_string()), ..Options::default() };
    let found = read(&sources, &options);
    let jobs: Vec<(usize, Option<usize>, String)> = found
        .jobs
        .iter()
        .map(|job| {
            (job.source, job.loaded.line, format!("{} {}", job.loaded.job.spec(), job.loaded.job.name()))
        })
        .collect();
    let jobs: Vec<(usize, Option<usize>, &str)> =
        jobs.iter().map(|(at, line, job)| (*at, *line, job.as_str())).collect();
    assert_eq!(
        jobs,
        [
            (0, Some(4), "0 0 * * * @tz(Asia/Tokyo) velero/all/nightly/spec.schedule"),
            (1, Some(3), "0 3 * * 1 .github/workflows/nightly/on.schedule.0.cron"),
            (1, Some(4), "0 3 * * 1 .github/workflows/nightly/on.schedule.1.cron"),
            (2, Some(3), "0 2 * * * @tz(Europe/Paris) values/backup.schedule"),
            (3, Some(2), "0 4 * * * @tz(Asia/Tokyo) tool/job.cron"),
            (4, Some(2), "0 5 * * * @tz(Asia/Tokyo) job.cron"),
            (5, Some(1), "0 7 * * * @tz(Asia/Tokyo) also/crons.0"),
            (6, Some(2), "0 6 * * * @tz(Asia/Tokyo) odd/a\u{fffd}b.cron"),
        ]
    );
    assert_eq!(
        found.notes[0].message,
        "8 schedules of other systems are read as jobs: keys such as `schedule` (8)"
    );
    let said = messages(&found);
    assert!(
        said.len() == 1 && said[0].starts_with("line 8: this schedule is left out: schedule"),
        "{said:?}"
    );
}

/// A job by its canonical text, for a table.
fn shown(read: &Read) -> Vec<String> {
    let text = |job: &kron_core::Job| format!("{} name={}", job.spec(), job.name());
    read.jobs.iter().map(|job| text(&job.loaded.job)).collect()
}

#[test]
fn placed_schedules_are_read_as_they_stand_or_as_declared() {
    let cronjob = CRONJOB
        .replace(
            "namespace: prod}",
            "namespace: prod, annotations: {kron.io/spread: '0 1 * * * @win(after,1h)'}}",
        )
        .replace("'0 1 * * *'\n", "'7 1 * * *'\n  timeZone: Europe/Paris\n  suspend: true\n");
    let texts = [
        (
            "etc/cron.d/web",
            "CRON_TZ=Asia/Tokyo\n# kron: 0 3 * * * @win(after,1h) name=web/clean\n11 3 * * * root /bin/clean\n",
        ),
        ("cronjob.yaml", &*cronjob),
        ("values.yaml", "a:\n  schedule: 5 2 * * *  # kron: 0 2 * * * @win(after,20m) name=ops/a\n"),
        ("main.tf", "# kron: 0 4 * * * @win(after,20m) name=ops/tf\nschedule = \"9 4 * * *\"\n"),
        (
            "x.yaml",
            "# kron: 0 4 * * * @win(after,1h) name={host}/x\nschedule: 8 4 * * *\n# kron: 61 0 * * * name=y\ncron: 1 1 * * *\n",
        ),
    ];
    let sources: Vec<Source<'_>> = texts.iter().map(|(path, text)| Source::new(path, text)).collect();
    let as_placed = read(&sources, &Options::default());
    assert_eq!(
        shown(&as_placed),
        [
            "11 3 * * * @tz(Asia/Tokyo) @policy(concurrency=allow,deadline=1m0s) name=web/clean",
            "7 1 * * * @tz(Europe/Paris) @policy(concurrency=allow,deadline=8784h0m0s,suspend=true) name=prod/second",
            "5 2 * * * name=ops/a",
            "9 4 * * * name=ops/tf",
            "8 4 * * * name=schedule",
            "1 1 * * * name=cron",
        ]
    );
    // Each schedule has its declared job beside it, even if the host in its name is not known.
    let declared =
        as_placed.jobs.iter().map(|job| Some(job.loaded.declared.as_ref()?.spec().schedule().to_string()));
    let expected =
        [Some("0 3 * * *"), Some("0 1 * * *"), Some("0 2 * * *"), Some("0 4 * * *"), Some("0 4 * * *"), None];
    assert_eq!(declared.collect::<Vec<_>>(), expected.map(|text| text.map(str::to_string)));
    let options = Options { declared: true, ..Options::default() };
    let as_declared = read(&sources, &options);
    let jobs = shown(&as_declared);
    assert_eq!(
        jobs[..4],
        [
            "0 3 * * * @tz(Asia/Tokyo) @win(after,1h0m0s) @seed(fixed) @policy(concurrency=allow,deadline=1m0s) name=web/clean",
            "0 1 * * * @tz(Europe/Paris) @win(after,1h0m0s) @seed(fixed) \
             @policy(concurrency=allow,deadline=8784h0m0s,suspend=true) name=prod/second",
            "0 2 * * * @win(after,20m0s) @seed(fixed) name=ops/a",
            "0 4 * * * @win(after,20m0s) @seed(fixed) name=ops/tf",
        ]
    );
    // What cannot be declared stays as it stands, and says so.
    assert_eq!(jobs[4..], shown(&as_placed)[4..]);
    assert!(as_declared.jobs.iter().all(|job| job.loaded.declared.is_none()));
    let said = messages(&as_declared);
    assert!(
        said.len() == 3 && said[1].contains("{host}") && said[2].starts_with("line 4: schedule.minute"),
        "{said:?}"
    );
    let of_host: Vec<Source<'_>> = sources.iter().map(|source| source.on_host(Some("web-1"))).collect();
    assert_eq!(names(&read(&of_host, &options))[4], "web-1/x");
}

/// A part of a text in any format, or something else.
fn part() -> impl Strategy<Value = String> {
    let cases = CASES.iter().map(|(_, text, _)| (*text).to_string());
    let others = [
        KRONJOB,
        CRONJOB,
        WORKFLOW,
        SERVICE,
        "0 3 * * * name=a\n",
        "---\n",
        "{{ x }}\n",
        "\u{feff}",
        "- [",
        "@",
    ];
    let all: Vec<String> = cases.chain(others.map(str::to_string)).collect();
    prop_oneof![4 => prop::sample::select(all), 1 => "\\PC{0,12}\n?"]
}

proptest! {
    /// Whatever the texts are, nothing panics, each source has jobs or is named or has none, and the jobs of Kron are those of `load`.
    #[test]
    fn any_texts_are_read(
        texts in prop::collection::vec(prop::collection::vec(part(), 0..4), 0..4),
        path in prop::sample::select(vec!["a.kron", "a.yaml", "etc/cron.d/a", "a.timer", "Jenkinsfile", "x.txt"]),
        is_named: bool,
    ) {
        let texts: Vec<String> = texts.into_iter().map(|parts| parts.concat()).collect();
        let source = |text| Source::new(path, text);
        let sources: Vec<Source<'_>> =
            texts.iter().map(|text| if is_named { source(text).named() } else { source(text) }).collect();
        let found = read(&sources, &Options::default());
        let mut names = BTreeSet::new();
        for job in &found.jobs {
            prop_assert!(job.source < sources.len());
            // The jobs of Kron can have a name twice, as those of several files.
            prop_assert!(job.origin == Origin::Kron || names.insert(job.loaded.job.name()), "{}", job.loaded.job.name());
        }
        let of_kron = Options { jobs: Jobs::OfKron, ..Options::default() };
        for source in &sources {
            let found = read(&[*source], &of_kron);
            let jobs = load(&Parser::new(), source.text, &LoadOptions::default())
                .map_or_else(|error| error.loaded.jobs, |loaded| loaded.jobs);
            prop_assert_eq!(found.jobs.len(), jobs.len());
        }
    }
}

/// A patch is counted as it is before and after it has a declaration, and once for each object.
#[test]
fn patches_are_counted_alike() {
    let patch = "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: a\nspec:\n  schedule: 25 3 * * *\n";
    let declared = format!("# kron: 0 3 * * * @win(after,1h) name=x\n{patch}");
    let declared = declared.replacen("spec:\n", "spec:\n  # kron: 25 3 * * * @win(after,1h) name=x\n", 1);
    let declared = declared.split_once('\n').unwrap().1.to_string();
    for text in [patch, &declared] {
        for named in [false, true] {
            let source = Source::new("overlay/patch.yaml", text).with_names("overlay/patch");
            let found = read(&[if named { source.named() } else { source }], &Options::default());
            assert_eq!((found.jobs.len(), found.jobs[0].loaded.line.is_some()), (1, true), "{text}");
            assert!(found.unread.is_empty() && found.errors.is_empty(), "{:?}", found.unread);
        }
    }
    let patch = patch.replace("name: a", "name: a\n  namespace: n");
    let sources = [Source::new("a.yaml", &patch), Source::new("b.yaml", &patch)];
    let found = read(&sources, &Options::default());
    assert_eq!(names(&found), ["n/a"]);
}

/// A patch of an object has the declaration of the object, and is no second job.
#[test]
fn a_patch_of_a_declared_object_is_no_second_job() {
    let base = "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: a\n  namespace: n\n  annotations:\n    kron.io/spread: 0 3 * * * \
                @win(after,1h)\nspec:\n  schedule: 25 3 * * *\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n";
    let (patch, _) = base.split_once("  jobTemplate").unwrap();
    for declared in [false, true] {
        for texts in [[base, patch], [patch, base]] {
            let sources = [Source::new("a/one.yaml", texts[0]), Source::new("a/two.yaml", texts[1])];
            let options = Options { declared, ..Options::default() };
            let found = read(&sources, &options);
            let names: Vec<&str> = found.jobs.iter().map(|job| job.loaded.job.name()).collect();
            assert_eq!(names, ["n/a"], "declared: {declared}");
        }
    }
}
