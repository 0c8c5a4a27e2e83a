//! A fleet of distinct jobs of all sorts.

use kron_core::Job;

use crate::ZONES;

/// When fleets are asked for their next starts: 2026-03-01.
pub const NOW: i64 = 1_772_323_200;

/// A number from the environment, or the default.
pub fn setting(name: &str, default: usize) -> usize {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")),
        Err(_) => default,
    }
}

/// The name and the text form of so many jobs, most of them daily, as fleets are.
pub fn lines(count: usize) -> Vec<(String, String)> {
    (0..count).map(|i| (format!("team-{}/job-{i}", i % 997), line(i))).collect()
}

fn line(i: usize) -> String {
    let (minute, hour, zone) = (i % 60, i / 60 % 24, ZONES[i / 7 % 4]);
    let cron = match i % 8 {
        0 => format!("{} * * * *", minute),
        1 => format!("{minute} {hour} * * MON-FRI"),
        2 => format!("{minute} {hour} {},{} * *", i % 14 + 1, i % 14 + 15),
        3 => format!("{minute} */6 * * *"),
        _ => format!("{minute} {hour} * * *"),
    };
    let rest = match i % 5 {
        0 => "@win(after,45m)",
        1 => "@win(around,30m) @dist(normal)",
        2 => "@win(after,50m) @dist(skewEarly) @seed(daily,salt=blue)",
        3 => "@win(before,20m) @dist(exponential,lambda=3,dir=late)",
        _ => "@win(after,1h) @avoid(dow=SUN&hours=3-4)",
    };
    format!("{cron} @tz({zone}) {rest}")
}

/// The jobs of those lines.
pub fn parse(lines: &[(String, String)]) -> Vec<Job> {
    lines.iter().map(|(name, text)| Job::parse(name, text).expect("a good job")).collect()
}
