// Answers the questions of run.py with the WebAssembly module: node testing/conformance/wasm_driver.mjs kron_wasm.wasm
import { readFileSync } from "node:fs";

const kron = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2]))).exports;

/** An answer that is an error. */
class Refused extends Error {
    constructor(error) {
        super(error.message);
        this.code = error.code;
    }
}

function call(request) {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const buffer = kron.kron_allocate(bytes.length);
    new Uint8Array(kron.memory.buffer, buffer, bytes.length).set(bytes);
    const address = kron.kron_call(buffer, bytes.length);
    kron.kron_free(buffer);
    const answer = new Uint8Array(kron.memory.buffer, address, kron.kron_answer_length());
    const { ok, error } = JSON.parse(new TextDecoder().decode(answer));
    if (error) throw new Refused(error);
    return ok;
}

/** What a use of a job gives; the job is freed. */
function withJob(parts, use) {
    const { job } = call({ ask: "job", name: "conformance", ...parts });
    try {
        return use(job);
    } finally {
        kron.kron_free_job(job);
    }
}

const seconds = (time) => Date.parse(time) / 1000;

/** Five nominal times one after another, or as many as there are. */
function nominalTimes(job, after, back) {
    const range = back ? { until: seconds(after) + 1, reverse: true } : { from: seconds(after) + 1 };
    return call({ ask: "periods", job, count: 5, ...range }).map((period) => period.nominalTime);
}

const bothWays = (job, after) => ({ next: nominalTimes(job, after, false), prev: nominalTimes(job, after, true) });

const answers = {
    decide: ({ name, text, nominal }) =>
        withJob({ name, text }, (job) => {
            const { decision, draws } = call({ ask: "explain", job, nominal: seconds(nominal) });
            delete decision.name;
            return { ...(draws.length ? { u1: draws[0].u } : {}), decision };
        }),
    nominal: ({ schedule, timezone, after }) => withJob({ text: schedule, timezone }, (job) => bothWays(job, after)),
    days: ({ text, calendars, after }) => withJob({ text, calendars }, (job) => bothWays(job, after)),
    place: ({ name, text }) => {
        try {
            const { expression, shiftMinutes: shift, candidates } = call({ ask: "place", name, text });
            return { expression, shift, candidates };
        } catch (error) {
            if (error.code !== "place-nowhere") throw error;
            return { error: true };
        }
    },
    duration: ({ text }) => {
        try {
            const { nanoseconds, canonical } = call({ ask: "duration", text });
            return { ns: nanoseconds, canonical };
        } catch {
            return { error: true };
        }
    },
    schedule: ({ schedule, timezone, after }) => {
        try {
            const text = call({ ask: "cron", text: schedule });
            return withJob({ text, timezone }, (job) => ({ accepted: true, next: nominalTimes(job, after, false) }));
        } catch (error) {
            if (!error.code?.startsWith("cron-")) throw error;
            return { accepted: false };
        }
    },
};

// The module of the feature `fleet` reads files, too.
const readsFiles = (() => {
    try {
        return call({ ask: "freeFleet", fleet: 0 }) === null;
    } catch {
        return false;
    }
})();
if (readsFiles) {
    answers.kronjob = ({ resource }) => {
        const { fleet, findings } = call({ ask: "read", sources: [{ text: JSON.stringify(resource) }] });
        call({ ask: "freeFleet", fleet });
        // Windows that overlap too often: an API server accepts them, and the operator reports them.
        return { accepted: findings.every(({ severity, code }) => severity !== "error" || code === "manifest-overlap") };
    };
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const question = JSON.parse(line);
    const answer = answers[question.ask];
    const found = JSON.stringify({ id: question.id, ...(answer ? answer(question) : { unsupported: true }) });
    // Numbers of JavaScript hold nanoseconds up to 2^53 only.
    console.log(found.replace(/"ns":"(-?\d+)"/, '"ns":$1'));
}
