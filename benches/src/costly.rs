//! The costliest texts that are known: half a million windows overlap, of which constraints leave little.

/// When they are asked: 2026-03-01.
pub const NOW: i64 = 1_772_323_200;

/// Each text with what makes it costly.
pub fn texts() -> Vec<(&'static str, String)> {
    let (monday, a_year_apart) = (["dow=MON;"], ["date=2026-02-28;", "date=2027-02-28;"]);
    vec![
        (
            "all draws at one second",
            "* * * * * @win(before,8784h) @dist(exponential,lambda=1e300) @only(dow=MON;between=00:00-00:00)"
                .to_string(),
        ),
        (
            "many short runs",
            format!("* * * * * @win(around,8784h) @dist(skewLate,shape=40.3){}", minutes(&monday)),
        ),
        (
            "two days a year apart",
            format!("* * * * * @win(after,8784h) @dist(normal){}", minutes(&a_year_apart)),
        ),
        (
            "the first algorithm",
            "* * * * * @win(before,8784h) @dist(skewEarly,shape=3.7) @alg(sha256-splitmix64/1) \
             @only(dow=MON;between=00:00-00:03)"
                .to_string(),
        ),
    ]
}

/// One minute in sixteen of some days, in as many clauses as that takes.
fn minutes(days: &[&str]) -> String {
    let clock = |at: u32| format!("{:02}:{:02}", at / 60, at % 60);
    let all: Vec<String> = (0..1440).step_by(16).map(|at| format!("{0}-{0}", clock(at))).collect();
    let clause = |day: &str, some: &[String]| format!(" @only({day}between={})", some.join(","));
    days.iter().flat_map(|day| all.chunks(10).map(move |some| clause(day, some))).collect()
}
