//! Declarations for schedules that have none.

use kron_core::place::WantedWindow;
use kron_core::{Duration, WindowMode, Zone};
use kron_formats::place::{Adopted, Adoption, LeftReason, Mode, Options, Source, adopt, place};
use proptest::prelude::*;
use proptest::sample::select;

fn hour() -> Adoption<'static> {
    Adoption::new(WantedWindow::Long(Duration::parse("1h").unwrap()))
}

fn adopted(path: &str, text: &str) -> Adopted {
    let out = adopt(&[Source::new(path, text).named("fleet/x")], &Options::default(), &hour());
    let plain = place(
        &[Source::new(path, &out.placed.texts[0])],
        &Options { mode: Mode::Undo, ..Options::default() },
    );
    if !text.contains("kron") {
        assert_eq!(plain.texts[0], text, "undone: {:?}", plain.findings);
    }
    let again = place(&[Source::new(path, &out.placed.texts[0])], &Options::default());
    assert_eq!(again.texts, out.placed.texts, "placed again");
    out
}

/// The lines that are not in the text before.
fn new_lines(path: &str, text: &str) -> Vec<String> {
    let out = adopted(path, text);
    assert!(!out.adopted.is_empty(), "{text}: {:?}", out.left);
    assert!(out.placed.findings.is_empty(), "{:?}", out.placed.findings);
    let old: Vec<&str> = text.lines().collect();
    let new = out.placed.texts[0].lines().filter(|line| !old.contains(line));
    new.map(str::to_string).collect()
}

fn reasons(path: &str, text: &str) -> Vec<(usize, LeftReason)> {
    let out = adopted(path, text);
    assert!(out.placed.findings.is_empty(), "{:?}", out.placed.findings);
    out.left.iter().map(|left| (left.line, left.reason)).collect()
}

#[test]
fn comments_in_files_of_keys() {
    assert_eq!(
        new_lines("values.yaml", "a:\n  b:\n    - schedule: \"0 3 * * *\" # nightly\n"),
        [
            "    # kron: 0 3 * * * @win(after,1h) name=fleet/x/a.b.0.schedule",
            "    - schedule: \"36 3 * * *\" # nightly"
        ]
    );
    assert_eq!(
        new_lines("wrangler.toml", "[backup]\ncron = \"0 3 * * *\"\n")[0],
        "# kron: 0 3 * * * @win(after,1h) name=fleet/x/backup.cron"
    );
    assert_eq!(
        new_lines("jobs.jsonc", "{\n  // nightly\n  \"cronSchedule\": \"0 3 * * *\",\n}\n")[0],
        "  // kron: 0 3 * * * @win(after,1h) name=fleet/x/cronSchedule"
    );
    assert_eq!(
        new_lines(
            ".github/workflows/a.yml",
            "on:\n  schedule:\n    - cron: '0 3 * * *'\n      timezone: Europe/Paris\n"
        )[0],
        "    # kron: 0 3 * * * @win(after,1h) name=fleet/x/on.schedule.0.cron"
    );
    let windows = adopted("values.yaml", "schedule: 0 3 * * *\r\n").placed.texts[0].clone();
    assert!(
        windows.starts_with("# kron: 0 3 * * * @win(after,1h) name=fleet/x/schedule\r\nschedule: "),
        "{windows}"
    );
    let marked = adopted("values.yaml", "\u{feff}schedule: 0 3 * * *").placed.texts[0].clone();
    assert!(
        marked.starts_with("\u{feff}# kron: 0 3 * * * @win(after,1h) name=fleet/x/schedule\nschedule: "),
        "{marked}"
    );
    // Files that are joined have a mark inside.
    let joined = "\n\u{feff}schedule: 0 3 * * *\n";
    let placed = adopted("values.yaml", joined).placed.texts[0].clone();
    assert!(placed.starts_with("\n\u{feff}# kron: 0 3 * * * @win(after,1h) "), "{placed:?}");
    let undo = Options { mode: Mode::Undo, ..Options::default() };
    assert_eq!(place(&[Source::new("values.yaml", &placed)], &undo).texts[0], joined);
}

