//! Forecasts against a count second by second.

use alloc::format;
use alloc::string::ToString;

use kron_core::Zone;

use super::*;
use crate::forecast::{ClockChangeDay, clock_change_days};

/// 2026-03-01T00:00:00Z, a Sunday.
const AT: i64 = 1_772_323_200;
const DAY: i64 = 86_400;

/// Jobs of many kinds: windows in all modes, overlapping windows, constraints, zones with clock changes, a suspended one.
fn jobs() -> Vec<Job> {
    let texts = [
        "@daily",
        "@daily @win(after,3h)",
        "*/7 * * * * @win(after,1h)",
        "0 * * * * @win(around,40m) @avoid(hours=2-4)",
        "30 2 * * * @tz(Europe/Paris) @win(before,2h)",
        "*/15 * * * * @tz(America/New_York) @only(dow=MON-FRI)",
        "* * * * * @policy(suspend=true)",
        "0 0 1 * * @win(after,240h) @dist(normal)",
    ];
    (0..24).map(|i| Job::parse(&format!("a/{i}"), texts[i % texts.len()]).unwrap()).collect()
}

fn seen(jobs: &[Job]) -> Vec<ForecastJob<'_>> {
    let durations = ["1s", "0s", "90s", "1h", "4h30m", "1500ms", "20h"];
    let with = |(i, job)| ForecastJob {
        duration: Duration::parse(durations[i % durations.len()]).unwrap(),
        weight: [1, 0, 500, 7][i % 4],
        ..ForecastJob::new(job)
    };
    jobs.iter().enumerate().map(with).collect()
}

/// The same counts from the public lists of starts and periods, with one entry for each second.
fn brute_force(jobs: &[ForecastJob<'_>], range: &ForecastRange, by: ForecastBy) -> Vec<Bucket> {
    let (from, to) = (range.from_timestamp(), range.to_timestamp());
    let mut seconds = vec![Bucket::default(); (to - from) as usize];
    for job in jobs.iter().filter(|job| !job.job.spec().policy().suspend()) {
        // All durations of the tests are below one day.
        let early = from - DAY;
        let times: Vec<i64> = match by {
            ForecastBy::ChosenTime => {
                job.job.starts(early..to).map(|start| start.unwrap().chosen_timestamp().unwrap()).collect()
            }
            ForecastBy::NominalTime => {
                job.job.periods(early..to).map(|period| period.nominal_timestamp()).collect()
            }
        };
        let length = ((job.duration.as_nanos() as f64 / 1e9).ceil() as i64).max(1);
        for time in times {
            for second in (time..time + length).filter(|second| (from..to).contains(second)) {
                let entry = &mut seconds[(second - from) as usize];
                entry.starts += u32::from(second == time);
                entry.running += 1;
                entry.load += u64::from(job.weight);
            }
        }
    }
    let bucket = |seconds: &[Bucket]| Bucket {
        starts: seconds.iter().map(|second| second.starts).sum(),
        running: seconds.iter().map(|second| second.running).max().unwrap_or(0),
        load: seconds.iter().map(|second| second.load).max().unwrap_or(0),
    };
    seconds.chunks(range.per_seconds() as usize).map(bucket).collect()
}

#[test]
fn buckets_agree_with_a_count_second_by_second() {
    let jobs = jobs();
    let jobs = seen(&jobs);
    // Over the clock changes of New York (8 March) and of Paris (29 March), across slices, with a shorter last bucket.
    for (from, to, per) in [
        (AT + 6 * DAY + 17, AT + 10 * DAY + 5, 60),
        (AT + 28 * DAY, AT + 29 * DAY, 1),
        (AT - 1, AT + 4 * DAY, 3600),
        (AT + 5, AT + 4 * DAY, 7),
    ] {
        let range = ForecastRange::new(from..to, Duration::from_secs(per)).unwrap();
        for by in [ForecastBy::ChosenTime, ForecastBy::NominalTime] {
            let found = forecast(&jobs, &range, by).unwrap();
            let wanted = brute_force(&jobs, &range, by);
            assert!(found.total() > 0 && found.failed().is_empty());
            assert!(found.buckets() == wanted, "{range:?} {by:?}");
        }
    }
}

#[test]
fn longer_buckets_are_those_of_a_forecast_of_them() {
    let jobs = jobs();
    let jobs = seen(&jobs);
    let range = |per| ForecastRange::new(AT + 17..AT + 9 * DAY + 5, Duration::from_secs(per)).unwrap();
    for by in [ForecastBy::ChosenTime, ForecastBy::NominalTime] {
        let minutes = forecast(&jobs, &range(60), by).unwrap();
        for times in [1, 7, 60, 1440] {
            let longer = minutes.in_longer_buckets(times).unwrap();
            assert_eq!(longer, forecast(&jobs, &range(60 * times as u32), by).unwrap());
            assert_eq!(longer.total(), minutes.total());
        }
        assert!(minutes.in_longer_buckets(0).unwrap() == minutes);
        for times in [1441, usize::MAX] {
            assert!(minutes.in_longer_buckets(times).is_err());
        }
        for count in [0, 1, 80, 12_961, usize::MAX] {
            let columns = minutes.columns(count);
            let shown = columns.fullest.len();
            assert!(shown <= count.max(1) && columns.buckets * shown >= minutes.buckets().len(), "{count}");
            for (column, fullest) in columns.fullest.iter().enumerate() {
                let of_column = minutes.buckets().chunks(columns.buckets).nth(column).unwrap();
                assert_eq!(fullest / columns.buckets, column);
                let most = of_column.iter().map(|bucket| bucket.starts).max().unwrap();
                assert_eq!(minutes.buckets()[*fullest].starts, most);
            }
        }
    }
}

#[test]
#[cfg(feature = "rayon")]
fn any_number_of_threads_gives_the_same_answer() {
    let jobs = jobs();
    let jobs = seen(&jobs);
    let range = ForecastRange::new(AT..AT + 31 * DAY, Duration::from_secs(60)).unwrap();
    for by in [ForecastBy::ChosenTime, ForecastBy::NominalTime] {
        let alone = forecast(&jobs, &range, by).unwrap();
        for threads in [1, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| par_forecast(&jobs, &range, by)).unwrap() == alone, "{threads} {by:?}");
        }
    }
}

