import { KronError } from "./error.js";

// The one instance of the module. It is made at its first use, and again after a panic.

/** Gives the compiled module. Each entry of the package has its own way to it. */
let compiled = () => {
    throw new Error("the module is not loaded: await init(...) first");
};
/** Its exports. */
let running = null;
/** Counts the instances: a handle belongs to the one that gave it. */
let generation = 0;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Sets where the compiled module comes from. */
export function provide(source) {
    compiled = source;
    running = null;
}

function instance() {
    if (running === null) {
        running = new WebAssembly.Instance(compiled(), {}).exports;
        generation += 1;
    }
    return running;
}

/** Which instance is in use. */
export function currentGeneration() {
    instance();
    return generation;
}

const text = (kron, address, length) => decoder.decode(new Uint8Array(kron.memory.buffer, address, length));

/** Frees the handle of a job, unless its instance has gone. */
export function freeJob({ handle, generation: of }) {
    if (running !== null && of === generation) running.kron_free_job(handle);
}

/** Frees the handle of a fleet, unless its instance has gone. */
export function freeFleet({ handle, generation: of }) {
    if (running !== null && of === generation) ask({ ask: "freeFleet", fleet: handle });
}

/** Runs a call. After a panic the instance is dropped: jobs are parsed again in the next one. */
export function guarded(work) {
    const kron = instance();
    try {
        return work(kron);
    } catch (error) {
        // A stack that overflows is a RangeError, and leaves a broken instance, too.
        if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
        const why = text(kron, kron.kron_panic_text(), kron.kron_panic_length());
        running = null;
        throw new Error(`kron has panicked: ${why || error.message}`, { cause: error });
    }
}

const unwrapped = ({ ok, error }) => {
    if (error) throw new KronError(error);
    return ok;
};

/** The answer to a request. */
export function ask(request) {
    // Before the module is called: what JSON refuses is no panic.
    const bytes = encoder.encode(JSON.stringify(request));
    return unwrapped(
        guarded((kron) => {
            const buffer = kron.kron_allocate(bytes.length);
            if (buffer === 0) return tooLong(bytes.length);
            new Uint8Array(kron.memory.buffer, buffer, bytes.length).set(bytes);
            const answer = kron.kron_call(buffer, bytes.length);
            kron.kron_free(buffer);
            return JSON.parse(text(kron, answer, kron.kron_answer_length()));
        }),
    );
}

const tooLong = (bytes) => {
    const help = "ask about less at once, or use the command `kron`";
    const message = `${bytes} bytes are too long: at most 1048576 are read; ${help}`;
    return { error: { code: "request", field: "", span: null, line: null, message, help } };
};

/** Throws why the last call that returns a number failed. */
export function refuse() {
    unwrapped(JSON.parse(guarded((kron) => text(kron, kron.kron_answer(), kron.kron_answer_length()))));
}
