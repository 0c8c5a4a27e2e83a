//! `kron verify`, and the round trip from `kron explain -o json`.

use crate::support::{BACKUP, MARCH, Ran, TzDir, file, fine, kron, kron_with, paris_without_winter_time};

fn receipt(extra: &[&str]) -> String {
    let [text, flag, name, at] = BACKUP;
    fine(&[&["explain", text, flag, name, at, MARCH, "-o", "json"], extra].concat())
}

/// What `verify` says of every receipt that agrees: other nominal times have no part in a decision.
const NOT_PROVEN: &str = "note: not proven by this receipt: other times of the schedule\n";

#[test]
fn a_policy_is_not_proven() {
    let args =
        ["explain", "@daily @win(after,1h) @policy(deadline=1h)", "--name", "a", "--at", MARCH, "-o", "json"];
    let ran = kron_with(&["verify"], fine(&args).as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, "agrees\n"));
    assert_eq!(ran.err, "note: not proven by this receipt: other times of the schedule, policy\n");
}

#[test]
fn a_time_that_is_not_on_the_schedule_differs() {
    let tampered = receipt(&[]).replace("\"text\": \"0 0 ", "\"text\": \"0 5 ");
    assert_ne!(tampered, receipt(&[]));
    let ran = kron_with(&["verify"], tampered.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("onSchedule"), "{}", ran.out);
}

#[test]
fn receipts_agree() {
    let agrees = Ran { code: 0, out: "agrees\n".to_string(), err: NOT_PROVEN.to_string() };
    assert_eq!(kron_with(&["verify"], receipt(&[]).as_bytes()), agrees);
    assert_eq!(
        kron_with(&["verify", "-"], receipt(&["--algorithm", "sha256-splitmix64/1"]).as_bytes()),
        agrees
    );
    let path = file("receipt.json", receipt(&[]));
    assert_eq!(kron(&["verify", &path]), agrees);
    for job in [
        "db/vacuum",
        "etl/partner-feed-jp",
        "db/ledger-backup",
        "reports/quarterly",
        "residency/export-lord-howe",
    ] {
        let receipt =
            fine(&["explain", "-f", "../examples/fleet.kron", "--job", job, "--at", MARCH, "-o", "json"]);
        let ran = kron_with(&["verify"], receipt.as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (0, "agrees\n"), "{job}: {}", ran.err);
        assert!(ran.err.starts_with(NOT_PROVEN.trim_end()), "{job}: {}", ran.err);
    }
    // A period without a start has a receipt too.
    let args =
        ["explain", "@daily @win(after,1h) @only(hours=12)", "--name", "a", "--nominal", MARCH, "-o", "json"];
    assert_eq!(kron_with(&["verify"], fine(&args).as_bytes()), agrees);
}