#[test]
fn statistics_of_known_buckets() {
    let range = ForecastRange::new(0..200, Duration::from_secs(1)).unwrap();
    let p = |values: &dyn Fn(u32) -> u32| {
        let buckets = (0..200).map(|i| Bucket { starts: values(i), ..Bucket::default() }).collect();
        Forecast { range, buckets, failed: Vec::new() }
    };
    let starts = |bucket: &Bucket| u64::from(bucket.starts);
    // Of the values 199 to 0, two are greater than the 198th smallest.
    let found = p(&|i| 199 - i).summary(starts);
    assert_eq!((found.peak, found.peak_bucket, found.mean, found.p99), (199, 0, 99.5, 197));
    let one = p(&|i| u32::from(i == 7) * 50);
    let found = one.summary(starts);
    assert_eq!((found.peak, found.peak_bucket, found.mean, found.p99), (50, 7, 0.25, 0));
    assert_eq!((one.worst(3), one.worst(0)), (vec![7], vec![]));
    assert_eq!(p(&|i| i % 3).worst(2), [2, 5]);
}

#[test]
fn the_jobs_of_a_bucket_are_all_its_starts() {
    let jobs = jobs();
    let jobs = seen(&jobs);
    let range = ForecastRange::new(AT..AT + DAY, Duration::from_secs(60)).unwrap();
    for by in [ForecastBy::ChosenTime, ForecastBy::NominalTime] {
        let found = forecast(&jobs, &range, by).unwrap();
        let mut worst = found.worst(20);
        worst.sort_unstable();
        for wanted in [worst, (0..range.len()).collect(), vec![], vec![range.len(), range.len() + 7]] {
            let members = jobs_in_buckets(&jobs, &range, by, &wanted);
            assert_eq!(members.len(), wanted.len());
            for (index, members) in wanted.iter().zip(members) {
                assert!(members.is_sorted_by_key(|(index, starts)| (core::cmp::Reverse(*starts), *index)));
                let starts = found.buckets().get(*index).map_or(0, |bucket| u64::from(bucket.starts));
                assert_eq!(members.iter().map(|(_, starts)| starts).sum::<u64>(), starts);
                let (from, to) = range.bucket(*index);
                for (job, starts) in members.iter().filter(|_| by == ForecastBy::ChosenTime) {
                    assert_eq!(jobs[*job].job.starts(from..to).count() as u64, *starts);
                }
            }
        }
    }
}

