//! What one instance of the module holds: buffers, parsed jobs, the last answer.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::dispatch::{Kept, answer};
use crate::failure::Failure;
use crate::instant::UnixTime;
use crate::limits::REQUEST_BYTES;
use crate::series::{Place, first_piece};

/// An instance of the module. The functions that the module exports call the methods of one instance; see the page of the crate.
#[derive(Default)]
pub struct Instance {
    buffers: BTreeMap<usize, Box<[u8]>>,
    kept: Kept,
    /// The nominal time of the start that was found last.
    nominal: f64,
    /// Where the range of the last call for starts goes on, unless at its end.
    rest: Option<Place>,
    answer: String,
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("buffers", &self.buffers.len())
            .field("jobs", &self.kept.jobs.len())
            .finish()
    }
}

/// The answer of a call that failed.
#[derive(Serialize)]
struct Failed {
    error: Failure,
}

impl Instance {
    /// A buffer of so many bytes, by its address. 0 if it would be empty or longer than [`REQUEST_BYTES`](crate::REQUEST_BYTES).
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// let address = instance.allocate(16);
    /// assert_eq!(instance.buffer(address).map(|bytes| bytes.len()), Some(16));
    /// assert_eq!(instance.allocate(0), 0);
    /// ```
    pub fn allocate(&mut self, bytes: usize) -> usize {
        if !(1..=REQUEST_BYTES).contains(&bytes) {
            return 0;
        }
        let mut buffer = vec![0; bytes].into_boxed_slice();
        // The host writes to this address between two calls.
        let address = buffer.as_mut_ptr().expose_provenance();
        self.buffers.insert(address, buffer);
        address
    }

    /// Frees a buffer. Any other address is ignored.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// let address = instance.allocate(16);
    /// instance.free(address);
    /// assert!(instance.buffer(address).is_none());
    /// ```
    pub fn free(&mut self, address: usize) {
        self.buffers.remove(&address);
    }

    /// The bytes of a buffer.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// assert!(instance.buffer(8).is_none());
    /// ```
    pub fn buffer(&mut self, address: usize) -> Option<&mut [u8]> {
        self.buffers.get_mut(&address).map(|buffer| &mut **buffer)
    }

    /// The answer of the last call.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.ask(r#"{"ask": "version"}"#);
    /// assert!(instance.answer().starts_with(r#"{"ok":{"#));
    /// ```
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// Answers the request in the first bytes of a buffer.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.call(8, 2);
    /// assert!(instance.answer().contains(r#""code":"request""#));
    /// ```
    pub fn call(&mut self, address: usize, length: usize) {
        let text = self.buffers.get(&address).and_then(|buffer| buffer.get(..length)).map(<[u8]>::to_vec);
        let text = text.ok_or_else(|| Failure::request("there is no such buffer"));
        match text.and_then(|bytes| String::from_utf8(bytes).map_err(Failure::request)) {
            Ok(text) => self.ask(&text),
            Err(failure) => self.fail(failure),
        }
    }

    /// Answers a request.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.ask(r#"{"ask": "job", "name": "db/backup", "text": "@daily @win(after,3h)"}"#);
    /// assert_eq!(instance.answer(), r#"{"ok":{"job":1,"text":"0 0 * * * @win(after,3h0m0s)","timezone":"UTC"}}"#);
    /// instance.ask(r#"{"ask": "job", "name": "db/backup", "text": "61 * * * *"}"#);
    /// assert!(instance.answer().starts_with(r#"{"error":{"code":"cron-out-of-range","field":"schedule.minute","span":[0,2]"#));
    /// ```
    pub fn ask(&mut self, request: &str) {
        match answer(&mut self.kept, request) {
            Ok(ok) => self.answer = format!("{{\"ok\":{ok}}}"),
            Err(failure) => self.fail(failure),
        }
    }

    /// The first chosen time after an instant; NaN if there is none, and then the answer says why. [`nominal`](Instance::nominal) has the
    /// nominal time.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.ask(r#"{"ask": "job", "name": "prod/db-backup", "text": "0 0 * * * @tz(Europe/Paris) @win(after,3h)"}"#);
    /// // 2026-03-01T12:00:00Z
    /// assert_eq!(instance.next(1, 1_772_366_400.0), 1_772_410_163.0);
    /// assert_eq!(instance.nominal(), 1_772_406_000.0);
    /// assert!(instance.next(2, 0.0).is_nan());
    /// ```
    pub fn next(&mut self, job: u32, after: f64) -> f64 {
        let found = UnixTime::new(after).and_then(|after| {
            let start = self.kept.jobs.get(job)?.next_start(after.floor())?;
            Ok((start.order_timestamp(), start.nominal_timestamp()))
        });
        self.found(found)
    }

