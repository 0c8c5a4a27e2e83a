// The built module, as a host without any glue uses it: KRON_WASM=FILE node --test kron-wasm/tests/module.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const bytes = readFileSync(process.env.KRON_WASM);
const module = new WebAssembly.Module(bytes);
const NOON = Date.UTC(2026, 2, 1, 12) / 1000;

function host() {
    const kron = new WebAssembly.Instance(module).exports;
    const text = (address, length) => new TextDecoder().decode(new Uint8Array(kron.memory.buffer, address, length));
    const call = (request) => {
        const bytes = new TextEncoder().encode(JSON.stringify(request));
        const buffer = kron.kron_allocate(bytes.length);
        new Uint8Array(kron.memory.buffer, buffer, bytes.length).set(bytes);
        const answer = kron.kron_call(buffer, bytes.length);
        kron.kron_free(buffer);
        return JSON.parse(text(answer, kron.kron_answer_length()));
    };
    return { kron, text, call, answer: () => JSON.parse(text(kron.kron_answer(), kron.kron_answer_length())) };
}

test("the module has no imports", () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test("the module exports what its page names", () => {
    const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const named = new Set(page.match(/kron_\w+(?=\()/g));
    const exported = WebAssembly.Module.exports(module).filter(({ name }) => name.startsWith("kron_"));
    assert.deepEqual(exported.map(({ name }) => name).sort(), [...named].sort());
});

test("the module is small", () => {
    const size = gzipSync(bytes, { level: 9 }).length;
    console.log(`${bytes.length} bytes, ${size} gzipped`);
    assert.ok(size < 520_000, `${size} bytes gzipped`);
});

test("a job starts at the second at which it starts everywhere", () => {
    const { kron, call } = host();
    const parsed = call({ ask: "job", name: "prod/db-backup", text: "0 0 * * * @tz(Europe/Paris) @win(after,3h)" });
    assert.equal(parsed.ok.text, "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)");
    const { job } = parsed.ok;
    assert.equal(kron.kron_next(job, NOON), Date.UTC(2026, 2, 2, 0, 9, 23) / 1000);
    assert.equal(kron.kron_nominal(), Date.UTC(2026, 2, 1, 23) / 1000);
    assert.equal(call({ ask: "next", job, after: NOON }).ok.chosenTime, "2026-03-02T00:09:23Z");
    assert.equal(kron.kron_previous(job, NOON + 86_400), Date.UTC(2026, 2, 2, 0, 9, 23) / 1000);
    const receipt = call({ ask: "receipt", job, after: NOON }).ok;
    assert.equal(call({ ask: "verify", receipt: JSON.stringify(receipt) }).ok.agrees, true);
    kron.kron_free_job(job);
    assert.ok(Number.isNaN(kron.kron_next(job, NOON)));
});

test("the starts of a range go on where a call ended", () => {
    const { kron, call, answer } = host();
    const { job } = call({ ask: "job", name: "web/ping", text: "*/5 * * * * @win(after,1h)" }).ok;
    const want = call({ ask: "starts", job, from: NOON, until: NOON + 86_400 }).ok;
    const buffer = kron.kron_allocate(100 * 16);
    const found = [];
    for (let from = NOON, passed = 0; !Number.isNaN(from); from = kron.kron_starts_from(), passed = kron.kron_starts_passed()) {
        const count = kron.kron_starts(job, from, NOON + 86_400, passed, buffer);
        const numbers = new DataView(kron.memory.buffer, buffer, 100 * 16);
        for (let index = 0; index < count; index++) {
            found.push([numbers.getFloat64(16 * index, true), numbers.getFloat64(16 * index + 8, true)]);
        }
    }
    const seconds = (time) => Date.parse(time) / 1000;
    assert.deepEqual(found, want.map(({ chosenTime, nominalTime }) => [seconds(chosenTime), seconds(nominalTime)]));
    assert.equal(kron.kron_starts(job + 1, NOON, NOON + 86_400, 0, buffer), -1);
    assert.equal(answer().error.code, "handle");
});

test("errors have code, field, place and help", () => {
    const { call } = host();
    const { error } = call({ ask: "job", name: "a", text: "@daily @win(3h)" });
    assert.equal(error.help, "write `@win(after,3h)`");
    assert.deepEqual([error.code, error.field, error.span], ["text-syntax", "window.mode", [12, 14]]);
    assert.equal(call({ ask: "nonsense" }).error.code, "request");
});

test("a request that does not fit is refused", () => {
    const { kron, call } = host();
    assert.equal(kron.kron_allocate(2 ** 20 + 1), 0);
    assert.equal(kron.kron_allocate(-1), 0);
    kron.kron_call(4096, 10);
    const long = "* ".repeat(40_000);
    assert.equal(call({ ask: "job", name: "a", text: long }).error.code, "text-too-long");
});

test("jobs that are freed take no memory", () => {
    const { kron, call } = host();
    const cycle = () => {
        for (let index = 0; index < 1000; index++) {
            kron.kron_free_job(call({ ask: "job", name: "a", text: "0 0 * * * @win(after,3h) @avoid(hours=1)" }).ok.job);
        }
        return kron.memory.buffer.byteLength;
    };
    assert.equal(cycle(), cycle());
});

test("nothing has panicked", () => {
    const { kron, text } = host();
    assert.equal(text(kron.kron_panic_text(), kron.kron_panic_length()), "");
});
