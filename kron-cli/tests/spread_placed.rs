//! `kron spread` on files with declarations of `kron place`. What is searched: see the tests of kron-fleet; `scripts/check_spread.py` checks
//! certificates without Kron.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, directory, file, kron_by};

/// Runs on 2026-03-02, a Monday.
#[track_caller]
fn kron_with(args: &[&str], input: &str) -> Ran {
    kron_by(&mut || "2026-03-02T05:06:07Z".parse().unwrap(), &[], args, input.as_bytes())
}

#[track_caller]
fn kron(args: &[&str]) -> Ran {
    kron_with(args, "")
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!(ran.code, 2, "{}", ran.err);
    ran.err
}

/// The peak that `kron forecast` finds in the files as they stand.
#[track_caller]
fn peak_of(path: &str) -> u64 {
    let ran = kron(&["forecast", path, "--from", "2026-03-02", "--until", "2026-03-09", "-o", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str::<Value>(&ran.out).unwrap()["kron"]["starts"]["peak"].as_u64().unwrap()
}

/// The text after `kron place` and these options.
#[track_caller]
fn placed(text: &str, name: &str, options: &[&str]) -> String {
    let ran = kron(&[&["place", &file(name, text)], options].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

/// Values with declared schedules that all stand at midnight.
fn values(jobs: usize, window: &str) -> String {
    (0..jobs).fold(String::new(), |mut text, i| {
        let _ = write!(
            text,
            "job{i}:\n  # kron: 0 0 * * * @win(after,{window}) name=ops/{i}\n  schedule: \"0 0 * * *\" # night\n"
        );
        text
    })
}

#[test]
fn declarations_get_salts_and_schedules_their_places() {
    let text = values(60, "20m");
    let path = file("spread-values.yaml", &text);
    let certificate = format!("{}/peak.json", directory("spread-values"));
    let ran = kron(&["spread", &path, "--certificate", &certificate]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("\nFullest minute, ")
            && ran.err.contains(": 60 starts before, 3 after (20 times fewer)\n")
            && ran.err.ends_with("; no salts give a lower peak\n"),
        "{}",
        ran.err
    );
    let changed = ran.out.matches("@seed(fixed,salt=").count();
    assert!(
        ran.err.contains(&format!("\nChanged the salts of {changed} of 60 declarations; ")),
        "{}",
        ran.err
    );
    assert!(changed > 5 && changed < 55, "{changed}");
    let after = file("spread-values-after.yaml", &ran.out);
    assert_eq!(peak_of(&after), 3);
    assert_eq!(placed(&ran.out, "spread-again.yaml", &[]), ran.out);
    assert_eq!(
        placed(&ran.out, "spread-undo.yaml", &["--undo"]),
        placed(&text, "spread-undo.yaml", &["--undo"])
    );
    // Nothing else to do.
    assert_eq!(kron(&["spread", &after]).out, ran.out);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    let found: Value = serde_json::from_str(&fs::read_to_string(&certificate).unwrap()).unwrap();
    assert_eq!(
        (&found["certificate"], &found["peak"], &found["bound"]),
        (&"kron-spread/2".into(), &3.into(), &3.into())
    );
    let placed = found["placed"].as_array().unwrap();
    assert_eq!((placed.len(), &placed[7]["candidates"]), (60, &serde_json::json!([[0, 20]])));
    for schedule in placed {
        let declared = format!("  # kron: {}\n", schedule["declaration"].as_str().unwrap());
        let expected =
            format!("{declared}  schedule: \"{}\" # night\n", schedule["expression"].as_str().unwrap());
        assert!(ran.out.contains(&expected), "{expected}");
    }
}

#[test]
fn other_schedules_and_jobs_of_kron_are_counted_as_they_stand() {
    let folder = directory("spread-tree");
    let write = |name: &str, text: &str| {
        let path = Path::new(&folder).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    };
    // Minutes 0 to 2 of midnight: each is taken twice, so the four declared ones have minute 3.
    let plain = "0-2 0 * * * root /usr/bin/a\n0-2 0 * * * root /usr/bin/b\n";
    write("cron.d/plain", plain);
    write(
        "jobs.kron",
        "5 0 * * * @win(after,1h) name=jobs/x\n# kron: 0 0 * * * @win(after,1h) name=no\n0 9 * * * name=y\n",
    );
    write("charts/values.yaml", &values(4, "3m"));
    let budget = ["spread", &folder, "--budget", "2"];
    assert_eq!(kron(&budget).code, 1);
    assert!(refused(&["spread", &folder]).contains("add `-i` to write them back"));
    let ran = kron(&["spread", "-i", &folder]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("6 starts before, 3 after (2 times fewer)"), "{}", ran.err);
    assert!(ran.err.contains(" of 4 declarations (1 file written); no salts"), "{}", ran.err);
    assert_eq!((peak_of(&folder), kron(&["spread", &folder, "--budget", "3"]).code), (3, 0));
    assert_eq!(fs::read_to_string(Path::new(&folder).join("cron.d/plain")).unwrap(), plain);
    let ran = kron(&["place", "--check", &format!("{folder}/charts")]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
}

#[test]
fn a_new_schedule_moves_no_other() {
    let ran = kron(&["spread", &file("spread-old.yaml", values(40, "20m"))]);
    assert!(ran.err.contains(" 2 after"), "{}", ran.err);
    // 42 starts fit into 21 minutes.
    let more = "NAME:\n  # kron: 0 0 * * * @win(after,20m) name=new/NAME\n  schedule: 0 0 * * *\n";
    let mut text = ran.out.clone();
    for name in ["a", "b"] {
        let old = text.clone();
        text += &more.replace("NAME", name);
        let ran = kron(&["spread", &file("spread-new.yaml", &text)]);
        assert!(ran.err.contains(" 2 after") && ran.out.starts_with(&old), "{}", ran.err);
        text = ran.out;
    }
    let limited =
        values(40, "20m").replace("0 0 * * *\" #", "30 0 * * *\" #").replace("kron: 0 0", "kron: 30 0");
    let limited = placed(&limited, "spread-limited.yaml", &[]);
    let ran = kron(&["spread", &file("spread-limited.yaml", &limited), "--max-moves", "3"]);
    let changed = ran.out.matches("salt=").count();
    assert!(changed > 0 && changed <= 3, "{}", ran.err);
}

#[test]
fn hosts_and_objects_and_standard_input() {
    let crontab = "# kron: 0 0 * * * @win(after,1h) name={host}/a\n0 0 * * * a # b\n# kron: 0 0 * * * @win(after,0s) name=b\n0 0 * * * b\n";
    // Passed over, and counted where it stands.
    let ran = kron_with(&["spread", "-"], crontab);
    assert_eq!((ran.code, ran.out.as_str()), (0, crontab), "{}", ran.err);
    assert!(
        ran.err.contains("no host is given") && ran.err.contains("2 starts before, 2 after"),
        "{}",
        ran.err
    );
    let ran = kron_with(&["spread", "-", "--host", "web-1"], crontab);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("2 starts before, 1 after") && ran.out.contains(" name={host}/a\n"),
        "{}",
        ran.out
    );
    assert_eq!(kron_with(&["place", "--host", "web-1", "-"], &ran.out).out, ran.out);
    // An annotation, whose bytes are its value or not.
    let pods = r#"{"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}"#;
    let object = |declared: &str| {
        format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n    kron.io/spread: {declared}\n\
             spec:\n  schedule: 0 0 * * *\n  timeZone: Europe/Paris\n  jobTemplate: {pods}\n---\napiVersion: batch/v1\nkind: CronJob\n\
             metadata: {{name: c, namespace: b}}\nspec: {{schedule: '33 0 * * *', timeZone: Europe/Paris, \"jobTemplate\": {pods}}}\n"
        )
    };
    // Where the salt of now would lead to the minute of the other one.
    let declared = (0..)
        .map(|salt| format!("\"0 0 * * * @win(after,1h) @seed(fixed,salt={salt})\""))
        .find(|declared| {
            placed(&object(declared), "spread-object.yaml", &[]).contains("schedule: 33 0 * * *")
        })
        .unwrap();
    let path = file("spread-object.yaml", object(&declared));
    let ran = kron(&["spread", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("No two starts within the same minute"), "{}", ran.err);
    assert!(
        ran.out.contains("@win(after,1h) @seed(fixed,salt=") && !ran.out.contains("schedule: 33 0"),
        "{}",
        ran.out
    );
    let escaped = declared.replace("0 0 *", "0 0\\x20*");
    let ran = kron(&["spread", &file("spread-escaped.yaml", object(&escaped))]);
    assert_eq!((ran.code, ran.out), (2, object(&escaped)));
    assert!(ran.err.contains("cannot get another salt: its bytes are not its value"), "{}", ran.err);
}

#[test]
fn err_what_salts_cannot_be_chosen_for() {
    let edited = values(2, "1h").replacen("\"0 0", "\"17 3", 1);
    let ran = kron_with(&["spread", "-"], &edited);
    assert_eq!((ran.code, ran.out.as_str()), (2, edited.as_str()), "a filter loses nothing");
    assert!(ran.err.contains("neither the declared `0 0 * * *` nor its place"), "{}", ran.err);
    let twice = values(2, "1h").replace("ops/1", "ops/0");
    let ran = kron_with(&["spread", "-"], &twice);
    assert_eq!((ran.code, ran.out.as_str()), (2, twice.as_str()));
    assert!(
        ran.err.contains("error") && ran.err.contains("another declaration has the name `ops/0`"),
        "{}",
        ran.err
    );
    assert!(refused(&["spread", "-i", "-"]).contains("cannot be written back"));
    let path = file("spread-declared.yaml", values(2, "1h"));
    assert!(refused(&["spread", &path, "--declared"]).contains("leave it out"));
    let ran = kron(&["spread", &file("spread-none.yaml", values(9, "1m")), "--peak", "4"]);
    assert!(
        ran.code == 1 && ran.err.contains("no salts give a peak of 4: the lower bound is 5"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("schedule: \"1 0 * * *\""), "{}", ran.out);
}

/// Random declarations in one file, by a linear congruence.
fn random(seed: u64, jobs: usize) -> String {
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = String::from("MAILTO=root\nCRON_TZ=Europe/Paris\n");
    for i in 0..jobs {
        let minute = ["0", "30", "*/20", "5"][next(4)];
        let hour = ["0", "*", "8-18", "23"][next(4)];
        let days = ["* * *", "* * 1-5", "1 * *", "* * ?"][next(4)];
        let window = ["after,1h", "around,30m", "before,10m", "after,3h"][next(4)];
        let more = ["", " @avoid(between=00:10-00:12)", " @seed(fixed,salt=x)", " @dist(skewEarly)"][next(4)];
        let expression = format!("{minute} {hour} {days}");
        let _ = write!(
            text,
            "# kron: {expression} @win({window}){more} name=r/{i}\n{expression} /usr/bin/r {i}\n"
        );
        if next(3) == 0 {
            let _ = writeln!(text, "{} {} * * * /usr/bin/plain {i}", next(60), next(24));
        }
    }
    text
}

#[test]
fn every_spread_file_is_placed_and_counted() {
    let mut changed = 0;
    for seed in 0..10 {
        let text = random(seed, 25);
        let folder = directory(&format!("spread-random-{seed}"));
        let path = format!("{folder}/random.cron");
        fs::write(&path, &text).unwrap();
        let declared = placed(&text, "random-undo.cron", &["--undo"]);
        let certificate = format!("{folder}/peak.json");
        let more: &[&str] = [&["--best"][..], &[], &["--max-moves", "4"]][seed as usize % 3];
        let ran = kron(&[&["spread", &path, "-i", "--certificate", &certificate], more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}\n{text}", ran.err);
        let spread = fs::read_to_string(&path).unwrap();
        let found: Value = serde_json::from_str(&fs::read_to_string(&certificate).unwrap()).unwrap();
        assert_eq!(found["peak"], peak_of(&path), "{spread}");
        assert!(found["bound"].as_u64() <= found["peak"].as_u64());
        assert_eq!(placed(&spread, "random-again.cron", &[]), spread);
        assert_eq!(placed(&spread, "random-undo.cron", &["--undo"]), declared);
        if seed == 4 {
            let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/check_spread.py");
            let checked = Command::new("python3").args([checker, &certificate, &path]).output().unwrap();
            let said = String::from_utf8_lossy(&checked.stdout);
            assert!(
                said.starts_with(&format!("peak {}, bound {}", found["peak"], found["bound"])),
                "{checked:?}"
            );
        }
        // Salts and schedules change, and nothing else does.
        let others = |text: &str| {
            let lines = text.lines().filter(|line| !line.contains("/usr/bin/r ") && !line.contains("kron:"));
            lines.map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(others(&spread), others(&text));
        changed += usize::from(spread != placed(&text, "random-placed.cron", &[]));
    }
    assert!(changed >= 7, "{changed}");
}

/// The peak and the base of a forecast beside a base.
fn with_base(path: &str, base: &str, more: &[&str]) -> (u64, Vec<u64>) {
    let args =
        ["forecast", path, "--from", "2026-03-02", "--until", "2026-03-09", "-o", "json", "--base", base];
    let ran = kron(&[&args[..], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let base =
        found["base"]["buckets"]["starts"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    (found["kron"]["starts"]["peak"].as_u64().unwrap(), base)
}

#[test]
fn a_base_shapes_what_is_placed() {
    // Busy until 00:10, so that 20 schedules have the 11 minutes from there on.
    let base = file("spread-base.csv", "time,load\n00:00,4.2\n00:10,0\n");
    let path = file("spread-base.yaml", values(20, "20m"));
    let certificate = format!("{}/peak.json", directory("spread-base"));
    let ran = kron(&["spread", &path, "--base", &base, "--best", "--certificate", &certificate]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("\nFullest minute of starts and base, ")
            && ran.err.contains(": 25 before, 5 after (5 times less)\n")
            && ran.err.ends_with("; no salts give a lower peak\n"),
        "{}",
        ran.err
    );
    let minutes =
        ran.out.lines().filter_map(|line| line.trim().strip_prefix("schedule: \"")?.split(' ').next());
    assert!(minutes.clone().count() == 20 && minutes.map(|it| it.parse::<u32>().unwrap()).all(|it| it >= 10));
    let after = file("spread-base-after.yaml", &ran.out);
    let (peak, starts) = with_base(&after, &base, &[]);
    assert_eq!((peak, &starts[8..12], starts.len()), (5, &[5, 5, 0, 0][..], 7 * 1440));
    let found: Value = serde_json::from_str(&fs::read_to_string(&certificate).unwrap()).unwrap();
    assert_eq!((&found["peak"], &found["base"][0]), (&5.into(), &serde_json::json!([0, 9, 5])));
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/check_spread.py");
    let checked = Command::new("python3").args([checker, &certificate, &after]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&checked.stdout), "peak 5, bound 5\n", "{checked:?}");
    assert_eq!(kron(&["spread", &after, "--base", &base, "--budget", "4"]).code, 1);
    assert_eq!(kron(&["spread", &after, "--base", &base, "--budget", "5"]).code, 0);

    // Job files, with half the unit.
    let jobs =
        (0..20).map(|i| format!("0 0 * * * @win(after,21m) @seed(fixed) name=a/{i}\n")).collect::<String>();
    let args = ["--base", &base, "--base-unit", "0.5", "--certificate", &certificate];
    let ran = kron(&[&["spread", &file("spread-base.kron", jobs)], &args[..]].concat());
    assert!(ran.err.contains(" 9 after"), "{}", ran.err);
    let found: Value = serde_json::from_str(&fs::read_to_string(&certificate).unwrap()).unwrap();
    assert_eq!(
        (&found["certificate"], &found["base"][0]),
        (&"kron-spread/2".into(), &serde_json::json!([0, 9, 9]))
    );
    let edited = file("spread-base-edited.kron", &ran.out);
    assert_eq!(with_base(&edited, &base, &["--base-unit", "0.5"]).0, 9);
    let checked = Command::new("python3").args([checker, &certificate, &edited]).output().unwrap();
    assert!(String::from_utf8_lossy(&checked.stdout).starts_with("peak 9, bound 9"), "{checked:?}");
}

#[test]
fn bases_of_instants_and_weeks_and_their_pictures() {
    let path = file("base-jobs.kron", "0 0 * * * name=a\n");
    let answer = |from: i64| {
        format!(
            r#"{{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{}},"values":[[{from},"3"],[{},"1.5"]]}}]}}}}"#,
            from + 3600
        )
    };
    // 2026-03-02T00:00:00Z, and a year before.
    let json = file("base.json", answer(1_772_409_600));
    let (peak, base) = with_base(&path, &json, &[]);
    assert_eq!((peak, base[0], base[59], base[60], base[119], base[120]), (4, 3, 3, 2, 2, 0));
    let args = ["forecast", &path, "--from", "2026-03-02", "--until", "2026-03-09", "--base"];
    let ran = kron(&[&args[..], &[&json]].concat());
    assert!(
        ran.err.contains("from 2026-03-02T00:00:00Z until 2026-03-02T02:00:00Z, and counts as 0 in the rest"),
        "{}",
        ran.err
    );
    assert!(
        ran.out.contains("Fullest 15 minutes of starts and base, Mon 2 to Sun 8 March: 4.")
            && ran.out.contains("\nBase alone: at most 3 in the fullest 15 minutes\n"),
        "{}",
        ran.out
    );
    let old = file("base-old.json", answer(1_740_873_600));
    let said = refused(&[&args[..], &[&old]].concat());
    assert!(said.contains("which is not in the range") && said.contains("base-old.json"), "{said}");
    let week = file("base-week.csv", "MON 00:00,7\nMON 00:30,0\n");
    // The week of Paris begins an hour earlier.
    assert_eq!(with_base(&path, &week, &["--tz", "Europe/Paris"]).1[28..32], [7, 7, 0, 0]);
    let utc = ["--tz", "Europe/Paris", "--from", "2026-03-01T00:00:00Z", "--until", "2026-03-02T00:00:00Z"];
    let csv = kron(&[&["forecast", &path, "-o", "csv", "--base", &week], &utc[..]].concat()).out;
    assert!(
        csv.contains(
            "
2026-03-01T22:59:00Z,0,0,0,0
2026-03-01T23:00:00Z,7,0,0,7
"
        ),
        "{csv}"
    );
    let csv = kron(&[&args[..], &[&week, "-o", "csv"]].concat()).out;
    assert!(
        csv.starts_with("time,starts,running,load,base\n2026-03-02T00:00:00Z,8,1,1,7\n"),
        "{}",
        &csv[..99]
    );
    let svg = kron(&[&args[..], &[&week, "-o", "svg"]].concat()).out;
    // A sum with a load is no number of starts.
    assert!(svg.contains("starts and base per minute") && svg.contains(", 8 with the base"), "{svg}");
    assert!(svg.contains("<path class=\"kron-base\" d=\"M72 "), "the base is drawn: {svg}");
    let bad = file("base-bad.csv", "time,load\n00:00,1\n25:00,1\n");
    let said = refused(&[&args[..], &[&bad]].concat());
    assert!(said.contains("`25:00` is no time") && said.contains("base-bad.csv:3"), "{said}");
    let html = kron(&[&args[..], &[&week, "-o", "html"]].concat()).out;
    assert!(html.contains("<path class=\"base\" d=\"M0 1000V"), "{html}");
    assert!(html.contains("<p>Base alone: at most 7 in the fullest minute</p>"), "{html}");
    assert!(
        refused(&[&args[..], &[&week, "--base-unit", "0"]].concat()).contains("expected a number above 0")
    );
}