    /// The last chosen time at or before an instant; NaN if there is none, and then the answer says why.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.ask(r#"{"ask": "job", "name": "prod/db-backup", "text": "0 0 * * * @tz(Europe/Paris) @win(after,3h)"}"#);
    /// assert_eq!(instance.previous(1, 1_772_410_163.5), 1_772_410_163.0);
    /// ```
    pub fn previous(&mut self, job: u32, at: f64) -> f64 {
        let found = UnixTime::new(at).and_then(|at| {
            let start = self.kept.jobs.get(job)?.prev_start(at.floor())?;
            Ok((start.order_timestamp(), start.nominal_timestamp()))
        });
        self.found(found)
    }

    /// The nominal time of the start that [`next`](Instance::next) or [`previous`](Instance::previous) found last.
    ///
    /// ```
    /// assert_eq!(kron_wasm::Instance::default().nominal(), 0.0);
    /// ```
    pub fn nominal(&self) -> f64 {
        self.nominal
    }

    /// Writes the starts of a range into a buffer: the chosen time and the nominal time of each, as doubles in little-endian order. The
    /// first `passed` starts of the range are left out. Returns how many were written: fewer than there is space for, perhaps none, where
    /// the call came to the end of what it may search. [`rest`](Instance::rest) says where the range goes on. `None` for a bad argument;
    /// then the answer says why.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.ask(r#"{"ask": "job", "name": "web/ping", "text": "@hourly @win(after,10m)"}"#);
    /// let buffer = instance.allocate(3 * 16);
    /// assert_eq!(instance.starts(1, 0.0, 86_400.0, 0.0, buffer), Some(3));
    /// let (second, passed) = instance.rest().unwrap();
    /// assert_eq!(instance.starts(1, second as f64, 10_800.0, passed as f64, buffer), Some(0));
    /// assert_eq!(instance.rest(), None);
    /// ```
    pub fn starts(&mut self, job: u32, from: f64, until: f64, passed: f64, buffer: usize) -> Option<usize> {
        match self.write_starts(job, from, until, passed, buffer) {
            Ok(count) => Some(count),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    fn write_starts(
        &mut self,
        job: u32,
        from: f64,
        until: f64,
        passed: f64,
        buffer: usize,
    ) -> Result<usize, Failure> {
        let (from, until) = (UnixTime::new(from)?.ceil(), UnixTime::new(until)?.ceil());
        let job = self.kept.jobs.get(job)?;
        let buffer =
            self.buffers.get_mut(&buffer).ok_or_else(|| Failure::request("there is no such buffer"))?;
        let (slots, _) = buffer.as_chunks_mut::<16>();
        if slots.is_empty() {
            return Err(Failure::request("the buffer has no room for a start: 16 bytes"));
        }
        let piece = first_piece(job, from..until);
        let mut place = Place { second: from, passed: passed as u64 };
        let mut starts = job.starts(piece.range.clone()).flatten().skip(passed as usize);
        for (count, slot) in slots.iter_mut().enumerate() {
            let Some(start) = starts.next() else {
                self.rest = (!piece.is_whole).then_some(Place { second: piece.range.end, passed: 0 });
                return Ok(count);
            };
            let (chosen, nominal) = slot.split_at_mut(8);
            chosen.copy_from_slice(&(start.order_timestamp() as f64).to_le_bytes());
            nominal.copy_from_slice(&(start.nominal_timestamp() as f64).to_le_bytes());
            place = place.after(&start);
        }
        self.rest = Some(place);
        Ok(slots.len())
    }

    /// Where the range of the last call for starts goes on: at a second, after as many starts of it. `None` if that call came to its end.
    ///
    /// ```
    /// assert_eq!(kron_wasm::Instance::default().rest(), None);
    /// ```
    pub fn rest(&self) -> Option<(i64, u64)> {
        self.rest.as_ref().map(|place| (place.second, place.passed))
    }

    /// Drops a parsed job. Any other handle is ignored.
    ///
    /// ```
    /// let mut instance = kron_wasm::Instance::default();
    /// instance.ask(r#"{"ask": "job", "name": "web/ping", "text": "@hourly"}"#);
    /// assert_eq!(instance.next(1, 0.0), 3600.0);
    /// instance.free_job(1);
    /// assert!(instance.next(1, 0.0).is_nan());
    /// ```
    pub fn free_job(&mut self, job: u32) {
        self.kept.jobs.free(job);
    }

    fn found(&mut self, found: Result<(i64, i64), Failure>) -> f64 {
        match found {
            Ok((chosen, nominal)) => {
                self.nominal = nominal as f64;
                chosen as f64
            }
            Err(failure) => {
                self.fail(failure);
                f64::NAN
            }
        }
    }

    fn fail(&mut self, failure: Failure) {
        self.answer = serde_json::to_string(&Failed { error: failure }).unwrap_or_default();
    }
}
