//! `kron verify`, and the round trip from `kron explain -o json`.

use crate::support::{BACKUP, MARCH, Ran, file, fine, kron, kron_with};

fn receipt(extra: &[&str]) -> String {
    let [text, flag, name, at] = BACKUP;
    fine(&[&["explain", text, flag, name, at, MARCH, "-o", "json"], extra].concat())
}

#[test]
fn receipts_agree() {
    let agrees = Ran { code: 0, out: "agrees\n".to_string(), err: String::new() };
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
        assert_eq!(kron_with(&["verify"], receipt.as_bytes()), agrees, "{job}");
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
    assert_eq!(p(kron_core::TzDatabase::COMPILED_IN_VERSION, "1999z"), ["tzdbVersion"]);
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
