//! Calendars: their dates decide as the same dates do when a clause has them, and receipts contain their hashes.

use chrono::{Days, NaiveDate};
use kron_core::{Calendar, Calendars, Constraints, ErrorCode, Job, Parser};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A parser with one calendar `off` of these ranges.
fn parser_with(ranges: &[(NaiveDate, NaiveDate)]) -> Parser {
    let calendar = Calendar::new("off", ranges.iter().map(|(first, last)| *first..=*last)).unwrap();
    let mut calendars = Calendars::new();
    calendars.add(calendar).unwrap();
    Parser::new().with_calendars(calendars)
}

fn parser(file: &str) -> Parser {
    Parser::new().with_calendars(Calendars::parse(file).unwrap())
}

/// Ranges of 2026 that may touch and overlap.
fn some_ranges(rng: &mut ChaCha8Rng) -> Vec<(NaiveDate, NaiveDate)> {
    let mut below = |end: u32| u64::from(rng.next_u32() % end);
    let start = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();
    (0..=below(100))
        .map(|_| {
            let first = start + Days::new(below(365));
            (first, first + Days::new(if below(3) == 0 { below(12) } else { 0 }))
        })
        .collect()
}

/// A calendar has the effect of one clause for each of its ranges, in every kind of constraint and in both algorithms.
#[test]
fn a_calendar_decides_as_its_dates_do() {
    let mut rng = ChaCha8Rng::from_seed([16; 32]);
    let mut forbidden = 0;
    for case in 0..60 {
        let ranges = some_ranges(&mut rng);
        let dates: Vec<String> =
            ranges.iter().map(|(first, last)| format!("dates={first}..{last}")).collect();
        let only: String = dates.iter().map(|dates| format!("@only({dates};hours=4-20) ")).collect();
        let avoid = format!("@avoid({};dow=SUN)", dates.join(";"));
        let joined = format!("@avoid({}&hours=22-6)", dates.join("&hours=22-6;"));
        let parser = parser_with(&ranges);
        for (named, written) in [
            ("@only(calendar=off;hours=4-20)", only.as_str()),
            ("@avoid(calendar=off;dow=SUN)", avoid.as_str()),
            ("@avoid(calendar=off&hours=22-6)", joined.as_str()),
        ] {
            let zone = ["UTC", "Pacific/Apia", "America/St_Johns"][case % 3];
            let algorithm = ["siphash-chacha8/1", "sha256-splitmix64/1"][case % 2];
            let text = |constraints: &str| {
                format!("7 */5 * * * @tz({zone}) @win(around,30h) @alg({algorithm}) {constraints}")
            };
            let named = parser.job("a/b", &text(named)).unwrap();
            let written = Job::parse("a/b", &text(written)).unwrap();
            // 2025-12-20T00:00:00Z
            for nominal in (0..60).map(|step| 1_766_188_800 + step * 600_007) {
                let (one, other) = (named.decide(nominal).unwrap(), written.decide(nominal).unwrap());
                assert_eq!(one.chosen_timestamp(), other.chosen_timestamp(), "{written:?}");
                assert_eq!(one.draws(), other.draws(), "{written:?}");
                assert_eq!((one.seed_input(), one.seed_hash()), (other.seed_input(), other.seed_hash()));
                forbidden += u32::from(one.draws() > 1);
            }
            let starts = |job: &Job| {
                let starts = job.starts(1_766_188_800..1_766_188_800 + 40 * 86_400);
                starts.map(|start| start.unwrap().chosen_timestamp()).collect::<Vec<_>>()
            };
            assert_eq!(starts(&named), starts(&written), "{written:?}");
        }
    }
    assert!(forbidden > 1000, "only {forbidden} decisions met the calendar");
}

#[test]
fn a_text_names_its_calendars() {
    let parser = parser("a = 2026-12-25\nb = 2026-12-24..2026-12-26");
    let text = "0 0 * * * @win(after,3h0m0s) @only(hours=1;calendar=b) @avoid(calendar=a;dow=0&calendar=b)";
    let spec = parser.spec(text).unwrap();
    assert_eq!(spec.to_string(), text);
    assert_eq!(parser.spec(&spec.to_string()), Ok(spec.clone()));
    // Equal texts with other dates are other specs.
    let other = self::parser("a = 2026-12-25\nb = 2026-12-24..2026-12-27").spec(text).unwrap();
    assert_ne!(other, spec);
    let hashes = |constraints: &Constraints| -> Vec<String> {
        constraints.calendars().iter().map(|calendar| calendar.content_hash()).collect()
    };
    assert_eq!(hashes(spec.constraints())[0], hashes(other.constraints())[0]);
    assert_ne!(hashes(spec.constraints())[1], hashes(other.constraints())[1]);
}

