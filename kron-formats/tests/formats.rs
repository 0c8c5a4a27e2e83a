//! What every format has: a text that is recognized, read and a seed of the fuzz target, and its places in the documentation.

use std::fs;
use std::path::Path;

use kron_core::ErrorCode;
use kron_core::job::Modifier;
use kron_formats::LoadCode;
use kron_formats::convert::{ConvertCode, Format, Options, Output, Source, convert, recognize};

use crate::readers::{minutes, starts};
use crate::support::{converted, loaded};

/// The same times in every format: 03:30 from Monday to Friday, in UTC. And its section of `docs/guide/convert.md`.
pub const CASES: &[(Format, &str, &str)] = &[
    (
        Format::CronJob,
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: b}\nspec:\n  schedule: 30 3 * * 1-5\n  timeZone: \
         UTC\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n",
        "CronJobs",
    ),
    (Format::Crontab, "CRON_TZ=UTC\n30 3 * * mon-fri /usr/bin/backup\n", "Crontabs"),
    (Format::CronD, "CRON_TZ=UTC\n30 3 * * mon-fri root backup full\n", "Crontabs"),
    (Format::Jenkins, "pipeline { triggers { cron('''TZ=UTC\n30 3 * * 1-5''') } }\n", "Jenkins"),
    (Format::Systemd, "[Timer]\nOnCalendar=Mon..Fri 03:30 UTC\n", "systemd timers"),
    (
        Format::Argo,
        "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: etl}\nspec:\n  schedule: 30 3 * * 1-5\n  \
         timezone: UTC\n  workflowSpec: {}\n",
        "CronWorkflows",
    ),
    (Format::Quartz, "0 30 3 ? * 2-6\n", "Expressions"),
    (Format::Spring, "0 30 3 * * 1-5\n", "Expressions"),
    (Format::EventBridge, "cron(30 3 ? * 2-6 *)\n", "Expressions"),
    (Format::Croner, "30 3 * * 1-5\n", "Expressions"),
    (Format::NodeCron, "30 3 * * 1-5\n", "Expressions"),
    (
        Format::ApScheduler,
        "CronTrigger(day_of_week='0-4', hour=3, minute=30, timezone='UTC')\n",
        "Expressions",
    ),
];

/// Whose texts the others read as other days, so that none is recognized.
const NOT_RECOGNIZED: [Format; 4] = [Format::Quartz, Format::Spring, Format::Croner, Format::NodeCron];

#[track_caller]
fn case(format: Format) -> (&'static str, &'static str) {
    let case = CASES.iter().find(|(found, ..)| *found == format);
    case.map(|(_, text, section)| (*text, *section)).unwrap_or_else(|| panic!("{format} has no case here"))
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_format_is_read_and_recognized_where_no_other_has_its_text() {
    let want = minutes(|at| at.minute == 30 && at.hour == 3 && (1..=5).contains(&at.dow));
    for format in Format::ALL {
        let (text, _) = case(*format);
        let recognized = (!NOT_RECOGNIZED.contains(format)).then_some(*format);
        assert_eq!(recognize(text), recognized);
        assert_eq!(recognize(&format!("\u{feff}{text}")), recognized);
        let options = Options { format: recognized.xor(Some(*format)), ..Options::default() };
        let converted = converted(text, &options);
        assert_eq!((converted.converted, converted.refused), (1, 0), "{:?}", converted.findings);
        assert_eq!(starts(&loaded(&converted).jobs[0].job), want, "{format}");
        let is_manifest = converted.text.contains("kind: KronJob");
        assert_eq!(is_manifest, format.output() == Output::Manifests, "{}", converted.text);
    }
}

#[test]
fn every_format_is_documented() {
    let guide = read("../docs/guide/convert.md");
    let readme = read("README.md");
    let reference = read("../docs/reference/file-formats.md");
    for format in Format::ALL {
        let (_, section) = case(*format);
        assert!(
            guide.contains(&format!("\n## {section}\n")),
            "docs/guide/convert.md has no section {section}"
        );
        assert!(guide.contains(&format!("`{format}`")), "docs/guide/convert.md does not name `{format}`");
        assert!(
            reference.contains(&format!("\n## {section}\n")),
            "docs/reference/file-formats.md has no section {section}"
        );
        let table = reference.split("\n## ").next().unwrap_or_default().to_lowercase();
        assert!(
            table.contains(&format!("[{}](#", section.to_lowercase())),
            "the table of docs/reference/file-formats.md has no {section}"
        );
        let row = format!("| {} |", format.summary());
        assert!(readme.contains(&row), "README.md: {row}");
    }
}

/// Codes of conversions, of errors and of files are names of findings, side by side.
#[test]
fn codes_are_used_and_told_apart() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/error/convert");
    let files =
        fs::read_dir(folder).expect("the folder of messages").map(|file| file.expect("a file").path());
    let messages: String = files.map(|file| fs::read_to_string(file).expect("a file of messages")).collect();
    for code in ConvertCode::ALL {
        assert!(messages.contains(&format!("ConvertCode::{code:?},")), "no message has the code {code}");
        assert!(ErrorCode::ALL.iter().all(|other| other.as_str() != code.as_str()), "{code}");
        assert!(LoadCode::ALL.iter().all(|other| other.as_str() != code.as_str()), "{code}");
    }
}

/// Whatever modifier is the first, and with a byte order mark.
#[test]
fn job_files_are_no_sources() {
    for modifier in Modifier::ALL {
        let text = format!("0 3 * * * @{modifier}(x) command=/bin/x\n");
        for text in [format!("\u{feff}{text}"), text] {
            let refused = convert(&[Source { name: "file", text: &text }], &Options::default());
            let code = refused.map(|converted| converted.text).map_err(|found| found.finding.code);
            assert_eq!(code, Err(ConvertCode::JobFile.into()), "{text}");
        }
    }
}

/// Findings about a whole source follow those about its lines.
#[test]
fn findings_are_in_order_of_sources_and_lines() {
    let timer = "[Timer]\nOnCalendar=Foo 03:00\nOnCalendar=daily\nOnBootSec=5min\n";
    let sources = [("a.timer", timer), ("crontab", "0 3 * * * /bin/x\nMAILTO=a\n@reboot /bin/y\n")];
    let sources = sources.map(|(name, text)| Source { name, text });
    let findings = convert(&sources, &Options::default()).expect("a conversion").findings;
    let places: Vec<(usize, Option<usize>)> =
        findings.iter().map(|found| (found.source, found.line)).collect();
    // That no source names a time zone is said once.
    let lines = [(0, Some(2)), (0, Some(4)), (1, Some(2)), (1, Some(3)), (1, None), (1, None)];
    assert_eq!(places, lines, "{findings:?}");
}
