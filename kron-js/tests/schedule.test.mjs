import assert from "node:assert/strict";
import { test } from "node:test";
import { Job, schedule } from "../dist/index.js";

/** Replaces the clock and the timers while a test runs. */
async function simulated(begin, work) {
    const real = { now: Date.now, setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, setImmediate };
    let timers = [];
    let count = 0;
    // The time of the clock, which may be set, and time that only passes.
    const clock = { now: Date.parse(begin), passed: 0, waits: [] };
    Date.now = () => clock.now;
    globalThis.setTimeout = (run, delay) => {
        assert.ok(delay >= 0 && delay <= 2 ** 31 - 1, `a timer of ${delay} ms`);
        clock.waits.push(delay);
        timers.push({ id: ++count, at: clock.passed + delay, run });
        return count;
    };
    globalThis.clearTimeout = (id) => (timers = timers.filter((timer) => timer.id !== id));
    clock.timers = () => timers.length;
    clock.set = (time) => (clock.now = Date.parse(time));
    /** Lets time pass; what is due in it runs. */
    clock.pass = async (ms, { asleep = false } = {}) => {
        const end = clock.passed + ms;
        if (asleep) {
            clock.passed = end;
            clock.now += ms;
        }
        for (;;) {
            await new Promise(real.setImmediate);
            const [next] = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
            if (!next) break;
            timers = timers.filter((timer) => timer !== next);
            const step = Math.max(next.at - clock.passed, 0);
            clock.passed += step;
            clock.now += step;
            next.run();
        }
        clock.now += end - clock.passed;
        clock.passed = end;
    };
    try {
        await work(clock);
    } finally {
        Date.now = real.now;
        globalThis.setTimeout = real.setTimeout;
        globalThis.clearTimeout = real.clearTimeout;
    }
}

const HOUR = 3_600_000;
const hourly = new Job("@hourly @win(after,10m)", { name: "web/ping" });

test("every start is run once, at its second", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(hourly, (start) => runs.push([start.date.getTime(), clock.now]));
        await clock.pass(48 * HOUR);
        const want = [...hourly.starts({ from: "2026-03-01T00:30:00Z", until: "2026-03-03T00:30:00Z" })];
        assert.equal(runs.length, 48);
        assert.deepEqual(runs, want.map((start) => [start.date.getTime(), start.date.getTime()]));
        stop();
        assert.equal(clock.timers(), 0);
        await clock.pass(48 * HOUR);
        assert.equal(runs.length, 48);
    }));

test("starts that share a second are all run", () =>
    simulated("2026-03-01T00:00:00Z", async (clock) => {
        const job = new Job("* * * * * @win(after,3h) @only(between=02:00-02:00)", { name: "web/ping" });
        const runs = [];
        const { stop } = schedule(job, (start) => runs.push(start.period));
        await clock.pass(24 * HOUR);
        stop();
        const want = [...job.starts({ from: "2026-03-01T00:00:00Z", until: "2026-03-02T00:00:00Z" })];
        assert.deepEqual(runs, want.map((start) => start.period));
    }));

test("a start after more than 24 days is waited for", () =>
    simulated("2026-03-01T12:00:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(new Job("0 0 1 5 *", { name: "a" }), () => runs.push(new Date(clock.now).toISOString()));
        await clock.pass(70 * 24 * HOUR);
        stop();
        assert.deepEqual(runs, ["2026-05-01T00:00:00.000Z"]);
    }));

test("a timer that is early does not start early", () =>
    simulated("2026-03-01T12:59:59.500Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(new Job("@hourly", { name: "a" }), () => runs.push(clock.now));
        // The clock is slower than the timers.
        clock.set("2026-03-01T12:59:59.490Z");
        await clock.pass(2000);
        stop();
        assert.deepEqual(runs, [Date.parse("2026-03-01T13:00:00Z")]);
    }));

test("a clock that is set forward is noticed within a minute", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(new Job("0 12 * * *", { name: "a" }), () => runs.push(clock.now));
        await clock.pass(1000);
        clock.set("2026-03-01T11:59:30Z");
        await clock.pass(90_000);
        stop();
        assert.equal(runs.length, 1);
        assert.ok(runs[0] - Date.parse("2026-03-01T12:00:00Z") < 60_000);
    }));