/// Nobody must ask where a schedule went, whatever key it has and whatever text it is in.
#[test]
fn schedules_of_other_keys_and_inner_texts_are_named() {
    use LeftReason::{InTemplate, InText, JsonPatch, OpensWindow, OtherKey, OtherSyntax, Template};
    let values = "nightlySchedule: 0 3 * * *\nbackup_cron: '@daily'\nhour: 1 2 3 4 5\nname: {x: '@weekly'}\n\
        env:\n- name: CLEAN_SCHEDULE\n  value: '@hourly'\n- {start: 0 8 * * *, end: 0 9 * * *}\n# kron: keep\nreport: 0 4 * * *\n";
    assert_eq!(
        reasons("values.yaml", values),
        [
            (1, OtherKey),
            (2, OtherKey),
            (4, OtherKey),
            (7, OtherKey),
            (8, OpensWindow),
            (8, OpensWindow),
            (10, LeftReason::Kept)
        ]
    );
    let named = adopted("values.yaml", values);
    assert_eq!(named.left[0].text, "nightlySchedule: 0 3 * * *");
    let application = "kind: Application\nspec:\n  helm:\n    values: |\n      a:\n        schedule: \"0 1 * * *\"\n    \
        parameters:\n    - name: a.schedule\n      value: 0 2 * * 0\n";
    assert_eq!(reasons("application.yaml", application), [(6, InText), (9, OtherKey)]);
    let kustomization = "patches:\n- target: {kind: CronJob}\n  patch: |-\n    - op: replace\n      path: /spec/schedule\n      \
        value: \"0 4 * * *\"\n- patch: |-\n    - {op: replace, path: /spec/schedule, value: 0 5 * * *}\n- patch: |-\n    \
        kind: CronJob\n    spec:\n      schedule: 0 6 * * *\n";
    assert_eq!(reasons("kustomization.yaml", kustomization), [(6, JsonPatch), (8, JsonPatch), (12, InText)]);
    let json = r#"[{"op": "replace", "path": "/spec/schedule", "value": "0 2 * * 0"}]"#;
    assert_eq!(reasons("patch.json", json), [(1, JsonPatch)]);
    let template = "{{- if .Values.on }}\nspec:\n  schedule: \"0 3 * * *\"\n  other: x\n---\nspec:\n  schedule: {{ .x }}\n{{ end }}\n";
    assert_eq!(reasons("templates/a.yaml", template), [(3, InTemplate), (7, Template)]);
    assert_eq!(reasons("main.tf", "a {\n  schedule = \"0 3 * * *\"\n}\n"), [(2, OtherSyntax)]);
    assert_eq!(reasons("README.md", "    schedule: 0 3 * * *\n"), []);
}

#[test]
fn further_keys_are_adopted() {
    let keys = ["nightlySchedule".to_string()];
    let text = "nightlySchedule: 0 3 * * *\nother: 0 4 * * *\n";
    let source = Source::new("values.yaml", text).named("fleet/x");
    let out = adopt(&[source], &Options::default(), &Adoption { keys: &keys, ..hour() });
    assert!(
        out.placed.texts[0].starts_with("# kron: 0 3 * * * @win(after,1h) name=fleet/x/nightlySchedule\n")
    );
    assert_eq!((out.adopted.len(), out.left.len()), (1, 1));
}

/// What is counted before is counted afterwards.
#[test]
fn what_starts_nothing_is_not_adopted() {
    use LeftReason::{NoCommand, UnknownZone};
    assert_eq!(
        reasons("crontab", "0 3 * * *\n0 3 * * * \n@daily\n0 4 * * * x\n"),
        [(1, NoCommand), (2, NoCommand), (3, NoCommand)]
    );
    assert_eq!(reasons("cron.d/a", "0 3 * * * root\n0 4 * * * root x\n"), [(1, NoCommand)]);
    assert_eq!(reasons("cron.d/b", "CRON_TZ=Mars/Base\n0 4 * * * root x\n"), [(2, UnknownZone)]);
    let workflow = "on:\n  schedule:\n    - cron: '0 3 * * *'\n      timezone: Mars/Base\n";
    assert_eq!(reasons(".github/workflows/a.yml", workflow), [(3, UnknownZone)]);
}

