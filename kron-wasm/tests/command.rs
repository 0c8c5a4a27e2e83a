//! Answers that are the JSON of the command.

use std::path::Path;

use serde_json::{Value, json};

use crate::Host;

/// 2026-03-02T00:00:00Z, and a week later.
const WEEK: [i64; 2] = [1_772_409_600, 1_773_014_400];

/// What the command prints, as JSON.
fn kron(args: &[&str]) -> Value {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let _ = kron_cli::run(
        ["kron"].iter().chain(args),
        &mut kron_cli::Io {
            stdin: &mut std::io::empty(),
            stdout: &mut out,
            stderr: &mut err,
            colored_stdout: false,
            colored_stderr: false,
            terminal_size: &|| None,
            stderr_columns: None,
            environment: &|_| None,
            clock: &mut || unreachable!("the arguments name a time"),
            sleep: &mut |_| unreachable!("nothing waits"),
            host_name: &|| None,
            time_zone: &|| None,
        },
    );
    serde_json::from_slice(&out).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&err)))
}

#[test]
fn an_edit_changes_the_starts_that_the_command_prints() {
    let old = "@daily @win(after,3h) name=db/a\n@hourly name=b\n0 5 * * * @tz(Europe/Paris) name=c\n";
    let new = "@daily @win(after,4h) name=db/a\n@hourly name=b\n0 6 * * 1-5 @win(after,30m) name=d\n";
    let mut host = Host::default();
    let mut fleet = |text: &str| {
        let read =
            host.ask(json!({"ask": "read", "sources": [{"path": "jobs.kron", "text": text}]})).unwrap();
        read["fleet"].clone()
    };
    let asked =
        json!({"ask": "diff", "old": fleet(old), "new": fleet(new), "from": WEEK[0], "until": WEEK[1]});
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [old, new] = [("wasm-old.kron", old), ("wasm-new.kron", new)].map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    });
    let range = ["--from", "2026-03-02T00:00:00Z", "--until", "2026-03-09T00:00:00Z"];
    let printed = kron(&[&["diff", &old, &new, "-o", "json"], &range[..]].concat());
    assert_eq!(printed["jobs"].as_array().unwrap().len(), 3, "{printed}");
    assert_eq!(host.ask(asked.clone()).unwrap(), printed);
    // Windows that reach over many periods of the other version, and searches that the range does not bound.
    let many = |text: &str, count: usize| {
        (0..count).map(|index| format!("{text} name=a/{index}\n")).collect::<String>()
    };
    for [old, new] in [
        [many("* * * * *", 5), many("0 0 1 1 * @win(around,8784h)", 5)],
        [many("* * * * * @only(date=1999-01-01)", 300), many("* * * * * @only(date=1999-01-02)", 300)],
    ] {
        let [old, new] = [old, new].map(|text| {
            let read =
                host.ask(json!({"ask": "read", "sources": [{"path": "jobs.kron", "text": text}]})).unwrap();
            read["fleet"].clone()
        });
        let asked = json!({"ask": "diff", "old": old, "new": new, "from": WEEK[0], "until": WEEK[0] + 1});
        assert_eq!(host.ask(asked).unwrap_err()["code"], "limit");
    }
    // What the command refuses, and a range that is too long for one call.
    for (until, code) in [(WEEK[0], "request"), (WEEK[0] + 50 * 366 * 86_400, "limit")] {
        let mut asked = asked.clone();
        asked["until"] = until.into();
        assert_eq!(host.ask(asked).unwrap_err()["code"], code);
    }
}

#[test]
fn primed_schedules_are_those_that_the_command_prints() {
    let mut host = Host::default();
    for (text, cover) in
        [("0 9 * * MON-FRI", false), ("30 2 * * * @tz(America/New_York)", false), ("0 0 1 3 *", true)]
    {
        let mut args = vec!["prime", text, "--lead", "10m", "--at", "2026-03-02T00:00:00Z", "-o", "json"];
        args.extend(cover.then_some("--cover"));
        let asked = json!({"ask": "prime", "text": text, "leadSeconds": 600, "cover": cover, "at": WEEK[0]});
        assert_eq!(json!([host.ask(asked).unwrap()]), kron(&args), "{text}");
    }
    let asked = json!({
        "ask": "prime", "text": "0 3 * * *", "timezone": "Europe/Paris", "leadSeconds": 600, "at": WEEK[0],
    });
    let of_zone = [
        "prime",
        "0 3 * * *",
        "--tz",
        "Europe/Paris",
        "--lead",
        "10m",
        "--at",
        "2026-03-02T00:00:00Z",
        "-o",
        "json",
    ];
    assert_eq!(json!([host.ask(asked).unwrap()]), kron(&of_zone));
    for (text, lead, code) in [
        ("0 0 1 3 *", 600, "prime-impossible"),
        ("0 3 * * *", 90, "out-of-bounds"),
        ("0 3 * * * @win(after,1h)", 600, "prime-not-on-time"),
    ] {
        let asked = json!({"ask": "prime", "text": text, "leadSeconds": lead, "at": 0});
        assert_eq!(host.ask(asked).unwrap_err()["code"], code, "{text}");
    }
}
