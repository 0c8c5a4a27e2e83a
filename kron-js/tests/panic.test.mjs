import assert from "node:assert/strict";
import { test } from "node:test";
import { Job } from "../dist/index.js";

/** Makes instances whose searches can be made to fail as a panic does. No panic is known that a test could provoke. */
let fails = false;
let made = 0;
const Instance = WebAssembly.Instance;
WebAssembly.Instance = function (module, imports) {
    const { exports } = new Instance(module, imports);
    const kron_next = (job, after) => {
        if (fails) throw new WebAssembly.RuntimeError("unreachable");
        return exports.kron_next(job, after);
    };
    made += 1;
    return { exports: { ...exports, kron_next } };
};

test("after a panic jobs go on in another instance", () => {
    const job = new Job("@daily @win(after,3h)", { name: "a", timezone: "Europe/Paris" });
    const other = new Job("@hourly", { name: "b" });
    const [want, hour] = [job.nextRun(0).getTime(), other.nextRun(0).getTime()];
    fails = true;
    assert.throws(() => job.nextRun(0), /^Error: kron has panicked: unreachable$/);
    fails = false;
    assert.equal(job.nextRun(0).getTime(), want);
    assert.equal(other.nextRun(0).getTime(), hour);
    assert.equal([...other.starts({ from: 0, until: 7_200_000 })].length, 2);
    assert.equal(made, 2);
});