/// The minutes that adopting leaves out itself are nothing to warn of.
#[test]
fn own_clauses_are_no_warning() {
    let source = Source::new("values.yaml", "schedule: 45 1 * * *\n").named("x");
    let options = Options {
        timezone: Some(Zone::parse("Europe/Berlin").unwrap()),
        from: Some(1_767_225_600),
        ..Options::default()
    };
    let out = adopt(&[source], &options, &hour());
    assert!(out.placed.texts[0].contains("@avoid(between=02:00-02:59)"), "{}", out.placed.texts[0]);
    assert!(out.placed.findings.is_empty(), "{:?}", out.placed.findings);
    let by_hand = out.placed.texts[0].replace("02:59", "02:58");
    let again = place(&[Source::new("values.yaml", &by_hand)], &options);
    assert_eq!(again.findings.len(), 1, "{:?}", again.findings);
}

#[test]
fn crontabs() {
    let text = "MAILTO=root\n# clean\n 0\t3 * * *  root /usr/bin/clean --all\n@daily root run-parts /etc/x\n@reboot root a\n*/5 * * * * root b\n5/15 * * * * root c\n";
    let lines = new_lines("/etc/cron.d/web", text);
    assert_eq!(lines[0], " # kron: 0\t3 * * * @win(after,1h) name=fleet/x/clean");
    assert!(lines[1].ends_with(" 3 * * *  root /usr/bin/clean --all"), "{lines:?}");
    assert_eq!(lines[2], "# kron: @daily @win(after,1h) name=fleet/x/run-parts");
    assert_eq!(
        reasons("/etc/cron.d/web", text),
        [(5, LeftReason::NotPlain), (6, LeftReason::TooOften), (7, LeftReason::CronsDiffer)]
    );
    // By content only where a person names the file.
    let entries = "0 3 * * * /usr/bin/clean\n";
    assert_eq!(adopted("notes.txt", entries).adopted.len(), 0);
    let named = adopt(&[Source::new("-", entries).by_content().named("x")], &Options::default(), &hour());
    assert_eq!(named.adopted.len(), 1);
    let zoned = "CRON_TZ=Europe/Berlin\n0 1 * * * clean\n";
    let options = Options { from: Some(1_767_225_600), ..Options::default() };
    let out = adopt(&[Source::new("crontab", zoned).named("x")], &options, &hour());
    assert!(
        out.placed.texts[0].contains("@win(after,1h) @avoid(between=02:00-02:59) name=x/clean"),
        "{:?}",
        out
    );
    assert!(out.placed.findings.is_empty(), "{:?}", out.placed.findings);
}

const CRON_JOB: &str =
    "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: backup\nspec:\n  schedule: \"0 3 * * *\"\n";

/// Editors of Windows write a mark before a text. It stays there, and is no part of the first line.
#[test]
fn texts_with_a_byte_order_mark() {
    for (path, text) in [
        ("cron.d/a", "0 3 * * * root /bin/a\n"),
        ("values.yaml", "backup:\n  schedule: 0 3 * * *\n"),
        ("values.yaml", "schedule: 0 3 * * *\n"),
    ] {
        let plain = adopted(path, text);
        let marked = adopted(path, &format!("\u{feff}{text}"));
        assert_eq!((plain.placed.schedules.len(), marked.placed.schedules.len()), (1, 1), "{marked:?}");
        assert_eq!(marked.placed.texts[0], format!("\u{feff}{}", plain.placed.texts[0]));
        // What is declared in the first line is placed and taken back.
        let again = place(&[Source::new(path, &marked.placed.texts[0])], &Options::default());
        assert_eq!((&again.texts, again.schedules.len()), (&marked.placed.texts, 1));
        let undo = Options { mode: Mode::Undo, ..Options::default() };
        let undone = place(&[Source::new(path, &marked.placed.texts[0])], &undo);
        assert_eq!(undone.texts[0], format!("\u{feff}{text}"));
    }
}

