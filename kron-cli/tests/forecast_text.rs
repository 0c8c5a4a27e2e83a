//! What `kron forecast` shows in a terminal.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{directory, file, fine, kron, kron_in, kron_now, kron_on_terminal, refused};

const UTF8: (&str, &str) = ("LC_ALL", "C.UTF-8");

/// The text in a terminal of so many columns that has more than ASCII.
#[track_caller]
fn wide(columns: &str, args: &[&str]) -> String {
    let ran = kron_in(&[UTF8, ("COLUMNS", columns)], args, b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

fn nightly() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/nightly.kron");
    path.canonicalize().unwrap().to_str().unwrap().to_string()
}

const DAY: [&str; 2] = ["--day", "2026-03-02"];

/// What is said of files stands below the answer, in a few lines.
#[cfg(unix)]
#[test]
fn notes_about_files_are_below_the_picture() {
    let folder = directory("forecast-notes");
    for number in 0..9 {
        let text = format!("{number} 1 * * * root backup-{number}\n@reboot root x-{number}\n");
        std::fs::write(format!("{folder}/{number}.cron"), text).unwrap();
    }
    let ran = |more: &str| {
        let script =
            format!("'{}' forecast {} {more} '{folder}' 2>&1", env!("CARGO_BIN_EXE_kron"), DAY.join(" "));
        let output = Command::new("sh").args(["-c", &script]).output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (code, text) = ran("");
    assert_eq!(code, Some(0), "{text}");
    let (picture, said) =
        text.split_once("Page: --save forecast.html").expect("the last line of the picture");
    assert!(!picture.contains("note") && !picture.contains("warning"), "{text}");
    let titles: Vec<&str> =
        said.lines().filter(|line| line.contains(": ") && !line.starts_with(' ')).collect();
    assert!((2..=4).contains(&titles.len()) && titles[0].starts_with("warning: "), "{text}");
    // A program gets all of them.
    assert!(!ran("-o json").1.contains(" more; "), "{text}");
}

#[test]
fn a_herd_at_a_glance() {
    let path = nightly();
    let text = wide("100", &[&["forecast", &path], &DAY[..]].concat());
    let want = "\
Fullest 15 minutes, Mon 2 March: 276 starts as written, 30 as spread (9.2 times fewer)
300 jobs, 1,128 starts, UTC
Fullest minute: 276 starts as written, 5 as spread (55 times fewer)

as written
█
█
█   ▄   ▄   ▆   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄   ▄
as spread, same scale
";
    assert!(text.starts_with(want), "{text}");
    let want = "
00          03          06          09          12          15          18          21

Fullest as written
00:00  276  240 x 0 0 * * *  billing 20, catalog 20, checkout 20, 9 more
             36 x 0 * * * *  billing 3, catalog 3, checkout 3, 9 more
Fullest as spread: 05:30, 30 starts: billing/export, billing/audit, billing/snapshot, 27 more

Names: --names    Page: --save forecast.html
";
    assert!(text.ends_with(want), "{text}");
    // The numbers are those for programs, and the bars those of their buckets.
    let json = fine(&[&["forecast", &path, "--cron", "--per", "15m", "-o", "json"], &DAY[..]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["cron"]["starts"]["peak"], &json["kron"]["starts"]["peak"]), (&276.into(), &30.into()));
    let eighths = |starts: &Value| (starts.as_u64().unwrap() * 24).div_ceil(276);
    let starts = json["kron"]["buckets"]["starts"].as_array().unwrap();
    let bar = |starts| char::from_u32(0x2580 + eighths(starts) as u32).unwrap();
    let bars: String = starts.iter().map(bar).collect();
    assert_eq!(text.lines().nth(9).unwrap(), bars);
}

#[test]
fn a_column_is_a_bucket_of_a_round_length() {
    let path = nightly();
    let first = |columns: &str, more: &[&str]| {
        let text = wide(columns, &[&["forecast", &path], more].concat());
        text.split(',').next().unwrap().to_string()
    };
    // The result does not depend on the width.
    assert_eq!(["60", "80", "144"].map(|columns| first(columns, &DAY)), ["Fullest 15 minutes"; 3]);
    assert_eq!(first("80", &["--from", "2026-03-02", "--for", "1h"]), "Fullest minute");
    assert_eq!(first("80", &["--from", "2026-03-02", "--for", "6d"]), "Fullest 15 minutes");
    assert_eq!(first("80", &["--from", "2026-03-02", "--for", "6d", "--per", "2h"]), "Fullest 2 hours");
    // That of the heat map.
    assert_eq!(first("80", &["--from", "2026-03-02", "--for", "7d"]), "Fullest 15 minutes");
    assert_eq!(first("80", &["--day", "2026-03-02", "--per", "1d"]), "Fullest day");
    let finer = wide("80", &["forecast", &path, "--day", "2026-03-02", "--per", "1m"]);
    assert!(finer.contains("\nas written, each column: its fullest minute\n"), "{finer}");
    let longest = wide("80", &["forecast", &path, "--from", "2026-03-02", "--for", "60d"]);
    assert!(longest.contains("\nas written, each column: its fullest 15 minutes\n"), "{longest}");
    for line in finer.lines().chain(longest.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn nothing_is_spread_without_windows() {
    let path = file("text-herd.kron", (0..20).map(|i| format!("0 0 * * * name=a/{i}\n")).collect::<String>());
    let text = fine(&[&["forecast", &path], &DAY[..]].concat());
    let want = "\
Fullest 15 minutes, Mon 2 March: 20 starts. No job has a window
20 jobs, 20 starts, UTC

starts, each column: its fullest 15 minutes
#
#
#
00          06          12          18

00:00  20  20 x 0 0 * * *  a/0, a/1, a/2, 17 more

Spread over 1h: --window 1h    Names: --names    Page: --save forecast.html
";
    assert_eq!(text, want);
    let windowed = fine(&[&["forecast", &path, "--window", "6h"], &DAY[..]].concat());
    assert!(
        windowed.contains("20 starts as written, 3 as spread by --window\n6h (6.7 times fewer)\n"),
        "{windowed}"
    );
    // All forms show what the window makes of the jobs, and the file stays as it is.
    let args = [&["forecast", &path, "--window", "6h", "--per", "15m", "-o", "json"], &DAY[..]].concat();
    let json: Value = serde_json::from_str(&fine(&args)).unwrap();
    assert_eq!(json["kron"]["starts"]["peak"], 3);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().next(), Some("0 0 * * * name=a/0"));
    // A job that has a window keeps it, and a text needs a name as its starts depend on it.
    let own = file("text-window.kron", "0 0 * * * @win(after,2h) name=a\n");
    let ran = kron(&[&["forecast", &own, "--window", "1h"], &DAY[..]].concat());
    assert_eq!(ran.err, "note: every job has a window or is placed, so --window changes nothing\n");
    assert!(refused(&["forecast", "0 0 * * *", "--window", "1h"]).contains("add --name team/job"));
    for wrong in ["0s", "-1h", "9000h", "x"] {
        assert!(
            refused(&["forecast", &own, "--window", wrong]).contains("is not a value of --window"),
            "{wrong}"
        );
    }
}

#[test]
fn rows_exist_only_where_there_is_something_to_say() {
    let one = fine(&["forecast", "0 3 * * *", "--day", "2026-03-02"]);
    let want = "\
One start, Mon 2 March 03:00
1 job, 1 start, UTC

Starts
03:00:00  unnamed

Page: --save forecast.html
";
    assert_eq!(one, want);
    let none = fine(&["forecast", "0 3 1 * *", "--day", "2026-03-02"]);
    assert_eq!(none, "No job starts, Mon 2 March\n1 job, 0 starts, UTC\n");
    let hourly = fine(&["forecast", "0 * * * * @win(after,1h)", "--name", "a", "--day", "2026-03-02"]);
    assert!(hourly.starts_with("24 starts, Mon 2 March\n"), "{hourly}");
    // Durations and weights have a row if somebody gave them.
    let path = file(
        "text-rows.kron",
        "0 0 * * * @win(after,6h) name=a duration=1h weight=9\n0 0 * * * @win(after,6h) name=b\n",
    );
    let text = fine(&[&["forecast", &path, "--duration", "20m"], &DAY[..]].concat());
    assert!(text.contains("\nMost at once: 2 running as written, 1 as spread (2 times fewer)\n"), "{text}");
    assert!(text.contains("\nGreatest load: 10 as written, 9 as spread (about the same)\n"), "{text}");
    let plain = file("text-plain.kron", "0 0 * * * name=a\n0 0 * * * name=b\n");
    let text = fine(&[&["forecast", &plain], &DAY[..]].concat());
    assert!(!text.contains("running") && !text.contains("load"), "{text}");
    // Windows that change no bucket need one picture.
    let short = file("text-short.kron", "0 0 * * * @win(after,5m) name=a\n0 0 * * * @win(after,5m) name=b\n");
    let text = fine(&[&["forecast", &short, "--per", "30m"], &DAY[..]].concat());
    assert!(text.contains("2 starts as written, 2 as spread\n(about the same)\n"), "{text}");
    assert!(text.contains("\nas written and as spread\n") && !text.contains("same scale"), "{text}");
}

#[test]
fn few_starts_are_listed() {
    let job = ["0 3 * * * @win(after,1h)", "--name", "db/backup", "--from", "2026-03-02", "--for", "7d"];
    let text = fine(&[&["forecast"], &job[..]].concat());
    assert!(
        text.starts_with("7 starts, Mon 2 to Sun 8 March\n1 job, 7 starts, UTC\n\nStarts as spread\n"),
        "{text}"
    );
    let listed: Vec<&str> = text.split("\nStarts as spread\n").nth(1).unwrap().lines().take(7).collect();
    let next = fine(&[&["next"], &job[..]].concat());
    let days = ["Mon 2", "Tue 3", "Wed 4", "Thu 5", "Fri 6", "Sat 7", "Sun 8"];
    let want: Vec<String> = next
        .lines()
        .skip(1)
        .zip(days)
        .map(|(line, day)| {
            format!("{day} {}  db/backup", &line["2026-03-02T".len().."2026-03-02T03:00:00".len()])
        })
        .collect();
    assert_eq!(listed, want);
    // The list says more than heat maps.
    assert!(!text.contains("of each hour"), "{text}");
}

/// A distance from now begins with a minute of the clocks, and an end alone means a range from now on.
#[test]
fn relative_ranges_have_whole_minutes() {
    let p = |args: &[&str]| {
        let ran =
            kron_now("2026-03-02T10:20:41Z", &[&["forecast", "*/5 * * * *", "--name", "a"], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out.lines().next().unwrap().to_string()
    };
    let want = "12 starts, Mon 2 March, 10:20 to 11:20";
    assert_eq!([p(&["--until", "+1h"]), p(&["--from", "now", "--for", "1h"])], [want, want]);
    assert_eq!(p(&["--from", "-10m", "--until", "+50m"]), want.replace("10:20 to 11:20", "10:10 to 11:10"));
}

#[test]
fn a_week_that_begins_within_a_day_says_so() {
    let path = nightly();
    let p = |from: &str| fine(&["forecast", &path, "--from", from, "--for", "7d"]);
    assert!(p("2026-03-02").contains("\nFullest 15 minutes of each hour\n"));
    assert!(p("2026-03-02T12:00").contains("\nFullest 15 minutes of each weekday and hour in all 7 days\n"));
}

#[test]
fn groups_count_what_the_first_lines_count() {
    let jobs = "0 0 * * * name=a/x\n0 0 * * * name=a/y\n0 0 * * * @policy(suspend=true) name=a/z\n";
    let path = file("text-suspended.kron", jobs);
    let ran = kron(&[&["forecast", &path, "--by", "namespace"], &DAY[..]].concat());
    assert!(ran.out.contains("\n2 jobs, 2 starts, UTC\n"), "{}", ran.out);
    assert!(ran.out.contains("\na           2         2         2\n"), "{}", ran.out);
}

#[test]
fn full_buckets_are_listed_by_schedule_and_namespace() {
    let jobs = "0 0 * * * name=a/x\n0 0 * * * name=a/y\n@daily name=lone\n*/15 0 * * * @tz(Europe/Paris) name=b/z\n\
                0 12 * * * name=c/1\n0 12 * * * name=c/2\n0 13 * * * name=c/3\n0 13 * * * name=c/4\n0 23 * * * name=d\n";
    let path = file("text-fullest.kron", jobs);
    let args = [&["forecast", &path, "--per", "1h"], &DAY[..]].concat();
    let text = fine(&args);
    let want = "
23:00  5  4 x */15 0 * * * Europe/Paris  b/z 4
          1 x 0 23 * * *                 d
00:00  3  3 x 0 0 * * *                  a/x, a/y, lone
";
    assert!(text.contains(want) && !text.contains("12:00"), "{text}");
    let names = fine(&[&args[..], &["--names"]].concat());
    let want = "\n00:00  3  3 x 0 0 * * *                  a/x, a/y, lone\n";
    assert!(names.contains(want) && !names.contains("--names"), "{names}");
    let twice = file("text-twice.kron", "0 6,18 * * * name=a\n0 6,18 * * * name=b\n");
    let text = fine(&[&["forecast", &twice], &DAY[..]].concat());
    assert!(text.contains("\n06:00  2  2 x 0 6,18 * * *  a, b\n          the same at 18:00\n"), "{text}");
    let json = [&args[..], &["--names", "-o", "json"]].concat();
    assert!(refused(&json).contains("--names: only the text of a forecast lists names on demand"));
}

#[test]
fn the_axis_is_in_the_zone_of_tz() {
    let path = nightly();
    let axis = |more: &[&str]| {
        let text = wide("100", &[&["forecast", &path], more].concat());
        text.lines().find(|line| line.starts_with("00  ") || line.starts_with("Mon ")).unwrap().to_string()
    };
    // Clocks go forward on 29 March in Paris: 92 quarters, and from midnight to 03:00 only two hours.
    let spring = axis(&["--day", "2026-03-29", "--tz", "Europe/Paris"]);
    assert!(spring.starts_with("00      03          06          09 "), "{spring}");
    let autumn = axis(&["--day", "2026-10-25", "--tz", "Europe/Paris"]);
    assert!(autumn.starts_with("00      "), "{autumn}");
    let tokyo = wide("100", &["forecast", &path, "--day", "2026-03-02", "--tz", "Asia/Tokyo"]);
    assert!(tokyo.contains("\n09:00  276  240 x 0 0 * * * UTC  billing 20"), "{tokyo}");
    assert!(tokyo.contains(" starts, Asia/Tokyo\n"), "{tokyo}");
    let days = axis(&["--from", "2026-03-02", "--for", "3d"]);
    assert!(days.starts_with("Mon 2       12          Tue 3       12 "), "{days}");
}

#[test]
fn a_budget_is_for_a_minute_unless_per_says_otherwise() {
    let path = file("text-budget.kron", "0 0 * * * name=a\n5 0 * * * name=b\n");
    let p = |more: &[&str]| kron(&[&["forecast", &path, "--budget", "1"], &DAY[..], more].concat());
    // The picture has the buckets that are judged.
    assert!(p(&[]).out.starts_with("No two starts within the same minute, Mon 2 March\n"), "{}", p(&[]).out);
    assert_eq!((p(&[]).code, p(&["-o", "csv"]).code), (0, 0));
    assert_eq!(p(&[]).err, "note: 1 start in the fullest minute; the budget is 1\n");
    assert_eq!(p(&["-o", "csv"]).err, "");
    let ran = p(&["--per", "30m"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains(
            "2 starts in the fullest 30 minutes, from 2026-03-02T00:00:00Z on, and the budget is 1: a, b\n"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn a_base_is_below_the_bars() {
    let path = file("text-base.kron", "0 0 * * * name=a\n0 0 * * * name=b\n");
    let base = file("text-base.csv", "00:00,2\n00:30,0\n12:00,4\n12:30,0\n");
    let text = fine(&[&["forecast", &path, "--base", &base], &DAY[..]].concat());
    assert!(text.starts_with("Fullest 15 minutes of starts and base, Mon 2 March: 4."), "{text}");
    assert!(text.contains("\nBase alone: at most 4 in the fullest 15 minutes\n"), "{text}");
    assert!(
        text.contains("\n#                       -\n#                       -\n-                       -\n"),
        "{text}"
    );
    assert!(text.contains("18\n- there already (--base)\n"), "{text}");
    assert!(text.contains("\n00:00  4  2 x 0 0 * * *  a, b\n          2 of the base\n"), "{text}");
    assert!(text.ends_with("\nSpread over 1h: --window 1h    Page: --save forecast.html\n"), "{text}");
}

#[test]
fn colors_are_for_terminals_that_want_them() {
    let path = file("text-color.kron", "0 0 * * * @win(after,6h) name=a\n0 0 * * * @win(after,6h) name=b\n");
    let p = |variables: &[(&str, &str)], color: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
        command.args(["forecast", &path, "--day", "2026-03-02"]).args(color);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        let ran = command.output().unwrap();
        assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let colored = p(&[], &["--color", "always"]);
    assert!(colored.starts_with("\u{1b}[1mFullest 15 minutes"), "{colored}");
    assert!(colored.contains("\u{1b}[38;5;166m") && colored.contains("\u{1b}[38;5;32m"), "{colored}");
    // A pipe has none. What an option says holds, whatever the variables are.
    for plain in [p(&[], &[]), p(&[("CLICOLOR_FORCE", "1")], &["--color=never"])] {
        assert!(!plain.contains('\u{1b}'), "{plain}");
    }
    assert!(p(&[("CLICOLOR_FORCE", "1")], &[]).contains('\u{1b}'));
    assert!(!p(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]).contains('\u{1b}'));
    assert_eq!(p(&[("NO_COLOR", "1")], &["--color", "always"]), colored);
    // A file is no terminal.
    let saved = file("text-color.txt", "");
    p(&[], &["--color", "always", "--save", &saved]);
    assert!(!std::fs::read_to_string(&saved).unwrap().contains('\u{1b}'));
}

#[test]
fn a_week_has_two_maps_beside_each_other() {
    let path = nightly();
    let week = ["forecast", &path, "--from", "2026-03-02", "--for", "7d"];
    let text = wide("80", &week);
    let head = "\
Fullest 15 minutes, Mon 2 to Sun 8 March: 276 starts as written, 34 as spread
(8.1 times fewer)
";
    assert!(text.starts_with(head), "{text}");
    let want = "
Fullest 15 minutes of each hour
    as written                 as spread
    00    06    12    18       00    06    12    18
Mon █▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒   ░░░░░░░░░░░░░░░░░░░░░░░░
";
    assert!(text.contains(want), "{text}");
    assert!(text.contains("\n    ░ 1-34   ▒ 35-69   █ 139-276\n"), "{text}");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // A longer range has several days in a cell.
    let month = wide("80", &["forecast", &path, "--from", "2026-03-02", "--for", "31d"]);
    assert!(month.contains("\nFullest 15 minutes of each weekday and hour in all 31 days\n"), "{month}");
    let ascii = fine(&week);
    assert!(ascii.is_ascii(), "{ascii}");
    assert!(ascii.contains("\nMon #+++++++++++++++++++++++   ------------------------\n"), "{ascii}");
    // In buckets that are longer than an hour, a map of hours would be wrong.
    assert!(!wide("80", &[&week[..], &["--per", "2h"]].concat()).contains("\nTue "));
    // One job that starts says its weekdays itself, whatever is suspended beside it.
    let one = "0 3 * * * @win(after,1h) name=a/b\n";
    for (text, has_map) in [("0 4 * * * @policy(suspend=true) name=a/c", false), ("0 4 * * * name=a/c", true)]
    {
        let path = file("text-week-one.kron", format!("{one}{text}\n"));
        let ran = kron(&["forecast", &path, "--from", "2026-03-02", "--for", "7d"]);
        assert_eq!((ran.code, ran.out.contains(" of each hour\n")), (0, has_map), "{}", ran.out);
    }
}

/// On a screen, the first line stays in sight: lists get shorter, and a week keeps its heat maps alone.
#[test]
fn the_result_stays_on_the_screen() {
    let path = |name: &str| format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let week = ["--from", "2026-03-02", "--for", "7d"];
    for (name, range) in [
        ("herd.crontab", &DAY[..]),
        ("fleet.kron", &DAY[..]),
        ("fleet.kron", &week[..]),
        ("nightly.kron", &week[..]),
        ("nightly.kron", &["--from", "2026-03-02", "--for", "31d"][..]),
    ] {
        let file = path(name);
        let ran = kron_on_terminal(&[&["forecast", &file], range].concat(), &[UTF8], 80);
        let lines = ran.out.lines().count() + ran.err.lines().count();
        assert!(ran.code == 0 && ran.out.starts_with("Fullest "), "{ran:?}");
        // The last line is that of the prompt.
        assert!(lines < 24, "{lines} lines: {}{}", ran.out, ran.err);
        assert!(ran.out.contains('█'), "{}", ran.out);
        let has_maps = ran.out.contains(" of each ");
        assert_eq!(
            (has_maps, ran.out.contains("\nas written")),
            (range != DAY, range == DAY && name != "herd.crontab")
        );
        assert!(!ran.err.contains("other-system"), "{}", ran.err);
    }
    let groups = ["forecast", &path("fleet.kron"), "--by", "namespace"];
    let ran = kron_on_terminal(&[&groups[..], &DAY].concat(), &[UTF8], 80);
    assert!(ran.out.lines().count() + ran.err.lines().count() < 24, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("\nGROUP "), "{}", ran.out);
    // A file gets everything.
    let all = wide("80", &[&["forecast", &nightly()], &week[..]].concat());
    assert!(all.contains("\nas written, each") && all.contains("\nMon "), "{all}");
}

/// One start needs no picture in a text; a base is more than the start.
#[test]
fn one_start_is_drawn_once() {
    let path = file("text-one.kron", "0 3 * * * @win(after,1h) name=a\n");
    let text = fine(&[&["forecast", &path], &DAY[..]].concat());
    assert!(text.starts_with("One start, Mon 2 March 03:") && text.contains("\nStarts\n03:"), "{text}");
    assert!(!text.contains("as written") && !text.contains("as spread"), "{text}");
    let svg = fine(&[&["forecast", &path, "-o", "svg"], &DAY[..]].concat());
    assert_eq!(svg.matches("<path class=\"kron-").count(), 1, "{svg}");
    let base = file("text-one.csv", "00:00,2\n00:30,0\n");
    let text = fine(&[&["forecast", &path, "--base", &base], &DAY[..]].concat());
    assert!(text.contains("\nas written") && text.contains("\nas spread"), "{text}");
}

#[test]
fn schedules_behind_the_first_are_counted_together() {
    let jobs = (0..6).map(|hour| format!("0 {hour},12 * * * name=j{hour}\n")).collect::<String>();
    let path = file("text-others.kron", jobs);
    let text = fine(&[&["forecast", &path], &DAY[..]].concat());
    assert!(text.contains("\n          3 of other schedules\n"), "{text}");
}

/// The ending of the file says the form; an option is obeyed, and named if it is another one.
#[test]
fn the_ending_of_a_file_chooses_the_form() {
    let path = file("text-ending.kron", "0 0 * * * name=a\n");
    let folder = directory("forecast-endings");
    let saved = |name: &str, more: &[&str]| {
        let to = format!("{folder}/{name}");
        let ran = kron(&[&["forecast", &path, "--save", &to], &DAY[..], more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        (std::fs::read(to).unwrap(), ran.err)
    };
    for (name, begins) in [
        ("a.svg", "<svg "),
        ("a.HTML", "<!DOCTYPE html>"),
        ("a.json", "{"),
        ("a.csv", "time,starts"),
        ("a.txt", "One start"),
    ] {
        let (bytes, err) = saved(name, &[]);
        assert!(bytes.starts_with(begins.as_bytes()) && err.is_empty(), "{name}: {err}");
    }
    assert!(saved("a.png", &[]).0.starts_with(b"\x89PNG"));
    let (bytes, err) = saved("b.svg", &["-o", "json"]);
    assert!(bytes.starts_with(b"{"));
    assert!(err.starts_with("note: the file is `json`, as -o says, whatever its ending\n"), "{err}");
    assert_eq!(saved("c.txt", &["-o", "json"]).1, "");
    let to = format!("{folder}/receipt.json");
    fine(&["explain", &path, "--nominal", "2026-03-02", "--save", &to]);
    assert!(std::fs::read_to_string(to).unwrap().starts_with('{'));
}

#[test]
fn columns_begin_at_the_same_times_of_every_day() {
    let path = file("text-columns.kron", "0 0 * * * name=a\n0 0 * * * name=b\n");
    for (columns, days, of_a_day) in [("80", "7d", 8), ("140", "7d", 12), ("80", "30d", 2), ("80", "90d", 1)]
    {
        let args = ["forecast", &path, "--from", "2026-03-02", "--for", days, "--per", "1m"];
        let text = wide(columns, &args);
        let bars = text.lines().find(|line| line.starts_with('█')).unwrap().replace('█', "#");
        let days: Vec<&str> = bars.split('#').collect();
        assert!(days[1..days.len() - 1].iter().all(|day| day.len() == of_a_day - 1), "{columns} {text}");
    }
}

#[test]
fn an_ending_that_names_no_form_is_named() {
    let path = file("text-ending.kron", "0 0 * * * name=a\n");
    let p = |ending: &str| {
        let saved = file(&format!("text-ending.{ending}"), "");
        kron(&[&["forecast", &path, "--save", &saved], &DAY[..]].concat()).err
    };
    let note = "note: the ending `.pdf` names no form, so the file is text\n";
    assert!(p("pdf").starts_with(note) && p("pdf").contains("`.svg`"), "{}", p("pdf"));
    assert_eq!([p("txt"), p("svg")], [""; 2]);
}

#[test]
fn a_terminal_gets_no_png() {
    let path = file("text-png.kron", "0 0 * * * name=a\n");
    let ran = kron_on_terminal(&[&["forecast", &path, "-o", "png"], &DAY[..]].concat(), &[], 80);
    let error = "error: -o png: a terminal does not show a PNG\n";
    assert!(ran.code == 2 && ran.out.is_empty() && ran.err.starts_with(error), "{}", ran.err);
}
