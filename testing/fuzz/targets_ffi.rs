//! What the fuzz target of the C surface does with its bytes: a program of calls over a few handles, some of them freed
//! before others that came from them. No call may panic, write an output when it fails, or leave memory behind.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use kron::*;

/// Words that texts are made of, so that many parse.
const WORDS: &[&str] = &[
    "*/5 * * * *",
    "0 0 * * *",
    "@daily",
    "@hourly",
    "30 2 * * SUN",
    "0 0 29 2 *",
    "61 * * * *",
    " @tz(Europe/Paris)",
    " @tz(Fuzz/Zone)",
    " @win(after,3h)",
    " @win(around,90m)",
    " @win(before,24h)",
    " @dist(normal)",
    " @dist(exponential,lambda=8)",
    " @seed(weekly,salt=x)",
    " @only(hours=1-3)",
    " @avoid(dow=SUN)",
    " @only(dates=2026-01-01..2026-12-31)",
    " @policy(deadline=1h)",
    " @alg(sha256-splitmix64/1)",
    " name=a/b",
    "\n",
    "#",
    "{\"schedule\": \"@daily\"}",
    "\u{e9}",
    "\0",
    "hours",
    "dow",
    "between",
    "22:00-06:00",
    "1-5",
    "UTC",
    "1h30m",
];

/// Decisions that programs got: a fuzz target that reaches none is broken.
pub static DECISIONS: AtomicU64 = AtomicU64::new(0);

/// Takes values from the bytes, and zeros when they are used up.
struct Input<'d>(&'d [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> i64 {
        let small = i64::from(self.byte()) * 43_200;
        match self.byte() % 8 {
            0 => i64::MIN + small,
            1 => i64::MAX - small,
            2 => -small,
            3 => 4_102_444_799 + small - 5_000_000,
            _ => 1_772_323_200 + small,
        }
    }

    fn choice(&mut self) -> u32 {
        match self.byte() {
            255 => u32::MAX,
            small => u32::from(small % 6),
        }
    }

    /// Words, or raw bytes that may not be UTF-8. Half of the texts begin as a job does.
    fn text(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        if self.byte() < 128 {
            text.extend(WORDS[usize::from(self.byte() % 7)].as_bytes());
            for _ in 0..self.byte() % 4 {
                text.extend(WORDS[usize::from(7 + self.byte() % 13)].as_bytes());
            }
            return text;
        }
        for _ in 0..self.byte() % 6 {
            match self.byte() {
                raw @ 200.. => text.extend([raw, self.byte()]),
                word => text.extend(WORDS[usize::from(word) % WORDS.len()].as_bytes()),
            }
        }
        text
    }
}

/// The texts of a call and their lengths; they may hold NUL.
fn raw(text: &[u8]) -> (*const c_char, usize) {
    (text.as_ptr().cast(), text.len())
}

/// TZif data of a zone that goes from an hour to two hours east of UTC in 2030.
const TZIF: [u8; 122] = {
    let mut data = [0; 122];
    let parts: [(usize, &[u8]); 10] = [
        // The block of version 1 has one type and nothing else.
        (0, b"TZif2"),
        (39, &[1]),
        (43, &[1]),
        (51, b"TZif2"),
        // Changes, types, characters.
        (86, &[1, 0, 0, 0, 2, 0, 0, 0, 4]),
        (95, &1_893_456_000_i64.to_be_bytes()),
        (103, &[1]),
        (104, &3600_i32.to_be_bytes()),
        (110, &7200_i32.to_be_bytes()),
        (116, b"LMT\0\n\n"),
    ];
    let mut part = 0;
    while part < parts.len() {
        let (start, bytes) = parts[part];
        let mut at = 0;
        while at < bytes.len() {
            data[start + at] = bytes[at];
            at += 1;
        }
        part += 1;
    }
    data
};

/// Databases that were read: most bytes of the data may change without damage.
pub static DATABASES: AtomicU64 = AtomicU64::new(0);