#[test]
fn annotations() {
    let annotation = "    kron.io/spread: \"0 3 * * * @win(after,1h) name=fleet/x/backup\"";
    assert_eq!(new_lines("a.yaml", CRON_JOB)[..2], ["  annotations:", annotation]);
    let spaced = CRON_JOB.replace("  name: backup\n", "  namespace: ops\n  name: backup\n");
    assert_eq!(new_lines("a.yaml", &spaced)[1], "    kron.io/spread: \"0 3 * * * @win(after,1h)\"");
    let others = CRON_JOB.replace("  name:", "  annotations:\n    # why\n    a: b\n  name:");
    assert_eq!(new_lines("a.yaml", &others)[0], annotation);
    let flow =
        CRON_JOB.replace("metadata:\n  name: backup\n", "metadata: {name: backup, annotations: {a: b}}\n");
    assert_eq!(
        new_lines("a.yaml", &flow)[0],
        "metadata: {name: backup, annotations: {kron.io/spread: \"0 3 * * * @win(after,1h) name=fleet/x/backup\", a: b}}"
    );
    let list = "apiVersion: v1\nkind: List\nitems:\n- ".to_string()
        + CRON_JOB.trim_end().replace('\n', "\n  ").as_str()
        + "\n";
    assert_eq!(adopted("a.yaml", &list).adopted.len(), 1);
    let json = "{\n  \"apiVersion\": \"batch/v1\",\n  \"kind\": \"CronJob\",\n  \"metadata\": {\n    \"name\": \"backup\"\n  },\n  \"spec\": {\n    \"schedule\": \"0 3 * * *\"\n  }\n}\n";
    assert_eq!(
        new_lines("a.json", json)[0],
        "    \"annotations\": {\"kron.io/spread\": \"0 3 * * * @win(after,1h) name=fleet/x/backup\"},"
    );
    let compact = json.split_whitespace().collect::<String>().replace("03***", "0 3 * * *");
    assert_eq!(adopted("a.json", &compact).adopted.len(), 1);
    let workflow = CRON_JOB
        .replace("batch/v1", "argoproj.io/v1alpha1")
        .replace("CronJob", "CronWorkflow")
        .replace("schedule: \"0 3 * * *\"", "schedules:\n    - \"0 3 * * *\"\n  args: ['{{inputs.x}}']");
    assert_eq!(new_lines("a.yaml", &workflow)[1], annotation);
    // A name of another script stays one line of ASCII.
    let odd = CRON_JOB.replace("name: backup", "name: \"r\\u00fcck\\u2028\"");
    assert_eq!(
        new_lines("a.yaml", &odd)[1],
        "    kron.io/spread: \"0 3 * * * @win(after,1h) name=\\\"fleet/x/r\\\\u{fc}ck\\\\u{2028}\\\"\""
    );
}

#[test]
fn what_is_left_alone() {
    use LeftReason::*;
    let of = |text: &str| reasons("a.yaml", text);
    assert_eq!(of("schedule: '*/9 * * * *'\n"), [(1, TooOften)]);
    assert_eq!(of("schedule: 0 0 31 2 *\n"), [(1, Never)]);
    assert_eq!(of("schedule: 59 23 * * *\n"), [(1, NoRoom)]);
    assert_eq!(of("schedule: '@every 1h'\ncron: 0 0 0 * * *\n"), [(1, NotPlain), (2, NotPlain)]);
    assert_eq!(of("w:\n- schedule: 0 3 * * *\n  duration: 1h\n"), [(2, OpensWindow)]);
    assert_eq!(
        of("cron: &a 0 3 * * *\nx: *a\nschedule: *a\n"),
        [(1, NotItsBytes), (2, OtherKey), (3, NotItsBytes)]
    );
    assert_eq!(of("cron: >-\n  0 3 * * *\n"), [(1, NotItsBytes)]);
    assert_eq!(of("cron: \"0 3 * * \\x2a\"\n"), [(1, NotItsBytes)]);
    assert_eq!(of("x: {cron: 0 3 * * *}\n"), [(1, NotItsBytes)]);
    assert_eq!(of("x: &d\n  cron: 0 3 * * *\ny:\n  <<: *d\n"), [(2, NotItsBytes)]);
    assert_eq!(of("x: {cron: '0 3 * * *', schedule: '0 4 * * *'}\n"), [(1, NotItsLine), (1, NotItsLine)]);
    assert_eq!(of("schedule: ['0 3 * * *']\n"), [(1, OneLineList)]);
    assert_eq!(
        of("cron: 0 3 * * * # kron: keep\n# kron: keep\nschedule: 0 3 * * *\n"),
        [(1, Kept), (3, Kept)]
    );
    assert_eq!(of("# kron: 0 3 * * * @win(after,1h) name=a\ncron: 0 3 * * *\n"), [(2, Declared)]);
    assert_eq!(
        of("{{ if .x }}\nschedule: {{ .Values.s }}\ncron: '0 3 * * *'\n{{ end }}\n"),
        [(2, Template), (3, InTemplate)]
    );
    assert_eq!(of("a: [\ncron: '0 3 * * *'\n"), [(2, Broken)]);
    assert_eq!(of("cron: 0 3 * * *\nsops:\n  version: 3\n"), [(1, Sops)]);
    assert_eq!(of("# Code generated by x. DO NOT EDIT.\ncron: 0 3 * * *\n"), [(2, Generated)]);
    assert_eq!(reasons("a.json", "{\"cron\": \"0 3 * * *\"}"), [(1, StrictJson)]);
    assert_eq!(reasons("a.jsonc", "{// x\n\"cron\": \"0 3 * * *\", \"x\": \"y\nz\"}"), [(2, Broken)]);
    let compares = "on:\n  schedule:\n  - cron: 0 3 * * *\nenv:\n  x: ${{ github.event.schedule }}\n";
    assert_eq!(reasons(".github/workflows/a.yml", compares), [(3, Compared)]);
    assert_eq!(of(&CRON_JOB.replace("batch", "kron.io").replace("CronJob", "KronJob")), [(6, KronJob)]);
    assert_eq!(
        of(&CRON_JOB.replace("  name: backup\n", "  name: backup\n  annotations:\n")),
        [(7, Annotations)]
    );
    assert_eq!(of(&CRON_JOB.replace("  name: backup\n", "  labels: {a: b}\n")), [(6, NoName)]);
    assert_eq!(of(&CRON_JOB.replace("name: backup", "name: '{{ .Release.Name }}'")), [(6, Template)]);
    assert_eq!(of("schedule2: 0 3 * * *\n"), [(1, OtherKey)]);
    assert_eq!(reasons("a.tf", "schedule = \"0 3 * * *\"\n"), [(1, OtherSyntax)]);
    // No schedules.
    assert_eq!(of("schedule: weekly\ncron:\n  a: 1\nschedule3: []\n"), []);
}