#[test]
fn windows_that_reach_from_bucket_to_bucket_are_decided_once() {
    let range = ForecastRange::new(AT..AT + DAY, Duration::from_secs(60)).unwrap();
    let buckets = [3, 4, 10, 70, 200];
    let p = |text, by| {
        let job = Job::parse("a", text).unwrap();
        let found = super::searches(&job, &range, by, &buckets).into_iter();
        found.map(|(from, to)| ((from - AT) / 60, (to - AT) / 60)).collect::<Vec<_>>()
    };
    let apart = [(3, 5), (10, 11), (70, 71), (200, 201)];
    assert_eq!(p("* * * * *", ForecastBy::ChosenTime), apart);
    assert_eq!(p("* * * * * @win(after,160h)", ForecastBy::NominalTime), apart);
    assert_eq!(p("* * * * * @win(after,1h)", ForecastBy::ChosenTime), [(3, 71), (200, 201)]);
    assert_eq!(p("* * * * * @win(around,160h)", ForecastBy::ChosenTime), [(3, 201)]);
}

#[test]
fn a_heat_map_has_every_start_at_its_civil_hour() {
    let jobs = jobs();
    let jobs = seen(&jobs);
    let paris = Zone::parse("Europe/Paris").unwrap();
    // Three weeks over the clock change of Paris on 29 March.
    let range = ForecastRange::new(AT + 14 * DAY + 600..AT + 35 * DAY, Duration::from_secs(600)).unwrap();
    let found = forecast(&jobs, &range, ForecastBy::ChosenTime).unwrap();
    let map = found.heat_map(&paris);
    let mut wanted = [[(0, 0, 0); 24]; 7];
    for (index, bucket) in found.buckets().iter().enumerate() {
        use chrono::{DateTime, Datelike as _, Timelike as _};
        let local = DateTime::from_timestamp(range.bucket(index).0, 0).unwrap().with_timezone(&paris);
        let cell = &mut wanted[local.weekday().num_days_from_monday() as usize][local.hour() as usize];
        *cell = (cell.0 + 1, cell.1 + u64::from(bucket.starts), bucket.starts.max(cell.2));
    }
    assert_eq!(map.days().map(|day| day.map(|cell| (cell.buckets, cell.starts, cell.peak))), wanted);
    // The hour that the clocks skip on one of three Sundays.
    assert_eq!((map.days()[6][2].buckets, map.days()[5][2].buckets), (12, 18));
    assert_eq!(u64::from(map.peak()), found.summary(|bucket| u64::from(bucket.starts)).peak);
}

#[test]
fn days_of_clock_changes_are_whole_civil_days() {
    let p = |zone: &str, from: i64, to: i64| {
        let job = Job::parse("a", &format!("0 * * * * @tz({zone})")).unwrap();
        let range = ForecastRange::new(from..to, Duration::from_secs(3600)).unwrap();
        let days = clock_change_days(&[ForecastJob::new(&job)], &range, ForecastBy::NominalTime);
        let day = |day: &ClockChangeDay| {
            (day.from_timestamp - AT, day.to_timestamp - AT, day.starts, day.starts_week_before)
        };
        days.iter().map(day).collect::<Vec<_>>()
    };
    let paris = (28 * DAY - 3600, 29 * DAY - 7200, 23, 24);
    assert_eq!(p("Europe/Paris", AT, AT + 60 * DAY), [paris]);
    // The change is at 01:00 UTC on 29 March: the first second of this range, and the second after the other one.
    let change = AT + 28 * DAY + 3600;
    assert_eq!(p("Europe/Paris", change, change + 1), [paris]);
    assert_eq!(p("Europe/Paris", AT, change), []);
    // Lebanon's clocks go from 24:00 of 28 March to 01:00: the day that is short is the 29th.
    assert_eq!(p("Asia/Beirut", AT, AT + 60 * DAY), [(28 * DAY - 7200, 29 * DAY - 10_800, 23, 24)]);
    // They go back from 24:00 of 24 October to 23:00: the 24th is long.
    let october = 237 * DAY;
    assert_eq!(
        p("Asia/Beirut", AT + 100 * DAY, AT + 260 * DAY),
        [(october - 10_800, october + DAY - 7200, 25, 24)]
    );
    assert_eq!(p("UTC", AT, AT + 365 * DAY), []);
    // Jobs of a zone are counted together, and suspended ones are not.
    let texts = [
        "@hourly @tz(Europe/Paris)",
        "@hourly @tz(Europe/Paris) @policy(suspend=true)",
        "@daily @tz(Europe/Paris)",
    ];
    let jobs = texts.map(|text| Job::parse("a", text).unwrap());
    let jobs = jobs.each_ref().map(ForecastJob::new);
    let range = ForecastRange::new(AT..AT + 31 * DAY, Duration::from_secs(60)).unwrap();
    let days = clock_change_days(&jobs, &range, ForecastBy::ChosenTime);
    assert_eq!((days.len(), days[0].jobs, days[0].starts, days[0].starts_week_before), (1, 2, 24, 25));
}

