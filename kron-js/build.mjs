// Makes dist/ from the sources and the built modules: node build.mjs kron_wasm_jobs.wasm kron_wasm_fleet.wasm
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const at = (path) => new URL(path, import.meta.url);
const read = (path) => readFileSync(at(`src/${path}`), "utf8");
const write = (path, text) => writeFileSync(at(`dist/${path}`), text);

const [wasm, wasmOfFleet] = process.argv.slice(2);
if (!wasmOfFleet) throw new Error("usage: node build.mjs kron_wasm_jobs.wasm kron_wasm_fleet.wasm");

rmSync(at("dist"), { recursive: true, force: true });
mkdirSync(at("dist"));
cpSync(wasm, at("dist/kron.wasm"));
for (const [name, file] of [["module", wasm], ["module_fleet", wasmOfFleet]]) {
    const base64 = readFileSync(file).toString("base64");
    write(`${name}.js`, `export default "${base64}";\n`);
    write(`${name}.cjs`, `module.exports = "${base64}";\n`);
}

/** Files in the order in which one uses the other. Their names at the outermost level differ. */
const FILES = ["error.js", "when.js", "instance.js", "job.js", "schedule.js"];
const NAMES = ["Job", "KronError", "Start", "place", "schedule", "verify", "version"];

/** The sources and an entry as one file, without their imports and exports of each other. */
function joined(...entry) {
    const sources = [...FILES, ...entry].map(read).join("\n");
    return sources.replace(/^import .* from "\.\/(?!module\.js|kron\.wasm).*";\n/gm, "").replace(/^export (?=async|class|const|function)/gm, "");
}

function entry(name, source, { names = NAMES, commonJs = true, more = [], module = "module" } = {}) {
    const text = joined(...more, source).replace('"./module.js"', `"./${module}.js"`);
    write(`${name}.js`, `${text}\nexport { ${names.join(", ")} };\n`);
    if (!commonJs) return;
    const required = text.replace(`import MODULE from "./${module}.js";`, `const MODULE = require("./${module}.cjs");`);
    write(`${name}.cjs`, `"use strict";\n${required}\nmodule.exports = { ${names.join(", ")} };\n`);
}

entry("index", "entry_index.js");
entry("slim", "entry_slim.js", { names: [...NAMES, "init"] });
entry("fleet", "entry_index.js", { names: [...NAMES, "Fleet", "adopt", "convert", "prime"], more: ["fleet.js"], module: "module_fleet" });
entry("worker", "entry_worker.js", { commonJs: false });
write("index.d.ts", read("index.d.ts"));
write("index.d.cts", read("index.d.ts"));
for (const name of ["slim", "fleet"]) {
    write(`${name}.d.ts`, read(`${name}.d.ts`));
    write(`${name}.d.cts`, read(`${name}.d.ts`).replaceAll("./index.js", "./index.cjs"));
}
