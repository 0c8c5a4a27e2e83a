//! Declarations in comments: what is placed, what is refused, and that nothing else changes.

mod adopt;
mod corpus;
mod fuzz;
mod objects;
mod properties;

use kron_formats::place::{Mode, Options, Placed, PlacedSchedule, Source, place};

fn placed(path: &str, text: &str) -> Placed {
    place(&[Source::new(path, text)], &Options::default())
}

fn one(path: &str, text: &str) -> PlacedSchedule {
    let found = placed(path, text);
    assert!(found.findings.is_empty(), "{text}: {:?}", found.findings);
    let [schedule] = found.schedules.as_slice() else { panic!("{text}: {:?}", found.schedules) };
    schedule.clone()
}

/// The messages of the findings, with their lines.
fn findings(path: &str, text: &str) -> Vec<String> {
    let found = placed(path, text);
    assert_eq!(found.texts[0], text, "a text with an error stays as it is");
    found.findings.iter().map(ToString::to_string).collect()
}

fn undone(path: &str, text: &str) -> String {
    let found = place(&[Source::new(path, text)], &Options { mode: Mode::Undo, ..Options::default() });
    assert!(!found.is_refused(), "{text}: {:?}", found.findings);
    found.texts[0].clone()
}

const DECLARED: &str = "0 0 * * * @win(after,2h) name=ops/backup";

#[test]
fn a_comment_governs_the_line_below_or_the_value_before_it() {
    let above = |mark: &str, line: &str| format!("{mark} kron: {DECLARED}\n{line}\n");
    let behind = |line: &str, mark: &str| format!("{line} {mark} kron: {DECLARED}\n");
    for (path, text) in [
        ("a.yaml", format!("x:\n  # kron: {DECLARED}\n  schedule: 0 0 * * *  # nightly\ny: 1\n")),
        ("a.yaml", behind("schedule: \"0 0 * * *\" ", "#")),
        ("a.json5", behind("{\"schedule\": \"0 0 * * *\"},", "//")),
        ("a.tf", behind("  schedule = \"0 0 * * *\"", "#")),
        ("a.sql", above("--", "select cron.schedule('0 0 * * *', $$vacuum$$);")),
        ("a.py", above("#", "@app.schedule(cron=\"0 0 * * *\")")),
        ("a.ini", above(";", "at = 0 0 * * *")),
        ("crontab", format!("MAILTO=root\r\n# kron: {DECLARED}\r\n0 0 * * * root x\r\n")),
        ("a.yaml", format!("\u{feff}# kron: {DECLARED}\ncron: '0 0 * * *'")),
        ("a.yaml", format!("x: |\n  # kron: {DECLARED}\n  0 0 * * *\n")),
        (
            "templates/a.yaml",
            format!("{{{{ if .x }}}}\n# kron: {DECLARED}\nschedule: 0 0 * * *\n{{{{ end }}}}\n"),
        ),
    ] {
        let schedule = one(path, &text);
        assert_eq!((schedule.placed.as_str(), schedule.candidates), ("51 0 * * *", 121), "{text}");
        let after = placed(path, &text).texts[0].clone();
        assert_eq!(after.matches("51 0 * * *").count(), 1, "{after}");
        assert_eq!(after.replacen("51 0 * * *", "0 0 * * *", 1), text);
        assert_eq!(placed(path, &after).texts[0], after, "placed again");
        let plain = undone(path, &after);
        assert_eq!(plain, undone(path, &text));
        let mut lines: Vec<&str> = text.lines().collect();
        lines.retain(|line| !line.trim_start_matches(['\u{feff}', ' ', '#', '-', ';']).starts_with("kron:"));
        let kept = lines
            .iter()
            .map(|line| line.split(" # kron:").next().unwrap().split(" // kron:").next().unwrap().trim_end());
        let plain = plain.trim_start_matches('\u{feff}');
        assert!(plain.lines().map(str::trim_end).eq(kept), "{plain}");
    }
}

