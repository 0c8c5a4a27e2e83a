import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Fleet, Job, KronError, adopt, convert, prime } from "../dist/fleet.js";

const CRONTAB = "0 0 * * * /usr/bin/backup\n@reboot begin\n0 0 * * * /usr/bin/report\n";
const DAY = { from: "2026-03-02T00:00:00Z", until: "2026-03-03T00:00:00Z" };

test("a fleet reads files of other systems, and says what it skips", () => {
    const fleet = Fleet.parse({ path: "crontab", text: CRONTAB }, { timezone: "Europe/Paris" });
    assert.deepEqual(fleet.jobs.map(({ name, line, timezone }) => [name, line, timezone]), [["backup", 1, "Europe/Paris"], ["report", 3, "Europe/Paris"]]);
    assert.ok(fleet.findings.some(({ line, message }) => line === 2 && message.includes("`@reboot` is not a time")));
    const wrong = Fleet.parse("@daily name=a\n61 * * * * name=b\n");
    assert.equal(wrong.jobs.length, 1);
    assert.ok(wrong.skipped[0] instanceof KronError);
    assert.deepEqual([wrong.skipped[0].code, wrong.skipped[0].line], ["cron-out-of-range", 2]);
});

test("a forecast is that of the command", () => {
    const text = readFileSync(new URL("../../examples/nightly.kron", import.meta.url), "utf8");
    const forecast = Fleet.parse({ path: "nightly.kron", text }).forecast(DAY);
    assert.equal(forecast.sentence, "Fullest minute, Mon 2 March: 276 starts as written, 5 as spread (55 times fewer)");
    assert.deepEqual([forecast.cron.starts.peak, forecast.kron.starts.peak, forecast.kron.buckets.starts.length], [276, 5, 1440]);
    assert.match(forecast.svg(), /^<svg/);
});

test("jobs of the program are a fleet", () => {
    const jobs = Array.from({ length: 30 }, (_, index) => new Job("@daily", { name: `team/${index}` }));
    const fleet = new Fleet(jobs);
    assert.equal(fleet.forecast(DAY).cron.starts.peak, 30);
    for (const window of ["1h", 3_600_000]) assert.ok(fleet.forecast({ ...DAY, window }).kron.starts.peak < 5);
    for (const window of ["1.5s", 1, 0, -1000, "0s"]) assert.throws(() => fleet.forecast({ ...DAY, window }), TypeError, String(window));
    assert.throws(() => fleet.forecast({ ...DAY, window: "soon" }), KronError);
    assert.equal(fleet.toJobFile({ window: "1h" }).split("\n")[0], "0 0 * * * @win(after,1h0m0s) name=team/0");
    assert.ok(Array.isArray(fleet.lint()));
});

test("a fleet knows the calendars of its jobs, and can be freed", () => {
    const job = (name, dates) => new Job("0 0 * * * @avoid(calendar=h)", { name, calendars: { h: dates } });
    const fleet = new Fleet([job("a", "2026-03-02"), job("b", "2026-03-02")]);
    assert.equal(fleet.forecast({ from: "2026-03-02T00:00:00Z", until: "2026-03-04T00:00:00Z" }).kron.total, 2);
    assert.throws(() => new Fleet([job("a", "2026-03-02"), job("b", "2026-03-03")]), /different calendars `h`/);
    fleet.free();
    assert.throws(() => fleet.lint(), { code: "handle" });
});

test("an edit shows which starts change", () => {
    const [old, edited] = ["@daily name=a\n@hourly name=b\n", "0 1 * * * name=a\n@hourly name=b\n"].map((text) => Fleet.parse(text));
    const { jobs, peak, unchanged } = old.diff(edited, DAY);
    assert.deepEqual(jobs.map(({ change, newName, appear, vanish, move }) => [change, newName, appear, vanish, move]), [["changed", "a", 1, 1, 0]]);
    assert.deepEqual(jobs[0].starts.map(({ change }) => change), ["vanishes", "appears"]);
    assert.deepEqual([peak.old.startsPerMinute, peak.new.startsPerMinute, unchanged], [2, 2, 1]);
    assert.throws(() => old.diff(edited, { from: DAY.until, until: DAY.from }), { code: "request" });
});

test("a schedule is primed", () => {
    const { expressions, clockChanges, timezone } = prime("0 3 * * *", "10m", { timezone: "Europe/Paris", at: "2026-03-01T00:00:00Z" });
    assert.deepEqual([expressions, timezone, clockChanges[0].kind], [["50 2 * * *"], "Europe/Paris", "skipped"]);
    assert.deepEqual(prime("0 3 * * *", 600_000).expressions, ["50 2 * * *"]);
    assert.throws(() => prime("0 0 1 3 *", "10m"), { code: "prime-impossible" });
    assert.deepEqual(prime("0 0 1 3 *", "10m", { cover: true }).expressions, ["50 23 28/1 2 *"]);
    assert.throws(() => prime("0 3 * * *"), /needs a lead/);
    assert.throws(() => prime("0 3 * * *", "1.5s"), /a lead has whole seconds/);
});

test("what is no file is refused", () => {
    for (const texts of [undefined, null, 5, {}, [null], Buffer.from("a")]) assert.throws(() => Fleet.parse(texts), /a file is a text/);
    assert.throws(() => adopt(CRONTAB), /needs a window/);
    assert.throws(() => adopt(CRONTAB, { window: "1h" }), /needs a prefix/);
});

test("schedules are placed and converted", () => {
    const { texts, placed, refused } = adopt({ path: "crontab", text: CRONTAB }, { window: "1h", prefix: "web-1" });
    assert.deepEqual([placed.length, refused], [2, false]);
    assert.match(texts[0], /^# kron: 0 0 \* \* \* @win\(after,1h\) name=web-1\/crontab\/backup\n\d+ 0 \* \* \* \/usr\/bin\/backup\n/);
    assert.match(convert({ path: "crontab", text: CRONTAB }, { window: "1h" }).text, /@win\(after,1h.*command=/);
});
