//! `kron zones`.

use serde_json::{Value, json};

use crate::support::{MARCH, TzDir, fine, refused};
use crate::tzif_data::tzif_of;

const VERSION: &str = kron_core::TzDatabase::COMPILED_IN_VERSION;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&fine(args)).expect("JSON")
}

/// A zone that goes from one hour to two on 2026-03-29 and back never.
fn small(name: &str) -> TzDir {
    let data = tzif_of(3600, &[(1_774_746_000, 7200)], "LMT-2");
    TzDir::new(name, "2026z").data("Europe/Paris", &data).data("Europe/Rome", &data)
}

#[test]
fn all_zones_in_a_table() {
    let dir = small("zones-table");
    assert_eq!(
        fine(&["zones", "--at", MARCH, "--tzdb", dir.path()]),
        format!(
            "\
time zone database 2026z (from {}), at 2026-03-01T00:00:00Z
NAME          OFFSET  NEXT CHANGE           OFFSET AFTER
Europe/Paris  +01:00  2026-03-29T01:00:00Z  +02:00
Europe/Rome   +01:00  2026-03-29T01:00:00Z  +02:00
UTC           +00:00
",
            dir.path()
        )
    );
    let out = fine(&["zones", "--at", "2026-03-29T01:00:00Z"]);
    assert!(out.starts_with(&format!("time zone database {VERSION} (compiled in), at ")), "{out}");
    // A change at that very instant has happened.
    let paris = out.lines().find(|line| line.starts_with("Europe/Paris ")).expect("a line");
    let cells: Vec<&str> = paris.split_whitespace().collect();
    assert_eq!(cells, ["Europe/Paris", "+02:00", "2026-10-25T01:00:00Z", "+01:00"]);
    assert_eq!(out.lines().count(), kron_core::TzDatabase::COMPILED_IN.zones().len() + 2);
}

#[test]
fn all_zones_for_programs() {
    let dir = small("zones-forms");
    let args = ["zones", "--at", MARCH, "--tzdb", dir.path(), "-o"];
    let list = json(&[&args[..], &["json"]].concat());
    assert_eq!(
        list[0],
        json!({"name": "Europe/Paris", "tzdbVersion": "2026z", "offset": 3600,
               "nextChange": "2026-03-29T01:00:00Z", "offsetAfter": 7200})
    );
    assert_eq!(
        list[2],
        json!({"name": "UTC", "tzdbVersion": "2026z", "offset": 0, "nextChange": null, "offsetAfter": null})
    );
    let lines = fine(&[&args[..], &["ndjson"]].concat());
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(Some(&lines), list.as_array());
    assert_eq!(
        fine(&[&args[..], &["csv"]].concat()),
        "\
name,tzdbVersion,offset,nextChange,offsetAfter
Europe/Paris,2026z,3600,2026-03-29T01:00:00Z,7200
Europe/Rome,2026z,3600,2026-03-29T01:00:00Z,7200
UTC,2026z,0,,
"
    );
}

#[test]
fn details_of_zones() {
    let dir = small("zones-details");
    let fingerprint = kron_tzdb::read_dir(dir.path())
        .expect("a database")
        .zone("Europe/Rome")
        .expect("a zone")
        .fingerprint();
    let paris = format!(
        "\
Europe/Paris
Database     2026z (from {})
Same rules   Europe/Rome
Fingerprint  {fingerprint}
Offset       +01:00 at 2026-03-01T00:00:00Z
Changes      2026-03-29T01:00:00Z  +01:00 to +02:00

UTC
Database     2026z (from {0})
Fingerprint  c2437b73d116b1b924da60d537ecfc4fe268cfc53886c7761fb0db16b89a31fd
Offset       +00:00 at 2026-03-01T00:00:00Z
Changes      none up to 2101-02-01T00:00:00Z
",
        dir.path()
    );
    let args = ["zones", "Europe/Paris", "UTC", "--at", MARCH, "--tzdb", dir.path()];
    assert_eq!(fine(&args), paris);
    assert_eq!(
        json(&[&args[..], &["-o", "json"]].concat())[0],
        json!({
            "name": "Europe/Paris", "tzdbVersion": "2026z", "aliases": ["Europe/Rome"], "fingerprint": fingerprint,
            "at": MARCH, "offset": 3600,
            "changes": [{"time": "2026-03-29T01:00:00Z", "offsetBefore": 3600, "offsetAfter": 7200}],
        })
    );
    assert_eq!(fine(&[&args[..], &["-o", "ndjson"]].concat()).lines().count(), 2);
    assert_eq!(
        fine(&[&args[..], &["-o", "csv"]].concat()),
        "name,time,offsetBefore,offsetAfter\nEurope/Paris,2026-03-29T01:00:00Z,3600,7200\n"
    );
}