/// A monthly job on the day, or a window over midnight, is no effect of the clocks.
#[test]
fn a_change_of_clocks_is_told_from_other_causes() {
    let p = |text: &str, from: i64| {
        let job = Job::parse("a", text).unwrap();
        let range = ForecastRange::new(from..from + 30 * DAY, Duration::from_secs(3600)).unwrap();
        let days = clock_change_days(&[ForecastJob::new(&job)], &range, ForecastBy::ChosenTime);
        (days[0].nominal_times, days[0].nominal_times_without_change)
    };
    let (march, october) = (AT, AT + 220 * DAY);
    assert_eq!(p("0 4 29 * * @tz(Europe/Paris)", march), (1, 1));
    assert_eq!(p("0 23 * * * @tz(Europe/Paris) @win(after,9h)", march), (1, 1));
    assert_eq!(p("30 * * * * @tz(Europe/Paris)", march), (23, 24));
    assert_eq!(p("30 2 * * * @tz(Europe/Paris)", march), (0, 1));
    assert_eq!(p("30 * * * * @tz(Europe/Paris)", october), (25, 24));
    assert_eq!(p("@daily @days(dow=SUN) @tz(Asia/Beirut)", march), (0, 1));
    assert_eq!(p("@daily @nodays(dow=SUN) @tz(Asia/Beirut)", march), (0, 0));
}

#[test]
fn a_search_that_fails_is_listed() {
    // 100,000 periods in a row are unschedulable; the other job is counted.
    let jobs =
        [Job::parse("a", "* * * * * @only(date=2030-01-01)").unwrap(), Job::parse("b", "@daily").unwrap()];
    let jobs = jobs.each_ref().map(ForecastJob::new);
    let range = ForecastRange::new(AT..AT + 100 * DAY, Duration::from_secs(3600)).unwrap();
    let found = forecast(&jobs, &range, ForecastBy::ChosenTime).unwrap();
    assert_eq!(found.total(), 100);
    let failed: Vec<usize> = found.failed().iter().map(|(index, _)| *index).collect();
    assert!(failed.is_empty() || failed == [0], "{failed:?}");
}

#[test]
fn err_options() {
    let p = |from: i64, to: i64, per: &str| {
        ForecastRange::new(from..to, Duration::parse(per).unwrap()).unwrap_err().to_string()
    };
    let not_a_length =
        " is not the length of a bucket: it is in whole seconds, from 1s to 24h; write for example `1m`";
    assert_eq!(p(0, 60, "0s"), format!("`0s`{not_a_length}"));
    assert_eq!(p(0, 60, "1500ms"), format!("`1.5s`{not_a_length}"));
    assert_eq!(p(0, 60, "24h1s"), format!("`24h0m1s`{not_a_length}"));
    assert_eq!(
        p(60, 60, "1m"),
        "the end of the range, 1970-01-01T00:01:00Z, is not after its beginning, 1970-01-01T00:01:00Z"
    );
    assert_eq!(
        p(i64::MIN, i64::MAX, "1h"),
        "the range has 5124095576030432 buckets, and at most 3000000 are counted; choose longer buckets or a shorter range"
    );
    let job = Job::parse("a", "@daily").unwrap();
    let long = ForecastJob { duration: Duration::parse("8784h0m1s").unwrap(), ..ForecastJob::new(&job) };
    let range = ForecastRange::new(AT..AT + DAY, Duration::from_secs(60)).unwrap();
    assert_eq!(
        forecast(&[long], &range, ForecastBy::ChosenTime).unwrap_err().to_string(),
        "the duration `8784h1s` of the job `a` is longer than 366 days; write how long one execution takes, such as `5m`"
    );
    // The first and the last instant of 64 bits.
    for (from, to) in [(i64::MIN, i64::MIN + 9), (i64::MAX - 9, i64::MAX)] {
        let range = ForecastRange::new(from..to, Duration::from_secs(1)).unwrap();
        assert_eq!(forecast(&[ForecastJob::new(&job)], &range, ForecastBy::NominalTime).unwrap().total(), 0);
    }
}