/// A name can be any text, also one that looks like code which compares schedules.
#[test]
fn a_name_compares_nothing() {
    let text = "env:\n  f: $GITHUB_EVENT_PATH\non:\n  schedule:\n  - cron: 0 3 * * *\n";
    let source = Source::new(".github/workflows/a.yml", text).named("x/event.schedule");
    let out = adopt(&[source], &Options::default(), &hour());
    assert_eq!((out.adopted.len(), out.placed.findings.len()), (1, 0), "{:?}", out.placed.findings);
    let again = place(&[Source::new(".github/workflows/a.yml", &out.placed.texts[0])], &Options::default());
    assert_eq!((&again.texts, again.findings.len()), (&out.placed.texts, 0));
}

#[test]
fn what_a_workflow_calls_may_compare() {
    let calling =
        |called: &str| format!("on:\n  schedule:\n  - cron: 0 3 * * *\njobs:\n  a:\n    uses: {called}\n");
    let left = |first: &str, path: &str, text: &str| {
        let sources = [
            Source::new("repo/.github/workflows/a.yml", first).named("x"),
            Source::new(path, text).named("y"),
            Source::new("repo/actions/between/action.yml", "runs:\n  steps:\n  - uses: ./actions/last\n"),
            Source::new("repo/actions/last/action.yml", "runs: ${{ github.event.schedule }}\n"),
        ];
        let out = adopt(&sources, &Options::default(), &hour());
        assert!(out.placed.findings.is_empty(), "{:?}", out.placed.findings);
        out.left.iter().map(|left| (left.source, left.line, left.reason)).collect::<Vec<_>>()
    };
    let compared = [(0, 3, LeftReason::Compared)];
    let script = "on: workflow_call\nenv:\n  x: ${{ github.event.schedule }}\n";
    let path = "repo/.github/workflows/b.yaml";
    assert_eq!(left(&calling("./.github/workflows/b.yaml"), path, script), compared);
    assert_eq!(left(&calling("./.github/workflows/b.yaml"), path, "on: workflow_call\n"), []);
    assert_eq!(left(&calling("./.github/workflows/b.yaml"), "other/.github/workflows/b.yaml", script), []);
    assert_eq!(left(&calling("./actions/between"), "repo/x.yaml", ""), compared);
    assert_eq!(left(&calling("owner/actions/last@v1"), "repo/x.yaml", ""), []);
}

