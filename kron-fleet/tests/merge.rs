//! Fleets against their jobs, one by one.

use kron_core::Job;
use kron_fleet::Fleet;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generators::*;

proptest! {
    #![proptest_config(config(100))]

    /// A fleet's starts are all jobs' starts, sorted by chosen time, nominal time and index; periods by nominal and index.
    #[test]
    fn fleets_merge(first in (0..4_000_000_000_i64, 1..DAY), models in vec(job_with(dense_cron(), DAY, 0..2), 1..6), same in any::<bool>()) {
        // Jobs alike but for their names, or altogether different ones, over the first one's range.
        let (from, to) = (first.0, first.0 + first.1);
        let jobs: Vec<Job> = models.iter().enumerate().map(|(i, model)| {
            let mut model = if same { models[0].clone() } else { model.clone() };
            if same && i % 2 == 0 {
                // Ties of chosen times are common where windows are one second wide.
                model.nanos = 0;
            }
            Job::new(format!("fleet/{i}"), model.build()).unwrap()
        }).collect();
        let mut starts = Vec::new();
        let mut periods = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            for start in job.starts(from..to) {
                let start = start.unwrap();
                starts.push((start.chosen_timestamp().unwrap(), start.nominal_timestamp(), index));
            }
            periods.extend(job.periods(from..to).map(|period| (period.nominal_timestamp(), index)));
        }
        starts.sort_unstable();
        periods.sort_unstable();
        let fleet = Fleet::new(jobs).unwrap();
        let merged: Vec<_> = fleet.starts(from..to).map(|(index, start)| {
            let start = start.unwrap();
            assert_eq!(start.name(), fleet.jobs()[index].name());
            (start.chosen_timestamp().unwrap(), start.nominal_timestamp(), index)
        }).collect();
        prop_assert_eq!(merged, starts);
        let merged: Vec<_> = fleet.periods(from..to).map(|(index, period)| (period.nominal_timestamp(), index)).collect();
        prop_assert_eq!(merged, periods);
        let forth: Vec<_> = fleet.starts(from..to).collect();
        prop_assert!(fleet.starts_back(from..to).eq(forth.into_iter().rev()));
        let forth: Vec<_> = fleet.periods(from..to).collect();
        prop_assert!(fleet.periods_back(from..to).eq(forth.into_iter().rev()));
        #[cfg(feature = "rayon")]
        {
            prop_assert!(fleet.par_starts(from..to).into_iter().eq(fleet.starts(from..to)));
            prop_assert!(fleet.par_next_starts(from).into_iter().eq(fleet.next_starts(from)));
        }
    }
}

/// A job whose search fails somewhere in the range yields its starts, then its error, and the others go on.
#[test]
fn an_error_follows_the_last_start_of_its_job() {
    let fleet = Fleet::new(vec![
        Job::parse("a/ends", "0 0 * * * @win(after,1h) @only(dates=1970-01-01..1970-01-10)").unwrap(),
        Job::parse("b/goes-on", "0 12 * * * @win(after,1h)").unwrap(),
    ])
    .unwrap();
    let all: Vec<_> = fleet.starts(0..20 * DAY).collect();
    let failed = all.iter().position(|(_, start)| start.is_err());
    // Without an end in sight only a range that goes on for years brings the error.
    assert_eq!(failed, None);
    let all: Vec<_> = fleet.starts(0..).take(40).collect();
    let failed = all.iter().position(|(_, start)| start.is_err()).unwrap();
    assert_eq!(all[failed].0, 0);
    assert_eq!(all[..failed].iter().filter(|(index, _)| *index == 0).count(), 10);
    assert_eq!(all[failed - 1].0, 0);
    assert!(all[failed + 1..].iter().all(|(index, start)| *index == 1 && start.is_ok()));
    #[cfg(feature = "rayon")]
    {
        let (from, to) = (0, 6 * 366 * DAY);
        assert!(fleet.par_starts(from..to).into_iter().eq(fleet.starts(from..to)));
    }
}

/// Any range of instants is answered, and a range without starts is empty.
#[test]
fn every_range_has_an_answer() {
    let job = || Job::parse("fleet/never", "* * * * * @avoid(hours=0-23)").unwrap();
    let fleet = Fleet::new(vec![job()]).unwrap();
    let from = 1_772_323_200;
    assert_eq!(fleet.starts(from..from + DAY).count(), 0);
    let minutely =
        Fleet::new(vec![Job::parse("fleet/minutely", "* * * * * @win(around,8784h)").unwrap()]).unwrap();
    for (from, to) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (i64::MAX - 1, i64::MAX), (i64::MIN, 0)] {
        assert!(minutely.starts(from..to).take(3).count() <= 3);
        assert!(minutely.periods(from..to).take(3).count() <= 3);
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// Jobs are found by name as a search through all of them finds them, whatever was added and removed before.
    #[test]
    fn jobs_are_found_by_name(edits in vec((0..12_u8, any::<bool>()), 0..40)) {
        let name = |number: u8| format!("job/{}", u32::from(number) * 7 % 12);
        let mut fleet = Fleet::default();
        for (number, add) in edits {
            let (name, had) = (name(number), fleet.len());
            let known = fleet.iter().any(|job| job.name() == name);
            fleet = if add {
                let job = Job::parse(&name, "@daily").unwrap();
                fleet.clone().with_job(job).unwrap_or(fleet)
            } else {
                fleet.without(&name)
            };
            prop_assert_eq!(fleet.len(), if add { had + usize::from(!known) } else { had - usize::from(known) });
        }
        for number in 0..12 {
            let name = name(number);
            prop_assert_eq!(fleet.index_of(&name), fleet.iter().position(|job| job.name() == name));
            prop_assert_eq!(fleet.get(&name).map(Job::name), fleet.contains(&name).then_some(&*name));
        }
        prop_assert!(fleet.names().eq(fleet.iter().map(Job::name)));
    }
}
