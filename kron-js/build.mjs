// Makes dist/ from the sources and the built module: node build.mjs kron_wasm.wasm
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const at = (path) => new URL(path, import.meta.url);
const read = (path) => readFileSync(at(`src/${path}`), "utf8");
const write = (path, text) => writeFileSync(at(`dist/${path}`), text);

const [wasm] = process.argv.slice(2);
if (!wasm) throw new Error("usage: node build.mjs kron_wasm.wasm");

rmSync(at("dist"), { recursive: true, force: true });
mkdirSync(at("dist"));
cpSync(wasm, at("dist/kron.wasm"));
const base64 = readFileSync(wasm).toString("base64");
write("module.js", `export default "${base64}";\n`);
write("module.cjs", `module.exports = "${base64}";\n`);

/** Files in the order in which one uses the other. Their names at the outermost level differ. */
const FILES = ["error.js", "when.js", "instance.js", "job.js", "schedule.js"];
const NAMES = ["Job", "KronError", "Start", "place", "schedule", "verify", "version"];

/** The sources and an entry as one file, without their imports and exports of each other. */
function joined(entry) {
    const sources = [...FILES, entry].map(read).join("\n");
    return sources.replace(/^import .* from "\.\/(?!module\.js|kron\.wasm).*";\n/gm, "").replace(/^export (?=async|class|const|function)/gm, "");
}

function entry(name, source, { names = NAMES, commonJs = true } = {}) {
    const text = joined(source);
    write(`${name}.js`, `${text}\nexport { ${names.join(", ")} };\n`);
    if (!commonJs) return;
    const required = text.replace('import MODULE from "./module.js";', 'const MODULE = require("./module.cjs");');
    write(`${name}.cjs`, `"use strict";\n${required}\nmodule.exports = { ${names.join(", ")} };\n`);
}

entry("index", "entry_index.js");
entry("slim", "entry_slim.js", { names: [...NAMES, "init"] });
entry("worker", "entry_worker.js", { commonJs: false });
write("index.d.ts", read("index.d.ts"));
write("index.d.cts", read("index.d.ts"));
write("slim.d.ts", read("slim.d.ts"));
write("slim.d.cts", read("slim.d.ts").replace("./index.js", "./index.cjs"));