#[test]
fn names_are_chosen_and_free() {
    let text = "---\nschedule: 0 3 * * *\n---\nschedule: 0 3 * * *\n";
    let lines = new_lines("a.yaml", text);
    assert!(
        lines[0].ends_with("name=fleet/x/schedule") && lines[2].ends_with("name=fleet/x/schedule-2"),
        "{lines:?}"
    );
    let chosen = Adoption { chosen: &|name| name.ends_with("-2"), ..hour() };
    let out = adopt(&[Source::new("a.yaml", text).named("a")], &Options::default(), &chosen);
    assert_eq!((out.adopted.len(), out.left[0].reason), (0, LeftReason::NotChosen));
    let without = adopt(&[Source::new("-", text).by_content()], &Options::default(), &hour());
    assert!(without.placed.is_refused() && without.placed.texts[0] == text);
    let options = Options { namespace: Some("ops".into()), ..Options::default() };
    let other = adopt(&[Source::new("-", text).by_content()], &options, &hour());
    assert_eq!(other.left[0].reason, LeftReason::NoPrefix);
    let of_namespace = adopt(&[Source::new("-", CRON_JOB).by_content()], &options, &hour());
    assert_eq!(of_namespace.placed.schedules[0].name, "ops/backup");
}

fn live(extra: &str) -> String {
    format!(
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: batch/v1\n  kind: CronJob\n  metadata:\n    name: backup\n    namespace: ops\n    uid: a-b\n{extra}  spec:\n    schedule: '0 3 * * *'\n"
    )
}

#[test]
fn objects_of_a_cluster() {
    use kron_formats::place::apply_configurations;
    let of_cluster = Adoption { of_cluster: true, ..hour() };
    let run = |text: &str| {
        let out = adopt(&[Source::new("-", text).by_content()], &Options::default(), &of_cluster);
        let applied = apply_configurations(text, &out.placed.texts[0]).unwrap();
        (out.left.iter().map(|left| left.reason).collect::<Vec<_>>(), applied)
    };
    let (left, applied) = run(&live(""));
    assert!(left.is_empty() && applied.may_start_at_once);
    assert_eq!(
        applied.text,
        "---\n{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\",\"metadata\":{\"annotations\":{\"kron.io/spread\":\"0 3 * * * @win(after,1h)\"},\
         \"name\":\"backup\",\"namespace\":\"ops\"},\"spec\":{\"schedule\":\"25 3 * * *\"}}\n"
    );
    for (extra, reason) in [
        ("    ownerReferences: [{kind: X, name: y}]\n", LeftReason::Owned),
        ("    annotations: {meta.helm.sh/release-name: x}\n", LeftReason::Helm),
        ("    annotations: {argocd.argoproj.io/tracking-id: x}\n", LeftReason::ArgoCd),
        ("    labels: {kustomize.toolkit.fluxcd.io/name: x}\n", LeftReason::Flux),
        ("    labels: {helm.toolkit.fluxcd.io/name: x}\n", LeftReason::Flux),
    ] {
        let (left, applied) = run(&live(extra));
        assert_eq!((left, applied.text.as_str()), (vec![reason], ""), "{extra}");
    }
    // Taken back: the annotation is left out, so that the server removes it.
    let declared = live("    annotations: {kron.io/spread: '0 3 * * * @win(after,1h)'}\n")
        .replace("'0 3 * * *'\n", "'25 3 * * *'\n");
    let undo = Options { mode: Mode::Undo, ..Options::default() };
    let undone = place(&[Source::new("-", &declared).by_content()], &undo);
    let applied = apply_configurations(&declared, &undone.texts[0]).unwrap();
    assert!(applied.text.contains(
        "\"metadata\":{\"name\":\"backup\",\"namespace\":\"ops\"},\"spec\":{\"schedule\":\"0 3 * * *\"}"
    ));
}

