//! `kron forecast`. The core's tests compare the counts with a count second by second.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{file, fine, kron, refused};

const RANGE: [&str; 4] = ["--from", "1970-01-01", "--until", "1970-01-01T01:00"];

fn args<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["forecast", path], &RANGE[..], more].concat()
}

#[test]
fn fields_set_durations_and_weights() {
    let jobs =
        "0 0 * * * name=a/x duration=25m weight=500\n10 0 * * * name=a/y weight=3\n20,40 0 * * * name=b/z\n";
    let path = file("forecast-fields.kron", jobs);
    let csv = fine(&args(&path, &["--per", "20m", "--duration", "15m", "-o", "csv"]));
    // x runs 00:00-00:25, y 00:10-00:25, z 00:20-00:35 and 00:40-00:55.
    let rows = "1970-01-01T00:00:00Z,2,2,503\n1970-01-01T00:20:00Z,1,3,504\n1970-01-01T00:40:00Z,1,1,1\n";
    assert_eq!(csv, format!("time,starts,running,load\n{rows}"));

    let text = fine(&args(&path, &["--by", "namespace", "-o", "json", "--cron", "--per", "20m"]));
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["kron"]["buckets"]["starts"], json!([2, 1, 1]));
    assert_eq!(
        found["cron"]["starts"],
        json!({"peak": 2, "peakAt": "1970-01-01T00:00:00Z", "p99": 2, "mean": 4.0 / 3.0})
    );
    assert_eq!(
        found["kron"]["worst"][0]["jobs"],
        json!([{"name": "a/x", "starts": 1}, {"name": "a/y", "starts": 1}])
    );
    assert_eq!(
        found["groups"],
        json!([
            {"name": "a", "jobs": 2, "starts": 2, "peak": 2, "cronPeak": 2},
            {"name": "b", "jobs": 1, "starts": 2, "peak": 1, "cronPeak": 1},
        ])
    );
}

#[test]
fn requests_of_manifests_are_a_load() {
    let manifest = |name: &str, job: &str, requests: &str| {
        format!(
            "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {{name: {name}, namespace: a}}\nspec:\n  schedule: '0 0 * * *'\n  \
             jobTemplate: {{spec: {{{job}template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: i{requests}}}]}}}}}}}}\n---\n"
        )
    };
    let one = manifest("one", "parallelism: 3, ", ", resources: {requests: {cpu: 250m, memory: 64Mi}}");
    let two = manifest("two", "", ", resources: {limits: {cpu: '1'}, requests: {memory: 0.5Gi}}");
    let path = file("forecast-requests.yaml", one + &two);
    let peak = |load: &str| {
        let text = fine(&args(&path, &["--load", load, "-o", "json"]));
        let found: Value = serde_json::from_str(&text).expect("JSON");
        (found["kron"]["load"]["peak"].as_u64().expect("a number"), found["loadUnit"].clone())
    };
    assert_eq!(peak("cpu"), (1750, json!("millicores")));
    assert_eq!(peak("memory"), (704, json!("MiB")));
    assert_eq!(peak("weight"), (2, Value::Null));
    let text = fine(&args(&path, &["--load", "cpu"]));
    assert!(text.contains("\nGreatest load: 1,750 millicores\n"), "{text}");
}

#[test]
fn jobs_without_requests_have_no_load() {
    let path = file("forecast-no-requests.kron", "0 0 * * * name=a/x weight=5\n0 0 * * * name=a/y\n");
    let ran = kron(&args(&path, &["--load", "memory", "-o", "csv", "--per", "1h"]));
    assert_eq!((ran.code, ran.err.as_str()), (0, "note: 2 jobs have no memory request and count as 0\n"));
    assert!(ran.out.ends_with(",2,2,0\n"), "{}", ran.out);
    let path = file("forecast-no-request.kron", "0 0 * * * name=a/x\n");
    let ran = kron(&args(&path, &["--load", "cpu", "-o", "csv", "--per", "1h"]));
    assert_eq!(ran.err, "note: 1 job has no CPU request and counts as 0\n");
}

