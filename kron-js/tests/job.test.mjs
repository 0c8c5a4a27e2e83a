import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { Job, KronError, Start, place, verify, version } from "../dist/index.js";

const NOON = "2026-03-01T12:00:00Z";
const backup = (options) => new Job("0 0 * * * @win(after,3h)", { name: "prod/db-backup", timezone: "Europe/Paris", ...options });
const iso = (dates) => dates.map((date) => date.toISOString());

test("a job starts at the second at which it starts everywhere", () => {
    const job = backup();
    assert.equal(job.nextRun(NOON).toISOString(), "2026-03-02T00:09:23.000Z");
    assert.deepEqual(iso(job.nextRuns(2, NOON)), ["2026-03-02T00:09:23.000Z", "2026-03-03T00:04:31.000Z"]);
    assert.deepEqual(iso(job.previousRuns(2, "2026-03-03T00:04:31Z")), ["2026-03-02T00:09:23.000Z", "2026-02-28T23:01:23.000Z"]);
    assert.equal(job.msToNext("2026-03-02T00:09:22.250Z"), 750);
    assert.deepEqual([job.pattern, job.timezone, `${job}`], ["0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)", "Europe/Paris", job.pattern]);
    assert.equal(JSON.stringify(job), `{"name":"prod/db-backup","pattern":"${job.pattern}"}`);
});

test("every form of an instant is one", () => {
    const job = backup();
    const want = job.nextRun(NOON).getTime();
    const ms = Date.parse(NOON);
    for (const when of [new Date(ms), ms, { epochMilliseconds: ms }, "2026-03-01T13:00:00+01:00", "2026-03-01T12:00:00.500Z"]) {
        assert.equal(job.nextRun(when).getTime(), want);
    }
    assert.equal(job.nextRun(vm.runInNewContext(`new Date(${ms})`)).getTime(), want);
    const wrong = ["2026-03-01", "2026-03-01T12:00:00", "2026-02-30T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T12:00:00+0100"];
    for (const when of [...wrong, "soon", new Date(NaN), NaN, Infinity, -Infinity, 1e300, null, {}, 5n]) {
        for (const ask of [() => job.nextRun(when), () => job.nextRuns(2, when), () => job.previousRuns(2, when), () => job.lint(when)]) {
            assert.throws(ask, (error) => error instanceof TypeError && error.message.includes("is not an instant"), String(when));
        }
    }
    assert.ok(job.nextRun("2028-02-29T00:00:00z"));
    assert.ok(job.nextRun() > new Date());
    assert.ok(job.previousRuns(1)[0] <= new Date());
});

test("a start has its period, its receipt and its explanation", () => {
    const job = backup();
    const start = job.nextStart(NOON);
    assert.ok(start instanceof Start);
    assert.deepEqual([start.name, start.period, start.nominal.toISOString()], ["prod/db-backup", "2026-03-01T23:00:00Z", "2026-03-01T23:00:00.000Z"]);
    const receipt = start.receipt();
    assert.equal(receipt.decision.chosenTime, "2026-03-02T00:09:23Z");
    assert.equal(verify(receipt).agrees, true);
    const tampered = JSON.stringify(receipt).replace("00:09:23", "00:09:24");
    assert.equal(verify(tampered).differences[0].field, "decision.chosenTime");
    assert.deepEqual(start.explain(), job.explain(NOON));
    start.nominal.setTime(0);
    assert.deepEqual(start.receipt(), receipt);
    assert.equal(start.explain().candidates, 10_801);
});

test("the starts of a range are those of one search after the other, also at one second", () => {
    const job = new Job("* * * * * @win(after,3h) @only(between=02:00-02:00)", { name: "web/ping" });
    const range = { from: "2026-03-01T00:00:00Z", until: "2026-03-11T00:00:00Z" };
    const starts = [...job.starts(range)];
    // More than a page of them, and 180 or 181 periods share each minute.
    assert.ok(starts.length > 1500, `${starts.length}`);
    assert.equal(new Set(starts.map((start) => start.period)).size, starts.length);
    const distinct = [...new Set(starts.map((start) => start.date.getTime()))];
    const found = [];
    for (let at = new Date("2026-02-28T23:59:59Z"); (at = job.nextRun(at)) < new Date(range.until); ) found.push(at.getTime());
    assert.deepEqual(distinct, found);
    const hourly = new Job("@hourly", { name: "web/ping" });
    const of = (from, until) => [...hourly.starts({ from, until })].length;
    assert.equal(of("2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z"), 1);
    assert.equal(of("2026-03-01T00:00:00.001Z", "2026-03-01T01:00:00.001Z"), 1);
    for (const starts of [() => hourly.starts({}), () => hourly.starts()]) assert.throws(starts, /needs an end: until/);
});