#[test]
fn the_place_follows_from_name_window_and_salt() {
    let of = |text: &str| {
        one("a.yaml", &format!("# kron: {text}\ncron: '{}'\n", text.split(" @").next().unwrap())).placed
    };
    assert_eq!(of("0 0 * * * @win(after,2h) name=ops/backup"), "51 0 * * *");
    assert_eq!(of("0 0 * * * @win(after,2h) @seed(fixed) name=ops/backup"), "51 0 * * *");
    assert_eq!(of("0 0 * * * @win(after,2h) @seed(fixed,salt=3) name=ops/backup"), "50 0 * * *");
    let unmoved = "# kron: 0  0 * *  MON-FRI name=ops/backup\ncron: '0  0 * *  MON-FRI'\n";
    assert_eq!(one("a.yaml", unmoved).placed, "0  0 * *  MON-FRI");
    assert_ne!(of("0 0 * * * @win(after,2h) name=ops/other"), "51 0 * * *");
    assert_eq!(
        one("a.yaml", "# kron: @daily @win(after,2h) name=ops/backup\ncron: '@daily'\n").placed,
        "51 0 * * *"
    );
}

#[test]
fn edits_by_hand_are_kept_or_forced() {
    let text = "# kron: 0 0 * * * @win(after,2h) name=ops/backup\ncron: '5 3 * * *'\n";
    assert_eq!(
        findings("a.yaml", text),
        [
            "line 1: the schedule is `5 3 * * *`, which is neither the declared `0 0 * * *` nor its place `51 0 * * *`: somebody \
          changed one of the two; write the declared schedule beside the declaration again, or use `--force 'ops/backup'` to \
          write `51 0 * * *`"
        ]
    );
    let options = Options { force: ["ops/backup".to_string()].into(), ..Options::default() };
    let forced = place(&[Source::new("a.yaml", text)], &options);
    assert_eq!(forced.texts[0], text.replace("5 3", "51 0"));
    // Any place of the declaration may be undone, whatever its name is, and nothing else.
    assert_eq!(
        undone(
            "a.yaml",
            "# kron: 0 0 * * * @win(after,2h) name=x\ncron: '119 0 * * *'\n"
                .replace("119 0", "59 1")
                .as_str()
        ),
        "cron: '0 0 * * *'\n"
    );
    let undo = place(&[Source::new("a.yaml", text)], &Options { mode: Mode::Undo, ..Options::default() });
    assert!(undo.is_refused() && undo.texts[0] == text);
}

