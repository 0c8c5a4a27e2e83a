//! `kron explain` in words; its receipts are tested with `verify`.

use crate::support::{BACKUP, MARCH, fine, kron, kron_in, kron_now, kron_on_terminal, kron_with, refused};

const UTF8: (&str, &str) = ("LC_ALL", "C.UTF-8");

/// Runs where characters beyond ASCII can be shown.
#[track_caller]
fn fine_in_utf_8(args: &[&str]) -> String {
    let ran = kron_in(&[UTF8], args, b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

#[test]
fn a_constraint_on_the_way() {
    let text = "0 0 * * * @tz(Europe/Paris) @win(after,3h) @only(hours=1-2)";
    assert_eq!(
        fine_in_utf_8(&["explain", text, "--name", "prod/db-backup", "--at", MARCH]),
        r#"prod/db-backup
0 0 * * * @tz(Europe/Paris) @win(after,3h) @only(hours=1,2)

Result       starts at 2026-03-01T01:27:20Z
             2026-03-01T02:27:20+01:00 in Europe/Paris
             2h 27m 20s after its nominal time, by draw 2

             ▼ nominal time
             ░░░░░░░░░░░░░░░░░░░░░░████████████████████████████████████████████
             ×                                      start 02:27:20 ▲
             00:00      00:30      01:00      01:30      02:00      02:30
             ░ forbidden   × forbidden draw

Schedule     0 0 * * * in the time zone Europe/Paris

Period       2026-02-28T23:00:00Z, 2026-03-01T00:00:00+01:00 in Europe/Paris
             This is the nominal time, the instant that the schedule names.

Window       3h, from the nominal time on
             first 2026-02-28T23:00:00Z, 2026-03-01T00:00:00+01:00 in Europe/Paris
             last  2026-03-01T02:00:00Z, 2026-03-01T03:00:00+01:00 in Europe/Paris
             10,801 candidates, the whole seconds in it; distribution uniform

Constraints  @only(hours=1,2)
             allowed: 7,200 of 10,801 candidates
               2026-03-01T01:00:00+01:00 to 2026-03-01T02:59:59+01:00

Seed         stable: each period has its own draw; period key 2026-02-28T23:00:00Z
             input "prod/db-backup\n2026-02-28T23:00:00Z\n"
             hash  66b4c9ab9089085a998ff06c637deee73584e6ba6e07952c9efdd2ccc5fd6d65
             by siphash-chacha8/1

Draws        u is uniform from 0 to 1; the distribution makes it a position in the window.
             DRAW  U       POSITION  CANDIDATE  ALLOWED
             1     0.0077  0.0077    00:01:23   no: outside @only
             2     0.8185  0.8185    02:27:20   yes
"#
    );
}

#[test]
fn draws_are_short() {
    let p = |text: &str| {
        let out = fine(&["explain", text, "--name", "db/backup", "--at", "2026-03-28T12:00:00Z"]);
        let table = out.lines().skip_while(|line| !line.contains("DRAW")).take_while(|line| !line.is_empty());
        let draws: Vec<String> = table.map(str::to_string).collect();
        assert!(draws.iter().all(|line| line.len() <= 82), "{out}");
        draws[1].clone()
    };
    let verdict = "no: outside @only";
    let day = p("0 1 * * * @win(after,3h) @only(hours=3)");
    assert_eq!(day, format!("             1     0.6295  0.6295    02:53:19   {verdict}"));
    // The window has two days, or a clock change.
    let night = p("0 23 * * * @win(after,3h) @only(hours=0)");
    assert_eq!(night, format!("             1     0.9694  0.9694    29 Mar 01:54:31  {verdict}"));
    let change = p("0 1 * * * @tz(Europe/Paris) @win(after,3h) @avoid(hours=3)");
    assert_eq!(change, "             1     0.3604  0.3604    03:04:52+02:00  no: @avoid(hours=3)");
}

#[test]
fn the_vector_of_the_first_algorithm() {
    let [text, flag, name, at] = BACKUP;
    let out = fine(&["explain", text, flag, name, at, MARCH, "--algorithm", "sha256-splitmix64/1"]);
    for part in [
        "0 0 * * * @win(after,3h) @seed(stable,salt=backup) @alg(sha256-splitmix64/1)\n",
        "Period       2026-03-01T00:00:00Z\n",
        "Constraints  none: every candidate is allowed\n",
        r#"             input "prod/db-backup\n2026-03-01T00:00:00Z\nbackup""#,
        "             hash  9c85657760a63b4d925af6088cceb2bb4448380b2e6856b203915a0a51ab5101\n",
        "\nResult       starts at 2026-03-01T02:32:20Z\n             2h 32m 20s after its nominal time, by draw 1\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
}

#[test]
fn a_closed_up_choice() {
    let text = "0 18 * * * @tz(Asia/Kathmandu) @win(after,24h) @dist(exponential,lambda=8,dir=late) @seed(weekly) \
                @only(hours=3) @avoid(between=03:05-03:55)";
    let out = fine(&["explain", text, "--name", "ops/report", "--nominal", "2026-12-31T18:00:00Z"]);
    for part in [
        "             It is not on the schedule, so no host starts the job for it.\n",
        "Seed         weekly: all periods of an ISO week in the job's zone share a draw; period key 2026-W53\n",
        "allowed: 540 of 86,401 candidates\n",
        "             1     0.8298  ",
        "             64    ",
        // The window ends on the next day.
        " 1 Jan 0",
        "Closed up    None of 64 draws was allowed",
        "among 540 seconds: 2027-01-01T03:59:01+05:45\n",
        "Result       no host starts it; it would start at 2026-12-31T22:14:01Z\n             2027-01-01T03:59:01+05:45 in Asia/Kathmandu\n             4h 14m 1s after its nominal time, by a draw among the allowed seconds\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    assert!(!out.contains("             65 "));
}

#[test]
fn days_that_are_chosen_and_days_that_are_off() {
    let explain = |text: &str, nominal: &str| {
        let ran = kron_now("2026-03-01T00:00:00Z", &["explain", text, "--name", "a/b", "--nominal", nominal]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let text = "0 9 * * * @days(last=1) @days(dow=MON;dom=1-7) @nodays(months=8)";
    let chosen = explain(text, "2026-03-02T09:00:00Z");
    assert!(chosen.contains("The day is chosen by @days(dow=1;dom=1-7)."), "{chosen}");
    assert!(!chosen.contains("not on the schedule"), "{chosen}");
    let off = explain(text, "2026-03-03T09:00:00Z");
    assert!(off.contains("The day is off: no clause of @days matches it."), "{off}");
    assert!(off.contains("not on the schedule"), "{off}");
    let left_out = explain(text, "2026-08-31T09:00:00Z");
    assert!(left_out.contains("The day is off: @nodays(months=8) matches it."), "{left_out}");
}

#[test]
fn periods_without_a_start() {
    let args = [
        "explain",
        "@daily @win(after,1h) @avoid(hours=0-5&dow=SUN;hours=1)",
        "--name",
        "a",
        "--nominal",
        MARCH,
    ];
    let out = fine(&args);
    assert!(out.ends_with("\nDraws        64 draws, all forbidden\n"), "{out}");
    // Where some seconds are allowed, the reason of each draw is shown.
    let avoid =
        ["explain", "@daily @win(after,2h) @avoid(hours=1&dow=SUN)", "--name", "ab", "--nominal", MARCH];
    let out = fine(&avoid);
    assert!(out.contains("  no: @avoid(hours=1&dow=0)\n"), "{out}");
    let out = fine_in_utf_8(&args);
    assert!(out.contains("allowed: 0 of 3,601 candidates\n"), "{out}");
    let result =
        "\nResult       does not start: the constraints allow no second of its window (noAllowedSecond)\n";
    assert!(out.contains(result), "{out}");
    // No second is chosen, and none is allowed.
    assert!(out.contains('×') && !out.contains(['▲', '█']), "{out}");

    let text = "@daily @win(after,1h) @only(hours=12) @alg(sha256-splitmix64/1)";
    let out = fine(&["explain", text, "--name", "a", "--nominal", MARCH]);
    assert!(out.contains("this algorithm tries no further (drawsExhausted)\n"), "{out}");
}

#[test]
fn windows_before_and_around() {
    let p =
        |text: &str| fine_in_utf_8(&["explain", text, "--name", "x/y", "--nominal", "2026-03-02T06:00:00Z"]);
    let out = p("0 6 * * * @win(before,1h)");
    assert!(out.contains("Window       1h, up to the nominal time\n"), "{out}");
    assert!(out.contains("54m 13s before its nominal time, by draw 1\n"), "{out}");
    assert!(
        out.contains("\n                                                                 nominal time ▼\n"),
        "{out}"
    );
    let out = p("0 6 * * * @win(around,1h)");
    assert!(out.contains("Window       1h, half before, half after the nominal time\n"), "{out}");
    let out = p("0 6 * * *");
    // Nothing is drawn, so there is no strip, no window and no seed.
    for left_out in ["Window", "Constraints", "Seed", "hash", "Draws"] {
        assert!(!out.contains(left_out), "{out}");
    }
    let out = fine_in_utf_8(&[
        "explain",
        "0 6 * * * @only(hours=7)",
        "--name",
        "a",
        "--nominal",
        "2026-03-02T06:00:00Z",
    ]);
    assert!(out.contains("Constraints  @only(hours=7)\n             allowed: 0 of 1 candidates\n"), "{out}");
    let out = p("0 6 * * *");
    let result =
        "\n\nResult       starts at 2026-03-02T06:00:00Z\n             at its nominal time\n\nSchedule  ";
    assert!(out.contains(result), "{out}");
}

#[test]
fn changes_of_the_clocks_ahead() {
    let out = fine(&["explain", "30 2 * * * @tz(Europe/Paris)", "--name", "a", "--at", MARCH]);
    assert!(
        out.ends_with(
            "\n\
             Clocks       2026-03-29T02:30 does not exist and has no period: clocks go from +01:00 to +02:00 at \
             2026-03-29T01:00:00Z\n             \
             2026-10-25T02:30 occurs twice and has two periods: clocks go from +02:00 to +01:00 at \
             2026-10-25T01:00:00Z\n"
        ),
        "{out}"
    );
}

#[test]
fn one_job_of_several() {
    let fleet = "../examples/fleet.kron";
    let out = fine(&["explain", "-f", fleet, "--job", "db/vacuum", "--at", MARCH]);
    assert!(out.starts_with("db/vacuum\n0 4 * * * @win(before,1h30m) @policy(deadline=20m)\n"), "{out}");
    let err = refused(&["explain", "-f", fleet, "--at", MARCH]);
    assert!(err.starts_with("error: there are 58 jobs; --job NAME picks one\n"), "{err}");
    assert!(err.contains("help: the names are db/orders-backup-eu, db/orders-backup-us, "), "{err}");
    let err = refused(&["explain", "-f", fleet, "--job", "db/vacum", "--at", MARCH]);
    assert!(err.starts_with("error: there is no job `db/vacum`\n"), "{err}");
    let out = fine(&["explain", "-f", "../examples/manifests/db-backup.yaml", "--at", MARCH]);
    assert!(out.contains("starts at 2026-03-01T00:19:37Z\n"), "{out}");
    let ran = kron_with(&["explain", "-f", "-", "--at", MARCH], b"@daily @policy(suspend=true) name=off");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (0, "note: off is suspended: these are its times, but a host starts nothing\n")
    );
}

#[test]
fn no_start_to_explain() {
    let ran = kron(&["explain", "@daily @win(after,1h) @only(hours=12)", "--name", "a", "--at", MARCH]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.starts_with(
            "error: a: constraints: no start in the five years up to 2031-03-02T00:00:00Z, as no second of the 1827 \
             periods is allowed\n"
        ),
        "{}",
        ran.err
    );
    let p = |nominal: &str| refused(&["explain", "@daily", "--name", "a", "--nominal", nominal]);
    assert_eq!(p("2026-03-01T00:00:00.5Z"), "error: nominal: a nominal time is a whole second\n");
    let range = "error: nominal: a nominal time lies from 1970-01-01T00:00:00Z to 2099-12-31T23:59:59Z\n";
    assert_eq!((p("0000-01-01T00:00:00Z").as_str(), p("2100-01-01T00:00:00Z").as_str()), (range, range));
}

#[test]
fn nominal_times_as_dates_and_the_previous_period() {
    let p = |args: &[&str]| {
        let job = ["explain", "0 */6 * * * @win(after,1h)", "--name", "a"];
        let ran = kron_now("2026-03-01T05:30:00Z", &[&job[..], args].concat());
        let period = ran.out.lines().find_map(|line| line.strip_prefix("Period       ")).map(str::to_string);
        (ran.code, period.unwrap_or(ran.err))
    };
    let period = |text: &str| (0, text.to_string());
    assert_eq!(p(&["--nominal", "2026-03-05"]), period("2026-03-05T00:00:00Z"));
    assert_eq!(p(&["--nominal", "2026-03-05", "--tz", "Asia/Kolkata"]), period("2026-03-05T00:00:00Z"));
    assert_eq!(p(&["--nominal", "2026-03-05", "--tz", "America/New_York"]), period("2026-03-05T06:00:00Z"));
    assert_eq!(p(&["--nominal", "tomorrow"]), period("2026-03-02T00:00:00Z"));
    assert_eq!(p(&["--nominal", "2026-03-05 06:00"]), period("2026-03-05T06:00:00Z"));
    assert_eq!(p(&["--nominal", "previous"]), period("2026-03-01T00:00:00Z"));
    assert_eq!(p(&["--nominal", "previous", "--at", "2026-03-05T06:00:01Z"]), period("2026-03-05T06:00:00Z"));
    assert_eq!(
        p(&["--nominal", "previous", "--at", "2026-03-05T06:00:00.5Z"]),
        period("2026-03-05T06:00:00Z")
    );
    assert_eq!(p(&["--nominal", "previous", "--at", "2026-03-05T06:00:00Z"]), period("2026-03-05T00:00:00Z"));
    let none = "error: a: schedule: the schedule has no earlier nominal time from 1970 on\n".to_string();
    assert_eq!(p(&["--nominal", "previous", "--at", "1970-01-01"]), (1, none));
    let both = "error: --at cannot be used with --nominal, unless that is `previous`\n".to_string();
    assert_eq!(p(&["--nominal", "2026-03-05", "--at", MARCH]), (2, both));
    let args = ["explain", "@weekly", "--name", "a", "--nominal", "2026-03-02"];
    let ran = kron(&args);
    let err = "error: a: there is no period on 2026-03-02 in UTC\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (1, "", err));
}

#[test]
fn all_periods_of_a_day() {
    let job =
        ["explain", "0 */6 * * * @win(after,1h) @only(hours=6-23)", "--name", "a", "--day", "2026-03-01"];
    let out = fine(&job);
    let lines = |start: &str| out.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines("Period "), lines("Result       starts"), lines("Result       does not")), (4, 3, 1));
    assert_eq!(out.matches("\n\na\n0 */6 ").count(), 3);
    // Each page is the one that --nominal gives.
    let third = fine(&[&job[..4], &["--nominal", "2026-03-01T12:00:00Z"]].concat());
    assert!(out.contains(&format!("\n\n{third}\n")), "{out}");
    let receipts: serde_json::Value =
        serde_json::from_str(&fine(&[&job[..], &["-o", "json"]].concat())).expect("JSON");
    assert_eq!(receipts.as_array().map(Vec::len), Some(4));
    let ran = kron_with(&["verify"], receipts[2].to_string().as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, "agrees\n"));
    let ran = kron(&["explain", "@weekly", "--name", "a", "--day", "2026-03-02", "--tz", "Asia/Tokyo"]);
    let err = "error: a: there is no period on 2026-03-02 in Asia/Tokyo\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (1, "", err));
    let err = refused(&["explain", "@daily", "--name", "a", "--day", "today", "--at", MARCH]);
    assert!(err.contains("cannot be used with"), "{err}");
}

const INDENT: &str = "             ";

/// The lines from the result to the schedule, without their indent.
fn strip(args: &[&str], variables: &[(&str, &str)], columns: u16) -> String {
    let ran = kron_on_terminal(args, variables, columns);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines = ran.out.lines().skip_while(|line| !line.starts_with("Result"));
    let lines = lines.skip_while(|line| !line.is_empty()).skip(1).take_while(|line| !line.is_empty());
    lines.map(|line| line.strip_prefix(INDENT).unwrap_or(line).to_string() + "\n").collect()
}

const NORMAL: [&str; 5] = [
    "explain",
    "0 6 * * * @win(around,40m) @dist(normal) @avoid(between=05:55-05:59)",
    "--name",
    "x/y",
    "--at",
];

#[test]
fn the_strip_has_the_width_of_the_terminal() {
    let args = [&NORMAL[..], &["2026-03-02T00:00:00Z"]].concat();
    let lines = [
        "                                 ▼ nominal time",
        "                       ▁▂        ██▇▇▆▅▄▃▂▁",
        "                 ▁▂▃▅▆▇██        ██████████▇▆▅▃▂▁",
        "▁▁▁▁▁▁▁▂▂▂▃▄▄▅▆▇█████████░░░░░░░░█████████████████▇▆▅▄▄▃▂▂▂▁▁▁▁▁▁▁",
        "                  ▲ start 05:51:22",
        "05:40   05:45   05:50   05:55    06:00   06:05   06:10   06:15",
        "▁▅█ how likely a start is   ░ forbidden",
    ];
    assert_eq!(strip(&args, &[UTF8], 80).lines().collect::<Vec<_>>(), lines);
    let wide = strip(&args, &[UTF8], 140);
    assert_eq!(wide.lines().map(|line| line.chars().count()).max(), Some(126), "{wide}");
    // A narrow terminal wraps lines; a strip of no columns would say nothing.
    assert!(strip(&args, &[UTF8], 10).contains('▼'));
}

#[test]
fn the_strip_in_ascii_and_in_colours() {
    let args = [&NORMAL[..], &["2026-03-02T00:00:00Z"]].concat();
    for (variables, is_ascii) in [
        (&[("LANG", "C")][..], true),
        (&[("LC_ALL", "POSIX"), ("LANG", "de_DE.UTF-8")], true),
        (&[("LC_ALL", ""), ("LC_CTYPE", "de_DE.utf8"), ("LANG", "C")], false),
        (&[("LANG", "C.UTF-8")], false),
        (&[], true),
    ] {
        let found = strip(&args, variables, 80);
        assert_eq!(found.is_ascii(), is_ascii, "{variables:?}\n{found}");
    }
    let lines = [
        "                       v nominal time",
        "                .      ##**::.",
        "            .:+*#      #######*+:.",
        ".......::+*######//////############*+::.......",
        "             ^ start 05:51:22",
        "05:40      05:50       06:00      06:10",
        ".+# how likely a start is   / forbidden",
    ];
    assert_eq!(strip(&args, &[("LANG", "C")], 60).lines().collect::<Vec<_>>(), lines);
}

#[test]
fn a_picture_of_a_period() {
    let args = [&NORMAL[..], &["2026-03-02T00:00:00Z", "-o", "svg"]].concat();
    let picture = fine(&args);
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{picture}");
    for part in [
        "<title>x/y starts Mon 2 March 2026, 05:51:22. 8m 38s before its nominal time, by draw 1. Times in UTC.</title>",
        "prefers-color-scheme:dark",
        ">nominal time</text>",
        ">start 05:51:22</text>",
        ">05:45</text>",
        ">how likely a start is</text>",
        ">forbidden</text>",
    ] {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
    assert!(!picture.contains("forbidden draw"), "{picture}");
    // Nothing that a name says is an element.
    let p = |args: &[&str]| fine(&[&["explain"], args, &["-o", "svg"]].concat());
    let odd = p(&["@daily @win(after,1h)", "--name", "<b>&\"\u{202e}", "--at", MARCH]);
    assert!(odd.contains("&lt;b&gt;&amp;&quot;\\u{202e} starts Sun 1 March"), "{odd}");
    let long = p(&["@daily @win(after,1h)", "--name", &"x".repeat(200), "--at", MARCH]);
    assert!(long.contains("xxxx… starts"), "{long}");
    let none = p(&["@daily @win(after,1h) @only(hours=12)", "--name", "a", "--nominal", "2026-03-02"]);
    assert!(
        none.contains("a does not start for Mon 2 March 2026, 00:00:00. The constraints allow no"),
        "{none}"
    );
    assert!(none.contains("kron-draw\" d=") && !none.contains("kron-start\" d="), "{none}");
    let instant = p(&["@daily", "--name", "a", "--at", MARCH]);
    assert!(instant.contains("At its nominal time.") && !instant.contains("<path"), "{instant}");
    // A day with one period has a picture, and one with several has none.
    let day = ["explain", "0 */12 * * * @win(after,1h)", "--name", "a", "--day", "2026-03-01", "-o", "svg"];
    let err = refused(&day);
    assert!(err.starts_with("error: -o svg shows one period, and the range has more\n"), "{err}");
    assert!(
        fine(&["explain", "@daily", "--name", "a", "--day", "2026-03-01", "-o", "svg"]).contains("</svg>")
    );
}

/// On a screen that does not show the beginning of a page, the result is its end.
#[test]
fn the_result_stays_on_the_screen() {
    let p = |text: &str| kron_on_terminal(&["explain", text, "--name", "a", "--at", MARCH], &[], 80).out;
    let long = p("0 3 * * * @win(after,3h)");
    assert!(
        long.lines().count() > 24 && long.starts_with("a\n0 3 * * * @win(after,3h)\n\nSchedule "),
        "{long}"
    );
    let end: Vec<&str> = long.lines().rev().take(12).collect();
    assert!(end.iter().any(|line| line.starts_with("Result       a starts at ")), "{long}");
    let short = p("0 3 * * *");
    assert!(short.starts_with("a\n0 3 * * *\n\nResult "), "{short}");
}

#[test]
fn lines_fit_a_terminal() {
    let args =
        ["explain", "0 0 * * * @tz(Europe/Paris) @win(after,3h) @only(hours=1-2)", "--name", "prod/db"];
    let args = [&args[..], &["--at", "2026-03-01T23:00:00Z"]].concat();
    let page = kron_on_terminal(&args, &[("LC_ALL", "C.UTF-8")], 80).out;
    let long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:?}");
    assert!(page.contains("2026-03-02T00:00:00+01:00 in\n               Europe/Paris\n"), "{page}");
    // A pipe gets each line as it is.
    assert!(fine(&args).contains("2026-03-02T00:00:00+01:00 in Europe/Paris\n"));
}

#[test]
fn a_suspended_job_does_not_start() {
    let job = ["explain", "0 0 * * * @policy(suspend=true) @win(after,1h)", "--name", "a/b"];
    let at = ["--at", "2026-03-01T12:00:00Z"];
    // A note says it, too.
    let of = |form: &[&str]| kron_in(&[UTF8], &[&job[..], &at, form].concat(), b"").out;
    assert!(of(&[]).contains("Result       is suspended; it would start at 2026-03-02T00:"));
    assert!(of(&["-o", "svg"]).contains(">a/b is suspended, else starts Mon 2 March 2026, 00:"));
}
