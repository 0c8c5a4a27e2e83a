// Answers the page: what it asked last, in steps, so that a newer question ends an older one early.

/** What the page wants to know, unless it is being answered. */
let wanted = null;
let isWorking = false;
/** Short questions, which wait for the answer that is being given. */
const questions = [];
/** The jobs of the last text, which stay while windows change. */
let read = { key: null };
/** What the last picture shows. */
let shown = null;
/** What was answered last. */
let answered = null;

/** Lets messages of the page arrive. */
const pause = () =>
    new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
    });

/** Compiles the module, if that is not done yet. */
async function load({ module, compiled }) {
    const found = compiled ?? (await compile(module));
    provide(() => found);
    postMessage({ ready: ask({ ask: "version" }), compiled: found });
}

async function compile(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/** Whether a text is five fields alone, and no file. */
const isBare = ({ path, text }) => path === "" && /^[^\s@]+([ \t]+[^\s@]+){4}$/.test(text.trim());

/** Reads a text. One schedule without a name is a job, too. */
function readText({ path: given, text, timezone, mode, prefix, declared = false }) {
    const of = (path, text) => ask({ ask: "read", sources: [{ path, text }], timezone, declared });
    const line = text.trim();
    // A unit of systemd is called as its file.
    const path = given === "" && /^\[Timer\]/m.test(text) ? "job.timer" : given;
    const named = `${line} name=${JSON.stringify(`${prefix || "my"}/job`)}\n`;
    // Five fields alone are a line of a crontab, so that they have a plain cure, too.
    if (isBare({ path, text })) {
        const [name, whole] = mode === "kron" ? ["schedule.kron", named] : ["", `${line} job\n`];
        const found = of(name, whole);
        if (found.jobs.length > 0) return { ...found, path: name, text: whole, isBare: true };
        ask({ ask: "freeFleet", fleet: found.fleet });
    }
    const found = of(path, text);
    if (found.jobs.length > 0 || line === "" || line.includes("\n") || line.includes(" name=")) return { ...found, path, text };
    ask({ ask: "freeFleet", fleet: found.fleet });
    return { ...of("schedule.kron", named), path: "schedule.kron", text: named };
}

const free = (found) => found && ask({ ask: "freeFleet", fleet: found.fleet });

/** The beginning of the coming day in a zone, and of the day after so many days. */
function range(zone, now, days) {
    const offset = (at) => ask({ ask: "zone", name: zone, at, count: 0 }).offset;
    const midnight = (day) => {
        const at = day * 86400;
        const first = at - offset(at);
        return at - offset(first);
    };
    const today = Math.floor((now + offset(now)) / 86400);
    return { from: midnight(today + 1), until: midnight(today + 1 + days) };
}

/** The jobs of the text as another file has them, whose schedules are in their places. */
function placed(state, found, range) {
    const { windowSeconds, prefix, timezone, now } = state;
    const sources = [{ path: found.path, text: found.text }];
    const more = state.apart ? { spread: range } : {};
    const answer = ask({ ask: "adopt", sources, windowSeconds, prefix: prefix || "my", timezone, at: now, ...more });
    return { ...answer, text: answer.texts[0] };
}

/** Which job of the placed text one of the text as written is. The placed one can have more: those whose manifests are not whole. */
function numberIn(cured, found, job, timezone) {
    if (found.findings.length === 0) return job;
    const { name, line } = found.jobs[job];
    const placed = cured.placed.find((one) => one.line === line)?.name ?? name;
    const again = ask({ ask: "read", sources: [{ path: found.path, text: cured.text }], timezone });
    ask({ ask: "freeFleet", fleet: again.fleet });
    const number = again.jobs.findIndex((one) => one.name === placed);
    return number < 0 ? job : number;
}

/** The most names of jobs that the page inserts at once. */
const NAMES = 500;

/** The content of a page in pieces: without its list of jobs, and the headings and the names of that list. */
function inPieces(html) {
    const [begin, end] = ['<details id="jobs">', "</details>"];
    const at = html.indexOf(begin);
    if (at < 0) return { html, list: [] };
    const summary = html.indexOf("<h3>", at) < 0 ? html.length - end.length : html.indexOf("<h3>", at);
    const list = html.slice(summary).match(new RegExp(`<h3>.*?</h3>|(?:<li>[^<]*</li>){1,${NAMES}}`, "gs")) ?? [];
    return { html: html.slice(0, summary) + end, list };
}

/** The steps of an answer. */
function* answer(state) {
    const { windowSeconds, timezone } = state;
    const isLine = !state.text.trim().includes("\n");
    const key = JSON.stringify([state.path, state.text, timezone, isLine ? [state.mode, state.prefix] : null]);
    const isNew = read.key !== key;
    if (isNew) {
        for (const one of [read, read.declared]) if (one?.fleet) free(one);
        read = { key: null };
        read = { key, ...readText(state) };
    }
    const isOfKron = !read.isBare && read.jobs.every((job) => job.origin === "kron");
    yield { jobs: read.jobs, findings: read.findings, path: read.path, isBare: read.isBare ?? false, isNew };
    const isPlain = state.mode === "plain" && !isOfKron && windowSeconds > 0;
    if (shown?.other) free(shown.other);
    shown = null;
    const minutes = { ...range(state.zone, state.now, state.days), perSeconds: 60 };
    const cured = isPlain ? placed(state, read, minutes) : null;
    // Pods stand in manifests alone: these stay what they are.
    const isManifest = isOfKron && read.jobs.length > 0 && /\bkind["']?\s*:\s*["']?KronJob\b/.test(read.text);
    let window = windowSeconds > 0 && !isPlain && !isManifest ? { windowSeconds } : {};
    // The fleet whose picture is shown: another one than that of the text, if schedules are placed or jobs have other salts.
    let otherFleet = cured;
    // Placed schedules are jobs as they are declared, if Kron starts them.
    if (!isPlain && state.mode === "kron" && read.jobs.some((job) => job.isPlaced)) {
        read.declared ??= readText({ ...read, timezone, declared: true });
    }
    const jobs = (state.mode === "kron" && read.declared) || read;
    // Schedules that stay with their system have no salts.
    if (state.apart && (isOfKron || state.mode === "kron") && read.jobs.length > 0) {
        otherFleet = ask({ ask: "spread", fleet: jobs.fleet, range: minutes, ...window, ...(isManifest ? { manifests: read.text } : {}) });
        window = {};
    }
    const fleet = otherFleet?.fleet ?? jobs.fleet;
    const asked = { ask: "forecast", fleet, ...minutes, timezone: state.zone, ...window };
    shown = { asked, other: otherFleet };
    const { html, data, sentence, amount, fullest, failed } = ask({ ...asked, forms: ["html"] });
    yield { ...inPieces(html), data, sentence, amount, fullest, failed, isOfKron };
    if (read.jobs.length > 0) {
        const job = Math.min(state.job, read.jobs.length - 1);
        let coming;
        try {
            const number = cured ? numberIn(cured, read, job, timezone) : job;
            coming = ask({ ask: "coming", fleet, job: number, after: state.now, count: 5, ...window });
        } catch (error) {
            coming = { why: error.message };
        }
        yield { coming, job };
    }
    yield { cure: isManifest ? manifest(otherFleet) : cure(state, isOfKron, cured, fleet, window) };
    yield { lint: ask({ ask: "lintFleet", fleet: read.fleet, at: state.now }) };
}

/** The manifests, with salts if there are other ones. */
function manifest(salted) {
    return { kind: salted ? "salted" : "manifest", text: salted?.manifests ?? read.text, findings: [] };
}

/** The file that the user takes. */
function cure(state, isOfKron, cured, fleet, window) {
    const jobs = () => ({ kind: "jobs", ...ask({ ask: "jobFile", fleet, ...window }), findings: [] });
    if (cured?.refused) return { kind: "refused", text: read.text, findings: cured.findings };
    if (cured) return { kind: "plain", text: cured.text, placed: cured.placed, left: cured.left, findings: cured.findings };
    // Salts stand in a job file, whatever the text was.
    if (isOfKron || (state.mode === "kron" && (state.apart || read.declared || read.isBare))) return jobs();
    if (state.mode === "plain") return { kind: "unchanged", text: read.text, findings: [] };
    const sources = [{ path: read.path, text: read.text }];
    const converted = ask({ ask: "convert", sources, timezone: state.timezone, ...window });
    // What no conversion takes: schedules under keys, for example.
    if (converted.text === "") return jobs();
    return { kind: "kron", ...converted };
}

/** Frees what is kept. After a panic there is nothing to free. */
function forget() {
    try {
        for (const one of [read, read.declared, shown?.other]) if (one?.fleet) free(one);
    } catch {
        // The next answer reads the text again.
    }
    read = { key: null };
    shown = null;
}

async function work() {
    if (isWorking) return;
    isWorking = true;
    while (wanted !== null) {
        const state = wanted;
        wanted = null;
        postMessage({ begun: state.id });
        try {
            answered = state;
            for (const part of answer(state)) {
                postMessage({ id: state.id, ...part });
                await pause();
                if (wanted !== null) break;
            }
            postMessage({ id: state.id, done: wanted === null });
        } catch (error) {
            forget();
            postMessage({ id: state.id, error: error.message });
        }
    }
    isWorking = false;
    for (const { number, question } of questions.splice(0)) postMessage({ number, reply: now(question) });
}

/** Answers that the page waits for: the picture as a file; the jobs without their commands; whether another text shows the same. */
function now(question) {
    try {
        if (question.svg) return ask({ ...shown.asked, forms: ["svg"] }).svg;
        if (question.jobs) return ask({ ask: "jobFile", fleet: read.fleet, withoutFields: true }).text;
        return answered !== null && seen({ ...answered, ...question.other }) === seen(answered);
    } catch {
        forget();
        return null;
    }
}

/** What somebody sees of a state: the picture, and the coming starts of a job. */
function seen(state) {
    let found = "";
    for (const { data, sentence, isOfKron, coming } of answer(state)) {
        if (data !== undefined) found += JSON.stringify([data, sentence, isOfKron]);
        if (coming !== undefined) {
            found += JSON.stringify(coming.why ?? coming.map(({ chosen, nominal }) => [chosen, nominal]));
            break;
        }
    }
    return found;
}

onmessage = async ({ data }) => {
    if (data.module || data.compiled) {
        // A browser that is too old, for example.
        await load(data).catch((error) => postMessage({ error: `the page does not start: ${error.message}` }));
        return;
    }
    if (data.question) questions.push(data);
    else wanted = data;
    work();
};