fn part() -> impl Strategy<Value = String> {
    let cron = select(vec![
        "0 3 * * *",
        "\"0 3 * * *\"",
        "'15 */6 * * 1-5'",
        "@daily",
        "\"@weekly\"",
        "'*/7 * * * *'",
        "0 0 31 2 *",
        "'5/20 * * * *'",
        "{{ x }}",
        "weekly",
        "&a '0 1 * * *'",
        "*a",
        "|\n    0 3 * * *",
        "['0 3 * * *', '0 4 * * *']",
        "59 23 * * *",
        "'0 3 * * * # x'",
    ]);
    let shape = select(vec![
        "a:\n  schedule: CRON\n",
        "a:\n  - cron: CRON # why\n  - schedule: CRON\n",
        "# kron: keep\ncron: CRON\n",
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: b\nspec:\n  schedule: CRON\n",
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  annotations:\n    c: d\n  name: b\n  namespace: n\nspec: {schedule: CRON}\n",
        "kind: CronWorkflow\napiVersion: argoproj.io/v1alpha1\nmetadata: {name: c, namespace: d}\nspec:\n  schedules:\n  - CRON\n",
        "kind: CronJob\napiVersion: batch/v1\nmetadata:\n- name: c\nspec:\n  schedule: CRON\n",
        "CRON root /usr/bin/clean\n",
        "x: |\n  schedule: CRON\n",
        "{\"cron\": CRON}\n",
        "cron = CRON\n",
        "sops: {}\n",
        "\u{feff}schedule: CRON\r\n",
    ]);
    (shape, cron).prop_map(|(shape, cron)| shape.replace("CRON", cron))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Undoing an adoption gives the first text to the byte, and adopting or placing again changes nothing.
    #[test]
    fn undo_of_adopt_is_the_identity(
        parts in proptest::collection::vec(part(), 0..5),
        between in select(vec!["", "---\n", "\n"]),
        path in select(vec!["a.yaml", "crontab", ".github/workflows/a.yml", "a.json", "a.toml", "-"]),
        mode in select(vec![WindowMode::After, WindowMode::Before, WindowMode::Around]),
        window in select(vec!["20m", "2h", "30h"]),
        zone in select(vec!["UTC", "Europe/Berlin"]),
    ) {
        let text = parts.join(between);
        let mut source = Source::new(path, &text).named("fleet");
        source.by_content = path == "-";
        let options = Options { timezone: Zone::parse(zone).ok(), from: Some(1_767_225_600), ..Options::default() };
        let adoption = Adoption { mode, ..Adoption::new(WantedWindow::Long(Duration::parse(window).unwrap())) };
        let out = adopt(&[source.clone()], &options, &adoption);
        prop_assert!(!out.placed.is_refused(), "{:?}", out.placed.findings);
        prop_assert_eq!(out.adopted.len(), out.placed.schedules.len());
        let after = out.placed.texts[0].clone();
        let mut again = source.clone();
        again.text = &after;
        let undo = Options { mode: Mode::Undo, ..options.clone() };
        let undone = place(&[again.clone()], &undo);
        prop_assert_eq!(&undone.texts[0], &text, "{:?} {}", undone.findings, after);
        prop_assert_eq!(&place(&[again.clone()], &options).texts[0], &after);
        let twice = adopt(&[again], &options, &adoption);
        prop_assert_eq!((&twice.placed.texts[0], twice.adopted.len()), (&after, 0));
    }

    /// No text makes it panic.
    #[test]
    fn any_text(text in "(schedule: |cron = |[0-9*/, -]{1,12}|0 3 \\* \\* \\*|@daily|['\"`:=\\[\\]{}\n é]|kind: CronJob\n|metadata:\n  |# kron: ){0,40}") {
        for path in ["a.txt", "crontab", "a.yaml", "a.json", "a.toml", "-"] {
            let mut source = Source::new(path, &text).named("fleet");
            source.by_content = path == "-";
            let out = adopt(&[source], &Options::default(), &hour());
            prop_assert!(!out.placed.is_refused() || text.contains("kron:"), "{path}: {:?}", out.placed.findings);
        }
    }
}

#[test]
fn crontabs_by_content() {
    for text in ["@daily root /usr/bin/clean\n", "0 3 * * * **:"] {
        let source = Source::new("-", text).by_content().named("fleet");
        let out = adopt(&[source], &Options::default(), &hour());
        assert!(!out.placed.is_refused(), "{text}: {:?}", out.placed.findings);
        let after = &out.placed.texts[0];
        let undo = Options { mode: Mode::Undo, ..Options::default() };
        let undone = place(&[Source::new("-", after).by_content()], &undo);
        assert_eq!(undone.texts[0], text, "{after} {:?}", undone.findings);
    }
}