test("a search that finds nothing gives null", () => {
    const never = new Job("0 0 * * * @win(after,3h) @only(hours=7)", { name: "a" });
    assert.deepEqual([never.nextRun(), never.msToNext(), never.nextStart()], [null, null, null]);
    assert.deepEqual([never.nextRuns(3), never.previousRuns(3)], [[], []]);
    assert.throws(() => never.explain(), (error) => error.code === "no-start-in-sight");
    // Where a search comes to its limit, there may be a start.
    const far = new Job("* * * * * @only(calendar=h)", { name: "a", calendars: { h: "2027-06-01" } });
    assert.throws(() => far.nextRun(NOON), (error) => error.code === "no-schedulable-period");
    assert.equal([...far.starts({ from: NOON, until: "2027-06-02T00:00:00Z" })].length, 1440);
});

test("errors have code, field, place and help", () => {
    const refused = (make, want) => assert.throws(make, (error) => {
        assert.ok(error instanceof KronError && error instanceof Error);
        for (const [key, value] of Object.entries(want)) assert.deepEqual(error[key], value);
        return true;
    });
    const message = "schedule.minute: `61` at column 1 is not in 0 to 59";
    refused(() => new Job("61 * * * *", { name: "a" }), { name: "KronError", code: "cron-out-of-range", field: "schedule.minute", span: [0, 2], help: null, message });
    refused(() => new Job("@daily @win(3h)", { name: "a" }), { help: "write `@win(after,3h)`" });
    refused(() => new Job("@daily", { name: "" }), { code: "name" });
    refused(() => new Job("@daily", { name: "a", timezone: "Asia/Tokio" }), { code: "time-zone", help: "did you mean `Asia/Tokyo`?" });
    refused(() => backup().nextRuns(10_001, NOON), { code: "limit" });
    refused(() => new Job("@daily", { name: "a".repeat(2 ** 21) }), { code: "request" });
    assert.throws(() => new Job("@daily"), TypeError);
    assert.throws(() => new Job(5, { name: "a" }), TypeError);
    assert.throws(() => backup().nextRuns(-1), TypeError);
});

test("findings of lint have their places", () => {
    const [found] = new Job("0 */7 * * * @policy(deadline=1h)", { name: "web/report" }).lint(NOON);
    assert.deepEqual([found.severity, found.code, found.column, found.span], ["warning", "uneven-step", 3, [2, 5]]);
    assert.deepEqual(new Job("0 1 * * * @win(after,2h) @policy(deadline=1h)", { name: "a" }).lint(NOON), []);
});

test("calendars come with the job", () => {
    const calendars = { "holidays-fr": "2026-03-02..2026-03-05" };
    const job = new Job("@daily @avoid(calendar=holidays-fr)", { name: "a", calendars });
    assert.equal(job.nextRun(NOON).toISOString(), "2026-03-06T00:00:00.000Z");
    const receipt = job.nextStart(NOON).receipt();
    assert.equal(verify(receipt, { calendars }).agrees, true);
    assert.throws(() => verify(receipt), (error) => error.code === "calendar-unknown");
});

test("schedules of other systems are placed", () => {
    assert.equal(place("@daily @win(after,2h) name=ops/backup").expression, "51 0 * * *");
    assert.deepEqual(place("@daily @win(after,2h)", { name: "ops/backup" }), place("@daily @win(after,2h) name=ops/backup"));
});

test("the version is that of the package", () => {
    const { version: ofPackage } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    assert.equal(version().version, ofPackage);
});

test("the golden vectors", () => {
    const { cases } = JSON.parse(readFileSync(new URL("../../testing/data/vectors/decisions.json", import.meta.url), "utf8"));
    let asked = 0;
    for (const { name, text, decision } of cases) {
        if (decision.chosenTime === null) continue;
        const job = new Job(text, { name });
        const chosen = new Date(decision.chosenTime);
        const found = [...job.starts({ from: chosen, until: chosen.getTime() + 1000 })];
        // Some vectors have a nominal time that is not on the schedule.
        const start = found.find((start) => start.period === decision.periodId);
        if (start === undefined) continue;
        const { name: _, ...got } = start.explain().decision;
        assert.deepEqual(got, decision);
        asked += 1;
    }
    assert.ok(asked > 300, `${asked} of ${cases.length}`);
});

test("the page's example prints what the page says", async () => {
    const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, code] = page.match(/```js\n(.*?)```/s);
    const [, want] = page.match(/```text\n(.*?)```/s);
    const printed = [];
    const run = new Function("Job", "console", code.replace(/^import .*\n/m, ""));
    run(Job, { log: (...words) => printed.push(words.join(" ")) });
    assert.equal(`${printed.join("\n")}\n`, want);
});

test("a job can be extended, and what is no JSON is no panic", () => {
    class Named extends Job {
        extra = 1;
    }
    const named = new Named("@hourly", { name: "a" });
    assert.deepEqual([named.extra, named.name, named.pattern], [1, "a", "0 * * * *"]);
    assert.throws(() => (named.name = "b"), TypeError);
    const deep = {};
    let inner = deep;
    for (let count = 0; count < 100_000; count++) inner = inner.next = {};
    assert.throws(() => new Job("@hourly", { name: "a", calendars: deep }), (error) => !/panicked/.test(error.message));
    assert.ok(named.nextRun(NOON));
});
