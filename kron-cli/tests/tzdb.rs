//! `--tzdb`, `KRON_TZDB` and `TZDIR`, in every command.

use crate::support::{MARCH, Ran, TzDir, fine, kron, kron_in, kron_with, refused};
use crate::tzif_data::tzif_of;

const VERSION: &str = kron_core::TzDatabase::COMPILED_IN_VERSION;
const JOB: [&str; 6] = ["next", "0 8 * * * @tz(Europe/Paris)", "--name", "a/b", "--at", MARCH];

/// A database in which Paris is always nine hours ahead of UTC.
fn far_east(name: &str) -> TzDir {
    TzDir::new(name, "2026z").data("Europe/Paris", &tzif_of(32_400, &[], "<+09>-9"))
}

/// The first start of the job, by its hour in UTC.
fn hour(variables: &[(&str, &str)], extra: &[&str]) -> String {
    let ran = kron_in(variables, &[&JOB[..], &["-c", "1"], extra].concat(), b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.out.lines().nth(1).and_then(|line| line.get(11..13)).unwrap_or_default().to_string()
}

#[test]
fn the_flag_comes_before_the_environment() {
    let (east, same) = (far_east("order"), TzDir::new("order-same", "").zone("Europe/Paris", "Europe/Paris"));
    let (east, same) = (east.path(), same.path());
    assert_eq!((hour(&[], &[]), hour(&[], &["--tzdb", east])), ("07".to_string(), "23".to_string()));
    assert_eq!(
        (hour(&[("KRON_TZDB", east)], &[]), hour(&[("TZDIR", east)], &[])),
        ("23".into(), "23".into())
    );
    assert_eq!(hour(&[("KRON_TZDB", same), ("TZDIR", east)], &[]), "07");
    assert_eq!(hour(&[("KRON_TZDB", same)], &["--tzdb", east]), "23");
    assert_eq!(hour(&[("KRON_TZDB", east)], &["--tzdb", "compiled-in"]), "07");
    assert_eq!(hour(&[("KRON_TZDB", "compiled-in"), ("TZDIR", east)], &[]), "07");
    // Before the command too.
    let job = [&JOB[..], &["-c", "1"]].concat();
    assert_eq!(fine(&[&["--tzdb", east], &job[..]].concat()), fine(&[&job[..], &["--tzdb", east]].concat()));
}

#[test]
fn all_commands_look_zones_up_in_it() {
    let east = far_east("commands");
    let flag = ["--tzdb", east.path()];
    let job = &JOB[1..];
    let out = fine(&[&["explain"], job, &flag].concat());
    assert!(
        out.contains(
            "Result       starts at 2026-03-01T23:00:00Z\n             2026-03-02T08:00:00+09:00 in Europe/Paris"
        ),
        "{out}"
    );
    // Job files and manifests.
    let ran = kron_with(
        &[&["next", "-f", "-", "--at", MARCH, "-c", "1"], &flag[..]].concat(),
        b"0 8 * * * @tz(Europe/Paris) name=a",
    );
    assert!(ran.out.contains("2026-03-01T23:00:00Z  a "), "{}", ran.out);
    let manifest =
        br#"{"apiVersion":"kron.io/v1alpha1","kind":"KronJob","metadata":{"name":"a","namespace":"b"},
        "spec":{"schedule":"0 8 * * *","timezone":"Europe/Paris","jobTemplate":{"spec":{"template":{"spec":
        {"restartPolicy":"Never","containers":[{"name":"a","image":"b"}]}}}}}}"#;
    let ran = kron_with(&[&["next", "-f", "-", "--at", MARCH, "-c", "1"], &flag[..]].concat(), manifest);
    assert!(ran.out.contains("2026-03-01T23:00:00Z  b/a "), "{} {}", ran.out, ran.err);
    // Zones that it does not have are unknown.
    let err =
        refused(&[&["next", "@daily @tz(Asia/Tokyo)", "--name", "a", "--at", MARCH], &flag[..]].concat());
    assert!(err.starts_with("error: timezone: unknown time zone `Asia/Tokyo`\n"), "{err}");
    // A macro of the algorithm keeps the zone.
    let out = fine(&[&JOB[..], &["-c", "1", "--algorithm", "sha256-splitmix64/1"], &flag].concat());
    assert!(out.contains("2026-03-01T23:00:00Z"), "{out}");
}

