import { milliseconds } from "./when.js";

/** The longest wait: a clock that is set is noticed after so many milliseconds. */
const LOOK = 60_000;
/** A start that is later than this was slept through, and is left out. */
const LATE = 60_000;
/** How long to wait if no start is in sight. */
const IDLE = 86_400_000;

const second = (ms) => Math.floor(ms / 1000) * 1000;

/** Calls `run` at each start of a job. */
export function schedule(job, run, options) {
    const aborter = new AbortController();
    const signal = options?.signal;
    let timer;
    let stopped = false;
    // The first second that has not come yet. A clock that is set back does not bring it back.
    let from = second(Date.now()) + 1000;

    function stop() {
        if (stopped) return;
        stopped = true;
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        aborter.abort(signal?.aborted ? signal.reason : undefined);
    }

    function begin(start) {
        // What `run` throws is thrown as by a timer's function; what it rejects is unhandled.
        Promise.resolve()
            .then(() => run(start, aborter.signal))
            .catch((error) => {
                if (options?.onError) options.onError(error, start);
                else throw error;
            });
    }

    function look() {
        const now = Date.now();
        const until = second(now) + 1000;
        if (until > from) {
            const due = job.starts({ from: Math.max(from, now - LATE), until });
            from = until;
            for (const start of due) {
                if (!stopped) begin(start);
            }
        }
        if (!stopped) wait();
    }

    function wait() {
        const next = job.nextRun(from - 1000);
        const left = next === null ? IDLE : Math.min(LOOK, milliseconds(next) - Date.now());
        timer = setTimeout(look, Math.max(left, 0));
    }

    if (signal?.aborted) stop();
    else {
        signal?.addEventListener("abort", stop, { once: true });
        wait();
    }
    return { stop };
}