/// Handles, of which any may be NULL.
struct World {
    tzdb: *mut kron_tzdb,
    jobs: [*mut kron_job; 4],
    fleet: *mut kron_fleet,
    schedule: *mut kron_schedule,
    periods: *mut kron_period_series,
    starts: *mut kron_start_series,
    fleet_starts: *mut kron_fleet_start_series,
    nominals: *mut kron_nominal_series,
    builder: *mut kron_job_builder,
    clause: *mut kron_clause_builder,
    plan: *mut kron_plan,
    state: *mut kron_host_state,
    error: *mut kron_error,
    /// Searches are bounded, and slow at their bounds: a program may do a few.
    searches: u8,
}

/// The place of a handle: freed first if it is taken, as C programs must.
macro_rules! renew {
    ($free:ident, $handle:expr) => {{
        $free($handle);
        $handle = null_mut();
        &raw mut $handle
    }};
}

const SIZE: usize = size_of::<kron_decision>();

fn blank() -> kron_decision {
    let (long, short) = (0x5a5a_5a5a_5a5a_5a5a, 0x5a5a_5a5a);
    kron_decision {
        nominal_time: long,
        window_start: long,
        window_end: long,
        chosen_time: long,
        flags: short,
        draws: short,
        algorithm: short,
        reserved: short,
        period_id: [0x5a; KRON_PERIOD_ID_SIZE],
        period_key: [0x5a; KRON_PERIOD_KEY_SIZE],
        seed_hash: [0x5a; KRON_SEED_HASH_SIZE],
    }
}

fn is_blank(decision: &kron_decision) -> bool {
    decision.flags == 0x5a5a_5a5a && decision.nominal_time == 0x5a5a_5a5a_5a5a_5a5a
}

fn check_decision(result: kron_result, decision: &kron_decision) {
    if result != kron_result::Ok {
        return assert!(is_blank(decision), "{result:?} wrote {decision:?}");
    }
    DECISIONS.fetch_add(1, Ordering::Relaxed);
    assert!(decision.window_start <= decision.nominal_time && decision.nominal_time <= decision.window_end);
    if decision.flags == KRON_DECISION_CHOSEN {
        assert!((decision.window_start..=decision.window_end).contains(&decision.chosen_time));
    }
    assert!(
        decision.period_id.contains(&0)
            && decision.seed_hash.contains(&0)
            && decision.period_key.contains(&0)
    );
}

/// The C surface: bytes are a program of calls.
pub fn c_surface(data: &[u8]) {
    let mut input = Input(data);
    let mut world = World {
        tzdb: null_mut(),
        jobs: [null_mut(); 4],
        fleet: null_mut(),
        schedule: null_mut(),
        periods: null_mut(),
        starts: null_mut(),
        fleet_starts: null_mut(),
        nominals: null_mut(),
        builder: null_mut(),
        clause: null_mut(),
        plan: null_mut(),
        state: null_mut(),
        error: null_mut(),
        searches: 6,
    };
    for _ in 0..64 {
        if input.0.is_empty() {
            break;
        }
        // SAFETY: every handle in the world is NULL or live, and every other pointer is to something of that size.
        unsafe { step(&mut world, &mut input) };
    }
    // SAFETY: as above; nothing is used afterwards.
    unsafe {
        kron_tzdb_free(world.tzdb);
        world.jobs.into_iter().for_each(|job| kron_job_free(job));
        kron_fleet_free(world.fleet);
        kron_schedule_free(world.schedule);
        kron_period_series_free(world.periods);
        kron_start_series_free(world.starts);
        kron_fleet_start_series_free(world.fleet_starts);
        kron_nominal_series_free(world.nominals);
        kron_job_builder_free(world.builder);
        kron_clause_builder_free(world.clause);
        kron_plan_free(world.plan);
        kron_host_state_free(world.state);
        kron_error_free(world.error);
    }
}

