//! Many jobs, and files of other systems: the answers are those of the crates below.

use kron_core::{Duration, Job};
use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
use kron_wasm::{BUCKETS, FLEET_JOBS};
use serde_json::{Value, json};

use crate::Host;

const CRONTAB: &str = "CRON_TZ=Europe/Paris\n0 3 * * * /usr/bin/backup --all\n@reboot /usr/bin/begin\n0 3 * * * /usr/bin/report\n";
/// 2026-03-02T00:00:00Z, a Monday.
const MONDAY: i64 = 1_772_409_600;
const DAY: i64 = 86_400;

fn read(host: &mut Host, path: &str, text: &str) -> Value {
    host.ask(json!({"ask": "read", "sources": [{"path": path, "text": text}]})).unwrap()
}

fn day(fleet: &Value, more: Value) -> Value {
    let mut asked = json!({"ask": "forecast", "fleet": fleet["fleet"], "from": MONDAY, "until": MONDAY + DAY, "perSeconds": 60});
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked
}

#[test]
fn files_are_read_with_the_places_of_their_jobs() {
    let mut host = Host::default();
    let fleet = read(&mut host, "", CRONTAB);
    assert_eq!(fleet["fleet"], 1);
    let jobs: Vec<_> = fleet["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| (&job["line"], &job["schedule"], &job["timezone"]))
        .collect();
    let (schedule, zone) = (json!("0 3 * * *"), json!("Europe/Paris"));
    assert_eq!(jobs, [(&json!(2), &schedule, &zone), (&json!(4), &schedule, &zone)]);
    assert_eq!(fleet["jobs"][0]["origin"], "crontab");
    let found = &fleet["findings"][0];
    assert_eq!((&found["source"], &found["line"]), (&json!(0), &json!(3)));
    assert!(found["message"].as_str().unwrap().contains("`@reboot` is not a time"), "{found}");
}

#[test]
fn jobs_stand_beside_files() {
    let mut host = Host::default();
    let jobs = json!([{"name": "team a/\"x\"", "text": "@daily @win(after,1h)"}]);
    let asked =
        json!({"ask": "read", "sources": [{"path": "a.kron", "text": "@daily name=first\n"}], "jobs": jobs});
    let fleet = host.ask(asked).unwrap();
    let found = &fleet["jobs"][1];
    assert_eq!(
        (&found["name"], &found["source"], &found["windowSeconds"]),
        (&json!("team a/\"x\""), &json!(1), &json!(3600))
    );
    let wrong = json!({"ask": "read", "jobs": [{"name": "a", "text": "61 * * * *"}]});
    assert_eq!(host.ask(wrong).unwrap_err()["code"], "cron-out-of-range");
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_place() {
    let mut host = Host::default();
    let fleet = read(&mut host, "jobs.kron", "@daily name=a\n61 * * * * name=b\n");
    assert_eq!(fleet["jobs"].as_array().unwrap().len(), 1);
    let found = &fleet["findings"][0];
    assert_eq!((&found["severity"], &found["line"]), (&json!("error"), &json!(2)));
    assert_eq!(found["code"], "cron-out-of-range");
}

#[test]
fn forecasts_count_what_the_fleet_counts() {
    let mut host = Host::default();
    let text: String = (0..30).map(|i| format!("0 0 * * * name=web/{i}\n")).collect();
    let fleet = read(&mut host, "jobs.kron", &text);
    let asked = day(&fleet, json!({"windowSeconds": 3600, "forms": ["json", "html", "svg"]}));
    let answer = host.ask(asked).unwrap();
    let jobs: Vec<Job> =
        (0..30).map(|i| Job::parse(&format!("web/{i}"), "@daily @win(after,1h)").unwrap()).collect();
    let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(ForecastJob::new).collect();
    let range = ForecastRange::new(MONDAY..MONDAY + DAY, Duration::from_secs(60)).unwrap();
    let chosen = forecast(&jobs, &range, ForecastBy::ChosenTime).unwrap();
    let starts: Vec<u32> = chosen.buckets().iter().map(|bucket| bucket.starts).collect();
    assert_eq!(answer["json"]["kron"]["buckets"]["starts"], json!(starts));
    assert_eq!(answer["json"]["cron"]["starts"]["peak"], 30);
    let most = starts.iter().max().unwrap();
    let sentence = answer["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with(&format!("Fullest minute, Mon 2 March: 30 starts as written, {most} as spread")),
        "{sentence}"
    );
    assert!(answer["html"].as_str().unwrap().contains("Jobs by schedule"));
    assert_eq!(answer["data"]["from"], MONDAY);
    assert!(answer["svg"].as_str().unwrap().starts_with("<svg"));
    // Without a window there is nothing to compare.
    let plain = host.ask(day(&fleet, json!({}))).unwrap();
    assert!(plain["sentence"].as_str().unwrap().ends_with(" starts. No job has a window"), "{plain}");
    assert!(plain.get("html").is_none());
}

#[test]
fn placed_files_are_compared_with_what_they_declare() {
    let mut host = Host::default();
    let asked = json!({
        "ask": "adopt", "sources": [{"path": "crontab", "text": CRONTAB}], "windowSeconds": 3600, "prefix": "web-1",
    });
    let adopted = host.ask(asked).unwrap();
    assert_eq!((&adopted["refused"], adopted["placed"].as_array().unwrap().len()), (&json!(false), 2));
    let text = adopted["texts"][0].as_str().unwrap();
    assert!(text.contains("# kron: 0 3 * * * @win(after,1h) name=web-1/crontab/"), "{text}");
    let fleet = read(&mut host, "crontab", text);
    assert!(fleet["jobs"].as_array().unwrap().iter().all(|job| job["isPlaced"] == true), "{fleet}");
    let answer = host.ask(day(&fleet, json!({}))).unwrap();
    let sentence = answer["sentence"].as_str().unwrap();
    assert!(sentence.contains("2 starts as declared, 1 as placed"), "{sentence}");
}

#[test]
fn salts_keep_starts_apart() {
    let mut host = Host::default();
    let range = json!({"from": MONDAY, "until": MONDAY + DAY, "perSeconds": 60});
    let text: String = (0..60).map(|i| format!("0 0 * * * name=web/{i}\n")).collect();
    let fleet = read(&mut host, "jobs.kron", &text);
    let asked = json!({"ask": "spread", "fleet": fleet["fleet"], "range": range, "windowSeconds": 3600});
    let spread = host.ask(asked).unwrap();
    assert_eq!((&spread["peak"], &spread["bound"]), (&json!(1), &json!(1)));
    assert!(spread["presentPeak"].as_u64().unwrap() > 1);
    let answer = host.ask(day(&spread, json!({"forms": ["json"]}))).unwrap();
    assert_eq!(answer["json"]["kron"]["starts"]["peak"], 1);
    // The same for schedules that another system runs, beside those that stay.
    let crontab: String = (0..50).map(|i| format!("0 0 * * * /usr/bin/job-{i}\n")).collect();
    let asked = json!({
        "ask": "adopt", "sources": [{"path": "crontab", "text": format!("{crontab}*/5 * * * * health\n")}],
        "windowSeconds": 3600, "prefix": "web-1", "spread": range,
    });
    let adopted = host.ask(asked).unwrap();
    assert_eq!(adopted["refused"], false, "{adopted}");
    let placed = adopted["texts"][0].as_str().unwrap();
    assert!(placed.contains("@seed(fixed,salt="), "{placed}");
    let fleet = read(&mut host, "crontab", placed);
    let answer = host.ask(day(&fleet, json!({"forms": ["json"]}))).unwrap();
    assert_eq!(
        answer["json"]["kron"]["starts"]["peak"], 2,
        "61 minutes for 50 jobs and 12 of another: {placed}"
    );
}

#[test]
fn windows_of_less_than_a_minute_place_nothing() {
    let asked = json!({"ask": "adopt", "sources": [], "windowSeconds": 59, "prefix": "a"});
    assert_eq!(Host::default().ask(asked).unwrap_err()["code"], "limit");
}

#[test]
fn coming_starts_have_their_strip() {
    let mut host = Host::default();
    read(&mut host, "jobs.kron", "0 0 * * * name=prod/db-backup command=\"dump now\"\n");
    let asked =
        json!({"ask": "coming", "fleet": 1, "job": 0, "after": MONDAY, "count": 2, "windowSeconds": 10_800});
    let starts = host.ask(asked).unwrap();
    let job = Job::parse("prod/db-backup", "@daily @win(after,3h)").unwrap();
    let first = job.next_start(MONDAY).unwrap();
    assert_eq!(starts[0]["chosen"], first.order_timestamp());
    assert_eq!(starts[1]["chosen"], job.next_start(first.order_timestamp()).unwrap().order_timestamp());
    assert!(starts[0]["svg"].as_str().unwrap().starts_with("<svg"));
    let file = json!({"ask": "jobFile", "fleet": 1, "windowSeconds": 10_800});
    let line = "0 0 * * * @win(after,3h0m0s) name=prod/db-backup command=\"dump now\"\n";
    assert_eq!(host.ask(file).unwrap()["text"], line);
    let file = json!({"ask": "jobFile", "fleet": 1, "withoutFields": true});
    assert_eq!(host.ask(file).unwrap()["text"], "0 0 * * * name=prod/db-backup\n");
    let none = json!({"ask": "coming", "fleet": 1, "job": 1, "after": MONDAY, "count": 1});
    assert_eq!(
        host.ask(none).unwrap_err()["message"],
        "there is no job 1: the fleet has 1 job; the first job has the number 0"
    );
}

#[test]
fn a_placed_schedule_starts_in_the_window_of_its_declaration() {
    let mut host = Host::default();
    read(&mut host, "crontab", "# kron: 0 0 * * * @win(after,1h) name=my/b\n7 0 * * * /b\n");
    // The declared time has passed, and the place is still to come.
    let starts =
        host.ask(json!({"ask": "coming", "fleet": 1, "job": 0, "after": MONDAY + 60, "count": 2})).unwrap();
    for (start, day) in [(&starts[0], MONDAY), (&starts[1], MONDAY + DAY)] {
        assert_eq!((&start["chosen"], &start["nominal"]), (&json!(day + 420), &json!(day)));
        assert_eq!(start["isPlaced"], true);
    }
    let svg = starts[0]["svg"].as_str().unwrap();
    assert!(svg.contains("my/b is placed at Mon 2 March 2026, 00:07:00"), "{svg}");
}

#[test]
fn salts_are_written_into_manifests() {
    let manifest = |name: &str| {
        format!(
            "---\napiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {{name: {name}, namespace: prod}}\nspec:\n  schedule: '@daily' # at night\n  \
             window: {{duration: 20m}}\n  jobTemplate: {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: i}}]}}}}}}}}\n"
        )
    };
    let text: String = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map(manifest).concat();
    let mut host = Host::default();
    let fleet = read(&mut host, "jobs.yaml", &text);
    let range = json!({"from": MONDAY, "until": MONDAY + DAY, "perSeconds": 60});
    let asked = json!({"ask": "spread", "fleet": fleet["fleet"], "range": range, "manifests": text});
    let spread = host.ask(asked).unwrap();
    assert_eq!((&spread["presentPeak"], &spread["peak"]), (&json!(2), &json!(1)));
    let salted = spread["manifests"].as_str().unwrap();
    let answer = day(&read(&mut host, "jobs.yaml", salted), json!({"forms": ["json"]}));
    assert_eq!(host.ask(answer).unwrap()["json"]["kron"]["starts"]["peak"], 1);
    let (before, after) = salted.split_once("  seed:\n    salt: '1'\n").unwrap();
    assert_eq!(format!("{before}{after}"), text);
}

#[test]
fn files_of_other_systems_become_jobs() {
    let asked =
        json!({"ask": "convert", "sources": [{"path": "crontab", "text": CRONTAB}], "windowSeconds": 3600});
    let converted = Host::default().ask(asked).unwrap();
    let text = converted["text"].as_str().unwrap();
    assert!(text.contains("0 3 * * * @tz(Europe/Paris) @win(after,1h"), "{text}");
    assert_eq!(
        (&converted["findings"][0]["severity"], &converted["findings"][0]["line"]),
        (&json!("error"), &json!(3))
    );
}

#[test]
fn lint_names_jobs_and_lines() {
    let mut host = Host::default();
    read(&mut host, "jobs.kron", "# first\n0 */7 * * * @policy(deadline=1h) name=web/report\n");
    let found = host.ask(json!({"ask": "lintFleet", "fleet": 1, "at": MONDAY})).unwrap();
    let uneven = found.as_array().unwrap().iter().find(|found| found["code"] == "uneven-step").unwrap();
    assert_eq!((&uneven["name"], &uneven["line"]), (&json!("web/report"), &json!(2)));
}

#[test]
fn handles_end_and_work_is_limited() {
    let mut host = Host::default();
    let fleet = read(&mut host, "jobs.kron", "* * * * * name=a\n");
    let mut ask = |from: i64, until: i64, per: i64| {
        let asked = json!({"ask": "forecast", "fleet": 1, "from": from, "until": until, "perSeconds": per});
        host.ask(asked).map_err(|error| error["code"].clone())
    };
    assert_eq!(ask(0, BUCKETS + 1, 1).unwrap_err(), "limit");
    // Two million minutes and one.
    assert_eq!(ask(0, 60 * 2_000_001, 86_400).unwrap_err(), "limit");
    assert!(ask(0, DAY, 60).is_ok());
    host.ask(json!({"ask": "freeFleet", "fleet": fleet["fleet"]})).unwrap();
    let gone = host.ask(json!({"ask": "lintFleet", "fleet": 1, "at": 0})).unwrap_err();
    assert_eq!(
        (&gone["code"], &gone["message"]),
        (&json!("handle"), &json!("there is no fleet 1; read the fleet first"))
    );
    let many: String = (0..=FLEET_JOBS).map(|i| format!("@daily name=j{i}\n")).collect();
    let asked = json!({"ask": "read", "sources": [{"text": many}]});
    assert_eq!(host.ask(asked).unwrap_err()["code"], "limit");
}

/// Windows that overlap, constraints and searches cost as much as many plain starts.
#[test]
fn the_work_of_all_jobs_together_is_limited() {
    let mut host = Host::default();
    let mut fleet = |text: &str, count: usize| {
        let text: String = (0..count).map(|i| format!("{text} name=a{i}\n")).collect();
        read(&mut host, "jobs.kron", &text)["fleet"].clone()
    };
    let overlapping = [13, 200].map(|count| fleet("* * * * * @win(after,160h)", count));
    let constrained = [10, 100].map(|count| fleet("* * * * * @win(after,160h) @only(hours=3)", count));
    let daily = [2, 2000].map(|count| fleet("0 0 * * * @win(after,12h)", count));
    let hourly = [2, 100].map(|count| fleet("0 * * * * @win(after,1h) @avoid(hours=1)", count));
    let searched = [fleet("* * * * * @only(hours=3)", 30), fleet("* * * * * @only(hours=4)", 30)];
    let forecast = |fleet: &Value| json!({"ask": "forecast", "fleet": fleet, "from": MONDAY, "until": MONDAY + DAY, "perSeconds": 60});
    let spread = |fleet: &Value, days: i64| {
        let range = json!({"from": MONDAY, "until": MONDAY + days * DAY, "perSeconds": 60});
        json!({"ask": "spread", "fleet": fleet, "range": range})
    };
    let refused = "ask for a shorter range or for fewer jobs, or use the command `kron`";
    for (few, many) in [
        (forecast(&overlapping[0]), forecast(&overlapping[1])),
        (forecast(&constrained[0]), forecast(&constrained[1])),
        (spread(&daily[0], 60), spread(&daily[1], 60)),
        (spread(&hourly[0], 7), spread(&hourly[1], 7)),
    ] {
        host.ask(few).unwrap();
        let error = host.ask(many).unwrap_err();
        assert_eq!((&error["code"], &error["help"]), (&json!("limit"), &json!(refused)));
    }
    let diff =
        json!({"ask": "diff", "old": searched[0], "new": searched[1], "from": MONDAY, "until": MONDAY + 60});
    assert_eq!(host.ask(diff).unwrap_err()["code"], "limit");
}

#[test]
fn the_coming_starts_are_those_of_repeated_searches() {
    let mut host = Host::default();
    for (index, text) in
        ["* * * * * @win(after,160h)", "*/7 * * * * @win(after,3h) @only(hours=3)"].iter().enumerate()
    {
        read(&mut host, "jobs.kron", &format!("{text} name=a\n"));
        let asked = json!({"ask": "coming", "fleet": index + 1, "job": 0, "after": MONDAY, "count": 40});
        let starts = host.ask(asked).unwrap();
        let job = Job::parse("a", text).unwrap();
        let mut after = MONDAY;
        for start in starts.as_array().unwrap() {
            let next = job.next_start(after).unwrap();
            after = next.order_timestamp();
            assert_eq!(
                (&start["chosen"], &start["nominal"]),
                (&json!(after), &json!(next.nominal_timestamp()))
            );
        }
        assert_eq!(starts.as_array().unwrap().len(), 40);
    }
}

#[test]
fn too_many_jobs_are_not_placed() {
    let text = "0 0 * * * /bin/a\n".repeat(FLEET_JOBS + 1);
    let asked = json!({
        "ask": "adopt", "sources": [{"path": "crontab", "text": text}], "windowSeconds": 3600, "prefix": "a",
    });
    let error = Host::default().ask(asked).unwrap_err();
    assert_eq!(error["help"], "take fewer jobs at once, or use the command `kron`");
}