#[test]
fn versions() {
    let dir = TzDir::new("versions", "2026z");
    let out = |database: &str| {
        format!(
            "kron {}\ntime zone database {database}\nalgorithms siphash-chacha8/1 (default), sha256-splitmix64/1\n",
            env!("CARGO_PKG_VERSION")
        )
    };
    let given = out(&format!("2026z (from {}); {VERSION} is compiled in", dir.path()));
    assert_eq!(fine(&["--tzdb", dir.path(), "--version"]), given);
    assert_eq!(fine(&["-V", "--tzdb", dir.path()]), given);
    let ran = kron_in(&[("TZDIR", dir.path())], &["-V"], b"");
    assert_eq!(ran, Ran { code: 0, out: given, err: String::new() });
    assert_eq!(fine(&["--version", "--tzdb", "compiled-in"]), out(&format!("{VERSION} (compiled in)")));
    let unnamed = TzDir::new("versions-none", "");
    assert!(fine(&["-V", "--tzdb", unnamed.path()]).contains("time zone database unknown (from "));
}

#[test]
fn directories_that_are_no_database() {
    let help = " = help: name a directory of TZif files, such as `/usr/share/zoneinfo`\n";
    let job = &JOB[..];
    let err = refused(&[job, &["--tzdb", "no/such/dir"]].concat());
    assert!(err.starts_with("error: --tzdb: no/such/dir: ") && err.ends_with(help), "{err}");
    for variable in ["KRON_TZDB", "TZDIR"] {
        for args in [job, &["lint", "@daily", "--at", MARCH], &["zones", "--at", MARCH], &["--version"]] {
            let ran = kron_in(&[(variable, "no/such/dir")], args, b"");
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
            assert!(ran.err.starts_with(&format!("error: {variable}: no/such/dir: ")), "{}", ran.err);
            assert!(ran.err.ends_with(help), "{}", ran.err);
        }
    }
    let receipt = fine(&[&["explain"], &job[1..], &["-o", "json"]].concat());
    let ran = kron_with(&["verify", "--tzdb", "no/such/dir"], receipt.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);

    let damaged = TzDir::new("damaged", "2026z").data("Europe/Paris", b"TZif");
    let err = refused(&[job, &["--tzdb", damaged.path()]].concat());
    assert!(err.starts_with(&format!("error: --tzdb: {}: tzdb.Europe/Paris: ", damaged.path())), "{err}");
}

#[test]
fn commands_that_need_no_database_do_not_read_it() {
    for args in [&["completions", "bash"][..], &["--help"], &["help", "zones"]] {
        let ran = kron_in(&[("KRON_TZDB", "no/such/dir")], args, b"");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
    // Arguments are judged before it is read.
    let ran = kron_in(&[("KRON_TZDB", "no/such/dir")], &["next", "@daily", "--columns", "name"], b"");
    assert_eq!(ran.err, "error: --columns is only for -o csv\n");
}

#[test]
fn lint_finds_rules_that_differ_once_a_zone() {
    let east = far_east("lint");
    let jobs = b"@daily @tz(Europe/Paris) @policy(deadline=1m) name=a\n0 8 * * * @tz(Europe/Paris) @policy(deadline=1m) name=b\n";
    let args = ["lint", "-f", "-", "--at", MARCH, "--tzdb", east.path()];
    let ran = kron_with(&args, jobs);
    let message = format!(
        "the rules of Europe/Paris in time zone database 2026z differ from those in {VERSION}, which is compiled in, first \
         at 2026-03-01T00:00:00Z"
    );
    assert_eq!(
        ran.out,
        format!(
            "warning[tzdb-rules-differ]: {message}\n = help: use the same time zone database wherever the jobs are computed\n\n"
        )
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, "1 warning, 2 jobs read\n"));
    let ran = kron_with(&[&args[..], &["-o", "json"]].concat(), jobs);
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found[0]["code"], &found[0]["message"]), (&"tzdb-rules-differ".into(), &message.into()));
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    // The same rules are not a finding.
    let same = TzDir::new("lint-same", "2026z").zone("Europe/Paris", "Europe/Paris");
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "--tzdb", same.path()], jobs);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
}

#[test]
fn lint_finds_an_old_database() {
    let old = TzDir::new("lint-old", "2024b");
    let jobs = b"@daily @policy(deadline=1m) name=a\n@hourly @policy(deadline=1m) name=b\n";
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "--tzdb", old.path(), "-o", "json"], jobs);
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&"tzdb-old".into(), &"warning".into()));
    assert_eq!((found.as_array().map(Vec::len), ran.code), (Some(1), 1));
    let ran =
        kron(&["lint", "@daily @policy(deadline=1m)", "--at", "2025-12-31T23:59:59Z", "--tzdb", old.path()]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}
