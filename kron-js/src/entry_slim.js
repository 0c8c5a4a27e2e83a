import { provide } from "./instance.js";

const BASE = globalThis.document?.baseURI ?? globalThis.location?.href;

function address(source) {
    try {
        return new URL(source, BASE);
    } catch {
        throw new TypeError(`init: \`${String(source)}\` is not an address; give a URL, bytes or a WebAssembly.Module`);
    }
}

async function load(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    // A response of fetch.
    if (typeof source?.arrayBuffer === "function") return WebAssembly.compile(await source.arrayBuffer());
    const url = address(source);
    if (url.protocol === "file:" && typeof process !== "undefined") {
        const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
        return WebAssembly.compile(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

export async function init(source) {
    const module = await load(source);
    if (!WebAssembly.Module.exports(module).some(({ name }) => name === "kron_call")) {
        throw new TypeError("init: this module is not kron.wasm of kron-js");
    }
    provide(() => module);
}