#[test]
fn what_is_refused_says_why() {
    let first = |path: &str, text: &str| findings(path, text).into_iter().next().unwrap_or_default();
    for (path, text, message) in [
        (
            "a.yaml",
            "# kron: @daily @win(after,1h) name=a\n\ncron: '@daily'\n",
            "line 1: the declaration stands where no schedule is",
        ),
        (
            "a.yaml",
            "# kron: @daily @win(after,1h) name=a",
            "line 1: the declaration stands where no schedule is",
        ),
        (
            "a.yaml",
            "x: y # kron: @daily @win(after,1h) name=a\n",
            "line 1: the declaration stands where no schedule is",
        ),
        (
            "a.yaml",
            "# kron: @daily @win(after,1h) name=a\ncron: '@daily' # kron: @daily name=b\n",
            "line 2: the schedule has two declarations",
        ),
        (
            "a.js",
            "// kron: @daily @win(after,1h) name=a\nrun('0 0 * * *', '0 1 * * *')\n",
            "line 1: the line has several schedules",
        ),
        (
            "a.yaml",
            "# kron: 0 0 * * * @win(after,1h) name=a\ncron: '0 0 0 * * *'\n",
            "line 1: the schedule has a field of seconds",
        ),
        (
            "crontab",
            "# kron: 0 0 * * * @win(after,1h) name=a\n0 0 * * * 5 x\n",
            "line 1: the schedule has a field of seconds",
        ),
        (
            "crontab",
            "0 0 * * * x # kron: 0 0 * * * @win(after,1h) name=a\n",
            "line 1: a comment behind a line of a crontab",
        ),
        (
            "crontab",
            "# kron: 5/15 * * * * @win(after,5m) name=a\n5/15 * * * * root x\n",
            "line 1: crons read `5/15` in different ways",
        ),
        (
            "a.yaml",
            "# kron: @daily @tz(Europe/Paris) name=a\ncron: '@daily'\n",
            "line 1: the declaration names the time zone Europe/Paris, and the other system does not know it",
        ),
        (
            "crontab",
            "CRON_TZ=Asia/Tokyo\n# kron: @daily @tz(Europe/Paris) name=a\n@daily root x\n",
            "line 2: the declaration names the time zone Europe/Paris, and the schedule is read in Asia/Tokyo",
        ),
        (
            "a.yaml",
            "# kron: 0 0 * * * @win(after,1h)\ncron: 0 0 * * *\n",
            "line 1: text: the job has no name",
        ),
        (
            "a.yaml",
            "# kron: 0 0 * * * @seed(daily) name=a\ncron: 0 0 * * *\n",
            "line 1: seed.strategy: a schedule of another system is placed once",
        ),
        (
            "a.yaml",
            "# kron: 0 0 * * * @days(last=1) name=a\ncron: 0 0 * * *\n",
            "line 1: days: a schedule of another system is placed once",
        ),
        (
            "a.yaml",
            "# kron: 0 0 * * * name=a command=x\ncron: 0 0 * * *\n",
            "line 1: text: a declaration has no field `command`",
        ),
        (
            "a.yaml",
            "# kron: 61 0 * * * name=a\ncron: 0 0 * * *\n",
            "line 1: schedule.minute: `61` is not in 0 to 59",
        ),
        (
            ".github/workflows/a.yml",
            "on:\n  schedule:\n    # kron: 0 0 * * * @win(after,1h) name=a\n    - cron: '0 0 * * *'\nif: github.event.schedule == ''\n",
            "line 3: the workflow compares the text of its schedules",
        ),
    ] {
        let found = first(path, text);
        assert!(found.starts_with(message), "{text}\n{found}");
    }
    // Warnings and notes.
    let almost = findings("a.yaml", "# kron: 0 0 * * @win(after,1h) name=a\ncron: 0 0 * * *\n");
    assert!(almost[0].starts_with("line 1: the comment is no declaration"), "{almost:?}");
    assert!(findings("a.yaml", "# kron: keep\ncron: 0 0 * * *\n# kron: runs at night\n").is_empty());
    let host = findings("a.yaml", "# kron: @daily @win(after,1h) name={host}/a\ncron: '@daily'\n");
    assert!(host[0].contains("no host is given"), "{host:?}");
    let few = placed(
        "a.yaml",
        "# kron: '*/5' * * * * @win(after,1h) name=a\ncron: '*/5 * * * *'\n"
            .replace("'*/5' *", "*/5 *")
            .as_str(),
    );
    assert!(
        few.findings[0].to_string().contains("has 5 possible places in the 61 minutes of its window"),
        "{:?}",
        few.findings
    );
    let twice = "# kron: @daily @win(after,1h) name=a\nx: '@daily'\n# kron: @hourly @win(after,1h) name=a\ny: '@hourly'\n";
    let same = "another declaration has the name `a`, so both have the same draw";
    let in_one_file = format!("line 4: {same}: line 2");
    assert!(placed("a.yaml", twice).findings.iter().any(|found| found.to_string().starts_with(&in_one_file)));
    let (one, other) = twice.split_at(twice.rfind('#').unwrap());
    let apart = place(&[Source::new("b/a.yaml", one), Source::new("c.yaml", other)], &Options::default());
    let in_two_files = format!("line 2: {same}: b/a.yaml, line 2");
    assert!(apart.findings.iter().any(|found| found.to_string().starts_with(&in_two_files)));
}

#[test]
fn the_zone_of_a_crontab_is_that_of_the_lines_above() {
    let text = "CRON_TZ=Europe/Paris\n# kron: @daily @tz(Europe/Paris) @win(after,2h) name=ops/backup\n@daily root x\n";
    assert_eq!(one("crontab", text).placed, "51 0 * * *");
}
