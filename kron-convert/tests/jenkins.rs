//! Schedules of Jenkins become windows: as many starts as builds, one where each build could have been.

use chrono::NaiveDateTime;
use kron_convert::{Format, Options, Severity};

use crate::readers::{minutes, nominal_times, range};
use crate::support::{Random, converted, from, loaded, messages, refusal};

fn options() -> Options {
    Options { timezone: Some("UTC".to_string()), ..from(Format::Jenkins) }
}

#[test]
fn forms_of_h() {
    for (text, want) in [
        ("H 3 * * *", "0 3 * * * @win(after,59m59s) @seed(fixed)"),
        ("H H * * *", "0 0 * * * @win(after,23h59m59s) @seed(fixed)"),
        ("H/15 * * * *", "*/15 * * * * @win(after,14m59s) @seed(fixed)"),
        ("H/1 * * * *", "0 * * * * @win(after,59m59s) @seed(fixed)"),
        ("H(0-29) 3 * * *", "0 3 * * * @win(after,29m59s) @seed(fixed)"),
        ("H(0-29)/10 * * * *", "0-20/10 * * * * @win(after,9m59s) @seed(fixed)"),
        ("H(15-59)/15 * * * *", "15-45/15 * * * * @win(after,14m59s) @seed(fixed)"),
        ("H/7 * * * *", "*/7 * * * * @win(after,3m59s) @seed(fixed)"),
        ("H H(0-7) * * 1-5", "0 0 * * 1-5 @win(after,7h59m59s) @seed(fixed)"),
        ("H H/6 * * *", "0 */6 * * * @win(after,5h59m59s) @seed(fixed)"),
        ("0 H/6 * * *", "0 */6 * * * @win(after,5h) @seed(fixed)"),
        ("H/30 H * * *", "0,30 0 * * * @win(after,23h29m59s) @seed(fixed)"),
        ("H H * * H", "0 0 * * 0 @win(after,167h59m59s) @seed(fixed)"),
        ("H H H * *", "0 0 1 * * @win(after,671h59m59s) @seed(fixed)"),
        ("H H H H *", "0 0 1 1 * @win(after,8687h59m59s) @seed(fixed)"),
        ("H H(2-4) * * H(1-5)", "0 2 * * 1 @win(after,98h59m59s) @seed(fixed)"),
        ("@hourly", "0 * * * * @win(after,59m59s) @seed(fixed)"),
        ("@daily", "0 0 * * * @win(after,23h59m59s) @seed(fixed)"),
        ("@midnight", "0 0 * * * @win(after,2h59m59s) @seed(fixed)"),
        ("@weekly", "0 0 * * 0 @win(after,167h59m59s) @seed(fixed)"),
        ("@monthly", "0 0 1 * * @win(after,671h59m59s) @seed(fixed)"),
        ("@yearly", "0 0 1 1 * @win(after,8687h59m59s) @seed(fixed)"),
        ("30 3 * * 7", "30 3 * * 0"),
    ] {
        let converted = converted(text, &options());
        assert_eq!(converted.text.split(" @policy").next(), Some(want), "{text}: {:?}", converted.messages);
    }
}

#[test]
fn zones_comments_and_names() {
    let text = "TZ=Europe/London\n# nightly\nH 3 * * *\n\nH 4 * * *\n";
    let options = Options { namespace: Some("ci".into()), ..options() };
    let converted = converted(text, &options);
    let win = "@win(after,59m59s) @seed(fixed) @policy(deadline=1m)";
    assert_eq!(
        converted.text,
        format!(
            "# nightly\n0 3 * * * @tz(Europe/London) {win} name=ci/file\n\n0 4 * * * @tz(Europe/London) {win} name=ci/file-2\n"
        )
    );
    let both = self::converted("H 3 * * *\n0 3 * * 1\n", &options);
    assert_eq!(
        messages(&both, Severity::Warning),
        [
            "line 2: this line and line 1 can match the same minute: Jenkins then builds once, Kron starts two jobs"
        ]
    );
}

