// The packed package, installed into an empty folder: as ESM and CommonJS, its types, by a bundler, and from the file of the module.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kron-js-"));
after(() => rmSync(folder, { recursive: true }));
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });
const tool = (name, ...args) => run(join(folder, "node_modules", ".bin", name), ...args);
const write = (name, text) => writeFileSync(join(folder, name), text);

const USE = `
const job = new Job("0 0 * * * @win(after,3h)", { name: "prod/db-backup", timezone: "Europe/Paris" });
console.log(job.nextRun("2026-03-01T12:00:00Z").toISOString());`;
const WANT = "2026-03-02T00:09:23.000Z\n";

for (const file of ["package.json", "package-lock.json"]) cpSync(at(`tools/${file}`), join(folder, file));
run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: at(".."), encoding: "utf8" }));
run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--no-save", "--offline", `./${packed.filename}`);

test("the package has what its users need, and no more", () => {
    const files = packed.files.map(({ path }) => path).sort();
    const dist = ["index.cjs", "index.d.cts", "index.d.ts", "index.js", "kron.wasm", "module.cjs", "module.js"];
    dist.push("fleet.cjs", "fleet.d.cts", "fleet.d.ts", "fleet.js", "module_fleet.cjs", "module_fleet.js");
    dist.push("slim.cjs", "slim.d.cts", "slim.d.ts", "slim.js", "worker.js");
    assert.deepEqual(files, ["LICENSE", "README.md", ...dist.map((name) => `dist/${name}`), "package.json"].sort());
    console.log(`${packed.size} bytes packed, ${packed.unpackedSize} unpacked`);
});

test("an ECMAScript module imports it", () => {
    write("esm.mjs", `import { Job } from "kron-js";${USE}`);
    assert.equal(run("node", "esm.mjs"), WANT);
});

test("a CommonJS module requires it", () => {
    write("common.cjs", `const { Job } = require("kron-js");${USE}`);
    assert.equal(run("node", "common.cjs"), WANT);
});

test("the entry for fleets has the other one, too", () => {
    const use = `${USE}\nconsole.log(Fleet.parse("0 3 * * * backup\\n").jobs[0].name);`;
    write("fleet.mjs", `import { Fleet, Job } from "kron-js/fleet";${use}`);
    write("fleet.cjs", `const { Fleet, Job } = require("kron-js/fleet");${use}`);
    for (const file of ["fleet.mjs", "fleet.cjs"]) assert.equal(run("node", file), `${WANT}backup\n`);
});

test("the slim entry takes the module in every form", () => {
    const wasm = `new URL("./node_modules/kron-js/dist/kron.wasm", import.meta.url)`;
    const bytes = `readFileSync(${wasm})`;
    const sources = [wasm, `(${wasm}).href`, bytes, `new Response(${bytes})`, `new WebAssembly.Module(${bytes})`];
    // As the page has it.
    sources.push(`new URL(import.meta.resolve("kron-js/kron.wasm"))`);
    for (const source of sources) {
        write("slim.mjs", `import { readFileSync } from "node:fs"; import { Job, init } from "kron-js/slim"; await init(${source});${USE}`);
        assert.equal(run("node", "slim.mjs"), WANT);
    }
    const empty = `new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))`;
    for (const [source, why] of [[`"kron.wasm"`, /`kron\.wasm` is not an address; give/], ["undefined", /give a URL/], [empty, /is not kron\.wasm/]]) {
        write("wrong.mjs", `import { init } from "kron-js/slim"; await init(${source}).catch(({ message }) => console.log(message));`);
        assert.match(run("node", "wrong.mjs"), why);
    }
    write("early.cjs", `const { Job } = require("kron-js/slim"); try { new Job("@daily", { name: "a" }); } catch (error) { console.log(error.message); }`);
    assert.match(run("node", "early.cjs"), /await init/);
});

test("a bundler bundles it, for browsers and for hosts that import modules", () => {
    write("app.js", `import { Job } from "kron-js";${USE}`);
    tool("esbuild", "app.js", "--bundle", "--platform=browser", "--format=esm", "--minify", "--outfile=app.mjs", "--log-level=error");
    // As in a browser: without Buffer.
    write("browser.mjs", `delete globalThis.Buffer; await import("./app.mjs");`);
    assert.equal(run("node", "browser.mjs"), WANT);
    const worker = ["--bundle", "--conditions=workerd", "--format=esm", "--loader:.wasm=copy", "--outfile=worker.js", "--log-level=error"];
    tool("esbuild", "app.js", ...worker);
    const bundle = readFileSync(join(folder, "worker.js"), "utf8");
    assert.match(bundle, /from "\.\/kron.*\.wasm"/);
    assert.ok(bundle.length < 20_000);
});

test("a page compiles it at its first use", { skip: !process.env.CHROMIUM && "CHROMIUM names no browser" }, () => {
    const shown = USE.replace(/console\.log\((.*)\)/, "document.body.textContent = $1");
    write("page.js", `import { Job } from "kron-js";${shown}`);
    tool("esbuild", "page.js", "--bundle", "--format=iife", "--minify", "--outfile=bundle.js", "--log-level=error");
    const policy = "default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'";
    const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`;
    write("page.html", `<!doctype html><head>${head}</head><body>nothing<script src="bundle.js"></script></body>`);
    const options = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}/profile`, "--virtual-time-budget=5000"];
    const page = run(process.env.CHROMIUM, ...options, "--dump-dom", `file://${folder}/page.html`);
    assert.match(page, /<body>2026-03-02T00:09:23\.000Z/);
});

test("its types are strict", () => {
    cpSync(at("types.ts"), join(folder, "types.mts"));
    cpSync(at("types.ts"), join(folder, "types.cts"));
    tool("tsc", "--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "types.mts", "types.cts");
});
