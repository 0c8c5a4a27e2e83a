// Compiled by `tsc --strict` against the installed package, as a module of both kinds.
import { Fleet, adopt, prime } from "kron-js/fleet";
import { type Explanation, type Finding, Job, KronError, type Placed, type Receipt, Start, type When, place, schedule, verify, version } from "kron-js";

const job: Job = new Job("0 0 * * * @win(after,3h)", { name: "prod/db-backup", timezone: "Europe/Paris" });
const instants: When[] = [new Date(), 0, "2026-03-01T12:00:00Z", { epochMilliseconds: 0 }];
const next: Date | null = job.nextRun(instants[0]);
const dates: Date[] = [...job.nextRuns(3), ...job.previousRuns(3, 0)];
const wait: number | null = job.msToNext();
for (const start of job.starts({ until: Date.now() })) {
    const period: string = start.period;
    const receipt: Receipt = start.receipt();
    const agrees: boolean = verify(receipt, { calendars: { "holidays-fr": "2026-12-25" } }).agrees;
    console.log(period, agrees, start.date.getTime(), start.nominal.getTime());
}
const explanation: Explanation = job.explain();
const findings: Finding[] = job.lint();
const placed: Placed = place("@daily @win(after,2h)", { name: "ops/backup" });
const aborter = new AbortController();
const { stop } = schedule(job, async (start: Start, signal: AbortSignal) => console.log(start.date, signal.aborted), { signal: aborter.signal });
stop();
try {
    new Job("61 * * * *", { name: "a" });
} catch (error) {
    if (error instanceof KronError) console.log(error.code, error.span?.[0], error.help?.length);
}
console.log(next?.getTime(), dates.length, wait, explanation.draws.length, findings[0]?.column, placed.expression, version().tzdbVersion);

// @ts-expect-error a job needs a name
new Job("@daily", {});
// @ts-expect-error only a job makes starts
new Start();
// @ts-expect-error a range has an end
job.starts({ from: 0 });
// @ts-expect-error the name does not change
job.name = "b";
const forecast = Fleet.parse(["0 3 * * * backup\n", { path: "jobs.kron", text: "@daily name=a\n" }]).forecast({ from: 0, until: 86_400_000, window: "1h" });
const peaks: number[] = [forecast.cron.starts.peak, forecast.kron.starts.peak, new Fleet([job]).jobs[0].windowSeconds];
const texts: string[] = adopt("0 3 * * * backup\n", { window: 3_600_000, prefix: "web-1" }).texts;
console.log(forecast.sentence, peaks, texts, forecast.svg());
const edit = new Fleet([]).diff(new Fleet([job]), { from: 0, until: 86_400_000 });
const primed: string[] = prime("0 3 * * *", "10m", { cover: true, at: new Date() }).expressions;
console.log(edit.jobs[0].edit.skipped.count, edit.peak.old.minute, primed);