#[test]
fn refusals() {
    let p = |text: &str| refusal(text, &options()).replace("line 1: ", "");
    assert!(
        p("H(0-29) H(0-7) * * *")
            .starts_with("the hour is random, and the minute is random in a part of the hour")
    );
    assert!(p("0 3 * * H").starts_with("the day is random, and the minute is not any minute"));
    assert!(p("H 3 H * 1").starts_with("the random days are not the days of a window"));
    assert!(p("H 3 1 H *").starts_with("the random days are not the days of a window"));
    assert_eq!(p("H,30 * * * *"), "minute: `H,30` has `H` in a list; write a line for each item");
    assert_eq!(p("H(40-20) * * * *"), "minute: `H(40-20)` is not a value of this field");
    assert_eq!(p("H/90 * * * *"), "minute: `H/90` is not a value of this field");
    assert_eq!(p("0 3 * JAN *"), "month: `JAN` is not a value of this field");
    assert_eq!(p("5/15 3 * * *"), "minute: `5/15` is not a value of this field");
    assert!(p("H 3 * *").starts_with("`H 3 * *` does not have five fields"));
}

/// A field as Jenkins hashes it: its bits, and the field in the schedule.
fn field(random: &mut Random, low: u32, high: u32, hashed: u32) -> (u64, String) {
    let all = |from: u32, to: u32, step: u32| {
        (from..=to).step_by(step as usize).fold(0_u64, |bits, value| bits | 1 << value)
    };
    let (first, second) = (low + random.below(hashed - low + 1), low + random.below(hashed - low + 1));
    let (from, to) = (first.min(second), first.max(second));
    let one = |random: &mut Random, from: u32, to: u32| 1_u64 << (from + random.below(to - from + 1));
    match random.below(7) {
        0 => (all(low, high, 1), "*".into()),
        1 => (1 << first, first.to_string()),
        2 => (all(from, to, 1), format!("{from}-{to}")),
        3 => (one(random, low, hashed), "H".into()),
        4 => (one(random, from, to), format!("H({from}-{to})")),
        case => {
            let (from, to) = if case == 5 { (low, hashed) } else { (from, to) };
            let count = to - from + 1;
            let step = 1 + random.below(count);
            // Jenkins has one build more for the first offsets, if the step does not divide the range; Kron has as many as
            // those.
            let offsets = if count.is_multiple_of(step) { step } else { count % step };
            let text = if case == 5 { format!("H/{step}") } else { format!("H({from}-{to})/{step}") };
            let bits =
                if step == 1 { one(random, from, to) } else { all(from + random.below(offsets), to, step) };
            (bits, text)
        }
    }
}

#[test]
fn every_build_lies_in_the_window_of_its_period() {
    let mut random = Random::new(7);
    let mut compared = 0;
    for _ in 0..400 {
        let minute = field(&mut random, 0, 59, 59);
        let hour = field(&mut random, 0, 23, 23);
        let dom = if random.one_in(3) { field(&mut random, 1, 31, 28) } else { (u64::MAX, "*".into()) };
        let month = if random.one_in(5) { field(&mut random, 1, 12, 12) } else { (u64::MAX, "*".into()) };
        let dow = if random.one_in(3) && dom.1 == "*" {
            field(&mut random, 0, 6, 6)
        } else {
            (u64::MAX, "*".into())
        };
        let text = [&minute.1, &hour.1, &dom.1, &month.1, &dow.1].map(String::as_str).join(" ");
        let has = |field: &(u64, String), value: u32| field.0 >> value & 1 == 1;
        let converted = converted(&text, &options());
        if converted.refused > 0 {
            continue;
        }
        let mut builds = minutes(|at| {
            let date = has(&dom, at.dom) && has(&month, at.month) && has(&dow, at.dow);
            has(&minute, at.minute) && has(&hour, at.hour) && date
        });
        let jobs = loaded(&converted).jobs;
        let job = &jobs[0].job;
        let window = chrono::TimeDelta::seconds(job.spec().window().duration().as_secs());
        let mut nominal = nominal_times(job);
        // Windows that begin before the range, and those that end after it.
        builds.retain(|build| nominal.first().is_some_and(|first| build >= first));
        while builds.len() < nominal.len() && nominal.last().is_some_and(|last| *last + window >= range().1) {
            nominal.pop();
        }
        assert_eq!(builds.len(), nominal.len(), "{text}\n{}", converted.text);
        let mut pairs = builds.iter().zip(&nominal);
        let outside = pairs.find(|(build, nominal): &(&NaiveDateTime, &NaiveDateTime)| {
            *build < *nominal || **build > **nominal + window
        });
        assert_eq!(outside, None, "{text}\n{}", converted.text);
        compared += 1;
    }
    assert!(compared > 150, "{compared} compared");
}