#[test]
fn tampered_receipts_differ() {
    let tampered = receipt(&[]).replace("2026-03-01T00:19:37Z", "2026-03-01T00:19:38Z");
    let out = "\
FIELD                RECEIPT               COMPUTED
decision.chosenTime  2026-03-01T00:19:38Z  2026-03-01T00:19:37Z
";
    assert_eq!(
        kron_with(&["verify"], tampered.as_bytes()),
        Ran { code: 1, out: out.to_string(), err: String::new() }
    );

    let p = |from: &str, to: &str| {
        let ran = kron_with(&["verify"], receipt(&[]).replace(from, to).as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (1, ""));
        ran.out
            .lines()
            .skip(1)
            .map(|line| line.split(' ').next().unwrap_or_default().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(p("salt=backup", "salt=other")[..2], ["decision.chosenTime", "decision.seedInput"]);
    assert_eq!(p("\"draws\": 1", "\"draws\": 2"), ["decision.draws"]);
    assert_eq!(p("T03:00:00Z", "T04:00:00Z"), ["decision.windowEnd"]);
    assert_eq!(
        p("\"unschedulable\": null", "\"unschedulable\": \"noAllowedSecond\""),
        ["decision.unschedulable"]
    );
}

#[test]
fn what_is_no_receipt() {
    let p = |input: &str| {
        let ran = kron_with(&["verify"], input.as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{input}");
        ran.err
    };
    for nonsense in ["", "{}", "[]", "null", "not json", "{\"schema\":1}", "\0", &receipt(&[]).repeat(2)] {
        assert!(p(nonsense).starts_with("error: "), "{nonsense:?}");
        assert!(p(nonsense).contains("--> <stdin>"), "{nonsense:?}");
    }
    assert!(p(&receipt(&[]).replace("kron.io/receipt/v1", "kron.io/receipt/v2")).contains("schema"));
    assert!(
        p(&receipt(&[]).replace("\"nominalTime\": \"2026", "\"nominalTime\": \"3026")).contains("nominal")
    );
    assert!(p(&receipt(&[]).replace("@win(after", "@win(under")).contains("`under`"));
    assert!(
        kron(&["verify", "no/such/file"]).err.starts_with("error: there is no such file\n--> no/such/file\n")
    );
}

const VERSION: &str = kron_core::TzDatabase::COMPILED_IN_VERSION;

/// A receipt for a job in Paris, where clocks go back at 2026-10-25T01:00:00Z.
fn receipt_of_paris(extra: &[&str]) -> String {
    let args = ["explain", "0 8 * * * @tz(Europe/Paris) @win(after,3h)", "--name", "a/b", "--at", MARCH];
    fine(&[&args[..], &["-o", "json"], extra].concat())
}

#[test]
fn another_release_with_the_same_rules_agrees() {
    let dir = TzDir::new("verify-same", "2026z").zone("Europe/Paris", "Europe/Paris");
    let receipt = receipt_of_paris(&[]);
    let note = format!(
        "note: the receipt names time zone database {VERSION}, and this is 2026z; the zone has the same rules in both\n"
    );
    let agrees = Ran { code: 0, out: "agrees\n".to_string(), err: format!("{NOT_PROVEN}{note}") };
    assert_eq!(kron_with(&["verify", "--tzdb", dir.path()], receipt.as_bytes()), agrees);
    // The other way round: a receipt of that release, and the compiled-in database.
    let receipt = receipt_of_paris(&["--tzdb", dir.path()]);
    assert!(receipt.contains("\"tzdbVersion\": \"2026z\""), "{receipt}");
    let ran = kron_with(&["verify"], receipt.as_bytes());
    let note = format!("names time zone database 2026z, and this is {VERSION}; ");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.contains(&note)), (0, "agrees\n", true), "{}", ran.err);
    // No note for the release that the receipt names.
    let agrees = Ran { code: 0, out: "agrees\n".to_string(), err: NOT_PROVEN.to_string() };
    assert_eq!(kron_with(&["verify", "--tzdb", dir.path()], receipt.as_bytes()), agrees);
}

#[test]
fn other_rules_differ_from_an_instant_on() {
    let dir = paris_without_winter_time("verify-differs", "2026z");
    let fingerprint = |extra: &[&str]| {
        let receipt: serde_json::Value = serde_json::from_str(&receipt_of_paris(extra)).expect("JSON");
        receipt["timezoneFingerprint"].as_str().expect("a text").to_string()
    };
    let (ours, theirs) = (fingerprint(&[]), fingerprint(&["--tzdb", dir.path()]));
    assert_ne!(ours, theirs);
    // The start in March is the same one: only the rules differ.
    let ran = kron_with(&["verify", "--tzdb", dir.path()], receipt_of_paris(&[]).as_bytes());
    let blanks = " ".repeat(64 - "RECEIPT".len());
    let cut = &blanks[..48 - "RECEIPT".len()];
    assert_eq!(
        ran.out,
        format!("FIELD                RECEIPT{cut}  COMPUTED\ntimezoneFingerprint  {ours}  {theirs}\n")
    );
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.err,
        "\
note: the zone's rules differ from those of the receipt, first at 2026-10-25T01:00:00Z
 = help: the compiled-in time zone database has the receipt's rules; use `--tzdb compiled-in`
"
    );
    let agrees = Ran { code: 0, out: "agrees\n".to_string(), err: NOT_PROVEN.to_string() };
    assert_eq!(kron_with(&["verify", "--tzdb", "compiled-in"], receipt_of_paris(&[]).as_bytes()), agrees);
}

#[test]
fn rules_that_are_not_known_need_the_receipts_release() {
    let dir = paris_without_winter_time("verify-unknown", "2026z");
    let receipt = receipt_of_paris(&["--tzdb", dir.path()]);
    let ran = kron_with(&["verify"], receipt.as_bytes());
    assert_eq!((ran.code, ran.out.lines().count()), (1, 2), "{}", ran.out);
    assert_eq!(
        ran.err,
        "\
note: the zone's rules differ from those of the receipt
 = help: use `--tzdb DIR` with time zone database 2026z, which the receipt names
"
    );
    let unknown = receipt.replace("2026z", "unknown");
    let ran = kron_with(&["verify"], unknown.as_bytes());
    assert!(
        ran.err.ends_with("use `--tzdb DIR` with the time zone database that the receipt was made with\n"),
        "{}",
        ran.err
    );
    // With it, the receipt agrees.
    let agrees = Ran { code: 0, out: "agrees\n".to_string(), err: NOT_PROVEN.to_string() };
    assert_eq!(kron_with(&["verify", "--tzdb", dir.path()], receipt.as_bytes()), agrees);
    // Text of a receipt does not reach the terminal as it is.
    let ran = kron_with(&["verify"], receipt.replace("2026z", "20\\u001b[31m").as_bytes());
    assert!(ran.code == 1 && !ran.err.contains('\u{1b}'), "{}", ran.err);
}
