// Makes the playground, one file that needs no network: node build.mjs kron_wasm_fleet.wasm.gz index.html
// With --check index.html, it ends with code 1 if the file has another page around its module.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const [module, out] = process.argv.slice(2);
const isCheck = module === "--check";
if (!out) throw new Error("usage: node build.mjs kron_wasm_fleet.wasm.gz index.html");

const PAGE = "../../kron-cli/src/output/forecast/html/";
const SCRIPTS = ["answers.js", "links.js", "redaction.js", "terminal.js", "page.js"];
const EXAMPLES = [
    "herd.crontab",
    "nightly.kron",
    "fleet.kron",
    "adopt/values.yaml",
    "adopt/apps/report.yaml",
    "adopt/cron.d/clean",
    "convert/backup.yaml",
    "convert/web-1.crontab",
    "convert/etl.yaml",
    "place/values.yaml",
];

/** A source of the package without its imports and exports: all of them are one file here. */
const plain = (path) => read(path).replace(/^import .*;\n/gm, "").replace(/^export (?=async|class|const|function)/gm, "");
/** A text within the element `script`. */
const within = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const script = within(read(`${PAGE}page.js`) + SCRIPTS.map(read).join(""));
const worker = ['"use strict";', plain("../src/error.js"), plain("../src/instance.js"), read("worker.js")].join("\n");
const hash = createHash("sha256").update(script).digest("base64");
const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}' 'wasm-unsafe-eval' blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
];
const values = {
    policy: policy.join("; "),
    style: read(`${PAGE}page.css`) + read("page.css"),
    module: isCheck ? "" : readFileSync(module, "base64"),
    worker: within(worker),
    examples: within(JSON.stringify(EXAMPLES.map((path) => ({ path, text: read(`../../examples/${path}`) })))),
    script,
};
const page = read("page.html").replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
if (isCheck) {
    const found = readFileSync(out, "utf8").replace(/(<script type="text\/plain" id="module">)[^<]*/, "$1");
    // What was made has a line more, with a hash.
    if (!found.startsWith(page)) {
        console.error(`${out} was made from another page`);
        process.exit(1);
    }
} else {
    writeFileSync(out, page);
}
