/** An instant: a `Date`, milliseconds since 1970, a text in RFC 3339 with its offset, or an instant of Temporal. */
export type When = Date | number | string | { readonly epochMilliseconds: number };

/** The dates of calendars by their names, such as `{ "holidays-fr": "2026-12-25, 2027-01-01" }`. */
export type Calendars = Readonly<Record<string, string>>;

/** Why a text, a value or a search was refused. The message names the field, the place and the help. */
export declare class KronError extends Error {
    constructor(error: Pick<KronError, "code" | "field" | "span" | "line" | "message" | "help">);
    /** A stable word, such as `cron-out-of-range`. */
    readonly code: string;
    /** The field, such as `schedule.minute`; empty if the error is about the whole input. */
    readonly field: string;
    /** The offending bytes, in UTF-8, of the text that the error is about: the first, and the one after the last. */
    readonly span: readonly [number, number] | null;
    /** The line of a file, from 1. */
    readonly line: number | null;
    /** The correct way to write it, if it is known. */
    readonly help: string | null;
}

/** The decision of one period. Times are texts in RFC 3339, UTC. */
export interface Decision {
    name: string;
    algorithm: string;
    periodId: string;
    periodKey: string;
    nominalTime: string;
    windowStart: string;
    windowEnd: string;
    /** Null if the period has no start. */
    chosenTime: string | null;
    seedInput: string;
    seedHash: string;
    draws: number;
    /** Why the period has no start. */
    unschedulable: string | null;
}

/** A decision and every step that led to it. */
export interface Explanation {
    decision: Decision;
    onSchedule: boolean;
    /** What the rules of days say of the date, if the job has any. */
    day?: { chosen: boolean; list: "days" | "nodays"; clause: number | null };
    /** Seconds in the window. */
    candidates: number;
    draws: { u: number | null; quantile: number; candidate: string; forbiddenBy: string | null }[];
    closedUp: { u: number | null; quantile: number; chosen: string } | null;
    /** Seconds of the window that the constraints allow. */
    allowed: number;
    /** First and last second of each run of allowed seconds: the first 1000. */
    allowedRuns: [string, string][];
}

/** A decision with everything that is needed to compute it again: what `kron explain -o json` prints, and `kron verify` reads. */
export interface Receipt {
    schema: string;
    name: string;
    text: string;
    algorithm: string;
    tzdbVersion: string;
    timezoneFingerprint: string;
    calendars?: Record<string, string>;
    onSchedule: boolean;
    decision: Decision;
}

/** A part of a pattern that was probably not intended: what `kron lint -o json` prints. */
export interface Finding {
    severity: "note" | "warning" | "error";
    /** A stable word, such as `window-longer-than-gap`. */
    code: string;
    name: string;
    file: null;
    line: null;
    /** The column of the pattern in characters, from 1. */
    column: number | null;
    /** The bytes of the pattern in UTF-8: the first, and the one after the last. */
    span: [number, number] | null;
    message: string;
    help: string | null;
}

/** How a receipt compares with what is computed here. */
export interface Verification {
    agrees: boolean;
    differences: { field: string; receipt: string; computed: string }[];
    zoneRules: "same" | "otherRelease" | "different";
    /** The first instant at which the rules of the zone differ, where it is known. */
    firstDifference: string | null;
    /** Parts of the text on which the decision does not depend. */
    notProven: string[];
}

/** A schedule of another system in its place. */
export interface Placed {
    name: string;
    /** The cron expression that the other system runs. */
    expression: string;
    shiftMinutes: number;
    /** The number of shifts that were possible. */
    candidates: number;
}

/** A start of a job. */
export declare class Start {
    private constructor();
    readonly name: string;
    /** When the job starts. */
    readonly date: Date;
    /** The instant that the cron expression names. */
    readonly nominal: Date;
    /** The name of the period, the same on every machine: the nominal time, as `2026-03-01T23:00:00Z`. */
    readonly period: string;
    receipt(): Receipt;
    explain(): Explanation;
}

/** A job: a pattern and a name. It decides the same on every machine. */
export declare class Job {
    /**
     * `pattern` is a cron expression, behind which modifiers may follow: `0 1 * * * @win(after,3h)`. `name` chooses the second, so keep
     * it. `timezone` is that of a pattern that names none, UTC by default. Throws a {@link KronError}.
     */
    constructor(pattern: string, options: { name: string; timezone?: string; calendars?: Calendars });
    readonly name: string;
    /** The pattern in canonical form. */
    readonly pattern: string;
    readonly timezone: string;
    /**
     * The first start after an instant, by default after now; null if none comes within five years. Throws a {@link KronError}
     * (`no-schedulable-period`) where 100,000 periods in a row have no allowed second.
     */
    nextRun(after?: When): Date | null;
    /** The next starts, at most `n`, which is at most 10,000. */
    nextRuns(n: number, after?: When): Date[];
    /** The last starts before an instant, latest first. */
    previousRuns(n: number, before?: When): Date[];
    /** Milliseconds to the next start. */
    msToNext(after?: When): number | null;
    /** The next start with its period. */
    nextStart(after?: When): Start | null;
    /** The starts of a range in order: a start at `from` is one of them, and one at `until` is not. */
    starts(range: { from?: When; until: When }): IterableIterator<Start>;
    /** Every step of the decision of the next start. Throws a {@link KronError} if none comes. */
    explain(after?: When): Explanation;
    /** Parts of the pattern that were probably not intended, the most severe first. The look ahead begins at an instant, by default now. */
    lint(at?: When): Finding[];
    /** The pattern. */
    toString(): string;
    toJSON(): { name: string; pattern: string };
}

/**
 * Calls `run` at each start of a job. Calls may overlap. A start that was slept through by more than a minute is left out, and a clock that
 * is set back repeats none. The `@policy` of the pattern is not read. `signal` stops it; the signal that `run` gets is aborted when it
 * stops. Errors of `run` go to `onError`, or else become unhandled rejections.
 */
export declare function schedule(
    job: Job,
    run: (start: Start, signal: AbortSignal) => unknown,
    options?: { signal?: AbortSignal; onError?: (error: unknown, start: Start) => void },
): { stop(): void };

/** Computes the decision of a receipt again. */
export declare function verify(receipt: Receipt | string, options?: { calendars?: Calendars }): Verification;

/** The place of a schedule that another system runs. `name` is the name where the text has no `name=`. */
export declare function place(text: string, options?: { name?: string }): Placed;

/** The version of Kron, and of the time zone database in it. */
export declare function version(): { version: string; tzdbVersion: string };