#[test]
fn a_crontab_with_odd_lines_is_one_all_the_same() {
    let text = "@every_minute foo\n~ 3 * * * x\n-*/15 * * * * y\nexport A=1\nMAILTO=root\n0 3 * * * run --at \"0 5 * * *\"\n";
    let out = adopt(&[Source::new("-", text).by_content().named("x")], &Options::default(), &hour());
    assert_eq!(out.adopted.len(), 1, "{:?}", out.left);
    assert!(out.placed.texts[0].contains(" 3 * * * run --at \"0 5 * * *\"\n"), "{}", out.placed.texts[0]);
    assert_eq!(out.left.iter().map(|left| left.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    // The command of a line that is read as other text is not touched.
    let other = "x: |\n  # kron: 0 5 * * * @win(after,1h) name=a\n  0 5 * * * run --at \"0 5 * * *\"\n";
    assert!(place(&[Source::new("a.yaml", other)], &Options::default()).is_refused());
    // A user that is a name of a month would make six fields.
    assert_eq!(reasons("cron.d/a", "@daily jan x\n"), [(1, LeftReason::NotPlain)]);
}

#[test]
fn templates_that_are_yaml_by_chance() {
    use LeftReason::Template;
    assert_eq!(reasons("a.yaml", "a:\n  schedule: {{ .Values.s }}\n"), [(2, Template)]);
    let chart = CRON_JOB
        .replace("name: backup", "name: {{ include \"x\" . }}")
        .replace("\"0 3 * * *\"", "{{ .Values.s }}");
    assert_eq!(reasons("a.yaml", &chart), [(6, Template)]);
    assert_eq!(reasons("a.yaml", &CRON_JOB.replace("backup", "${NAME}")), [(6, Template)]);
    let blanks = CRON_JOB.replace("\"0 3", "\" 0 3");
    assert_eq!(adopted("a.yaml", &blanks).adopted.len(), 1);
}

#[test]
fn other_objects_beside_those_of_a_cluster_are_named() {
    let of_cluster = Adoption { of_cluster: true, ..hour() };
    let text = live("")
        + "- apiVersion: velero.io/v1\n  kind: Schedule\n  metadata: {name: v, uid: x}\n  spec:\n    schedule: 0 3 * * *\n";
    let out = adopt(&[Source::new("-", &text).by_content()], &Options::default(), &of_cluster);
    assert!(!out.placed.is_refused());
    assert_eq!((out.adopted.len(), out.left[0].reason), (1, LeftReason::NotLive));
}

#[test]
fn an_extension_may_be_in_capitals() {
    let text = "backup:\n  schedule: 0 3 * * *\n";
    for path in ["UP.YAML", "a.Yml"] {
        let out = adopt(&[Source::new(path, text).named("fleet/a")], &Options::default(), &hour());
        assert_eq!((out.adopted.len(), out.left.len()), (1, 0), "{path}");
    }
}

/// The second reading has no limit that a file of permitted size can meet.
#[test]
fn large_files_are_confirmed() {
    let documents = "schedule: 0 3 * * *\n---\n".repeat(3000);
    let lists: String = (0..30_000).map(|number| format!("- {{id: {number}, size: .nan}}\n")).collect();
    for (text, count) in [(documents, 3000), (format!("schedule: 0 3 * * *\nlist:\n{lists}"), 1)] {
        let out = adopt(&[Source::new("a.yaml", &text).named("fleet/a")], &Options::default(), &hour());
        assert_eq!((out.adopted.len(), out.left.len()), (count, 0), "{:?}", out.left.first());
        let undo = Options { mode: Mode::Undo, ..Options::default() };
        assert_eq!(place(&[Source::new("a.yaml", &out.placed.texts[0])], &undo).texts[0], text);
    }
}

#[test]
fn a_workflow_that_compares_schedules_is_left_alone() {
    for expression in ["event.schedule", "event['schedule']", "event[\"schedule\"]"] {
        let text = format!(
            "on:\n  schedule:\n    - cron: '0 3 * * *'\njobs:\n  a:\n    if: github.{expression} == '0 3 * * *'\n"
        );
        let source = Source::new(".github/workflows/a.yml", &text).named("fleet/a");
        let out = adopt(&[source], &Options::default(), &hour());
        assert_eq!((out.adopted.len(), out.left.len()), (0, 1), "{expression}");
    }
}