/// One call.
///
/// # Safety
///
/// Every handle in the world is NULL or live.
unsafe fn step(world: &mut World, input: &mut Input<'_>) {
    let op = input.byte();
    let slot = usize::from(input.byte() % 4);
    let (a, b) = (input.number(), input.number());
    let (first, second) = (input.text(), input.text());
    let ((text, length), (other, other_length)) = (raw(&first), raw(&second));
    let error = if op & 0x80 == 0 { &raw mut world.error } else { null_mut() };
    let mut decision = blank();
    let size = if input.byte() == 255 { usize::from(input.byte()) } else { SIZE };
    let (mut time, mut index, mut string) = (7, 7, null_mut());
    let mut parser = null_mut();
    // SAFETY: the caller's, and a place for a handle.
    unsafe { kron_parser_new(world.tzdb, null(), &raw mut parser, null_mut()) };
    // SAFETY: the caller's; what a call gives is freed before its place is used again.
    let result = unsafe {
        match op % 32 {
            0..=2 => {
                let place = renew!(kron_job_free, world.jobs[slot]);
                kron_job_parse_n(c"a/b".as_ptr(), 3, text, length, parser, place, error)
            }
            3 => {
                let place = renew!(kron_job_free, world.jobs[slot]);
                kron_job_parse_n(other, other_length, text, length, parser, place, error)
            }
            4 => {
                let place = renew!(kron_job_free, world.jobs[slot]);
                kron_job_from_spec_json_n(c"a/b".as_ptr(), 3, text, length, parser, place, error)
            }
            5 => {
                kron_job_free(world.jobs[slot]);
                world.jobs[slot] = null_mut();
                kron_result::Ok
            }
            6 => {
                let other_slot = (slot + 1) % 4;
                let place = renew!(kron_job_free, world.jobs[other_slot]);
                kron_job_clone(world.jobs[slot], place, error)
            }
            7 => kron_fleet_parse_n(
                text,
                length,
                other,
                other_length,
                parser,
                renew!(kron_fleet_free, world.fleet),
                error,
            ),
            8 => {
                let place = renew!(kron_schedule_free, world.schedule);
                kron_schedule_parse_n(text, length, c"Europe/Paris".as_ptr(), 12, world.tzdb, place, error)
            }
            9 => kron_schedule_next(world.schedule, a, &raw mut time, error),
            10 => kron_schedule_prev(world.schedule, a, &raw mut time, error),
            11 => kron_schedule_series(
                world.schedule,
                a,
                renew!(kron_nominal_series_free, world.nominals),
                error,
            ),
            12 => kron_nominal_series_next(world.nominals, &raw mut time, error),
            13 => kron_job_decide(world.jobs[slot], a, &raw mut decision, size, error),
            14 => kron_job_next_period(world.jobs[slot], a, &raw mut decision, size, error),
            15 => kron_job_prev_period(world.jobs[slot], a, &raw mut decision, size, error),
            16..=19 if world.searches > 0 => {
                world.searches -= 1;
                match op % 4 {
                    0 => kron_job_next_start(world.jobs[slot], a, &raw mut decision, size, error),
                    1 => kron_job_prev_start(world.jobs[slot], a, &raw mut decision, size, error),
                    2 => kron_job_starts(
                        world.jobs[slot],
                        a,
                        b,
                        renew!(kron_start_series_free, world.starts),
                        error,
                    ),
                    _ => {
                        let place = renew!(kron_host_state_free, world.state);
                        kron_host_state_new(a.max(1_700_000_000), place, error);
                        let place = renew!(kron_plan_free, world.plan);
                        let now = a.max(1_700_000_000).saturating_add(86_400);
                        kron_job_plan(world.jobs[slot], world.state, now, place, error)
                    }
                }
            }
            20 if world.searches > 0 => {
                world.searches -= 1;
                kron_start_series_next(world.starts, &raw mut decision, size, error)
            }
            21 => kron_job_periods(
                world.jobs[slot],
                a,
                b,
                renew!(kron_period_series_free, world.periods),
                error,
            ),
            22 => kron_period_series_next(world.periods, &raw mut decision, size, error),
            23 if world.searches > 0 => {
                world.searches -= 1;
                let place = renew!(kron_fleet_start_series_free, world.fleet_starts);
                kron_fleet_starts(world.fleet, a, b, place, error)
            }
            24 if world.searches > 0 => {
                world.searches -= 1;
                let place = &raw mut index;
                kron_fleet_start_series_next(world.fleet_starts, place, &raw mut decision, size, error)
            }
            25 => kron_job_builder_new_n(text, length, renew!(kron_job_builder_free, world.builder), error),
            26 => match input.byte() % 6 {
                0 => kron_job_builder_timezone_n(world.builder, text, length, world.tzdb, error),
                1 => kron_job_builder_window_ns(world.builder, input.choice(), a, error),
                2 => kron_job_builder_normal(world.builder, input.choice(), &raw const b, error),
                3 => kron_job_builder_exponential(
                    world.builder,
                    f64::from_bits(a as u64),
                    input.choice(),
                    error,
                ),
                4 => kron_job_builder_seed_n(world.builder, input.choice(), text, length, error),
                _ => kron_job_builder_only(world.builder, world.clause, error),
            },
            27 => kron_clause_builder_new(renew!(kron_clause_builder_free, world.clause), error),
            29 => {
                let mut data = TZIF;
                for _ in 0..input.byte() % 4 {
                    data[usize::from(input.byte()) % TZIF.len()] = input.byte();
                }
                let zone = kron_tzif {
                    name: c"Fuzz/Zone".as_ptr(),
                    name_length: 9,
                    data: data.as_ptr(),
                    data_length: data.len() - usize::from(input.byte() / 128 * slot as u8),
                };
                let (version, version_length) =
                    if slot == 0 { (text, length) } else { (c"2026z".as_ptr(), 5) };
                let place = renew!(kron_tzdb_free, world.tzdb);
                let zone_size = size_of_val(&zone);
                let result = kron_tzdb_from_tzif_n(
                    version,
                    version_length,
                    &raw const zone,
                    1,
                    zone_size,
                    place,
                    error,
                );
                DATABASES.fetch_add(u64::from(result == kron_result::Ok), Ordering::Relaxed);
                result
            }
            30 => {
                let mut offset = 7;
                let result = kron_zone_offset_at_n(text, length, world.tzdb, a, &raw mut offset, error);
                assert!(offset == 7 || (result == kron_result::Ok && offset.abs() < 86_400));
                result
            }
            28 => kron_clause_builder_part_n(world.clause, text, length, other, other_length, error),
            _ => {
                let place = renew!(kron_job_free, world.jobs[slot]);
                kron_job_builder_build_n(world.builder, other, other_length, place, error)
            }
        }
    };
    // SAFETY: it was made above, and is not used again.
    unsafe { kron_parser_free(parser) };
    assert_ne!(result, kron_result::Panic);
    if matches!(op % 32, 13..=20 | 22 | 24) && decision.flags != 0x5a5a_5a5a {
        check_decision(result, &decision);
    } else {
        assert!(is_blank(&decision));
    }
    // SAFETY: as above.
    unsafe {
        if result as u32 >= 10 && !error.is_null() {
            let message = CStr::from_ptr(kron_error_message(world.error)).to_str().unwrap();
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
            assert_eq!(kron_error_code(world.error), result);
        }
        // Whatever a job is, it prints, and explains what it decides.
        if kron_job_text(world.jobs[slot], &raw mut string, null_mut()) == kron_result::Ok {
            let mut again = null_mut();
            let text = kron_string_data(string);
            let read = kron_job_parse(c"a/b".as_ptr(), text, null(), &raw mut again, null_mut());
            // The compiled-in database has all zones but the one of the given databases.
            let mut zone = null_mut();
            assert_eq!(kron_job_timezone(world.jobs[slot], &raw mut zone, null_mut()), kron_result::Ok);
            let given = CStr::from_ptr(kron_string_data(zone)) == c"Fuzz/Zone";
            assert_eq!(read, if given { kron_result::TimeZone } else { kron_result::Ok });
            kron_string_free(zone);
            kron_job_free(again);
            kron_string_free(string);
        }
        if op % 32 == 13
            && kron_job_explain_json(world.jobs[slot], a, &raw mut string, null_mut()) == kron_result::Ok
        {
            assert_eq!(result == kron_result::Ok, size == SIZE);
            kron_string_free(string);
        }
    }
}