#[test]
fn as_many_changes_as_asked_for() {
    let count = |extra: &[&str]| {
        let args = ["zones", "America/New_York", "--at", MARCH, "-o", "json"];
        json(&[&args[..], extra].concat())[0]["changes"].as_array().map(Vec::len)
    };
    // Two a year up to 2100.
    assert_eq!((count(&[]), count(&["-c", "12"]), count(&["-c", "9999"])), (Some(5), Some(12), Some(150)));
}

#[test]
fn names_of_the_same_rules_are_broken_into_lines() {
    let out = fine(&["zones", "Etc/UTC", "--at", MARCH]);
    let names: Vec<&str> = out.lines().skip(2).take_while(|line| !line.starts_with("Fingerprint")).collect();
    assert!(names.len() > 1 && names.iter().all(|line| line.len() <= 102), "{out}");
    let names = names.join(" ").replace("Same rules", "");
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let aliases = json(&["zones", "Etc/UTC", "--at", MARCH, "-o", "json"])[0]["aliases"].clone();
    assert_eq!(aliases, json!(names));
    assert!(names.contains(&"UTC") && names.contains(&"Zulu"), "{out}");
}

#[test]
fn every_change_of_every_zone() {
    let out = fine(&["zones", "--all-changes", "-o", "ndjson"]);
    let database = kron_core::TzDatabase::COMPILED_IN;
    assert_eq!(out.lines().count(), database.zones().len());
    for (line, zone) in out.lines().zip(database.zones()) {
        let found: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&found["name"], &found["tzdbVersion"]), (&zone.name().into(), &VERSION.into()));
        // The changes are what the fingerprint is computed from.
        let changes = found["changes"].as_array().expect("an array");
        let text: String = changes.iter().map(|pair| format!("{} {}\n", pair[0], pair[1])).collect();
        assert!(text.starts_with("-9223372036854775808 "), "{text}");
        assert_eq!(changes.len(), zone.changes(i64::MIN).count() + 1);
        assert_eq!(found["fingerprint"], zone.fingerprint());
        for pair in &changes[1..] {
            let at = pair[0].as_i64().expect("a number");
            assert_eq!(pair[1], zone.offset_at(at));
            assert_ne!(pair[1], zone.offset_at(at - 1));
        }
    }
}

#[test]
fn every_change_in_other_forms() {
    let dir = small("zones-all");
    let args = ["zones", "--all-changes", "--tzdb", dir.path(), "-o"];
    let all = json(&[&args[..], &["json"]].concat());
    assert_eq!(all[0]["changes"], json!([[i64::MIN, 3600], [1_774_746_000, 7200]]));
    assert_eq!(
        fine(&[&args[..], &["csv"]].concat()),
        "\
name,unixSecond,offset
Europe/Paris,-9223372036854775808,3600
Europe/Paris,1774746000,7200
Europe/Rome,-9223372036854775808,3600
Europe/Rome,1774746000,7200
UTC,-9223372036854775808,0
"
    );
    let page = fine(&[&["zones", "Europe/Paris"], &args[1..4], &["-o", "text"]].concat());
    assert!(
        page.ends_with("Offset       +01:00 at 1968-12-01T00:00:00Z\nChanges      2026-03-29T01:00:00Z  +01:00 to +02:00\n"),
        "{page}"
    );
}

#[test]
fn unknown_zones() {
    let err = refused(&["zones", "UTC", "Europe/Pariss", "--at", MARCH]);
    assert_eq!(
        err,
        "\
error: timezone: unknown time zone `Europe/Pariss`
 = help: did you mean `Europe/Paris`?
"
    );
}
