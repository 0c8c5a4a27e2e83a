import { ask, currentGeneration, freeJob, guarded, refuse } from "./instance.js";
import { KronError } from "./error.js";
import { milliseconds, seconds } from "./when.js";

/** Starts that one call for a range gives. */
const PAGE = 512;
/** The codes of searches that find nothing. */
const NOTHING = new Set(["no-start-in-sight", "no-period"]);

/** Frees handles of jobs that are collected. Not every host has it. */
const registry = typeof FinalizationRegistry === "undefined" ? null : new FinalizationRegistry(freeJob);

const or = (otherwise, search) => {
    try {
        return search();
    } catch (error) {
        if (error instanceof KronError && NOTHING.has(error.code)) return otherwise;
        throw error;
    }
};

const counted = (n) => {
    if (!Number.isInteger(n) || n < 0) throw new TypeError("a count is a whole number, at least 0");
    return n;
};

const date = (unix) => new Date(unix * 1000);

/** A start of a job. */
export class Start {
    #ask;
    /** A Date can be changed. */
    #nominal;

    constructor(name, chosen, nominal, ask) {
        this.#ask = ask;
        this.#nominal = nominal;
        this.name = name;
        this.date = date(chosen);
        this.nominal = date(nominal);
        this.period = this.nominal.toISOString().replace(".000Z", "Z");
        Object.freeze(this);
    }

    receipt() {
        return this.#ask("receipt", { nominal: this.#nominal });
    }

    explain() {
        return this.#ask("explain", { nominal: this.#nominal });
    }
}

/** The calendars of a job, for a fleet. */
export const calendarsOf = new WeakMap();

/** A job: a pattern and a name. */
export class Job {
    #parts;
    /** The handle, and the instance that gave it. */
    #held = { handle: 0, generation: 0 };
    #canonical;

    constructor(pattern, options) {
        if (typeof pattern !== "string") throw new TypeError("the pattern of a job is a text");
        if (typeof options?.name !== "string") throw new TypeError("a job needs a name: new Job(pattern, { name })");
        const { name, timezone, calendars } = options;
        this.#parts = { ask: "job", name, text: pattern, timezone: timezone ?? null, calendars: calendars ?? {} };
        this.#canonical = this.#parse();
        calendarsOf.set(this, calendars ?? {});
        registry?.register(this, this.#held);
    }

    get name() {
        return this.#parts.name;
    }

    get pattern() {
        return this.#canonical.text;
    }

    get timezone() {
        return this.#canonical.timezone;
    }

    #parse() {
        const parsed = ask(this.#parts);
        this.#held.handle = parsed.job;
        this.#held.generation = currentGeneration();
        return parsed;
    }

    /** The handle in the instance that is in use. */
    #handle() {
        if (this.#held.generation !== currentGeneration()) this.#parse();
        return this.#held.handle;
    }

    /** The answer to a request about this job. */
    #ask(what, more) {
        return ask({ ask: what, job: this.#handle(), ...more });
    }

    #start(chosen, nominal) {
        return new Start(this.name, chosen, nominal, (what, more) => this.#ask(what, more));
    }

    #next(after) {
        const [handle, asked] = [this.#handle(), seconds(after)];
        const chosen = guarded((kron) => kron.kron_next(handle, asked));
        if (Number.isNaN(chosen)) refuse();
        return chosen;
    }

    nextRun(after = Date.now()) {
        return or(null, () => date(this.#next(after)));
    }

    nextRuns(n, after = Date.now()) {
        const from = Math.floor(seconds(after)) + 1;
        return or([], () => this.#ask("starts", { from, count: counted(n) })).map((start) => new Date(start.chosenTime));
    }

    previousRuns(n, before = Date.now()) {
        const until = Math.ceil(seconds(before));
        const found = or([], () => this.#ask("starts", { until, count: counted(n), reverse: true }));
        return found.map((start) => new Date(start.chosenTime));
    }

    msToNext(after = Date.now()) {
        const next = this.nextRun(after);
        return next === null ? null : next.getTime() - milliseconds(after);
    }

    nextStart(after = Date.now()) {
        return or(null, () => {
            const chosen = this.#next(after);
            return this.#start(chosen, guarded((kron) => kron.kron_nominal()));
        });
    }

    starts({ from = Date.now(), until } = {}) {
        if (until === undefined) throw new TypeError("starts({ from, until }) needs an end: until");
        return this.#walk(seconds(from), seconds(until));
    }

    *#walk(from, end) {
        let [second, passed] = [from, 0];
        while (!Number.isNaN(second)) {
            const page = this.#page(second, end, passed);
            for (let index = 0; index < page.times.length; index += 2) {
                yield this.#start(page.times[index], page.times[index + 1]);
            }
            ({ second, passed } = page);
        }
    }

    /** The first starts of a range, as chosen and nominal times, and where it goes on. */
    #page(from, until, passed) {
        const handle = this.#handle();
        const page = guarded((kron) => {
            const buffer = kron.kron_allocate(16 * PAGE);
            const count = kron.kron_starts(handle, from, until, passed, buffer);
            const view = new DataView(kron.memory.buffer, buffer, 16 * PAGE);
            const times = Array.from({ length: 2 * Math.max(count, 0) }, (_, index) => view.getFloat64(8 * index, true));
            kron.kron_free(buffer);
            return { count, times, second: kron.kron_starts_from(), passed: kron.kron_starts_passed() };
        });
        if (page.count < 0) refuse();
        return page;
    }

    explain(after = Date.now()) {
        return this.#ask("explain", { after: seconds(after) });
    }

    lint(at = Date.now()) {
        return ask({ ...this.#parts, ask: "lint", at: seconds(at) });
    }

    toString() {
        return this.pattern;
    }

    toJSON() {
        return { name: this.name, pattern: this.pattern };
    }
}

/** Computes the decision of a receipt again. */
export function verify(receipt, options) {
    const text = typeof receipt === "string" ? receipt : JSON.stringify(receipt);
    return ask({ ask: "verify", receipt: text, calendars: options?.calendars ?? {} });
}

/** The place of a schedule that another system runs. */
export function place(text, options) {
    return ask({ ask: "place", text, name: options?.name ?? null });
}

/** The version of the package, and that of its time zones. */
export function version() {
    return ask({ ask: "version" });
}
