import { Calendars, Job, KronError, When } from "./index.js";
export * from "./index.js";

/** A file: a crontab, CronJobs, Helm values, a workflow, a job file. Its path says what it can be; without one, its content does. */
export interface SourceText {
    path?: string;
    text: string;
    /** What the names of schedules begin with that have none but their keys. */
    names?: string;
}
export type Texts = string | SourceText | readonly (string | SourceText)[];

/** A job of a fleet, and where it stands. */
export interface FleetJob {
    name: string;
    /** Its text in canonical form. */
    text: string;
    schedule: string;
    timezone: string;
    windowSeconds: number;
    /** In which text, from 0. */
    source: number;
    /** From 1. */
    line: number | null;
    /** `kron`, the format of another system, `key` or `declaration`. */
    origin: string;
    isPlaced: boolean;
    suspended: boolean;
}

/** Something that was found in a text. */
export interface TextFinding {
    severity: "note" | "warning" | "error";
    code: string;
    source: number | null;
    line: number | null;
    name: string | null;
    message: string;
    help: string | null;
}

export interface Summary {
    peak: number;
    peakAt: string;
    p99: number;
    mean: number;
}

/** The starts of one side: `cron` as written, `kron` as spread. */
export interface ForecastSide {
    total: number;
    starts: Summary;
    running: Summary;
    load: Summary;
    worst: { at: string; starts: number; jobs: { name: string; starts: number }[] }[];
    buckets: { starts: number[]; running: number[]; load: number[] };
}

/** What `kron forecast --cron -o json` prints, and its result in words. */
export interface Forecast {
    /** `Fullest minute, Mon 2 March: 276 starts as written, 5 as spread (55 times fewer)` */
    sentence: string;
    amount: string;
    /** Who starts in the fullest buckets, in lines. */
    fullest: string;
    failed: { name: string; message: string }[];
    from: string;
    until: string;
    perSeconds: number;
    jobs: number;
    cron: ForecastSide;
    kron: ForecastSide;
    /** The picture. */
    svg(): string;
}

/** A period whose start differs between two fleets. */
export interface StartChange {
    change: "appears" | "vanishes" | "moves";
    periodId: string;
    oldStart: string | null;
    newStart: string | null;
}

/** What an edit changes for one job. */
export interface JobDiff {
    change: "added" | "removed" | "changed" | "renamed";
    oldName: string | null;
    newName: string | null;
    oldText: string | null;
    newText: string | null;
    appear: number;
    vanish: number;
    move: number;
    starts: StartChange[];
    /** At the time of the edit. */
    edit: {
        lastStart: string | null;
        oldNextStart: string | null;
        newNextStart: string | null;
        skipped: { count: number; periods: StartChange[] };
        repeated: { count: number; periods: StartChange[] };
    };
}

/** What `kron diff -o json` prints. */
export interface FleetDiff {
    from: string;
    until: string;
    jobs: JobDiff[];
    /** The fullest minutes. */
    peak: Record<"old" | "new", { starts: number; startsPerMinute: number; minute: string | null }>;
    /** How many jobs are unchanged. */
    unchanged: number;
}

/** What `kron prime -o json` prints. */
export interface Primed {
    schedule: string;
    timezone: string;
    lead: string;
    expressions: string[];
    /** Whether no smaller number of expressions fires at the same times. */
    minimal: boolean;
    /** Times that only a cover has, for each year. */
    surplusPerYear: number;
    clockChanges: { time: string; kind: "moved" | "skipped" | "twice" | "noStart"; start: string; primed: string; leadSeconds?: number }[];
}

/** Texts whose schedules are in their places. */
export interface Adopted {
    texts: string[];
    placed: { source: number; line: number; name: string; declared: string; placed: string }[];
    left: { source: number; line: number; text: string; reason: string }[];
    findings: TextFinding[];
    /** Whether something was refused. Then the texts are as they were. */
    refused: boolean;
}

/** Jobs that are looked at together: at most 20,000. */
export declare class Fleet {
    constructor(jobs: Iterable<Job>);
    /** Reads files. What cannot be read is in `skipped`. `declared` reads placed schedules as they are declared. */
    static parse(texts: Texts, options?: { timezone?: string; namespace?: string; calendars?: Calendars; declared?: boolean }): Fleet;
    readonly jobs: readonly FleetJob[];
    readonly findings: readonly TextFinding[];
    /** The errors among the findings. */
    readonly skipped: readonly KronError[];
    /** Counts starts. `window`, a text such as `1h` or milliseconds, is for jobs that have none. */
    forecast(range: { from: When; until: When; perSeconds?: number; window?: string | number; timezone?: string }): Forecast;
    /** Which starts an edit at the beginning of a range adds, removes and moves. */
    diff(edited: Fleet, range: { from: When; until: When }): FleetDiff;
    lint(at?: When): TextFinding[];
    /** Gives its memory back at once, and not when the object is collected. The fleet is of no more use. */
    free(): void;
    /** The jobs as a job file of Kron. */
    toJobFile(options?: { window?: string | number }): string;
}

/** The cron expressions that fire some time before a schedule. `lead` is a text such as `10m`, up to `744h`, or milliseconds. */
export declare function prime(
    text: string,
    lead: string | number,
    options?: { timezone?: string; /** Also at other times, where none fit exactly. */ cover?: boolean; /** Clock changes from here on. */ at?: When },
): Primed;

/** Writes declarations beside the schedules of other systems, and gives each a place in a window: plain schedules, which need no Kron. */
export declare function adopt(
    texts: Texts,
    options: { window: string | number; prefix: string; timezone?: string; namespace?: string; at?: When },
): Adopted;

/** Makes jobs of Kron from files of other systems. */
export declare function convert(
    texts: Texts,
    options?: { window?: string | number; timezone?: string; namespace?: string },
): { text: string; findings: TextFinding[] };