#[test]
fn requests_that_are_no_quantities_are_an_error() {
    let manifest = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: x, namespace: a}\nspec:\n  schedule: '0 0 * * *'\n  \
                    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: lots, memory: 1Gi}}}]}}}}\n";
    let path = file("forecast-lots.yaml", manifest);
    let err = refused(&args(&path, &["--load", "cpu"]));
    let field = "spec.jobTemplate.spec.template.spec.containers[0].resources.requests.cpu";
    assert!(err.contains(&format!("{field}: the quantity `lots` cannot be read")), "{err}");
    assert!(
        err.contains("write for example `500m` or `2` for CPU") && err.contains("forecast-lots.yaml"),
        "{err}"
    );
    // It does not matter for another load.
    fine(&args(&path, &["--load", "memory"]));
}

#[test]
fn requests_that_are_too_great_are_an_error() {
    let manifest = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: x, namespace: a}\nspec:\n  schedule: '0 0 * * *'\n  \
                    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: 5M}}}]}}}}\n";
    let err = refused(&args(&file("forecast-great.yaml", manifest), &["--load", "cpu"]));
    assert!(
        err.contains("the pods request 5000000000 millicores; a forecast counts up to 4294967295"),
        "{err}"
    );
}

#[test]
fn a_budget_sets_the_exit_code() {
    let path = file("forecast-budget.kron", "0 0 * * * name=a\n0 0 * * * name=b\n");
    let p = |budget| kron(&args(&path, &["--budget", budget, "-o", "csv", "--per", "1h"]));
    assert_eq!((p("2").code, p("2").err.as_str()), (0, ""));
    let ran = p("1");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains(
            "2 starts in the fullest hour, from 1970-01-01T00:00:00Z on, and the budget is 1: a, b\n"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn no_output_replaces_an_input_and_no_option_is_ignored() {
    let path = file("forecast-same.kron", "0 0 * * * name=a\n");
    let page = refused(&args(&path, &["-o", "html", "--save", &path]));
    assert!(page.contains("--save would replace a file that is read"), "{page}");
    let spread = refused(&["spread", &path, "--best", "--certificate", &path]);
    assert!(spread.contains("--certificate would replace a file that is read"), "{spread}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "0 0 * * * name=a\n");
    for form in ["csv", "svg", "png"] {
        let groups = refused(&args(&path, &["--by", "zone", "-o", form]));
        assert!(groups.contains("--by: this form of the forecast has no groups"), "{groups}");
    }
}

#[test]
fn pictures_say_their_result() {
    let path =
        file("forecast-svg.kron", "0 0 * * * @win(after,20m) name=a\n0 0 * * * @win(after,20m) name=b\n");
    let svg = |path: &str, more: &[&str]| fine(&args(path, &[&["-o", "svg"], more].concat()));
    let texts = |svg: &str| -> Vec<String> {
        let texts =
            svg.split("<text ").skip(1).map(|text| text.split(['>', '<']).nth(1).unwrap().to_string());
        texts.collect()
    };
    let both = svg(&path, &[]);
    assert!(both.starts_with("<svg ") && both.ends_with("</svg>\n"), "{both}");
    assert!(both.contains("@media (prefers-color-scheme:dark)"), "{both}");
    let sentence = "Fullest minute, Thu 1 January, 00:00 to 01:00: 2 starts as written, 1 as";
    let found = texts(&both);
    assert_eq!(
        found[..4],
        [sentence, "spread (2 times fewer)", "2 jobs, 2 starts, UTC", "as written"],
        "{found:?}"
    );
    // Whole numbers and whole times.
    // The second side is only as high as its bars.
    let rest = [
        "starts per minute",
        "0",
        "1",
        "2",
        "as spread",
        "same scale, at most 1",
        "0",
        "1",
        "00:00",
        "00:05",
    ];
    assert_eq!(found[4..14], rest, "{found:?}");
    assert_eq!(both, svg(&path, &["--cron"]));
    // Who points at a part between two ticks is told its fullest bucket, of each side.
    let notes: Vec<&str> =
        both.split("<title>").skip(2).map(|note| note.split('<').next().unwrap()).collect();
    assert_eq!(notes.len(), 24, "{notes:?}");
    assert_eq!(notes[..2], ["Fullest minute: 00:00, 2 starts", "No job starts"], "{notes:?}");
    assert_eq!(notes.iter().filter(|note| note.ends_with(", 1 start")).count(), 1, "{notes:?}");
    let plain = file("forecast-svg-plain.kron", "0 0 * * * name=a\n0 0 * * * name=b\n");
    let plain =
        texts(&fine(&["forecast", &plain, "--day", "2026-03-02", "--tz", "Asia/Kathmandu", "-o", "svg"]));
    assert_eq!(plain[0], "Fullest minute, Mon 2 March: 2 starts. No job has a window");
    assert!(plain.contains(&"starts".to_string()) && plain.contains(&"22:00".to_string()), "{plain:?}");
    // What is there already is below the bars, and has its colour explained.
    let base = file("forecast-svg-base.csv", "00:00,2\n00:10,0\n");
    let based = svg(&path, &["--base", &base]);
    assert!(
        based.contains("<path class=\"kron-base\"") && based.contains(">there already (--base)<"),
        "{based}"
    );
    // Nothing is drawn where nothing starts.
    let none = fine(&["forecast", "0 3 1 * *", "--day", "2026-03-02", "-o", "svg"]);
    assert_eq!(texts(&none), ["No job starts, Mon 2 March", "1 job, 0 starts, UTC"]);
}

#[test]
fn a_range_of_a_week_has_a_heat_map_in_the_zone_of_tz() {
    // 1970-01-01 was a Thursday. The clocks of Paris are an hour ahead.
    let path = file("forecast-heat.kron", "0 0 * * FRI name=a\n0 0 * * FRI name=b\n30 23 * * * name=c\n");
    let week = ["forecast", &path, "--from", "1970-01-01", "--until", "1970-01-08", "--cron", "--per", "1h"];
    let text = fine(&week);
    assert!(text.contains("\nStarts of each hour\n    00    02    04"), "{text}");
    let line = |text: &str, day: &str| {
        let found = text.lines().rev().find_map(|line| line.strip_prefix(day));
        found.map(str::to_string).unwrap_or_else(|| panic!("no {day}: {text}"))
    };
    assert_eq!(line(&text, "Fri "), format!("###{}***", "...".repeat(22)));
    let paris = fine(&[&week[..], &["--tz", "Europe/Paris"]].concat());
    // From 00:00 on Thursday to 00:00 on Thursday, there is no hour without a bucket.
    assert_eq!(line(&paris, "Fri "), format!("***###{}", "...".repeat(22)));
    let json: Value = serde_json::from_str(&fine(&[&week[..], &["-o", "json"]].concat())).expect("JSON");
    assert_eq!(json["heatMapZone"], "UTC");
    assert_eq!(
        (&json["kron"]["heatMap"]["peak"][4][0], &json["kron"]["heatMap"]["starts"][4][0]),
        (&json!(2), &json!(2))
    );
    // Of a day, no heat map is printed, and its other days are unknown.
    let day = args(&path, &["--per", "1h"]);
    assert!(!fine(&day).contains("\nFri "));
    let json: Value = serde_json::from_str(&fine(&[&day[..], &["-o", "json"]].concat())).expect("JSON");
    assert_eq!(json["kron"]["heatMap"]["peak"][3][0], 0);
    assert_eq!(json["kron"]["heatMap"]["peak"][3][1], Value::Null);
}

/// The legend of two maps has both colours.
#[test]
fn heat_maps_have_a_legend_of_both_sides() {
    let path =
        file("forecast-legend.kron", "0 0 * * * @win(after,6h) name=a\n0 0 * * * @win(after,6h) name=b\n");
    let svg = fine(&["forecast", &path, "--from", "2026-03-02", "--for", "7d", "-o", "svg"]);
    // Cells have another size.
    let of_legend = |side: &str| {
        let squares = svg.lines().filter(|line| line.contains("width=\"12\" height=\"12\""));
        squares.filter(|line| line.contains(side)).count()
    };
    assert_eq!((of_legend("kron-before"), of_legend("kron-after")), (2, 2), "{svg}");
}

#[test]
fn days_of_clock_changes_are_listed() {
    let path = file("forecast-clocks.kron", "0 * * * * @tz(Europe/Paris) name=a\n@daily name=b\n");
    let march = ["forecast", &path, "--from", "2026-03-28", "--until", "2026-03-31"];
    let text = fine(&march);
    let line = "\nClocks change on Sun 29 March in Europe/Paris: 23 starts instead of 24\n";
    assert!(text.contains(line), "{text}");
    // What comes on this day of the month is no effect of the clocks.
    let monthly = file("forecast-monthly.kron", "0 4 29 * * @tz(Europe/Paris) name=a\n");
    let text = fine(&["forecast", &monthly, "--day", "2026-03-29"]);
    assert!(text.contains("One start") && !text.contains("Clocks"), "{text}");
    let json: Value = serde_json::from_str(&fine(&[&march[..], &["-o", "json"]].concat())).expect("JSON");
    assert_eq!(
        json["clockChanges"],
        json!([{
            "changeTime": "2026-03-29T01:00:00Z", "timezone": "Europe/Paris",
            "offsetBefore": "+01:00", "offsetAfter": "+02:00",
            "from": "2026-03-28T23:00:00Z", "until": "2026-03-29T22:00:00Z",
            "jobs": 1, "starts": 23, "startsWeekBefore": 24,
        }])
    );
}

#[test]
fn groups_by_label_read_manifests_and_job_files() {
    let manifest = |name: &str, labels: &str| {
        format!(
            "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {{name: {name}, namespace: x, labels: {{{labels}}}}}\n\
             spec: {{schedule: '@hourly', jobTemplate: {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: c}}]}}}}}}}}}}\n---\n"
        )
    };
    let yaml = file("forecast-label.yaml", &(manifest("a", "team: red") + &manifest("b", "team: blue")));
    let jobs = file("forecast-label.kron", "@hourly name=c team=red\n@hourly name=d\n");
    let text = fine(&[
        "forecast",
        &yaml,
        &jobs,
        "--from",
        "1970-01-01",
        "--until",
        "1970-01-02",
        "--by",
        "label=team",
        "-o",
        "json",
    ]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let group =
        |name: &str, jobs: u32| json!({"name": name, "jobs": jobs, "starts": 24 * jobs, "peak": jobs});
    assert_eq!(json["groups"], json!([group("red", 2), group("", 1), group("blue", 1)]));
    let text =
        fine(&["forecast", &jobs, "--from", "1970-01-01", "--until", "1970-01-02", "--by", "label=team"]);
    assert!(text.contains("\n(none)"), "{text}");
    for wrong in ["label=", "label", "team"] {
        let err = refused(&args(&jobs, &["--by", wrong]));
        assert!(err.contains("write `zone`, `namespace` or `label=KEY`, such as `label=team`"), "{err}");
    }
}

#[test]
fn pictures_are_the_same_everywhere() {
    let path = file("forecast-png.kron", "0 */3 * * * @win(after,90m) name=a\n0 */2 * * * name=b\n");
    let week = ["forecast", &path, "--from", "1970-01-01", "--until", "1970-01-08", "--cron", "-o", "png"];
    // Not a text, so it takes a process.
    let picture = || {
        let ran = Command::new(env!("CARGO_BIN_EXE_kron")).args(week).output().expect("kron runs");
        assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
        ran.stdout
    };
    let bytes = picture();
    let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().expect("PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (1920, 1298));
    // The bars of each side. The background is that of the page where the picture stands.
    let colors: BTreeSet<&[u8]> = pixels.chunks(4).collect();
    for color in [&[0xd7, 0x5f, 0x00, 255][..], &[0x00, 0x87, 0xd7, 255], &[0, 0, 0, 0]] {
        assert!(colors.contains(color), "{color:?}");
    }
    assert_eq!(picture(), bytes);
}

#[test]
fn a_page_is_a_form_of_the_answer() {
    let path = file("forecast-page.kron", "*/10 * * * * name=a\n@daily @win(after,1h) name=</script>\n");
    let page = file("forecast-page.html", "");
    let html = fine(&args(&path, &["-o", "html"]));
    assert_eq!(fine(&args(&path, &["-o", "html", "--save", &page])), "");
    assert_eq!(std::fs::read_to_string(&page).expect("a page"), html);
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>"), "{html}");
    for words in [
        "Peaks and means",
        ">Most starts in one minute<",
        ">not more in 99 of 100 minutes<",
        ">mean of all minutes<",
    ] {
        assert!(html.contains(words), "{words} is not in {html}");
    }
    // Two scripts: the data and the code. No name ends one.
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(html.contains("<li>&lt;/script&gt;</li>"), "{html}");
    let missing = "/no/such/folder/page.html";
    let err = refused(&args(&path, &["-o", "html", "--save", missing]));
    assert!(err.contains("there is no such directory") && err.contains(missing), "{err}");
}

#[test]
fn a_page_of_a_large_fleet_is_small() {
    let job = |index: usize| {
        let schedule = match index % 20 {
            0..3 => format!("*/{} * * * *", 15 + index % 2 * 5),
            3..12 => format!("{} * * * *", index % 3 * 20),
            12..14 => format!("{} {} * * *", index % 60, index % 24),
            14..17 => "0 0 * * *".to_string(),
            _ => format!("0 {} * * MON-FRI", index % 6),
        };
        format!("{schedule} @win(after,10m) name=team-{:02}/nightly-service-{index:04}\n", index % 37)
    };
    let path = file("forecast-large.kron", (0..1000).map(job).collect::<String>());
    for range in [["--for", "7d", "--per", "1m"], ["--for", "7d", "--per", "10s"]] {
        let range = ["forecast", &path, "--from", "2026-03-02", range[0], range[1], range[2], range[3]];
        let html = fine(&[&range[..], &["-o", "html"]].concat());
        assert!(html.contains("<p class=\"dim\">1,000 jobs, 170,500 starts, UTC</p>"));
        assert!(html.len() < 150_000, "{} bytes", html.len());
        assert_eq!(html.matches("<li>").count(), 1000);
    }
}

#[test]
fn err_fields_and_options() {
    let path = file("forecast-errors.kron", "@daily name=a\n@daily name=b duration=5x\n");
    let err = refused(&args(&path, &[]));
    assert!(err.contains("duration: ") && err.contains("forecast-errors.kron:2"), "{err}");
    let path = file("forecast-weight.kron", "@daily name=a weight=-1\n");
    let err = refused(&args(&path, &[]));
    assert!(err.contains("weight: `-1` is not a whole number from 0 to 4294967295"), "{err}");
    let path = file("forecast-valid.kron", "@daily name=a\n");
    let err = refused(&args(&path, &["--per", "25h"]));
    assert!(err.contains("from 1s to 24h") && err.contains("`1m`"), "{err}");
}

#[test]
fn a_range_outside_the_years_of_cron_is_refused() {
    let path = file("far.kron", "0 0 * * * name=a\n");
    let commands: [&[&str]; 5] = [
        &["forecast", &path, "--from", "2150-01-01", "--until", "2150-01-02"],
        &["forecast", &path, "--from", "1950-01-01", "--until", "1950-01-02"],
        &["spread", &path, "--best", "--from", "2150-01-01"],
        &["diff", &path, &path, "--from", "2150-01-01"],
        &["tz-report", &path, "--from", "2150-01-01"],
    ];
    for args in commands {
        let ran = kron(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(
            ran.err.contains("no job starts in this range: cron times lie in the years 1970 to 2099"),
            "{}",
            ran.err
        );
    }
    let ran = kron(&["forecast", &path, "--from", "2099-12-31", "--until", "2100-01-03", "--per", "1h"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("warning: no job starts in the rest of the range"), "{}", ran.err);
}