test("a clock that is set back repeats no start", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(new Job("@hourly", { name: "a" }), (start) => runs.push(start.period));
        await clock.pass(HOUR);
        clock.set("2026-03-01T00:30:00Z");
        await clock.pass(2 * HOUR);
        stop();
        assert.deepEqual(runs, ["2026-03-01T01:00:00Z", "2026-03-01T02:00:00Z"]);
    }));

test("what was slept through is left out, up to a minute", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(new Job("@hourly", { name: "a" }), (start) => runs.push(start.period));
        await clock.pass(8.5 * HOUR + 30_000, { asleep: true });
        await clock.pass(HOUR);
        stop();
        assert.deepEqual(runs, ["2026-03-01T09:00:00Z", "2026-03-01T10:00:00Z"]);
    }));

test("without a start in sight there is a search once a day", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const job = new Job("@daily @win(after,3h) @only(hours=7)", { name: "a" });
        let searches = 0;
        const counted = { nextRun: (after) => (searches++, job.nextRun(after)), starts: (range) => job.starts(range) };
        const { stop } = schedule(counted, () => assert.fail());
        await clock.pass(72 * HOUR);
        stop();
        assert.equal(searches, 4);
    }));

test("a clock that is set is noticed without a start in sight", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(new Job("* * 29 2 * @days(dow=MON)", { name: "a" }), () => runs.push(clock.now));
        await clock.pass(HOUR);
        clock.set("2044-02-28T23:59:30Z");
        await clock.pass(HOUR);
        stop();
        assert.ok(runs.length >= 59, `${runs.length}`);
    }));

test("a clock that was ahead for a while loses no start", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const runs = [];
        const { stop } = schedule(hourly, (start) => runs.push(start.period));
        await clock.pass(HOUR);
        clock.set("2030-01-01T05:40:00Z");
        await clock.pass(61_000);
        clock.set("2026-03-01T01:31:01Z");
        await clock.pass(24 * HOUR);
        stop();
        const want = [...hourly.starts({ from: "2026-03-01T00:30:00Z", until: "2026-03-02T01:31:00Z" })];
        assert.deepEqual(runs, want.map((start) => start.period));
    }));

test("nothing is run after it was stopped, in the same second either", () =>
    simulated("2026-03-01T00:00:00Z", async (clock) => {
        const job = new Job("* * * * * @win(after,3h) @only(between=02:00-02:00)", { name: "web/ping" });
        const signals = [];
        const { stop } = schedule(job, (_, signal) => {
            signals.push(signal);
            stop();
        });
        await clock.pass(24 * HOUR);
        assert.deepEqual(signals.map((signal) => signal.aborted), [true]);
    }));

test("many schedules share a signal, and what is run is a function", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const warnings = [];
        const warned = (warning) => warnings.push(warning.name);
        process.on("warning", warned);
        const aborter = new AbortController();
        for (let count = 0; count < 50; count++) schedule(hourly, () => assert.fail(), { signal: aborter.signal });
        assert.equal(clock.timers(), 50);
        aborter.abort();
        assert.equal(clock.timers(), 0);
        await clock.pass(HOUR);
        process.off("warning", warned);
        assert.deepEqual(warnings, []);
        assert.throws(() => schedule(hourly, "run"), TypeError);
    }));

test("a signal stops it, and the runs know", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const aborter = new AbortController();
        const signals = [];
        schedule(hourly, (_, signal) => signals.push(signal), { signal: aborter.signal });
        await clock.pass(HOUR);
        assert.equal(signals[0].aborted, false);
        aborter.abort("enough");
        assert.deepEqual([signals[0].aborted, signals[0].reason, clock.timers()], [true, "enough", 0]);
        await clock.pass(HOUR);
        assert.equal(signals.length, 1);
        schedule(hourly, () => assert.fail(), { signal: aborter.signal }).stop();
        assert.equal(clock.timers(), 0);
    }));

test("an error of a run does not stop it", () =>
    simulated("2026-03-01T00:30:00Z", async (clock) => {
        const errors = [];
        const run = (start) => {
            throw new Error(start.period);
        };
        const { stop } = schedule(hourly, run, { onError: (error, start) => errors.push([error.message, start.period]) });
        await clock.pass(2 * HOUR);
        stop();
        assert.deepEqual(errors, ["2026-03-01T01:00:00Z", "2026-03-01T02:00:00Z"].map((period) => [period, period]));
    }));
