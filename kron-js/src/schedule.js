import { KronError } from "./error.js";
import { milliseconds } from "./when.js";

/** The longest wait: a clock that is set is noticed after so many milliseconds. */
const LOOK = 60_000;
/** A start that is later than this was slept through, and is left out. */
const LATE = 60_000;
/** How long no start is searched for again if none is in sight, unless the clock is set. */
const IDLE = 86_400_000;
/** A clock that is off by more than this was set, or the machine slept. */
const SET = 2000;
/** The most stretches that the clock jumped over and that may still come. */
const GAPS = 100;

const second = (ms) => Math.floor(ms / 1000) * 1000;

/** The stretches of time whose starts are not run any more, in order: [from, until). */
class Covered {
    #all;

    constructor(until) {
        this.#all = [[-Infinity, until]];
    }

    /** The end of the stretch that a time is in, or undefined. */
    end(time) {
        return this.#all.find(([from, until]) => from <= time && time < until)?.[1];
    }

    add(from, until) {
        const all = [...this.#all, [from, until]].sort(([a], [b]) => a - b);
        this.#all = [];
        for (const [begin, end] of all) {
            const last = this.#all.at(-1);
            if (last !== undefined && begin <= last[1]) last[1] = Math.max(last[1], end);
            else this.#all.push([begin, end]);
        }
        // The oldest gaps are forgotten.
        while (this.#all.length > GAPS) this.#all.splice(0, 2, [-Infinity, this.#all[1][1]]);
    }
}

/** What stops with each signal: one listener, however many jobs there are. */
const stops = new WeakMap();

function onAbort(signal, stop) {
    if (!stops.has(signal)) {
        const all = new Set();
        stops.set(signal, all);
        signal.addEventListener("abort", () => [...all].forEach((one) => one()), { once: true });
    }
    stops.get(signal).add(stop);
}

/** Calls `run` at each start of a job. */
export function schedule(job, run, options) {
    if (typeof run !== "function") throw new TypeError("schedule(job, run) needs a function to run");
    const aborter = new AbortController();
    const signal = options?.signal;
    let timer;
    let stopped = false;
    /** The first second that was not looked at, and the seconds whose starts were run or left out on purpose. */
    let from = second(Date.now()) + 1000;
    const covered = new Covered(from);
    /** The time that the clock will have at the next look, if nobody sets it. */
    let expected = Date.now();
    /** Until when no start is in sight. */
    let idle = -Infinity;

    function stop() {
        if (stopped) return;
        stopped = true;
        clearTimeout(timer);
        if (signal) stops.get(signal)?.delete(stop);
        aborter.abort(signal?.aborted ? signal.reason : undefined);
    }

    function begin(start) {
        // What `run` throws is thrown as by a timer's function; what it rejects is unhandled.
        Promise.resolve()
            .then(() => (stopped ? undefined : run(start, aborter.signal)))
            .catch((error) => {
                if (options?.onError) options.onError(error, start);
                else throw error;
            });
    }

    function look() {
        const now = Date.now();
        const until = second(now) + 1000;
        // A clock that was set back goes on from there; what was covered before is not repeated.
        if (until < from - 1000) from = second(now);
        if (Math.abs(now - expected) > SET) idle = -Infinity;
        if (until > from) {
            const begun = Math.max(from, second(now - LATE));
            for (const start of job.starts({ from: begun, until })) {
                if (covered.end(start.date.getTime()) === undefined) begin(start);
            }
            covered.add(begun, until);
            from = until;
        }
        wait();
    }

    /** The next start that is not covered, in milliseconds; null if none is in sight. */
    function next() {
        for (let after = from - 1000; ; ) {
            const found = nextRun(after);
            const end = found === null ? undefined : covered.end(milliseconds(found));
            if (end === undefined) return found === null ? null : milliseconds(found);
            after = end - 1000;
        }
    }

    function nextRun(after) {
        try {
            return job.nextRun(after);
        } catch (error) {
            // The search came to its limit. From a later time it comes further.
            if (error instanceof KronError && error.code === "no-schedulable-period") return null;
            throw error;
        }
    }

    function wait() {
        const now = Date.now();
        const found = idle > now ? null : next();
        if (found === null && idle <= now) idle = now + IDLE;
        const left = Math.max(found === null ? LOOK : Math.min(LOOK, found - now), 0);
        expected = now + left;
        timer = setTimeout(look, left);
    }

    if (signal?.aborted) stop();
    else {
        if (signal) onAbort(signal, stop);
        wait();
    }
    return { stop };
}