#[test]
fn names_are_resolved_or_refused() {
    let error = |parser: Parser, text: &str| parser.spec(text).unwrap_err();
    let unknown = error(Parser::new(), "@daily @avoid(calendar=holidays-fr)");
    assert_eq!(unknown.code(), ErrorCode::CalendarUnknown);
    assert_eq!(
        unknown.to_string(),
        "constraints.avoid[0].calendar: there is no calendar `holidays-fr` at column 24; give its dates, \
         with `--calendar FILE` to the command or `calendars=` in Python"
    );
    assert_eq!(
        error(parser("holidays-fr = 2026-12-25"), "@daily @only(calendar=holiday-fr)").to_string(),
        "constraints.only[0].calendar: there is no calendar `holiday-fr` at column 23; did you mean `holidays-fr`?"
    );
    assert!("@avoid(calendar=a)".parse::<Constraints>().is_err());
    let twice = error(parser("a = 2026-12-25"), "@daily @avoid(calendar=a&calendar=a)");
    assert_eq!(twice.code(), ErrorCode::TextRepeated);
    let file = parser("a = 2026-12-25").job_file("@daily @avoid(calendar=b) name=x").unwrap_err();
    assert!(
        file[0].to_string().starts_with("line 1: constraints.avoid[0].calendar: there is no calendar `b`")
    );
}

#[test]
fn two_calendars_of_one_name_are_refused() {
    let clause = |file: &str| {
        let calendars = Calendars::parse(file).unwrap();
        kron_core::Clause::builder().calendar(calendars.get("a").unwrap()).build().unwrap()
    };
    let (one, other) = (clause("a = 2026-12-25"), clause("a = 2026-12-26"));
    assert!(Constraints::from_clauses(vec![one.clone()], vec![one.clone()]).is_ok());
    let error = Constraints::from_clauses(vec![one], vec![other]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::CalendarRepeated);
}

#[cfg(feature = "json")]
mod receipts {
    use kron_core::proof::{Receipt, Verification};
    use kron_core::{Calendars, ErrorCode, TzDatabase};

    const FILE: &str = "a = 2026-12-25, 2027-01-01\nb = 2026-12-25";

    fn calendars(file: &str) -> Calendars {
        Calendars::parse(file).unwrap()
    }

    fn receipt() -> Receipt {
        let job = super::parser(FILE).job("x/y", "@daily @win(after,3h) @avoid(calendar=a)").unwrap();
        // 2026-12-26T00:00:00Z
        Receipt::new(&job, &job.decide(1_798_243_200).unwrap())
    }

    fn verify(receipt: &Receipt, file: &str) -> Verification {
        receipt.verify(&TzDatabase::COMPILED_IN, &calendars(file)).unwrap()
    }

    #[test]
    fn a_receipt_holds_with_the_same_dates_only() {
        let receipt = receipt();
        let hash = calendars(FILE).get("a").unwrap().content_hash();
        assert!(receipt.to_json().contains(&format!("\"calendars\": {{\n    \"a\": \"{hash}\"\n  }}")));
        assert_eq!(Receipt::from_json(&receipt.to_json()).as_ref(), Ok(&receipt));
        assert!(verify(&receipt, FILE).agrees());
        // Dates in another order, and another calendar in the same text.
        assert!(verify(&receipt, "a = 2027-01-01\na = 2026-12-25\nc = 2026-01-01").agrees());
        // Dates that have no part in this decision.
        let other = "a = 2026-12-25, 2027-01-02";
        let found = verify(&receipt, other).differences;
        let fields: Vec<&str> = found.iter().map(|difference| difference.field.as_str()).collect();
        assert_eq!(fields, ["calendars.a"]);
        assert_eq!(found[0].receipt, hash);
        assert_eq!(found[0].computed, calendars(other).get("a").unwrap().content_hash());
    }

    #[test]
    fn a_receipt_needs_its_calendars() {
        let error = receipt().verify(&TzDatabase::COMPILED_IN, &Calendars::new()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CalendarUnknown);
        let json = receipt().to_json();
        // A hash that is left out, one too many, and another name in the text.
        let hash = calendars(FILE).get("a").unwrap().content_hash();
        let entry = format!("\"calendars\": {{\n    \"a\": \"{hash}\"\n  }},\n");
        for (forged, field) in [
            (json.replace(&entry, ""), "calendars.a"),
            (json.replace("\"a\": ", "\"z\": \"0\", \"a\": "), "calendars.z"),
            (json.replace("calendar=a", "calendar=b"), "calendars.a"),
        ] {
            assert_ne!(forged, json);
            let found = verify(&Receipt::from_json(&forged).unwrap(), FILE).differences;
            assert!(found.iter().any(|difference| difference.field == field), "{found:?}");
        }
        // Receipts of jobs without calendars have no such field.
        let plain = kron_core::Job::parse("x/y", "@daily").unwrap();
        assert!(!Receipt::new(&plain, &plain.decide(0).unwrap()).to_json().contains("calendars"));
    }

    #[test]
    fn a_spec_in_json_can_name_calendars() {
        let json = r#"{"schedule":"0 0 * * *","constraints":{"avoid":[{"calendar":"a"}]}}"#;
        let spec = super::parser(FILE).spec_from_json(json).unwrap();
        assert_eq!(serde_json::to_string(&spec).unwrap(), json);
        assert!(serde_json::from_str::<kron_core::JobSpec>(json).is_err());
    }
}
