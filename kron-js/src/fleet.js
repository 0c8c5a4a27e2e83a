import { KronError } from "./error.js";
import { ask, currentGeneration, freeFleet } from "./instance.js";
import { calendarsOf } from "./job.js";
import { seconds } from "./when.js";

/** Frees handles of fleets that are collected. Not every host has it. */
const fleets = typeof FinalizationRegistry === "undefined" ? null : new FinalizationRegistry(freeFleet);

/** The seconds of a length, of a window if nothing is said: milliseconds, or a text such as `1h`. */
function secondsOf(length, what = "window") {
    if (typeof length === "number") {
        if (!Number.isInteger(length / 1000) || length <= 0) throw new TypeError(`a ${what} is a text such as \`1h\`, or whole seconds in milliseconds`);
        return length / 1000;
    }
    const nanoseconds = BigInt(ask({ ask: "duration", text: String(length) }).nanoseconds);
    if (nanoseconds % 1_000_000_000n !== 0n || nanoseconds <= 0n) throw new TypeError(`a ${what} has whole seconds: \`${length}\``);
    return Number(nanoseconds / 1_000_000_000n);
}

const windowOf = (length) => (length === undefined || length === null ? {} : { windowSeconds: secondsOf(length) });

const sourcesOf = (texts) => {
    const sources = Array.isArray(texts) ? texts : [texts];
    return sources.map((source) => {
        const { path, text, names } = typeof source === "string" ? { text: source } : (source ?? {});
        if (typeof text !== "string") throw new TypeError("a file is a text, or { path, text }");
        return { path: path ?? "", text, names: names ?? null };
    });
};

const refusals = (findings) =>
    findings
        .filter(({ severity }) => severity === "error")
        .map(({ code, line, message, help }) => new KronError({ code, field: "", span: null, line, message, help }));

function ofJobs(jobs) {
    const calendars = {};
    for (const job of jobs) {
        for (const [name, dates] of Object.entries(calendarsOf.get(job) ?? {})) {
            if ((calendars[name] ?? dates) !== dates) throw new TypeError(`two jobs have different calendars \`${name}\`; give one of them another name`);
            calendars[name] = dates;
        }
    }
    return { jobs: jobs.map(({ name, pattern }) => ({ name, text: pattern })), calendars };
}

/** Jobs that are looked at together. */
export class Fleet {
    #request;
    #held = { handle: 0, generation: 0 };
    #read;

    constructor(jobs, request) {
        this.#request = request ?? ofJobs(Array.from(jobs));
        this.#read = this.#parse();
        fleets?.register(this, this.#held);
    }

    static parse(texts, { timezone, namespace, calendars, declared } = {}) {
        const [zone, space] = [timezone ?? null, namespace ?? null];
        return new Fleet([], { sources: sourcesOf(texts), timezone: zone, namespace: space, calendars: calendars ?? {}, declared: declared ?? false });
    }

    get jobs() {
        return this.#read.jobs;
    }

    get findings() {
        return this.#read.findings;
    }

    get skipped() {
        return refusals(this.#read.findings);
    }

    #parse() {
        const read = ask({ ask: "read", ...this.#request });
        this.#held.handle = read.fleet;
        this.#held.generation = currentGeneration();
        return read;
    }

    /** Of the instance in use. */
    #handle() {
        if (this.#held.generation !== currentGeneration()) this.#parse();
        return this.#held.handle;
    }

    #ask(what, more) {
        return ask({ ask: what, fleet: this.#handle(), ...more });
    }

    forecast({ from, until, perSeconds = 60, window, timezone }) {
        const range = { from: seconds(from), until: seconds(until), perSeconds, timezone: timezone ?? null, ...windowOf(window) };
        const { json, ...answer } = this.#ask("forecast", { ...range, forms: ["json"] });
        const fleet = this;
        return {
            ...answer,
            ...json,
            /** Drawn when somebody wants it. */
            svg: () => fleet.#ask("forecast", { ...range, forms: ["svg"] }).svg,
        };
    }

    diff(edited, { from, until } = {}) {
        const range = { from: seconds(from), until: seconds(until) };
        return ask({ ask: "diff", old: this.#handle(), new: edited.#handle(), ...range });
    }

    lint(at = Date.now()) {
        return this.#ask("lintFleet", { at: seconds(at) });
    }

    free() {
        freeFleet(this.#held);
        this.#held.handle = 0;
    }

    toJobFile({ window } = {}) {
        return this.#ask("jobFile", windowOf(window)).text;
    }
}

/** The cron expressions that fire some time before a schedule. */
export function prime(text, lead, { timezone, cover, at = Date.now() } = {}) {
    if (lead === undefined || lead === null) throw new TypeError("prime(text, lead) needs a lead, such as `10m`");
    const leadSeconds = secondsOf(lead, "lead");
    return ask({ ask: "prime", text: String(text), leadSeconds, timezone: timezone ?? null, cover: cover ?? false, at: seconds(at) });
}

/** Writes declarations beside schedules of other systems, and places all of them. */
export function adopt(texts, { window, prefix, timezone, namespace, at } = {}) {
    if (window === undefined) throw new TypeError("adopt(texts, { window, prefix }) needs a window, such as `1h`");
    if (typeof prefix !== "string") throw new TypeError("adopt(texts, { window, prefix }) needs a prefix of names, such as `web-1`");
    const more = { prefix, timezone: timezone ?? null, namespace: namespace ?? null, at: at === undefined || at === null ? null : seconds(at) };
    const { fleet, ...adopted } = ask({ ask: "adopt", sources: sourcesOf(texts), ...more, ...windowOf(window) });
    ask({ ask: "freeFleet", fleet });
    return adopted;
}

/** Makes jobs of Kron from files of other systems. */
export function convert(texts, { window, timezone, namespace } = {}) {
    return ask({ ask: "convert", sources: sourcesOf(texts), timezone: timezone ?? null, namespace: namespace ?? null, ...windowOf(window) });
}
